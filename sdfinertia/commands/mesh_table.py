"""The command `mesh --report`: many mesh files as rows of a table, which a later run continues."""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import BinaryIO

from sdfinertia.commands.file_run import ended
from sdfinertia.errors import ConfigurationError, ResourceError, SdfInertiaError, WriteError, unicode_text
from sdfinertia.files.atomic_file import GrowingFile, growing_file, refuse_unwritable
from sdfinertia.files.regular_file import reason_of
from sdfinertia.options import Options
from sdfinertia.report.mesh_tables import (
    JOURNAL,
    TableWriter,
    format_of_table,
    json_line,
    read_rows,
    sizes_of,
)
from sdfinertia.report.tally import ExitStatus
from sdfinertia.report.terminal import ERROR, Progress, is_terminal, say
from sdfinertia.report.wording import counted
from sdfinertia.runs.mesh_rows import MeshRow, MeshWeighing, SameAsKnown
from sdfinertia.runs.outcomes import ONE_JOB, Jobs, outcomes_in_order
from sdfinertia.runs.source_files import mesh_files
from sdfinertia.runs.work import FileTask, Outcome, file_task

# As often as rows are brought to where a killed run leaves them (s).
_FLUSH_EVERY = 1.0


def run_mesh_table(paths: Sequence[str], weighing: MeshWeighing, reports: Sequence[str], jobs: Jobs = ONE_JOB) -> int:
    """Writes a row for each mesh file to each table, and returns the exit status.

    Rows of existing tables and of an interrupted run are reused where bytes and treatment are the same.
    """

    def run() -> int:
        with _Table(reports, weighing.takes_over) as table:
            status = _Run(paths, table).fill(weighing, jobs)
            table.put_in_place()
            return status

    return ended(run, f"interrupted; the next run continues from {reports[0]}{JOURNAL}")


# Results of files, in the order of the closing line.
_OUTCOMES = ("weighed", "without a mass", "refused")


class _Run:
    def __init__(self, paths: Sequence[str], table: _Table) -> None:
        self._paths = paths
        self._table = table
        self._refused: list[SdfInertiaError] = []
        self._counts = Counter[str]()

    def fill(self, weighing: MeshWeighing, jobs: Jobs) -> int:
        # Counted only for a progress bar.
        files = list(self._files()) if is_terminal() else None
        total = len(files) if files is not None else 0
        tasks = map(self._task, files if files is not None else self._files())
        with (
            Progress(total, quiet=False, doing="weighing") as progress,
            closing(outcomes_in_order(weighing, deque(), jobs, tasks)) as outcomes,
        ):
            for done, outcome in enumerate(outcomes, start=1):
                self._add(outcome)
                progress.advance(remaining=max(0, total - done))
        for error in self._refused:
            say(str(error), style=ERROR)
        self._counts["refused"] += len(self._refused)
        say(self._line())
        return ExitStatus.REFUSED if self._counts["refused"] else ExitStatus.DONE

    def _line(self) -> str:
        counts = self._counts
        files = counted(sum(counts[outcome] for outcome in _OUTCOMES), "file")
        told = (name for name in (*_OUTCOMES, "known before") if counts[name] or name == "weighed")
        return f"{files}: {', '.join(f'{counts[name]:,} {name}' for name in told)}."

    def _files(self) -> Iterator[str]:
        places: set[str] = set()
        for path in self._paths:
            for file in mesh_files(path, self._refused.append):
                if len(self._paths) > 1:
                    place = os.path.realpath(file)
                    if place in places:
                        continue
                    places.add(place)
                yield file

    def _task(self, path: str) -> FileTask:
        task = file_task(path, Options())
        return task._replace(known=self._table.digests_of(task.size))

    def _add(self, outcome: Outcome) -> None:
        path, result = outcome.task.path, outcome.result
        if isinstance(result, SdfInertiaError):
            say(str(result.within(file=path)), style=ERROR)
            self._counts["refused"] += 1
            self._table.add(MeshRow(path, error=result.problem), is_new=False)
            return
        is_known = isinstance(result, SameAsKnown)
        row = self._table.known[result.digest]._replace(path=path) if is_known else result
        self._table.add(row, is_new=not is_known)
        self._counts["known before"] += is_known
        if row.faces is None:
            say(str(ResourceError(row.error, file=path)), style=ERROR)
            self._counts["refused"] += 1
        else:
            self._counts["weighed" if row.mass is not None else "without a mass"] += 1


class _Table:
    """The tables of a run, all with the same rows, and a journal of new rows beside the first."""

    def __init__(self, reports: Sequence[str], takes_over: Callable[[MeshRow], bool]) -> None:
        self._formats = [format_of_table(report) for report in reports]
        if len({os.path.realpath(report) for report in reports}) < len(reports):
            raise ConfigurationError("is given for two outputs", file=reports[0])
        self._reports = reports
        self._takes_over = takes_over
        self._journal_path = reports[0] + JOURNAL
        self.known: dict[str, MeshRow] = {}
        self._sizes: dict[int, list[str]] = {}
        self._stack = ExitStack()
        self._files: list[GrowingFile] = []
        self._writers: list[TableWriter] = []
        self._journal: BinaryIO | None = None
        self._flushed = 0.0

    def __enter__(self) -> _Table:
        with ExitStack() as stack:
            for report in self._reports:
                self._files.append(stack.enter_context(growing_file(report)))
                self._read(report)
            refuse_unwritable(self._journal_path)
            self._read(self._journal_path)
            self._sizes = sizes_of(self.known.values())
            for form, file in zip(self._formats, self._files, strict=True):
                self._writers.append(form.writer(file.stream))
            self._journal = stack.enter_context(_opened_journal(self._journal_path))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def digests_of(self, size: int) -> tuple[str, ...]:
        return tuple(self._sizes.get(size, ()))

    def add(self, row: MeshRow, *, is_new: bool) -> None:
        # Bytes that are not text are invalid in Parquet, JSON and CSV.
        row = row._replace(path=unicode_text(row.path), error=unicode_text(row.error))
        try:
            for writer in self._writers:
                writer.add(row)
            if is_new and self._journal is not None:
                self._journal.write(json_line(row))
                now = time.monotonic()
                if now - self._flushed > _FLUSH_EVERY:
                    self._journal.flush()
                    self._flushed = now
        except OSError as error:
            raise WriteError(f"cannot be written: {reason_of(error)}", file=self._reports[0]) from None

    def put_in_place(self) -> None:
        for file, writer in zip(self._files, self._writers, strict=True):
            try:
                writer.close()
            except OSError as error:
                raise WriteError(f"cannot be written: {reason_of(error)}", file=self._reports[0]) from None
            for note in file.put_in_place():
                say(note)
        with suppress(OSError):
            os.unlink(self._journal_path)

    def _read(self, path: str) -> None:
        try:
            self.known.update((row.digest, row) for row in read_rows(path) if self._takes_over(row))
        except FileNotFoundError:
            pass
        except OSError as error:
            raise WriteError(f"cannot be read: {reason_of(error)}", file=path) from None


@contextmanager
def _opened_journal(path: str) -> Iterator[BinaryIO]:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        file = os.fdopen(os.open(path, flags, 0o666), "ab")
    except OSError as error:
        raise WriteError(f"cannot be written: {reason_of(error)}", file=path) from None
    try:
        if os.fstat(file.fileno()).st_size:
            # A run that was killed may have left half a line.
            file.write(b"\n")
        yield file
    finally:
        # Rows for which the disk has no place any more are computed again; the tables say themselves what they lack.
        with suppress(OSError):
            file.close()
