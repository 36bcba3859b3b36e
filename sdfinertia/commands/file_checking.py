"""The checking of one file of a run, for whoever counts and says what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdfinertia.documents.checking import CheckResult, check_file

if TYPE_CHECKING:
    from sdfinertia.links.surroundings import SharedSurroundings
    from sdfinertia.runs.work import FileTask


@dataclass(frozen=True)
class FileChecking:
    """Checks files; it says nothing.

    Attributes:
        surroundings: files and meshes shared by the files of the run.
    """

    surroundings: SharedSurroundings

    def __call__(self, task: FileTask) -> CheckResult:
        """What checking a file comes to.

        Raises:
            ConfigurationError: a rule that is selected or ignored does not exist.
        """
        return check_file(task.path, task.options, self.surroundings.of(task.options))
