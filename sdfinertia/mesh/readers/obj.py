"""Wavefront OBJ: vertices and polygons; materials, normals and texture coordinates have no part in a solid."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.text_numbers import (
    TextLines,
    is_space,
    is_whole_number,
    positions,
    quoted,
    text_lines,
    whole_numbers,
    without_byte_order_mark,
)
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh, planarity_notes, triangulated

if TYPE_CHECKING:
    from sdfinertia.mesh.kernel import Flags, Indices

# Statements that put a curved surface into the file (Wavefront, Object Files, "Free-form curve/surface attributes",
# and the superseded patches of its version 2.11). Leaving them out would leave a hole, silently.
_FREE_FORM = frozenset((b"curv", b"curv2", b"surf", b"bzp", b"bsp", b"cdp"))
_ELSEWHERE = frozenset((b"call", b"csh"))

# Of a vertex: x y z, then nothing, a weight, a colour, or both; of colours not even the numbers matter: some are `nan`.
_MAX_NUMBERS = 8
_COMMENT = re.compile(rb"#[^\n]*")


def read_obj(data: bytes) -> TriangleMesh:
    """The polygons of an OBJ file, cut into triangles; `o` and `g` name parts."""
    data = without_byte_order_mark(data)
    if b"\\" in data:
        data = _joined(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    lines = text_lines(data)
    first, second = lines.first_characters(), lines.first_characters(1)
    is_alone = is_space(second) | (second == ord("#"))  # the first character is the keyword
    is_vertex = (first == ord("v")) & is_alone
    is_old = (first == ord("f")) & (second == ord("o")) & is_space(lines.first_characters(2))
    is_polygon = (first == ord("f")) & is_alone | is_old
    _refuse_free_form(lines, ~is_alone & np.isin(first, np.frombuffer(b"bcs", np.uint8)))

    vertices, weights = positions(_content(lines, is_vertex), _MAX_NUMBERS)
    rows = _content(lines, is_polygon)
    corners, counts = _corners(rows, np.cumsum(is_vertex)[is_polygon], len(vertices)), rows.words
    parts = _parts(lines, (first == ord("o")) | (first == ord("g")), is_polygon, counts)
    notes = []
    if (weights != 1.0).any():
        notes.append("the weights (w) of OBJ vertices are ignored")
    if (narrow := int((counts < 3).sum())) > 0:
        notes.append(f"{narrow} OBJ faces with fewer than 3 corners are left out")
    notes += planarity_notes("OBJ", vertices, corners, counts)
    return TriangleMesh(vertices, triangulated(vertices, corners, counts), parts, tuple(notes))


def _joined(data: bytes) -> bytes:
    """Lines that end in a backslash as one with the next, and empty lines in place of the others."""
    joined: list[bytes] = []
    group: list[bytes] = []
    for line in data.split(b"\n"):
        group.append(line)
        if not line.endswith(b"\\"):
            joined += _line_of(group)
            group = []
    return b"\n".join([*joined, *_line_of(group)])


def _line_of(group: list[bytes]) -> list[bytes]:
    # A backslash in a comment continues nothing.
    if len(group) < 2 or any(b"#" in line for line in group[:-1]):
        return group
    return [b" ".join(line.removesuffix(b"\\") for line in group), *[b""] * (len(group) - 1)]


def _refuse_free_form(lines: TextLines, are_suspect: Flags) -> None:
    for at in np.flatnonzero(are_suspect).tolist():
        words = without_comment(lines.line(at)).split()
        keyword = words[0] if words else b""
        if keyword in _FREE_FORM:
            raise MeshError(
                f"line {lines.numbers[at]}: free-form surfaces ({keyword.decode()!r}) are not read",
                remedy="export the mesh as polygons",
            )
        if keyword in _ELSEWHERE:
            raise MeshError(
                f"line {lines.numbers[at]}: {keyword.decode()!r} refers to another file or a command, which is not "
                "followed"
            )


def _content(lines: TextLines, which: Flags) -> TextLines:
    rows = lines.chosen(which)
    text = bytearray(rows.data)
    characters = np.frombuffer(text, dtype=np.uint8)
    if len(characters):
        old = rows.starts[rows.first_characters(1) == ord("o")] + 1
        characters[rows.starts] = characters[old] = ord(" ")
    content = bytes(text)
    if b"#" in content:
        return text_lines(_COMMENT.sub(b"", content))._replace(numbers=rows.numbers)
    return TextLines(content, rows.starts, rows.words - 1, rows.numbers)


def _corners(rows: TextLines, before: Indices, vertices: int) -> Indices:
    """(sum of words,) The vertex numbers, from 0, of polygons, before each of which there are so many vertices."""
    counts, numbers = rows.words, rows.numbers
    if len(empty := np.flatnonzero(counts < 1)):
        raise MeshError(f"line {numbers[empty[0]]}: a face without corners")
    indices = first_indices(rows)
    corners = indices - 1
    if len(indices) and int(indices.min()) <= 0:
        # Negative ones count back from the last vertex before their line.
        corners = np.where(indices > 0, corners, np.repeat(before, counts) + indices)
        if len(lost := np.flatnonzero((indices == 0) | (corners < 0))):
            line = np.repeat(numbers, counts)[lost[0]]
            raise MeshError(f"line {line}: vertex {indices[lost[0]]} does not exist")
    if len(corners) and int(corners.max()) >= vertices:
        beyond = int(np.flatnonzero(corners >= vertices)[0])
        line = np.repeat(numbers, counts)[beyond]
        raise MeshError(f"line {line}: vertex {corners[beyond] + 1} does not exist, the file has {vertices}")
    return corners


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
_SPACES = bytes.maketrans(b"\t\n\r\v\f", b"     ")


def first_indices(rows: TextLines) -> Indices:
    """(words,) The number of the vertex that each corner names, as it is written: from 1, or negative."""
    text = b" " + rows.data.translate(_SPACES)
    slashes = text.translate(None, b"0123456789+-")
    if slashes.strip(b"/ ") or b" /" in text or b"///" in slashes:
        raise _wrong_corner(rows)
    try:
        values = whole_numbers(text.replace(b"/", b" "))
    except ValueError:
        raise _wrong_corner(rows) from None
    characters = np.frombuffer(text, dtype=np.uint8)
    is_apart = (characters == ord(" ")) | (characters == ord("/"))
    before = characters[:-1][is_apart[:-1] & ~is_apart[1:]]  # each number
    return np.asarray(values[before == ord(" ")], dtype=np.int64)


def _wrong_corner(rows: TextLines) -> MeshError:
    for line, corners in zip(rows.numbers.tolist(), rows.data.splitlines(), strict=True):
        for word in corners.split():
            if not (_CORNER.fullmatch(word) and all(map(is_whole_number, filter(None, word.split(b"/"))))):
                what = f"a corner of a face is v, v/vt, v//vn or v/vt/vn in whole numbers, found {quoted(word)}"
                return MeshError(f"line {line}: {what}")
    raise AssertionError("corners that are wrong among all are wrong by themselves")
