"""Numbers in the text of mesh files: plain decimals, where Python takes `nan`, `inf` and `1_000` too."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.kernel import Flags, Indices, Points

Characters = npt.NDArray[np.uint8]

_WHITE_SPACE = b" \t\n\r\v\f"
_FLOAT_CHARACTERS = b"0123456789+-.eE"
_INTEGER_CHARACTERS = b"0123456789+-"
_MAX_SIGNS = 20
# Characters of numbers, and of words mistaken for numbers: nan, inf, 0x1F, 1,5, 1_000.
_NUMBER_LIKE = b"0123456789+-.,_/eEnNaAiIfFxX"
_INF = float("inf")  # value of decimals beyond 1.8e308
_CLAMPED = 1 << 62  # numpy takes integers beyond 64 bits for the largest


def is_space(characters: Characters) -> Flags:
    """Which characters are white space as `bytes.split` has it: the space, and those from 9 to 13."""
    spaces: Flags = characters == ord(" ")
    spaces |= characters - np.uint8(9) < 5  # smaller ones wrap round
    return spaces


def decimals(text: bytes) -> Points:
    """(n,) The finite decimal numbers in text, rounded as Python does; a ValueError shows a word that is none."""
    words = text.split()
    values = None
    if not text.translate(None, _FLOAT_CHARACTERS + _WHITE_SPACE):
        with suppress(ValueError):
            values = np.fromiter(map(float, words), np.float64, len(words))
    if values is None or not np.isfinite(values).all():
        raise ValueError(quoted(next(word for word in words if not is_decimal(word))))
    return values


def whole_numbers(text: bytes) -> Indices:
    """(n,) The decimal integers in text; a ValueError shows a word that is none, or beyond 62 bits."""
    if not text.translate(None, _INTEGER_CHARACTERS + _WHITE_SPACE):
        space = is_space(np.frombuffer(b" " + text, np.uint8))
        count = np.count_nonzero(space[:-1] > space[1:])
        with suppress(ValueError, DeprecationWarning):  # before numpy 2.3 it only warns of a word that is no number
            # A tenth of the time of `int`.
            values: Indices = np.fromstring(text, np.int64, sep=" ") if count else np.empty(0, np.int64)
            if len(values) == count and ((values > -_CLAMPED) & (values < _CLAMPED)).all():
                return values
    raise ValueError(quoted(next(word for word in text.split() if not is_whole_number(word))))


def is_decimal(word: bytes) -> bool:
    try:
        return not word.translate(None, _FLOAT_CHARACTERS) and abs(float(word)) < _INF
    except ValueError:
        return False


def is_whole_number(word: bytes) -> bool:
    if len(word) > _MAX_SIGNS or word.translate(None, _INTEGER_CHARACTERS):
        return False
    try:
        return abs(int(word)) < _CLAMPED
    except ValueError:
        return False


def quoted(word: bytes) -> str:
    """A word for a message: itself only if it could be meant for a number, since any file can be named as a mesh."""
    if len(word) > 40 or word.translate(None, _NUMBER_LIKE):
        return "something else"
    return repr(word.decode("ascii"))
