"""A coarser mesh for display: vertices of one cell of a grid become one (Rossignac and Borrel 1993)."""

from __future__ import annotations

from math import ceil, sqrt
from typing import NamedTuple

import numpy as np

from sdfinertia.mesh.kernel import Indices, Points, lengths, normals, on_used_rows

# Cells along the longest side of the box round the mesh; finer ones are no longer seen in a picture.
_FINEST = 512.0
# A plane that is turned in any way goes through 1.5 cells for each square of their side, on the average (its area over
# that of its three projections), and a surface has two triangles for each vertex.
_TRIANGLES_OF_A_SQUARE = 3.0
# Factor to the next grid where one leaves too many triangles, and the part of the limit below which it is finer.
_COARSER = (0.8, 0.97)
_FEW, _FINER = 0.4, 1.5
# Least extent, as divisor for points at one place.
_MIN_EXTENT = 1e-300
# Three numbers below this fit one integer of 63 bits.
_MAX_IN_ONE_NUMBER = 1 << 21


class Coarse(NamedTuple):
    """Vertices (k, 3), faces (j, 3), and which faces of the mesh these were, (j,) ascending."""

    vertices: Points
    faces: Indices
    kept: Indices


def clustered(vertices: Points, faces: Indices, limit: int) -> Coarse:
    """A mesh of at most so many triangles that looks the same; it need not be closed."""
    if len(faces) <= limit:
        points, numbers = np.unique(vertices[faces.reshape(-1)], axis=0, return_inverse=True)
        merged = np.asarray(numbers, dtype=np.int64).reshape(-1, 3)
        kept = _without_collapsed(merged)
        return Coarse(points, merged[kept], kept)
    used, faces = on_used_rows(faces, len(vertices))
    if len(used) < len(vertices):
        vertices = vertices[used]
    # In a unit, a power of two, in which sums and quotients of the greatest and the least floats are floats.
    unit = int(np.frexp(np.abs(vertices).max())[1])
    columns = np.ldexp(np.ascontiguousarray(vertices.T), -unit)
    columns -= (low := columns.min(axis=1))[:, None]
    of_point, count, kept = _finest_within(columns, faces, limit)
    weights = np.bincount(of_point, minlength=count)
    means = np.stack([np.bincount(of_point, column, count) / weights for column in columns], axis=1)
    return Coarse(np.ldexp(means + low, unit), of_point[faces[kept]], kept)


def _finest_within(columns: Points, faces: Indices, limit: int) -> tuple[Indices, int, Indices]:
    """The cell of each point (3, n), how many cells there are, and the faces that are left."""
    extent = float(columns.max())
    area = 0.5 * float(lengths(normals(columns.T, faces)).sum())
    # Along the longest side; all are small numbers, so that a quotient by nothing is the finest grid.
    cells = min(_FINEST, extent * sqrt(limit / (_TRIANGLES_OF_A_SQUARE * area))) if area > 0.0 else _FINEST
    found: tuple[Indices, int, Indices] | None = None
    while True:
        of_point, count = _cells_of(columns, cells, extent)
        kept = _without_collapsed(of_point[faces])
        if len(kept) > limit:
            if found is not None:
                return found
            low, high = _COARSER
            cells *= min(max(sqrt(limit / len(kept)), low), high)
        elif len(kept) >= _FEW * limit or cells >= _FINEST or (found is not None and len(kept) < len(found[2])):
            return of_point, count, kept
        else:
            found = of_point, count, kept
            cells = min(cells * _FINER, _FINEST)


def _cells_of(columns: Points, cells: float, extent: float) -> tuple[Indices, int]:
    """The number of the cell of each point, and how many cells are in use."""
    side = ceil(cells)
    # The cell of a point on the upper side is the last one, not one beyond; below zero there is none.
    x, y, z = np.minimum((columns * (cells / max(extent, _MIN_EXTENT))).astype(np.int64), side - 1)
    keys, of_point = np.unique((x * side + y) * side + z, return_inverse=True)
    return np.asarray(of_point, dtype=np.int64).reshape(-1), len(keys)


def _without_collapsed(faces: Indices) -> Indices:
    """Which faces have three corners that differ, each once, ascending."""
    a, b, c = faces.T
    proper = np.flatnonzero((a != b) & (b != c) & (c != a))
    corners = np.sort(faces[proper], axis=1)
    if not len(corners) or corners.max() >= _MAX_IN_ONE_NUMBER:
        _, first = np.unique(corners, axis=0, return_index=True)
    else:
        low, middle, high = corners.T
        count = corners.max() + 1
        _, first = np.unique((low * count + middle) * count + high, return_index=True)
    return np.asarray(proper[np.sort(first)], dtype=np.int64)
