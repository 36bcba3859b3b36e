"""The command `check` over many files: the files, the fixes, and the reports."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.commands.check_reports import CANNOT_JUDGE, CheckReports, CheckRequest
from sdfinertia.commands.file_run import STANDARD_STREAM, FileRun, ended, remedy_on, require_one_stream
from sdfinertia.documents.checking import CheckResult, NotChecked, fix_document
from sdfinertia.documents.opened import open_document
from sdfinertia.documents.scene import scenes_of
from sdfinertia.errors import ConfigurationError, SdfInertiaError, WriteError
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Given, Options, merged_options
from sdfinertia.report import format_of_report
from sdfinertia.report.findings import fix_of, is_fixed_by_fill
from sdfinertia.report.results import counts_of, report_lines, result_diff
from sdfinertia.report.terminal import ERROR, print_bytes, say, say_lines
from sdfinertia.robot.names import MJCF_SUFFIXES
from sdfinertia.robot.problems import Command
from sdfinertia.rules import UNREADABLE_GEOMETRY, chosen_rules
from sdfinertia.runs.checking import Check, CheckedFile, CheckMacros, told_apart
from sdfinertia.runs.configuration import FILL_HOOK, find_configuration, is_in_pre_commit
from sdfinertia.runs.outcomes import ONE_JOB, FileTask, Fill, Jobs, file_task, may_share

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sdfinertia.documents.filling import FillResult
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.rules.rule import Finding

_HOOK = Command(tuple(FILL_HOOK.split()))
# Always reported: no output must mean no findings.
_ALWAYS = sorted({*CANNOT_JUDGE, UNREADABLE_GEOMETRY})


def require_rules(given: Given) -> None:
    chosen = merged_options(given, {})
    chosen_rules(chosen.select, chosen.ignore)


class CheckRun(FileRun):
    def _options_near(self, path: str) -> Options:
        configured = self._configured_for(path)
        try:
            require_rules(configured)
        except ConfigurationError as error:
            directory = os.path.dirname(os.path.abspath(path))
            raise error.within(file=find_configuration(directory, self.alone.confine)) from None
        options = merged_options(self.given, configured)
        # Rules that it ignores may be all that are selected.
        chosen_rules(options.select, options.ignore)
        return options.replaced({"select": (*options.select, *_ALWAYS)}) if options.select else options


def run_check(paths: Sequence[str], given: Given, request: CheckRequest, jobs: Jobs = ONE_JOB) -> int:
    def run() -> int:
        _require_sense(paths, given, request)
        checking = _Checking(given, request, jobs)
        checking.check_paths(paths)
        return checking.reports.conclude(paths)

    return ended(run)


class _Checking:
    def __init__(self, given: Given, request: CheckRequest, jobs: Jobs) -> None:
        self._run = CheckRun(given, quiet=request.verbosity < 0, jobs=jobs)
        self._request = request
        self._is_hook = is_in_pre_commit()
        self.reports = CheckReports(self._run, request)

    def check_paths(self, paths: Sequence[str]) -> None:
        context = self._run.context
        tasks = list(self._run.tasks(paths, self._request.stdin_filename))
        self._run.require_given_arguments(tasks)
        checked = self._checked(tasks, context)
        if self._run.macros:
            checked |= self._checked_macros(checked)
        checked = self._told_apart(checked)
        if self._request.fix:
            checked = self._fixed(checked)
            # Check fixed files again.
            context = SharedContext(keeps=True) if self.reports.fixed else context
        for task, file in checked.items():
            self._keep(task, file.result)
            if self.reports.shows_models:
                self._add_scenes(file, task, context)

    def _checked(self, tasks: Iterable[FileTask], context: SharedContext) -> dict[FileTask, CheckedFile]:
        work = Check(context, self.reports.shows_models, self.reports.lists_links)
        return dict(self._run.over(work, deque(tasks), doing="checking"))

    def _checked_macros(self, checked: Mapping[FileTask, CheckedFile]) -> dict[FileTask, CheckedFile]:
        from sdfinertia.xacro.expansion import has_xacro

        used = {source for file in checked.values() for source in file.result.sources}
        unused = (path for path in self._run.macros if os.path.abspath(path) not in used)
        tasks = [file_task(path, self._run.options_for(path)) for path in unused]
        tasks = [task for task in tasks if not is_excluded(task.path, task.options.exclude)]
        if not has_xacro():
            self.reports.not_checked += (NotChecked(task.path, "xacro is not installed") for task in tasks)
            return {}
        found = dict(self._run.over(CheckMacros(self._run.context), deque(tasks), doing="checking"))
        self.reports.not_checked += (
            NotChecked(task.path, file.result.passed_over) for task, file in found.items() if not file.result.links
        )
        found = {task: file for task, file in found.items() if file.result.links}
        # Files that others include are checked with those.
        included = {source for file in found.values() for source in file.result.sources[1:]}
        return {task: file for task, file in found.items() if os.path.abspath(task.path) not in included}

    def _keep(self, task: FileTask, result: CheckResult) -> None:
        findings = result.findings
        if task.data is not None:
            findings = tuple(_on_stream(task, each) for each in findings)
        if self._is_hook:
            findings = tuple(each._replace(advice=_HOOK) if is_fixed_by_fill(each) else each for each in findings)
        if result.passed_over and findings:
            is_named = self._run.is_named(task)
            findings = findings if is_named else ()
            result = result._replace(passed_over="", notes=()) if is_named else result
        if result.passed_over:
            self.reports.not_checked.append(NotChecked(result.path, result.passed_over))
        if findings is not result.findings:
            result = result._replace(findings=findings)
        self.reports.files.append((task, result))

    def _add_scenes(self, file: CheckedFile, task: FileTask, shared: SharedContext) -> None:
        context = shared.of(task.options)
        with suppress(SdfInertiaError):
            document = file.document or open_document(task.source, task.options, context, filename=task.path)
            self.reports.scenes += scenes_of(document, context=context, with_computed=True)

    # `--fix`, written or shown with `--diff` -------------------------------------------------------------------------

    def _fixed(self, checked: dict[FileTask, CheckedFile]) -> dict[FileTask, CheckedFile]:
        """The findings left by the fixes; with `--diff` these are printed, and nothing changes."""
        writes, run = not self._request.diff, self._run
        for task in checked if writes else ():
            run.leftovers.remove_beside(task.path, task.options.confine)
        safe = {
            task: [finding for finding in self.reports.fresh(file.result.findings) if fix_of(finding) == "safe"]
            for task, file in checked.items()
        }
        fixable = {task: findings for task, findings in safe.items() if findings}
        fix = Fix({task.path: findings for task, findings in fixable.items()})
        # Documents that share files may need other numbers in their blocks, whether there is anything to fix in them.
        tasks = (task for task, file in checked.items() if task in fixable or (file.result.links and may_share(task)))
        for task, fixed in run.over(Fill(run.context, fix), deque(tasks if fixable else ()), doing="fixing"):
            with run.refusing():
                self._finish(task, fixed.result)
        if not (writes and fixable):
            return checked
        # Findings in a file that includes others may change with fixes there.
        again = [task for task, file in checked.items() if task in fixable or file.result.includes]
        checked = self._told_apart({**checked, **self._checked(again, SharedContext(keeps=True))})
        for task, findings in fixable.items():
            left = {(finding.key, finding.code) for finding in checked[task].result.findings}
            self.reports.fixed += (finding for finding in findings if (finding.key, finding.code) not in left)
        return checked

    def _finish(self, task: FileTask, result: FillResult) -> None:
        for error in result.errors:
            if isinstance(error, WriteError):
                self._run.refuse(error)
            else:
                say(str(error), style=ERROR)
        self.reports.fills.update(counts_of(result))
        if self._request.diff:
            print_bytes(result_diff(result))
            return
        if self._request.verbosity > 0 and result.links:
            say_lines(report_lines(result, verbose=True))
        self._run.put_all(task, result)

    def _told_apart(self, checked: Mapping[FileTask, CheckedFile]) -> dict[FileTask, CheckedFile]:
        models = [task for task in checked if task.path.lower().endswith(MJCF_SUFFIXES) and not task.options.link]
        told = told_apart([checked[task].result for task in models]) if len(models) > 1 else []
        return {
            **checked,
            **{task: checked[task]._replace(result=each) for task, each in zip(models, told, strict=False)},
        }


class Fix(NamedTuple):
    """Fixes a document, by the findings in it; others it leaves."""

    findings: Mapping[str, Sequence[Finding]]

    def __call__(self, document: OpenDocument, _: Options) -> FillResult:
        return fix_document(document, self.findings.get(document.robot.path, ()))


def _on_stream(task: FileTask, finding: Finding) -> Finding:
    remedy = remedy_on(task, finding.message, finding.remedy)
    return finding if remedy == finding.remedy else finding._replace(advice=remedy)


def _require_sense(paths: Sequence[str], given: Given, request: CheckRequest) -> None:
    require_rules(given)
    for report in request.reports:
        format_of_report(report, "findings")
    require_one_stream(paths, request.stdin_filename)
    if request.diff and not request.fix:
        raise ConfigurationError("--diff needs --fix")
    if request.diff and request.format != "text":
        raise ConfigurationError(f"--diff cannot be combined with --format {request.format}")
    if request.fix and STANDARD_STREAM in paths:
        raise ConfigurationError("--fix cannot be combined with -, for it writes to files")
