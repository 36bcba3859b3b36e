"""A coarser mesh for looking at: vertices of one cell of a grid become one (Rossignac and Borrel 1993)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

# Cells along the longest side of the box round the mesh, at first; finer ones are no longer seen in a picture.
_FINEST = 512
_COARSER = 0.8
# Three numbers below this are told apart by one of 63 bits.
_MOST_IN_ONE_NUMBER = 1 << 21


def clustered(vertices: Points, faces: Indices, limit: int) -> tuple[Points, Indices]:
    """A mesh of at most so many triangles that looks the same; one that has no more keeps its shape to the bit.

    Equal positions are merged and what nothing uses is dropped in any case. The result is for the eye: it need not be
    closed, so no volume is to be taken of it.

    Args:
        vertices: (n, 3) positions.
        faces: (m, 3) rows of `vertices`.
        limit: of triangles.
    """
    points, numbers = np.unique(vertices[faces.reshape(-1)], axis=0, return_inverse=True)
    kept = _without_collapsed(np.asarray(numbers, dtype=np.int64).reshape(-1, 3))
    if len(kept) <= limit or not len(points):
        return points, kept
    # In a unit, a power of two, in which sums and quotients of the greatest and the least floats are floats.
    unit = int(np.frexp(np.abs(points).max())[1])
    points = np.ldexp(points, -unit)
    low = points.min(axis=0)
    extent = float((points.max(axis=0) - low).max())
    cells = float(_FINEST)
    while True:
        # The cell of a vertex on the upper side is the last one, not one beyond.
        side = int(np.ceil(cells))
        x, y, z = np.minimum(np.floor((points - low) * (cells / extent)), side - 1.0).astype(np.int64).T
        # As one number each, in the same order: sorting rows takes ten times as long.
        _, of_point = np.unique((x * side + y) * side + z, return_inverse=True)
        of_point = np.asarray(of_point, dtype=np.int64).reshape(-1)
        coarse = _without_collapsed(of_point[kept])
        if len(coarse) <= limit:
            return np.ldexp(_means(points, of_point), unit), coarse
        cells *= _COARSER


def _without_collapsed(faces: Indices) -> Indices:
    """The faces with three corners that differ, each once, in their order."""
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    corners = np.sort(faces, axis=1)
    if not len(corners) or corners.max() >= _MOST_IN_ONE_NUMBER:
        _, first = np.unique(corners, axis=0, return_index=True)
    else:
        low, middle, high = corners.T
        count = corners.max() + 1
        _, first = np.unique((low * count + middle) * count + high, return_index=True)
    return faces[np.sort(first)]


def _means(points: Points, of_point: Indices) -> Points:
    """The mean of the points of each cell."""
    counts = np.bincount(of_point)
    return np.stack([np.bincount(of_point, weights=column) / counts for column in points.T], axis=1)
