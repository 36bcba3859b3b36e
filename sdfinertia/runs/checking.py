"""Checking the files of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os.path import abspath, normpath
from typing import NamedTuple

from sdfinertia.documents import NOT_BOTH, OpenDocument, is_named_by, open_document
from sdfinertia.documents.checking import CheckResult, check_document, fix_document, unreadable
from sdfinertia.documents.filling import FillResult
from sdfinertia.errors import Location, SdfInertiaError, printable
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Options
from sdfinertia.robot.names import MJCF_SUFFIXES
from sdfinertia.robot.problems import Command
from sdfinertia.rules import RULE_OF_CODE, STALE, rules_in_force
from sdfinertia.rules.accepted import Baseline, Entry
from sdfinertia.rules.reading import UNREADABLE
from sdfinertia.rules.rule import Finding, Fixer
from sdfinertia.runs.configuration import FILL_HOOK, is_in_pre_commit
from sdfinertia.runs.source_files import FileTask, remedy_on

_HOOK = Command(tuple(FILL_HOOK.split()))


class Check(NamedTuple):
    context: SharedContext
    lists_links: bool = False

    def __call__(self, task: FileTask) -> CheckResult:
        try:
            document = open_document(task.source, task.options, self.context.of(task.options), filename=task.path)
        except SdfInertiaError as error:
            return unreadable(task.path, error, task.options)
        return check_document(document, lists_links=self.lists_links)


class CheckMacros(NamedTuple):
    """Checks the links of a file's macros with their defaults; none where a default is missing."""

    context: SharedContext

    def __call__(self, task: FileTask) -> CheckResult:
        from sdfinertia.documents.xacro import macros_document

        try:
            document = macros_document(task.path, task.options, self.context.of(task.options))
        except SdfInertiaError:
            document = None
        if document is None or document.emptiness:
            return CheckResult(task.path, (), passed_over="macros only")
        result = check_document(document)
        # Problems between links may come from the defaults.
        return result._replace(findings=tuple(each for each in result.findings if each.link))


class Fix(NamedTuple):
    """Fixes a document, by the findings in it; others it leaves."""

    findings: Mapping[str, Sequence[Finding]]

    def __call__(self, document: OpenDocument, _: Options) -> FillResult:
        return fix_document(document, self.findings.get(document.robot.path, ()))


def told_apart(checked: dict[FileTask, CheckResult]) -> dict[FileTask, CheckResult]:
    """Says of a stale block of MJCF that it is as filled for another document."""
    models = {
        task: result
        for task, result in checked.items()
        if task.path.lower().endswith(MJCF_SUFFIXES) and not task.options.link
    }
    if len(models) < 2:
        return checked
    readers: dict[str, list[str]] = {}
    for result in models.values():
        for file in {abspath(result.path), *result.sources}:
            readers.setdefault(file, []).append(result.path)
    found = [(result.path, finding) for result in models.values() for finding in result.findings]
    stale = {(path, _at(finding)) for path, finding in found if finding.code == STALE}

    def told(finding: Finding) -> Finding:
        place = _at(finding)
        others = readers.get(place.file, ()) if finding.code == STALE else ()
        other = next((each for each in others if (each, place) not in stale), None)
        if other is None:
            return finding
        message = f"{finding.message}; it is as filled for {printable(other)}, and one block cannot hold both"
        return finding._replace(message=message, advice=NOT_BOTH, is_fixable=False)

    return checked | {
        task: result._replace(findings=tuple(map(told, result.findings))) for task, result in models.items()
    }


def _at(finding: Finding) -> Location:
    return finding.location._replace(file=abspath(finding.location.file))


def is_unreadable(result: CheckResult) -> bool:
    return any(finding.code == UNREADABLE.code for finding in result.findings)


def as_reported(task: FileTask, result: CheckResult, *, is_named: bool) -> CheckResult:
    """The result with advice for standard input and pre-commit; of a file that is skipped, findings if it is named."""

    def reported(finding: Finding) -> Finding:
        if is_in_pre_commit() and finding.is_fixable and RULE_OF_CODE[finding.code].fixer is Fixer.FILL:
            return finding._replace(advice=_HOOK)
        remedy = finding.remedy if task.data is None else remedy_on(task, finding.message, finding.remedy)
        return finding if remedy == finding.remedy else finding._replace(advice=remedy)

    if result.passed_over and result.findings:
        result = result._replace(passed_over="", notes=()) if is_named else result._replace(findings=())
    return result._replace(findings=tuple(map(reported, result.findings)))


def looked_for(baseline: Baseline, files: Iterable[tuple[FileTask, CheckResult]]) -> Callable[[Entry], bool]:
    """Whether the run would have found what an entry of the baseline says."""
    requested = {baseline.path_of(each.path): task.options for task, each in files if not is_unreadable(each)}

    def is_looked_for(entry: Entry) -> bool:
        options = requested.get(entry.path)
        if options is None or entry.code not in rules_in_force(options):
            return False
        return not (entry.link and options.link) or any(is_named_by(entry.key, each) for each in options.link)

    return is_looked_for


def merged(results: Sequence[CheckResult]) -> list[Finding]:
    """Findings of several files; one in a shared file is reported once, with that file if it was checked."""
    found = [(result.path, finding) for result in results for finding in result.findings]
    told = {_shared(finding): path for path, finding in found if finding.location.file == path}
    return [finding for path, finding in found if told.setdefault(_shared(finding), path) == path]


def _shared(finding: Finding) -> tuple[object, ...]:
    return finding.code, normpath(finding.location.file), finding.location[1:]
