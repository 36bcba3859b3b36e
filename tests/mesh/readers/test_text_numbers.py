import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.mesh.readers.text_numbers import decimals, is_whole_number, quoted, whole_numbers


def test_plain_numbers_are_read_exactly() -> None:
    assert decimals(b"1 -.5 +2.E3 0.1").tolist() == [1.0, -0.5, 2000.0, 0.1]
    assert whole_numbers(b"-4611686018427387903 +7 0").tolist() == [-(2**62) + 1, 7, 0]
    assert decimals(b"").tolist() == []
    assert whole_numbers(b"").tolist() == []


@pytest.mark.parametrize(
    ("read", "word"),
    [
        *((decimals, word) for word in (b"nan", b"-inf", b"1_0", b"0x1", b"1,5", b"1e", b"--1", b"1e999", b"1f")),
        *((whole_numbers, word) for word in (b"1.0", b"1_0", b"9223372036854775808", b"1-", b"1e3")),
    ],
)
def test_what_is_no_number_is_named(read: Callable[[bytes], Any], word: bytes) -> None:
    with pytest.raises(ValueError, match="'") as caught:
        read(b"1 " + word)
    assert word.decode() in str(caught.value)


@pytest.mark.parametrize("word", [b"\xd9\xa1", b"password", b"\x00\x01"])
def test_what_could_not_be_meant_for_a_number_is_not_quoted(word: bytes) -> None:
    for read in (decimals, whole_numbers):
        with pytest.raises(ValueError, match=r"^something else$"):
            read(b"1 " + word)


SPACES = st.sampled_from([" ", "\n", "\t", "\r\n", "  ", "\v", "\f"])
SHORT = st.from_regex(r"[+-]?([0-9]{1,8}(\.[0-9]{0,7})?|\.[0-9]{1,15})", fullmatch=True)


def bits(values: object) -> bytes:
    return np.asarray(values, np.float64).tobytes()


@given(st.lists(st.tuples(SHORT, SPACES), min_size=1, max_size=30), SPACES)
def test_short_decimals_are_rounded_as_python_rounds_them(words: list[tuple[str, str]], before: str) -> None:
    found = decimals((before + "".join(word + space for word, space in words)).encode())
    assert bits(found) == bits([float(word) for word, _ in words])


def test_what_is_no_short_decimal_is_read_one_by_one_and_of_two_wrong_words_the_first_is_told() -> None:
    found = decimals(b"1.5 1e-3 -2 1234567890123456 .5 7 8 9")
    assert found.tolist() == [1.5, 1e-3, -2, 1234567890123456, 0.5, 7, 8, 9]
    assert decimals(b"1 2e1 3e1 4e1").tolist() == [1, 20, 30, 40]  # mostly something else
    with pytest.raises(ValueError, match=r"^'1\.5\.3'$"):
        decimals(b"1.5.3" + b" 0.25" * 40_000 + b" 1_0")


@pytest.mark.parametrize("text", [b"", b" \n", b"-0 -0.000 0.0 -.0"])
def test_no_words_are_no_numbers_and_a_zero_keeps_its_sign(text: bytes) -> None:
    assert bits(decimals(text)) == bits(list(map(float, text.split())))


INTEGERS = st.one_of(st.integers(0, 10**9 - 1), st.integers(-5, 300), st.integers(-(2**62) + 1, 2**62 - 1)).map(str)
OTHER_INTEGERS = st.sampled_from(["+1", "-0", "00", "1-2", "1-", "-", "--1", "1_0", "9" * 19, "1.0", "x", str(2**63)])


@given(st.lists(st.tuples(st.one_of(INTEGERS, INTEGERS, INTEGERS, OTHER_INTEGERS), SPACES), max_size=20))
def test_whole_numbers_of_a_text_are_those_of_its_words(words: list[tuple[str, str]]) -> None:
    text = "".join(word + space for word, space in words).encode()
    each = text.split()
    wrong = next((word for word in each if not is_whole_number(word)), None)
    if wrong is None:
        values = whole_numbers(text)
        assert (values.dtype, values.tolist()) == (np.int64, list(map(int, each)))
        return
    with pytest.raises(ValueError, match="^" + re.escape(quoted(wrong))):
        whole_numbers(text)
