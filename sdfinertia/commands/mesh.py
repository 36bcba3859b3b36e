"""The command `mesh`: the diagnosis of mesh files, printed, or as rows of a table that a later run continues."""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import chain, islice
from typing import BinaryIO

from sdfinertia.commands.file_run import STANDARD_STREAM, FileRun, ended, require_one_stream, standard_input
from sdfinertia.errors import (
    ConfigurationError,
    OpenMeshError,
    ResourceError,
    SdfInertiaError,
    WriteError,
    counted,
    unicode_text,
)
from sdfinertia.files.atomic_file import GrowingFile, growing_file, refuse_unwritable
from sdfinertia.files.regular_file import reason_of
from sdfinertia.links.context import mass_cache
from sdfinertia.mesh.method import Factors, MeshSource, Method, open_policies
from sdfinertia.mesh.store import MeshStore
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.bodies import NOTATIONS, mesh_lines
from sdfinertia.report.json_records import json_text, mesh_record
from sdfinertia.report.mesh_tables import JOURNAL, format_of_table, json_line, read_rows, sizes_of
from sdfinertia.report.terminal import ERROR, ExitStatus, Progress, is_terminal, print_line, print_text, say
from sdfinertia.robot.inertial import DEFAULT_DENSITY
from sdfinertia.robot.numbers import parse_numbers, three_factors
from sdfinertia.runs.mesh_facts import MeshFacts, mesh_facts
from sdfinertia.runs.mesh_rows import MeshRow, MeshWeighing, SameAsKnown
from sdfinertia.runs.outcomes import ONE_JOB, Jobs, outcomes_in_order
from sdfinertia.runs.source_files import mesh_files
from sdfinertia.runs.work import FileTask, Outcome, file_task

# Interval at which rows are flushed to disk, where they outlive a killed run (s).
_FLUSH_EVERY = 1.0
# Results of files, in the order of the closing line of a table.
_OUTCOMES = ("weighed", "without a mass", "refused")


def mesh_weighing(options: Options, method: str | None, scale: str | None, submesh: str | None) -> MeshWeighing:
    treatment = options.mesh_treatment(Method(method) if method is not None else Method.EXACT)
    density = DEFAULT_DENSITY if options.density is None else options.density
    return MeshWeighing(density, treatment, options, parse_scale(scale), submesh)


def parse_scale(text: str | None) -> Factors:
    return three_factors(parse_numbers((text or "1").strip()), "--scale", text)


# Printed --------------------------------------------------------------------------------------------------------------


def run_mesh(
    paths: Sequence[str],
    weighing: MeshWeighing,
    *,
    stdin_filename: str | None = None,
    lists_names: bool = False,
    as_json: bool = False,
    notation: str | None = None,
) -> int:
    def run() -> int:
        _require_known_format(paths, stdin_filename)
        cache = mass_cache(weighing.options, keeps=True)
        file_run = FileRun(GivenOptions(), quiet=False)
        unfound: list[SdfInertiaError] = []

        def read(task: FileTask) -> MeshFacts | list[str]:
            store = MeshStore(cache=cache)
            if task.data is not None:
                store.hold(task.path, task.data)
            if notation is not None:
                return _noted(store, task.path, notation, weighing)
            return _names(store, task.path, weighing.submesh) if lists_names else mesh_facts(store, task.path, weighing)

        more = _tasks(paths, weighing.options, stdin_filename, unfound)
        first = deque(islice(more, 2))
        # A single one may take long.
        pending = first if len(first) == 1 else deque[FileTask]()
        every = more if pending else chain(first, more)
        _print(file_run.over(read, pending, every, doing="reading"), as_json=as_json)
        for error in unfound:
            file_run.refuse(error)
        if cache is not None and cache.problem:
            say(f"note: {cache.problem}")
        return ExitStatus.REFUSED if file_run.refused else ExitStatus.DONE

    return ended(run)


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
    """Prints each result when it is there; as JSON, all at the end."""
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
    """The lines that write the body of a mesh file in a notation."""
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


# As rows of tables ----------------------------------------------------------------------------------------------------


def run_mesh_table(paths: Sequence[str], weighing: MeshWeighing, reports: Sequence[str], jobs: Jobs = ONE_JOB) -> int:
    """Writes a row for each mesh file to each table, and returns the exit status.

    Rows of existing tables and of an interrupted run are reused where bytes and treatment are the same.
    """
    weighing = weighing.by_this_program()

    def run() -> int:
        with ExitStack() as stack:
            table = _Table(reports, weighing.takes_over, stack)
            status = _filled(table, paths, weighing, jobs)
            table.put_in_place()
            return status

    return ended(run, f"interrupted; the next run continues from {reports[0]}{JOURNAL}")


