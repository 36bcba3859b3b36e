"""The diagnosis and the body of one mesh file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sdfinertia.errors import OpenMeshError, SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.context import mesh_cache
from sdfinertia.mesh.convex_hulls import convex_hull
from sdfinertia.mesh.diagnosis import MeshDiagnosis, alternatives, diagnose
from sdfinertia.mesh.method import NO_SCALE, Factors, MeshSource, MeshTreatment, Method
from sdfinertia.mesh.store import MeshStore
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.options import Options
from sdfinertia.runs.work import FileTask


class MeshFacts(NamedTuple):
    """The report on a mesh file; `refusal` says why `inertia` is None, and compares the policies."""

    path: str
    density: float
    diagnosis: MeshDiagnosis
    inertia: SpatialInertia | None
    method: str
    refusal: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class MeshWeighing:
    """How meshes are weighed; called with the task of a file, it gives the report on it."""

    density: float
    treatment: MeshTreatment
    options: Options
    scale: Factors = NO_SCALE
    submesh: str | None = None

    def __call__(self, task: FileTask) -> MeshFacts:
        store = MeshStore(cache=mesh_cache(self.options, keeps=True))
        if task.data is not None:
            store.hold(task.path, task.data)
        return mesh_facts(store, task.path, self)


def mesh_facts(store: MeshStore, path: str, weighing: MeshWeighing) -> MeshFacts:
    source = MeshSource(path, weighing.submesh)
    diagnosis = diagnose(_diagnosed(store, source, weighing.treatment.method).scaled(weighing.scale))
    try:
        solid = store.solid(source, weighing.treatment, weighing.scale)
        inertia = solid.spatial_inertia(weighing.density)
    except OpenMeshError as error:
        compared = alternatives(store, source, weighing.treatment, weighing.scale, weighing.density)
        return MeshFacts(path, weighing.density, diagnosis, None, "", f"{error.problem}; {compared}", diagnosis.notes)
    except SdfInertiaError as error:
        return MeshFacts(path, weighing.density, diagnosis, None, "", error.problem, diagnosis.notes)
    # The diagnosis covers more than the integrated surface, and notes what it skipped.
    others = [note for note in diagnosis.notes if solid.method is Method.EXACT and note not in solid.notes]
    return MeshFacts(path, weighing.density, diagnosis, inertia, solid.method, "", (*solid.notes, *others))


def _diagnosed(store: MeshStore, source: MeshSource, method: str) -> TriangleMesh:
    """The triangles to be diagnosed; for the method convex_hull, the hull of a file of vertices alone."""
    if method is not Method.CONVEX_HULL or len(store.points(source).faces):
        return store.mesh(source)
    points = store.points(source)
    return TriangleMesh(*convex_hull(points.vertices), notes=points.notes)
