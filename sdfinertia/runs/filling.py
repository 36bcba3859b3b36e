"""The filling or repairing of one file of a run, for whoever writes, counts and says what came of it."""

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
    """What comes of a file; it may come from another process.

    Attributes:
        included: the files that it includes, or why one cannot be told, if those are to be filled too.
        document: the file as it was opened; None where it came from another process.
        written: what is worth a note of its writing, or why it could not be written; None if that is still to be done.
    """

    result: FillResult
    included: tuple[str | SdfInertiaError, ...] = ()
    document: OpenDocument | None = None
    written: tuple[str, ...] | SdfInertiaError | None = None


class Fill(NamedTuple):
    """The work of filling files, or of repairing them; it says nothing.

    A value: it equals its copies in other processes, so that these keep what they read from one file to the next.

    Attributes:
        surroundings: files and meshes shared by the files of the run.
        by: what takes the place of wrong numbers, where files are repaired.
        leftovers: what killed runs left where it writes; with them each file is written as soon as it is filled.
    """

    context: SharedContext
    by: By | None = None
    leftovers: Leftovers | None = None

    def __call__(self, task: FileTask) -> FilledFile:
        """What comes of a file."""
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
