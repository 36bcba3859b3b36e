"""The command `mesh`: the diagnosis of mesh files, printed, or as lines of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.commands import FileRun, ended
from sdfinertia.documents.meshes import MeshFacts, MeshWeighing, mesh_facts
from sdfinertia.errors import ConfigurationError, OpenMeshError, SdfInertiaError, counted
from sdfinertia.files.atomic_file import refuse_unwritable, write_file
from sdfinertia.links.context import mesh_cache
from sdfinertia.mesh.method import Factors, MeshSource, Method, open_policies
from sdfinertia.mesh.store import MeshStore
from sdfinertia.options import Options
from sdfinertia.report.json_records import NOTATIONS, json_of, json_text, mesh_record
from sdfinertia.report.results import mesh_lines
from sdfinertia.report.terminal import ExitStatus, print_line, print_text, say
from sdfinertia.robot.inertial import DEFAULT_DENSITY
from sdfinertia.robot.numbers import parse_numbers, three_factors
from sdfinertia.runs import ONE_JOB, Jobs
from sdfinertia.runs.source_files import STANDARD_STREAM, FileTask, mesh_files, require_one_stream, standard_input

if TYPE_CHECKING:
    from sdfinertia.mesh.cache import MeshCache


class _Weigh(NamedTuple):
    """The report on a file, in any process."""

    weighing: MeshWeighing

    def __call__(self, task: FileTask) -> MeshFacts:
        return mesh_facts(_store_of(task, mesh_cache(self.weighing.options, keeps=True)), task.path, self.weighing)


def _store_of(task: FileTask, cache: MeshCache | None) -> MeshStore:
    store = MeshStore(cache=cache)
    if task.data is not None:
        store.hold(task.path, task.data)
    return store


def mesh_weighing(options: Options, method: str | None, scale: str | None, submesh: str | None) -> MeshWeighing:
    treatment = options.mesh_treatment(Method(method) if method is not None else Method.EXACT)
    density = DEFAULT_DENSITY if options.density is None else options.density
    return MeshWeighing(density, treatment, options, parse_scale(scale), submesh)


def parse_scale(text: str | None) -> Factors:
    return three_factors(parse_numbers((text or "1").strip()), "--scale", text)


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
    def run() -> int:
        _require_known_format(paths, stdin_filename)
        for report in reports:
            if not report.lower().endswith(".jsonl"):
                raise ConfigurationError(f"the format of {report!r} is not known", remedy="name it .jsonl")
            refuse_unwritable(report)
        cache = mesh_cache(weighing.options, keeps=True)
        file_run = FileRun({}, quiet=False, jobs=jobs)
        unfound: list[SdfInertiaError] = []

        def read(task: FileTask) -> MeshFacts | list[str]:
            store = _store_of(task, cache)
            if notation is not None:
                return _noted(store, task.path, notation, weighing)
            return _names(store, task.path, weighing.submesh) if lists_names else mesh_facts(store, task.path, weighing)

        tasks = list(_tasks(paths, weighing.options, stdin_filename, unfound))
        if reports:
            facts = [each for _, each in file_run.over(_Weigh(weighing), tasks, doing="weighing")]
        else:
            _print(file_run.over(read, tasks, doing="reading", has_bar=False), as_json=format == "json")
        for error in unfound:
            file_run.refuse(error)
        if reports:
            _write(reports, facts, len(file_run.refused))
        elif cache is not None and cache.problem:
            say(f"note: {cache.problem}")
        return ExitStatus.REFUSED if file_run.refused else ExitStatus.DONE

    return ended(run)


def _write(reports: Sequence[str], facts: Sequence[MeshFacts], refused: int) -> None:
    lines = "".join(json_of(mesh_record(each)) + "\n" for each in facts)
    for report in reports:
        for note in write_file(report, lines.encode()):
            say(note)
    weighed = sum(each.inertia is not None for each in facts)
    counts = {"weighed": weighed, "without a mass": len(facts) - weighed, "refused": refused}
    told = (f"{count:,} {name}" for name, count in counts.items() if count)
    say(f"{counted(sum(counts.values()), 'file')}: {', '.join(told)}.")


def _require_known_format(paths: Sequence[str], stdin_filename: str | None) -> None:
    require_one_stream(paths, stdin_filename)
    if list(paths) == [STANDARD_STREAM] and stdin_filename is None:
        raise ConfigurationError(
            "the mesh format of standard input is not known", remedy="name it, as in --stdin-filename part.stl"
        )


def _tasks(
    paths: Sequence[str], options: Options, stdin_filename: str | None, unfound: list[SdfInertiaError]
) -> Iterator[FileTask]:
    if stdin_filename is not None:
        yield standard_input(stdin_filename, lambda _: options)
        return
    for path in paths:
        for file in mesh_files(path, unfound.append):
            yield FileTask(file, options)


def _print(results: Iterable[tuple[FileTask, MeshFacts | list[str]]], *, as_json: bool) -> None:
    documents = []
    for _, facts in results:
        if as_json and isinstance(facts, MeshFacts):
            documents.append(mesh_record(facts))
            continue
        for line in mesh_lines(facts) if isinstance(facts, MeshFacts) else facts:
            print_line(line)
    if as_json:
        print_text(json_text(documents))


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
