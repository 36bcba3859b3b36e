"""Which vertices are one: equal positions, and positions nearer to each other than a tolerance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.topology import components

Bits = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.int64]
Points = npt.NDArray[np.float64]


def mixed_bits(words: Bits) -> Bits:
    """The 64-bit words with every input bit spread over all output bits: a bijection.

    Args:
        words: any shape; they are left as they are.

    Source: the finaliser of SplitMix64 (Steele, Lea and Flood 2014, with the constants of Stafford's variant 13).
    """
    mixed: Bits = words ^ (words >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def row_hashes(rows: Bits) -> Bits:
    """One 64-bit hash per row; the columns enter in order, so that rows with exchanged columns differ.

    Args:
        rows: (n, 3).
    """
    hashes = mixed_bits(rows[:, 0] + np.uint64(0x9E3779B97F4A7C15))  # SplitMix64's increment: 2^64 / golden ratio
    for column in (1, 2):
        hashes += rows[:, column]
        hashes = mixed_bits(hashes)
    return hashes


def distinct_rows(rows: Bits, hash_rows: Callable[[Bits], Bits] = row_hashes) -> tuple[Indices, Indices]:
    """`(first, number)`: where each distinct row first stands, (k,) ascending, and the number of each row's, (n,).

    The hash only brings equal rows together; that neighbours are equal is verified, and where two different rows
    have one hash the rows themselves are sorted, so the result never depends on the hash.

    Args:
        rows: (n, 3).
        hash_rows: gives (n,) hashes of them.
    """
    if not len(rows):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    hashes = hash_rows(rows)
    order = np.argsort(hashes)
    hashes = hashes[order]
    differs = hashes[1:] != hashes[:-1]
    del hashes
    if not differs.all() and _any_differs(rows, order, ~differs):
        order = np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))
        differs = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    starts = np.concatenate(([0], np.flatnonzero(differs) + 1))
    if len(starts) == len(rows):
        everything = np.arange(len(rows))
        return everything, everything
    # Numbered by first appearance: neighbours in the file stay neighbours in memory, and no sort's ties show through.
    first = np.minimum.reduceat(order, starts)
    by_appearance = np.argsort(first)
    renumbered = np.empty_like(by_appearance)
    renumbered[by_appearance] = np.arange(len(first))
    number = np.empty_like(order)
    number[order] = np.repeat(renumbered, np.diff(starts, append=len(rows)))
    return first[by_appearance], number


def weld_equal(
    vertices: Points, faces: Indices, hash_rows: Callable[[Bits], Bits] = row_hashes
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
    cells = np.floor((points - points.min(axis=0)) / tolerance).astype(np.int64)
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


def _any_differs(rows: Bits, order: Indices, alike: npt.NDArray[np.bool_]) -> bool:
    """Whether any row differs from the next in the order, where `alike` says that their hashes do not."""
    for column in range(3):
        ordered = rows[order, column]
        if (ordered[1:] != ordered[:-1])[alike].any():
            return True
    return False
