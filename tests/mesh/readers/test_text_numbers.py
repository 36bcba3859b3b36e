from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.mesh.readers.text_numbers import decimals, floats, integers, small_whole_numbers, whole_numbers


def test_plain_numbers_are_read_exactly() -> None:
    assert floats([b"1", b"-.5", b"+2.E3", b"0.1"]) == [1.0, -0.5, 2000.0, 0.1]
    assert integers([b"-9223372036854775808", b"+7", b"0"]).tolist() == [-(2**63), 7, 0]
    assert floats([]) == []
    assert integers([]).tolist() == []


@pytest.mark.parametrize(
    ("read", "word"),
    [
        *((floats, word) for word in (b"nan", b"-inf", b"1_0", b"0x1", b"1,5", b"1e", b"--1", b"1e999", b"", b"1f")),
        *((integers, word) for word in (b"1.0", b"1_0", b"9223372036854775808", b"1-", b"", b"1e3")),
    ],
)
def test_what_is_no_number_is_named(read: Callable[[list[bytes]], Any], word: bytes) -> None:
    with pytest.raises(ValueError, match="'") as caught:
        read([b"1", word])
    assert word.decode() in str(caught.value)


@pytest.mark.parametrize("word", [b"\xd9\xa1", b"password", b"\x00\x01"])
def test_what_could_not_be_meant_for_a_number_is_not_quoted(word: bytes) -> None:
    for read in (floats, integers):
        with pytest.raises(ValueError, match=r"^something else$"):
            read([b"1", word])


SPACE = st.sampled_from([" ", "\n", "\t", "\r\n", "  ", "\v", "\f"])
DECIMAL = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-1000, 1000, places=6).map(str),
    st.from_regex(r"[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})([eE][+-]?\d{1,2})?", fullmatch=True).filter(str.isascii),
)
NO_DECIMAL = st.sampled_from(
    ["nan", "-inf", "infinity", "1_0", "1e999", "1e", "1.5.3", "1-2", "-", "0x1", "\x1c1", "x"]
)
INTEGER = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(-5, 300)).map(str)
NO_SMALL_INTEGER = st.sampled_from(
    ["+1", "-0", "00", "0" * 30 + "1", "1-2", "1-", "-", "--1", "1_0", "9" * 19, "1.0", "x"]
)


def joined(words: list[str], spaces: list[str]) -> bytes:
    return "".join(word + space for word, space in zip(words, spaces, strict=False)).encode("latin-1")


def outcome(read: Callable[[], Any]) -> tuple[bytes, str]:
    """The bytes of what is read, or the message if it is an error."""
    try:
        return np.asarray(read()).tobytes(), ""
    except ValueError as error:
        return b"", str(error)


@given(st.lists(st.one_of(DECIMAL, DECIMAL, NO_DECIMAL), max_size=8), st.lists(SPACE, min_size=8, max_size=8))
def test_decimals_of_a_text_are_those_of_its_words(words: list[str], spaces: list[str]) -> None:
    text = joined(words, spaces)
    assert outcome(lambda: decimals(text)) == outcome(lambda: np.array(floats(text.split()), dtype=np.float64))


@given(st.lists(st.one_of(INTEGER, INTEGER, NO_SMALL_INTEGER), max_size=8), st.lists(SPACE, min_size=8, max_size=8))
def test_whole_numbers_of_a_text_are_those_of_its_words(words: list[str], spaces: list[str]) -> None:
    text = joined(words, spaces)
    assert outcome(lambda: whole_numbers(text)) == outcome(lambda: integers(text.split()))


@pytest.mark.parametrize("text", [b"", b" \n", b"0", b"-7 12\n\n3", b"999999999"])
def test_small_whole_numbers_are_read_at_once(text: bytes) -> None:
    values = small_whole_numbers(text)
    assert values is not None
    assert values.tolist() == list(map(int, text.split()))
