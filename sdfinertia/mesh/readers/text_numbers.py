"""Lines and numbers in the text of mesh files: plain decimals, where Python takes `nan`, `inf` and `1_000` too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Flags, Indices, Points
from sdfinertia.named_tuple import NamedTuple

Characters = npt.NDArray[np.uint8]

_BOM = b"\xef\xbb\xbf"
_INDENTATION = re.compile(rb"^[ \t\v\f]+", re.MULTILINE)
_SPACE = re.compile(rb"\s")
_FLOAT_CHARACTERS = b"0123456789+-.eE"
_INTEGER_CHARACTERS = b"0123456789+-"
_MAX_SIGNS = 20
_DIGITS_AND_SPACE = b"0123456789 \t\n\r\v\f"
# Of numbers and of what is mistaken for one: nan, inf, 0x1F, 1,5, 1_000.
_NUMBER_LIKE = b"0123456789+-.,_/eEnNaAiIfFxX"
_INF = float("inf")  # what a decimal beyond 1.8e308 becomes
# What is computed of decimals in so much text at a time stays in a processor's cache.
_PIECE = 1 << 16
# In less text the calls of numpy alone take longer than to convert one word after the other.
_MIN_AT_ONCE = 1 << 11
# Digits of which any whole number is a float64 of its own, as is the power of ten that divides it: so the quotient is
# rounded once, to the float64 that is nearest to the decimal (Clinger, How to Read Floating Point Numbers Accurately,
# 1990, section 4).
_MAX_DIGITS = 15
_POWERS = np.array([10.0**exponent for exponent in range(_MAX_DIGITS + 1)])
_POINT, _PLUS, _MINUS, _ZERO = b".+-0"
# A longer run of zeros may be part of a number of more digits than 64 bits hold.
_ZEROS = b"000000000"
_BILLION = 10**9


# Lines ----------------------------------------------------------------------------------------------------------------


class TextLines(NamedTuple):
    """Lines of text, found in a few sweeps of all bytes; a loop over lines takes ten times as long.

    Attributes:
        data: without indentation; every line ends with LF.
        starts: (n,) where each line begins.
        words: (n,) how many words each line has.
    """

    data: bytes
    starts: Indices
    words: Indices

    def first_characters(self, place: int = 0) -> Characters:
        """(n,) The character at some place of each line."""
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
        return TextLines(text, np.cumsum(sizes) - sizes, self.words[which])

    def chosen_words(self, places: Indices) -> bytes:
        """Words by their numbers through all lines, with spaces between them."""
        return b" ".join(map(self.data.split().__getitem__, places.tolist()))

    def first_words(self) -> Indices:
        """(n,) The number of each line's first word through all lines."""
        return np.asarray(np.cumsum(self.words) - self.words, dtype=np.int64)

    def _stop(self, number: int) -> int:
        return int(self.starts[number + 1]) if number + 1 < len(self.starts) else len(self.data)


