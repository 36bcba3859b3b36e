"""Wavefront OBJ: vertices and polygons; materials, normals and texture coordinates have no part in a solid."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.polygons import triangulated
from sdfinertia.mesh.text_numbers import floats, shown
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh

# Statements that put a curved surface into the file (Wavefront, Object Files, "Free-form curve/surface attributes",
# and the superseded patches of its version 2.11). Leaving them out would leave a hole, silently.
_FREE_FORM = frozenset((b"curv", b"curv2", b"surf", b"bzp", b"bsp", b"cdp"))
_ELSEWHERE = frozenset((b"call", b"csh"))

# Names that all parts together may bear: alternating `o` lines after one `g` line of many names would otherwise
# multiply a small file into gigabytes.
_MAX_NAMES = 5_000_000


def read_obj(data: bytes) -> TriangleMesh:
    """The polygons of an OBJ file, cut into triangles as fans; `o` and `g` name parts.

    Args:
        data: the file's bytes.

    Raises:
        MeshError: a line is not what its keyword asks for, an index points at no vertex, or there are free-form
            surfaces; the message names the line.
    """
    coordinates = array("d")
    corners = array("q")
    counts = array("q")
    lines = array("q")  # of each polygon, for errors found at the end
    starts: list[tuple[tuple[str, ...], int]] = []  # names, and the first polygon that bears them
    object_name: tuple[str, ...] = ()
    group_names: tuple[str, ...] = ()
    named = 0
    weighted = False

    for number, line in _logical_lines(data):
        words = line.split()
        if not words:
            continue
        keyword = words[0]
        if keyword == b"v":
            values = _vertex(words[1:], number)
            coordinates.extend(values[:3])
            weighted = weighted or (len(values) == 4 and values[3] != 1.0)
        elif keyword in (b"f", b"fo"):
            before = len(corners)
            corners.extend(_corners(words[1:], len(coordinates) // 3, number))
            counts.append(len(corners) - before)
            lines.append(number)
        elif keyword == b"o":
            object_name = tuple(_names(line)[:1])
            named += _start_part(starts, object_name + group_names, len(counts), named)
        elif keyword == b"g":
            group_names = tuple(dict.fromkeys(_names(line)))
            named += _start_part(starts, object_name + group_names, len(counts), named)
        elif keyword in _FREE_FORM:
            raise MeshError(
                f"line {number}: free-form surfaces ({keyword.decode()!r}) are not read",
                remedy="export the mesh as polygons",
            )
        elif keyword in _ELSEWHERE:
            raise MeshError(
                f"line {number}: {keyword.decode()!r} runs or reads what is not in the file; it is not followed"
            )

    vertices = np.array(coordinates, dtype=np.float64).reshape(-1, 3)
    polygons = np.array(counts, dtype=np.int64)
    flat = np.array(corners, dtype=np.int64)
    _check_range(flat, polygons, lines, len(vertices))
    notes = []
    if weighted:
        notes.append("the weights (w) of OBJ vertices are ignored")
    if (narrow := int((polygons < 3).sum())) > 0:
        notes.append(f"{narrow} OBJ faces with fewer than 3 corners are no surface and are left out")
    return TriangleMesh(vertices, triangulated(vertices, flat, polygons), _parts(starts, polygons), tuple(notes))


def _logical_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Line numbers and lines without comments, with lines that end in a backslash joined to the next."""
    pending: list[bytes] = []
    first = 1
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        if b"#" in line:
            line = _without_comment(line)
        if not pending:
            first = number
        if line.endswith(b"\\"):
            pending.append(line[:-1])
            continue
        if pending:
            line = b" ".join([*pending, line])
            pending = []
        yield first, line
    if pending:
        yield first, b" ".join(pending)


def _without_comment(line: bytes) -> bytes:
    """The line up to its comment; inside the names of objects and groups only a `#` after white space begins one."""
    if not line.lstrip().startswith((b"o ", b"g ", b"o\t", b"g\t")):
        return line.split(b"#", 1)[0]
    return line.replace(b"\t#", b" #").split(b" #", 1)[0]


def _vertex(words: list[bytes], line: int) -> list[float]:
    try:
        values = floats(words)
    except ValueError as error:
        raise MeshError(f"line {line}: a vertex needs decimal numbers, found {error}") from None
    # x y z, then nothing, a weight, a colour, or both.
    if not 3 <= len(values) <= 8:
        raise MeshError(f"line {line}: a vertex has 3 coordinates, found {len(values)} numbers")
    return values


def _corners(words: list[bytes], vertices: int, line: int) -> list[int]:
    if not words:
        raise MeshError(f"line {line}: a face without corners")
    corners = []
    for word in words:
        position, _, rest = word.partition(b"/")
        if rest:
            texture, _, normal = rest.partition(b"/")
            plain = _is_index(position) and (not texture or _is_index(texture)) and (not normal or _is_index(normal))
        else:
            plain = _is_index(position)
        if not plain:
            raise MeshError(
                f"line {line}: a corner of a face is v, v/vt, v//vn or v/vt/vn in whole numbers, found {shown(word)}"
            )
        index = int(position)
        # Indices count from 1; negative ones count back from the last vertex before this line.
        corners.append(index - 1 if index > 0 else vertices + index if index < 0 else -1)
        if corners[-1] < 0:
            raise MeshError(f"line {line}: vertex {index} does not exist")
    return corners


def _is_index(word: bytes) -> bool:
    # 18 digits fit into 64 bits.
    return (word[1:] if word[:1] in (b"-", b"+") else word).isdigit() and len(word) <= 18


def _names(line: bytes) -> list[str]:
    """The names on an `o` or `g` line: all of it as one name, as Gazebo takes it, then its words."""
    text = line.strip().decode("utf-8", "replace")[1:].strip()
    return [text, *text.split()] if text else []


def _start_part(starts: list[tuple[tuple[str, ...], int]], names: tuple[str, ...], polygon: int, named: int) -> int:
    """Adds a part that begins at `polygon`, and returns how many names it bears."""
    if named + len(names) > _MAX_NAMES:
        raise MeshError(f"its objects and groups bear more than {_MAX_NAMES} names")
    starts.append((names, polygon))
    return len(names)


def _check_range(
    corners: npt.NDArray[np.int64], counts: npt.NDArray[np.int64], lines: array[int], vertices: int
) -> None:
    beyond = np.flatnonzero(corners >= vertices)
    if len(beyond):
        polygon = int(np.searchsorted(np.cumsum(counts), beyond[0], side="right"))
        raise MeshError(
            f"line {lines[polygon]}: vertex {corners[beyond[0]] + 1} does not exist, the file has {vertices}"
        )


def _parts(starts: list[tuple[tuple[str, ...], int]], polygons: npt.NDArray[np.int64]) -> tuple[MeshPart, ...]:
    """The face ranges of the names, from the numbers of the polygons where each begins."""
    triangles = np.concatenate(([0], np.cumsum(np.maximum(polygons - 2, 0))))
    parts = []
    stops = [start for _, start in starts[1:]] + [len(polygons)] * bool(starts)
    for (names, start), stop in zip(starts, stops, strict=True):
        first, last = int(triangles[start]), int(triangles[stop])
        if names and last > first:
            parts.append(MeshPart(names, first, last))
    return tuple(parts)
