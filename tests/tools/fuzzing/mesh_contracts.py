"""Contracts for any bytes as a mesh file."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from fuzzing.messages import require_message
from fuzzing.table_contracts import scratch_directory
from sdfinertia.errors import OpenMeshError, SdfInertiaError
from sdfinertia.mesh.method import Factors, MeshSource, MeshTreatment, Method, Overlaps
from sdfinertia.mesh.readers.formats import read_mesh
from sdfinertia.mesh.repair import repaired_surface
from sdfinertia.mesh.store import MeshStore
from sdfinertia.options import Options
from sdfinertia.report.bodies import mesh_lines
from sdfinertia.report.json_records import json_text, mesh_record
from sdfinertia.runs.mesh_facts import MeshWeighing, mesh_facts

if TYPE_CHECKING:
    from sdfinertia.mesh.topology import RepairedSurface

# Comparing the policies for open meshes takes a hundred times the rest: only this one does.
WITH_ALTERNATIVES = MeshTreatment(overlaps=Overlaps.UNION)
# The first byte of an input chooses among these.
TREATMENTS: tuple[tuple[MeshTreatment, Factors], ...] = (
    (MeshTreatment(), (1.0, 1.0, 1.0)),
    (MeshTreatment(open_mesh=Method.CONVEX_HULL), (0.001, 0.001, 0.001)),
    (MeshTreatment(open_mesh=Method.FILL_HOLES), (1.0, -2.0, 3.0)),
    (MeshTreatment(open_mesh=Method.DIVERGENCE), (1e5, 1e-5, 1.0)),
    (MeshTreatment(open_mesh=Method.SHELL, thickness=0.002), (1.0, 1.0, 1.0)),
    (MeshTreatment(method=Method.CONVEX_HULL), (1.0, 1.0, 1.0)),
    (WITH_ALTERNATIVES, (1.0, 1.0, 1.0)),
    (MeshTreatment(method=Method.VOXEL, voxel_size=0.25), (1.0, 1.0, 1.0)),
    (MeshTreatment(method=Method.CONVEX_DECOMPOSITION, max_convex_hulls=2, voxel_resolution=1000), (1.0, 1.0, 1.0)),
)


def reading_holds(extension: str) -> Callable[[bytes], None]:
    """The contract of the reader of an extension and of all work on its triangles."""

    def holds(data: bytes) -> None:
        path = str(scratch_directory("meshes") / f"fuzzed{extension}")
        treatment, scale = TREATMENTS[data[0] % len(TREATMENTS) if data else 0]
        content = data[1:]
        try:
            mesh = read_mesh(path, content)
        except SdfInertiaError as error:
            require_message(error)
            return
        assert mesh.vertices.shape[1:] == mesh.faces.shape[1:] == (3,)
        stops = [0, *(part.stop for part in mesh.parts)]
        assert all(part.start >= before for part, before in zip(mesh.parts, stops, strict=False)), "parts share faces"
        assert stops[-1] <= len(mesh.faces)
        with open(path, "wb") as file:
            file.write(content)
        _surface_is_repaired(mesh.vertices, mesh.faces)
        for submesh in (None, *(mesh.parts[-1].names[:1] if mesh.parts else ())):
            _solid_is_told(path, MeshWeighing(1000.0, treatment, Options(), scale, submesh))

    return holds


def _surface_is_repaired(vertices: object, faces: object) -> None:
    try:
        surface: RepairedSurface = repaired_surface(vertices, faces)  # type: ignore[arg-type]
    except SdfInertiaError as error:
        require_message(error)
        return
    assert len(surface.faces)
    assert (surface.faces < len(surface.vertices)).all()
    try:
        again = repaired_surface(surface.vertices, surface.faces)
    except SdfInertiaError:
        return
    assert len(again.open_edges) <= len(surface.open_edges), "what was repaired is more open"


def _solid_is_told(path: str, weighing: MeshWeighing) -> None:
    """The diagnosis and the solid of a mesh file, as the command `mesh` prints them."""
    store = MeshStore()
    try:
        store.solid(MeshSource(path, weighing.submesh), weighing.treatment, weighing.scale)
    except OpenMeshError:
        if weighing.treatment != WITH_ALTERNATIVES:
            return
    except SdfInertiaError as error:
        require_message(error)
    try:
        facts = mesh_facts(store, path, weighing)
    except SdfInertiaError as error:
        require_message(error)
        return
    json_text(mesh_record(facts))
    assert all(line for line in mesh_lines(facts))
    if facts.inertia is None:
        assert facts.refusal
        return
    assert facts.inertia.mass > 0
    assert math.isfinite(facts.inertia.mass)
    if weighing.treatment.method not in (Method.VOXEL, Method.CONVEX_DECOMPOSITION):
        _centred_and_stretched(path, weighing)


def _centred_and_stretched(path: str, weighing: MeshWeighing) -> None:
    """The ways of SDF to take a mesh: `<center>`, and a scale of its own for each use of one store."""
    store = MeshStore()
    for source, scale in ((MeshSource(path, weighing.submesh, True), (2.0, 2.0, 2.0)), (MeshSource(path), (1, -1, 1))):
        store.bounds(source)
        try:
            store.solid(source, weighing.treatment, scale)
        except SdfInertiaError as error:
            require_message(error)
