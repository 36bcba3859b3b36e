"""From the triangles of a mesh to the solid they bound and its moments; each step runs at most once.

    mesh → welded → surface (repaired by patches) → solid with its moments, windings → MeshSolid, MeshDiagnosis
    mesh → welded → hull

Vertices are (n, 3), faces (m, 3) rows of them.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.errors import MeshError, ThicknessError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.boolean_union import united
from sdfinertia.mesh.boundary_loops import boundary_loops
from sdfinertia.mesh.closed_solid import ClosedSolid, bounded_by, closed_solid, filled
from sdfinertia.mesh.convex_hulls import convex_hull, decomposed
from sdfinertia.mesh.kernel import (
    Indices,
    Surface,
    are_flat,
    distinct_rows,
    lengths,
    normals,
    on_used_rows,
    only_used,
    surface_area,
)
from sdfinertia.mesh.method import MeshDiagnosis, MeshSolid, MeshTreatment, Method, Overlaps
from sdfinertia.mesh.repair import NEAR, repaired, weld_equal
from sdfinertia.mesh.solid_moments import (
    ORIGIN,
    legacy_moments,
    shell_moments,
    surface_moments,
    unit_shell_moments,
    voxel_moments,
)
from sdfinertia.mesh.topology import (
    RepairedSurface,
    components,
    disagreeing_faces,
    edges_of,
    least_vertex_first,
    without_repeated_vertex,
)
from sdfinertia.mesh.windings import SampledWindings, sampled_windings

if TYPE_CHECKING:
    from sdfinertia.inertia.solids import VolumeMoments
    from sdfinertia.mesh.triangle_mesh import TriangleMesh

_ROUNDING = 1e-9  # relative tolerance of the checks of a result
# Methods that integrate a closed surface, and those whose result no hull bounds.
_BY_SURFACE = (Method.EXACT, Method.CONVEX_HULL, Method.FILL_HOLES)
_UNBOUNDED = (Method.EXACT, Method.FILL_HOLES, Method.DIVERGENCE, Method.LEGACY, Method.SURFACE)

_BY_MUJOCO = {
    Method.LEGACY: (legacy_moments, "the volume is overcounted, as MuJoCo's legacy inertia is"),
    Method.SURFACE: (surface_moments, "the faces have the mass, as in MuJoCo's shell inertia"),
}

_Notes = tuple[str, ...]


class Pipeline:
    def __init__(self, mesh: TriangleMesh) -> None:
        self.mesh = mesh

    @cached_property
    def welded(self) -> Surface:
        """The vertices in use, no two equal, and all faces."""
        vertices, faces = self.mesh.vertices, self.mesh.faces
        return (vertices, faces) if self.mesh.is_welded else weld_equal(*only_used(vertices, faces))

    @cached_property
    def surface(self) -> RepairedSurface:
        return repaired(*self.welded)

    @cached_property
    def solid(self) -> ClosedSolid:
        return bounded_by(self.surface)

    @cached_property
    def windings(self) -> SampledWindings | None:
        return sampled_windings(self.solid.vertices, self.solid.faces)

    @cached_property
    def hull(self) -> Surface:
        return convex_hull(self.welded[0] if len(self.mesh.faces) else self.mesh.vertices)

    def by(self, method: Method, treatment: MeshTreatment) -> MeshSolid:
        """The solid by a method: the treatment's own, or its policy for an open mesh."""
        with np.errstate(all="ignore"):  # an overflow shows in the result
            result, uncertainty, notes = self._measured(method, treatment)
            self._require_sane(result)
            if method not in _UNBOUNDED:
                self._require_inside_hull(result, (treatment.thickness or 0.0) if method is Method.SHELL else 0.0)
        return self._solid(result, method, uncertainty, notes)

    def closed(self, method: str, treatment: MeshTreatment) -> tuple[Surface, _Notes]:
        if method == Method.CONVEX_HULL:
            return self.hull, ("the convex hull is used for the mesh",)
        if method == Method.FILL_HOLES:
            surface = filled(self.surface)
            solid = closed_solid(surface.vertices, surface.faces)
            return (solid.vertices, solid.faces), (*surface.notes, *solid.notes)
        if method != Method.EXACT:
            raise MeshError(f"the method {method} gives no surface")
        solid = self.solid
        if treatment.overlaps is not Overlaps.UNION or solid.bodies < 2:
            return (solid.vertices, solid.faces), solid.notes
        return united([(solid.vertices, solid.faces)]), (
            *solid.notes,
            f"what its {solid.bodies} bodies share is counted once",
        )

    def faces_alone(self) -> MeshSolid:
        moments = unit_shell_moments(self.mesh.vertices, self.mesh.faces)
        return self._solid(moments, Method.SHELL, 0.0, ())

    def _solid(self, moments: VolumeMoments, method: Method, uncertainty: float, notes: _Notes) -> MeshSolid:
        mesh = self.mesh
        x, y, z = (mesh.bounds[1] - mesh.bounds[0]).tolist()
        return MeshSolid(
            moments, method, (x, y, z), len(mesh.faces), uncertainty + mesh.uncertainty, (*mesh.notes, *notes)
        )

    def _measured(self, method: Method, treatment: MeshTreatment) -> tuple[VolumeMoments, float, _Notes]:
        """`(moments, uncertainty, notes)`."""
        mesh = self.mesh
        if method in _BY_SURFACE:
            closed, notes = self.closed(method, treatment)
            if method is Method.CONVEX_HULL:
                return moments(*closed), 0.0, notes
            own = closed[1] is self.solid.faces if method is Method.EXACT else False
            windings = self.windings if own else sampled_windings(*closed)
            result = self.solid.moments if own else moments(*closed)
            if windings is not None:
                windings.require_positive()
                if treatment.overlaps is Overlaps.UNION:
                    windings.require_single()
                notes = (*notes, *windings.notes)
            return result, 0.0, notes
        if method in _BY_MUJOCO:
            measured, note = _BY_MUJOCO[method]
            return measured(mesh.vertices, mesh.faces), 0.0, (note,)
        surface = self.surface
        if method is Method.DIVERGENCE:
            note = "the open surface is integrated from its origin"
            return moments(surface.vertices, surface.faces, ORIGIN), 0.0, (*surface.notes, note)
        if method is Method.SHELL:
            if treatment.thickness is None:
                remedy = "give <sdfinertia:thickness> in <auto_inertia_params>, or --thickness"
                raise ThicknessError("a shell needs a thickness", remedy=remedy)
            note = f"the mesh is taken for a wall {treatment.thickness:g} m thick"
            result = shell_moments(surface.vertices, surface.faces, treatment.thickness)
            return result, 0.0, (*surface.notes, note)
        solid = surface if len(surface.open_edges) else self.solid
        if method is Method.VOXEL:
            counted = voxel_moments(solid.vertices, solid.faces, treatment.voxel_size)
            size, error = counted.voxel_size, counted.error
            note = f"voxels of {size:.3g} m are used for the mesh, mass uncertain by about {100 * error:.2g} %"
            return counted.moments, error, (*solid.notes, note)
        parts = decomposed(solid.vertices, solid.faces, treatment.max_convex_hulls, treatment.voxel_resolution)
        what = "convex hull is used" if parts.hulls == 1 else "convex hulls of a decomposition are used"
        note = f"{parts.hulls} {what} for the mesh"
        if parts.uncertainty > _ROUNDING:
            note += f", volume {100 * parts.uncertainty:.2g} % off"
        return parts.moments, parts.uncertainty, (*solid.notes, note)

    def _require_sane(self, result: VolumeMoments) -> None:
        finite = np.isfinite([result.volume, *result.centroid, *result.second]).all()
        if not finite or result.volume <= 0.0:
            raise MeshError(f"the mesh encloses a volume of {result.volume:g} m³")
        lower, upper = self.mesh.bounds
        corner = np.maximum(np.abs(lower - result.centroid), np.abs(upper - result.centroid))
        # The mean square distance from the centroid is at most that of the farthest corner.
        if sum(result.second[:3]) / result.volume > float(corner @ corner) * (1 + _ROUNDING):
            raise MeshError("the mesh gives a radius of gyration above its bounding radius: its surface crosses itself")

    def _require_inside_hull(self, result: VolumeMoments, thickness: float) -> None:
        try:
            vertices, faces = self.hull
        except MeshError:
            return  # a flat mesh has no hull; only the shell method takes it
        normal = normals(vertices, faces)
        doubled = lengths(normal)
        away = ((np.array(result.centroid) - vertices[faces[:, 0]]) * normal).sum(axis=1) / np.maximum(doubled, 1e-300)
        lower, upper = self.mesh.bounds
        if away.max() > float(np.linalg.norm(upper - lower)) * _ROUNDING + thickness / 2:
            raise MeshError("the approximation has its centre of mass outside the convex hull of the mesh")
        allowed = moments(vertices, faces).volume + thickness / 2 * float(doubled.sum()) / 2
        # Cells of voxels at the surface reach out of it; on the whole they cancel, to a per cent.
        if result.volume > allowed * 1.01:
            raise MeshError(
                f"the approximation has a volume of {result.volume:g} m³, more than the {allowed:g} m³ of the convex "
                "hull"
            )


