"""OFF, the Object File Format of Geomview, in its text form.

The loader of trimesh is not used: it takes a file that ends within its faces, polygons that name fewer corners than
they count, `nan`, and homogeneous coordinates (4OFF) without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.polygons import triangulated, unevenness
from sdfinertia.mesh.readers.text_lines import TextLines, text_lines, unmarked
from sdfinertia.mesh.readers.text_numbers import decimals, floats, integers, small_whole_numbers
from sdfinertia.mesh.triangle_mesh import TriangleMesh

# Texture coordinates, colours and normals stand behind the position. Some files give the counts right behind OFF.
_KEYWORD = re.compile(rb"(?:ST)?C?N?OFF(?=[\s\d]|$)")
# Of numbers and the white space between them; no comment.
_NUMBERS = b"0123456789+-.eE \t\n\r\v\f"


def read_off(data: bytes) -> TriangleMesh:
    """The polygons of an OFF file, cut into triangles.

    Args:
        data: the file's bytes.

    Raises:
        MeshError: another header, fewer vertices or faces than it counts, or a value that is no number, with its line.
    """
    lines = _lines(data)
    number, words = next(lines, (1, []))
    keyword = _KEYWORD.match(words[0]) if words else None
    if keyword is None:
        raise MeshError("does not begin with 'OFF'")
    words = [word for word in (words[0][keyword.end() :], *words[1:]) if word]
    if not words:
        number, words = next(lines, (number, []))
    counts = _counts(words, number)

    content = _regular_content(data, number, counts) or _content(lines, number, counts)
    notes = ["OFF is read, which Gazebo does not read"]
    if (narrow := int((content.lengths < 3).sum())) > 0:
        notes.append(f"{narrow} OFF faces with fewer than 3 corners are no surface and are left out")
    if content.has_more:
        notes.append("what follows the last face that the OFF header counts is ignored")
    if (uneven := unevenness(content.vertices, content.corners, content.lengths)) is not None:
        notes.append(uneven.note("OFF "))
    faces = triangulated(content.vertices, content.corners, content.lengths)
    return TriangleMesh(content.vertices, faces, (), tuple(notes))


class _Content(NamedTuple):
    """What follows the counts.

    Attributes:
        vertices: (n, 3) positions.
        corners: (sum of lengths,) vertex numbers of all faces, one after the other.
        lengths: (k,) number of corners of each face.
        has_more: whether something follows the last face.
    """

    vertices: npt.NDArray[np.float64]
    corners: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    has_more: bool


def _regular_content(data: bytes, header: int, counts: tuple[int, int]) -> _Content | None:
    """What follows a header of so many lines, read all vertices at once and then all faces at once.

    None if it holds anything but numbers, or is wrong: `_content` reads it then, or says where it is wrong.
    """
    lines = text_lines(unmarked(data))
    if header >= len(lines.starts) or lines.data[int(lines.starts[header]) :].translate(None, _NUMBERS):
        return None
    written = header + np.flatnonzero(lines.words[header:])
    vertices, faces = counts
    if len(written) < vertices + faces:
        return None
    points = _rows(lines, written[:vertices])
    polygons = _rows(lines, written[vertices : vertices + faces])
    try:
        values = decimals(points.text)
    except ValueError:
        return None
    indices = small_whole_numbers(polygons.text)
    if indices is None or (points.widths < 3).any():
        return None
    lengths = indices[polygons.starts]
    if ((lengths < 0) | (lengths >= polygons.widths)).any():
        return None
    within = np.arange(len(indices)) - np.repeat(polygons.starts, polygons.widths)
    corners = indices[(within > 0) & (within <= np.repeat(lengths, polygons.widths))]
    if len(corners) and not 0 <= int(corners.min()) <= int(corners.max()) < vertices:
        return None
    positions = values[points.starts.reshape(-1, 1) + np.arange(3)]
    return _Content(positions, corners, lengths, len(written) > vertices + faces)


class _Rows(NamedTuple):
    """Lines of numbers: their text, how many numbers each has, and which of all numbers is its first."""

    text: bytes
    widths: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]


def _rows(lines: TextLines, numbers: npt.NDArray[np.int64]) -> _Rows:
    chosen = np.zeros(len(lines.starts), dtype=np.bool_)
    chosen[numbers] = True
    widths = lines.words[numbers]
    return _Rows(lines.text(chosen), widths, np.cumsum(widths) - widths)


def _content(lines: Iterator[tuple[int, list[bytes]]], number: int, counts: tuple[int, int]) -> _Content:
    """What follows the header, line by line.

    Raises:
        MeshError: fewer vertices or faces than the header counts, or a value that is no number, with its line.
    """
    coordinates: list[list[float]] = []
    for _ in range(counts[0]):
        number, words = next(lines, (number, []))
        if not words:
            raise MeshError(f"the OFF header counts {counts[0]} vertices, but the file ends after {len(coordinates)}")
        try:
            coordinates.append(floats(words[:3]))
        except ValueError as error:
            raise MeshError(f"line {number}: a vertex needs decimal numbers, found {error}") from None
        if len(words) < 3:
            raise MeshError(f"line {number}: a vertex has 3 coordinates, found {len(words)} numbers")

    lengths: list[int] = []
    corners: list[npt.NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
    for _ in range(counts[1]):
        number, words = next(lines, (number, []))
        if not words:
            raise MeshError(f"the OFF header counts {counts[1]} faces, but the file ends after {len(lengths)}")
        face = _face(words, number, counts[0])
        lengths.append(len(face))
        corners.append(face)

    return _Content(
        np.array(coordinates, dtype=np.float64).reshape(-1, 3),
        np.concatenate(corners),
        np.array(lengths, dtype=np.int64),
        next(lines, None) is not None,
    )


def _lines(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """The words of every line that has any, without comments, and its number."""
    for number, line in enumerate(unmarked(data).splitlines(), start=1):
        words = line.split(b"#", 1)[0].split()
        if words:
            yield number, words


def _counts(words: list[bytes], line: int) -> tuple[int, int]:
    """Numbers of vertices and faces; the number of edges may follow and is of no use."""
    try:
        counts = integers(words)
    except ValueError as error:
        raise MeshError(f"line {line}: expected the numbers of vertices, faces and edges, found {error}") from None
    if not 2 <= len(counts) <= 3 or counts.min() < 0:
        raise MeshError(f"line {line}: expected the numbers of vertices, faces and edges")
    return int(counts[0]), int(counts[1])


def _face(words: list[bytes], line: int, vertices: int) -> npt.NDArray[np.int64]:
    """The corners of a face; what follows them is its colour."""
    try:
        length = int(integers(words[:1])[0])
        corners = integers(words[1 : 1 + max(length, 0)])
    except ValueError as error:
        raise MeshError(f"line {line}: a face needs whole numbers, found {error}") from None
    if length < 0 or len(corners) != length:
        raise MeshError(f"line {line}: a face of {length} corners names {len(corners)}")
    if length and not 0 <= int(corners.min()) <= int(corners.max()) < vertices:
        raise MeshError(f"line {line}: a face names a vertex that does not exist, there are {vertices}")
    return corners
