"""Changes to files that keep enough structure for readers to get far: numbers, tags, lines, words."""

import random
import re
from collections.abc import Callable, Sequence

# Where arithmetic, counts and conversions break.
NUMBERS = b"""0 -0 -1 1 2 3 255 256 65535 2147483647 2147483648 -2147483649 4294967295 4294967296 9223372036854775807
 18446744073709551616 1e-7 1e7 1e15 1e-30 1e30 1e60 1e100 1e-100 1e154 1e-162 1e200 1e-200 1e308
 1.7976931348623157e308 5e-324 2.2250738585072014e-308 1e309 1e-400 0.1 1e99999999999 nan -inf 0x1p3 1,5 1_0 +1 . - 1.
 .5""".split()
NUMBERS += [b"1" + 30 * b"0", 400 * b"9", b""]
# As binary files hold them: floats and integers at the ends of their ranges.
_HEX = b"00000000 01000000 ffffffff ffffff7f 00000080 0000c07f 0000807f ffff7f7f 00008000 0000803f 00000010 7f7fffff"
FIELDS = [bytes.fromhex(each.decode()) for each in _HEX.split()]
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORD = re.compile(rb"[A-Za-z_][\w.:-]*")
_END = re.compile(rb"(?=<[^<>]*>)|[\r\n]+|[{}\[\],]")


def mutated(data: bytes, words: Sequence[bytes], rng: random.Random, limit: int) -> bytes:
    """The data with one to four changes, cut at the limit."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = rng.choice(_CHANGES)(data, words, rng)[:limit]
    return data


def _other_match(pattern: re.Pattern[bytes], others: Sequence[bytes]) -> Callable[..., bytes]:
    """Puts another text, or another match, in place of a match."""

    def change(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
        places = list(pattern.finditer(data))
        if not places:
            return data + rng.choice(words)
        place = rng.choice(places)
        other = rng.choice((rng.choice(others or words), rng.choice(places)[0]))
        return data[: place.start()] + other + data[place.end() :]

    return change


def _moved_part(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    """What stands between two tags or lines, taken out, repeated or put elsewhere."""
    ends = [place.start() for place in _END.finditer(data)]
    if len(ends) < 2:
        return data + data
    first = rng.randrange(len(ends) - 1)
    start, stop = ends[first], ends[min(first + rng.choice((1, 1, 2, 3, 8)), len(ends) - 1)]
    kind = rng.randrange(3)
    if kind == 0:
        return data[:stop] + data[start:stop] * rng.choice((1, 1, 2, 20)) + data[stop:]
    rest = data[:start] + data[stop:]
    place = min(rng.choice(ends), len(rest))
    return rest if kind == 1 else rest[:place] + data[start:stop] + rest[place:]


def _inserted_word(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(words) + data[place:]


def _other_field(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    place = rng.randrange(1, max(len(data) - 4, 2))
    return data[:place] + rng.choice((rng.choice(FIELDS), rng.randbytes(4))) + data[place + 4 :]


def _cut(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    start, stop = sorted(rng.randrange(1, len(data) + 2) for _ in range(2))
    return data[:start] if rng.random() < 0.3 else data[:start] + data[min(stop, start + 64) :]


def _other_first_byte(data: bytes, words: Sequence[bytes], rng: random.Random) -> bytes:
    return bytes([rng.randrange(32)]) + data[1:]


_OTHER_NUMBER = _other_match(_NUMBER, NUMBERS)
_CHANGES = (
    *(_OTHER_NUMBER, _OTHER_NUMBER, _other_match(_WORD, ()), _moved_part, _moved_part),
    *(_inserted_word, _other_field, _cut, _other_first_byte),
)
