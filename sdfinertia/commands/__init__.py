"""The commands: options in, exit status out; here is decided which results are printed and written.

Here: one run of a command over files: the work on them in order, each error once, and the output.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TypeVar

from sdfinertia.documents.filling import FillResult, write_back
from sdfinertia.errors import ConfigurationError, SdfInertiaError, TemplateError, WriteError
from sdfinertia.files.atomic_file import is_same_file, refuse_unwritable, write_file
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Given, Options, merged_options
from sdfinertia.report import (
    ERROR,
    Content,
    ExitStatus,
    Progress,
    Report,
    ReportFormat,
    format_of_report,
    print_bytes,
    say,
    say_lines,
)
from sdfinertia.runs import ONE_JOB, Jobs, Work, outcomes_of
from sdfinertia.runs.source_files import STANDARD_STREAM, FileTask, SourceFiles

_T = TypeVar("_T")
# Paths by which the system names standard output.
_STANDARD_OUTPUT = (STANDARD_STREAM, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


class FileRun(SourceFiles):
    """The files of a run, the work on them, and the errors; models and meshes are read once."""

    def __init__(
        self,
        given: Given,
        *,
        quiet: bool = True,
        jobs: Jobs = ONE_JOB,
        merged: Callable[[Given, Given], Options] = merged_options,
    ) -> None:
        super().__init__(given, merged)
        self._quiet, self._jobs = quiet, jobs
        self._said: set[str] = set()
        self.context = SharedContext(keeps=True)

    def over(self, work: Work[_T], tasks: Sequence[FileTask], doing: str = "") -> Iterator[tuple[FileTask, _T]]:
        """Results in order, with errors reported; a terminal shows what it is doing."""
        # Standard input does not travel.
        jobs = ONE_JOB if any(task.data is not None for task in tasks) else self._jobs
        progress = Progress(len(tasks) if doing else 0, quiet=self._quiet, doing=doing)
        with closing(outcomes_of(work, tasks, jobs)) as outcomes:
            for done, (task, result, _) in enumerate(outcomes, start=1):
                progress.clear()
                if isinstance(result, TemplateError) and not self.is_named(task):
                    say(f"{task.path}: note: {result.problem}; {result.remedy}")
                elif isinstance(result, SdfInertiaError):
                    self.refuse(result.within(file=task.path))
                else:
                    yield task, result
                progress.advance(remaining=len(tasks) - done)
        progress.clear()

    def status(self, *, fails: bool = False) -> ExitStatus:
        return ExitStatus.REFUSED if self.refused else ExitStatus.FINDINGS if fails else ExitStatus.DONE

    def refuse(self, error: SdfInertiaError) -> None:
        """Reports an error once, however many files it concerns."""
        if str(error) not in self._said:
            self._said.add(str(error))
            say(str(error), style=ERROR)
        super().refuse(error)

    # Output -----------------------------------------------------------------------------------------------------------

    def require_writable(self, destinations: Sequence[str], near: str | None = None) -> None:
        places: set[str] = set()
        for path in destinations:
            if path in _STANDARD_OUTPUT:
                continue
            place = os.path.realpath(path)
            if place in places:
                raise ConfigurationError("is given for two outputs", file=path)
            places.add(place)
            refuse_unwritable(path, self.confinement(near))

    def formats(self, reports: Sequence[str], content: Content, *others: str | None) -> dict[str, ReportFormat]:
        """The formats of reports, which can be written, as can the other outputs that are given."""
        found = {path: format_of_report(path, content) for path in reports}
        self.require_writable([*filter(None, others), *reports])
        return found

    def put_reports(self, formats: Mapping[str, ReportFormat], report: Report, content: Content) -> None:
        for path, form in formats.items():
            self.put(path, form.render(report, content).encode("utf-8"))

    def put(self, path: str, content: bytes, near: str | None = None) -> None:
        if path in _STANDARD_OUTPUT:
            print_bytes(content)
            return
        if any(is_same_file(path, file) for file in self.taken):
            raise WriteError("is an input, and not overwritten", file=path, remedy="give another name")
        confine = self.confinement(near)
        say_lines(write_file(path, content, confine=confine))

    def put_all(self, task: FileTask, result: FillResult, output: str | None = None) -> None:
        """Writes what changed back, or the whole document to another output."""
        if output is None and task.data is not None:
            output = STANDARD_STREAM
        others = sum(file.changed for file in result.others)
        if others and output is not None:
            problem = f"{others + 1} files would change, and one is written"
            raise ConfigurationError(problem, file=task.path, remedy="omit -o")
        if output is not None and (output in _STANDARD_OUTPUT or not is_same_file(output, task.path)):
            self.put(output, result.content, task.path)
            return
        say_lines(write_back(result.files, task.options.confine))