# The diagnosis: structure, faults, and their effect on the mass -------------------------------------------------------

_METRES = 10.0  # a link is seldom larger; 1 cm in millimetres read as metres is


def diagnose(pipeline: Pipeline) -> MeshDiagnosis:
    mesh = pipeline.mesh
    if not len(mesh.faces):
        raise MeshError("the mesh has no faces")
    with np.errstate(all="ignore"):
        try:
            surface = pipeline.surface
        except MeshError as error:
            diagnosis = _as_listed(pipeline, None)
            return diagnosis._replace(notes=(*diagnosis.notes, error.problem))
        diagnosis = _as_listed(pipeline, surface)
        diagnosis = diagnosis._replace(
            one_sided=surface.one_sided,
            non_manifold_edges=int((surface.edges.sizes > 2).sum()),
            surface_area=surface_area(surface.vertices, surface.faces),
        )
        with suppress(MeshError):
            diagnosis = diagnosis._replace(hull_volume=moments(*pipeline.hull).volume)
        return _open(diagnosis, surface) if len(surface.open_edges) else _closed(diagnosis, pipeline)


def _as_listed(pipeline: Pipeline, surface: RepairedSurface | None) -> MeshDiagnosis:
    mesh, (positions, welded) = pipeline.mesh, pipeline.welded
    lower, upper = mesh.bounds
    sound = without_repeated_vertex(welded)
    width, depth, height = (upper - lower).tolist()
    tolerance = NEAR * float(np.hypot(np.hypot(width, depth), height))
    flat = are_flat(positions, sound, tolerance)
    repeated, double, inconsistent = _faults(sound, len(positions), surface)
    x, y, z = lower.tolist()
    far_x, far_y, far_z = upper.tolist()
    return MeshDiagnosis(
        faces=len(mesh.faces),
        vertices=len(positions),
        degenerate_faces=len(welded) - len(sound) + int(flat.sum()),
        duplicate_faces=repeated,
        double_sided_share=double,
        inconsistent_faces=inconsistent,
        lower=(x, y, z),
        upper=(far_x, far_y, far_z),
        may_be_millimetres=bool((upper - lower).max() > _METRES),
        notes=mesh.notes,
    )


