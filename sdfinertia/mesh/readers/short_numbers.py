"""Numbers of few digits, as nearly all of those in the text of mesh files are, read many at once and exactly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.readers.text_lines import is_space
from sdfinertia.named_tuple import NamedTuple

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int64]

# Digits of which any whole number is a float64 of its own, as is the power of ten that divides it: so the quotient is
# rounded once, to the float64 that is nearest to the decimal (Clinger, How to Read Floating Point Numbers Accurately,
# 1990, section 4).
_MOST_DIGITS = 15
_POWERS = np.array([10.0**exponent for exponent in range(_MOST_DIGITS + 1)])
# Digits of which any whole number fits 32 bits.
_MOST_DIGITS_OF_32_BITS = 9
_POINT, _PLUS, _MINUS, _ZERO = b".+-0"
_NO_DIGITS = b".+-"


class ShortDecimals(NamedTuple):
    """The words of a text as numbers, as far as they are short decimals: digits, one point or none, a sign before.

    Attributes:
        values: (n,) each rounded as Python rounds it; 0 for other words.
        others: (k,) the numbers of the words that are something else, ascending: exponents, more digits, no numbers.
        words: these words.
    """

    values: npt.NDArray[np.float64]
    others: Indices
    words: list[bytes]


def short_decimals(text: bytes) -> ShortDecimals | None:
    """The numbers in text that has white space between them; None where most are no short decimals.

    For some thousand words it takes a third of the time of `float` for each.
    """
    characters, starts, stops, are_digits = _words(text)
    first = characters[starts]
    is_negative = first == _MINUS
    is_signed = is_negative | (first == _PLUS)
    points = np.flatnonzero(characters == _POINT)
    word_of_point = _words_of(points, starts, stops)

    digits = stops - starts - is_signed
    digits[word_of_point] -= 1
    places = np.zeros(len(starts), np.int64)
    places[word_of_point] = stops[word_of_point] - points - 1
    is_other = (digits < 1) | (digits > _MOST_DIGITS)
    is_other[word_of_point[1:][word_of_point[1:] == word_of_point[:-1]]] = True
    is_strange = ~are_digits
    is_strange[points] = is_strange[starts[is_signed]] = False
    is_other[_words_of(np.flatnonzero(is_strange), starts, stops)] = True

    others = np.flatnonzero(is_other)
    if 2 * len(others) > len(starts):
        return None
    words = []
    if len(others):
        rest = bytearray(characters)
        for start, stop in zip(starts[others].tolist(), stops[others].tolist(), strict=True):
            words.append(bytes(rest[start:stop]))
            rest[start:stop] = b"0".ljust(stop - start)
        text = bytes(rest)
        places[others] = 0
        is_negative[others] = False
    if not len(starts):  # white space alone would be read as one number
        return ShortDecimals(np.zeros(0), others, words)
    values = np.fromstring(text.translate(None, _NO_DIGITS), np.int64, sep=" ") / _POWERS[places]
    np.negative(values, out=values, where=is_negative)
    return ShortDecimals(values, others, words)


def short_whole_numbers(text: bytes) -> npt.NDArray[np.int32] | None:
    """(n,) The numbers in text that has white space between them; None if a word is not one to nine digits.

    For some thousand words it takes half the time of `numpy.fromstring`, which reads them one by one.
    """
    characters, starts, stops, are_digits = _words(text)
    digits = stops - starts
    most = int(digits.max(initial=0))
    if most > _MOST_DIGITS_OF_32_BITS or not are_digits.all():
        return None
    values = np.zeros(len(starts), np.int32)
    at, digits = stops - 1, digits.astype(np.uint8)
    for place in range(most):
        digit = characters.take(at) - np.uint8(_ZERO)
        digit *= digits > place  # what stands before the first is no digit of this word
        values += np.multiply(digit, 10**place, dtype=np.int32)
        at -= 1
    return values


def _words(text: bytes) -> tuple[Bytes, Indices, Indices, Flags]:
    """The text between two spaces, where each word begins and ends, and which characters are digits or white space."""
    characters = np.frombuffer(b" " + text + b" ", dtype=np.uint8)
    space = is_space(characters)
    edges = np.flatnonzero(space[1:] != space[:-1]) + 1
    return characters, edges[0::2], edges[1::2], space | (characters - np.uint8(_ZERO) < 10)


def _words_of(places: Indices, starts: Indices, stops: Indices) -> Indices:
    """The number of the word in which each character stands, (k,)."""
    if len(places) == len(starts) and (starts <= places).all() and (places < stops).all():
        return np.arange(len(starts))  # one in each word, as nearly all decimals are written
    return np.searchsorted(stops, places, "right")
