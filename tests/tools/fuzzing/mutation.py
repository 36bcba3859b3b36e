"""Changes to files that keep enough structure for readers to get far: numbers, tags, lines, words."""

import random
import re
from collections.abc import Sequence

# Where arithmetic, counts and conversions break.
NUMBERS = (
    b"0", b"-0", b"-1", b"1", b"2", b"3", b"255", b"256", b"65535", b"2147483647", b"2147483648", b"-2147483649",
    b"4294967295", b"4294967296", b"9223372036854775807", b"18446744073709551616", b"1" + 30 * b"0", 400 * b"9",
    b"1e-7", b"1e7", b"1e15", b"1e-30", b"1e30", b"1e60", b"1e100", b"1e-100", b"1e154", b"1e-162", b"1e200",
    b"1e-200", b"1e308", b"1.7976931348623157e308", b"5e-324", b"2.2250738585072014e-308", b"1e309", b"1e-400",
    b"0.1", b"1e99999999999", b"nan", b"-inf", b"0x1p3", b"1,5", b"1_0", b"+1", b".", b"-", b"1.", b".5", b"",
)  # fmt: skip
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TAG = re.compile(rb"<[^<>]*>")
_WORD = re.compile(rb"[A-Za-z_][\w.:-]*")
# As binary files hold them: floats and integers at the ends of their ranges.
_FIELDS = (
    b"\0\0\0\0", b"\1\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\0\0\xc0\x7f", b"\0\0\x80\x7f",
    b"\xff\xff\x7f\x7f", b"\1\0\0\0", b"\0\0\x80\0", b"\0\0\x80\x3f", b"\0\0\0\x10", b"\x7f\x7f\xff\xff",
)  # fmt: skip


def mutated(data: bytes, words: Sequence[bytes], rng: random.Random, limit: int) -> bytes:
    """The data with one to four changes, cut at the limit."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = rng.choice(_CHANGES)(data, words, rng)[:limit]
    return data


def _other_number(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    places = list(_NUMBER.finditer(data))
    if not places:
        return _other_field(data, words, rng)
    place = rng.choice(places)
    other = rng.choice((rng.choice(NUMBERS), rng.choice(places)[0], b"%d" % rng.randrange(16)))
    return data[: place.start()] + other + data[place.end() :]


def _other_word(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    places = list(_WORD.finditer(data))
    if not places:
        return data + rng.choice(words)
    place = rng.choice(places)
    return data[: place.start()] + rng.choice((rng.choice(words), rng.choice(places)[0])) + data[place.end() :]


def _moved_element(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    """What stands between two tags, or some lines, taken out, doubled or put elsewhere."""
    ends = [place.start() for place in _TAG.finditer(data)]
    if len(ends) < 4:
        ends = [place.end() for place in re.finditer(rb"[\r\n]+|[{}\[\],]", data)]
    if len(ends) < 2:
        return data + data
    first = rng.randrange(len(ends) - 1)
    start, stop = ends[first], ends[min(first + rng.choice((1, 1, 2, 3, 8)), len(ends) - 1)]
    kind = rng.randrange(4)
    if kind == 0:
        return data[:start] + data[stop:]
    if kind == 1:
        return data[:stop] + data[start:stop] * rng.choice((1, 1, 2, 20)) + data[stop:]
    place = rng.choice(ends)
    if kind == 2:
        return data[:place] + data[start:stop] + data[place:]
    rest = data[:start] + data[stop:]
    return rest[:place] + data[start:stop] + rest[place:]


def _inserted_word(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(words) + data[place:]


def _other_field(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    if len(data) < 6:
        return data + rng.choice(_FIELDS)
    place = rng.randrange(1, len(data) - 4)
    return data[:place] + rng.choice((rng.choice(_FIELDS), rng.randbytes(4))) + data[place + 4 :]


def _cut(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    start, stop = sorted(rng.randrange(1, len(data) + 2) for _ in range(2))
    return data[:start] if rng.random() < 0.3 else data[:start] + data[min(stop, start + 64) :]


def _other_first_byte(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    return bytes([rng.randrange(32)]) + data[1:]


_CHANGES = (
    _other_number,
    _other_number,
    _other_word,
    _moved_element,
    _moved_element,
    _inserted_word,
    _other_field,
    _cut,
    _other_first_byte,
)
