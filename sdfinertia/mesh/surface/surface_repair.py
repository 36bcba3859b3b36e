"""Triangle soup to a surface as nearly closed as repairs allow that change no shape; each repair is noted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import (
    Indices,
    Points,
    distinct_rows,
    lengths,
    longest_sides,
    normals,
    only_used,
)
from sdfinertia.mesh.surface.boundary_loops import with_t_junctions_closed
from sdfinertia.mesh.surface.duplicate_faces import single_sided, without_copies, without_duplicate_faces
from sdfinertia.mesh.surface.topology import (
    RepairedSurface,
    components,
    extent,
    noted,
    surface_of,
    without_repeated_vertex,
)

# Part of the bounding box's diagonal by which float32 coordinates of one place differ if computed in two ways.
NEAR = 1e-7
_PEELINGS = 8  # rounds of dropping flat faces at open edges: a strip of slivers goes from both ends
# Rounds of making a surface consistent: faces that were turned may be copies or reverses of others that stay. Each
# round leaves fewer faces or fewer open edges; of 7,000 meshes from fuzzing none took more than four.
_ROUNDS = 8


def repaired_surface(vertices: Points, faces: Indices) -> RepairedSurface:
    """The surface of the triangles, closed if repairs can close it, else with the fewest open edges.

    No repair opens a closed surface.
    """
    sound = without_repeated_vertex(faces)
    if len(sound):
        used, sound = only_used(vertices, sound)
        positions, welded = weld_equal(used, sound)
        if welded is not sound:
            positions, sound = only_used(positions, without_repeated_vertex(welded))
    if not len(sound):
        raise MeshError(
            "the mesh has no faces" if not len(faces) else "the mesh has only degenerate faces: it encloses no volume"
        )
    notes = noted((), len(faces) - len(sound), "degenerate face[s] dropped")
    with np.errstate(all="ignore"):
        surface = surface_of(positions, sound, notes)
        if surface.edges.is_manifold:
            return surface
        tolerance = NEAR * extent(surface.vertices)
        tried = []
        for start in _starts(surface, tolerance):
            for repaired in _repairs(start, tolerance):
                if not len(repaired.open_edges):
                    return repaired
                tried.append(repaired)
    return min(tried, key=lambda surface: len(surface.open_edges))


def _starts(surface: RepairedSurface, tolerance: float) -> Iterator[RepairedSurface]:
    near = _with_near_merged(surface, tolerance) if len(surface.open_edges) else surface
    yield near
    # For surfaces that merging near vertices opens, and that no repair of single patches closes.
    for other in (surface, without_copies(near)):
        if other is not near:
            yield other


def _repairs(surface: RepairedSurface, tolerance: float) -> Iterator[RepairedSurface]:
    # With coordinates at the ends of the range of floats no tolerance applies.
    consistent = _consistent(surface)
    yield consistent
    near = _with_near_merged(consistent, tolerance)
    flat = _without_flat_faces(consistent, tolerance)
    if near is not consistent:
        near = _consistent(near)
        yield near
        flat = _without_flat_faces(near, tolerance)
    yield flat
    closed = with_t_junctions_closed(flat, tolerance)
    if closed is not flat:
        yield _consistent(closed)


def _consistent(surface: RepairedSurface) -> RepairedSurface:
    """The surface without duplicates and double sides, with agreeing windings; repeated until nothing changes."""
    for _ in range(_ROUNDS):
        if surface.edges.is_manifold:
            break
        before = surface.faces
        surface = without_duplicate_faces(surface)
        if not surface.edges.is_manifold:
            surface = single_sided(surface)
        if np.array_equal(surface.faces, before):
            break
    return surface


def _without_flat_faces(surface: RepairedSurface, tolerance: float) -> RepairedSurface:
    """The surface without flat faces at open edges; others stay, since they close T-junctions."""
    peeled = surface
    for _ in range(_PEELINGS):
        at_open = peeled.faces_at_open_edges()
        used, at_open_faces = only_used(peeled.vertices, peeled.faces[at_open])
        used = used / tolerance
        flat = lengths(normals(used, at_open_faces)) <= longest_sides(used, at_open_faces)
        if not flat.any() or flat.sum() == len(peeled.faces):
            break
        kept = np.ones(len(peeled.faces), np.bool_)
        kept[at_open[flat]] = False
        peeled = peeled.subset(kept)
    count = len(surface.faces) - len(peeled.faces)
    if not count:
        return surface
    notes = noted(surface.notes, count, "face[s] without area dropped")
    return _consistent(surface_of(*only_used(peeled.vertices, peeled.faces), notes))


def _with_near_merged(surface: RepairedSurface, tolerance: float) -> RepairedSurface:
    is_end = np.zeros(len(surface.vertices), np.bool_)
    is_end[surface.edges.ends[surface.open_edges]] = True
    ends = np.flatnonzero(is_end)
    faces, merged = weld_near(surface.vertices, surface.faces, ends, tolerance)
    if not merged:
        return surface
    sound = without_repeated_vertex(faces)
    if not len(sound):
        return surface
    notes = noted(
        surface.notes,
        merged,
        f"vert[ex|ices] within {NEAR:g} of the bounding size of another merged with it",
    )
    notes = noted(notes, len(faces) - len(sound), "face[s] that this made degenerate dropped")
    return surface_of(*only_used(surface.vertices, sound), notes)


# Positive, with a sum of 1: so points differ no more along it than in that coordinate in which they do most.
_DIRECTION = np.array([0.4142135623730951, 0.3660254037844386, 0.2197610338424663])
_STEPS = 8  # neighbouring points that are distinguished; where there are more, cells are


def weld_equal(vertices: Points, faces: Indices) -> tuple[Points, Indices]:
    """The same triangles on vertices of which no two have equal coordinates (-0 equals 0)."""
    positions = np.ascontiguousarray(vertices) + 0.0  # -0 + 0 is 0, so equal numbers have equal bits
    first, number = distinct_rows(positions.view(np.uint64))
    if len(first) == len(vertices):
        return positions, faces
    return positions[first], number[faces]


def weld_near(vertices: Points, faces: Indices, candidates: Indices, tolerance: float) -> tuple[Indices, int]:
    """`(faces, merged)`: the faces with near candidates made one, and how many vertices have gone.

    Near: no coordinate differs by more than the tolerance; chains become their first. Points are sorted into cells as
    wide as the tolerance, joined where the boxes about their points are near, so work and memory do not grow when
    points crowd.

    Args:
        candidates: (k,) ascending numbers of the vertices that may be merged.
        tolerance: > 0, at least 1e-9 of their extent (so that cells fit their integers).
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
    """Whether candidates may be near; False is certain."""
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
    """Each pair of distinct cells (k, 3) that touch, once."""
    stride = cells.max() + 3  # so that a coordinate one below the least or above the greatest meets no other row
    columns, column = np.unique(cells[:, 0] * stride + cells[:, 1], return_inverse=True)
    keys = column.reshape(-1) * stride + cells[:, 2]
    order = np.argsort(keys)
    keys, cells = keys[order], cells[order]  # searches in nearly sorted order stay in the cache
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
