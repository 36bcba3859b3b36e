"""The reports of a run of `check`, and its exit status."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from sdfinertia.commands import FileRun
from sdfinertia.documents import is_named_by, no_link_matches, open_document
from sdfinertia.documents.checking import CheckResult, NotChecked
from sdfinertia.documents.scene import Scene, scenes_of
from sdfinertia.errors import ResourceError, SdfInertiaError, counted
from sdfinertia.options import Options
from sdfinertia.report import FindingsReport, format_named, format_of_report
from sdfinertia.report.findings import counting, is_fixed_by_fill, not_checked_line
from sdfinertia.report.terminal import ExitStatus, print_text, say, say_lines
from sdfinertia.report.text import summary_of, wrapped
from sdfinertia.robot.problems import Command
from sdfinertia.rules import CANNOT_JUDGE, UNREADABLE_GEOMETRY, rules_in_force
from sdfinertia.rules.accepted import Baseline, Entry, baseline_text, read_baseline
from sdfinertia.rules.reading import UNREADABLE
from sdfinertia.rules.rule import Finding
from sdfinertia.runs.checking import CheckedFile, merged
from sdfinertia.runs.configuration import FILL_HOOK, is_in_pre_commit
from sdfinertia.runs.source_files import STANDARD_STREAM, FileTask, remedy_on

# Always reported: no output must mean no findings.
ALWAYS = sorted({*CANNOT_JUDGE, UNREADABLE_GEOMETRY})
_HOOK = Command(tuple(FILL_HOOK.split()))


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
        self._baseline: Baseline | None = None
        if request.baseline is not None:
            self._baseline = read_baseline(request.baseline, run.confinement())
        self._form = format_named(request.format)
        self._reports = {report: format_of_report(report, "findings") for report in request.reports}
        forms = (self._form, *self._reports.values())
        self.shows_models = any(form.shows_models for form in forms)
        self.lists_links = any(form.lists_links for form in forms)
        baseline = [request.new_baseline] if request.new_baseline else []
        run.require_writable([*request.reports, *baseline])
        self.files: list[tuple[FileTask, CheckResult]] = []
        self.not_checked: list[NotChecked] = []
        self.scenes: list[Scene] = []
        self.fixed: list[Finding] = []
        self.fills = Counter[str]()

    def keep(self, task: FileTask, file: CheckedFile) -> None:
        result, findings = file.result, file.result.findings
        if task.data is not None:
            findings = tuple(_on_stream(task, each) for each in findings)
        if is_in_pre_commit():
            findings = tuple(each._replace(advice=_HOOK) if is_fixed_by_fill(each) else each for each in findings)
        if result.passed_over and findings:
            is_named = self._run.is_named(task)
            findings = findings if is_named else ()
            result = result._replace(passed_over="", notes=()) if is_named else result
        if result.passed_over:
            self.not_checked.append(NotChecked(result.path, result.passed_over))
        self.files.append((task, result._replace(findings=findings)))
        if self.shows_models:
            context = self._run.context.of(task.options)
            with suppress(SdfInertiaError):
                document = file.document or open_document(task.source, task.options, context, filename=task.path)
                self.scenes += scenes_of(document, context=context, with_computed=True)

    def conclude(self, paths: Sequence[str]) -> int:
        request, run = self._request, self._run
        found = merged((result.path, result.findings) for _, result in self.files)
        says = request.verbosity >= 0
        if says:
            self._say_fixed()
        has_links = self._require_links()
        report = self._report(found if request.new_baseline is not None else self.fresh(found))
        self._say_not_checked(report, paths)
        is_printed = not request.diff and request.new_baseline is None
        if is_printed and (text := self._form.render(report, "findings")):
            print_text(wrapped(text) if request.format == "text" else text)
        for path, form in self._reports.items():
            run.put(path, form.render(report, "findings").encode("utf-8", "replace"))
        if request.new_baseline is not None:
            run.put(request.new_baseline, baseline_text(request.new_baseline, found).encode("ascii"))
            if says:
                say(f"wrote {counted(len(found), 'finding')} to the baseline {request.new_baseline}.")
            return ExitStatus.REFUSED if run.refused else ExitStatus.DONE
        # Say that nothing was checked: "no findings" would mislead.
        if says and has_links and (self.files or not run.refused):
            # Standard input cannot be fixed, so no command is suggested.
            say_lines(summary_of(report, suggests=list(paths) != [STANDARD_STREAM]))
            say_lines(self._run.notes_on_macros())
            self._say_uncounted(len(found) - len(report.findings))
        if request.verbosity > 0:
            for entry in self._baseline.stale_entries(self._is_in_scope) if self._baseline is not None else ():
                say(f"fixed since the baseline: {entry.path} {entry.key.label} {entry.code}")
        if run.refused or any(finding.code in CANNOT_JUDGE for finding in report.findings):
            return ExitStatus.REFUSED
        return ExitStatus.FINDINGS if counting(report.findings) and not request.exits_zero else ExitStatus.DONE

    def fresh(self, findings: Sequence[Finding]) -> list[Finding]:
        return [finding for finding in findings if self._baseline is None or not self._baseline.hides(finding)]

    def _report(self, findings: Sequence[Finding]) -> FindingsReport:
        results = [result for _, result in self.files]
        return FindingsReport(
            findings,
            [result.path for result in results if not result.passed_over],
            self.scenes,
            self._request.verbosity > 0,
            [reason for result in results for reason in result.unjudged],
            {result.path: result.labels for result in results},
            self.not_checked,
            [(result.path, note) for result in results for note in result.notes],
        )

    def _require_links(self) -> bool:
        patterns = {pattern for task, _ in self.files for pattern in task.options.link}
        results = [result for _, result in self.files]
        if not patterns or any(result.links or _is_unreadable(result) for result in results):
            return True
        self._run.refuse(no_link_matches(patterns, [name for result in results for name in result.unmatched]))
        return False

    def _is_in_scope(self, entry: Entry) -> bool:
        options = self._requested.get(entry.path)
        return (
            options is not None
            and any(rule.code == entry.code for rule in rules_in_force(options))
            and (not (entry.link and options.link) or any(is_named_by(entry.key, pattern) for pattern in options.link))
        )

    @cached_property
    def _requested(self) -> dict[str, Options]:
        path_of = self._baseline.path_of if self._baseline is not None else str
        return {path_of(result.path): task.options for task, result in self.files if not _is_unreadable(result)}

    def _say_not_checked(self, report: FindingsReport, paths: Sequence[str]) -> None:
        line = not_checked_line(report, lists_all=report.lists_all)
        has_judged = any(result.links or _is_unreadable(result) for _, result in self.files)
        if line and not has_judged and any(map(os.path.isdir, paths)):
            from sdfinertia.documents.xacro import robot_to_add

            macros = (each.path for each in self.not_checked if each.why == "macros only")
            remedy = robot_to_add(macros, self._run.confinement()) or " ".join(self._run.notes_on_macros())
            self._run.refuse(ResourceError(line, remedy=remedy))
        elif line and self._request.verbosity >= 0:
            say(line)

    def _say_fixed(self) -> None:
        if self.fixed:
            files = {finding.location.file for finding in self.fixed}
            say(f"fixed {counted(len(self.fixed), 'finding')} in {counted(len(files), 'file')}.")
        if self.fills["default_densities"]:
            links = counted(self.fills["default_densities"], "link")
            say(f"{links} filled at the default density, 1000 kg/m³; give <density> where that is wrong.")

    def _say_uncounted(self, known: int) -> None:
        suppressed = sum(result.suppressed for _, result in self.files)
        uncounted = [(known, "in the baseline"), (suppressed, "suppressed in the files")]
        if known or suppressed:
            say("not counted: " + ", ".join(f"{number:,} {why}" for number, why in uncounted if number) + ".")


def _on_stream(task: FileTask, finding: Finding) -> Finding:
    remedy = remedy_on(task, finding.message, finding.remedy)
    return finding if remedy == finding.remedy else finding._replace(advice=remedy)


def _is_unreadable(result: CheckResult) -> bool:
    return any(finding.code == UNREADABLE.code for finding in result.findings)