def _faults(sound: Indices, count: int, surface: RepairedSurface | None) -> tuple[int, float, int]:
    """Faces listed again, the share of the others whose reverse is there too, and faces to be flipped."""
    if not len(sound):
        return 0, 0.0, 0
    is_plain = surface is not None and surface.edges.is_manifold and not surface.has_coincident_faces
    if surface is not None and is_plain and np.array_equal(surface.faces, on_used_rows(sound, count)[1]):
        return 0, 0.0, 0
    first, _ = distinct_rows(least_vertex_first(sound).view(np.uint64))
    once = sound[first]
    unwound, pair = distinct_rows(np.sort(once, axis=1).view(np.uint64))
    # A face and its reverse need not agree with their neighbours: one of them does.
    double = (np.bincount(pair) == 2)[pair]
    single = double[unwound]
    flipped, _ = disagreeing_faces(len(unwound), edges_of(once[unwound]), np.where(single, 0, 1))
    return len(sound) - len(once), float(double.mean()), int((flipped & ~single).sum())


def _open(diagnosis: MeshDiagnosis, surface: RepairedSurface) -> MeshDiagnosis:
    u, v, _ = surface.edges.pairs()
    return diagnosis._replace(
        bodies=int(components(len(surface.faces), u, v).max()) + 1,
        open_edges=len(surface.open_edges),
        open_positions=tuple((x, y, z) for x, y, z in surface.open_positions()),
        boundary_loops=boundary_loops(surface.edges).count,
        notes=diagnosis.notes + surface.notes,
    )


def _closed(diagnosis: MeshDiagnosis, pipeline: Pipeline) -> MeshDiagnosis:
    try:
        solid = pipeline.solid
    except MeshError as error:
        return diagnosis._replace(notes=(*diagnosis.notes, *pipeline.surface.notes, error.problem))
    why: tuple[str, ...] = ()
    windings = pipeline.windings or sampled_windings(solid.vertices, solid.faces, thorough=True)
    volume: float | None = solid.moments.volume
    if windings is not None:
        diagnosis = diagnosis._replace(min_winding=windings.least, max_winding=windings.greatest)
        why = windings.notes
        try:
            windings.require_positive()
        except MeshError as error:
            volume, why = None, (*why, error.problem)
    return diagnosis._replace(
        bodies=solid.bodies,
        cavities=solid.cavities,
        inside_out_bodies=solid.flipped,
        volume=volume,
        notes=(*diagnosis.notes, *solid.notes, *why),
    )
