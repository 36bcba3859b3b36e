"""The command `check` over many files: which files, what is fixed, and what is reported."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from sdfinertia.commands.file_run import (
    STANDARD_STREAM,
    FileRun,
    baseline_at,
    ended,
    remedy_on,
    report_at,
    require_one_stream,
)
from sdfinertia.documents.checking import CheckResult, NotChecked, fixing_edits
from sdfinertia.documents.opened import OpenDocument, is_named_by, no_link_matches, open_document
from sdfinertia.errors import ConfigurationError, Location, ResourceError, SdfInertiaError, counted, noted
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.context import SharedContext
from sdfinertia.links.unjudged import Unjudged
from sdfinertia.markup.document import Edit, splice
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.findings import (
    closing_lines,
    count_line,
    counting,
    fix_of,
    folded,
    has_fix,
    is_fixed_by_fill,
    minor_line,
    not_checked_line,
    reason_lines,
    statistics_lines,
    summary_lines,
)
from sdfinertia.report.formats import FindingsReport, ReportFormat, format_named, format_of_report
from sdfinertia.report.terminal import ERROR, ExitStatus, counts_of, print_bytes, print_text, say
from sdfinertia.robot.values import Command
from sdfinertia.rules.baseline import Baseline, Entry, baseline_text, read_baseline
from sdfinertia.rules.reading import UNREADABLE, UNREADABLE_GEOMETRY
from sdfinertia.rules.registry import RULES, chosen_rules, rules_in_force
from sdfinertia.rules.rule import Finding
from sdfinertia.runs.configuration import FILL_HOOK, find_configuration, is_in_pre_commit
from sdfinertia.runs.outcomes import ONE_JOB, Jobs
from sdfinertia.runs.work import Check, CheckedFile, CheckMacros, FileTask, file_task

if TYPE_CHECKING:
    from sdfinertia.documents.scene import Scene

_HOOK = Command(tuple(FILL_HOOK.split()))
_CANNOT_JUDGE = frozenset(rule.code for rule in RULES if rule.fails_run)
# Always reported: no output must mean no findings.
_ALWAYS = sorted({*_CANNOT_JUDGE, UNREADABLE_GEOMETRY.code})


class CheckRequest(NamedTuple):
    """A request to `check`; `verbosity` is -1 for findings only, 1 for all details."""

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


class CheckRun(FileRun):
    def _options_near(self, path: str) -> Options:
        configured = self.configured_for(path)
        try:
            chosen_rules(configured.options.select, configured.options.ignore)
        except ConfigurationError as error:
            directory = os.path.dirname(os.path.abspath(path))
            raise error.within(file=find_configuration(directory, self.given.options.confine)) from None
        options = self.given.over(configured)
        chosen_rules(options.select, options.ignore)
        return options.replaced({"select": (*options.select, *_ALWAYS)}) if options.select else options

    def tasks_of(self, files: Iterable[str]) -> Iterator[FileTask]:
        """The tasks of files; one of each variant of a xacro file."""
        for task in super().tasks_of(files):
            variants = [
                each
                for each in self.configured_for(task.path).variants
                if os.path.realpath(each.file) == os.path.realpath(task.path)
            ]
            if not variants:
                yield task
            for variant in variants:
                names = [name.partition(":=")[0].strip() for name in variant.arguments]
                self.require_arguments(names, [task], given_in=variant.given_in)
                # The command line wins.
                configured = self.configured_for(task.path).options.xacro_arg
                arguments = (*configured, *variant.arguments, *self.given.options.xacro_arg)
                options = task.options.replaced({"xacro_arg": arguments})
                yield task._replace(options=options, variant=variant.name)


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
    require_sense(paths, given, request)
    checking = _Checking(given, request, jobs)
    if looked_at is not None:
        # What is remembered is not read, and cannot be watched.
        checking.read_all()
    try:
        checking.check_paths(paths)
    finally:
        if looked_at is not None:
            looked_at |= checking.files_read()
    return checking.conclude(paths)


class _Checking:
    def __init__(self, given: GivenOptions, request: CheckRequest, jobs: Jobs) -> None:
        run = self._run = CheckRun(given, quiet=request.verbosity < 0, jobs=jobs)
        self._request = request
        self._baseline: Baseline | None = None
        if request.baseline is not None:
            self._baseline = read_baseline(request.baseline, run.confinement())
        self._form = format_named(request.format)
        self._reports = {report: format_of_report(report, "findings") for report in request.reports}
        forms = (self._form, *self._reports.values())
        self._shows_models = any(form.shows_models for form in forms)
        self._lists_links = any(form.lists_links for form in forms)
        baseline = [baseline_at(request.new_baseline)] if request.new_baseline else []
        run.require_writable([*map(report_at, request.reports), *baseline])
        self._files: list[tuple[FileTask, CheckResult]] = []
        self._not_checked: list[NotChecked] = []
        self._scenes: list[Scene] = []
        self._fixed: list[Finding] = []
        self._fills = Counter[str]()

    def check_paths(self, paths: Sequence[str]) -> None:
        context = self._run.context
        tasks = list(self._run.tasks(paths, self._request.stdin_filename))
        self._run.require_given_arguments(tasks)
        checked = self._checked(tasks, context)
        if self._run.macros:
            checked |= self._checked_macros(checked)
        if self._request.fixes:
            if self._request.diff:
                self._print_diffs(checked)
            else:
                checked = self._fixed_and_checked(checked)
            # What was fixed is checked again.
            context = SharedContext(keeps=True) if self._fixed else context
        for task, file in checked.items():
            self._keep(task, file.result)
            if self._shows_models:
                self._add_scenes(file, task, context)

    def read_all(self) -> None:
        self._run.remembers = False

    def files_read(self) -> set[str]:
        """The files that were checked, and the meshes and models that they use."""
        return {result.path for _, result in self._files} | {*self._run.macros} | self._run.context.files_read()

    def _checked(self, tasks: Iterable[FileTask], context: SharedContext) -> dict[FileTask, CheckedFile]:
        checked: dict[FileTask, CheckedFile] = {}
        work = Check(context, self._request.fixes or self._shows_models)
        for task, file in self._run.over(work, deque(tasks), doing="checking"):
            needs_document = self._shows_models or any(map(has_fix, file.result.findings))
            checked[task] = file if needs_document else CheckedFile(file.result)
        return checked

    def _checked_macros(self, checked: Mapping[FileTask, CheckedFile]) -> dict[FileTask, CheckedFile]:
        """The files of macros that no robot of the run uses, by what they make with their defaults."""
        used = {source for file in checked.values() for source in file.result.sources}
        unused = (path for path in self._run.macros if os.path.abspath(path) not in used)
        tasks = [file_task(path, self._run.options_for(path)) for path in unused]
        tasks = [task for task in tasks if not is_excluded(task.path, task.options.exclude)]
        # Loaded where there is xacro.
        from sdfinertia.xacro.expansion import has_xacro

        if not has_xacro():
            self._not_checked += (NotChecked(task.path, "xacro is not installed") for task in tasks)
            return {}
        found = dict(self._run.over(CheckMacros(self._run.context), deque(tasks), doing="checking"))
        self._not_checked += (
            NotChecked(task.path, file.result.passed_over) for task, file in found.items() if not file.result.links
        )
        found = {task: file for task, file in found.items() if file.result.links}
        # What others of them include is checked in those.
        included = {source for file in found.values() for source in file.result.sources[1:]}
        return {task: file for task, file in found.items() if os.path.abspath(task.path) not in included}

    def _keep(self, task: FileTask, result: CheckResult) -> None:
        findings = result.findings
        if task.data is not None:
            findings = tuple(_on_stream(task, each) for each in findings)
        if is_in_pre_commit():
            findings = tuple(each._replace(advice=_HOOK) if is_fixed_by_fill(each) else each for each in findings)
        # Keep link names only for reports that list them: runs can have millions of links.
        labels = result.labels if self._lists_links else ()
        if result.passed_over:
            self._not_checked.append(NotChecked(result.path, result.passed_over))
        self._files.append((task, result._replace(findings=findings, labels=labels)))

    def _add_scenes(self, file: CheckedFile, task: FileTask, shared: SharedContext) -> None:
        from sdfinertia.documents.model_scenes import scenes_of

        context = shared.of(task.options)
        with suppress(SdfInertiaError):
            document = file.document or open_document(task.source, task.options, context, filename=task.path)
            self._scenes += scenes_of(document, context=context, with_computed=True)

    # What `--fix` and `--unsafe-fixes` write, or show with `--diff` --------------------------------------------------

    def _print_diffs(self, checked: Mapping[FileTask, CheckedFile]) -> None:
        from sdfinertia.report.results import unified_diff

        for task, findings in self._fixable(checked).items():
            with self._run.refusing():
                document, edits = self._edits(task, findings, checked[task].document)
                for part, own in document.robot.document.divided(edits):
                    print_bytes(unified_diff(part.path, part.data, own))

    def _fixed_and_checked(self, checked: dict[FileTask, CheckedFile]) -> dict[FileTask, CheckedFile]:
        for task in checked:
            self._run.leftovers.remove_beside(task.path, task.options.confine)
        fixable = self._fixable(checked)
        for task, findings in fixable.items():
            with self._run.refusing():
                document, edits = self._edits(task, findings, checked[task].document)
                for part, own in document.robot.document.divided(edits):
                    if own or part.path == task.path:
                        self._run.put_document(task._replace(path=part.path), part.data, splice(part.data, own))
        # A file that includes others may be judged by what was fixed there.
        again = [task for task, file in checked.items() if task in fixable or (fixable and file.result.includes)]
        checked = {**checked, **self._checked(again, SharedContext(keeps=True))}
        for task, findings in fixable.items():
            left = {(finding.key, finding.code) for finding in checked[task].result.findings}
            self._fixed += (finding for finding in findings if (finding.key, finding.code) not in left)
        return checked

    def _fixable(self, checked: Mapping[FileTask, CheckedFile]) -> dict[FileTask, list[Finding]]:
        applied = ("safe", "unsafe") if self._request.unsafe_fixes else ("safe",)
        fixable = {
            task: [finding for finding in self._fresh(file.result.findings) if fix_of(finding) in applied]
            for task, file in checked.items()
        }
        return {task: findings for task, findings in fixable.items() if findings}

    def _edits(
        self, task: FileTask, findings: Sequence[Finding], document: OpenDocument | None
    ) -> tuple[OpenDocument, list[Edit]]:
        document = document or open_document(task.path, task.options, self._run.context.of(task.options))
        edits, filled = fixing_edits(document, findings)
        if filled is not None:
            for error in filled.errors:
                say(str(error), style=ERROR)
            self._fills.update(counts_of(filled))
            if self._request.verbosity > 0 and not self._request.diff:
                from sdfinertia.report.results import report_lines

                for line in report_lines(filled, verbose=True):
                    say(line)
        return document, edits

    # Reports ----------------------------------------------------------------------------------------------------------

    def conclude(self, paths: Sequence[str]) -> int:
        request, run = self._request, self._run
        found = self._found()
        if request.verbosity >= 0:
            self._say_fixed()
        has_links = self._require_links()
        self._say_not_checked(paths)
        if request.new_baseline is not None:
            return self._write_baseline(request.new_baseline, found)
        findings = self._fresh(found)
        if not request.diff:
            text = statistics_lines(findings) if request.statistics else self._rendered(self._form, findings)
            if text:
                print_text(text)
        self._write_reports(findings)
        # Nothing was checked, and why is said: "no findings" would mislead.
        if request.verbosity >= 0 and has_links and (self._files or not run.refused):
            self._say_summary(findings, paths, known=len(found) - len(findings))
        if request.verbosity > 0:
            for entry in self._baseline.stale_entries(self._is_looked_for) if self._baseline is not None else ():
                say(f"fixed since the baseline: {entry.path} {entry.key.label} {entry.code}")
            for line in run.closing_lines("checked"):
                say(line)
        if run.refused or any(finding.code in _CANNOT_JUDGE for finding in findings):
            return ExitStatus.REFUSED
        return ExitStatus.FINDINGS if counting(findings) and not request.exits_zero else ExitStatus.DONE

    def _found(self) -> list[Finding]:
        """All findings."""
        if not any(result.sources for _, result in self._files):
            return [finding for _, result in self._files for finding in result.findings]
        # Loaded where files include others.
        from sdfinertia.documents.xacro import merged

        return self._with_variants(merged((result.path, result.findings) for _, result in self._files))

    def _with_variants(self, findings: list[Finding]) -> list[Finding]:
        """The findings, with the variants that have them where not all of their file do."""
        variants: dict[str, list[str]] = {}
        found: dict[tuple[str, str, Location], list[str]] = {}
        for task, result in self._files:
            if task.variant:
                variants.setdefault(task.path, []).append(task.variant)
                for each in result.findings:
                    found.setdefault((task.path, each.code, each.location), []).append(task.variant)
        told: list[Finding] = []
        for finding in findings:
            having = [(each[0], names) for each, names in found.items() if each[1:] == (finding.code, finding.location)]
            words = "".join(
                f"; in {'variant' if len(set(names)) == 1 else 'variants'} {', '.join(dict.fromkeys(names))}"
                for path, names in having
                if len(set(names)) < len(variants[path])
            )
            told.append(finding._replace(message=finding.message + words) if words else finding)
        return told

    def _fresh(self, findings: Sequence[Finding]) -> list[Finding]:
        return [finding for finding in findings if self._baseline is None or not self._baseline.hides(finding)]

    def _require_links(self) -> bool:
        """Whether any link was checked; a `--link` that matches none is refused, since silence would pass for "no
        findings".
        """
        patterns = {pattern for task, _ in self._files for pattern in task.options.link}
        results = [result for _, result in self._files]
        if not patterns or any(result.links or _is_unreadable(result) for result in results):
            return True
        self._run.refuse(no_link_matches(patterns, [name for result in results for name in result.unmatched]))
        return False

    def _is_looked_for(self, entry: Entry) -> bool:
        """Whether this run would have found a known finding, were it still there."""
        options = self._asked.get(entry.path)
        return (
            options is not None
            and any(rule.code == entry.code for rule in rules_in_force(options))
            and (not (entry.link and options.link) or any(is_named_by(entry.key, pattern) for pattern in options.link))
        )

    @cached_property
    def _asked(self) -> dict[str, Options]:
        """What was asked of each file, by its name in the baseline; of one that cannot be read nothing is known."""
        path_of = self._baseline.path_of if self._baseline is not None else str
        return {path_of(result.path): task.options for task, result in self._files if not _is_unreadable(result)}

    def _write_baseline(self, path: str, findings: Sequence[Finding]) -> int:
        self._write_reports(findings)
        self._run.put(baseline_at(path), baseline_text(path, findings).encode("ascii"))
        if self._request.verbosity >= 0:
            say(f"wrote {counted(len(findings), 'finding')} to the baseline {path}.")
        return ExitStatus.REFUSED if self._run.refused else ExitStatus.DONE

    def _write_reports(self, findings: Sequence[Finding]) -> None:
        for path, form in self._reports.items():
            self._run.put(report_at(path), self._rendered(form, findings).encode("utf-8", "replace"))

    def _rendered(self, form: ReportFormat, findings: Sequence[Finding]) -> str:
        links = {result.path: result.labels for _, result in self._files}
        checked, tells_each = self._paths(), self._request.verbosity > 0
        notes = [(result.path, note) for _, result in self._files for note in result.notes]
        report = FindingsReport(
            findings,
            RULES,
            checked,
            self._scenes,
            self._content_of,
            tells_each,
            self._unjudged(),
            links,
            self._not_checked,
            notes,
        )
        return form.render(report, "findings")

    def _paths(self) -> list[str]:
        """The files in which something was checked."""
        return [result.path for _, result in self._files if not result.passed_over]

    def _unjudged(self) -> list[Unjudged]:
        return [reason for _, result in self._files for reason in result.unjudged]

    def _content_of(self, path: str) -> bytes | None:
        first, _ = self._files[0]
        if first.data is not None and first.path == path:
            # Standard input is the only file there is, and cannot be read twice.
            return first.data
        try:
            return read_regular_file(path, confine=self._run.options_for(path).confine)
        except SdfInertiaError:
            return None

    def _say_not_checked(self, paths: Sequence[str]) -> None:
        """Says which files were not checked; in directories where none was checked, that is an error."""
        verbosity = self._request.verbosity
        line = not_checked_line(self._not_checked, self._paths(), lists_all=verbosity > 0)
        has_judged = any(result.links or _is_unreadable(result) for _, result in self._files)
        if line and not has_judged and any(map(os.path.isdir, paths)):
            # Loaded where there is xacro.
            from sdfinertia.documents.xacro import missing_package, robot_to_add

            macros = (each.path for each in self._not_checked if each.why == "macros only")
            robot = robot_to_add(macros, self._run.confinement())
            self._run.refuse(ResourceError(line, remedy=robot or " ".join(missing_package(self._run.macros))))
        elif line and verbosity >= 0:
            say(line)

    def _say_fixed(self) -> None:
        if self._fixed:
            files = {finding.location.file for finding in self._fixed}
            say(f"fixed {counted(len(self._fixed), 'finding')} in {counted(len(files), 'file')}.")
        if self._fills["default_densities"]:
            links = counted(self._fills["default_densities"], "link")
            say(f"{links} filled at the default density, 1000 kg/m³; give <density> where that is wrong.")

    def _say_summary(self, findings: Sequence[Finding], paths: Sequence[str], *, known: int) -> None:
        results = [result for _, result in self._files]
        for result in results:
            for note in result.notes:
                say(f"{result.path}: {noted(note)}")
        checked = self._paths()
        if list(paths) == [STANDARD_STREAM]:
            # Standard input cannot be fixed, so no command is suggested.
            summary = count_line(counting(folded(findings)), checked)
        else:
            summary = summary_lines(findings, checked, paths, FILL_HOOK if is_in_pre_commit() else None)
        unjudged, tells_each = self._unjudged(), self._request.verbosity > 0
        for line in (
            *summary.splitlines(),
            *filter(None, [minor_line(folded(findings), tells_each=tells_each)]),
            *closing_lines(unjudged, names_first=not tells_each),
            *(reason_lines(unjudged) if tells_each else ()),
        ):
            say(line)
        if self._run.macros:
            # Loaded where there is xacro.
            from sdfinertia.documents.xacro import missing_package

            for line in missing_package(self._run.macros):
                say(line)
        suppressed = sum(result.suppressed for result in results)
        uncounted = [(known, "in the baseline"), (suppressed, "suppressed in the files")]
        if known or suppressed:
            say("not counted: " + ", ".join(f"{number:,} {why}" for number, why in uncounted if number) + ".")


def _on_stream(task: FileTask, finding: Finding) -> Finding:
    """The finding with a remedy that fits standard input; a command stays one."""
    remedy = remedy_on(task, finding.message, finding.remedy)
    return finding if remedy == finding.remedy else finding._replace(advice=remedy)


def _is_unreadable(result: CheckResult) -> bool:
    return any(finding.code == UNREADABLE.code for finding in result.findings)


def require_sense(paths: Sequence[str], given: GivenOptions, request: CheckRequest) -> None:
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
