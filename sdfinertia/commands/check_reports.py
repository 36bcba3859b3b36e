"""The reports of a run of `check`, and its exit status."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.commands.file_run import STANDARD_STREAM, FileRun
from sdfinertia.documents.opened import is_named_by, no_link_matches
from sdfinertia.errors import ResourceError, counted, noted
from sdfinertia.report import FindingsReport, ReportFormat, format_named, format_of_report
from sdfinertia.report.findings import (
    closing_lines,
    count_line,
    counting,
    minor_line,
    not_checked_line,
    reason_lines,
    summary_lines,
)
from sdfinertia.report.terminal import ExitStatus, print_text, say
from sdfinertia.rules.accepted import Baseline, Entry, baseline_text, read_baseline
from sdfinertia.rules.reading import UNREADABLE
from sdfinertia.rules.registry import RULES, rules_in_force
from sdfinertia.runs.checking import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.documents.checking import CheckResult, NotChecked
    from sdfinertia.documents.scene import Scene
    from sdfinertia.links.study import Unjudged
    from sdfinertia.options import Options
    from sdfinertia.rules.rule import Finding
    from sdfinertia.runs.outcomes import FileTask

CANNOT_JUDGE = frozenset(rule.code for rule in RULES if rule.fails_run)


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

    def conclude(self, paths: Sequence[str]) -> int:
        request, run = self._request, self._run
        found = self._found()
        if request.verbosity >= 0:
            self._say_fixed()
        has_links = self._require_links()
        self._say_not_checked(paths)
        if request.new_baseline is not None:
            return self._write_baseline(request.new_baseline, found)
        findings = self.fresh(found)
        if not request.diff:
            text = self._rendered(self._form, findings)
            if text:
                print_text(_wrapped(text) if request.format == "text" else text)
        self._write_reports(findings)
        # Say that nothing was checked: "no findings" would mislead.
        if request.verbosity >= 0 and has_links and (self.files or not run.refused):
            self._say_summary(findings, paths, known=len(found) - len(findings))
        if request.verbosity > 0:
            for entry in self._baseline.stale_entries(self._is_in_scope) if self._baseline is not None else ():
                say(f"fixed since the baseline: {entry.path} {entry.key.label} {entry.code}")
        if run.refused or any(finding.code in CANNOT_JUDGE for finding in findings):
            return ExitStatus.REFUSED
        return ExitStatus.FINDINGS if counting(findings) and not request.exits_zero else ExitStatus.DONE

    def _found(self) -> list[Finding]:
        if not any(result.sources for _, result in self.files):
            return [finding for _, result in self.files for finding in result.findings]
        return merged((result.path, result.findings) for _, result in self.files)

    def fresh(self, findings: Sequence[Finding]) -> list[Finding]:
        return [finding for finding in findings if self._baseline is None or not self._baseline.hides(finding)]

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

    def _write_baseline(self, path: str, findings: Sequence[Finding]) -> int:
        self._write_reports(findings)
        self._run.put(path, baseline_text(path, findings).encode("ascii"))
        if self._request.verbosity >= 0:
            say(f"wrote {counted(len(findings), 'finding')} to the baseline {path}.")
        return ExitStatus.REFUSED if self._run.refused else ExitStatus.DONE

    def _write_reports(self, findings: Sequence[Finding]) -> None:
        for path, form in self._reports.items():
            self._run.put(path, self._rendered(form, findings).encode("utf-8", "replace"))

    def _rendered(self, form: ReportFormat, findings: Sequence[Finding]) -> str:
        results = [result for _, result in self.files]
        links = {result.path: result.labels for result in results}
        notes = [(result.path, note) for result in results for note in result.notes]
        lists_all, unjudged, checked = self._request.verbosity > 0, self._unjudged(), self._paths()
        report = FindingsReport(
            findings, RULES, checked, self.scenes, lists_all, unjudged, links, self.not_checked, notes
        )
        return form.render(report, "findings")

    def _paths(self) -> list[str]:
        return [result.path for _, result in self.files if not result.passed_over]

    def _unjudged(self) -> list[Unjudged]:
        return [reason for _, result in self.files for reason in result.unjudged]

    def _say_not_checked(self, paths: Sequence[str]) -> None:
        verbosity = self._request.verbosity
        line = not_checked_line(self.not_checked, self._paths(), lists_all=verbosity > 0)
        has_judged = any(result.links or _is_unreadable(result) for _, result in self.files)
        if line and not has_judged and any(map(os.path.isdir, paths)):
            self._run.refuse(ResourceError(line, remedy=" ".join(self._about_macros(is_refused=True))))
        elif line and verbosity >= 0:
            say(line)

    def _about_macros(self, *, is_refused: bool = False) -> list[str]:
        if not (self._run.macros or is_refused):
            return []
        from sdfinertia.documents.xacro import missing_package, robot_to_add

        macros = (each.path for each in self.not_checked if each.why == "macros only")
        robot = robot_to_add(macros, self._run.confinement()) if is_refused else ""
        return [robot] if robot else [*missing_package(self._run.macros)]

    def _say_fixed(self) -> None:
        if self.fixed:
            files = {finding.location.file for finding in self.fixed}
            say(f"fixed {counted(len(self.fixed), 'finding')} in {counted(len(files), 'file')}.")
        if self.fills["default_densities"]:
            links = counted(self.fills["default_densities"], "link")
            say(f"{links} filled at the default density, 1000 kg/m³; give <density> where that is wrong.")

    def _missing_models(self) -> str:
        if not self.scenes:
            return ""
        from sdfinertia.documents.scene import missing_words

        return missing_words(self.scenes)

    def _say_summary(self, findings: Sequence[Finding], paths: Sequence[str], *, known: int) -> None:
        results = [result for _, result in self.files]
        for result in results:
            for note in result.notes:
                say(f"{result.path}: {noted(note)}")
        checked = self._paths()
        # Standard input cannot be fixed, so no command is suggested.
        is_stream = list(paths) == [STANDARD_STREAM]
        say_counts = count_line if is_stream else summary_lines
        counts = say_counts(findings, checked, self.not_checked)
        summary = [counts] if isinstance(counts, str) else counts
        unjudged, lists_all = self._unjudged(), self._request.verbosity > 0
        lines = [
            *summary,
            minor_line(findings, lists_all=lists_all),
            *closing_lines(unjudged, names_first=not lists_all),
            self._missing_models(),
            *(reason_lines(unjudged) if lists_all else ()),
            *self._about_macros(),
        ]
        for line in filter(None, lines):
            say(line)
        suppressed = sum(result.suppressed for result in results)
        uncounted = [(known, "in the baseline"), (suppressed, "suppressed in the files")]
        if known or suppressed:
            say("not counted: " + ", ".join(f"{number:,} {why}" for number, why in uncounted if number) + ".")


def _is_unreadable(result: CheckResult) -> bool:
    return any(finding.code == UNREADABLE.code for finding in result.findings)


# Columns that lines have at least, however narrow a terminal is.
_LEAST_WIDTH = 40


def _wrapped(text: str) -> str:
    """Lines that fit the terminal; as they are where standard output is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return text
    width = max(_LEAST_WIDTH, shutil.get_terminal_size().columns)
    wrapper = textwrap.TextWrapper(width, subsequent_indent=" " * 6, break_long_words=False, break_on_hyphens=False)
    return "".join(f"{wrapper.fill(line)}\n" for line in text.splitlines())
