"""The command `check` over many files: which files, where findings go, and what is mended."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from glob import escape
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.commands.file_checking import FileChecking
from sdfinertia.commands.inputs import CommandInputs
from sdfinertia.documents.checking import CheckResult, check_file
from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.documents.opened import open_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files.regular_file import read_regular_file, read_stream
from sdfinertia.links.surroundings import SharedSurroundings, Surroundings
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings import count_line, counted, is_mendable
from sdfinertia.report.formats import ReportFormat, format_named, format_of_report
from sdfinertia.report.pace import Pace
from sdfinertia.report.tally import DONE, FINDINGS, INTERRUPTED, REFUSED, Tally
from sdfinertia.report.terminal import ERROR, Progress, print_text, say
from sdfinertia.rules.baseline import Baseline, Entry, baseline_text, read_baseline
from sdfinertia.rules.registry import RULE_OF_CODE, RULES, UNREADABLE, chosen_rules
from sdfinertia.rules.rule import Finding, Mender
from sdfinertia.runs.configuration import find_configuration
from sdfinertia.runs.outcomes import ONE_JOB, Jobs, outcomes_in_order
from sdfinertia.runs.source_files import is_excluded
from sdfinertia.runs.work import FileTask

if TYPE_CHECKING:
    from sdfinertia.documents.scene import Scene

STANDARD_STREAM = "-"
_UNREADABLE = UNREADABLE.code
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


def run_check(paths: Sequence[str], given: GivenOptions, request: CheckRequest, jobs: Jobs = ONE_JOB) -> int:
    """Checks the files that paths stand for, and returns the exit status.

    Args:
        paths: files, directories, or "-" alone.
        given: the options of the command line.
        jobs: what checks the files; one process mends them in any case.
    """
    try:
        _require_sense(paths, given, request)
        baseline = read_baseline(request.baseline) if request.baseline is not None else None
        run = _Run(given, request, jobs, baseline)
        run.check_paths(paths)
        return run.conclude(paths)
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return REFUSED
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED


class _CheckInputs(CommandInputs):
    """The files of a run, with the rules that their options choose."""

    def _options_near(self, path: str) -> Options:
        """The options that are in force for a file, with the rules that always are."""
        configured = self.configured_for(path)
        try:
            chosen_rules(configured.options.select, configured.options.ignore)
        except ConfigurationError as error:
            raise error.within(file=find_configuration(os.path.dirname(os.path.abspath(path)))) from None
        options = self._given.over(configured)
        # What could not be judged is told whatever else is asked for, or silence would be taken for health.
        always = sorted(_CANNOT_JUDGE) if options.select else ()
        return options.replaced({"select": (*options.select, *always)})


class _Run:
    """One run of the command over its files."""

    def __init__(self, given: GivenOptions, request: CheckRequest, jobs: Jobs, baseline: Baseline | None) -> None:
        self._inputs = _CheckInputs(given, self._count_refused)
        self._request = request
        self._jobs = jobs
        self._baseline = baseline
        self._results: list[CheckResult] = []
        # What was asked of each file, by its name in the baseline.
        self._asked: dict[str, Options] = {}
        self._mended: list[Finding] = []
        self._shows_models = any(format_of_report(report, "findings").shows_models for report in request.reports)
        self._scenes: list[Scene] = []
        # Standard input cannot be read twice.
        self._stream: dict[str, bytes] = {}
        self._fills = Tally()
        self._is_refused = False
        self._pace = Pace()

    def check_paths(self, paths: Sequence[str]) -> None:
        """Checks every file that the paths stand for."""
        if list(paths) == [STANDARD_STREAM]:
            self._check_stream(self._request.stdin_filename)
            return
        checked = self._checked(self._inputs.tasks(self._inputs.files(paths)), self._inputs.surroundings)
        if self._request.fix:
            checked = self._mended_and_checked(checked)
        # What was mended is looked at anew.
        surroundings = SharedSurroundings() if self._mended else self._inputs.surroundings
        for task, result in checked.items():
            self._keep(result, task.options)
            self._add_scenes(task.path, task.options, surroundings.of(task.options), task.path)

    def _checked(self, tasks: Iterable[FileTask], surroundings: SharedSurroundings) -> dict[FileTask, CheckResult]:
        """What checking files comes to, in their order; those that are refused are left out."""
        pending = deque(tasks)
        number = len(pending)
        checked: dict[FileTask, CheckResult] = {}
        with (
            Progress(number, quiet=self._request.verbosity < 0, doing="checking") as progress,
            closing(outcomes_in_order(FileChecking(surroundings), pending, self._jobs)) as outcomes,
        ):
            for done, (task, result, seconds) in enumerate(outcomes, start=1):
                self._pace.add(task.path, seconds)
                if isinstance(result, SdfInertiaError):
                    self._inputs.refuse(result)
                else:
                    checked[task] = result
                progress.advance(remaining=number - done)
        return checked

    def _mended_and_checked(self, checked: dict[FileTask, CheckResult]) -> dict[FileTask, CheckResult]:
        """What checking comes to once what can be mended is: nothing is mended while files are still looked at."""
        mendable = {task: list(filter(is_mendable, self._fresh(result.findings))) for task, result in checked.items()}
        mendable = {task: findings for task, findings in mendable.items() if findings}
        for task, findings in mendable.items():
            self._mend(task.path, findings, task.options, self._inputs.surroundings.of(task.options))
        # A file that includes others may be judged by what was mended there.
        again = [task for task, result in checked.items() if task in mendable or (mendable and result.includes)]
        checked = {**checked, **self._checked(again, SharedSurroundings())}
        for task, findings in mendable.items():
            left = {(finding.link, finding.code) for finding in checked[task].findings}
            self._mended += (finding for finding in findings if (finding.link, finding.code) not in left)
        return checked

    def conclude(self, paths: Sequence[str]) -> int:
        """Tells the findings, and returns the exit status."""
        found = [finding for result in self._results for finding in result.findings]
        checked = [result.path for result in self._results]
        if self._request.verbosity >= 0:
            self._say_mended()
        if self._request.new_baseline is not None:
            return self._write_baseline(self._request.new_baseline, found, checked)
        findings = self._fresh(found)
        text = self._rendered(format_named(self._request.format), findings, checked)
        if text:
            print_text(text)
        for report in self._request.reports:
            self._write_report(report, findings, checked)
        if self._request.verbosity >= 0:
            self._say_summary(findings, checked, paths, known=len(found) - len(findings))
        if self._request.verbosity > 0 and self._baseline is not None:
            for entry in self._baseline.stale_entries(self._is_looked_for):
                say(f"known, and gone: {entry.path} {entry.link} {entry.code}")
        if self._request.verbosity > 0:
            for line in self._pace.lines():
                say(line)
        if self._is_refused or any(finding.code in _CANNOT_JUDGE for finding in findings):
            return REFUSED
        return FINDINGS if findings else DONE

    def _rendered(self, form: ReportFormat, findings: Sequence[Finding], checked: Sequence[str]) -> str:
        report = FindingsReport(findings, RULES, checked, self._scenes, self._content_of)
        return form.render(report, "findings")

    def _content_of(self, path: str) -> bytes | None:
        """The bytes of a file that was looked at; None where they cannot be read again."""
        if path in self._stream:
            return self._stream[path]
        try:
            return read_regular_file(path)
        except SdfInertiaError:
            return None

    def _write_report(self, path: str, findings: Sequence[Finding], checked: Sequence[str]) -> None:
        from sdfinertia.files.atomic_file import write_file

        text = self._rendered(format_of_report(path, "findings"), findings, checked)
        write_file(path, text.encode("utf-8", "replace"))

    def _fresh(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings that no baseline knows."""
        return [finding for finding in findings if self._baseline is None or not self._baseline.hides(finding)]

    def _is_looked_for(self, entry: Entry) -> bool:
        """Whether the run would have met a known finding, had it still been there."""
        options = self._asked.get(entry.path)
        return (
            options is not None
            and any(rule.code == entry.code for rule in chosen_rules(options.select, options.ignore))
            and (not (entry.link and options.link) or any(fnmatchcase(entry.link, pattern) for pattern in options.link))
        )

    def _check_stream(self, filename: str | None) -> None:
        name = filename or "<stdin>"
        options = self._inputs.options_for(filename or os.path.join(os.getcwd(), name))
        data = self._stream[name] = read_stream(sys.stdin.buffer, name)
        if not is_excluded(name, options.exclude):
            surroundings = self._inputs.surroundings.of(options)
            self._keep(check_file(data, options, surroundings, filename=name), options)
            self._add_scenes(data, options, surroundings, name)

    def _keep(self, result: CheckResult, options: Options) -> None:
        self._results.append(result)
        # Of a file that cannot be read nothing is known to be gone.
        if self._baseline is not None and not any(finding.code == _UNREADABLE for finding in result.findings):
            self._asked[self._baseline.path_of(result.path)] = options

    def _add_scenes(self, source: str | bytes, options: Options, surroundings: Surroundings, name: str) -> None:
        """Keeps the models of a file for a page that shows them; that it cannot be read is among the findings."""
        if self._shows_models:
            from sdfinertia.documents.model_scenes import scenes_of

            with suppress(SdfInertiaError):
                self._scenes += scenes_of(open_document(source, options, surroundings, filename=name))

    def _mend(self, path: str, findings: Sequence[Finding], options: Options, surroundings: Surroundings) -> None:
        """Mends what can be mended in a file."""
        try:
            links: dict[Mender, set[str]] = {mender: set() for mender in Mender}
            for finding in findings:
                links[RULE_OF_CODE[finding.code].mender].add(finding.link)
            fillable = links[Mender.FILL] | links[Mender.FILL_MISSING]
            if fillable:
                is_missing = bool(links[Mender.FILL_MISSING])
                names = tuple(sorted(map(escape, fillable)))
                chosen = replace(options, link=names, missing=is_missing, refresh=True, keep_going=True)
                document = open_document(path, options, surroundings)
                self._write_filled(fill_document(document, chosen))
            nudged = links[Mender.NUDGE]
            if nudged:
                for note in _nudge(path, nudged):
                    say(note)
        except SdfInertiaError as error:
            self._inputs.refuse(error)

    def _write_filled(self, result: FillResult) -> None:
        """Writes what was filled, and says why the rest was not."""
        for error in result.errors:
            say(str(error), style=ERROR)
        for note in result.write():
            say(note)
        self._fills.add(result)
        if self._request.verbosity > 0:
            from sdfinertia.report.text_report import report_lines

            for line in report_lines(result, verbose=True):
                say(line)

    def _count_refused(self, _: SdfInertiaError) -> None:
        self._is_refused = True

    def _write_baseline(self, path: str, findings: Sequence[Finding], checked: Sequence[str]) -> int:
        from sdfinertia.files.atomic_file import write_file

        for report in self._request.reports:
            self._write_report(report, findings, checked)
        write_file(path, baseline_text(path, findings).encode("ascii"))
        if self._request.verbosity >= 0:
            say(f"{counted(len(findings), 'finding')} known from now on, in {path}.")
        return REFUSED if self._is_refused else DONE

    def _say_mended(self) -> None:
        if self._mended:
            files = {finding.location.file for finding in self._mended}
            say(f"mended {counted(len(self._mended), 'finding')} in {counted(len(files), 'file')}.")
        if self._fills.default_densities:
            links = counted(self._fills.default_densities, "link")
            say(f"{links} took the default density of 1000 kg/m³; give <density> where that is wrong.")

    def _say_summary(
        self, findings: Sequence[Finding], checked: Sequence[str], paths: Sequence[str], *, known: int
    ) -> None:
        from sdfinertia.report.findings_text import summary_lines

        # Standard input cannot be mended, so no command is told that would.
        is_stream = list(paths) == [STANDARD_STREAM]
        for result in self._results:
            for note in result.notes:
                say(f"{result.path}: note: {note}")
        summary = count_line(findings, checked) if is_stream else summary_lines(findings, checked, paths)
        for line in summary.splitlines():
            say(line)
        skipped = sum(result.skipped for result in self._results)
        suppressed = sum(result.suppressed for result in self._results)
        if skipped:
            links = counted(skipped, "hand-written link")
            say(f"{links} could not be judged by every rule: a file that it needs is not there.")
        uncounted = [(known, "known by the baseline"), (suppressed, "suppressed in the files")]
        if known or suppressed:
            say("not counted: " + ", ".join(f"{number:,} {why}" for number, why in uncounted if number) + ".")


def _require_sense(paths: Sequence[str], given: GivenOptions, request: CheckRequest) -> None:
    """Refuses options that are wrong, or contradict each other.

    Raises:
        ConfigurationError: they do.
    """
    chosen_rules(given.options.select, given.options.ignore)
    for report in request.reports:
        format_of_report(report, "findings")
    if STANDARD_STREAM in paths and len(paths) > 1:
        raise ConfigurationError("- stands for standard input and goes with no other path")
    if request.fix and STANDARD_STREAM in paths:
        raise ConfigurationError("--fix writes to files, and goes not with -")
    if request.stdin_filename is not None and STANDARD_STREAM not in paths:
        raise ConfigurationError("--stdin-filename goes with - alone")


def _nudge(path: str, names: set[str]) -> list[str]:
    """Nudges the tensors of the links of these names; what is worth a note."""
    from sdfinertia.description.edits import splice
    from sdfinertia.files.atomic_file import replace_file

    document = open_document(path, Options())
    edits = [edit for link in document.links() if link.scoped_name in names for edit in link.nudge_edits()]
    data = document.robot.data
    return replace_file(path, splice(data, edits), expected=data) if edits else []