def text_lines(data: bytes) -> TextLines:
    """The lines of a text; CR, LF, and both together end a line."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if data and not data.endswith(b"\n"):
        data += b"\n"
    if not data:
        return TextLines(data, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    characters = np.frombuffer(data, dtype=np.uint8)
    starts = np.concatenate(([0], np.flatnonzero(characters == ord("\n"))[:-1] + 1))
    space = is_space(characters)
    begins_word = ~space
    begins_word[1:] &= space[:-1]
    words = np.add.reduceat(begins_word, starts, dtype=np.int64)
    if (space[starts] & (words > 0)).any():
        return text_lines(_INDENTATION.sub(b"", data))
    return TextLines(data, starts, words)


def without_byte_order_mark(data: bytes) -> bytes:
    return data.removeprefix(_BOM)


def is_space(characters: Characters) -> Flags:
    """Which characters are white space as `bytes.split` has it: the space, and those from 9 to 13."""
    spaces: Flags = characters == ord(" ")
    spaces |= characters - np.uint8(9) < 5  # what is less than 9 wraps round
    return spaces


# Numbers in text ------------------------------------------------------------------------------------------------------


def decimals(text: bytes) -> Points:
    """(n,) The finite decimal numbers in text, each rounded as Python rounds it; a ValueError shows a word that is
    none.
    """
    try:
        return np.concatenate([np.empty(0), *map(_decimals_of_piece, _pieces(text))])
    except ValueError:
        # Of words that are wrong in several ways, which one is told must not depend on what fits a cache.
        return np.array(floats(text.split()), dtype=np.float64)


def _pieces(text: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + _PIECE)
        stop = len(text) if space is None else space.start()
        yield text[start:stop]
        start = stop


def _decimals_of_piece(text: bytes) -> Points:
    """`decimals` of many words at once, where nearly all are digits with a point and a sign: 6 % of a whole fill of an
    OBJ.
    """
    if len(text) < _MIN_AT_ONCE:
        return decimals_of_words(text.split())
    characters = np.frombuffer(b" " + text + b" ", dtype=np.uint8)
    space = is_space(characters)
    edges = np.flatnonzero(space[1:] != space[:-1]) + 1
    starts, stops = edges[0::2], edges[1::2]
    if not len(starts):
        return np.empty(0)
    first = characters[starts]
    is_negative = first == _MINUS
    is_signed = is_negative | (first == _PLUS)
    points = np.flatnonzero(characters == _POINT)
    word_of_point = _words_of(points, starts, stops)

    digits = stops - starts - is_signed
    digits[word_of_point] -= 1
    places = np.zeros(len(starts), np.int64)
    places[word_of_point] = stops[word_of_point] - points - 1
    is_other = (digits < 1) | (digits > _MAX_DIGITS)
    is_other[word_of_point[1:][word_of_point[1:] == word_of_point[:-1]]] = True
    is_strange = ~(space | (characters - np.uint8(_ZERO) < 10))
    is_strange[points] = is_strange[starts[is_signed]] = False
    is_other[_words_of(np.flatnonzero(is_strange), starts, stops)] = True

    others = np.flatnonzero(is_other)
    if 2 * len(others) > len(starts):
        return decimals_of_words(text.split())
    words = []
    rest = bytearray(characters)
    for start, stop in zip(starts[others].tolist(), stops[others].tolist(), strict=True):
        words.append(bytes(rest[start:stop]))
        rest[start:stop] = b"0".ljust(stop - start)
    places[others] = 0
    values = np.fromstring(bytes(rest).translate(None, b".+-"), np.int64, sep=" ") / _POWERS[places]
    np.negative(values, out=values, where=is_negative)
    values[others] = floats(words)
    return np.asarray(values, dtype=np.float64)


def _words_of(places: Indices, starts: Indices, stops: Indices) -> Indices:
    if len(places) == len(starts) and (starts <= places).all() and (places < stops).all():
        return np.arange(len(starts))  # one in each word, as nearly all decimals are written
    return np.searchsorted(stops, places, "right")


def whole_numbers(text: bytes) -> Indices:
    """(n,) The decimal integers in text; a ValueError shows a word that is none, or beyond 64 bits."""
    values = small_whole_numbers(text)
    return integers(text.split()) if values is None else values


def small_whole_numbers(text: bytes) -> Indices | None:
    """(n,) The integers in text, or None if one may be a billion or more, or other characters occur."""
    if text.translate(None, _DIGITS_AND_SPACE).strip(b"-") or _ZEROS in text or not _signs_lead(text):
        return None
    # The text is known to be one number a word, so that none is taken for two, and no rest is left out. White space
    # alone would be read as one number.
    values = np.fromstring(text, dtype=np.int64, sep=" ") if text.strip() else np.empty(0, dtype=np.int64)
    # What has more digits than fit is clamped, and so is beyond this too.
    if len(values) and not -_BILLION < int(values.min()) <= int(values.max()) < _BILLION:
        return None
    return values


def _signs_lead(text: bytes) -> bool:
    """Whether every `-` in a text of digits, white space and `-` begins a word that has digits too."""
    if b"-" not in text:
        return True
    characters = np.frombuffer(b" " + text + b" ", dtype=np.uint8)
    signs = np.flatnonzero(characters == ord("-"))
    digits = characters > ord("-")
    return bool((characters[signs - 1] <= ord(" ")).all() and digits[signs + 1].all())


def wrong_vertex(rows: TextLines, numbers: Indices, most: int | None = None) -> MeshError:
    """The error for the first line that is not a vertex.

    Args:
        numbers: of each line in the file.
        most: numbers in a line, of which a fourth is a weight if there are four.
    """
    for number, line in zip(numbers.tolist(), rows.data.splitlines(), strict=True):
        words = line.split()
        try:
            floats(words[: 4 if most is not None and len(words) == 4 else 3])
        except ValueError as error:
            return MeshError(f"line {number}: a vertex needs decimal numbers, found {error}")
        if len(words) < 3 or (most is not None and len(words) > most):
            return MeshError(f"line {number}: a vertex has 3 coordinates, found {len(words)} numbers")
    raise AssertionError("a vertex that is wrong among all is wrong by itself")


# Numbers in words -----------------------------------------------------------------------------------------------------


def decimals_of_words(words: Sequence[bytes]) -> Points:
    """(n,) What `floats` gives, in a quarter of the time for many words."""
    try:
        values = np.fromiter(map(float, words), np.float64, len(words))
    except ValueError:
        return np.array(floats(words), dtype=np.float64)
    # What is left that is no plain decimal is `nan`, `inf`, what overflows, and digits grouped by underscores.
    if not np.isfinite(values).all() or b"_" in b"".join(words):
        return np.array(floats(words), dtype=np.float64)
    return values


def floats(words: Sequence[bytes]) -> list[float]:
    """The finite decimal numbers in words; a ValueError shows a word that is none."""
    # One pass over all words: a check of every word by itself would take longer than the conversion.
    if not b"".join(words).translate(None, _FLOAT_CHARACTERS):
        with suppress(ValueError):
            values = list(map(float, words))
            if _INF not in values and -_INF not in values:
                return values
    raise ValueError(shown(next(word for word in words if not is_decimal(word))))


def integers(words: Sequence[bytes]) -> Indices:
    """(n,) The decimal integers in words; a ValueError shows a word that is none, or beyond 64 bits."""
    # 19 digits hold every 64-bit integer; converting a word of a million digits would take quadratic time.
    if not b"".join(words).translate(None, _INTEGER_CHARACTERS) and max(map(len, words), default=0) <= _MAX_SIGNS:
        with suppress(ValueError, OverflowError):
            return np.array(list(map(int, words)), dtype=np.int64)
    raise ValueError(shown(next(word for word in words if not is_whole_number(word))))


def is_decimal(word: bytes) -> bool:
    try:
        return not word.translate(None, _FLOAT_CHARACTERS) and abs(float(word)) < _INF
    except ValueError:
        return False


def is_whole_number(word: bytes) -> bool:
    """Whether a word is a decimal integer of 64 bits, as `integers` takes it."""
    if len(word) > _MAX_SIGNS or word.translate(None, _INTEGER_CHARACTERS):
        return False
    try:
        return -(2**63) <= int(word) < 2**63
    except ValueError:
        return False


def shown(word: bytes) -> str:
    """A word for a message: itself only if it could be meant for a number, since any file can be named as a mesh."""
    if len(word) > 40 or word.translate(None, _NUMBER_LIKE):
        return "something else"
    return repr(word.decode("ascii"))
