"""The commands `fill` and `repair`, which write files: where results go, and their reports."""

from __future__ import annotations

import os
from collections import Counter, deque
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.commands.file_run import STANDARD_STREAM, FileRun, ended, remedy_on, require_one_stream, standard_input
from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.documents.opened import no_link_matches, open_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files.atomic_file import Leftovers
from sdfinertia.files.walk import is_excluded, trees_of
from sdfinertia.links.context import SharedContext
from sdfinertia.report import Content, ReportFormat, ResultsReport, format_of_report
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
from sdfinertia.runs.configuration import is_in_pre_commit
from sdfinertia.runs.outcomes import ONE_JOB, FileTask, Fill, FilledFile, Jobs
from sdfinertia.runs.source_files import robot_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.documents.scene import Scene
    from sdfinertia.options import Given
    from sdfinertia.runs.outcomes import Change


class FillRequest(NamedTuple):
    output: str | None = None
    diff: bool = False
    check: bool = False
    reports: tuple[str, ...] = ()
    stdin_filename: str | None = None
    verbosity: int = 0
    repairs: bool = False
    is_hook: bool = False
    is_tree: bool = False

    @property
    def is_brief(self) -> bool:
        return (self.is_hook or (self.repairs and self.is_tree)) and self.verbosity == 0

    @property
    def content(self) -> Content:
        return "repairs" if self.repairs else "results"

    @property
    def writes(self) -> bool:
        return not (self.diff or self.check)

    def forms(self) -> list[ReportFormat]:
        if not self.reports:
            return []
        return [format_of_report(report, self.content) for report in self.reports]


def run_fill(
    paths: Sequence[str], given: Given, request: FillRequest, jobs: Jobs = ONE_JOB, change: Change = fill_document
) -> int:
    is_hook = not request.repairs and is_in_pre_commit()
    request = request._replace(is_hook=is_hook, is_tree=any(map(os.path.isdir, paths)))

    def run() -> int:
        _require_sense(paths, request, given)
        filling = _Filling(given, request, jobs, change)
        filling.fill_paths(paths)
        return filling.conclude()

    return ended(run, f"interrupted; each file is either unchanged or {'repaired' if request.repairs else 'filled'}")


class _Filling:
    def __init__(self, given: Given, request: FillRequest, jobs: Jobs, change: Change) -> None:
        self._run = FileRun(given, quiet=request.verbosity < 0, jobs=jobs)
        self._request = request
        self._forms = request.forms()
        outputs = [request.output] if request.output is not None else []
        self._run.require_writable([*outputs, *request.reports])
        # Workers that are elsewhere write the files too, so that their bytes need not travel.
        leftovers = Leftovers() if jobs.executor is not None and request.writes and request.output is None else None
        self._work = Fill(self._run.context, change, leftovers, tells_idle=not request.repairs)
        self._counts = Counter[str]()
        # Kept for reports.
        self._reported: list[tuple[FileTask, FilledFile]] = []
        self._unmatched: list[str] | None = None

    def fill_paths(self, paths: Sequence[str]) -> None:
        run, pending = self._run, deque(self._tasks(paths))
        run.require_given_arguments(pending)
        for task, filled in run.over(self._work, pending):
            self._finish(filled, task)
            pending.extend(run.tasks_of(self._wanted(filled.included)))

    def _tasks(self, paths: Sequence[str]) -> Iterator[FileTask]:
        run = self._run
        if list(paths) == [STANDARD_STREAM]:
            with run.refusing():
                task = standard_input(self._request.stdin_filename, run.options_for)
                if not is_excluded(task.path, task.options.exclude):
                    yield task
                else:
                    print_bytes(task.data or b"")
            return
        named = robot_files(paths, run.refuse) if self._request.is_hook else paths
        run.trees = trees_of(paths)
        files = list(run.files(named))
        _require_one_input(files, self._request)
        yield from run.tasks_of(files)

    def _wanted(self, included: Sequence[str | SdfInertiaError]) -> Iterator[str]:
        for path in included:
            with self._run.refusing():
                if isinstance(path, SdfInertiaError):
                    raise path
                if not is_excluded(path, self._run.options_for(path).exclude):
                    yield path

    def conclude(self) -> int:
        request, run, counts = self._request, self._run, self._counts
        self._write_reports()
        counts["refused"] += len(run.refused)
        patterns = run.alone.link
        if patterns and self._unmatched is not None and not (counts["matched"] or counts["refused"]):
            raise no_link_matches(patterns, self._unmatched)
        if request.verbosity >= 0:
            if (line := density_line(counts)) is not None:
                say(line)
            if run.macros:
                from sdfinertia.documents.xacro import missing_package

                say_lines(missing_package(run.macros))
            if not request.is_brief:
                for line in asking_lines(counts, run.alone):
                    say(line)
            if not (request.is_brief and request.is_hook):
                say(closing_line(counts, "repaired" if request.repairs else "filled", writes=request.writes))
        return status_of(counts, fails_on_change=request.check)

    def _finish(self, filled: FilledFile, task: FileTask) -> None:
        request, result = self._request, filled.result
        for error in result.errors:
            say(str(error.with_remedy(remedy_on(task, error.problem, error.remedy))), style=ERROR)
        try:
            if request.diff:
                print_bytes(result_diff(result))
            elif isinstance(filled.written, SdfInertiaError):
                raise filled.written
            elif filled.written is not None:
                say_lines(filled.written)
            elif request.writes and (not result.errors or task.options.keep_going):
                self._run.put_all(task, result, request.output)
        except SdfInertiaError as error:
            self._run.refuse(error)
            return
        self._counts.update(counts_of(result))
        self._counts.update(filled.idle)
        self._unmatched = [*(self._unmatched or ()), *result.unmatched]
        if self._forms:
            self._reported.append((task, filled if self._draws else filled._replace(document=None)))
        say_lines(_lines(result, request), heading_style=BOLD)

    @property
    def _draws(self) -> bool:
        return any(form.shows_models for form in self._forms)

    def _write_reports(self) -> None:
        results, verb = [filled.result for _, filled in self._reported], "repair" if self._request.repairs else "fill"
        report = ResultsReport(results, self._run.refused, self._scenes, verb)
        for path, form in zip(self._request.reports, self._forms, strict=True):
            self._run.put(path, form.render(report, self._request.content).encode("utf-8"))

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


def _require_one_input(paths: Sequence[str], request: FillRequest) -> None:
    if request.output is not None and len(paths) > 1:
        raise ConfigurationError(f"-o takes one input, not {len(paths)}")


def _lines(result: FillResult, request: FillRequest) -> tuple[str, ...]:
    if not (result.links or result.notes):
        return ()
    if request.is_brief:
        return (*brief_lines(result), *warning_lines(result))
    if request.verbosity < 0:
        return tuple(warning_lines(result))
    return tuple(report_lines(result, verbose=request.verbosity > 0, writes=request.writes))
