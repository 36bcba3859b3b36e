"""Wavefront OBJ: vertices and polygons; materials, normals and texture coordinates have no part in a solid."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import NamedTuple

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Flags, Indices, Points, ranges
from sdfinertia.mesh.readers.text_numbers import (
    Characters,
    decimals,
    is_space,
    is_whole_number,
    quoted,
    whole_numbers,
)
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh, planarity_notes, triangulated

# Curved surfaces (Wavefront, Object Files, and patches of version 2.11) and other files: without them there is a hole.
_REFUSED = {
    **dict.fromkeys((b"curv", b"curv2", b"surf", b"bzp", b"bsp", b"cdp"), "free-form surfaces ({!r}) are not read"),
    **dict.fromkeys((b"call", b"csh"), "{!r} refers to another file or a command, which is not followed"),
}

# Of a vertex: x y z, then nothing, a weight, a colour, or both; of colours not even the numbers matter: some are `nan`.
_MAX_NUMBERS = 8
_INDENTATION, _COMMENT = rb"(?m)^[ \t\v\f]+", rb"#[^\n]*"
# A backslash in a comment continues nothing.
_CONTINUED = rb"(?m)^(?:[^#\n]*\\\n)+[^\n]*"


def read_obj(data: bytes) -> TriangleMesh:
    """The polygons of an OBJ file, cut into triangles; `o` and `g` name parts."""
    data = data.removeprefix(BOM_UTF8)
    if b"\\" in data:
        data = re.sub(_CONTINUED, _joined, data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    lines = _lines_of(data)
    first, second = lines.first_characters(), lines.first_characters(1)
    is_alone = is_space(second) | (second == ord("#"))  # the first character is the keyword
    is_vertex = (first == ord("v")) & is_alone
    is_old = (first == ord("f")) & (second == ord("o")) & is_space(lines.first_characters(2))
    is_polygon = (first == ord("f")) & is_alone | is_old
    _refuse_free_form(lines, ~is_alone & np.isin(first, np.frombuffer(b"bcs", np.uint8)))

    vertices, weights = _positions(_content(lines, is_vertex))
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


def _joined(continued: re.Match[bytes]) -> bytes:
    """Lines as one, and empty lines in place of the others, so that all keep their numbers."""
    return continued[0].replace(b"\\\n", b" ") + b"\n" * continued[0].count(b"\\\n")


def _refuse_free_form(lines: _Lines, are_suspect: Flags) -> None:
    for at in np.flatnonzero(are_suspect).tolist():
        keyword = (without_comment(lines.line(at)).split() or [b""])[0]
        if keyword in _REFUSED:
            problem = _REFUSED[keyword].format(keyword.decode())
            raise MeshError(f"line {lines.numbers[at]}: {problem}", remedy="export the mesh as polygons")


def _content(lines: _Lines, which: Flags) -> _Lines:
    rows = lines.chosen(which)
    text = bytearray(rows.data)
    characters = np.frombuffer(text, dtype=np.uint8)
    if len(characters):
        old = rows.starts[rows.first_characters(1) == ord("o")] + 1
        characters[rows.starts] = characters[old] = ord(" ")
    content = bytes(text)
    if b"#" in content:
        return _lines_of(re.sub(_COMMENT, b"", content))._replace(numbers=rows.numbers)
    return _Lines(content, rows.starts, rows.words - 1, rows.numbers)


# Lines ----------------------------------------------------------------------------------------------------------------


class _Lines(NamedTuple):
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

    def chosen(self, which: Flags) -> _Lines:
        edges = np.flatnonzero(np.diff(which, prepend=False, append=False))
        firsts, lasts = edges[0::2].tolist(), (edges[1::2] - 1).tolist()
        runs = [(int(self.starts[first]), self._stop(last)) for first, last in zip(firsts, lasts, strict=True)]
        sizes = np.diff(self.starts, append=len(self.data))[which]
        text = b"".join([self.data[start:stop] for start, stop in runs])
        return _Lines(text, np.cumsum(sizes) - sizes, self.words[which], self.numbers[which])

    def _stop(self, number: int) -> int:
        return int(self.starts[number + 1]) if number + 1 < len(self.starts) else len(self.data)


def _lines_of(data: bytes) -> _Lines:
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
        return _lines_of(re.sub(_INDENTATION, b"", data))
    return _Lines(data, starts, words, np.arange(1, len(starts) + 1))


def _positions(rows: _Lines) -> tuple[Points, Points]:
    """`(positions, weights)`, (n, 3) and (w,), of lines of vertices."""
    widths = rows.words
    is_weighted = widths == 4
    kept = 3 + is_weighted
    starts = np.cumsum(kept) - kept
    if (widths < 3).any() or (widths > _MAX_NUMBERS).any():
        raise _wrong_vertex(rows)
    try:
        text = rows.data
        if (kept != widths).any():
            words = rows.data.split()
            text = b" ".join([words[place] for place in ranges(np.cumsum(widths) - widths, kept).tolist()])
        values = decimals(text)
    except ValueError:
        raise _wrong_vertex(rows) from None
    weights = values[starts[is_weighted] + 3]
    if not len(weights):
        return values.reshape(-1, 3), weights
    return values[starts.reshape(-1, 1) + np.arange(3)], weights


def _wrong_vertex(rows: _Lines) -> MeshError:
    for number, line in zip(rows.numbers.tolist(), rows.data.splitlines(), strict=True):
        words = line.split()
        try:
            decimals(b" ".join(words[: 4 if len(words) == 4 else 3]))
        except ValueError as error:
            return MeshError(f"line {number}: a vertex needs decimal numbers, found {error}")
        if not 3 <= len(words) <= _MAX_NUMBERS:
            return MeshError(f"line {number}: a vertex has 3 coordinates, found {len(words)} numbers")
    raise AssertionError("a vertex that is wrong among all is wrong by itself")


# Polygons -------------------------------------------------------------------------------------------------------------


def _corners(rows: _Lines, before: Indices, vertices: int) -> Indices:
    """(sum of words,) The vertex numbers, from 0, of polygons, before each of which there are so many vertices."""
    counts, numbers = rows.words, rows.numbers
    if len(empty := np.flatnonzero(counts < 1)):
        raise MeshError(f"line {numbers[empty[0]]}: a face without corners")
    indices = _first_indices(rows)
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


# Of all parts together: `o` lines after one `g` line of many names multiply a small file into gigabytes.
_MAX_NAMES = 5_000_000


def _parts(lines: _Lines, are_names: Flags, is_polygon: Flags, counts: Indices) -> tuple[MeshPart, ...]:
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


_CORNER = rb"[-+]?\d+(?:/(?:[-+]?\d+)?){0,2}"
_SPACES = bytes.maketrans(b"\t\n\r\v\f", b"     ")


def _first_indices(rows: _Lines) -> Indices:
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


def _wrong_corner(rows: _Lines) -> MeshError:
    for line, corners in zip(rows.numbers.tolist(), rows.data.splitlines(), strict=True):
        for word in corners.split():
            if not (re.fullmatch(_CORNER, word) and all(map(is_whole_number, filter(None, word.split(b"/"))))):
                what = f"a corner of a face is v, v/vt, v//vn or v/vt/vn in whole numbers, found {quoted(word)}"
                return MeshError(f"line {line}: {what}")
    raise AssertionError("corners that are wrong among all are wrong by themselves")
