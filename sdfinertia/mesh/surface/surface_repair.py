"""Triangle soup to a surface as nearly closed as repairs allow that change no shape; each repair is noted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.surface.cracks import with_cracks_closed
from sdfinertia.mesh.surface.repaired_surface import Points, RepairedSurface, extent, noted, only_used
from sdfinertia.mesh.surface.single_sided import single_sided
from sdfinertia.mesh.surface.surplus_copies import each_face_once, without_surplus_copies
from sdfinertia.mesh.surface.topology import Indices, edges_of, without_repeated_vertex
from sdfinertia.mesh.surface.welding import weld_equal, weld_near

# Of the diagonal of the bounding box: float32 coordinates of one place, computed in two ways, differ by about this.
NEAR = 1e-7
_PEELINGS = 8  # rounds of dropping flat faces at open edges: a strip of slivers goes from both ends
# Rounds of making a surface consistent: faces that were turned may be copies or reverses of others that stay. Each
# round leaves fewer faces or fewer open edges; of 7,000 meshes from fuzzing none took more than four.
_ROUNDS = 8


def repaired_surface(vertices: Points, faces: Indices) -> RepairedSurface:
    """The surface of the triangles, closed if repairs can close it, else with the fewest open edges.

    Equal positions are merged and degenerate faces dropped; if edges are then open, their ends that lie within 1e-7
    of the bounding box's diagonal are merged, in each coordinate. What uses every edge equally often in both
    directions is closed, and no repair opens it. Then surplus copies of faces are dropped, double-sided parts reduced
    to one side or left out as sheets, and windings made to agree; where edges are still open, flat faces at them are
    dropped, and loops of them without area closed.

    Args:
        vertices: (n, 3), any unit.
        faces: (m, 3).

    Raises:
        MeshError: there are no faces with an extent, or coordinates that are not finite.
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
    notes = noted((), len(faces) - len(sound), "degenerate face was dropped", "degenerate faces were dropped")
    with np.errstate(all="ignore"):
        surface = _surface(positions, sound, notes)
        if surface.edges.is_manifold():
            return surface
        tolerance = NEAR * extent(surface.vertices)
        tried = []
        for start in _starts(surface, tolerance):
            for repaired in _repairs(start, tolerance):
                if not len(repaired.open_edges):
                    return repaired
                tried.append(repaired)
    return min(tried, key=lambda one: len(one.open_edges))


def _surface(vertices: Points, faces: Indices, notes: tuple[str, ...]) -> RepairedSurface:
    return RepairedSurface(vertices, faces, edges_of(faces), False, notes)


def _starts(surface: RepairedSurface, tolerance: float) -> Iterator[RepairedSurface]:
    """The surfaces to repair, one after the other, until one of them is closed."""
    near = _with_near_merged(surface, tolerance) if len(surface.open_edges) else surface
    yield near
    # What the merging of near ends spoils, and what no judgement of single patches closes.
    for other in (surface, each_face_once(near)):
        if other is not near:
            yield other


def _repairs(surface: RepairedSurface, tolerance: float) -> Iterator[RepairedSurface]:
    """The surface as ever more repairs leave it, one after the other, until one of them is closed."""
    # Of coordinates at the ends of the range of floats none is near or flat.
    consistent = _consistent(surface)
    yield consistent
    near = _with_near_merged(consistent, tolerance)
    flat = _without_flat_faces(consistent, tolerance)
    if near is not consistent:
        near = _consistent(near)
        yield near
        flat = _without_flat_faces(near, tolerance)
    yield flat
    closed = with_cracks_closed(flat, tolerance)
    if closed is not flat:
        yield _consistent(closed)


def _consistent(surface: RepairedSurface) -> RepairedSurface:
    """The surface without surplus copies of faces, double-sided parts reduced, and windings made to agree.

    Of what it returns it changes no more, so that a surface which was repaired is as open when it is repaired again.
    """
    for _ in range(_ROUNDS):
        if surface.edges.is_manifold():
            break
        before = surface.faces
        surface = without_surplus_copies(surface)
        if not surface.edges.is_manifold():
            surface = single_sided(surface)
        if np.array_equal(surface.faces, before):
            break
    return surface


def _without_flat_faces(surface: RepairedSurface, tolerance: float) -> RepairedSurface:
    """The surface without those faces at its open edges whose height is within the tolerance.

    Flat faces elsewhere stay: they are what closes the surface where an edge meets the middle of another.
    """
    peeled = surface
    for _ in range(_PEELINGS):
        at_open = peeled.faces_at_open_edges()
        a, b, c = (peeled.vertices[peeled.faces[at_open, corner]] / tolerance for corner in range(3))
        sides = np.stack((b - a, c - b, a - c))
        longest = np.sqrt(np.einsum("kij,kij->ki", sides, sides).max(axis=0))
        flat = np.linalg.norm(np.cross(sides[0], sides[1]), axis=1) <= longest
        if not flat.any() or flat.sum() == len(peeled.faces):
            break
        kept = np.ones(len(peeled.faces), np.bool_)
        kept[at_open[flat]] = False
        peeled = peeled.subset(kept)
    count = len(surface.faces) - len(peeled.faces)
    if not count:
        return surface
    notes = noted(surface.notes, count, "face without area was dropped", "faces without area were dropped")
    return _consistent(_surface(*only_used(peeled.vertices, peeled.faces), notes))


def _with_near_merged(surface: RepairedSurface, tolerance: float) -> RepairedSurface:
    """The surface with those ends of its open edges made one that are within the tolerance of each other."""
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
        f"vertex within {NEAR:g} of the bounding size of another was merged with it",
        f"vertices within {NEAR:g} of the bounding size of another were merged with it",
    )
    notes = noted(
        notes,
        len(faces) - len(sound),
        "face that this made degenerate was dropped",
        "faces that this made degenerate were dropped",
    )
    return _surface(*only_used(surface.vertices, sound), notes)
