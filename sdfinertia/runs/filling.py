"""Filling or repairing one file of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.documents.filling import FillResult, fill_document, written_back
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.documents.repairing import By
    from sdfinertia.files.temporary_file import Leftovers
    from sdfinertia.links.context import SharedContext
    from sdfinertia.options import Options
    from sdfinertia.runs.work import FileTask


class FilledFile(NamedTuple):
    """A filled file; `document` is None from other processes, `written` has notes on the writing, or why it failed."""

    result: FillResult
    included: tuple[str | SdfInertiaError, ...] = ()
    document: OpenDocument | None = None
    written: tuple[str, ...] | SdfInertiaError | None = None


class Fill(NamedTuple):
    """Fills or repairs one file; equal to its copies in other processes, so that these keep what they read."""

    context: SharedContext
    by: By | None = None
    leftovers: Leftovers | None = None

    def __call__(self, task: FileTask) -> FilledFile:
        options, context = task.options, self.context.of(task.options)
        document = open_document(task.source, options, context, filename=task.path)
        result = self._result(document, options)
        included = document.robot.included_files(document.context) if options.recursive else ()
        filled = FilledFile(result, tuple(included), document)
        if self.leftovers is None or task.data is not None:
            return filled
        return filled._replace(written=written_back(filled.result, options.confine, self.leftovers))

    def _result(self, document: OpenDocument, options: Options) -> FillResult:
        if self.by is None:
            return fill_document(document, options)
        # Loaded where something is repaired.
        from sdfinertia.documents.repairing import repair_document

        return repair_document(document, options, self.by)
