"""Wavefront OBJ: vertices and polygons; materials, normals and texture coordinates have no part in a solid."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Flags, Indices, ranges
from sdfinertia.mesh.readers.text_numbers import (
    TextLines,
    decimals,
    is_space,
    is_whole_number,
    shown,
    text_lines,
    whole_numbers,
    without_byte_order_mark,
    wrong_vertex,
)
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh, non_planarity, triangulated
from sdfinertia.named_tuple import NamedTuple

# Statements that put a curved surface into the file (Wavefront, Object Files, "Free-form curve/surface attributes",
# and the superseded patches of its version 2.11). Leaving them out would leave a hole, silently.
_FREE_FORM = frozenset((b"curv", b"curv2", b"surf", b"bzp", b"bsp", b"cdp"))
_ELSEWHERE = frozenset((b"call", b"csh"))

# Of a vertex: x y z, then nothing, a weight, a colour, or both; of colours not even the numbers matter: some are `nan`.
_MAX_NUMBERS = 8
_CONTINUES = re.compile(rb"\\(?:[\r\n]|\Z)")
_COMMENT = re.compile(rb"#[^\n]*")


class _Polygons(NamedTuple):
    """Corners (sum of counts,), vertex numbers from 0, and counts (k,)."""

    corners: Indices
    counts: Indices


def read_obj(data: bytes) -> TriangleMesh:
    """The polygons of an OBJ file, cut into triangles; `o` and `g` name parts.

    All at once: line by line takes ten times as long.
    """
    lines, numbers = _logical_lines(without_byte_order_mark(data))
    first, second = lines.first_characters(), lines.first_characters(1)
    is_alone = is_space(second) | (second == ord("#"))  # the first character is the keyword
    is_old = (first == ord("f")) & (second == ord("o")) & is_space(lines.first_characters(2))
    is_vertex = (first == ord("v")) & is_alone
    is_polygon = (first == ord("f")) & is_alone | is_old
    _refuse_free_form(lines, numbers, ~is_alone & np.isin(first, np.frombuffer(b"bcs", np.uint8)))

    vertices, has_weights = _vertices(_content(lines, is_vertex), numbers[is_vertex])
    before = np.cumsum(is_vertex)[is_polygon]
    polygons = _polygons(_content(lines, is_polygon), numbers[is_polygon], before, len(vertices))
    parts = _parts(lines, (first == ord("o")) | (first == ord("g")), is_polygon, polygons.counts)
    notes = []
    if has_weights:
        notes.append("the weights (w) of OBJ vertices are ignored")
    if (narrow := int((polygons.counts < 3).sum())) > 0:
        notes.append(f"{narrow} OBJ faces with fewer than 3 corners are left out")
    if (off_plane := non_planarity(vertices, *polygons)) is not None:
        notes.append(off_plane.note("OBJ "))
    return TriangleMesh(vertices, triangulated(vertices, *polygons), parts, tuple(notes))


def _logical_lines(data: bytes) -> tuple[TextLines, Indices]:
    """The lines, those that end in a backslash joined to the next, and the number in the file of each."""
    if _CONTINUES.search(data) is None:
        lines = text_lines(data)
        return lines, np.arange(1, len(lines.starts) + 1)
    joined: list[bytes] = []
    numbers: list[int] = []
    continues = False
    for number, line in enumerate(data.splitlines(), start=1):
        # A backslash in a comment continues nothing.
        line = without_comment(line)
        if continues:
            joined[-1] += b" " + line.removesuffix(b"\\")
        else:
            joined.append(line.removesuffix(b"\\"))
            numbers.append(number)
        continues = line.endswith(b"\\")
    return text_lines(b"\n".join([*joined, b""])), np.array(numbers, dtype=np.int64)


def _refuse_free_form(lines: TextLines, numbers: Indices, are_suspect: Flags) -> None:
    for at in np.flatnonzero(are_suspect).tolist():
        words = without_comment(lines.line(at)).split()
        keyword = words[0] if words else b""
        if keyword in _FREE_FORM:
            raise MeshError(
                f"line {numbers[at]}: free-form surfaces ({keyword.decode()!r}) are not read",
                remedy="export the mesh as polygons",
            )
        if keyword in _ELSEWHERE:
            raise MeshError(
                f"line {numbers[at]}: {keyword.decode()!r} refers to another file or a command, which is not followed"
            )


def _content(lines: TextLines, which: Flags) -> TextLines:
    """Some lines, with a space in place of the keyword, and without comments."""
    rows = lines.chosen(which)
    text = bytearray(rows.data)
    characters = np.frombuffer(text, dtype=np.uint8)
    if len(characters):
        old = rows.starts[rows.first_characters(1) == ord("o")] + 1
        characters[rows.starts] = characters[old] = ord(" ")
    content = bytes(text)
    if b"#" in content:
        content = _COMMENT.sub(b"", content)
        counted = text_lines(content)
        ends = np.flatnonzero(np.frombuffer(content, dtype=np.uint8) == ord("\n"))
        return TextLines(content, np.concatenate(([0], ends[:-1] + 1)), counted.words)
    return TextLines(content, rows.starts, rows.words - 1)


def _vertices(rows: TextLines, numbers: Indices) -> tuple[npt.NDArray[np.float64], bool]:
    """(n, 3) positions, and whether one has a weight that is not 1."""
    widths = rows.words
    if len(widths) and not 3 <= int(widths.min()) <= int(widths.max()) <= _MAX_NUMBERS:
        raise wrong_vertex(rows, numbers, _MAX_NUMBERS)
    kept = np.where(widths == 4, 4, 3)
    starts = np.cumsum(kept) - kept
    try:
        if (kept == widths).all():
            values = decimals(rows.data)
        else:
            values = decimals(rows.chosen_words(ranges(rows.first_words(), kept)))
    except ValueError:
        raise wrong_vertex(rows, numbers, _MAX_NUMBERS) from None
    if (kept == 3).all():
        return values.reshape(-1, 3), False
    has_weights = bool((values[starts[kept == 4] + 3] != 1.0).any())
    return values[starts.reshape(-1, 1) + np.arange(3)], has_weights


def _polygons(rows: TextLines, numbers: Indices, before: Indices, vertices: int) -> _Polygons:
    counts = rows.words
    if len(empty := np.flatnonzero(counts < 1)):
        raise MeshError(f"line {numbers[empty[0]]}: a face without corners")
    indices = first_indices(rows, numbers)
    corners = indices - 1
    if len(indices) and int(indices.min()) <= 0:
        # Negative ones count back from the last vertex before their line.
        corners = np.where(indices > 0, corners, np.repeat(before, counts) + indices)
        if len(lost := np.flatnonzero((indices == 0) | (corners < 0))):
            line = numbers[np.searchsorted(np.cumsum(counts), lost[0], side="right")]
            raise MeshError(f"line {line}: vertex {indices[lost[0]]} does not exist")
    if len(corners) and int(corners.max()) >= vertices:
        beyond = int(np.flatnonzero(corners >= vertices)[0])
        line = numbers[np.searchsorted(np.cumsum(counts), beyond, side="right")]
        raise MeshError(f"line {line}: vertex {corners[beyond] + 1} does not exist, the file has {vertices}")
    return _Polygons(corners, counts)


# Names that all parts together may have: alternating `o` lines after one `g` line of many names would otherwise
# multiply a small file into gigabytes.
_MAX_NAMES = 5_000_000


def _parts(lines: TextLines, are_names: Flags, is_polygon: Flags, counts: Indices) -> tuple[MeshPart, ...]:
    starts: list[tuple[tuple[str, ...], int]] = []
    own: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    total = 0
    named = np.flatnonzero(are_names)
    for number, polygon in zip(named.tolist(), np.cumsum(is_polygon)[named].tolist(), strict=True):
        line = without_comment(lines.line(number))
        keyword = line.split()[:1]
        if keyword == [b"o"]:
            own = tuple(_names(line)[:1])
        elif keyword == [b"g"]:
            groups = tuple(dict.fromkeys(_names(line)))
        else:
            continue
        starts.append((own + groups, polygon))
        total += len(own + groups)
        if total > _MAX_NAMES:
            raise MeshError(f"its objects and groups have more than {_MAX_NAMES} names")
    triangles = np.concatenate(([0], np.cumsum(np.maximum(counts - 2, 0))))
    parts = []
    stops = [start for _, start in starts[1:]] + [len(counts)] * bool(starts)
    for (names, start), stop in zip(starts, stops, strict=True):
        first, last = int(triangles[start]), int(triangles[stop])
        if names and last > first:
            parts.append(MeshPart(names, first, last))
    return tuple(parts)


def without_comment(line: bytes) -> bytes:
    """The line up to its comment; inside names of objects and groups only a `#` after white space begins one."""
    if not line.lstrip().startswith((b"o ", b"g ", b"o\t", b"g\t")):
        return line.split(b"#", 1)[0]
    return line.replace(b"\t#", b" #").split(b" #", 1)[0]


def _names(line: bytes) -> list[str]:
    """The names on an `o` or `g` line: all of it as one name, as Gazebo takes it, then its words."""
    text = line.strip().decode("utf-8", "replace")[1:].strip()
    return [text, *text.split()] if text else []


_CORNER = re.compile(rb"[-+]?\d+(?:/(?:[-+]?\d+)?){0,2}")
_DIGIT, _SIGN, _SLASH, _SPACE, _OTHER = range(5)
_KINDS = bytes(
    _DIGIT if chr(code) in "0123456789" else _SIGN if chr(code) in "+-" else _SLASH if chr(code) == "/" else
    _SPACE if chr(code) in " \t\n\r\v\f" else _OTHER
    for code in range(256)
)  # fmt: skip
# Which kinds may follow which; of the slashes of a corner, that there are no more than two is counted apart.
_FOLLOWERS = {
    _DIGIT: (_DIGIT, _SLASH, _SPACE),
    _SIGN: (_DIGIT,),
    _SLASH: (_DIGIT, _SIGN, _SLASH, _SPACE),
    _SPACE: (_DIGIT, _SIGN, _SPACE),
    _OTHER: (),
}


def first_indices(rows: TextLines, numbers: Indices) -> Indices:
    """(words,) The number of the vertex that each corner names, as it is written: from 1, or negative."""
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
        raise _wrong_corner(rows, numbers)
    try:
        values = whole_numbers(rows.data.replace(b"/", b" "))
    except ValueError:
        raise _wrong_corner(rows, numbers) from None
    if len(values) == len(starts):
        return values
    begins_number = np.zeros(len(kinds), np.bool_)
    begins_number[1:] = (kinds[1:] <= _SIGN) & (kinds[:-1] >= _SLASH)
    each = np.add.reduceat(begins_number, starts, dtype=np.int64)
    return np.asarray(values[np.cumsum(each) - each], dtype=np.int64)


def _wrong_corner(rows: TextLines, numbers: Indices) -> MeshError:
    for line, corners in zip(numbers.tolist(), rows.data.splitlines(), strict=True):
        for word in corners.split():
            if not (_CORNER.fullmatch(word) and all(map(is_whole_number, filter(None, word.split(b"/"))))):
                what = f"a corner of a face is v, v/vt, v//vn or v/vt/vn in whole numbers, found {shown(word)}"
                return MeshError(f"line {line}: {what}")
    raise AssertionError("corners that are wrong among all are wrong by themselves")
