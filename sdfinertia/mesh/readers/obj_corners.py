"""The corners of an OBJ file's faces: v, v/vt, v//vn and v/vt/vn, all of them read at once."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.text_lines import TextLines
from sdfinertia.mesh.readers.text_numbers import is_whole_number, shown, whole_numbers

Integers = npt.NDArray[np.int64]

_DIGIT, _SIGN, _SLASH, _SPACE, _OTHER = range(5)
_KINDS = bytes(
    _DIGIT if chr(code) in "0123456789" else _SIGN if chr(code) in "+-" else _SLASH if chr(code) == "/" else
    _SPACE if chr(code) in " \t\n\r\v\f" else _OTHER
    for code in range(256)
)  # fmt: skip
_LONG = re.compile(rb"[-+]?\d{18,}")
# Which kinds may follow which; of the slashes of a corner, that there are no more than two is counted apart.
_FOLLOWERS = {
    _DIGIT: (_DIGIT, _SLASH, _SPACE),
    _SIGN: (_DIGIT,),
    _SLASH: (_DIGIT, _SIGN, _SLASH, _SPACE),
    _SPACE: (_DIGIT, _SIGN, _SPACE),
    _OTHER: (),
}


def first_indices(rows: TextLines, numbers: Integers) -> Integers:
    """(words,) The number of the vertex that each corner names, as it is written: from 1, or negative.

    Args:
        rows: the corners of each face, after a space each.
        numbers: (k,) the line of the file that each face stands in.

    Raises:
        MeshError: a corner is in no form that OBJ has; the message names the line.
    """
    kinds = np.frombuffer(rows.data.translate(_KINDS), dtype=np.uint8)
    starts = np.flatnonzero((kinds[:-1] == _SPACE) & (kinds[1:] != _SPACE)) + 1
    if not len(starts):
        return np.empty(0, dtype=np.int64)
    may_follow = np.zeros(len(_FOLLOWERS) ** 2, np.bool_)
    for before, after in _FOLLOWERS.items():
        may_follow[[len(_FOLLOWERS) * before + each for each in after]] = True
    fits = may_follow[kinds[:-1] * np.uint8(len(_FOLLOWERS)) + kinds[1:]]
    slashes = np.add.reduceat(kinds == _SLASH, starts, dtype=np.int64)
    if not fits.all() or int(slashes.max()) > 2:
        # The first character that does not fit, or the first of the word that has too many.
        ends = [*(np.flatnonzero(~fits)[:1] + 1).tolist(), *starts[slashes > 2][:1].tolist()]
        raise _wrong(rows, numbers, starts, min(ends))
    try:
        values = whole_numbers(rows.data.replace(b"/", b" "))
    except ValueError:
        # What has the form of a number and is none of 64 bits.
        long = (match for match in _LONG.finditer(rows.data) if not is_whole_number(match.group()))
        raise _wrong(rows, numbers, starts, next(long).start()) from None
    if len(values) == len(starts):
        return values
    begins_number = np.zeros(len(kinds), np.bool_)
    begins_number[1:] = (kinds[1:] <= _SIGN) & (kinds[:-1] >= _SLASH)
    each = np.add.reduceat(begins_number, starts, dtype=np.int64)
    return np.asarray(values[np.cumsum(each) - each], dtype=np.int64)


def _wrong(rows: TextLines, numbers: Integers, starts: Integers, place: int) -> MeshError:
    """The error that the word (of those that begin at `starts`) in which some character is has no form of a corner."""
    line = numbers[np.searchsorted(rows.starts, place, side="right") - 1]
    start = int(starts[np.searchsorted(starts, place, side="right") - 1])
    word = rows.data[start : rows.data.index(b"\n", start)].split()[0]
    return MeshError(
        f"line {line}: a corner of a face is v, v/vt, v//vn or v/vt/vn in whole numbers, found {shown(word)}"
    )
