"""Which vertices are one: equal positions, and positions nearer to each other than a tolerance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.arrays.distinct_rows import Rows, distinct_rows, row_hashes
from sdfinertia.mesh.arrays.hash_places import Bits
from sdfinertia.mesh.surface.topology import components

Indices = npt.NDArray[np.int64]
Points = npt.NDArray[np.float64]

# Positive, with a sum of 1: so points differ no more along it than in that coordinate in which they do most.
_DIRECTION = np.array([0.4142135623730951, 0.3660254037844386, 0.2197610338424663])
_STEPS = 8  # points side by side that are told apart; where more lie, cells are looked at


def weld_equal(
    vertices: Points, faces: Indices, hash_rows: Callable[[Rows], Bits] = row_hashes
) -> tuple[Points, Indices]:
    """The same triangles on vertices of which no two have equal coordinates (-0 equals 0).

    Args:
        vertices: (n, 3), any unit.
        faces: (m, 3).
        hash_rows: see `distinct_rows`.
    """
    positions = np.ascontiguousarray(vertices) + 0.0  # -0 + 0 is 0, so equal numbers have equal bits
    first, number = distinct_rows(positions.view(np.uint64), hash_rows)
    if len(first) == len(vertices):
        return positions, faces
    return positions[first], number[faces]


def weld_near(vertices: Points, faces: Indices, candidates: Indices, tolerance: float) -> tuple[Indices, int]:
    """`(faces, merged)`: the faces with near candidates made one, and how many vertices have gone.

    Two candidates are near when no coordinate differs by more than the tolerance; chains of near ones become one,
    which stands where the first of them stood. The points are sorted into cells as wide as the tolerance; those of
    one cell are near, and cells side by side are joined where the boxes about their points are near, so work and
    memory do not grow when millions of points crowd in one place.

    Args:
        vertices: (n, 3).
        faces: (m, 3).
        candidates: (k,) ascending numbers of the vertices that may be merged.
        tolerance: in the unit of the vertices, > 0, at least 1e-9 of their extent (so that cells fit their integers).
    """
    points = vertices[candidates]
    shifted = points - points.min(axis=0)
    # Points of cells side by side differ by less than two tolerances in each coordinate, and by rounding.
    if not _any_near(shifted, 3.0 * tolerance):
        return faces, 0
    cells = np.floor(shifted / tolerance).astype(np.int64)
    first, cell = distinct_rows(cells.view(np.uint64))
    by_cell = np.argsort(cell, kind="stable")
    starts = np.searchsorted(cell[by_cell], np.arange(len(first)))
    low = np.minimum.reduceat(points[by_cell], starts)
    high = np.maximum.reduceat(points[by_cell], starts)

    u, v = _adjacent_cells(cells[first])
    gap = np.maximum(low[u] - high[v], low[v] - high[u]).max(axis=1, initial=0.0)
    near = gap <= tolerance
    cluster = components(len(first), u[near], v[near])[cell]

    leader = np.full(cluster.max() + 1, len(vertices))
    np.minimum.at(leader, cluster, candidates)
    replaced = np.arange(len(vertices))
    replaced[candidates] = leader[cluster]
    return replaced[faces], len(candidates) - len(leader)


def _any_near(points: Points, tolerance: float) -> bool:
    """Whether two points (k, 3) may differ by no more than the tolerance in each coordinate; False is certain.

    Along a direction that no modeller chose, few points that are apart lie side by side.
    """
    along = points @ _DIRECTION
    order = np.argsort(along)
    along = along[order]
    for step in range(1, min(len(points), _STEPS)):
        beside = np.flatnonzero(along[step:] - along[:-step] <= tolerance)
        if not len(beside):
            return False
        apart = points[order[beside + step]] - points[order[beside]]
        if (np.abs(apart).max(axis=1) <= tolerance).any():
            return True
    return len(points) > 1


def _adjacent_cells(cells: Indices) -> tuple[Indices, Indices]:
    """Each pair of distinct cells (k, 3) that touch at a face, an edge or a corner, once."""
    stride = cells.max() + 3  # so that a coordinate one below the least or above the greatest meets no other row
    columns, column = np.unique(cells[:, 0] * stride + cells[:, 1], return_inverse=True)
    keys = column.reshape(-1) * stride + cells[:, 2]
    order = np.argsort(keys)
    keys, cells = keys[order], cells[order]  # searches in nearly the order of what is searched stay in the cache
    pairs = []
    for dx, dy in ((0, 0), (0, 1), (1, -1), (1, 0), (1, 1)):  # with dz below: 13 of the 26 neighbours, one of each pair
        beside = (cells[:, 0] + dx) * stride + cells[:, 1] + dy
        at = np.minimum(np.searchsorted(columns, beside), len(columns) - 1)
        here = np.flatnonzero(columns[at] == beside)
        for dz in (1,) if (dx, dy) == (0, 0) else (-1, 0, 1):
            wanted = at[here] * stride + cells[here, 2] + dz
            place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            found = keys[place] == wanted
            pairs.append((order[here[found]], order[place[found]]))
    return np.concatenate([u for u, _ in pairs]), np.concatenate([v for _, v in pairs])
