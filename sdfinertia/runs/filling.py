"""Filling or repairing the files of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sdfinertia.documents.filling import FillResult, fill_document, written_back
from sdfinertia.documents.opened import OpenDocument, RobotOfRun, open_document
from sdfinertia.runs.shared_blocks import Claim, Disputes, claims_of

if TYPE_CHECKING:
    from sdfinertia.errors import Location, SdfInertiaError
    from sdfinertia.files.atomic_file import Leftovers
    from sdfinertia.links.context import SharedContext
    from sdfinertia.options import Options
    from sdfinertia.runs.tasks import FileTask


class Change(Protocol):
    def __call__(self, document: OpenDocument, options: Options, /) -> FillResult: ...


class FilledFile(NamedTuple):
    """A filled file; `document` is None from other processes, `written` has notes on the writing, or why it failed."""

    result: FillResult
    included: tuple[str | SdfInertiaError, ...] = ()
    document: OpenDocument | None = None
    written: tuple[str, ...] | SdfInertiaError | None = None


class Fill(NamedTuple):
    """Fills or repairs one file, and writes it where it is given the `leftovers` of earlier runs to remove.

    Attributes:
        robots: those of the run that xacro makes.
        disputed: the blocks that documents of the run would give different numbers.
    """

    context: SharedContext
    change: Change = fill_document
    leftovers: Leftovers | None = None
    robots: tuple[RobotOfRun, ...] = ()
    disputed: Disputes | None = None

    def __call__(self, task: FileTask) -> FilledFile:
        options = task.options
        document = self._opened(task)
        document.disputed = self.disputed.get(task.path, {}) if self.disputed is not None else {}
        document.robots_of_run = self.robots
        result = self.change(document, options)
        included = document.robot.included_files(document.context) if options.recursive else ()
        filled = FilledFile(result, tuple(included), document)
        if self.leftovers is None or task.data is not None:
            return filled
        return filled._replace(written=written_back(result, options.confine, self.leftovers))

    def claims(self, task: FileTask) -> tuple[RobotOfRun | None, list[tuple[Location, Claim]]]:
        """The robot, if xacro makes it, and what it would write into each block, whatever others need."""
        document = self._opened(task)
        expansion, document.expansion = document.expansion, None
        result = self.change(document, replace(task.options, keep_going=True))
        document.expansion = expansion
        robot = RobotOfRun(task.path, task.options, frozenset(expansion.real_paths)) if expansion is not None else None
        return robot, list(claims_of(document, result.links))

    def _opened(self, task: FileTask) -> OpenDocument:
        document = open_document(task.source, task.options, self.context.of(task.options), filename=task.path)
        document.trees = task.trees
        return document
