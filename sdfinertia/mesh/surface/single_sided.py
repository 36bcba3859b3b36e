"""Double-sided surfaces to one side, sheets that bound nothing left out, and windings that agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdfinertia.mesh.arrays.distinct_rows import distinct_rows
from sdfinertia.mesh.surface.bodies import body_of_each_face, signed_volumes
from sdfinertia.mesh.surface.repaired_surface import RepairedSurface, extent, noted
from sdfinertia.mesh.surface.surface_area import surface_area
from sdfinertia.mesh.surface.topology import Flags, Indices, connected_parts, disagreeing_faces, least_vertex_first


def single_sided(surface: RepairedSurface) -> RepairedSurface:
    """The surface with each double-sided part reduced to one side, and windings made to agree.

    A part of which every face has its reverse is a body if its one side closes. Else it is a sheet: left out if what
    remains is closed, and with it the double-sided parts of others where that is needed.
    """
    if not surface.has_faces_alike:
        return _with_windings_alike(surface)
    faces = surface.faces
    first, paired = _reversed_pairs(faces)
    part = connected_parts(len(faces), surface.edges)
    parts = int(part.max()) + 1
    is_open = np.zeros(parts, np.bool_)
    is_open[part[surface.faces_at_open_edges()]] = True
    pairs_in = np.bincount(part, paired, parts)
    whole = pairs_in == np.bincount(part, minlength=parts)
    # A double-sided fin on a closed body encloses nothing and leaves the body closed: it may stay.
    reduced = whole | (is_open & (pairs_in > 0))
    if not reduced.any():
        return _with_windings_alike(surface)

    double = paired & reduced[part]
    kept = ~double
    kept[first] = True
    one_side = _agreeing(surface.subset(kept), np.where(double[kept], 0, 1))
    one_side = _outward(one_side, part[kept], whole)
    note = noted(
        (),
        int((~kept).sum()),
        "face of a double-sided surface was dropped for its reverse",
        "faces of a double-sided surface were dropped for their reverses",
    )
    # Some parts were fins after all, or membranes, on a body with other faults.
    fins = ~(double & ~whole[part])
    lost = noted(
        (),
        int((~fins).sum()),
        "double-sided face that encloses nothing was dropped",
        "double-sided faces that enclose nothing were dropped",
    )
    closed = _without_sheets(one_side, part[kept], whole, note)
    if closed is None and not fins.all():
        without_fins = _agreeing(surface.subset(kept & fins), np.ones(int((kept & fins).sum()), np.int64))
        without_fins = _outward(without_fins, part[kept & fins], whole)
        closed = _without_sheets(without_fins, part[kept & fins], whole, note + lost)
    return replace(one_side, notes=one_side.notes + note) if closed is None else closed


def _reversed_pairs(faces: Indices) -> tuple[Indices, Flags]:
    """The first of the faces on each three vertices, and for each face whether its reverse is there too."""
    ordered = least_vertex_first(faces)
    ascending = ordered[:, 1] < ordered[:, 2]
    ordered[:, 1:].sort(axis=1)
    first, number = distinct_rows(ordered.view(np.uint64))
    both = (np.bincount(number) == 2) & (np.bincount(number, ascending) == 1)
    return first, both[number]


def _with_windings_alike(surface: RepairedSurface) -> RepairedSurface:
    """The surface with faces turned so that windings agree, if it is open and that leaves fewer edges open."""
    return _agreeing(surface, np.ones(len(surface.faces), np.int64)) if len(surface.open_edges) else surface


def _agreeing(surface: RepairedSurface, weight: Indices) -> RepairedSurface:
    """The surface with faces turned so that windings agree, if that leaves fewer edges open."""
    turned, one_sided = disagreeing_faces(len(surface.faces), surface.edges, weight)
    if surface.one_sided != one_sided:
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


def _open_parts(surface: RepairedSurface, part: Indices, parts: int) -> Flags:
    """Which parts have open edges, (parts,)."""
    is_open = np.zeros(parts, np.bool_)
    is_open[part[surface.faces_at_open_edges()]] = True
    return is_open


def _outward(surface: RepairedSurface, part: Indices, whole: Flags) -> RepairedSurface:
    """The surface with those closed bodies turned outward of which all faces are free to choose their side."""
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
    turned = np.zeros(len(surface.faces), np.bool_)
    turned[np.flatnonzero(free)[inward]] = True
    return surface.with_turned(turned)


def _without_sheets(
    surface: RepairedSurface, part: Indices, whole: Flags, remarks: tuple[str, ...]
) -> RepairedSurface | None:
    """The surface without open double-sided parts, and with the remarks noted; None if it is not closed."""
    if not len(surface.open_edges):
        return replace(surface.on_used_vertices(), notes=surface.notes + remarks)
    is_open = _open_parts(surface, part, len(whole))
    loose = is_open[part]
    if not whole[is_open].all() or loose.all():
        return None
    rest = surface.subset(~loose)
    area, total = surface_area(surface.vertices, surface.faces[loose]), surface_area(surface.vertices, surface.faces)
    told = f", area {area:.4g} of {total:.4g}"
    notes = noted(
        rest.notes,
        int(loose.sum()),
        f"face of a double-sided sheet that encloses nothing was dropped{told}",
        f"faces of double-sided sheets that enclose nothing were dropped{told}",
    )
    return replace(rest.on_used_vertices(), notes=notes + remarks)
