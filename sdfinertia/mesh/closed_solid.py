"""The solid that a triangle mesh bounds, or the error if it bounds none: duplicates, cavities, bodies inside out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sdfinertia.errors import MeshError, OpenMeshError
from sdfinertia.inertia.polyhedron import bounding_box, corner_products, moments, pairwise_sum
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.mesh import CLOSE_IT, Overlaps
from sdfinertia.mesh.boundary_loops import BoundaryLoops, LoopShapes, boundary_loops, loop_shapes, with_caps
from sdfinertia.mesh.kernel import Flags, Indices, Points, boxes_of_groups, cross, only_used, surface_area
from sdfinertia.mesh.repair import NEAR, repaired_surface
from sdfinertia.mesh.topology import RepairedSurface, body_of_each_face, diagonal, edges_of, noted, signed_volumes
from sdfinertia.mesh.windings import SAMPLES, SampledWindings, sample_points, sampled_windings, windings

# Part of a body's area times the mesh's size below which a volume is rounding (2^-52, with room for a thousand).
_NO_VOLUME = 1e-13


@dataclass(frozen=True, eq=False)
class ClosedSolid:
    """A solid bounded by triangles: their divergence integral is its volume, which is positive."""

    vertices: Points  # (n, 3), no two equal
    faces: Indices  # (m, 3), counter-clockwise seen from outside the matter, so those of a cavity look into it
    bodies: int
    cavities: int  # surfaces that bound a hollow inside a body
    notes: tuple[str, ...]
    flipped: int  # how many bodies and cavities were inside out
    moments: VolumeMoments

    @cached_property
    def windings(self) -> SampledWindings | None:
        return sampled_windings(self.vertices, self.faces)

    def overlaps(self, treated: Overlaps) -> tuple[str, ...]:
        """Notes on places that count more than once; a MeshError where none may, or volume would be subtracted."""
        if self.windings is None:
            return ()
        self.windings.require_positive()
        if treated is Overlaps.UNION:
            self.windings.require_single()
        return self.windings.notes


def convex_solid(vertices: Points, faces: Indices) -> ClosedSolid:
    note = "the convex hull is used for the mesh"
    return ClosedSolid(vertices, faces, 1, 0, (note,), 0, moments(vertices, faces))


def closed_solid(vertices: Points, faces: Indices) -> ClosedSolid:
    """The solid after repairs that change no shape; an OpenMeshError if it is open."""
    return bounded_by(repaired_surface(vertices, faces))


def bounded_by(surface: RepairedSurface) -> ClosedSolid:
    with np.errstate(all="ignore"):  # an overflow shows in the result
        if len(surface.open_edges):
            raise _open_error(surface)
        return _outward(surface)


def _outward(surface: RepairedSurface) -> ClosedSolid:
    faces = surface.faces
    low, high = bounding_box(surface.vertices)
    size = diagonal(low, high)
    if not math.isfinite(size * size * size * size * size):  # the unit of second moments
        raise MeshError(f"the mesh is too large to integrate: {size:.3g} across")
    body = body_of_each_face(surface.vertices, faces, surface.edges)
    count = int(body.max()) + 1
    whole = moments(surface.vertices, faces) if count == 1 else None
    # Far from the origin coordinates are coarser, and a flat surface is no flatter than they are.
    spacing = float(np.spacing(np.maximum(np.abs(low), np.abs(high)).max())) / size
    rounding = _NO_VOLUME + 4 * spacing
    notes = surface.notes
    if whole is not None and abs(whole.volume) / size / size / size > rounding * len(faces):
        # No triangle in a box of diagonal 1 has an area above 1/2, so this one body is beyond doubt.
        volume = np.array([whole.volume / size / size / size])
        sign = np.sign(volume).astype(np.int64)
        settled = np.abs(sign)
    else:
        scaled = (surface.vertices - (low / 2 + high / 2)) / size
        volume, area = signed_volumes(scaled, faces, body, count)
        sign = np.where(np.abs(volume) <= area * rounding, 0, np.sign(volume)).astype(np.int64)
        surplus = _duplicate_bodies(scaled, faces, body, sign, area)
        if surplus.any():
            kept = ~surplus[body]
            faces, body = faces[kept], (np.cumsum(~surplus) - 1)[body[kept]]
            volume, sign = volume[~surplus], sign[~surplus]
            notes = noted(notes, int(surplus.sum()), "bod[y|ies] that coincide[s|] with [another|others] counted once")
        settled = settled_signs(scaled, faces, body, sign)
    total = float((np.abs(volume) * settled).sum())
    if not total * size * size * size > 0:
        raise MeshError("the mesh is closed but encloses no volume")

    notes = noted(notes, int((sign == 0)[body].sum()), "face[s] enclose[s|] nothing")
    flipped = settled != sign
    if flipped.any():
        faces = np.where(flipped[body][:, None], faces[:, ::-1], faces)
        count, shells = int(flipped.sum()), int((sign != 0).sum())
        verb = "was" if count == 1 else "were"
        which = "the surface was" if shells == 1 else f"{count:,} of {shells:,} shells {verb}"
        notes = (*notes, f"{which} inside out and flipped")
    if whole is None or flipped.any():
        whole = moments(surface.vertices, faces)
    vertices, faces = only_used(surface.vertices, faces)
    bodies, cavities = int((settled > 0).sum()), int((settled < 0).sum())
    return ClosedSolid(vertices, faces, bodies, cavities, notes, int(flipped.sum()), whole)


def _open_error(surface: RepairedSurface) -> OpenMeshError:
    count = len(surface.open_edges)
    positions = surface.open_positions()
    places = ", ".join("(" + ", ".join(f"{x + 0.0:.6g}" for x in position) + ")" for position in positions)
    more = ", ..." if count > len(positions) else ""
    what = f"{count:,} open edge{'s' * (count > 1)} of {surface.edges.count:,}, at {places}{more}"
    if surface.one_sided:
        what = f"it has only one side, like a Möbius strip, so windings cannot agree; {what}"
    return OpenMeshError(f"the mesh is not closed: {what}", remedy=CLOSE_IT, one_sided=surface.one_sided)


# Part of the whole size by which coordinates of one place differ if computed in two ways (see `repair.NEAR`).
_NEAR = 1e-7
# An extent along it tells apart bodies of equal bounds and moments, as two tetrahedra in a cube.
_ASKEW = np.array((0.4142135623730951, 0.3660254037844386, 0.2197610338424663))
_BOXES = 64  # the widest are searched for bodies whose two sides lie in one


def _duplicate_bodies(vertices: Points, faces: Indices, body: Indices, sign: Indices, area: Points) -> Flags:
    count = len(sign)
    surplus = np.zeros(count, np.bool_)
    if count < 2:
        return surplus
    group = np.where(sign != 0, 0, np.arange(1, count + 1))
    lows, highs = boxes_of_groups(vertices, faces, body, count)
    for bounds in (*lows.T, *highs.T):
        group = _parted(group, bounds, np.full(count, _NEAR))
    alike = np.bincount(group)[group] > 1
    if not alike.any():
        return surplus
    at = np.flatnonzero(alike)
    by_body = np.argsort(body, kind="stable")
    by_body = by_body[alike[body[by_body]]]
    corners, number = vertices.take(faces[by_body], axis=0), np.searchsorted(at, body[by_body])
    part = group[at]
    along, begin = (corners * _ASKEW).sum(axis=2), np.searchsorted(number, np.arange(len(at)))
    part = _parted(part, np.minimum.reduceat(along.min(axis=1), begin), np.full(len(at), _NEAR))
    part = _parted(part, np.maximum.reduceat(along.max(axis=1), begin), np.full(len(at), _NEAR))
    for moment in _moments(corners, number, len(at)):
        part = _parted(part, moment * sign[at], _NEAR * area[at])
    order = np.lexsort((at, -sign[at], part))
    same = part[order[1:]] == part[order[:-1]]
    again = np.zeros(len(at), np.bool_)
    again[order[1:]] = same & ((sign[at][order[1:]] == sign[at][order[:-1]]) | ~_in_a_box(lows, highs, at)[order[1:]])
    surplus[at[again]] = True
    return surplus


def _in_a_box(low: Points, high: Points, at: Indices) -> Flags:
    held = np.zeros(len(at), np.bool_)
    widest = np.argsort(-(high - low).max(axis=1), kind="stable")[:_BOXES]
    for other in widest.tolist():
        within = ((low[other] <= low[at] + _NEAR) & (high[other] >= high[at] - _NEAR)).all(axis=1)
        held |= within & ((high[other] - low[other]) > (high[at] - low[at]) + _NEAR).any(axis=1)
    return held


def _parted(group: Indices, values: Points, tolerance: Points) -> Indices:
    """The groups (k,) split where their ascending values leave a gap above the tolerance of the upper."""
    order = np.lexsort((values, group))
    new = np.zeros(len(order), np.int64)
    new[1:] = (np.diff(group[order]) != 0) | ~(np.diff(values[order]) <= tolerance[order[1:]])
    parted = np.empty(len(order), np.int64)
    parted[order] = np.cumsum(new)
    return parted


def _moments(corners: Points, number: Indices, count: int) -> list[Points]:
    a, b, c = corners.transpose(1, 0, 2)
    det = (a * cross(b - a, c - a)).sum(axis=1)
    first = (a + b + c).T * (det / 24)
    second = corner_products(np.ascontiguousarray(corners.transpose(1, 2, 0)))[0] * (det / 120)
    terms = [det / 6, *first, *second]
    return [np.asarray(np.bincount(number, term, count), np.float64) for term in terms]


# Bodies inside one another --------------------------------------------------------------------------------------------

_TOUCH = 1e-9  # of the whole size: a cavity may reach its body's wall, up to rounding


def settled_signs(vertices: Points, faces: Indices, body: Indices, sign: Indices) -> Indices:
    """The sign of each body once those inside out are flipped: 1 for matter, -1 for a cavity, (b,)."""
    if not (sign < 0).any():
        return sign
    if not (sign > 0).any():
        return -sign  # each outermost body is turned with all that is in it, so everything is
    inner, outer = _containments(vertices, faces, body, sign)
    return _flipped_signs(sign, inner, outer)


def _containments(vertices: Points, faces: Indices, body: Indices, sign: Indices) -> tuple[Indices, Indices]:
    count = len(sign)
    solid = (sign != 0)[body]
    faces, body = faces[solid], body[solid]
    low, high = boxes_of_groups(vertices, faces, body, count)
    present = np.flatnonzero(sign)
    samples = sample_points(vertices, faces, body, count).reshape(count, SAMPLES, 3)[present]
    # One point shows that most bodies lie in no other; only the rest need all their points.
    suspect = np.unique(_held(vertices, faces, body, samples[:, :1], low, high, present)[0])
    return _held(vertices, faces, body, samples[np.searchsorted(present, suspect)], low, high, suspect)


def _held(
    vertices: Points, faces: Indices, body: Indices, samples: Points, low: Points, high: Points, inner: Indices
) -> tuple[Indices, Indices]:
    """`(inner, outer)`: the pairs in which all samples (k, s, 3) of a body (k,) and its box lie inside another."""
    count, each = len(low), samples.shape[1]
    point, around, winding, unsure = windings(vertices, faces, body, samples.reshape(-1, 3))
    within = inner[point // each]
    held = ((winding != 0) | unsure) & (within != around)
    held &= (low[around] <= low[within] + _TOUCH).all(axis=1) & (high[around] >= high[within] - _TOUCH).all(axis=1)
    pair, number = np.unique(within[held] * count + around[held], return_inverse=True)
    complete = np.bincount(number, minlength=len(pair)) == each
    if each > 1:
        complete &= np.bincount(number, ~unsure[held], len(pair)) > 0
    return pair[complete] // count, pair[complete] % count


def _flipped_signs(sign: Indices, inner: Indices, outer: Indices) -> Indices:
    """From the outermost inwards: a cavity outside matter is matter inside out, with all that is in it."""
    sign = sign.copy()
    depth = np.bincount(inner, minlength=len(sign))
    held_by = np.bincount(outer, minlength=len(sign))
    around = np.split(outer[np.argsort(inner, kind="stable")], np.cumsum(depth)[:-1])
    within = np.split(inner[np.argsort(outer, kind="stable")], np.cumsum(held_by)[:-1])
    for body in np.argsort(depth, kind="stable").tolist():
        if sign[body] < 0 and sign[around[body]].sum() < 1:
            sign[body] *= -1
            sign[within[body]] *= -1
    return sign


# Part of a loop's radius that its vertices may lie off their plane, as in files with few digits of millimetres.
_PLANAR = 1e-3
# Part of the surface's area: a dome of 2 % of a sphere's bulges by 0.12 % of its volume beyond a flat cap.
_SMALL = 0.02
_HOLES_SHOWN = 3


def bounded_with_caps(surface: RepairedSurface) -> ClosedSolid:
    capped = filled(surface)
    solid = closed_solid(capped.vertices, capped.faces)
    return replace(solid, notes=(*capped.notes, *solid.notes))


def filled(surface: RepairedSurface) -> RepairedSurface:
    if not len(surface.open_edges):
        return surface
    if surface.one_sided:
        problem = "the mesh has only one side, like a Möbius strip, so caps would enclose nothing"
        raise OpenMeshError(problem, remedy=CLOSE_IT, one_sided=True)
    with np.errstate(all="ignore"):
        loops = boundary_loops(surface.edges)
        shapes = loop_shapes(surface.vertices, loops)
        # Float32 coordinates of a plane lie that far from it.
        planar = shapes.height <= np.maximum(
            _PLANAR * shapes.radius, NEAR * float(np.ptp(surface.vertices, axis=0).max())
        )
        small = ~planar & (shapes.area <= _SMALL * surface_area(surface.vertices, surface.faces))
        remaining = ~(planar | small)
        if remaining.any():
            raise _remaining_error(loops, shapes, remaining)
        vertices, faces = with_caps(surface.vertices, surface.faces, loops, shapes.centre)
        notes = noted(surface.notes, int(planar.sum()), "planar hole[s] closed by [a cap|caps]")
        if small.any():
            bulge = pairwise_sum((shapes.area * shapes.radius)[small])
            # Bodies that are not yet outward would cancel each other in the sum.
            unknown = 100 * bulge / closed_solid(vertices, faces).moments.volume
            so = f"so the mass is uncertain by up to {unknown:.2g} %"
            notes = noted(notes, int(small.sum()), f"small hole[s] closed by [a cap|caps], {so}")
    return replace(surface, vertices=vertices, faces=faces, edges=edges_of(faces), notes=notes)


def _remaining_error(loops: BoundaryLoops, shapes: LoopShapes, remaining: Flags) -> OpenMeshError:
    count, edges = int(remaining.sum()), int(loops.sizes[remaining].sum())
    largest = np.flatnonzero(remaining)
    largest = largest[np.argsort(-shapes.area[largest], kind="stable")[:_HOLES_SHOWN]]
    places = ", ".join(
        "({:.6g}, {:.6g}, {:.6g}) of radius {:.3g}".format(*(shapes.centre[hole] + 0.0).tolist(), shapes.radius[hole])
        for hole in largest
    )
    more = ", ..." if count > len(largest) else ""
    what = "hole is" if count == 1 else "holes are"
    problem = f"{count:,} {what} neither planar nor small, about {places}{more}: {edges:,} edges stay open"
    return OpenMeshError(problem, remedy=CLOSE_IT)
