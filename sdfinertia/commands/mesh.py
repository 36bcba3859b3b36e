"""The command `mesh`: the diagnosis of mesh files, printed, or as lines of JSON."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from sdfinertia.commands.file_run import STANDARD_STREAM, FileRun, ended, require_one_stream, standard_input
from sdfinertia.errors import ConfigurationError, OpenMeshError, SdfInertiaError, counted
from sdfinertia.files.atomic_file import refuse_unwritable, write_file
from sdfinertia.links.context import mesh_cache
from sdfinertia.mesh.method import Factors, MeshSource, Method, open_policies
from sdfinertia.mesh.store import MeshStore
from sdfinertia.report.json_records import NOTATIONS, json_of, json_text, mesh_record
from sdfinertia.report.quantities import centre_of, mass_of, principal_moments_of
from sdfinertia.report.terminal import ExitStatus, print_line, print_text, say
from sdfinertia.robot.inertial import DEFAULT_DENSITY
from sdfinertia.robot.numbers import number, numbers, parse_numbers, three_factors
from sdfinertia.runs.mesh_facts import MeshFacts, MeshWeighing, mesh_facts
from sdfinertia.runs.outcomes import ONE_JOB, FileTask, Jobs
from sdfinertia.runs.source_files import mesh_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sdfinertia.mesh.method import MeshDiagnosis
    from sdfinertia.options import Options


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
            store = MeshStore(cache=cache)
            if task.data is not None:
                store.hold(task.path, task.data)
            if notation is not None:
                return _noted(store, task.path, notation, weighing)
            return _names(store, task.path, weighing.submesh) if lists_names else mesh_facts(store, task.path, weighing)

        pending = deque(_tasks(paths, weighing.options, stdin_filename, unfound))
        if reports:
            facts = [each for _, each in file_run.over(weighing, pending, doing="weighing")]
        else:
            _print(file_run.over(read, pending, doing="reading", has_bar=False), as_json=format == "json")
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
        for line in _lines(facts) if isinstance(facts, MeshFacts) else facts:
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


# The text of a mesh file ---------------------------------------------------------------------------------------------


def _lines(facts: MeshFacts) -> Iterator[str]:
    yield facts.path
    for label, text in (*_form(facts.diagnosis), *_faults(facts.diagnosis), *_mass_properties(facts)):
        yield f"  {label:<14}{text}"
    for line in facts.refusal.splitlines():
        yield f"  {line}"
    for note in facts.notes:
        yield f"  {'note':<14}{note}"


def _form(diagnosis: MeshDiagnosis) -> Iterator[tuple[str, str]]:
    cavities = f", {diagnosis.cavities} cavities" if diagnosis.cavities else ""
    yield "faces", f"{diagnosis.faces:,} on {diagnosis.vertices:,} vertices"
    yield "bodies", f"{diagnosis.bodies}{cavities}"
    size = tuple(high - low for low, high in zip(diagnosis.lower, diagnosis.upper, strict=True))
    suspicion = ", which may be millimetres" if diagnosis.may_be_millimetres else ""
    yield "bounds", f"{numbers(diagnosis.lower)} to {numbers(diagnosis.upper)} m, size {numbers(size)} m{suspicion}"
    yield "area", f"{number(diagnosis.surface_area)} m²"
    volume = "not defined" if diagnosis.volume is None else f"{number(diagnosis.volume)} m³"
    hull = "flat" if diagnosis.hull_volume is None else f"{number(diagnosis.hull_volume)} m³"
    yield "volume", f"{volume}, convex hull {hull}"


def _faults(diagnosis: MeshDiagnosis) -> Iterator[tuple[str, str]]:
    if diagnosis.open_edges:
        places = ", ".join(f"({numbers(place)})" for place in diagnosis.open_positions)
        yield "open edges", f"{diagnosis.open_edges:,} around {counted(diagnosis.boundary_loops, 'hole')}, at {places}"
    counts = (
        ("non-manifold", diagnosis.non_manifold_edges, "edges with more than two faces"),
        ("winding", diagnosis.inconsistent_faces, "faces disagree with their neighbours"),
        ("inside out", diagnosis.inside_out_bodies, "bodies face inward"),
        ("degenerate", diagnosis.degenerate_faces, "faces have no area"),
        ("repeated", diagnosis.duplicate_faces, "faces are listed twice"),
    )
    for label, count, what in counts:
        if count:
            yield label, f"{count:,} {what}"
    if diagnosis.double_sided_share:
        yield "double-sided", f"{100 * diagnosis.double_sided_share:.3g} % of the faces"
    if diagnosis.one_sided:
        yield "one-sided", "a part has only one side, like a Möbius strip"


def _mass_properties(facts: MeshFacts) -> Iterator[tuple[str, str]]:
    inertia = facts.inertia
    if inertia is None:
        return
    tensor = inertia.I_BBcm_B
    yield "mass", f"{mass_of(inertia).text} at {number(facts.density)} kg/m³, {facts.method}"
    yield "centre", centre_of(inertia).text
    shown = [*map(number, tensor[:3]), *numbers(tensor[3:], size=tensor.trace).split(" ")]
    for name, value in zip(tensor._fields, shown, strict=True):
        yield name, f"{value} kg·m²"
    yield "principal", principal_moments_of(inertia).text
