"""The diagnosis of a mesh: its structure, its faults, and their effect on its mass."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box, moments
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.mesh.boundary_loops import boundary_loops
from sdfinertia.mesh.closed_solid import bounded_by
from sdfinertia.mesh.convex_hulls import convex_hull
from sdfinertia.mesh.kernel import (
    Indices,
    Points,
    distinct_rows,
    lengths,
    longest_sides,
    normals,
    only_used,
    surface_area,
)
from sdfinertia.mesh.method import Factors, MeshSource, MeshTreatment, Method
from sdfinertia.mesh.repair import NEAR, repaired_surface, weld_equal
from sdfinertia.mesh.store import MeshStore
from sdfinertia.mesh.topology import (
    RepairedSurface,
    components,
    disagreeing_faces,
    edges_of,
    least_vertex_first,
    without_repeated_vertex,
)
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.mesh.windings import overlapping_bodies, sampled_windings

_METRES = 10.0  # a link is seldom larger; 1 cm in millimetres read as metres is


@dataclass(frozen=True, slots=True)
class MeshDiagnosis:
    """The quality of a mesh, in m, m² and m³ in the frame of the mesh; unknown values are None.

    Attributes:
        vertices: different positions that the faces use.
        degenerate_faces: with two equal corners, or a height below 1e-7 of the mesh's diagonal.
        duplicate_faces: that repeat an earlier one, with its winding.
        double_sided_share: the share of the other faces whose reverse is there too.
        inconsistent_faces: to be flipped for all to agree with their neighbours.
        one_sided: whether a part has only one side, like a Möbius strip.
        bodies: of matter; of an open mesh, pieces connected by edges.
        cavities: surfaces that bound a hollow inside a body.
        inside_out_bodies: bodies or cavities that face the wrong way.
        overlapping_bodies: that reach into another, by points on their faces, which can miss the slightest overlaps.
        open_edges: not used equally often in both directions, after all repairs.
        open_positions: the middles of the first three of them.
        boundary_loops: closed chains of them: the holes.
        non_manifold_edges: with more than two faces, after all repairs.
        surface_area: after repairs, so that double-sided faces count once.
        min_winding, max_winding: of the closed surface around places beside its faces, by samples: 0 and 1 where
            it does not cross itself. Below 0 its volume is not known; above 1 the place counts as often.
        volume: enclosed by the closed surface, exactly.
        notes: on repairs, and on unknown values.
    """

    faces: int
    vertices: int
    degenerate_faces: int
    duplicate_faces: int
    double_sided_share: float
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
    min_winding: int | None = None
    max_winding: int | None = None
    volume: float | None = None
    hull_volume: float | None = None
    may_be_millimetres: bool = False
    notes: tuple[str, ...] = ()


def diagnose(mesh: TriangleMesh) -> MeshDiagnosis:
    if not len(mesh.faces):
        raise MeshError("the mesh has no faces")
    with np.errstate(all="ignore"):
        used, faces = only_used(mesh.vertices, mesh.faces)
        diagnosis = _as_listed(mesh, used, faces)
        try:
            surface = mesh.handed_on["surface"] = repaired_surface(mesh.vertices, mesh.faces)
        except MeshError as error:
            return replace(diagnosis, notes=(*diagnosis.notes, error.problem))
        diagnosis = replace(
            diagnosis,
            one_sided=surface.one_sided,
            non_manifold_edges=int((surface.edges.sizes > 2).sum()),
            surface_area=surface_area(surface.vertices, surface.faces),
            hull_volume=_hull_volume(used),
        )
        return _open(diagnosis, surface) if len(surface.open_edges) else _closed(diagnosis, surface)


def _pieces(surface: RepairedSurface) -> int:
    u, v, _ = surface.edges.pairs()
    return int(components(len(surface.faces), u, v).max()) + 1


def _as_listed(mesh: TriangleMesh, used: Points, faces: Indices) -> MeshDiagnosis:
    """The diagnosis before any repair but the merging of equal positions."""
    lower, upper = bounding_box(used)
    positions, welded = weld_equal(used, faces)
    sound = without_repeated_vertex(welded)
    width, depth, height = (upper - lower).tolist()
    tolerance = NEAR * float(np.hypot(np.hypot(width, depth), height))
    flat = lengths(normals(positions, sound)) <= longest_sides(positions, sound) * tolerance
    first, _ = distinct_rows(least_vertex_first(sound).view(np.uint64))
    once = sound[first]
    unwound, pair = distinct_rows(np.sort(once, axis=1).view(np.uint64))
    # A face and its reverse need not agree with their neighbours: one of them does.
    double = (np.bincount(pair) == 2)[pair] if len(once) else np.zeros(0, np.bool_)
    single = double[unwound]
    flipped, _ = disagreeing_faces(len(unwound), edges_of(once[unwound]), np.where(single, 0, 1))
    x, y, z = lower.tolist()
    far_x, far_y, far_z = upper.tolist()
    return MeshDiagnosis(
        faces=len(mesh.faces),
        vertices=len(positions),
        degenerate_faces=len(welded) - len(sound) + int(flat.sum()),
        duplicate_faces=len(sound) - len(once),
        double_sided_share=float(double.mean()) if len(once) else 0.0,
        inconsistent_faces=int((flipped & ~single).sum()),
        lower=(x, y, z),
        upper=(far_x, far_y, far_z),
        may_be_millimetres=bool((upper - lower).max() > _METRES),
        notes=mesh.notes,
    )


def _open(diagnosis: MeshDiagnosis, surface: RepairedSurface) -> MeshDiagnosis:
    loops = boundary_loops(surface.edges)
    return replace(
        diagnosis,
        bodies=_pieces(surface),
        open_edges=len(surface.open_edges),
        open_positions=tuple((x, y, z) for x, y, z in surface.open_positions()),
        boundary_loops=loops.count,
        notes=diagnosis.notes + surface.notes,
    )


def _closed(diagnosis: MeshDiagnosis, surface: RepairedSurface) -> MeshDiagnosis:
    try:
        solid = bounded_by(surface)
    except MeshError as error:
        return replace(diagnosis, notes=(*diagnosis.notes, *surface.notes, error.problem))
    overlapping, why = overlapping_bodies(solid.vertices, solid.faces, solid.body_of_face, solid.bodies)
    windings = sampled_windings(solid.vertices, solid.faces, thorough=True)
    if windings is not None:
        diagnosis = replace(diagnosis, min_winding=windings.least, max_winding=windings.greatest)
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
        inside_out_bodies=solid.flipped,
        overlapping_bodies=overlapping,
        volume=volume,
        notes=(*diagnosis.notes, *solid.notes, *why),
    )


def _hull_volume(used: Points) -> float | None:
    try:
        return moments(*convex_hull(used)).volume
    except MeshError:
        return None


# Ways to take an open mesh -------------------------------------------------------------------------------------------

# In the order of the report; the others are compared with the hull.
_COMPARED = (Method.CONVEX_HULL, Method.FILL_HOLES, Method.VOXEL, Method.SHELL)
# Limits for comparing policies: below a second each. A chosen policy takes the time that it needs.
_MAX_FACES = 1_000_000
_MAX_FACES_FOR_VOXELS = 200_000
# Faces of voxels that would cover the surface; the policy itself takes ten times as many and so its noise is a third.
_VOXEL_COVER = 4e3
# Per cent: a change below this is rounding.
_SAME = 1e-7


def alternatives(store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float) -> str:
    """One line for each policy: the mass it would give, and its tensor against that of the convex hull."""
    lines = ["close it in a modelling program, or choose --open-mesh or <sdfinertia:open_mesh>:"]
    reference: InertiaTensor | None = None
    for policy in _COMPARED:
        try:
            inertia, uncertainty, remark = _outcome(store, source, treatment._replace(open_mesh=policy), scale, density)
        except MeshError as error:
            lines.append(f"    {policy:<12} {error.problem}")
            continue
        text = f"{inertia.mass:.6g} kg"
        if uncertainty:
            text += f" ± {100 * uncertainty:.2g} %"
        if reference is None:
            reference = inertia.I_BBcm_B
        else:
            change = _change(inertia.I_BBcm_B, reference)
            text += f", tensor {change:+.2g} % against the hull" if abs(change) > _SAME else ", same tensor as the hull"
        lines.append(f"    {policy:<12} {text}{remark}")
    return "\n".join(lines)


def _outcome(
    store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float
) -> tuple[SpatialInertia, float, str]:
    """The inertia, its uncertainty, and a remark."""
    mesh = store.mesh(source)
    maximum = _MAX_FACES_FOR_VOXELS if treatment.open_mesh is Method.VOXEL else _MAX_FACES
    if len(mesh.faces) > maximum:
        raise MeshError(f"left out: the mesh has more than {maximum:,} faces")
    remark = ""
    if treatment.open_mesh is Method.VOXEL:
        scaled = mesh.scaled(scale)
        least = math.sqrt(surface_area(scaled.vertices, scaled.faces) / _VOXEL_COVER)
        if treatment.voxel_size is None and math.isfinite(least) and least > 0.0:
            treatment = treatment._replace(voxel_size=float(f"{least:.1e}"))
            remark = f", in voxels of {treatment.voxel_size:g} m; the policy takes a third of that"
        elif treatment.voxel_size is not None and treatment.voxel_size < 0.9 * least:
            raise MeshError(f"left out: voxels of {treatment.voxel_size:g} m are too many to compare")
    solid = store.solid(source, treatment, scale)
    return solid.spatial_inertia(density), solid.uncertainty, remark


def _change(tensor: InertiaTensor, reference: InertiaTensor) -> float:
    """The largest change of an entry, in per cent of the reference's largest moment."""
    scale = max(reference.ixx, reference.iyy, reference.izz)
    changes = [a - b for a, b in zip(tensor, reference, strict=True)]
    return 100.0 * max(changes, key=abs) / scale
