"""Double-sided surfaces to one side, and windings that agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdfinertia.mesh.arrays.distinct_rows import distinct_rows
from sdfinertia.mesh.surface.bodies import body_of_each_face, signed_volumes
from sdfinertia.mesh.surface.nesting import points_inside, sample_points
from sdfinertia.mesh.surface.repaired_surface import RepairedSurface, extent, noted
from sdfinertia.mesh.surface.topology import Edges, Flags, Indices, components, disagreeing_faces, least_vertex_first


def single_sided(surface: RepairedSurface) -> RepairedSurface:
    """The surface with each double-sided part reduced to one side, and windings made to agree."""
    faces = surface.faces
    first, paired = _reversed_pairs(faces)
    part = _connected_parts(len(faces), surface.edges)
    parts = int(part.max()) + 1
    is_open = np.zeros(parts, np.bool_)
    is_open[part[surface.faces_at_open_edges()]] = True
    pairs_in = np.bincount(part, paired, parts)
    whole = pairs_in == np.bincount(part, minlength=parts)
    # A double-sided fin on a closed body encloses nothing and leaves the body closed: it may stay.
    reduced = whole | (is_open & (pairs_in > 0))
    if not reduced.any():
        return _agreeing(surface, np.ones(len(faces), np.int64)) if len(surface.open_edges) else surface

    double = paired & reduced[part]
    kept = ~double
    kept[first] = True
    one_side = _agreeing(surface.subset(kept), np.where(double[kept], 0, 1))
    one_side = _outward(one_side, whole[part[kept]])
    note = noted(
        (),
        int((~kept).sum()),
        "face of a double-sided surface was dropped for its reverse",
        "faces of a double-sided surface were dropped for their reverses",
    )
    if not len(one_side.open_edges):
        return replace(one_side, notes=one_side.notes + note)
    # Some were fins after all, or membranes, on a body with other faults; or sheets that lie within bodies.
    fins = ~(double & ~whole[part])
    without_fins = _agreeing(surface.subset(kept & fins), np.ones(int((kept & fins).sum()), np.int64))
    without_fins = _outward(without_fins, whole[part[kept & fins]])
    lost = noted(
        (),
        int((~fins).sum()),
        "double-sided face that encloses nothing was dropped",
        "double-sided faces that enclose nothing were dropped",
    )
    for candidate, candidate_part, remark in (
        (one_side, part[kept], note),
        (without_fins, part[kept & fins], note + lost),
    ):
        closed = _without_inner_sheets(candidate, candidate_part, whole)
        if not len(closed.open_edges):
            return replace(closed.on_used_vertices(), notes=closed.notes + remark)
    return replace(one_side, notes=one_side.notes + note)


def _reversed_pairs(faces: Indices) -> tuple[Indices, Flags]:
    """The first of the faces on each three vertices, and for each face whether its reverse is there too."""
    ordered = least_vertex_first(faces)
    ascending = ordered[:, 1] < ordered[:, 2]
    ordered[:, 1:].sort(axis=1)
    first, number = distinct_rows(ordered.view(np.uint64))
    both = (np.bincount(number) == 2) & (np.bincount(number, ascending) == 1)
    return first, both[number]


def _connected_parts(face_count: int, edges: Edges) -> Indices:
    """The connected part to which each face belongs, over edges of any kind."""
    inner = np.ones(len(edges.face), np.bool_)
    inner[edges.start[:-1]] = False
    at = np.flatnonzero(inner)
    return components(face_count, edges.face[at - 1], edges.face[at])


def _agreeing(surface: RepairedSurface, weight: Indices) -> RepairedSurface:
    """The surface with faces turned so that windings agree, if that leaves fewer edges open."""
    turned, one_sided = disagreeing_faces(len(surface.faces), surface.edges, weight)
    surface = replace(surface, one_sided=one_sided)
    if not turned.any():
        return surface
    agreeing = surface.with_turned(turned)
    if len(agreeing.open_edges) >= len(surface.open_edges) and weight.all():
        return surface
    count = int((turned & (weight > 0)).sum())
    notes = noted(
        surface.notes, count, "face was turned so that windings agree", "faces were turned so that windings agree"
    )
    return replace(agreeing, notes=notes)


def _outward(surface: RepairedSurface, free: Flags) -> RepairedSurface:
    """The surface with those bodies turned outward of which all faces are free to choose their side."""
    if not free.any() or len(surface.open_edges):
        return surface
    body = body_of_each_face(surface.vertices, surface.faces, surface.edges)
    count = int(body.max()) + 1
    centred = surface.vertices - surface.vertices[surface.faces[0, 0]]
    volume, _ = signed_volumes(centred / extent(surface.vertices), surface.faces, body, count)
    fixed = np.bincount(body, ~free, count) > 0
    turned = ((volume < 0) & ~fixed)[body]
    return surface.with_turned(turned) if turned.any() else surface


def _without_inner_sheets(surface: RepairedSurface, part: Indices, whole: Flags) -> RepairedSurface:
    """The surface without open double-sided parts that lie inside its closed ones, if that leaves it closed."""
    at_open = np.unique(part[surface.faces_at_open_edges()])
    sheet = np.zeros(len(whole), np.bool_)
    sheet[at_open] = True
    loose = sheet[part]
    if not len(at_open) or not whole[at_open].all() or loose.all():
        return surface
    rest = surface.subset(~loose)
    scaled = (surface.vertices - surface.vertices[surface.faces[0, 0]]) / extent(surface.vertices)
    samples = sample_points(scaled, surface.faces[loose], np.searchsorted(at_open, part[loose]), len(at_open))
    if not points_inside(scaled, rest.faces, samples).all():
        return surface
    notes = noted(
        rest.notes,
        int(loose.sum()),
        "double-sided face inside the solid was dropped",
        "double-sided faces inside the solid were dropped",
    )
    return replace(rest, notes=notes)
