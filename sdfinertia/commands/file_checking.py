"""The checking of one file of a run, for whoever counts and says what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdfinertia.documents.checking import CheckResult, check_document, unreadable
from sdfinertia.documents.opened import OpenDocument, Source, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.links.surroundings import SharedSurroundings
    from sdfinertia.options import Options
    from sdfinertia.runs.work import FileTask


class CheckedFile(NamedTuple):
    """What a run needs of a file that was checked; it may come from another process.

    Attributes:
        document: the file as it was opened, if it will be mended or drawn; None where it came from another process.
    """

    result: CheckResult
    document: OpenDocument | None = None


@dataclass(frozen=True, slots=True)
class FileChecking:
    """Checks files; it says nothing.

    Attributes:
        surroundings: files and meshes shared by the files of the run.
        keeps: whether documents are needed once they are checked.
    """

    surroundings: SharedSurroundings
    keeps: bool = False

    def __call__(self, task: FileTask) -> CheckedFile:
        """What checking a file comes to.

        Raises:
            ConfigurationError: a rule that is selected or ignored does not exist.
        """
        return self.checked(task.path, task.path, task.options)

    def checked(self, source: Source, name: str, options: Options) -> CheckedFile:
        """What checking a file comes to, or bytes that have a name.

        Raises:
            ConfigurationError: a rule that is selected or ignored does not exist.
        """
        if options.why and name.lower().endswith(".xacro"):
            return self._xacro(source, name, options)
        try:
            document = open_document(source, options, self.surroundings.of(options), filename=name)
        except SdfInertiaError as error:
            return CheckedFile(unreadable(name, error, options))
        return CheckedFile(check_document(document), document if self.keeps else None)

    def _xacro(self, source: Source, name: str, options: Options) -> CheckedFile:
        """What is wrong in the literal numbers of a program; nothing of it is mended or drawn."""
        # Loaded where there is one.
        from sdfinertia.documents.xacro import check_literal_xacro

        try:
            return CheckedFile(check_literal_xacro(source, options, self.surroundings.of(options), filename=name))
        except SdfInertiaError as error:
            return CheckedFile(unreadable(name, error, options))
