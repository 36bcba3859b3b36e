"""The commands `fill` and `repair`, which write files: where results go, and their reports."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from sdfinertia.commands import FileRun
from sdfinertia.documents import no_link_matches
from sdfinertia.documents.diffs import result_diff
from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Given
from sdfinertia.report import BOLD, ERROR, ResultsReport, print_bytes, say, say_lines
from sdfinertia.report.results import counts_of, lines_of_counts, result_lines, status_of
from sdfinertia.runs import ONE_JOB, Change, Fill, FilledFile, Jobs, scenes_of_run
from sdfinertia.runs.configuration import is_in_pre_commit
from sdfinertia.runs.source_files import STANDARD_STREAM, FileTask, remedy_on, require_one_stream, robot_files


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
    try:
        return _Filling(paths, given, request, jobs, change).run(paths, done)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; each file is either unchanged or {done}") from None


class _Filling:
    def __init__(self, paths: Sequence[str], given: Given, request: FillRequest, jobs: Jobs, change: Change) -> None:
        if request.output is not None and not request.writes:
            raise ConfigurationError("-o cannot be combined with --diff or --check")
        require_one_stream(paths, request.stdin_filename)
        if given.get("recursive") and (request.output is not None or STANDARD_STREAM in paths):
            raise ConfigurationError("--recursive cannot be combined with -o or -, for it writes to several files")
        self._request = request
        self._run = FileRun(given, quiet=request.verbosity < 0, jobs=jobs)
        self._formats = self._run.formats(request.reports, "results", request.output)
        repairs = request.verb == "repair"
        self._is_hook = not repairs and is_in_pre_commit()
        self._is_brief = request.verbosity == 0 and (self._is_hook or (repairs and any(map(os.path.isdir, paths))))
        # Workers that are elsewhere write the files too, so that their bytes need not travel.
        writes = jobs.executor is not None and request.writes and request.output is None
        self._work = Fill(self._run.context, change, writes, tells_idle=not repairs)
        self._counts = Counter[str]()
        self._reported: list[tuple[FileTask, FillResult]] = []
        self._unmatched: list[str] | None = None

    def run(self, paths: Sequence[str], done: str) -> int:
        run, request, counts = self._run, self._request, self._counts
        paths = robot_files(paths, run.refuse) if self._is_hook else paths
        tasks = run.tasks(paths, request.stdin_filename)
        if run.excluded_input:
            print_bytes(run.excluded_input)
        for inputs in (paths, tasks) if request.output is not None else ():
            if len(inputs) > 1:
                raise ConfigurationError(f"-o takes one input, not {len(inputs)}")
        while tasks:
            included: list[FileTask] = []
            for task, filled in run.over(self._work, tasks, "filling"):
                with run.refusing():
                    self._finish(task, filled)
                included += run.tasks_of(run.included(filled.included))
            tasks = included
        # Files that others include are drawn once all are written, so that order and jobs do not matter.
        scenes = partial(scenes_of_run, SharedContext(keeps=True), self._reported, is_written=request.writes)
        report = ResultsReport([result for _, result in self._reported], run.refused, scenes, request.verb)
        run.put_reports(self._formats, report, "results")
        counts["refused"] += len(run.refused)
        if run.alone.link and self._unmatched is not None and not (counts["matched"] or counts["refused"]):
            raise no_link_matches(run.alone.link, self._unmatched)
        if request.verbosity >= 0:
            done = "" if self._is_brief and self._is_hook else done
            options = None if self._is_brief else run.alone
            say_lines(lines_of_counts(counts, done, run.notes_on_macros(), options, writes=request.writes))
        return status_of(counts, fails_on_change=request.check)

    def _finish(self, task: FileTask, filled: FilledFile) -> None:
        request, result = self._request, filled.result
        errors = result.errors
        for error in errors:
            say(str(error.with_remedy(remedy_on(task, error.problem, error.remedy))), style=ERROR)
        if request.diff:
            print_bytes(result_diff(result))
        elif isinstance(filled.written, SdfInertiaError):
            raise filled.written
        elif filled.written is not None:
            say_lines(filled.written)
        elif request.writes and (not errors or task.options.keep_going):
            self._run.put_all(task, result, request.output)
        self._counts.update(counts_of(result))
        self._counts.update(filled.idle)
        self._unmatched = [*(self._unmatched or ()), *result.unmatched]
        if self._formats:
            self._reported.append((task, result))
        lines = result_lines(result, request.verbosity, brief=self._is_brief, writes=request.writes)
        say_lines(lines, heading_style=BOLD)
