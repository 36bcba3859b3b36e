"""The command `check` over many files: the files and the fixes; `check_reports` has the findings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sdfinertia.commands import FileRun, ended
from sdfinertia.commands.check_reports import ALWAYS, CheckReports, CheckRequest
from sdfinertia.documents.checking import NotChecked
from sdfinertia.documents.filling import FillResult
from sdfinertia.errors import ConfigurationError, WriteError
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Given, Options, merged_options
from sdfinertia.report import format_of_report
from sdfinertia.report.findings import fix_of
from sdfinertia.report.results import counts_of, report_lines, result_diff
from sdfinertia.report.terminal import ERROR, print_bytes, say, say_lines
from sdfinertia.rules import chosen_rules
from sdfinertia.runs import Fill, Jobs, may_share
from sdfinertia.runs.checking import Check, CheckedFile, CheckMacros, Fix, told_apart
from sdfinertia.runs.source_files import STANDARD_STREAM, FileTask, file_task, require_one_stream


def run_check(paths: Sequence[str], given: Given, jobs: Jobs, **settings: Any) -> int:
    """`settings` are values of `CheckRequest`."""

    def run() -> int:
        request = CheckRequest(**settings)
        _require_sense(paths, given, request)
        run = FileRun(given, quiet=request.verbosity < 0, jobs=jobs, merged=judging)
        reports = CheckReports(run, request)
        tasks = list(run.tasks(paths, request.stdin_filename))
        run.require_given_arguments(tasks)
        checked = _checked(run, tasks, reports)
        checked = told_apart(checked | _checked_macros(run, checked, reports))
        if request.fix:
            checked = _fixed(run, checked, request, reports)
        for task, file in checked.items():
            reports.keep(task, file)
        return reports.conclude(paths)

    return ended(run)


def judging(given: Given, configured: Given) -> Options:
    """The options of files, with rules that always count; those that a configuration ignores may be all there are."""
    require_rules(configured)
    options = merged_options(given, configured)
    chosen_rules(options.select, options.ignore)
    return options.replaced({"select": (*options.select, *ALWAYS)}) if options.select else options


def require_rules(given: Given) -> None:
    chosen = merged_options(given, {})
    chosen_rules(chosen.select, chosen.ignore)


def _checked(run: FileRun, tasks: Iterable[FileTask], reports: CheckReports) -> dict[FileTask, CheckedFile]:
    work = Check(run.context, reports.shows_models, reports.lists_links)
    return dict(run.over(work, list(tasks), doing="checking"))


def _checked_macros(
    run: FileRun, checked: Mapping[FileTask, CheckedFile], reports: CheckReports
) -> dict[FileTask, CheckedFile]:
    if not run.macros:
        return {}
    from sdfinertia.xacro.expansion import has_xacro

    used = {source for file in checked.values() for source in file.result.sources}
    unused = (path for path in run.macros if os.path.abspath(path) not in used)
    tasks = [file_task(path, run.options_for(path)) for path in unused]
    tasks = [task for task in tasks if not is_excluded(task.path, task.options.exclude)]
    if not has_xacro():
        reports.not_checked += (NotChecked(task.path, "xacro is not installed") for task in tasks)
        return {}
    found = dict(run.over(CheckMacros(run.context), tasks, doing="checking"))
    results = [file.result for file in found.values()]
    reports.not_checked += (NotChecked(each.path, each.passed_over) for each in results if not each.links)
    # Files that others include are checked with those.
    included = {source for result in results if result.links for source in result.sources[1:]}
    return {
        task: file for task, file in found.items() if file.result.links and os.path.abspath(task.path) not in included
    }


# `--fix`, written or shown with `--diff` -----------------------------------------------------------------------------


def _fixed(
    run: FileRun, checked: dict[FileTask, CheckedFile], request: CheckRequest, reports: CheckReports
) -> dict[FileTask, CheckedFile]:
    """The findings left by the fixes; with `--diff` these are printed, and nothing changes."""
    safe = {
        task: [finding for finding in reports.fresh(file.result.findings) if fix_of(finding) == "safe"]
        for task, file in checked.items()
    }
    fixable = {task: findings for task, findings in safe.items() if findings}
    if not fixable:
        return checked
    fix = Fix({task.path: findings for task, findings in fixable.items()})
    # Documents that share files may need other numbers in their blocks, whether there is anything to fix in them.
    tasks = [task for task, file in checked.items() if task in fixable or (file.result.links and may_share(task))]
    for task, fixed in run.over(Fill(run.context, fix), tasks, doing="fixing"):
        with run.refusing():
            _finish(run, task, fixed.result, request)
        reports.fills.update(counts_of(fixed.result))
    if request.diff:
        return checked
    # Findings in a file that includes others may change with fixes there.
    run.context = SharedContext(keeps=True)
    again = [task for task, file in checked.items() if task in fixable or file.result.includes]
    checked = told_apart({**checked, **_checked(run, again, reports)})
    for task, findings in fixable.items():
        left = {(finding.key, finding.code) for finding in checked[task].result.findings}
        reports.fixed += (finding for finding in findings if (finding.key, finding.code) not in left)
    return checked


def _finish(run: FileRun, task: FileTask, result: FillResult, request: CheckRequest) -> None:
    for error in result.errors:
        if isinstance(error, WriteError):
            run.refuse(error)
        else:
            say(str(error), style=ERROR)
    if request.diff:
        print_bytes(result_diff(result))
        return
    if request.verbosity > 0 and result.links:
        say_lines(report_lines(result, verbose=True))
    run.put_all(task, result)


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
