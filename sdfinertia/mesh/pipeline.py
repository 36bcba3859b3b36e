"""From the triangles of a mesh to the solid they bound and its moments; each step runs at most once.

    mesh → welded → surface (repaired by patches) → solid → moments, windings → MeshSolid
    mesh → welded → hull

Vertices are (n, 3), faces (m, 3) rows of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.errors import MeshError, ThicknessError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.boolean_union import united
from sdfinertia.mesh.closed_solid import ClosedSolid, bounded_by, closed_solid, filled
from sdfinertia.mesh.convex_hulls import convex_hull, decomposed
from sdfinertia.mesh.kernel import Surface, lengths, normals, only_used
from sdfinertia.mesh.method import MeshSolid, MeshTreatment, Method, Overlaps
from sdfinertia.mesh.repair import repaired, weld_equal
from sdfinertia.mesh.solid_moments import ORIGIN, legacy_moments, shell_moments, surface_moments, voxel_moments
from sdfinertia.mesh.windings import SampledWindings, sampled_windings

if TYPE_CHECKING:
    from sdfinertia.inertia.solids import VolumeMoments
    from sdfinertia.mesh.topology import RepairedSurface
    from sdfinertia.mesh.triangle_mesh import TriangleMesh

_ROUNDING = 1e-9  # relative tolerance of the checks of a result
# Methods that integrate a closed surface, and those whose result no hull bounds.
_BY_SURFACE = (Method.EXACT, Method.CONVEX_HULL, Method.FILL_HOLES)
_UNBOUNDED = (Method.EXACT, Method.FILL_HOLES, Method.DIVERGENCE, Method.LEGACY, Method.SURFACE)

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
            lower, upper = self.mesh.bounds
            self._require_sane(result)
            if method not in _UNBOUNDED:
                self._require_inside_hull(result, (treatment.thickness or 0.0) if method is Method.SHELL else 0.0)
        x, y, z = (upper - lower).tolist()
        uncertainty += self.mesh.uncertainty
        return MeshSolid(result, method, (x, y, z), len(self.mesh.faces), uncertainty, (*self.mesh.notes, *notes))

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
        if method is Method.LEGACY:
            note = "the volume is overcounted, as MuJoCo's legacy inertia is"
            return legacy_moments(mesh.vertices, mesh.faces), 0.0, (note,)
        if method is Method.SURFACE:
            note = "the faces have the mass, as in MuJoCo's shell inertia"
            return surface_moments(mesh.vertices, mesh.faces), 0.0, (note,)
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
