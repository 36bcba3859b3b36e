"""Checking the files of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os.path import abspath, normpath
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents import NOT_BOTH, OpenDocument, open_document
from sdfinertia.documents.checking import CheckResult, check_document, fix_document, unreadable
from sdfinertia.documents.filling import FillResult
from sdfinertia.errors import Location, SdfInertiaError, printable
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Options
from sdfinertia.robot.names import MJCF_SUFFIXES
from sdfinertia.rules import STALE
from sdfinertia.rules.rule import Finding

if TYPE_CHECKING:
    from sdfinertia.runs.source_files import FileTask


class CheckedFile(NamedTuple):
    result: CheckResult
    document: OpenDocument | None = None


class Check(NamedTuple):
    context: SharedContext
    keeps: bool = False
    lists_links: bool = False

    def __call__(self, task: FileTask) -> CheckedFile:
        options, context = task.options, self.context.of(task.options)
        try:
            document = open_document(task.source, options, context, filename=task.path)
        except SdfInertiaError as error:
            return CheckedFile(unreadable(task.path, error, options))
        result = check_document(document, lists_links=self.lists_links)
        return CheckedFile(result, document if self.keeps else None)


class CheckMacros(NamedTuple):
    """Checks the links of a file's macros with their defaults; none where a default is missing."""

    context: SharedContext

    def __call__(self, task: FileTask) -> CheckedFile:
        from sdfinertia.documents.xacro import macros_document

        try:
            document = macros_document(task.path, task.options, self.context.of(task.options))
        except SdfInertiaError:
            document = None
        if document is None or document.emptiness:
            return CheckedFile(CheckResult(task.path, (), passed_over="macros only"))
        result = check_document(document)
        # Problems between links may come from the defaults.
        return CheckedFile(result._replace(findings=tuple(each for each in result.findings if each.link)))


class Fix(NamedTuple):
    """Fixes a document, by the findings in it; others it leaves."""

    findings: Mapping[str, Sequence[Finding]]

    def __call__(self, document: OpenDocument, _: Options) -> FillResult:
        return fix_document(document, self.findings.get(document.robot.path, ()))


def told_apart(checked: dict[FileTask, CheckedFile]) -> dict[FileTask, CheckedFile]:
    """Says of a stale block of MJCF that it is as filled for another document."""
    models = {
        task: file.result
        for task, file in checked.items()
        if task.path.lower().endswith(MJCF_SUFFIXES) and not task.options.link
    }
    results = [*models.values()] if len(models) > 1 else []
    readers: dict[str, list[str]] = {}
    for result in results:
        for file in {abspath(result.path), *result.sources}:
            readers.setdefault(file, []).append(result.path)
    stale = {(result.path, _at(finding)) for result in results for finding in result.findings if finding.code == STALE}

    def told(finding: Finding, path: str) -> Finding:
        place = _at(finding)
        others = readers.get(place.file, ()) if finding.code == STALE else ()
        other = next((each for each in others if each != path and (each, place) not in stale), None)
        if other is None:
            return finding
        message = f"{finding.message}; it is as filled for {printable(other)}, and one block cannot hold both"
        return finding._replace(message=message, advice=NOT_BOTH, is_fixable=False)

    def with_told(result: CheckResult) -> CheckResult:
        return result._replace(findings=tuple(told(finding, result.path) for finding in result.findings))

    return checked | {task: checked[task]._replace(result=with_told(result)) for task, result in models.items()}


def _at(finding: Finding) -> Location:
    return finding.location._replace(file=abspath(finding.location.file))


def merged(results: Iterable[tuple[str, Sequence[Finding]]]) -> list[Finding]:
    """Findings of several files; one in a shared file is reported once."""
    results = list(results)
    told = {
        _shared(finding): number
        for number, (path, findings) in enumerate(results)
        for finding in findings
        if finding.location.file == path
    }
    return [
        finding
        for number, (_, findings) in enumerate(results)
        for finding in findings
        if told.setdefault(_shared(finding), number) == number
    ]


def _shared(finding: Finding) -> tuple[object, ...]:
    return finding.code, normpath(finding.location.file), finding.location[1:]
