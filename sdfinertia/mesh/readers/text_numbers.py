"""Lines and numbers in the text of mesh files: plain decimals, where Python takes `nan`, `inf` and `1_000` too."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Flags, Indices, Points, ranges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Characters = npt.NDArray[np.uint8]

_BOM = b"\xef\xbb\xbf"
_INDENTATION = re.compile(rb"^[ \t\v\f]+", re.MULTILINE)
_WHITE_SPACE = b" \t\n\r\v\f"
_FLOAT_CHARACTERS = b"0123456789+-.eE"
_INTEGER_CHARACTERS = b"0123456789+-"
_MAX_SIGNS = 20
# Characters of numbers, and of words mistaken for numbers: nan, inf, 0x1F, 1,5, 1_000.
_NUMBER_LIKE = b"0123456789+-.,_/eEnNaAiIfFxX"
_INF = float("inf")  # value of decimals beyond 1.8e308


# Lines ----------------------------------------------------------------------------------------------------------------


class TextLines(NamedTuple):
    """Lines of text, found in a few sweeps of all bytes; a loop over lines takes ten times as long."""

    data: bytes  # without indentation; every line ends with LF
    starts: Indices  # (n,), where each line begins
    words: Indices  # (n,), how many words each line has
    numbers: Indices  # (n,), of each line in the file

    def first_characters(self, place: int = 0) -> Characters:
        characters = np.frombuffer(self.data, dtype=np.uint8)
        return characters[np.minimum(self.starts + place, len(characters) - 1)]

    def line(self, number: int) -> bytes:
        return self.data[int(self.starts[number]) : self._stop(number) - 1]

    def chosen(self, which: Flags) -> TextLines:
        edges = np.flatnonzero(np.diff(which, prepend=False, append=False))
        firsts, lasts = edges[0::2].tolist(), (edges[1::2] - 1).tolist()
        runs = [(int(self.starts[first]), self._stop(last)) for first, last in zip(firsts, lasts, strict=True)]
        sizes = np.diff(self.starts, append=len(self.data))[which]
        text = b"".join([self.data[start:stop] for start, stop in runs])
        return TextLines(text, np.cumsum(sizes) - sizes, self.words[which], self.numbers[which])

    def chosen_words(self, places: Indices) -> bytes:
        return b" ".join(map(self.data.split().__getitem__, places.tolist()))

    def first_words(self) -> Indices:
        return np.asarray(np.cumsum(self.words) - self.words, dtype=np.int64)

    def _stop(self, number: int) -> int:
        return int(self.starts[number + 1]) if number + 1 < len(self.starts) else len(self.data)


def text_lines(data: bytes) -> TextLines:
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if data and not data.endswith(b"\n"):
        data += b"\n"
    characters = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    starts = np.concatenate(([0], ends + 1))[: len(ends)]
    space = is_space(characters)
    begins_word = ~space
    begins_word[1:] &= space[:-1]
    words = np.add.reduceat(begins_word, starts, dtype=np.int64) if len(starts) else starts
    if (space[starts] & (words > 0)).any():
        return text_lines(_INDENTATION.sub(b"", data))
    return TextLines(data, starts, words, np.arange(1, len(starts) + 1))


def without_byte_order_mark(data: bytes) -> bytes:
    return data.removeprefix(_BOM)


def is_space(characters: Characters) -> Flags:
    """Which characters are white space as `bytes.split` has it: the space, and those from 9 to 13."""
    spaces: Flags = characters == ord(" ")
    spaces |= characters - np.uint8(9) < 5  # smaller ones wrap round
    return spaces


# Numbers in text ------------------------------------------------------------------------------------------------------


def decimals(text: bytes) -> Points:
    """(n,) The finite decimal numbers in text, rounded as Python does; a ValueError shows a word that is none."""
    if text.translate(None, _FLOAT_CHARACTERS + _WHITE_SPACE):
        return np.array(floats(text.split()), dtype=np.float64)
    values: Points = np.concatenate([np.empty(0), *map(_decimals, _pieces(text))])
    return values


def _decimals(text: bytes) -> Points:
    found = _plain(text)
    # A whole number below 2^53 by a power of ten that is a float: rounded once (Clinger 1990).
    exact = found.is_plain & (found.digits < 1 << 53) & (found.places < len(_TENS))
    others = np.flatnonzero(~exact)
    if 4 * len(others) > len(exact):
        return np.array(floats(text.split()), dtype=np.float64)
    values: Points = found.digits / _TENS[np.minimum(found.places, len(_TENS) - 1)]
    np.negative(values, out=values, where=found.is_negative)
    spans = zip(found.starts[others].tolist(), found.ends[others].tolist(), strict=True)
    values[others] = floats([text[start:end] for start, end in spans])
    return values


def whole_numbers(text: bytes) -> Indices:
    """(n,) The decimal integers in text; a ValueError shows a word that is none, or beyond 64 bits."""
    if text.translate(None, _INTEGER_CHARACTERS + _WHITE_SPACE):
        return integers(text.split())
    return np.concatenate([np.empty(0, np.int64), *map(_whole_numbers, _pieces(text))])


def _whole_numbers(text: bytes) -> Indices:
    found = _plain(text)
    if not found.is_plain.all():
        return integers(text.split())
    return np.where(found.is_negative, -found.digits, found.digits)


def _pieces(text: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(text):
        end = _SPACE.search(text, start + _PIECE)
        stop = end.end() if end else len(text)
        yield text[start:stop]
        start = stop


_SPACE = re.compile(rb"[ \t\n\r\v\f]")
_PIECE = 1 << 16
_TENS = np.array([float(10**power) for power in range(23)])
_MAX_DIGITS = 18  # that fit 64 bits


class _Plain(NamedTuple):
    """Words of text, (n,) each: of a plain one the digits as a number, how many are behind its point, and its sign."""

    starts: Indices
    ends: Indices
    is_plain: Flags
    digits: Indices
    places: Indices
    is_negative: Flags


def _plain(text: bytes) -> _Plain:
    characters = np.frombuffer(b" " + text + b" ", np.uint8)
    space = characters <= ord(" ")
    edges = np.flatnonzero(space[1:] != space[:-1])
    starts, ends = edges[0::2], edges[1::2]
    digits_of = characters - np.uint8(ord("0"))
    is_digit = digits_of < 10
    before = np.cumsum(is_digit, dtype=np.int32)  # digits up to each character
    last = before[ends]
    count = last - before[starts]
    digits_of = digits_of[is_digit]
    digits = np.zeros(len(starts), np.int64)
    for place in range(min(int(count.max(initial=0)), _MAX_DIGITS)):
        digit = digits_of.take(last - (1 + place), mode="clip") * (count > place)
        digits += digit * np.int64(10**place)
    size, places, is_negative = count, np.zeros(len(starts), np.int64), np.zeros(len(starts), np.bool_)
    if b"." in text:
        dots = np.flatnonzero(characters == ord("."))
        word = np.searchsorted(starts, dots) - 1
        places[word] = last[word] - before[dots]
        has_dot = np.zeros(len(starts), np.bool_)
        has_dot[word] = True
        size = size + has_dot
    if b"-" in text or b"+" in text:
        sign = characters[starts + 1]
        is_negative = sign == ord("-")
        size = size + (is_negative | (sign == ord("+")))
    is_plain = (ends - starts == size) & (count > 0) & (count <= _MAX_DIGITS)
    return _Plain(starts, ends, is_plain, digits, places, is_negative)


def positions(rows: TextLines, maximum: int | None = None) -> tuple[Points, Points]:
    """`(positions, weights)`, (n, 3) and (w,), of lines of vertices."""
    widths = rows.words
    is_weighted = (widths == 4) & (maximum is not None)
    kept = 3 + is_weighted
    starts = np.cumsum(kept) - kept
    if (widths < 3).any() or (maximum is not None and (widths > maximum).any()):
        raise _wrong_vertex(rows, maximum)
    try:
        text = rows.data if (kept == widths).all() else rows.chosen_words(ranges(rows.first_words(), kept))
        values = decimals(text)
    except ValueError:
        raise _wrong_vertex(rows, maximum) from None
    weights = values[starts[is_weighted] + 3]
    if not len(weights):
        return values.reshape(-1, 3), weights
    return values[starts.reshape(-1, 1) + np.arange(3)], weights


def _wrong_vertex(rows: TextLines, maximum: int | None) -> MeshError:
    for number, line in zip(rows.numbers.tolist(), rows.data.splitlines(), strict=True):
        words = line.split()
        try:
            floats(words[: 4 if maximum is not None and len(words) == 4 else 3])
        except ValueError as error:
            return MeshError(f"line {number}: a vertex needs decimal numbers, found {error}")
        if len(words) < 3 or (maximum is not None and len(words) > maximum):
            return MeshError(f"line {number}: a vertex has 3 coordinates, found {len(words)} numbers")
    raise AssertionError("a vertex that is wrong among all is wrong by itself")


# Numbers in words -----------------------------------------------------------------------------------------------------


def floats(words: Sequence[bytes]) -> list[float]:
    """The finite decimal numbers in words; a ValueError shows a word that is none."""
    # One pass over all words: a check of every word by itself would take longer than the conversion.
    if not b"".join(words).translate(None, _FLOAT_CHARACTERS):
        with suppress(ValueError):
            values = list(map(float, words))
            if _INF not in values and -_INF not in values:
                return values
    raise ValueError(quoted(next(word for word in words if not is_decimal(word))))


def integers(words: Sequence[bytes]) -> Indices:
    """(n,) The decimal integers in words; a ValueError shows a word that is none, or beyond 64 bits."""
    # 19 digits hold every 64-bit integer; converting a word of a million digits would take quadratic time.
    if not b"".join(words).translate(None, _INTEGER_CHARACTERS) and max(map(len, words), default=0) <= _MAX_SIGNS:
        with suppress(ValueError, OverflowError):
            return np.array(list(map(int, words)), dtype=np.int64)
    raise ValueError(quoted(next(word for word in words if not is_whole_number(word))))


def is_decimal(word: bytes) -> bool:
    try:
        return not word.translate(None, _FLOAT_CHARACTERS) and abs(float(word)) < _INF
    except ValueError:
        return False


def is_whole_number(word: bytes) -> bool:
    if len(word) > _MAX_SIGNS or word.translate(None, _INTEGER_CHARACTERS):
        return False
    try:
        return -(2**63) <= int(word) < 2**63
    except ValueError:
        return False


def quoted(word: bytes) -> str:
    """A word for a message: itself only if it could be meant for a number, since any file can be named as a mesh."""
    if len(word) > 40 or word.translate(None, _NUMBER_LIKE):
        return "something else"
    return repr(word.decode("ascii"))
