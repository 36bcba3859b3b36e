"""The command `check` over many files: which files, where findings go, and what is mended."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from glob import escape
from typing import Any, NamedTuple

from sdfinertia.baseline import Baseline, baseline_text, read_baseline
from sdfinertia.checking import CheckResult, check_file
from sdfinertia.configuration import Configurations
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.filling import fill, read_root
from sdfinertia.options import Options
from sdfinertia.report.tally import DONE, FINDINGS, INTERRUPTED, REFUSED
from sdfinertia.report.terminal import ERROR, Progress, print_text, say
from sdfinertia.rules.registry import RULES
from sdfinertia.rules.rule import Finding
from sdfinertia.source_files import is_excluded, source_files
from sdfinertia.surroundings import Surroundings

STANDARD_STREAM = "-"
# What `fill` mends, and what moving a last digit does.
_FILLED_BY_FIX = ("SDI001", "SDI002", "SDI104")
_NUDGED_BY_FIX = "SDI107"
_CANNOT_JUDGE = frozenset(rule.code for rule in RULES if rule.fails_run)


class CheckRequest(NamedTuple):
    """What is asked of a run.

    Attributes:
        format: of the findings on standard output: text, json, github, sarif or junit.
        reports: files for reports; the suffix tells the format.
        baseline: a file of known findings that do not count.
        new_baseline: a file to write all findings to, as known.
        fix: mend what can be mended, and tell what is left.
        verbosity: -1 only findings, 0 a summary too, 1 all there is to say.
        stdin_filename: the place that standard input has.
    """

    format: str = "text"
    reports: tuple[str, ...] = ()
    baseline: str | None = None
    new_baseline: str | None = None
    fix: bool = False
    verbosity: int = 0
    stdin_filename: str | None = None


def run_check(paths: Sequence[str], given: Mapping[str, Any], request: CheckRequest) -> int:
    """Checks the files that paths stand for, and returns the exit status.

    Args:
        paths: files, directories, or "-" alone.
        given: the options of the command line, by field name of `Options`.
    """
    run = _Run(given, request)
    try:
        Options().replaced(given)
        for report in request.reports:
            _require_report_format(report)
        if request.fix and STANDARD_STREAM in paths:
            raise ConfigurationError("--fix writes to files, and goes not with -")
        baseline = read_baseline(request.baseline) if request.baseline is not None else None
        run.check_paths(paths)
        return run.conclude(paths, baseline)
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return REFUSED
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED


class _Run:
    """One run of the command over its files."""

    def __init__(self, given: Mapping[str, Any], request: CheckRequest) -> None:
        self._given = given
        self._request = request
        self._configurations = Configurations()
        self._surroundings: dict[tuple[tuple[str, ...], str | None], Surroundings] = {}
        self._results: list[CheckResult] = []
        self._said: set[str] = set()
        self._is_refused = False

    def check_paths(self, paths: Sequence[str]) -> None:
        """Checks every file that the paths stand for."""
        if list(paths) == [STANDARD_STREAM]:
            name = self._request.stdin_filename or "<stdin>"
            options = self._options_for(self._request.stdin_filename or os.path.join(os.getcwd(), name))
            data = sys.stdin.buffer.read()
            self._results.append(check_file(data, options, self._surroundings_for(options), filename=name))
            return
        files = list(dict.fromkeys(self._expanded(paths)))
        with Progress(len(files), quiet=self._request.verbosity < 0, doing="checking") as progress:
            for done, path in enumerate(files):
                self._check_one(path)
                progress.advance(remaining=len(files) - done - 1)

    def conclude(self, paths: Sequence[str], baseline: Baseline | None) -> int:
        """Tells the findings, and returns the exit status."""
        findings = [finding for result in self._results for finding in result.findings]
        if self._request.new_baseline is not None:
            return self._write_baseline(self._request.new_baseline, findings)
        known = 0
        if baseline is not None:
            fresh = [finding for finding in findings if not baseline.hides(finding)]
            known, findings = len(findings) - len(fresh), fresh
        checked = [result.path for result in self._results]
        text = _rendered(self._request.format, findings, checked)
        if text:
            print_text(text)
        for report in self._request.reports:
            _write_report(report, findings, checked)
        if self._request.verbosity >= 0:
            self._say_summary(findings, checked, paths, known)
        if self._request.verbosity > 0 and baseline is not None:
            for entry in baseline.stale_entries():
                say(f"known, and gone: {entry.path} {entry.link} {entry.code}")
        if self._is_refused or any(finding.code in _CANNOT_JUDGE for finding in findings):
            return REFUSED
        return FINDINGS if findings else DONE

    def _expanded(self, paths: Sequence[str]) -> Iterator[str]:
        for path in paths:
            try:
                if path == STANDARD_STREAM:
                    raise ConfigurationError("- stands for standard input and goes with no other path")
                files = source_files(path, self._refuse)
            except SdfInertiaError as error:
                self._refuse(error)
                continue
            for file in files:
                try:
                    if not is_excluded(file, self._options_for(file).exclude):
                        yield file
                except SdfInertiaError as error:
                    self._refuse(error)

    def _check_one(self, path: str) -> None:
        try:
            options = self._options_for(path)
            surroundings = self._surroundings_for(options)
            result = check_file(path, options, surroundings)
            if self._request.fix and _mend(path, result.findings, options, surroundings):
                result = check_file(path, options, surroundings)
            self._results.append(result)
        except SdfInertiaError as error:
            self._refuse(error)

    def _options_for(self, path: str) -> Options:
        return Options().replaced({**self._configurations.values_for(path), **self._given})

    def _surroundings_for(self, options: Options) -> Surroundings:
        key = (options.resource_path, options.confine)
        if key not in self._surroundings:
            self._surroundings[key] = Surroundings(options)
        return self._surroundings[key]

    def _refuse(self, error: SdfInertiaError) -> None:
        self._is_refused = True
        if str(error) not in self._said:
            self._said.add(str(error))
            say(str(error), style=ERROR)

    def _write_baseline(self, path: str, findings: Sequence[Finding]) -> int:
        from sdfinertia.atomic_file import write_file

        write_file(path, baseline_text(path, findings).encode("ascii"))
        if self._request.verbosity >= 0:
            say(f"{len(findings)} findings are known now, in {path}.")
        return REFUSED if self._is_refused else DONE

    def _say_summary(
        self, findings: Sequence[Finding], checked: Sequence[str], paths: Sequence[str], known: int
    ) -> None:
        from sdfinertia.report.findings_text import summary_lines

        for line in summary_lines(findings, checked, paths).splitlines():
            say(line)
        skipped = sum(result.skipped for result in self._results)
        suppressed = sum(result.suppressed for result in self._results)
        if skipped:
            say(f"{skipped} hand-written links could not be judged by every rule: a file that it needs is not there.")
        if known or suppressed:
            say(f"not counted: {known} known by the baseline, {suppressed} suppressed in the files.")


def _mend(path: str, findings: Sequence[Finding], options: Options, surroundings: Surroundings) -> bool:
    """Mends what can be mended in a file; whether anything was written."""
    codes = {finding.code for finding in findings}
    is_written = False
    fillable = {finding.link for finding in findings if finding.code in _FILLED_BY_FIX}
    if fillable:
        chosen = options.replaced(
            {"link": tuple(sorted(map(escape, fillable))), "missing": "SDI104" in codes, "keep_going": True}
        )
        result = fill(path, chosen, surroundings=surroundings)
        result.write()
        is_written = result.changed
    if _NUDGED_BY_FIX in codes:
        nudged = {finding.link for finding in findings if finding.code == _NUDGED_BY_FIX}
        is_written = _nudge(path, nudged) or is_written
    return is_written


def _nudge(path: str, names: set[str]) -> bool:
    from sdfinertia.atomic_file import replace_file
    from sdfinertia.nudging import nudge_edits
    from sdfinertia.sdf.document import splice

    root = read_root(path, path)
    links = [link for model in root.models() for link in model.all_links() if link.scoped_name in names]
    edits = [edit for link in links if link.inertial is not None for edit in nudge_edits(link.inertial)]
    if edits:
        replace_file(path, splice(root.document.data, edits), expected=root.document.data)
    return bool(edits)


def _rendered(format_name: str, findings: Sequence[Finding], checked: Sequence[str]) -> str:
    """The findings in a format; each is loaded where it is asked for."""
    if format_name == "json":
        from sdfinertia.report.findings_json import json_findings

        return json_findings(findings, RULES, checked)
    if format_name == "github":
        from sdfinertia.report.findings_github import workflow_commands

        return workflow_commands(findings, RULES)
    if format_name == "sarif":
        from sdfinertia.report.findings_sarif import sarif_log

        return sarif_log(findings, RULES, checked)
    if format_name == "junit":
        from sdfinertia.report.findings_junit import junit_report

        return junit_report(findings, RULES, checked)
    if format_name == "markdown":
        from sdfinertia.report.findings_markdown import markdown_report

        return markdown_report(findings, RULES, checked)
    from sdfinertia.report.findings_text import finding_lines

    return finding_lines(findings)


_REPORT_FORMATS = {".md": "markdown", ".json": "json", ".sarif": "sarif", ".xml": "junit"}


def _require_report_format(path: str) -> None:
    if os.path.splitext(path)[1].lower() not in _REPORT_FORMATS:
        known = ", ".join(_REPORT_FORMATS)
        raise ConfigurationError(f"the format of the report {path!r} is not known", remedy=f"name it {known}")


def _write_report(path: str, findings: Sequence[Finding], checked: Sequence[str]) -> None:
    from sdfinertia.atomic_file import write_file

    format_name = _REPORT_FORMATS[os.path.splitext(path)[1].lower()]
    write_file(path, _rendered(format_name, findings, checked).encode("utf-8", "replace"))
