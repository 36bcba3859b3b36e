"""Triangle soup to a surface as nearly closed as repairs allow that change no shape; each repair is noted."""

from __future__ import annotations

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.arrays.distinct_rows import distinct_rows
from sdfinertia.mesh.surface.repaired_surface import Points, RepairedSurface, extent, noted, only_used
from sdfinertia.mesh.surface.single_sided import single_sided
from sdfinertia.mesh.surface.topology import Indices, edges_of, least_vertex_first, without_repeated_vertex
from sdfinertia.mesh.surface.welding import weld_equal, weld_near

# Of the diagonal of the bounding box: float32 coordinates of one place, computed in two ways, differ by about this.
NEAR = 1e-7
_PEELINGS = 8  # rounds of dropping flat faces at open edges: a strip of slivers goes from both ends


def repaired_surface(vertices: Points, faces: Indices) -> RepairedSurface:
    """The surface of the triangles, closed if repairs can close it, else with the fewest open edges.

    Equal positions are merged, degenerate and repeated faces dropped, double-sided parts reduced to one side, and
    windings made to agree. If edges are then open, flat faces at them are dropped, or else the ends of open edges
    that lie within 1e-7 of the bounding box's diagonal are merged, in each coordinate.

    Args:
        vertices: (n, 3), any unit.
        faces: (m, 3).

    Raises:
        MeshError: there are no faces with an extent, or coordinates that are not finite.
    """
    sound = without_repeated_vertex(faces)
    if len(sound):
        positions, welded = weld_equal(*only_used(vertices, sound))
        sound = without_repeated_vertex(welded)
    if not len(sound):
        raise MeshError(
            "the mesh has no faces" if not len(faces) else "the mesh has only degenerate faces: it encloses no volume"
        )
    notes = noted((), len(faces) - len(sound), "degenerate face was dropped", "degenerate faces were dropped")
    with np.errstate(all="ignore"):
        surface = _consistent(*only_used(positions, sound), notes)
    if not len(surface.open_edges):
        return surface
    tolerance = NEAR * extent(surface.vertices)
    with np.errstate(all="ignore"):  # of coordinates at the ends of the range of floats none is near or flat
        tried = [surface, _without_flat_faces(surface, tolerance)]
        if len(tried[-1].open_edges):
            tried.append(_with_near_merged(surface, tolerance))
            if len(tried[-1].open_edges):
                tried.append(_without_flat_faces(tried[-1], tolerance))
    return min(tried, key=lambda one: len(one.open_edges))


def _consistent(vertices: Points, faces: Indices, notes: tuple[str, ...]) -> RepairedSurface:
    """The surface with each face once, double-sided parts reduced, and windings made to agree."""
    # A closed surface has about twice as many faces as vertices. Where there are far more, most are repeated: before
    # three edges are made of each.
    early = _each_once(faces) if len(faces) > 4 * len(vertices) else faces
    edges = edges_of(early)
    if not edges.is_manifold():
        once = _each_once(early)
        if len(once) < len(early):
            edges_once = edges_of(once)
            # Where bodies that look opposite ways touch, a face may stand twice by right.
            if len(edges_once.open) == 0 or len(edges.open) > 0:
                early, edges = once, edges_once
    notes = noted(
        notes, len(faces) - len(early), "face listed twice was counted once", "faces listed twice were counted once"
    )
    surface = RepairedSurface(vertices, early, edges, edges.open, False, notes)
    if edges.is_manifold():
        return surface
    return single_sided(surface)


def _each_once(faces: Indices) -> Indices:
    """The faces without those that stand before with the same winding."""
    first, _ = distinct_rows(least_vertex_first(faces).view(np.uint64))
    return faces if len(first) == len(faces) else faces[first]


def _without_flat_faces(surface: RepairedSurface, tolerance: float) -> RepairedSurface:
    """The surface without those faces at its open edges whose height is within the tolerance.

    Flat faces elsewhere stay: they are what closes the surface where an edge meets the middle of another.
    """
    scaled = surface.vertices / tolerance
    peeled = surface
    for _ in range(_PEELINGS):
        at_open = peeled.faces_at_open_edges()
        a, b, c = (scaled[peeled.faces[at_open, corner]] for corner in range(3))
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
    return _consistent(*only_used(peeled.vertices, peeled.faces), notes)


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
    return _consistent(*only_used(surface.vertices, sound), notes)
