from __future__ import annotations

import pytest

from sdfinertia.mesh.text_numbers import floats, integers


def test_plain_numbers_are_read_exactly() -> None:
    assert floats([b"1", b"-.5", b"+2.E3", b"0.1"]) == [1.0, -0.5, 2000.0, 0.1]
    assert integers([b"-9223372036854775808", b"+7", b"0"]).tolist() == [-(2**63), 7, 0]
    assert floats([]) == []
    assert integers([]).tolist() == []


@pytest.mark.parametrize("word", [b"nan", b"-inf", b"1_0", b"0x1", b"1,5", b"1e", b"--1", b"1e999", b"", b"1f"])
def test_what_is_no_decimal_number_is_named(word: bytes) -> None:
    with pytest.raises(ValueError, match="'") as caught:
        floats([b"1", word])
    assert word.decode() in str(caught.value)


@pytest.mark.parametrize("word", [b"1.0", b"1_0", b"9223372036854775808", b"1-", b"", b"1e3"])
def test_what_is_no_integer_is_named(word: bytes) -> None:
    with pytest.raises(ValueError, match="'") as caught:
        integers([b"1", word])
    assert word.decode() in str(caught.value)


@pytest.mark.parametrize("word", [b"\xd9\xa1", b"password", b"\x00\x01"])
def test_what_could_not_be_meant_for_a_number_is_not_quoted(word: bytes) -> None:
    for read in (floats, integers):
        with pytest.raises(ValueError, match=r"^something else$"):
            read([b"1", word])
