"""The command `mesh`: what bare mesh files are like, and their mass properties."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from sdfinertia.commands.file_run import FileRun, ended, require_one_stream, standard_input
from sdfinertia.commands.outputs import STANDARD_STREAM
from sdfinertia.errors import ConfigurationError, OpenMeshError, SdfInertiaError
from sdfinertia.links.context import mass_cache
from sdfinertia.mesh.diagnosis import alternatives, diagnose
from sdfinertia.mesh.mesh_solid import OpenSurfaceError
from sdfinertia.mesh.store import MeshStore
from sdfinertia.mesh.treatment import Factors, MeshSource, MeshTreatment, Method, open_policies
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.mesh.volume.convex_hulls import convex_hull
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.bodies import NOTATIONS, mesh_lines
from sdfinertia.report.records import MeshFacts, json_text, mesh_record
from sdfinertia.report.tally import ExitStatus
from sdfinertia.report.terminal import print_line, print_text, say
from sdfinertia.robot.numbers import parse_numbers, three_factors
from sdfinertia.runs.source_files import mesh_files
from sdfinertia.runs.work import FileTask

_NAME_IT = "name it, as in --stdin-filename part.stl"


class MeshRequest(NamedTuple):
    density: float
    scale: Factors
    submesh: str | None
    treatment: MeshTreatment
    options: Options
    lists_names: bool
    as_json: bool
    notation: str | None = None


def run_mesh(paths: Sequence[str], request: MeshRequest, stdin_filename: str | None = None) -> int:
    def run() -> int:
        require_one_stream(paths, stdin_filename)
        if list(paths) == [STANDARD_STREAM] and stdin_filename is None:
            raise ConfigurationError("the mesh format of standard input is not known", remedy=_NAME_IT)
        cache = mass_cache(request.options, keeps=True)
        run = FileRun(GivenOptions())
        unfound: list[SdfInertiaError] = []

        def tasks() -> Iterator[FileTask]:
            if stdin_filename is not None:
                yield standard_input(stdin_filename, lambda _: request.options)
                return
            for path in paths:
                for file in mesh_files(path, unfound.append):
                    yield FileTask(file, request.options)

        def told(task: FileTask) -> MeshFacts | list[str]:
            store = MeshStore(request.options.max_mesh_bytes, cache=cache)
            if task.data is not None:
                store.hold(task.path, task.data)
            if request.notation is not None:
                return _noted(store, task.path, request.notation, request)
            return _names(store, task.path) if request.lists_names else mesh_facts(store, task.path, request)

        documents = []
        for _, facts in run.over(told, deque(), tasks()):
            if request.as_json and isinstance(facts, MeshFacts):
                documents.append(mesh_record(facts))
                continue
            for line in mesh_lines(facts) if isinstance(facts, MeshFacts) else facts:
                print_line(line)
        if request.as_json:
            print_text(json_text(documents))
        for error in unfound:
            run.refuse(error)
        if cache is not None and cache.problem:
            say(f"note: {cache.problem}")
        return ExitStatus.REFUSED if run.refused else ExitStatus.DONE

    return ended(run)


def _noted(store: MeshStore, path: str, notation: str, request: MeshRequest) -> list[str]:
    """The lines that write the body of a mesh file in a notation."""
    try:
        solid = store.solid(MeshSource(path, request.submesh), request.treatment, request.scale)
    except OpenMeshError as error:
        one_sided = isinstance(error, OpenSurfaceError) and error.one_sided
        remedy = open_policies(request.treatment, path, one_sided=one_sided, choices="--open-mesh")
        raise error.with_remedy(remedy) from None
    inertia = solid.spatial_inertia(request.density)
    for note in solid.notes:
        say(f"{path}: note: {note}")
    return inertia.as_sdf().splitlines() if notation == "sdf" else [NOTATIONS[notation](inertia)]


def mesh_facts(store: MeshStore, path: str, request: MeshRequest) -> MeshFacts:
    source = MeshSource(path, request.submesh)
    diagnosis = diagnose(_diagnosed(store, source, request.treatment.method).scaled(request.scale))
    try:
        solid = store.solid(source, request.treatment, request.scale)
        inertia = solid.spatial_inertia(request.density)
    except OpenMeshError as error:
        compared = alternatives(store, source, request.treatment, request.scale, request.density)
        return MeshFacts(path, request.density, diagnosis, None, "", f"{error.problem}; {compared}", diagnosis.notes)
    except SdfInertiaError as error:
        return MeshFacts(path, request.density, diagnosis, None, "", error.problem, diagnosis.notes)
    # The diagnosis looks at more than what is integrated, and says where it did not look at all.
    others = [note for note in diagnosis.notes if solid.method is Method.EXACT and note not in solid.notes]
    return MeshFacts(path, request.density, diagnosis, inertia, solid.method, "", (*solid.notes, *others))


def _diagnosed(store: MeshStore, source: MeshSource, method: str) -> TriangleMesh:
    """The triangles to be diagnosed; for the method convex_hull, the hull of a file of vertices alone."""
    if method is not Method.CONVEX_HULL or len(store.points(source).faces):
        return store.mesh(source)
    points = store.points(source)
    return TriangleMesh(*convex_hull(points.vertices), notes=points.notes)


def _names(store: MeshStore, path: str) -> list[str]:
    mesh = store.mesh(MeshSource(path))
    faces: dict[str, int] = {}
    for part in mesh.parts:
        for name in dict.fromkeys(part.names):
            faces[name] = faces.get(name, 0) + part.stop - part.start
    return [path, *(f"  {name}  {count:,} faces" for name, count in faces.items())]


def parse_scale(text: str | None) -> Factors:
    return three_factors(parse_numbers((text or "1").strip()), "--scale", text)
