"""The command `check` over many files: which files, where findings go, and what is fixed."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from sdfinertia.commands.file_run import FileRun, ended, remedy_on, require_one_stream
from sdfinertia.commands.outputs import STANDARD_STREAM, baseline_at, report_at
from sdfinertia.documents.checking import CheckResult
from sdfinertia.documents.opened import open_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.links.context import SharedContext
from sdfinertia.links.selection import is_named_by, no_link_matches
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.findings import (
    closing_lines,
    count_line,
    has_fix,
    is_fixed_by_fill,
    reason_lines,
    statistics_lines,
    summary_lines,
)
from sdfinertia.report.formats import FindingsReport, ReportFormat, format_named, format_of_report
from sdfinertia.report.tally import ExitStatus
from sdfinertia.report.terminal import print_text, say
from sdfinertia.report.wording import counted
from sdfinertia.robot.values import XACRO_SUFFIX
from sdfinertia.rules.accepted import Baseline, Entry, baseline_text, read_baseline
from sdfinertia.rules.reading import UNREADABLE, UNREADABLE_GEOMETRY
from sdfinertia.rules.registry import RULES, chosen_rules, rules_in_force
from sdfinertia.rules.rule import Finding, Unjudged
from sdfinertia.runs.checking import Check, CheckedFile
from sdfinertia.runs.configuration import FILL_HOOK, find_configuration, is_in_pre_commit
from sdfinertia.runs.outcomes import ONE_JOB, Jobs
from sdfinertia.runs.work import FileTask

if TYPE_CHECKING:
    from sdfinertia.commands.fixing import Fixing
    from sdfinertia.documents.scene import Scene

_UNREADABLE = UNREADABLE.code
_CANNOT_JUDGE = frozenset(rule.code for rule in RULES if rule.fails_run)
# Told whatever else is asked for, or silence would be taken for health.
_ALWAYS = sorted({*_CANNOT_JUDGE, UNREADABLE_GEOMETRY.code})


class CheckRequest(NamedTuple):
    """What `check` is asked for; `verbosity` is -1 for findings only, 1 for all details."""

    format: str = "text"
    reports: tuple[str, ...] = ()
    baseline: str | None = None
    new_baseline: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    statistics: bool = False
    exits_zero: bool = False
    verbosity: int = 0
    stdin_filename: str | None = None

    @property
    def fixes(self) -> bool:
        return self.fix or self.unsafe_fixes


def run_check(paths: Sequence[str], given: GivenOptions, request: CheckRequest, jobs: Jobs = ONE_JOB) -> int:
    return ended(lambda: checked_once(paths, given, request, jobs))


def checked_once(
    paths: Sequence[str],
    given: GivenOptions,
    request: CheckRequest,
    jobs: Jobs = ONE_JOB,
    *,
    looked_at: set[str] | None = None,
) -> int:
    """Checks once; `looked_at` gets the files checked and those read for them, as far as this process read them."""
    _require_sense(paths, given, request)
    checking = _Checking(given, request, jobs)
    checking.require_writable()
    try:
        checking.check_paths(paths)
    finally:
        if looked_at is not None:
            looked_at |= checking.files()
    return checking.conclude(paths)


class CheckRun(FileRun):
    def _options_near(self, path: str) -> Options:
        configured = self.configured_for(path)
        try:
            chosen_rules(configured.options.select, configured.options.ignore)
        except ConfigurationError as error:
            directory = os.path.dirname(os.path.abspath(path))
            raise error.within(file=find_configuration(directory, self.given.options.confine)) from None
        options = self.given.over(configured)
        return options.replaced({"select": (*options.select, *_ALWAYS)}) if options.select else options


class _Checking:
    def __init__(self, given: GivenOptions, request: CheckRequest, jobs: Jobs) -> None:
        self._run = CheckRun(given, quiet=request.verbosity < 0, jobs=jobs)
        self._request = request
        self._baseline: Baseline | None = None
        if request.baseline is not None:
            self._baseline = read_baseline(request.baseline, self._run.confinement_of_outputs())
        self._results: list[CheckResult] = []
        self._options: list[Options] = []
        # What was asked of each file, by its name in the baseline.
        self._asked: dict[str, Options] = {}
        self._fixing: Fixing | None = None
        formats = [format_named(request.format), *(format_of_report(each, "findings") for each in request.reports)]
        self._shows_models = any(form.shows_models for form in formats)
        self._lists_links = any(form.lists_links for form in formats)
        self._scenes: list[Scene] = []
        # Standard input cannot be read twice.
        self._stream: dict[str, bytes] = {}

    def require_writable(self) -> None:
        new_baseline = self._request.new_baseline
        baseline = [baseline_at(new_baseline)] if new_baseline else []
        self._run.require_writable([*map(report_at, self._request.reports), *baseline])

    def check_paths(self, paths: Sequence[str]) -> None:
        context = self._run.context
        checked = self._checked(self._run.tasks(paths, self._request.stdin_filename), context)
        if self._request.fixes:
            fixing = self._fixing = self._new_fixing()
            if self._request.diff:
                fixing.print_diffs(checked)
            else:
                checked = self._fixed_and_checked(checked, fixing)
            # What was fixed is checked again.
            context = SharedContext(keeps=True) if fixing.has_fixed else context
        for task, file in checked.items():
            self._keep(task, file.result)
            self._add_scenes(file, task, context)

    def _new_fixing(self) -> Fixing:
        # Loaded where something is to be fixed.
        from sdfinertia.commands.fixing import Fixing

        request = self._request
        return Fixing(self._run, self._fresh, request.verbosity, unsafe_fixes=request.unsafe_fixes)

    def _checked(self, tasks: Iterable[FileTask], context: SharedContext) -> dict[FileTask, CheckedFile]:
        checked: dict[FileTask, CheckedFile] = {}
        work = Check(context, self._request.fixes or self._shows_models)
        for task, file in self._run.over(work, deque(tasks), doing="checking"):
            needs_document = self._shows_models or any(map(has_fix, file.result.findings))
            checked[task] = file if needs_document else CheckedFile(file.result)
        return checked

    def _fixed_and_checked(self, checked: dict[FileTask, CheckedFile], fixing: Fixing) -> dict[FileTask, CheckedFile]:
        fixable = fixing.fix(checked)
        # A file that includes others may be judged by what was fixed there.
        again = [task for task, file in checked.items() if task in fixable or (fixable and file.result.includes)]
        checked = {**checked, **self._checked(again, SharedContext(keeps=True))}
        fixing.count(fixable, checked)
        return checked

    def files(self) -> set[str]:
        """The files that were looked at, and the meshes and models that they rest on."""
        return {result.path for result in self._results} | self._run.context.files_read()

    def conclude(self, paths: Sequence[str]) -> int:
        found = self._found()
        checked = [result.path for result in self._results]
        if self._request.verbosity >= 0 and self._fixing is not None:
            for line in self._fixing.lines():
                say(line)
        looked_at = self._require_links()
        if self._request.new_baseline is not None:
            return self._write_baseline(self._request.new_baseline, found, checked)
        findings = self._fresh(found)
        self._print(findings, checked)
        self._write_reports(findings, checked)
        # Why nothing was looked at is said, and that nothing was found would be no news.
        if self._request.verbosity >= 0 and looked_at and (checked or not self._run.refused):
            self._say_summary(findings, checked, paths, known=len(found) - len(findings))
        if self._request.verbosity > 0 and self._baseline is not None:
            for entry in self._baseline.stale_entries(self._is_looked_for):
                say(f"fixed since the baseline: {entry.path} {entry.key.label} {entry.code}")
        if self._request.verbosity > 0:
            for line in self._run.pace.lines():
                say(line)
        if self._run.refused or any(finding.code in _CANNOT_JUDGE for finding in findings):
            return ExitStatus.REFUSED
        return ExitStatus.FINDINGS if findings and not self._request.exits_zero else ExitStatus.DONE

    def _found(self) -> list[Finding]:
        """All findings."""
        if not any(result.path.lower().endswith(XACRO_SUFFIX) for result in self._results):
            return [finding for result in self._results for finding in result.findings]
        # Loaded where there is xacro.
        from sdfinertia.documents.xacro import merged

        return merged((result.path, result.findings) for result in self._results)

    def _print(self, findings: Sequence[Finding], checked: Sequence[str]) -> None:
        if self._request.diff:
            return
        if self._request.statistics:
            text = statistics_lines(findings)
        else:
            text = self._rendered(format_named(self._request.format), findings, checked)
        if text:
            print_text(text)

    def _rendered(self, form: ReportFormat, findings: Sequence[Finding], checked: Sequence[str]) -> str:
        tells_each = self._request.verbosity > 0
        unjudged = self._unjudged()
        links = {result.path: result.labels for result in self._results}
        report = FindingsReport(findings, RULES, checked, self._scenes, self._content_of, tells_each, unjudged, links)
        return form.render(report, "findings")

    def _unjudged(self) -> list[Unjudged]:
        return [reason for result in self._results for reason in result.unjudged]

    def _content_of(self, path: str) -> bytes | None:
        if path in self._stream:
            return self._stream[path]
        try:
            return read_regular_file(path, confine=self._run.options_for(path).confine)
        except SdfInertiaError:
            return None

    def _require_links(self) -> bool:
        """Whether any link was checked; a `--link` that matches none is refused, since silence would pass for "no
        findings".
        """
        patterns = {pattern for options in self._options for pattern in options.link}
        is_unreadable = any(finding.code == _UNREADABLE for result in self._results for finding in result.findings)
        if not patterns or is_unreadable or any(result.links for result in self._results):
            return True
        self._run.refuse(no_link_matches(patterns, [name for result in self._results for name in result.unmatched]))
        return False

    def _fresh(self, findings: Sequence[Finding]) -> list[Finding]:
        return [finding for finding in findings if self._baseline is None or not self._baseline.hides(finding)]

    def _is_looked_for(self, entry: Entry) -> bool:
        """Whether this run would have found a known finding, were it still there."""
        options = self._asked.get(entry.path)
        return (
            options is not None
            and any(rule.code == entry.code for rule in rules_in_force(options))
            and (not (entry.link and options.link) or any(is_named_by(entry.key, pattern) for pattern in options.link))
        )

    def _keep(self, task: FileTask, result: CheckResult) -> None:
        if task.data is not None:
            self._stream[task.path] = task.data
            told = (each._replace(remedy=remedy_on(task, each.message, each.remedy)) for each in result.findings)
            result = result._replace(findings=tuple(told))
        if is_in_pre_commit():
            findings = (each._replace(remedy=FILL_HOOK) if is_fixed_by_fill(each) else each for each in result.findings)
            result = result._replace(findings=tuple(findings))
        # Of millions of links nobody needs the names but where they are listed.
        self._results.append(result if self._lists_links else result._replace(labels=()))
        self._options.append(task.options)
        # Of a file that cannot be read nothing is known to be gone.
        if self._baseline is not None and not any(finding.code == _UNREADABLE for finding in result.findings):
            self._asked[self._baseline.path_of(result.path)] = task.options

    def _add_scenes(self, file: CheckedFile, task: FileTask, shared: SharedContext) -> None:
        if self._shows_models:
            from sdfinertia.documents.model_scenes import scenes_of

            context = shared.of(task.options)
            with suppress(SdfInertiaError):
                document = file.document or open_document(task.source, task.options, context, filename=task.path)
                self._scenes += scenes_of(document, context=context, with_computed=True)

    def _write_baseline(self, path: str, findings: Sequence[Finding], checked: Sequence[str]) -> int:
        self._write_reports(findings, checked)
        self._run.put(baseline_at(path), baseline_text(path, findings).encode("ascii"))
        if self._request.verbosity >= 0:
            say(f"wrote {counted(len(findings), 'finding')} to the baseline {path}.")
        return ExitStatus.REFUSED if self._run.refused else ExitStatus.DONE

    def _write_reports(self, findings: Sequence[Finding], checked: Sequence[str]) -> None:
        for report in self._request.reports:
            text = self._rendered(format_of_report(report, "findings"), findings, checked)
            self._run.put(report_at(report), text.encode("utf-8", "replace"))

    def _say_summary(
        self, findings: Sequence[Finding], checked: Sequence[str], paths: Sequence[str], *, known: int
    ) -> None:
        hook = FILL_HOOK if is_in_pre_commit() else None
        # Standard input cannot be fixed, so no command is suggested.
        is_stream = list(paths) == [STANDARD_STREAM]
        for result in self._results:
            for note in result.notes:
                say(f"{result.path}: note: {note}")
        summary = count_line(findings, checked) if is_stream else summary_lines(findings, checked, paths, hook)
        for line in summary.splitlines():
            say(line)
        unjudged, tells_each = self._unjudged(), self._request.verbosity > 0
        for line in closing_lines(unjudged, names_first=not tells_each):
            say(line)
        for line in reason_lines(unjudged) if tells_each else ():
            say(line)
        if self._run.macros:
            # Loaded where there is xacro.
            from sdfinertia.documents.xacro import unused_lines

            used = {name for result in self._results for name in result.sources}
            for line in unused_lines(self._run.macros, used):
                say(line)
        suppressed = sum(result.suppressed for result in self._results)
        uncounted = [(known, "in the baseline"), (suppressed, "suppressed in the files")]
        if known or suppressed:
            say("not counted: " + ", ".join(f"{number:,} {why}" for number, why in uncounted if number) + ".")


def _require_sense(paths: Sequence[str], given: GivenOptions, request: CheckRequest) -> None:
    chosen_rules(given.options.select, given.options.ignore)
    for report in request.reports:
        format_of_report(report, "findings")
    require_one_stream(paths, request.stdin_filename)
    if request.diff and not request.fixes:
        raise ConfigurationError("--diff needs --fix or --unsafe-fixes")
    for name, is_given in (("--diff", request.diff), ("--statistics", request.statistics)):
        if is_given and request.format != "text":
            raise ConfigurationError(f"{name} cannot be combined with --format {request.format}")
    if request.diff and request.statistics:
        raise ConfigurationError("--diff cannot be combined with --statistics")
    for name, is_given in (("--fix", request.fix), ("--unsafe-fixes", request.unsafe_fixes)):
        if is_given and STANDARD_STREAM in paths:
            raise ConfigurationError(f"{name} cannot be combined with -, for it writes to files")
