"""What a mesh is like: how it is made, what is wrong with it, and what that would do to its mass."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sdfinertia.errors import MeshError, OpenMeshError
from sdfinertia.inertia.polyhedron import bounding_box, moments
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.mesh.kernel import (
    Flags,
    Indices,
    Points,
    distinct_rows,
    lengths,
    longest_sides,
    normals,
    only_used,
    surface_area,
)
from sdfinertia.mesh.surface.boundary_loops import boundary_loops
from sdfinertia.mesh.surface.closed_solid import closed_solid
from sdfinertia.mesh.surface.overlaps import overlapping_bodies, sampled_windings
from sdfinertia.mesh.surface.surface_repair import NEAR, repaired_surface, weld_equal
from sdfinertia.mesh.surface.topology import (
    RepairedSurface,
    components,
    disagreeing_faces,
    edges_of,
    least_vertex_first,
    without_repeated_vertex,
)
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.mesh.volume.convex_hulls import convex_hull
from sdfinertia.mesh.volume.open_surfaces import divergence_moments

_POSITIONS_TOLD = 3
_METRES = 10.0  # a link is seldom larger; a file in millimetres makes of 1 cm that much


@dataclass(frozen=True, slots=True)
class MeshDiagnosis:
    """What a mesh is like. Lengths, areas and volumes are in m, m² and m³ in the frame of the mesh.

    Attributes:
        faces: how many triangles the file has.
        vertices: how many different positions they use.
        degenerate_faces: how many have no area: two equal corners, or a height below 1e-7 of the mesh's diagonal.
        repeated_faces: how many stand before with the same corners and winding.
        double_sided: the share of the faces, without degenerate and repeated ones, whose reverse is there too.
        inconsistent_faces: how many would have to be turned for all to agree with their neighbours.
        one_sided: whether a part has only one side, like a Möbius strip, so that none of its windings agree.
        bodies: how many bodies of matter there are; in a mesh that is not closed, pieces that hang together by edges.
        cavities: how many surfaces bound a hollow inside a body; None if that is not known.
        inside_out_bodies: how many bodies or cavities face the wrong way; None if that is not known.
        overlapping_bodies: how many bodies reach into the matter of another, found by points on their faces, so that
            the slightest overlaps can be missed; None if that is not known.
        open_edges: how many edges are not used equally often in both directions, after all repairs.
        open_positions: the middles of the first three of them.
        boundary_loops: how many closed chains they form: the holes.
        non_manifold_edges: how many edges have more than two faces, after all repairs.
        lower, upper: the corners of the bounding box.
        surface_area: of all faces after repairs, so that double-sided ones count once.
        least_winding, greatest_winding: how often the closed surface winds round places beside its faces, found by
            samples: 0 and 1 where it does not cross itself. Below 0 its volume is not known; above 1 the place counts
            as often, and bodies overlap or cross themselves. None if it is not closed, or very many faces are as long
            as the mesh.
        volume: that the closed surface encloses, exactly; None if it is not closed, encloses none, or bounds a place
            from inside.
        hull_volume: of the convex hull; None if the mesh is flat.
        divergence_uncertainty: of the mass by the divergence integral of the open surface from the mesh's origin, in
            per cent; infinite if that integral is not positive; None if the mesh is closed.
        may_be_millimetres: whether it is so large that the file may be in millimetres.
        notes: what was repaired to find this, and why a figure is not known, one sentence each without a full stop.
    """

    faces: int
    vertices: int
    degenerate_faces: int
    repeated_faces: int
    double_sided: float
    inconsistent_faces: int
    lower: Vector3
    upper: Vector3
    one_sided: bool = False
    bodies: int = 0
    cavities: int | None = None
    inside_out_bodies: int | None = None
    overlapping_bodies: int | None = None
    open_edges: int = 0
    open_positions: tuple[Vector3, ...] = ()
    boundary_loops: int = 0
    non_manifold_edges: int = 0
    surface_area: float = 0.0
    least_winding: int | None = None
    greatest_winding: int | None = None
    volume: float | None = None
    hull_volume: float | None = None
    divergence_uncertainty: float | None = None
    may_be_millimetres: bool = False
    notes: tuple[str, ...] = ()


def diagnose(mesh: TriangleMesh) -> MeshDiagnosis:
    """What the mesh is like, however bad it is.

    Raises:
        MeshError: it has no faces.
    """
    if not len(mesh.faces):
        raise MeshError("the mesh has no faces")
    with np.errstate(all="ignore"):
        used, faces = only_used(mesh.vertices, mesh.faces)
        diagnosis = _as_listed(mesh, used, faces)
        try:
            surface = repaired_surface(mesh.vertices, mesh.faces)
        except MeshError as error:
            return replace(diagnosis, notes=(*diagnosis.notes, error.problem))
        diagnosis = replace(
            diagnosis,
            one_sided=surface.one_sided,
            non_manifold_edges=int((surface.edges.sizes > 2).sum()),
            surface_area=surface_area(surface.vertices, surface.faces),
            hull_volume=_hull_volume(used),
        )
        return _open(diagnosis, surface) if len(surface.open_edges) else _closed(diagnosis, mesh, surface)


def counts(mesh: TriangleMesh) -> tuple[int, int]:
    """How many bodies, or pieces of an open surface, a mesh has, and how many open edges, as a diagnosis has them.

    Raises:
        MeshError: the surface is closed and bounds no solid.
    """
    with np.errstate(all="ignore"):
        try:
            return closed_solid(mesh.vertices, mesh.faces).bodies, 0
        except OpenMeshError:
            surface = repaired_surface(mesh.vertices, mesh.faces)
            return _pieces(surface), len(surface.open_edges)


def _pieces(surface: RepairedSurface) -> int:
    """How many pieces hang together by edges."""
    u, v, _ = surface.edges.pairs()
    return int(components(len(surface.faces), u, v).max()) + 1


def _as_listed(mesh: TriangleMesh, used: Points, faces: Indices) -> MeshDiagnosis:
    """What the triangles are like before any repair but that equal positions are one."""
    lower, upper = bounding_box(used)
    positions, welded = weld_equal(used, faces)
    sound = without_repeated_vertex(welded)
    degenerate = len(welded) - len(sound) + int(_is_flat(positions, sound, NEAR * _diagonal(lower, upper)).sum())
    first, _ = distinct_rows(least_vertex_first(sound).view(np.uint64))
    once = sound[first]
    unwound, pair = distinct_rows(np.sort(once, axis=1).view(np.uint64))
    # A face and its reverse are not asked to agree with their neighbours: one of them does.
    double = (np.bincount(pair) == 2)[pair] if len(once) else np.zeros(0, np.bool_)
    single = double[unwound]
    turned, _ = disagreeing_faces(len(unwound), edges_of(once[unwound]), np.where(single, 0, 1))
    x, y, z = lower.tolist()
    far_x, far_y, far_z = upper.tolist()
    return MeshDiagnosis(
        faces=len(mesh.faces),
        vertices=len(positions),
        degenerate_faces=degenerate,
        repeated_faces=len(sound) - len(once),
        double_sided=float(double.mean()) if len(once) else 0.0,
        inconsistent_faces=int((turned & ~single).sum()),
        lower=(x, y, z),
        upper=(far_x, far_y, far_z),
        may_be_millimetres=bool((upper - lower).max() > _METRES),
        notes=mesh.notes,
    )


def _open(diagnosis: MeshDiagnosis, surface: RepairedSurface) -> MeshDiagnosis:
    """The diagnosis with what is known of a surface that is not closed."""
    ends = surface.edges.ends[surface.open_edges[:_POSITIONS_TOLD]]
    middles = surface.vertices[ends[:, 0]] / 2 + surface.vertices[ends[:, 1]] / 2
    loops = boundary_loops(surface.edges)
    _, uncertainty = divergence_moments(surface.vertices, surface.faces, loops)
    return replace(
        diagnosis,
        bodies=_pieces(surface),
        open_edges=len(surface.open_edges),
        open_positions=tuple((x, y, z) for x, y, z in middles.tolist()),
        boundary_loops=loops.count,
        divergence_uncertainty=100.0 * uncertainty,
        notes=diagnosis.notes + surface.notes,
    )


def _closed(diagnosis: MeshDiagnosis, mesh: TriangleMesh, surface: RepairedSurface) -> MeshDiagnosis:
    """The diagnosis with what is known of a closed surface."""
    try:
        solid = closed_solid(mesh.vertices, mesh.faces)
    except MeshError as error:
        return replace(diagnosis, notes=(*diagnosis.notes, *surface.notes, error.problem))
    overlapping, why = overlapping_bodies(solid)
    windings = sampled_windings(solid.vertices, solid.faces, thorough=True)
    if windings is not None:
        diagnosis = replace(diagnosis, least_winding=windings.least, greatest_winding=windings.greatest)
        why += windings.notes
    volume: float | None = moments(solid.vertices, solid.faces).volume
    try:
        if windings is not None:
            windings.require_positive()
    except MeshError as error:
        volume, why = None, (*why, error.problem)
    return replace(
        diagnosis,
        bodies=solid.bodies,
        cavities=solid.cavities,
        inside_out_bodies=solid.turned,
        overlapping_bodies=overlapping,
        volume=volume,
        notes=(*diagnosis.notes, *solid.notes, *why),
    )


def _is_flat(vertices: Points, faces: Indices, tolerance: float) -> Flags:
    """Whether the height of each face (m, 3) is within the tolerance, (m,)."""
    flat: Flags = lengths(normals(vertices, faces)) <= longest_sides(vertices, faces) * tolerance
    return flat


def _diagonal(lower: Points, upper: Points) -> float:
    x, y, z = (upper - lower).tolist()
    return float(np.hypot(np.hypot(x, y), z))


def _hull_volume(used: Points) -> float | None:
    try:
        return moments(*convex_hull(used)).volume
    except MeshError:
        return None
