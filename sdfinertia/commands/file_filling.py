"""The filling of one file of a run: all that is computed of it, for whoever writes, counts and says it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.documents.filling import FillResult, fill_document, written_back
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.tally import Tally

if TYPE_CHECKING:
    from sdfinertia.files.leftovers import Leftovers
    from sdfinertia.links.surroundings import SharedSurroundings
    from sdfinertia.options import Options
    from sdfinertia.report.formats import Content, ReportFormat
    from sdfinertia.runs.work import FileTask


class Sinks(NamedTuple):
    """Where the results of a run go.

    Attributes:
        output: a file to write to instead of the input; "-" is standard output.
        diff: print diffs instead of writing.
        check: write nothing, and fail if something would change.
        reports: files for reports; the suffix tells the format.
        verbosity: -1 only errors, 0 the report, 1 all there is to say.
        is_hook: whether pre-commit runs it; then meshes stand for the models that use them, and a report is a line.
    """

    output: str | None = None
    diff: bool = False
    check: bool = False
    reports: tuple[str, ...] = ()
    verbosity: int = 0
    is_hook: bool = False

    @property
    def is_brief(self) -> bool:
        """Whether no more is said of a file than what was done."""
        return self.is_hook and self.verbosity == 0

    @property
    def draws(self) -> bool:
        """Whether a report shows the models."""
        return any(form.shows_models for form in self.forms())

    def forms(self, content: Content = "results") -> list[ReportFormat]:
        """The formats of the reports on some content.

        Raises:
            ConfigurationError: no format is written to a file of that name.
        """
        if not self.reports:
            return []
        # Loaded where there is a report to be written.
        from sdfinertia.report.formats import format_of_report

        return [format_of_report(report, content) for report in self.reports]

    @property
    def writes(self) -> bool:
        """Whether SDF files are written."""
        return not (self.diff or self.check)


class FilledFile(NamedTuple):
    """What a run needs of a file that was filled, and no more: it may come from another process.

    Attributes:
        result: its bytes before and after; its links and edits only where a report wants them.
        errors: of its links.
        counts: what it adds to the tally.
        diff: if one was asked for.
        lines: the report on it, if one is to be said.
        included: the files that it includes, or why one cannot be told, if those are to be filled too.
        document: the file as it was opened, if it will be drawn; None where it came from another process.
        written: what is worth a note of its writing, or why it could not be written; None if that is still to be done.
    """

    result: FillResult
    errors: tuple[SdfInertiaError, ...]
    counts: Tally
    diff: bytes
    lines: tuple[str, ...]
    included: tuple[str | SdfInertiaError, ...]
    document: OpenDocument | None = None
    written: tuple[str, ...] | SdfInertiaError | None = None


class FileFilling:
    """Fills files as a run asks; it says nothing, and writes nothing unless it is told to.

    Args:
        sinks: what becomes of the results.
        surroundings: files and meshes shared by the files of the run.
        leftovers: what killed runs left where it writes; with them each file is written as soon as it is filled, and
            its bytes are not needed any more.
    """

    def __init__(self, sinks: Sinks, surroundings: SharedSurroundings, leftovers: Leftovers | None = None) -> None:
        self.sinks = sinks
        self.surroundings = surroundings
        self.leftovers = leftovers

    def __call__(self, task: FileTask) -> FilledFile:
        """What comes of a file.

        Raises:
            SdfInertiaError: it cannot be read as SDF.
        """
        filled = self.filled(task.path, task.path, task.options)
        if self.leftovers is None or (filled.errors and not task.options.keep_going):
            return filled
        filled = filled._replace(written=written_back(filled.result, task.options.confine, self.leftovers))
        return (
            filled if self.sinks.reports else filled._replace(result=replace(filled.result, original=b"", content=b""))
        )

    def filled(self, source: str | bytes, name: str, options: Options) -> FilledFile:
        """What comes of a file, or of bytes that have a name.

        Raises:
            SdfInertiaError: it cannot be read as SDF.
        """
        document = open_document(source, options, self.surroundings.of(options), filename=name)
        result = self._result(document, options)
        counts = Tally()
        counts.add(result)
        return FilledFile(
            result if self.sinks.reports else result.without_links(),
            result.errors,
            counts,
            self._diff(result),
            self._lines(result),
            tuple(document.robot.included_files(document.surroundings)) if options.recursive else (),
            document if self.sinks.draws else None,
        )

    def _result(self, document: OpenDocument, options: Options) -> FillResult:
        return fill_document(document, options)

    def _diff(self, result: FillResult) -> bytes:
        if not (self.sinks.diff and result.changed):
            return b""
        from sdfinertia.report.results import unified_diff

        return unified_diff(result.path, result.original, result.edits)

    def _lines(self, result: FillResult) -> tuple[str, ...]:
        if not (result.links or result.notes):
            return ()
        from sdfinertia.report.results import brief_lines, report_lines, warning_lines

        if self.sinks.is_brief:
            return (*brief_lines(result), *warning_lines(result))
        if self.sinks.verbosity < 0:
            return tuple(warning_lines(result))
        return tuple(report_lines(result, verbose=self.sinks.verbosity > 0))