def _filled(table: _Table, paths: Sequence[str], weighing: MeshWeighing, jobs: Jobs) -> int:
    unfound: list[SdfInertiaError] = []
    counts = Counter[str]()

    def task_of(path: str) -> FileTask:
        task = file_task(path, Options())
        return task._replace(known=table.digests_of(task.size))

    # Counted only for a progress bar.
    files = list(_files(paths, unfound)) if is_terminal() else None
    total = len(files or ())
    with (
        Progress(total, quiet=False, doing="weighing") as progress,
        closing(
            outcomes_in_order(weighing, deque(), jobs, map(task_of, _files(paths, unfound) if files is None else files))
        ) as outcomes,
    ):
        for done, outcome in enumerate(outcomes, start=1):
            counts.update(table.take(outcome))
            progress.advance(remaining=max(0, total - done))
    for error in unfound:
        say(str(error), style=ERROR)
    counts["refused"] += len(unfound)
    told = (name for name in (*_OUTCOMES, "known before") if counts[name] or name == "weighed")
    number = counted(sum(counts[outcome] for outcome in _OUTCOMES), "file")
    say(f"{number}: {', '.join(f'{counts[name]:,} {name}' for name in told)}.")
    return ExitStatus.REFUSED if counts["refused"] else ExitStatus.DONE


def _files(paths: Sequence[str], unfound: list[SdfInertiaError]) -> Iterator[str]:
    places: set[str] = set()
    for path in paths:
        for file in mesh_files(path, unfound.append):
            place = os.path.realpath(file) if len(paths) > 1 else file
            if place not in places:
                places.add(place)
                yield file


class _Table:
    """The tables of a run, all with the same rows, and a journal of new rows beside the first."""

    def __init__(self, reports: Sequence[str], takes_over: Callable[[MeshRow], bool], stack: ExitStack) -> None:
        formats = [format_of_table(report) for report in reports]
        if len({os.path.realpath(report) for report in reports}) < len(reports):
            raise ConfigurationError("is given for two outputs", file=reports[0])
        self._report = reports[0]
        self._journal_path = reports[0] + JOURNAL
        self._takes_over = takes_over
        self._known: dict[str, MeshRow] = {}
        self._files: list[GrowingFile] = []
        for report in reports:
            self._files.append(stack.enter_context(growing_file(report)))
            self._read(report)
        refuse_unwritable(self._journal_path)
        self._read(self._journal_path)
        self._sizes = sizes_of(self._known.values())
        self._writers = [form.writer(file.stream) for form, file in zip(formats, self._files, strict=True)]
        self._journal = stack.enter_context(_opened_journal(self._journal_path))
        self._flushed = 0.0

    def take(self, outcome: Outcome) -> Iterator[str]:
        """Adds the row of a file, and yields the messages on it."""
        path, result = outcome.task.path, outcome.result
        if isinstance(result, SdfInertiaError):
            say(str(result.within(file=path)), style=ERROR)
            self.add(MeshRow(path, error=result.problem), is_new=False)
            yield "refused"
            return
        is_known = isinstance(result, SameAsKnown)
        row = self._known[result.digest]._replace(path=path) if is_known else result
        self.add(row, is_new=not is_known)
        if is_known:
            yield "known before"
        if row.faces is None:
            say(str(ResourceError(row.error, file=path)), style=ERROR)
            yield "refused"
        else:
            yield "weighed" if row.mass is not None else "without a mass"

    def digests_of(self, size: int) -> tuple[str, ...]:
        return tuple(self._sizes.get(size, ()))

    def add(self, row: MeshRow, *, is_new: bool) -> None:
        # Bytes that are not text are invalid in Parquet, JSON and CSV.
        row = row._replace(path=unicode_text(row.path), error=unicode_text(row.error))
        with _writing(self._report):
            for writer in self._writers:
                writer.add(row)
            if is_new:
                self._journal.write(json_line(row))
                now = time.monotonic()
                if now - self._flushed > _FLUSH_EVERY:
                    self._journal.flush()
                    self._flushed = now

    def put_in_place(self) -> None:
        for file, writer in zip(self._files, self._writers, strict=True):
            with _writing(self._report):
                writer.close()
            for note in file.put_in_place():
                say(note)
        with suppress(OSError):
            os.unlink(self._journal_path)

    def _read(self, path: str) -> None:
        try:
            self._known.update((row.digest, row) for row in read_rows(path) if self._takes_over(row))
        except FileNotFoundError:
            pass
        except OSError as error:
            raise WriteError(f"cannot be read: {reason_of(error)}", file=path) from None


@contextmanager
def _writing(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(f"cannot be written: {reason_of(error)}", file=path) from None


@contextmanager
def _opened_journal(path: str) -> Iterator[BinaryIO]:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    with _writing(path):
        file = os.fdopen(os.open(path, flags, 0o666), "ab")
    try:
        if os.fstat(file.fileno()).st_size:
            # A run that was killed may have left half a line.
            file.write(b"\n")
        yield file
    finally:
        # Rows that do not fit on the disk are computed again; the tables report their own errors.
        with suppress(OSError):
            file.close()
