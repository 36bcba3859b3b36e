"""The commands `fill` and `repair`, which write files: where results go, and their reports."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.commands import FileRun, ended
from sdfinertia.documents import no_link_matches, open_document
from sdfinertia.documents.filling import fill_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Given
from sdfinertia.report import ResultsReport, format_of_report
from sdfinertia.report.results import (
    asking_lines,
    brief_lines,
    closing_line,
    counts_of,
    density_line,
    report_lines,
    result_diff,
    status_of,
    warning_lines,
)
from sdfinertia.report.terminal import BOLD, ERROR, print_bytes, say, say_lines
from sdfinertia.runs import ONE_JOB, Fill, FilledFile, Jobs
from sdfinertia.runs.configuration import is_in_pre_commit
from sdfinertia.runs.source_files import (
    STANDARD_STREAM,
    FileTask,
    remedy_on,
    require_one_stream,
    robot_files,
    standard_input,
)

if TYPE_CHECKING:
    from sdfinertia.documents.scene import Scene
    from sdfinertia.runs import Change


class FillRequest(NamedTuple):
    output: str | None = None
    diff: bool = False
    check: bool = False
    reports: tuple[str, ...] = ()
    stdin_filename: str | None = None
    verbosity: int = 0
    verb: str = "fill"

    @property
    def writes(self) -> bool:
        return not (self.diff or self.check)


def run_fill(
    paths: Sequence[str], given: Given, request: FillRequest, jobs: Jobs = ONE_JOB, change: Change = fill_document
) -> int:
    done = "repaired" if request.verb == "repair" else "filled"
    return ended(
        lambda: _Filling(paths, given, request, jobs, change).run(paths, done),
        f"interrupted; each file is either unchanged or {done}",
    )


class _Filling:
    def __init__(self, paths: Sequence[str], given: Given, request: FillRequest, jobs: Jobs, change: Change) -> None:
        _require_sense(paths, request, given)
        self._request = request
        self._run = FileRun(given, quiet=request.verbosity < 0, jobs=jobs)
        self._forms = [format_of_report(report, "results") for report in request.reports]
        self._run.require_writable([*([request.output] if request.output is not None else []), *request.reports])
        repairs = request.verb == "repair"
        self._is_hook = not repairs and is_in_pre_commit()
        self._is_brief = request.verbosity == 0 and (self._is_hook or (repairs and any(map(os.path.isdir, paths))))
        # Workers that are elsewhere write the files too, so that their bytes need not travel.
        writes = jobs.executor is not None and request.writes and request.output is None
        self._work = Fill(self._run.context, change, writes, tells_idle=not repairs)
        self._counts = Counter[str]()
        self._reported: list[tuple[FileTask, FilledFile]] = []
        self._unmatched: list[str] | None = None

    def run(self, paths: Sequence[str], done: str) -> int:
        run, request, counts = self._run, self._request, self._counts
        tasks = self._tasks(paths)
        run.require_given_arguments(tasks)
        while tasks:
            included: list[FileTask] = []
            for task, filled in run.over(self._work, tasks):
                self._finish(task, filled)
                included += run.tasks_of(run.included(filled.included))
            tasks = included
        self._write_reports()
        counts["refused"] += len(run.refused)
        if run.alone.link and self._unmatched is not None and not (counts["matched"] or counts["refused"]):
            raise no_link_matches(run.alone.link, self._unmatched)
        if request.verbosity >= 0:
            if (line := density_line(counts)) is not None:
                say(line)
            say_lines(run.notes_on_macros())
            if not self._is_brief:
                say_lines(asking_lines(counts, run.alone))
            if not (self._is_brief and self._is_hook):
                say(closing_line(counts, done, writes=request.writes))
        return status_of(counts, fails_on_change=request.check)

    def _tasks(self, paths: Sequence[str]) -> list[FileTask]:
        run = self._run
        if list(paths) == [STANDARD_STREAM]:
            with run.refusing():
                task = standard_input(self._request.stdin_filename, run.options_for)
                if not is_excluded(task.path, task.options.exclude):
                    return [task]
                print_bytes(task.data or b"")
            return []
        tasks = list(run.tasks(robot_files(paths, run.refuse) if self._is_hook else paths))
        _require_one_input(tasks, self._request)
        return tasks

    def _finish(self, task: FileTask, filled: FilledFile) -> None:
        request, result = self._request, filled.result
        for error in result.errors:
            say(str(error.with_remedy(remedy_on(task, error.problem, error.remedy))), style=ERROR)
        with self._run.refusing():
            if request.diff:
                print_bytes(result_diff(result))
            elif isinstance(filled.written, SdfInertiaError):
                raise filled.written
            elif filled.written is not None:
                say_lines(filled.written)
            elif request.writes and (not result.errors or task.options.keep_going):
                self._run.put_all(task, result, request.output)
            self._counts.update(counts_of(result))
            self._counts.update(filled.idle)
            self._unmatched = [*(self._unmatched or ()), *result.unmatched]
            if self._forms:
                draws = any(form.shows_models for form in self._forms)
                self._reported.append((task, filled if draws else filled._replace(document=None)))
            if self._is_brief:
                say_lines([*brief_lines(result), *warning_lines(result)], heading_style=BOLD)
            elif request.verbosity < 0:
                say_lines(warning_lines(result), heading_style=BOLD)
            elif result.links or result.notes:
                lines = report_lines(result, verbose=request.verbosity > 0, writes=request.writes)
                say_lines(lines, heading_style=BOLD)

    def _write_reports(self) -> None:
        request, results = self._request, [filled.result for _, filled in self._reported]
        report = ResultsReport(results, self._run.refused, self._scenes, request.verb)
        for path, form in zip(request.reports, self._forms, strict=True):
            self._run.put(path, form.render(report, "results").encode("utf-8"))

    def _scenes(self) -> list[Scene]:
        from sdfinertia.documents.scene import scenes_of

        # Files that others include are checked once all are written, so that order and jobs do not matter.
        shared = SharedContext(keeps=True)
        scenes: list[Scene] = []
        for task, filled in self._reported:
            result, context = filled.result, shared.of(task.options)
            document = filled.document or open_document(result.original, task.options, context, filename=result.path)
            scenes += scenes_of(document, result.links, context, with_computed=True, is_written=self._request.writes)
        return scenes


def _require_sense(paths: Sequence[str], request: FillRequest, given: Given) -> None:
    if request.output is not None and not request.writes:
        raise ConfigurationError("-o cannot be combined with --diff or --check")
    require_one_stream(paths, request.stdin_filename)
    _require_one_input(paths, request)
    if given.get("recursive") and (request.output is not None or STANDARD_STREAM in paths):
        raise ConfigurationError("--recursive cannot be combined with -o or -, for it writes to several files")


def _require_one_input(inputs: Sequence[object], request: FillRequest) -> None:
    if request.output is not None and len(inputs) > 1:
        raise ConfigurationError(f"-o takes one input, not {len(inputs)}")
