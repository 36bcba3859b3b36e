"""Checking one file of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.documents.checking import CheckResult, check_document, unreadable
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.links.context import SharedContext
    from sdfinertia.runs.work import FileTask


class CheckedFile(NamedTuple):
    result: CheckResult
    document: OpenDocument | None = None


class Check(NamedTuple):
    """Checks one file; equal to its copies in other processes."""

    context: SharedContext
    keeps: bool = False

    def __call__(self, task: FileTask) -> CheckedFile:
        options, context = task.options, self.context.of(task.options)
        try:
            document = open_document(task.source, options, context, filename=task.path)
        except SdfInertiaError as error:
            return CheckedFile(unreadable(task.path, error, options))
        return CheckedFile(check_document(document), document if self.keeps else None)
