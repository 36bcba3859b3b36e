"""Checking the files of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents.checking import CheckResult, check_document, unreadable
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError

if TYPE_CHECKING:
    from sdfinertia.links.context import SharedContext
    from sdfinertia.runs.tasks import FileTask


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
