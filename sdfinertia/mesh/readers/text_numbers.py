"""Numbers in the text of mesh files: plain decimals only, where Python itself also takes `nan`, `inf` and `1_000`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.readers.short_numbers import short_decimals, short_whole_numbers

_FLOAT_CHARACTERS = b"0123456789+-.eE"
_INTEGER_CHARACTERS = b"0123456789+-"
_DIGITS_AND_SPACE = b"0123456789 \t\n\r\v\f"
# Of numbers and of what is mistaken for one: nan, inf, 0x1F, 1,5, 1_000.
_NUMBER_LIKE = b"0123456789+-.,_/eEnNaAiIfFxX"
_INF = float("inf")  # what a decimal beyond 1.8e308 becomes

# Words of so much text at a time: the objects they become take ten times its memory, and should stay in cache.
_PIECE = 1 << 19
# What is computed of decimals in so much text at a time stays in a processor's cache.
_CACHED = 1 << 16
# In less text the calls alone take longer than to convert one word after the other.
_LEAST_OF_DECIMALS = 1 << 11
_LEAST_OF_WHOLE_NUMBERS = 1 << 14
_SPACE = re.compile(rb"\s")
# A longer run of zeros may be part of a number of more digits than 64 bits hold.
_ZEROS = b"000000000"
_BILLION = 10**9


def decimals(text: bytes) -> npt.NDArray[np.float64]:
    """(n,) The finite decimal numbers in text that has white space between them, each rounded as Python rounds it.

    Raises:
        ValueError: a word is no such number; its text is the message.
    """
    values = [np.empty(0)]
    for piece in _pieces(text, _PIECE):
        if len(piece) < _LEAST_OF_DECIMALS:
            values.append(decimals_of_words(piece.split()))
            continue
        try:
            values += map(_decimals_of_piece, _pieces(piece, _CACHED))
        except ValueError:
            # Of words that are wrong in several ways, which one is told must not depend on what fits a cache.
            values.append(decimals_of_words(piece.split()))
    return np.concatenate(values)


def _decimals_of_piece(text: bytes) -> npt.NDArray[np.float64]:
    short = short_decimals(text)
    if short is None:
        return decimals_of_words(text.split())
    if short.words:
        short.values[short.others] = floats(short.words)
    return short.values


def decimals_of_words(words: Sequence[bytes]) -> npt.NDArray[np.float64]:
    """(n,) What `floats` gives, in a quarter of the time for many words.

    Raises:
        ValueError: as `floats`.
    """
    try:
        values = np.fromiter(map(float, words), np.float64, len(words))
    except ValueError:
        return np.array(floats(words), dtype=np.float64)
    # What is left that is no plain decimal is `nan`, `inf`, what overflows, and digits grouped by underscores.
    if not np.isfinite(values).all() or b"_" in b"".join(words):
        return np.array(floats(words), dtype=np.float64)
    return values


def whole_numbers(text: bytes) -> npt.NDArray[np.int64]:
    """(n,) The decimal integers in text that has white space between them.

    Raises:
        ValueError: a word is no integer, or one beyond 64 bits; its text is the message.
    """
    if len(text) >= _LEAST_OF_WHOLE_NUMBERS:
        found = [np.empty(0, dtype=np.int32)]
        for piece in _pieces(text, _PIECE):
            short = short_whole_numbers(piece)
            if short is None:
                break
            found.append(short)
        else:
            return np.concatenate(found, dtype=np.int64)
    values = small_whole_numbers(text)
    return integers(text.split()) if values is None else values


def small_whole_numbers(text: bytes) -> npt.NDArray[np.int64] | None:
    """(n,) The integers in text that has white space between them, or None if one may be a billion or more.

    It is also None where anything but digits, white space and minus signs before digits occurs.
    """
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


def _pieces(text: bytes, size: int) -> Iterator[bytes]:
    """A text in pieces of about so many bytes, none of which begins or ends within a word."""
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + size)
        stop = len(text) if space is None else space.start()
        yield text[start:stop]
        start = stop


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
        raise ValueError(shown(next(word for word in words if not _fits_64_bits(word)))) from None


def is_decimal(word: bytes) -> bool:
    """Whether a word is a finite decimal number."""
    try:
        floats([word])
    except ValueError:
        return False
    return True


def _is_float(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def is_whole_number(word: bytes) -> bool:
    """Whether a word is a decimal integer of 64 bits, as `integers` takes it."""
    try:
        integers([word])
    except ValueError:
        return False
    return True


def _fits_64_bits(word: bytes) -> bool:
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
