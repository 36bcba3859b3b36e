"""Wavefront OBJ: vertices and polygons; materials, normals and texture coordinates have no part in a solid."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.obj_columns import regular_statements
from sdfinertia.mesh.readers.obj_statements import Statements, statements
from sdfinertia.mesh.readers.polygons import triangulated, unevenness
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh


def read_obj(data: bytes) -> TriangleMesh:
    """The polygons of an OBJ file, cut into triangles; `o` and `g` name parts.

    Args:
        data: the file's bytes.

    Raises:
        MeshError: a line is not what its keyword asks for, an index points at no vertex, or there are free-form
            surfaces; the message names the line.
    """
    stated = regular_statements(data) or statements(data)
    _check_range(stated)
    notes = []
    if stated.has_weights:
        notes.append("the weights (w) of OBJ vertices are ignored")
    if (narrow := int((stated.counts < 3).sum())) > 0:
        notes.append(f"{narrow} OBJ faces with fewer than 3 corners are no surface and are left out")
    if (uneven := unevenness(stated.vertices, stated.corners, stated.counts)) is not None:
        notes.append(uneven.note("OBJ "))
    faces = triangulated(stated.vertices, stated.corners, stated.counts)
    return TriangleMesh(stated.vertices, faces, _parts(stated.starts, stated.counts), tuple(notes))


def _check_range(stated: Statements) -> None:
    vertices = len(stated.vertices)
    if not len(stated.corners) or int(stated.corners.max()) < vertices:
        return
    beyond = int(np.flatnonzero(stated.corners >= vertices)[0])
    polygon = int(np.searchsorted(np.cumsum(stated.counts), beyond, side="right"))
    raise MeshError(
        f"line {stated.lines[polygon]}: vertex {stated.corners[beyond] + 1} does not exist, the file has {vertices}"
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
