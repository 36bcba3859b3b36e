"""OFF, the Object File Format of Geomview, in its text form.

The loader of trimesh is not used: it takes a file that ends within its faces, polygons that name fewer corners than
they count, `nan`, and homogeneous coordinates (4OFF) without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.polygons import triangulated
from sdfinertia.mesh.text_numbers import floats, integers
from sdfinertia.mesh.triangle_mesh import TriangleMesh

# Texture coordinates, colours and normals stand behind the position. Some files give the counts right behind OFF.
_KEYWORD = re.compile(rb"(?:ST)?C?N?OFF(?=[\s\d]|$)")


def read_off(data: bytes) -> TriangleMesh:
    """The polygons of an OFF file, cut into triangles as fans.

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
    corners: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = [np.empty(0, dtype=np.int64)]
    for _ in range(counts[1]):
        number, words = next(lines, (number, []))
        if not words:
            raise MeshError(f"the OFF header counts {counts[1]} faces, but the file ends after {len(lengths)}")
        face = _face(words, number, counts[0])
        lengths.append(len(face))
        corners.append(face)

    notes = ["OFF is read, which Gazebo does not read"]
    if (narrow := sum(length < 3 for length in lengths)) > 0:
        notes.append(f"{narrow} OFF faces with fewer than 3 corners are no surface and are left out")
    if next(lines, None) is not None:
        notes.append("what follows the last face that the OFF header counts is ignored")
    vertices = np.array(coordinates, dtype=np.float64).reshape(-1, 3)
    faces = triangulated(vertices, np.concatenate(corners), np.array(lengths, dtype=np.int64))
    return TriangleMesh(vertices, faces, (), tuple(notes))


def _lines(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """The words of every line that has any, without comments, and its number."""
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
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


def _face(words: list[bytes], line: int, vertices: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
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
