"""Triangle soup to a surface as nearly closed as repairs allow that change no shape; each repair is noted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.mesh.boundary_loops import with_t_junctions_closed
from sdfinertia.mesh.kernel import (
    Flags,
    Indices,
    Points,
    are_flat,
    distinct_rows,
    earlier_equals,
    only_used,
    rotated,
    surface_area,
)
from sdfinertia.mesh.topology import (
    RepairedSurface,
    body_of_each_face,
    components,
    connected_parts,
    disagreeing_faces,
    edges_of,
    extent,
    noted,
    signed_volumes,
    surface_as_listed,
    surface_of,
    without_repeated_vertex,
)

# Part of the bounding box's diagonal by which float32 coordinates of one place differ if computed in two ways.
NEAR = 1e-7
_PEELINGS = 8  # rounds of dropping flat faces at open edges: a strip of slivers goes from both ends
# Faces that were turned may be copies of others: of 7,000 meshes from fuzzing none took more than four rounds.
_ROUNDS = 8


def repaired_surface(vertices: Points, faces: Indices) -> RepairedSurface:
    listed = surface_as_listed(*weld_equal(*only_used(vertices, faces)))
    return listed if listed.edges.is_manifold else repaired(listed)


def repaired(surface: RepairedSurface) -> RepairedSurface:
    """Closed if repairs can close it, else with the fewest open edges."""
    with np.errstate(all="ignore"):
        tolerance = NEAR * extent(surface.vertices)
        near = _with_near_merged(surface, tolerance) if len(surface.open_edges) else surface
        tried = []
        # Merging near vertices opens some surfaces.
        for start in (near, surface) if len(near.open_edges) > len(surface.open_edges) else (near,):
            for repaired in _repairs(start, tolerance, is_apart=near is surface):
                if not len(repaired.open_edges):
                    return repaired
                tried.append(repaired)
    return min(tried, key=lambda surface: len(surface.open_edges))


def _repairs(surface: RepairedSurface, tolerance: float, *, is_apart: bool) -> Iterator[RepairedSurface]:
    # With coordinates at the ends of the range of floats no tolerance applies.
    consistent = _consistent(surface)
    yield consistent
    near = consistent if is_apart and consistent is surface else _with_near_merged(consistent, tolerance)
    if near is not consistent:
        near = _consistent(near)
        yield near
    flat = _without_flat_faces(near, tolerance)
    if flat is not near:
        yield flat
    closed = with_t_junctions_closed(flat, tolerance)
    if closed is not flat:
        yield _consistent(closed)


def _consistent(surface: RepairedSurface) -> RepairedSurface:
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
        flat = are_flat(*only_used(peeled.vertices, peeled.faces[at_open]), tolerance)
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
        surface.notes, merged, f"vert[ex|ices] within {NEAR:g} of the bounding size of another merged with it"
    )
    notes = noted(notes, len(faces) - len(sound), "face[s] that this made degenerate dropped")
    return surface_of(*only_used(surface.vertices, sound), notes)


# Positive, with a sum of 1: so points differ no more along it than in that coordinate in which they do most.
_DIRECTION = (0.4142135623730951, 0.3660254037844386, 0.2197610338424663)
_STEPS = 8  # neighbouring points that are distinguished; where there are more, cells are


def weld_equal(vertices: Points, faces: Indices) -> tuple[Points, Indices]:
    """The same triangles on vertices of which no two have equal coordinates (-0 equals 0)."""
    positions = np.ascontiguousarray(vertices) + 0.0  # -0 + 0 is 0, so equal numbers have equal bits
    first, number = distinct_rows(positions.view(np.uint64))
    return (positions, faces) if len(first) == len(vertices) else (positions[first], number[faces])


def weld_near(vertices: Points, faces: Indices, candidates: Indices, tolerance: float) -> tuple[Indices, int]:
    """`(faces, merged)`: the faces with near candidates, (k,) ascending, made one, and how many vertices have gone."""
    points = vertices[candidates]
    shifted = points - bounding_box(points)[0]
    # Points of cells side by side differ by less than two tolerances in each coordinate, and by rounding.
    if not _any_near(shifted, 3.0 * tolerance):
        return faces, 0
    # The tolerance is at least 1e-9 of the extent, so they fit their integers.
    cells = np.floor(shifted / tolerance).astype(np.int64)
    first, cell = distinct_rows(cells.view(np.uint64))
    by_cell = np.argsort(cell, kind="stable")
    starts = np.searchsorted(cell[by_cell], np.arange(len(first)))
    low = np.minimum.reduceat(points[by_cell], starts)
    high = np.maximum.reduceat(points[by_cell], starts)

    from scipy.spatial import cKDTree

    u, v = cKDTree(cells[first]).query_pairs(1.0, p=np.inf, output_type="ndarray").T
    gap = np.maximum(low[u] - high[v], low[v] - high[u]).max(axis=1, initial=0.0)
    near = gap <= tolerance
    cluster = components(len(first), u[near], v[near])[cell]

    leader = np.full(cluster.max() + 1, len(vertices))
    np.minimum.at(leader, cluster, candidates)
    replaced = np.arange(len(vertices))
    replaced[candidates] = leader[cluster]
    return replaced[faces], len(candidates) - len(leader)


def _any_near(points: Points, tolerance: float) -> bool:
    along = rotated(points, [_DIRECTION])[:, 0]
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


def without_duplicate_faces(surface: RepairedSurface) -> RepairedSurface:
    if not surface.has_coincident_faces:
        return surface
    _, number, ascending = surface.triangles
    wound = 2 * number + ascending
    times = np.bincount(wound)[wound]
    if times.max() < 2:
        return surface
    copy = earlier_equals(wound)
    # A part whose faces all repeat equally often is itself repeated.
    part = connected_parts(len(surface.faces), surface.edges)
    whole = np.zeros(int(part.max()) + 1, np.int64)
    np.gcd.at(whole, part, times)
    gone = copy >= times // whole[part]
    if gone.any():
        surface = _without(surface, gone)
        copy = copy[~gone]
    surplus = np.flatnonzero(copy)
    if not len(surplus):
        return surface
    gone = np.zeros(len(surface.faces), np.bool_)
    gone[surplus[_removable(surface, surplus, copy[surplus])]] = True
    return _without(surface, gone) if gone.any() else surface


def _without(surface: RepairedSurface, gone: Flags) -> RepairedSurface:
    notes = noted(surface.notes, int(gone.sum()), "face[s] listed twice counted once")
    return replace(surface.subset(~gone), notes=notes)


def _removable(surface: RepairedSurface, surplus: Indices, copy: Indices) -> Flags:
    """Which patches of surplus copies (k,) are closed, or leave fewer edges open when they go."""
    faces, edges = surface.faces[surplus], surface.edges
    # Copies of one number are connected only with each other, so each number has vertices of its own.
    keys, number = np.unique(copy[:, None] * edges.stride + faces, return_inverse=True)
    own = edges_of(number.reshape(-1, 3))
    ends = keys[own.ends] % edges.stride
    at = np.searchsorted(edges.key, ends.min(axis=1) * edges.stride + ends.max(axis=1))
    u, v, _ = own.pairs()
    # A patch ends where the surface needs its edges as they are.
    alike = edges.excess[at[own.sizes == 2]] == 0
    gone = np.zeros(len(faces), np.bool_)
    for patch in (connected_parts(len(faces), own), components(len(faces), u[alike], v[alike])):
        edge = np.repeat(np.arange(own.count), own.sizes)
        pair, place = np.unique(patch[own.face] * own.count + edge, return_inverse=True)
        net = np.rint(np.bincount(place, np.where(own.forward, 1, -1), len(pair))).astype(np.int64)
        is_open = np.bincount(pair // own.count, net != 0) > 0
        before = edges.excess[at[pair % own.count]]
        gain = np.bincount(pair // own.count, np.abs(before) - np.abs(before - net))
        gone |= (~is_open | (gain > 0))[patch]
    return gone


def single_sided(surface: RepairedSurface) -> RepairedSurface:
    alike = np.ones(len(surface.faces), np.int64)
    if not surface.has_coincident_faces:
        return _agreeing(surface, alike) if len(surface.open_edges) else surface
    first, number, ascending = surface.triangles
    paired = ((np.bincount(number) == 2) & (np.bincount(number, ascending) == 1))[number]
    part = connected_parts(len(surface.faces), surface.edges)
    parts = int(part.max()) + 1
    is_open = _open_parts(surface, part, parts)
    pairs_in = np.bincount(part, paired, parts)
    whole = pairs_in == np.bincount(part, minlength=parts)
    # A double-sided fin on a closed body encloses nothing and leaves the body closed: it may stay.
    reduced = whole | (is_open & (pairs_in > 0))
    if not reduced.any():
        return _agreeing(surface, alike) if len(surface.open_edges) else surface

    double = paired & reduced[part]
    kept = ~double
    kept[first] = True
    one_side = _agreeing(surface.subset(kept), np.where(double[kept], 0, 1))
    one_side = _outward(one_side, part[kept], whole)
    note = noted((), int((~kept).sum()), "face[s] of a double-sided surface dropped for [its reverse|their reverses]")
    # Some parts were fins after all, or membranes, on a body with other faults.
    fins = ~(double & ~whole[part])
    lost = noted((), int((~fins).sum()), "double-sided face[s] that enclose[s|] nothing dropped")
    closed = _without_sheets(one_side, part[kept], whole, note)
    if closed is None and not fins.all():
        without_fins = _agreeing(surface.subset(kept & fins), np.ones(int((kept & fins).sum()), np.int64))
        without_fins = _outward(without_fins, part[kept & fins], whole)
        closed = _without_sheets(without_fins, part[kept & fins], whole, note + lost)
    return replace(one_side, notes=one_side.notes + note) if closed is None else closed


def _agreeing(surface: RepairedSurface, weight: Indices) -> RepairedSurface:
    flipped, one_sided = disagreeing_faces(len(surface.faces), surface.edges, weight)
    if surface.one_sided != one_sided:
        surface = replace(surface, one_sided=one_sided)
    if not flipped.any():
        return surface
    agreeing = surface.with_flipped(flipped)
    if len(agreeing.open_edges) >= len(surface.open_edges) and weight.all():
        return surface
    count = int((flipped & (weight > 0)).sum())
    notes = noted(surface.notes, count, "face[s] flipped so that windings agree")
    return replace(agreeing, notes=notes)


def _open_parts(surface: RepairedSurface, part: Indices, parts: int) -> Flags:
    return np.bincount(part[surface.faces_at_open_edges()], minlength=parts) > 0


def _outward(surface: RepairedSurface, part: Indices, whole: Flags) -> RepairedSurface:
    free = (whole & ~_open_parts(surface, part, len(whole)))[part]
    if not free.any():
        return surface
    chosen = surface.subset(free)
    body = body_of_each_face(surface.vertices, chosen.faces, chosen.edges)
    count = int(body.max()) + 1
    centred = surface.vertices - surface.vertices[surface.faces[0, 0]]
    volume, _ = signed_volumes(centred / extent(surface.vertices), chosen.faces, body, count)
    inward = (volume < 0)[body]
    if not inward.any():
        return surface
    flipped = np.zeros(len(surface.faces), np.bool_)
    flipped[np.flatnonzero(free)[inward]] = True
    return surface.with_flipped(flipped)


def _without_sheets(
    surface: RepairedSurface, part: Indices, whole: Flags, remarks: tuple[str, ...]
) -> RepairedSurface | None:
    if not len(surface.open_edges):
        return surface_of(*only_used(surface.vertices, surface.faces), surface.notes + remarks, surface.one_sided)
    is_open = _open_parts(surface, part, len(whole))
    loose = is_open[part]
    if not whole[is_open].all() or loose.all():
        return None
    rest = surface.subset(~loose)
    area, total = surface_area(surface.vertices, surface.faces[loose]), surface_area(surface.vertices, surface.faces)
    told = f", area {area:.4g} of {total:.4g}"
    what = "face[s] of [a double-sided sheet|double-sided sheets] that enclose[s|] nothing dropped"
    notes = noted(rest.notes, int(loose.sum()), what + told)
    return surface_of(*only_used(rest.vertices, rest.faces), notes + remarks, rest.one_sided)
