"""The checking of one file of a run, for whoever counts and says what was found."""

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
    """What a run needs of a file that was checked; it may come from another process.

    Attributes:
        document: the file as it was opened, if it will be mended or drawn; None where it came from another process.
    """

    result: CheckResult
    document: OpenDocument | None = None


class Check(NamedTuple):
    """The work of checking files; it says nothing, and equals its copies in other processes.

    Attributes:
        surroundings: files and meshes shared by the files of the run.
        keeps: whether documents are needed once they are checked.
    """

    context: SharedContext
    keeps: bool = False

    def __call__(self, task: FileTask) -> CheckedFile:
        """What checking a file comes to; one that cannot be read has that for its finding."""
        options, context = task.options, self.context.of(task.options)
        try:
            document = open_document(task.source, options, context, filename=task.path)
        except SdfInertiaError as error:
            return CheckedFile(unreadable(task.path, error, options))
        return CheckedFile(check_document(document), document if self.keeps else None)
