"""The commands `fill` and `repair`, which write files: where results go, and what is reported."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.commands.file_run import FileRun, ended, remedy_on, require_one_stream, standard_input
from sdfinertia.commands.outputs import STANDARD_STREAM, document_at, report_at
from sdfinertia.documents.filling import ChangedSource, FillResult
from sdfinertia.errors import ConfigurationError, InertiaError, SdfInertiaError
from sdfinertia.files.temporary_file import Leftovers
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.context import SharedContext
from sdfinertia.links.selection import no_link_matches
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import GivenOptions
from sdfinertia.report.tally import Tally
from sdfinertia.report.terminal import ERROR, print_bytes, say, say_lines
from sdfinertia.robot.values import XACRO_SUFFIX
from sdfinertia.runs.outcomes import ONE_JOB, Jobs
from sdfinertia.runs.work import FileTask, Fill, FilledFile

if TYPE_CHECKING:
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.documents.repairing import By
    from sdfinertia.documents.scene import Scene
    from sdfinertia.report.formats import Content, ReportFormat


_PROVENANCE = re.compile(rb"<!-- sdfinertia: [^<>]*inputs=[^<>]*-->")


class Sinks(NamedTuple):
    """Where results go; `verbosity` is -1 for errors only, 1 for all details.

    With `is_hook` a mesh means the models that use it, and the report on a file is one line.
    """

    output: str | None = None
    diff: bool = False
    check: bool = False
    reports: tuple[str, ...] = ()
    verbosity: int = 0
    is_hook: bool = False

    @property
    def is_brief(self) -> bool:
        return self.is_hook and self.verbosity == 0

    @property
    def draws(self) -> bool:
        return any(form.shows_models for form in self.forms())

    def forms(self, content: Content = "results") -> list[ReportFormat]:
        if not self.reports:
            return []
        # Loaded where there is a report to be written.
        from sdfinertia.report.formats import format_of_report

        return [format_of_report(report, content) for report in self.reports]

    @property
    def writes(self) -> bool:
        return not (self.diff or self.check)


class FilledAndTold(NamedTuple):
    """What a run needs of a filled file; links, edits and bytes only while something needs them."""

    filled: FilledFile
    errors: tuple[SdfInertiaError, ...]
    counts: Tally
    diff: bytes
    lines: tuple[str, ...]


class FillAndTell(NamedTuple):
    """Fills a file and makes its report, in one process since both take as long."""

    fill: Fill
    sinks: Sinks

    @property
    def context(self) -> SharedContext:
        return self.fill.context

    def __call__(self, task: FileTask) -> FilledAndTold:
        filled = self.fill(task)
        result, sinks = filled.result, self.sinks
        counts = Tally()
        counts.add(result)
        sent = result if sinks.reports else result.without_links()
        if filled.written is not None and not sinks.reports:
            sent = replace(sent, original=b"", content=b"", others=())
        return FilledAndTold(
            filled._replace(result=sent, document=filled.document if sinks.draws else None),
            result.errors,
            counts,
            _diff(result) if sinks.diff else b"",
            _lines(result, sinks),
        )


class _Reported(NamedTuple):
    task: FileTask
    result: FillResult
    document: OpenDocument | None


def run_fill(
    paths: Sequence[str],
    given: GivenOptions,
    sinks: Sinks,
    stdin_filename: str | None = None,
    jobs: Jobs = ONE_JOB,
    by: By | None = None,
) -> int:
    done = "filled" if by is None else "repaired"

    def run() -> int:
        _require_sense(paths, sinks, stdin_filename, given)
        filling = _Filling(given, sinks, jobs, by, Tally(sinks.writes, sinks.check, done))
        filling.require_writable()
        filling.fill_paths(paths, stdin_filename)
        return filling.conclude()

    return ended(run, f"interrupted; each file is either unchanged or {done}")


class _Filling:
    def __init__(self, given: GivenOptions, sinks: Sinks, jobs: Jobs, by: By | None, tally: Tally) -> None:
        self._run = FileRun(given, quiet=sinks.verbosity < 0, jobs=jobs)
        self._sinks = sinks
        self._by = by
        # Workers that are elsewhere write the files too, so that their bytes need not travel.
        leftovers = Leftovers() if jobs.are_given and sinks.writes and sinks.output is None else None
        self._work = FillAndTell(Fill(self._run.context, by, leftovers), sinks)
        self._tally = tally
        self._reported: list[_Reported] = []
        self._has_looked = False
        self._unmatched: list[str] = []
        # The robot for which a block of xacro was filled, by provenance comment.
        self._filled_for: dict[bytes, str] = {}
        # Files that robots include, as they were written.
        self._written: dict[str, bytes] = {}

    def require_writable(self) -> None:
        self._sinks.forms(self._content)
        output = [document_at(self._sinks.output)] if self._sinks.output is not None else []
        self._run.require_writable([*output, *map(report_at, self._sinks.reports)])

    def fill_paths(self, paths: Sequence[str], stdin_filename: str | None) -> None:
        run, pending = self._run, deque[FileTask]()
        if list(paths) == [STANDARD_STREAM]:
            with run.refusing():
                task = standard_input(stdin_filename, run.options_for)
                if not is_excluded(task.path, task.options.exclude):
                    pending.append(task)
                else:
                    print_bytes(task.data or b"")
        else:
            meshes = _meshes_among(paths) if self._sinks.is_hook else []
            files = list(run.files([path for path in paths if path not in meshes]))
            files += run.users_of(meshes)
            _require_one_input(files, self._sinks)
            pending.extend(run.tasks_of(files))
        for task, told in run.over(self._work, pending):
            self._conclude(task, told)
            pending.extend(run.tasks_of(self._wanted(told.filled.included)))

    def conclude(self) -> int:
        for report in self._sinks.reports:
            self._run.put(report_at(report), self._report_text(report).encode("utf-8"))
        self._tally.refused_files += len(self._run.refused)
        patterns = self._run.given.options.link
        if patterns and self._has_looked and not (self._tally.matched_links or self._tally.refused_files):
            raise no_link_matches(patterns, self._unmatched)
        if self._sinks.verbosity >= 0:
            line = self._tally.density_line()
            if line is not None:
                say(line)
            if self._run.macros:
                # Loaded where there is xacro.
                from sdfinertia.documents.xacro import missing_package

                for line in missing_package(self._run.macros):
                    say(line)
            if not self._sinks.is_brief:
                say(self._tally.closing_line())
        if self._sinks.verbosity > 0:
            for line in self._run.pace.lines():
                say(line)
        return self._tally.exit_status

    @property
    def _content(self) -> Content:
        return "results" if self._by is None else "repairs"

    def _wanted(self, included: Sequence[str | SdfInertiaError]) -> Iterator[str]:
        for path in included:
            with self._run.refusing():
                if isinstance(path, SdfInertiaError):
                    raise path
                if not is_excluded(path, self._run.options_for(path).exclude):
                    yield path

    def _conclude(self, task: FileTask, told: FilledAndTold) -> None:
        if task.data is not None:
            told = _with_remedies(task, told)
        result, written = told.filled.result, told.filled.written
        for error in told.errors:
            say(str(error), style=ERROR)
        try:
            if told.diff:
                print_bytes(told.diff)
            if isinstance(written, SdfInertiaError):
                raise written
            if written is not None:
                for note in written:
                    say(note)
            elif self._sinks.writes and (not told.errors or task.options.keep_going):
                output, confine = self._sinks.output, task.options.confine
                if result.others and (output is not None or task.data is not None):
                    raise ConfigurationError(
                        f"{len(result.others) + 1} files would change, and one is written",
                        file=task.path,
                        remedy="omit -o",
                    )
                self._require_agreement(task, result.others)
                self._run.outputs.put_document(task, result.original, result.content, output, confine)
                for other in result.others:
                    # Another process may have computed the same for another robot.
                    if self._written.get(other.path) != other.content:
                        own = task._replace(path=other.path)
                        self._run.outputs.put_document(own, other.original, other.content, None, confine)
                        self._written[other.path] = other.content
        except SdfInertiaError as error:
            self._run.refuse(error)
            return
        self._tally.add_counts(told.counts)
        self._has_looked = True
        self._unmatched += result.unmatched
        if self._sinks.reports:
            self._reported.append(_Reported(task, result, told.filled.document))
        say_lines(told.lines, heading_style="bold")

    def _require_agreement(self, task: FileTask, others: Sequence[ChangedSource]) -> None:
        """Refuses to change a block of xacro that was filled for another robot in this run."""
        for other in others:
            for edit in other.edits:
                robot = self._filled_for.get(other.original[edit.start : edit.stop].strip())
                if robot is not None:
                    raise InertiaError(
                        f"needs different numbers than {robot} in a block of {other.path} that both use",
                        file=task.path,
                        remedy="give each robot its own block",
                    )
        for other in others:
            for comment in _PROVENANCE.findall(b"".join(edit.replacement for edit in other.edits)):
                self._filled_for[comment] = task.path

    def _report_text(self, path: str) -> str:
        from sdfinertia.report.formats import ResultsReport, format_of_report

        report = ResultsReport([each.result for each in self._reported], self._run.refused, self._scenes)
        return format_of_report(path, self._content).render(report, self._content)

    def _scenes(self) -> list[Scene]:
        from sdfinertia.documents.model_scenes import scenes_of
        from sdfinertia.documents.opened import open_document

        # Files that others include are looked at once all are written, so that their order and the jobs do not matter.
        shared = SharedContext(keeps=True)
        scenes: list[Scene] = []
        for task, result, kept in self._reported:
            context = shared.of(task.options)
            document = kept or open_document(result.original, task.options, context, filename=result.path)
            scenes += scenes_of(document, result.links, context, with_computed=True, is_written=self._sinks.writes)
        return scenes


def _with_remedies(task: FileTask, told: FilledAndTold) -> FilledAndTold:
    def with_remedy(error: SdfInertiaError) -> SdfInertiaError:
        return error.with_remedy(remedy_on(task, error.problem, error.remedy))

    links = tuple(
        link._replace(error=with_remedy(link.error)) if link.error is not None else link
        for link in told.filled.result.links
    )
    filled = told.filled._replace(result=replace(told.filled.result, links=links))
    return told._replace(filled=filled, errors=tuple(map(with_remedy, told.errors)))


def _require_sense(paths: Sequence[str], sinks: Sinks, stdin_filename: str | None, given: GivenOptions) -> None:
    if sinks.output is not None and not sinks.writes:
        raise ConfigurationError("-o cannot be combined with --diff or --check")
    require_one_stream(paths, stdin_filename)
    _require_one_input(paths, sinks)
    if given.options.recursive and (sinks.output is not None or STANDARD_STREAM in paths):
        raise ConfigurationError("--recursive cannot be combined with -o or -, for it writes to several files")


def _require_one_input(paths: Sequence[str], sinks: Sinks) -> None:
    if sinks.output is not None and len(paths) > 1:
        raise ConfigurationError(f"-o takes one input, not {len(paths)}")


def _meshes_among(paths: Sequence[str]) -> list[str]:
    from sdfinertia.mesh.readers.formats import EXTENSIONS

    # Buffers of glTF end in .bin; a xacro file may hold macros of robots.
    return [path for path in paths if path.lower().endswith((*EXTENSIONS, ".bin", XACRO_SUFFIX))]


def _diff(result: FillResult) -> bytes:
    from sdfinertia.report.results import result_diff

    return result_diff(result) if result.changed or result.others else b""


def _lines(result: FillResult, sinks: Sinks) -> tuple[str, ...]:
    if not (result.links or result.notes):
        return ()
    from sdfinertia.report.results import brief_lines, report_lines, warning_lines

    if sinks.is_brief:
        return (*brief_lines(result), *warning_lines(result))
    if sinks.verbosity < 0:
        return tuple(warning_lines(result))
    return tuple(report_lines(result, verbose=sinks.verbosity > 0, writes=sinks.writes))
