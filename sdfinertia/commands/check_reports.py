"""The reports of a run of `check`, and its exit status."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sdfinertia.commands import FileRun
from sdfinertia.documents import no_link_matches
from sdfinertia.documents.checking import CheckResult, NotChecked
from sdfinertia.errors import ResourceError, counted
from sdfinertia.report import ExitStatus, FindingsReport, format_named, print_text, say, say_lines
from sdfinertia.report.findings import counting, not_checked_line
from sdfinertia.report.text import fixed_lines, summary_of, uncounted_lines, wrapped
from sdfinertia.rules import CANNOT_JUDGE, UNREADABLE_GEOMETRY
from sdfinertia.rules.accepted import baseline_text, read_baseline
from sdfinertia.rules.rule import Finding
from sdfinertia.runs import scenes_of_run
from sdfinertia.runs.checking import as_reported, is_unreadable, looked_for, merged
from sdfinertia.runs.source_files import STANDARD_STREAM, FileTask

# Always reported: no output must mean no findings.
ALWAYS = sorted({*CANNOT_JUDGE, UNREADABLE_GEOMETRY})


class CheckRequest(NamedTuple):
    format: str = "text"
    reports: tuple[str, ...] = ()
    baseline: str | None = None
    new_baseline: str | None = None
    fix: bool = False
    diff: bool = False
    exits_zero: bool = False
    verbosity: int = 0
    stdin_filename: str | None = None


class CheckReports:
    def __init__(self, run: FileRun, request: CheckRequest) -> None:
        self._run = run
        self._request = request
        self._baseline = read_baseline(request.baseline, run.confinement()) if request.baseline is not None else None
        self._form = format_named(request.format)
        self._formats = run.formats(request.reports, "findings", request.new_baseline)
        forms = (self._form, *self._formats.values())
        self._shows_models = any(form.shows_models for form in forms)
        self.lists_links = any(form.lists_links for form in forms)
        self.not_checked: list[NotChecked] = []
        self.fixed: list[Finding] = []
        self.fills = Counter[str]()

    def conclude(self, checked: Mapping[FileTask, CheckResult], paths: Sequence[str]) -> int:
        request, run = self._request, self._run
        results = [as_reported(task, result, is_named=run.is_named(task)) for task, result in checked.items()]
        files = [*zip(checked, results, strict=True)]
        self.not_checked += (NotChecked(each.path, each.passed_over) for each in results if each.passed_over)
        found = merged(results)
        says = request.verbosity >= 0
        if says:
            say_lines(fixed_lines(self.fixed, self.fills))
        has_judged = any(result.links or is_unreadable(result) for result in results)
        patterns = {pattern for task in checked for pattern in task.options.link}
        has_links = has_judged or not patterns
        if not has_links:
            run.refuse(no_link_matches(patterns, [name for result in results for name in result.unmatched]))
        report = FindingsReport(
            found if request.new_baseline is not None else self.fresh(found),
            [result.path for result in results if not result.passed_over],
            scenes_of_run(run.context, files) if self._shows_models else [],
            request.verbosity > 0,
            [reason for result in results for reason in result.unjudged],
            {result.path: result.labels for result in results},
            self.not_checked,
            [(result.path, note) for result in results for note in result.notes],
        )
        self._say_not_checked(report, is_error=not has_judged and any(map(os.path.isdir, paths)))
        is_printed = not request.diff and request.new_baseline is None
        if is_printed and (text := self._form.render(report, "findings")):
            print_text(wrapped(text) if request.format == "text" else text)
        run.put_reports(self._formats, report, "findings")
        if request.new_baseline is not None:
            run.put(request.new_baseline, baseline_text(request.new_baseline, found).encode("ascii"))
            if says:
                say(f"wrote {counted(len(found), 'finding')} to the baseline {request.new_baseline}.")
            return run.status()
        # Say that nothing was checked: "no findings" would mislead.
        if says and has_links and (results or not run.refused):
            # Standard input cannot be fixed, so no command is suggested.
            say_lines(summary_of(report, suggests=list(paths) != [STANDARD_STREAM]))
            say_lines(run.notes_on_macros())
            known, suppressed = len(found) - len(report.findings), sum(result.suppressed for result in results)
            say_lines(uncounted_lines(known, suppressed))
        if request.verbosity > 0 and self._baseline is not None:
            for entry in self._baseline.stale_entries(looked_for(self._baseline, files)):
                say(f"fixed since the baseline: {entry.path} {entry.key.label} {entry.code}")
        if any(finding.code in CANNOT_JUDGE for finding in report.findings):
            return ExitStatus.REFUSED
        return run.status(fails=bool(counting(report.findings)) and not request.exits_zero)

    def fresh(self, findings: Sequence[Finding]) -> list[Finding]:
        return [finding for finding in findings if self._baseline is None or not self._baseline.hides(finding)]

    def _say_not_checked(self, report: FindingsReport, *, is_error: bool) -> None:
        line = not_checked_line(report, lists_all=report.lists_all)
        if line and is_error:
            from sdfinertia.documents.xacro import robot_to_add

            macros = (each.path for each in self.not_checked if each.why == "macros only")
            remedy = robot_to_add(macros, self._run.confinement()) or " ".join(self._run.notes_on_macros())
            self._run.refuse(ResourceError(line, remedy=remedy))
        elif line and self._request.verbosity >= 0:
            say(line)
