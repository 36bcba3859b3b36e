"""Numbers in the text of mesh files: plain decimals only, where Python itself also takes `nan`, `inf` and `1_000`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_FLOAT_CHARACTERS = b"0123456789+-.eE"
_INTEGER_CHARACTERS = b"0123456789+-"
# Of numbers and of what is mistaken for one: nan, inf, 0x1F, 1,5, 1_000.
_NUMBER_LIKE = b"0123456789+-.,_/eEnNaAiIfFxX"
_INF = float("inf")  # what a decimal beyond 1.8e308 becomes


def floats(words: Sequence[bytes]) -> list[float]:
    """The finite decimal numbers written in `words`.

    Raises:
        ValueError: a word is no such number; its text is the message.
    """
    # One pass over all words: a check of every word by itself would take longer than the conversion.
    if b"".join(words).translate(None, _FLOAT_CHARACTERS):
        raise ValueError(shown(next(word for word in words if word.translate(None, _FLOAT_CHARACTERS))))
    try:
        values = list(map(float, words))
    except ValueError:
        raise ValueError(shown(next(word for word in words if not _is_float(word)))) from None
    if _INF in values or -_INF in values:
        raise ValueError(shown(next(word for word, value in zip(words, values, strict=True) if abs(value) == _INF)))
    return values


def integers(words: Sequence[bytes]) -> npt.NDArray[np.int64]:
    """(n,) The decimal integers written in `words`.

    Raises:
        ValueError: a word is no integer, or one beyond 64 bits; its text is the message.
    """
    if b"".join(words).translate(None, _INTEGER_CHARACTERS):
        raise ValueError(shown(next(word for word in words if word.translate(None, _INTEGER_CHARACTERS))))
    # 19 digits hold every 64-bit integer; converting a word of a million digits would take quadratic time.
    too_long = [word for word in words if len(word) > 20] if words and max(map(len, words)) > 20 else []
    if too_long:
        raise ValueError(shown(too_long[0]))
    try:
        return np.array(list(map(int, words)), dtype=np.int64)
    except (ValueError, OverflowError):
        raise ValueError(shown(next(word for word in words if not _is_integer(word)))) from None


def _is_float(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _is_integer(word: bytes) -> bool:
    try:
        return -(2**63) <= int(word) < 2**63
    except ValueError:
        return False


def shown(word: bytes) -> str:
    """What a message tells of a word: the word itself only if it could be meant for a number.

    Any text file can be named as a mesh, and messages end in logs that others read.
    """
    if len(word) > 40 or word.translate(None, _NUMBER_LIKE):
        return "something else"
    return repr(word.decode("ascii"))
