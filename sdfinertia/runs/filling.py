"""The filling or repairing of one file of a run: all that is computed of it, for whoever writes, counts and says it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.documents.filling import FillResult, fill_document, written_back
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.tally import Tally

if TYPE_CHECKING:
    from sdfinertia.documents.repairing import By
    from sdfinertia.files.open_directory import Leftovers
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
    diff: bytes = b""
    lines: tuple[str, ...] = ()
    included: tuple[str | SdfInertiaError, ...] = ()
    document: OpenDocument | None = None
    written: tuple[str, ...] | SdfInertiaError | None = None


class Fill(NamedTuple):
    """The work of filling files, or of repairing them; it says nothing.

    A value: it equals its copies in other processes, so that these keep what they read from one file to the next.

    Attributes:
        surroundings: files and meshes shared by the files of the run.
        sinks: what is wanted of each file; None for the whole result and nothing said.
        by: what takes the place of wrong numbers, where files are repaired.
        leftovers: what killed runs left where it writes; with them each file is written as soon as it is filled, and
            its bytes travel only where a report wants them.
    """

    surroundings: SharedSurroundings
    sinks: Sinks | None = None
    by: By | None = None
    leftovers: Leftovers | None = None

    def __call__(self, task: FileTask) -> FilledFile:
        """What comes of a file; of a program in xacro only what could be said of it.

        Raises:
            SdfInertiaError: it cannot be read.
        """
        options, around = task.options, self.surroundings.of(task.options)
        document: OpenDocument | None = None
        result: FillResult
        if self.by is not None and task.path.lower().endswith(".xacro"):
            # Loaded where there is one.
            from sdfinertia.documents.literal_repair import look_at_xacro

            result = look_at_xacro(task.source, options, self.by, around, filename=task.path)
        else:
            document = open_document(task.source, options, around, filename=task.path)
            result = self._result(document, options)
        counts = Tally()
        counts.add(result)
        filled = FilledFile(result, result.errors, counts)
        if self.leftovers is not None:
            filled = filled._replace(written=written_back(result, options.confine, self.leftovers))
        if self.sinks is None:
            return filled
        sent = result if self.sinks.reports else result.without_links()
        if filled.written is not None and not self.sinks.reports:
            sent = replace(sent, original=b"", content=b"")
        return filled._replace(
            result=sent,
            diff=_diff(result) if self.sinks.diff and result.changed else b"",
            lines=_lines(result, self.sinks),
            included=tuple(document.robot.included_files(document.surroundings))
            if document and options.recursive
            else (),
            document=document if self.sinks.draws else None,
        )

    def _result(self, document: OpenDocument, options: Options) -> FillResult:
        if self.by is None:
            return fill_document(document, options)
        from sdfinertia.documents.repairing import repair_document

        return repair_document(document, options, self.by)


def _included(document: OpenDocument) -> tuple[str | SdfInertiaError, ...]:
    return tuple(document.robot.included_files(document.surroundings))


def _diff(result: FillResult) -> bytes:
    from sdfinertia.report.results.diff import unified_diff

    return unified_diff(result.path, result.original, result.edits)


def _lines(result: FillResult, sinks: Sinks) -> tuple[str, ...]:
    if not (result.links or result.notes):
        return ()
    from sdfinertia.report.results.text_report import brief_lines, report_lines, warning_lines

    if sinks.is_brief:
        return (*brief_lines(result), *warning_lines(result))
    if sinks.verbosity < 0:
        return tuple(warning_lines(result))
    return tuple(report_lines(result, verbose=sinks.verbosity > 0))
