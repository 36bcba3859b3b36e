"""The command `check` over many files: the files and the fixes; `check_reports` has the findings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from sdfinertia.commands import FileRun
from sdfinertia.commands.check_reports import ALWAYS, CheckReports, CheckRequest
from sdfinertia.documents.checking import CheckResult, NotChecked
from sdfinertia.documents.diffs import result_diff
from sdfinertia.errors import ConfigurationError, WriteError
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Given, Options, merged_options
from sdfinertia.report import ERROR, print_bytes, say, say_lines
from sdfinertia.report.findings import fix_of
from sdfinertia.report.results import counts_of, report_lines
from sdfinertia.rules import chosen_rules
from sdfinertia.runs import Fill, Jobs, may_share
from sdfinertia.runs.checking import Check, CheckMacros, Fix, told_apart
from sdfinertia.runs.source_files import STANDARD_STREAM, FileTask, file_task, require_one_stream


def run_check(paths: Sequence[str], given: Given, jobs: Jobs, **settings: Any) -> int:
    """`settings` are values of `CheckRequest`."""
    request = CheckRequest(**settings)
    require_one_stream(paths, request.stdin_filename)
    if request.diff and not request.fix:
        raise ConfigurationError("--diff needs --fix")
    if request.diff and request.format != "text":
        raise ConfigurationError(f"--diff cannot be combined with --format {request.format}")
    if request.fix and STANDARD_STREAM in paths:
        raise ConfigurationError("--fix cannot be combined with -, for it writes to files")
    run = FileRun(given, quiet=request.verbosity < 0, jobs=jobs, merged=judging)
    reports = CheckReports(run, request)
    checked = _checked(run, run.tasks(paths, request.stdin_filename), reports)
    checked = told_apart(checked | _checked_macros(run, checked, reports))
    if request.fix:
        checked = _fixed(run, checked, request, reports)
    return reports.conclude(checked, paths)


def judging(given: Given, configured: Given) -> Options:
    """The options of files, with rules that always count; those that a configuration ignores may be all there are."""
    options = merged_options(given, configured)
    for each in (merged_options(configured, {}), options):
        chosen_rules(each.select, each.ignore)
    return options.replaced({"select": (*options.select, *ALWAYS)}) if options.select else options


def _checked(run: FileRun, tasks: Sequence[FileTask], reports: CheckReports) -> dict[FileTask, CheckResult]:
    return dict(run.over(Check(run.context, reports.lists_links), tasks, "checking"))


def _checked_macros(
    run: FileRun, checked: Mapping[FileTask, CheckResult], reports: CheckReports
) -> dict[FileTask, CheckResult]:
    if not run.macros:
        return {}
    from sdfinertia.xacro.expansion import has_xacro

    used = {source for result in checked.values() for source in result.sources}
    tasks = [file_task(path, run.options_for(path)) for path in run.macros if os.path.abspath(path) not in used]
    tasks = [task for task in tasks if not is_excluded(task.path, task.options.exclude)]
    if not has_xacro():
        reports.not_checked += (NotChecked(task.path, "xacro is not installed") for task in tasks)
        return {}
    found = dict(run.over(CheckMacros(run.context), tasks, "checking"))
    reports.not_checked += (NotChecked(each.path, each.passed_over) for each in found.values() if not each.links)
    found = {task: result for task, result in found.items() if result.links}
    # Files that others include are checked with those.
    included = {source for result in found.values() for source in result.sources[1:]}
    return {task: result for task, result in found.items() if os.path.abspath(task.path) not in included}


# `--fix`, written or shown with `--diff` -----------------------------------------------------------------------------


def _fixed(
    run: FileRun, checked: dict[FileTask, CheckResult], request: CheckRequest, reports: CheckReports
) -> dict[FileTask, CheckResult]:
    """The findings left by the fixes; with `--diff` these are printed, and nothing changes."""
    safe = {
        task: [finding for finding in reports.fresh(result.findings) if fix_of(finding) == "safe"]
        for task, result in checked.items()
    }
    fixable = {task: findings for task, findings in safe.items() if findings}
    if not fixable:
        return checked
    fix = Fix({task.path: findings for task, findings in fixable.items()})
    # Documents that share files may need other numbers in their blocks, whether there is anything to fix in them.
    tasks = [task for task, result in checked.items() if task in fixable or (result.links and may_share(task))]
    for task, (result, *_) in run.over(Fill(run.context, fix), tasks, "fixing"):
        for error in result.errors:
            if isinstance(error, WriteError):
                run.refuse(error)
            else:
                say(str(error), style=ERROR)
        with run.refusing():
            if request.diff:
                print_bytes(result_diff(result))
            else:
                say_lines(report_lines(result, verbose=True) if request.verbosity > 0 and result.links else ())
                run.put_all(task, result)
        reports.fills.update(counts_of(result))
    if request.diff:
        return checked
    # Findings in a file that includes others may change with fixes there.
    run.context = SharedContext(keeps=True)
    again = [task for task, result in checked.items() if task in fixable or result.includes]
    checked = told_apart({**checked, **_checked(run, again, reports)})
    for task, findings in fixable.items():
        left = {(finding.key, finding.code) for finding in checked[task].findings}
        reports.fixed += (finding for finding in findings if (finding.key, finding.code) not in left)
    return checked
