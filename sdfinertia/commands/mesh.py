"""The command `mesh`: the diagnosis of mesh files, printed, or as lines of JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sdfinertia.commands import FileRun
from sdfinertia.documents.meshes import MeshFacts, MeshWeighing, mesh_facts
from sdfinertia.errors import ConfigurationError, OpenMeshError, SdfInertiaError
from sdfinertia.files.atomic_file import refuse_unwritable, write_file
from sdfinertia.links.context import mesh_cache
from sdfinertia.mesh import MeshSource, Method, open_policies
from sdfinertia.mesh.store import MeshStore
from sdfinertia.options import Options
from sdfinertia.report import print_line, print_text, say, say_lines
from sdfinertia.report.json_records import NOTATIONS, json_of, json_text, mesh_record
from sdfinertia.report.results import mesh_lines, weighed_line
from sdfinertia.robot.inertial import DEFAULT_DENSITY
from sdfinertia.robot.numbers import parse_numbers, three_factors
from sdfinertia.runs import ONE_JOB, Jobs, Work
from sdfinertia.runs.source_files import STANDARD_STREAM, FileTask, mesh_files, require_one_stream, standard_input


class _Weigh(NamedTuple):
    weighing: MeshWeighing

    def __call__(self, task: FileTask) -> MeshFacts:
        store = MeshStore(cache=mesh_cache(self.weighing.options, keeps=True))
        return mesh_facts(_holding(task, store), task.path, self.weighing)


def _holding(task: FileTask, store: MeshStore) -> MeshStore:
    if task.data is not None:
        store.hold(task.path, task.data)
    return store


def mesh_weighing(options: Options, method: str | None, scale: str | None, submesh: str | None) -> MeshWeighing:
    treatment = options.mesh_treatment(Method(method) if method is not None else Method.EXACT)
    density = DEFAULT_DENSITY if options.density is None else options.density
    factors = three_factors(parse_numbers((scale or "1").strip()), "--scale", scale)
    return MeshWeighing(density, treatment, options, factors, submesh)


def run_mesh(
    paths: Sequence[str],
    weighing: MeshWeighing,
    *,
    reports: Sequence[str] = (),
    jobs: Jobs = ONE_JOB,
    stdin_filename: str | None = None,
    lists_names: bool = False,
    format: str = "text",
    notation: str | None = None,
) -> int:
    require_one_stream(paths, stdin_filename)
    if list(paths) == [STANDARD_STREAM] and stdin_filename is None:
        problem = "the mesh format of standard input is not known"
        raise ConfigurationError(problem, remedy="name it, as in --stdin-filename part.stl")
    for report in reports:
        if not report.lower().endswith(".jsonl"):
            raise ConfigurationError(f"the format of {report!r} is not known", remedy="name it .jsonl")
        refuse_unwritable(report)
    cache = mesh_cache(weighing.options, keeps=True)
    run = FileRun({}, quiet=False, jobs=jobs)
    unfound: list[SdfInertiaError] = []
    files = [file for path in paths if path != STANDARD_STREAM for file in mesh_files(path, unfound.append)]
    tasks = [FileTask(file, weighing.options) for file in files]
    if stdin_filename is not None:
        tasks.append(standard_input(stdin_filename, lambda _: weighing.options))

    def read(task: FileTask) -> MeshFacts | list[str]:
        store = _holding(task, MeshStore(cache=cache))
        if notation is not None:
            return _noted(store, task.path, notation, weighing)
        return _names(store, task.path, weighing.submesh) if lists_names else mesh_facts(store, task.path, weighing)

    facts: list[MeshFacts] = []
    work: Work[MeshFacts | list[str]] = _Weigh(weighing) if reports else read
    for _, found in run.over(work, tasks, "weighing" if reports else ""):
        if isinstance(found, MeshFacts) and (reports or format == "json"):
            facts.append(found)
        else:
            for line in mesh_lines(found) if isinstance(found, MeshFacts) else found:
                print_line(line)
    if format == "json":
        print_text(json_text([mesh_record(each) for each in facts]))
    for error in unfound:
        run.refuse(error)
    if reports:
        content = "".join(json_of(mesh_record(each)) + "\n" for each in facts).encode()
        say_lines(note for report in reports for note in write_file(report, content))
        say(weighed_line(facts, len(run.refused)))
    elif cache is not None and cache.problem:
        say(f"note: {cache.problem}")
    return run.status()


def _noted(store: MeshStore, path: str, notation: str, weighing: MeshWeighing) -> list[str]:
    try:
        solid = store.solid(MeshSource(path, weighing.submesh), weighing.treatment, weighing.scale)
    except OpenMeshError as error:
        remedy = open_policies(weighing.treatment, path, one_sided=error.one_sided, choices="--open-mesh")
        raise error.with_remedy(remedy) from None
    inertia = solid.spatial_inertia(weighing.density)
    for note in solid.notes:
        say(f"{path}: note: {note}")
    return inertia.as_sdf().splitlines() if notation == "sdf" else [NOTATIONS[notation](inertia)]


def _names(store: MeshStore, path: str, submesh: str | None) -> list[str]:
    mesh = store.mesh(MeshSource(path, submesh))
    faces: dict[str, int] = {}
    for part in mesh.parts:
        for name in dict.fromkeys(part.names):
            faces[name] = faces.get(name, 0) + part.stop - part.start
    return [path, *(f"  {name}  {count:,} faces" for name, count in faces.items())]
