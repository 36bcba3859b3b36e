"""The command `repair` over many files: as `fill` goes about them, with other numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.commands.file_filling import FileFilling, FilledFile, Sinks
from sdfinertia.commands.fill import Doing, run_files
from sdfinertia.documents.filling import FillResult
from sdfinertia.documents.opened import OpenDocument
from sdfinertia.documents.repairing import BY, CAUSE, By, repair_document
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.tally import Tally
from sdfinertia.runs.outcomes import ONE_JOB, Jobs

if TYPE_CHECKING:
    from sdfinertia.files.leftovers import Leftovers
    from sdfinertia.links.surroundings import SharedSurroundings


class FileRepairing(FileFilling):
    """Repairs files as a run asks; as `FileFilling` otherwise.

    Args:
        by: what takes the place of wrong numbers.
    """

    def __init__(
        self, sinks: Sinks, surroundings: SharedSurroundings, leftovers: Leftovers | None = None, *, by: By = CAUSE
    ) -> None:
        super().__init__(sinks, surroundings, leftovers)
        self.by = by

    def filled(self, source: str | bytes, name: str, options: Options) -> FilledFile:
        """What comes of a file, or of bytes that have a name; of a program only what could be said of it.

        Raises:
            SdfInertiaError: it cannot be read.
        """
        if not name.lower().endswith(".xacro"):
            return super().filled(source, name, options)
        # Loaded where there is one.
        from sdfinertia.documents.xacro import look_at_xacro

        result = look_at_xacro(source, options, self.by, self.surroundings.of(options), filename=name)
        counts = Tally()
        counts.add(result)
        return FilledFile(result, result.errors, counts, b"", self._lines(result), ())

    def _result(self, document: OpenDocument, options: Options) -> FillResult:
        return repair_document(document, options, self.by)


def run_repair(
    paths: Sequence[str],
    given: GivenOptions,
    by: str,
    sinks: Sinks,
    stdin_filename: str | None = None,
    jobs: Jobs = ONE_JOB,
) -> int:
    """Repairs the files that paths stand for, and returns the exit status; see `run_files`.

    Args:
        by: one of BY.
    """
    way = next(each for each in BY if each == by)
    return run_files(
        Doing(partial(FileRepairing, by=way), "repairs", "repaired"), paths, given, sinks, stdin_filename, jobs
    )
