"""From the triangles of a mesh to the solid that they bound, its moments, box and hull; each step runs at most once.

    read (`readers`) → box
                     → welded → closed? → else repaired → solid → its moments → MeshSolid, MeshDiagnosis
                              → hull

`store` puts both into the record of the mesh, which `cache` keeps. Vertices are (n, 3), faces (m, 3) rows of them.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.mesh import MeshTreatment, Method, Overlaps
from sdfinertia.mesh.boolean_union import with_bodies_united
from sdfinertia.mesh.closed_solid import ClosedSolid, bounded_by, bounded_with_caps, convex_solid
from sdfinertia.mesh.convex_hulls import convex_hull
from sdfinertia.mesh.facts import MeshSolid
from sdfinertia.mesh.kernel import Surface, only_used
from sdfinertia.mesh.repair import repaired, weld_equal
from sdfinertia.mesh.solid_moments import BY_MUJOCO, INSIDE_HULL, OF_A_SOLID, approximated, require_inside, require_sane
from sdfinertia.mesh.topology import RepairedSurface, surface_as_listed

if TYPE_CHECKING:
    from sdfinertia.mesh.triangle_mesh import TriangleMesh

_INTEGRATED = (Method.EXACT, Method.FILL_HOLES, Method.CONVEX_HULL)
_Found = tuple[VolumeMoments, tuple[str, ...], float]


class Pipeline:
    def __init__(self, mesh: TriangleMesh) -> None:
        self.mesh = mesh

    @cached_property
    def welded(self) -> Surface:
        vertices, faces = self.mesh.vertices, self.mesh.faces
        return (vertices, faces) if self.mesh.is_welded else weld_equal(*only_used(vertices, faces))

    @cached_property
    def surface(self) -> RepairedSurface:
        listed = surface_as_listed(*self.welded)
        return listed if listed.edges.is_manifold else repaired(listed)

    @cached_property
    def solid(self) -> ClosedSolid:
        return bounded_by(self.surface)

    @cached_property
    def hull(self) -> ClosedSolid:
        return convex_solid(*convex_hull(self.welded[0] if len(self.mesh.faces) else self.mesh.vertices))

    def closed(self, method: str, treatment: MeshTreatment) -> tuple[Surface, tuple[str, ...]]:
        """The surface of the solid that a method integrates, and notes."""
        solid = self.solid_by(method, treatment)
        return (solid.vertices, solid.faces), solid.notes

    def solid_by(self, method: str, treatment: MeshTreatment) -> ClosedSolid:
        if method == Method.CONVEX_HULL:
            return self.hull
        if method == Method.FILL_HOLES:
            return bounded_with_caps(self.surface)
        if method != Method.EXACT:
            raise MeshError(f"the method {method} gives no surface")
        is_united = treatment.overlaps is Overlaps.UNION and self.solid.bodies > 1
        return with_bodies_united(self.solid) if is_united else self.solid

    def by(self, method: Method, treatment: MeshTreatment) -> MeshSolid:
        """The solid by a method: the treatment's own, or its policy for an open mesh."""
        with np.errstate(all="ignore"):  # an overflow shows in the result
            found, notes, off = (self._integrated if method in _INTEGRATED else self._approximated)(method, treatment)
            mesh, (low, high) = self.mesh, self.mesh.bounds
            require_sane(found, low, high)
            hull = None
            with suppress(MeshError):  # of a flat mesh; only the shell method takes it
                hull = self.hull if method in INSIDE_HULL else None
            if hull is not None:
                wall = (method is Method.SHELL and treatment.thickness) or 0.0
                require_inside(found, hull.vertices, hull.faces, wall)
        x, y, z = (high - low).tolist()
        return MeshSolid(found, method, (x, y, z), len(mesh.faces), mesh.uncertainty + off, (*mesh.notes, *notes))

    def _integrated(self, method: Method, treatment: MeshTreatment) -> _Found:
        solid = self.solid_by(method, treatment)
        overlaps = () if method is Method.CONVEX_HULL else solid.overlaps(treatment.overlaps)
        return solid.moments, (*solid.notes, *overlaps), 0.0

    def _approximated(self, method: Method, treatment: MeshTreatment) -> _Found:
        source: TriangleMesh | ClosedSolid | RepairedSurface = self.mesh
        if method not in BY_MUJOCO:
            source = self.solid if method in OF_A_SOLID and not len(self.surface.open_edges) else self.surface
        found = approximated(method, treatment, source.vertices, source.faces)
        notes = source.notes if source is not self.mesh else ()
        return found.moments, (*notes, found.note), found.uncertainty
