"""The solid that a triangle mesh bounds, or why it bounds none."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sdfinertia.errors import MeshError, OpenMeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.mesh.kernel import Indices, Points, only_used
from sdfinertia.mesh.surface.bodies import body_of_each_face, duplicate_bodies, signed_volumes
from sdfinertia.mesh.surface.surface_repair import repaired_surface
from sdfinertia.mesh.surface.topology import RepairedSurface, diagonal, noted
from sdfinertia.mesh.surface.winding import settled_signs

# Of a body's area times the mesh's size: below it a volume is rounding (2^-52 times the terms of a sum, with room for
# a thousand), and a plate as thin has no float64 coordinates that could tell its sides apart.
_NO_VOLUME = 1e-13


@dataclass(frozen=True, slots=True, eq=False)
class ClosedSolid:
    """A solid bounded by triangles: their divergence integral is its volume, which is positive.

    Args:
        vertices: (n, 3) no two equal.
        faces: (m, 3) counter-clockwise seen from outside the matter, so those of a cavity look into it.
        bodies: of matter, separate or touching.
        cavities: surfaces that bound a hollow inside a body.
        body_of_face: (m,) the body or cavity of each face, those without volume too.
        flipped: how many bodies and cavities were inside out.
    """

    vertices: Points
    faces: Indices
    bodies: int
    cavities: int
    notes: tuple[str, ...]
    body_of_face: Indices
    flipped: int


def closed_solid(vertices: Points, faces: Indices) -> ClosedSolid:
    """The solid bounded by the triangles, repaired where that changes no shape; an OpenMeshError if open."""
    return bounded_by(repaired_surface(vertices, faces))


def bounded_by(surface: RepairedSurface) -> ClosedSolid:
    with np.errstate(all="ignore"):  # what overflows is found in the result
        if len(surface.open_edges):
            raise _open_error(surface)
        return _outward(surface)


def _outward(surface: RepairedSurface) -> ClosedSolid:
    faces = surface.faces
    low, high = bounding_box(surface.vertices)
    size = diagonal(low, high)
    if not math.isfinite(size * size * size * size * size):  # the unit of second moments
        raise MeshError(f"the mesh is too large to integrate: {size:.3g} across")
    scaled = (surface.vertices - (low / 2 + high / 2)) / size

    body = body_of_each_face(surface.vertices, faces, surface.edges)
    count = int(body.max()) + 1
    volume, area = signed_volumes(scaled, faces, body, count)
    # Far from the origin coordinates are coarser, and a flat surface is no flatter than they are.
    spacing = float(np.spacing(np.maximum(np.abs(low), np.abs(high)).max())) / size
    sign = np.where(np.abs(volume) <= area * (_NO_VOLUME + 4 * spacing), 0, np.sign(volume)).astype(np.int64)
    notes = surface.notes
    surplus = duplicate_bodies(scaled, faces, body, sign, area)
    if surplus.any():
        kept = ~surplus[body]
        faces, body = faces[kept], (np.cumsum(~surplus) - 1)[body[kept]]
        volume, sign = volume[~surplus], sign[~surplus]
        notes = noted(
            notes, int(surplus.sum()), "bod[y|ies] that coincide[s|] with [another|others] [was|were] counted once"
        )
    settled = settled_signs(scaled, faces, body, sign)
    total = float((np.abs(volume) * settled).sum())
    if not total * size * size * size > 0:
        raise MeshError("the mesh is closed but encloses no volume")

    notes = noted(notes, int((sign == 0)[body].sum()), "face[s] enclose[s|] nothing")
    flipped = settled != sign
    if flipped.any():
        faces = np.where(flipped[body][:, None], faces[:, ::-1], faces)
        shells, count = int((sign != 0).sum()), int(flipped.sum())
        which = (
            "the surface was" if shells == 1 else f"{count:,} of {shells:,} shells {'was' if count == 1 else 'were'}"
        )
        notes = (*notes, f"{which} inside out and flipped")
    vertices, faces = only_used(surface.vertices, faces)
    return ClosedSolid(
        vertices,
        faces,
        int((settled > 0).sum()),
        int((settled < 0).sum()),
        notes,
        body,
        int(flipped.sum()),
    )


def _open_error(surface: RepairedSurface) -> OpenMeshError:
    count = len(surface.open_edges)
    positions = surface.open_positions()
    places = ", ".join("(" + ", ".join(f"{x + 0.0:.6g}" for x in position) + ")" for position in positions)
    more = ", ..." if count > len(positions) else ""
    what = f"{count:,} open {'edge' if count == 1 else 'edges'} of {surface.edges.count:,}, at {places}{more}"
    if surface.one_sided:
        what = f"it has only one side, like a Möbius strip, so windings cannot agree; {what}"
    return OpenMeshError(f"the mesh is not closed: {what}", one_sided=surface.one_sided)
