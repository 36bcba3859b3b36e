"""From the triangles of a mesh to the solid they bound, its moments, box and hull; each step runs at most once.

    bytes → mesh (`readers`) → welded → surface (`repair`) → solid (`closed_solid`), windings → MeshSolid, MeshDiagnosis
                               welded → hull

`store` puts both into the record of the mesh, which `cache` keeps. Vertices are (n, 3), faces (m, 3) rows of them.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.mesh import MeshTreatment, Method, Overlaps
from sdfinertia.mesh.boolean_union import united
from sdfinertia.mesh.closed_solid import ClosedSolid, bounded_by, closed_solid, filled
from sdfinertia.mesh.convex_hulls import convex_hull
from sdfinertia.mesh.facts import MeshSolid
from sdfinertia.mesh.kernel import Surface, only_used
from sdfinertia.mesh.repair import repaired, weld_equal
from sdfinertia.mesh.solid_moments import BY_MUJOCO, approximated, require_inside, require_sane
from sdfinertia.mesh.topology import RepairedSurface
from sdfinertia.mesh.windings import SampledWindings, sampled_windings

if TYPE_CHECKING:
    from sdfinertia.mesh.triangle_mesh import TriangleMesh

_INTEGRATED = (Method.EXACT, Method.FILL_HOLES, Method.CONVEX_HULL)
_INSIDE_HULL = (Method.VOXEL, Method.CONVEX_DECOMPOSITION, Method.SHELL)


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

    @cached_property
    def hull_moments(self) -> VolumeMoments:
        return moments(*self.hull)

    def by(self, method: Method, treatment: MeshTreatment) -> MeshSolid:
        """The solid by a method: the treatment's own, or its policy for an open mesh."""
        with np.errstate(all="ignore"):  # an overflow shows in the result
            is_integrated = method in _INTEGRATED
            found = self._integrated(method, treatment) if is_integrated else self._approximated(method, treatment)
            require_sane(found.moments, *self.mesh.bounds)
            if method in _INSIDE_HULL:
                hull = None
                with suppress(MeshError):  # of a flat mesh; only the shell method takes it
                    hull = self.hull
                if hull is not None:
                    require_inside(found.moments, *hull, (method is Method.SHELL and treatment.thickness) or 0.0)
        return found

    def closed(self, method: str, treatment: MeshTreatment) -> tuple[Surface, tuple[str, ...]]:
        """The closed surface that a method integrates, and notes."""
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
        note = f"what its {solid.bodies} bodies share is counted once"
        return united([(solid.vertices, solid.faces)]), (*solid.notes, note)

    def _integrated(self, method: Method, treatment: MeshTreatment) -> MeshSolid:
        (vertices, faces), notes = self.closed(method, treatment)
        if method is Method.CONVEX_HULL:
            return self._solid(self.hull_moments, method, notes)
        is_own = method is Method.EXACT and faces is self.solid.faces
        if (windings := self.windings if is_own else sampled_windings(vertices, faces)) is not None:
            windings.require_positive()
            if treatment.overlaps is Overlaps.UNION:
                windings.require_single()
            notes = (*notes, *windings.notes)
        return self._solid(self.solid.moments if is_own else moments(vertices, faces), method, notes)

    def _approximated(self, method: Method, treatment: MeshTreatment) -> MeshSolid:
        if method in BY_MUJOCO:
            found = approximated(method, treatment, self.mesh.vertices, self.mesh.faces)
            return self._solid(found.moments, method, (found.note,))
        takes_solid = method in (Method.VOXEL, Method.CONVEX_DECOMPOSITION) and not len(self.surface.open_edges)
        source = self.solid if takes_solid else self.surface
        found = approximated(method, treatment, source.vertices, source.faces)
        return self._solid(found.moments, method, (*source.notes, found.note), found.uncertainty)

    def _solid(self, found: VolumeMoments, method: Method, notes: tuple[str, ...] = (), off: float = 0.0) -> MeshSolid:
        mesh = self.mesh
        x, y, z = (mesh.bounds[1] - mesh.bounds[0]).tolist()
        return MeshSolid(found, method, (x, y, z), len(mesh.faces), mesh.uncertainty + off, (*mesh.notes, *notes))
