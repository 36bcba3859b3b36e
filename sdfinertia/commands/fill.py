"""The commands `fill` and `repair`, which write files anew: where results go, and what is said of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.commands.file_run import FileRun, ended, remedy_on, require_one_stream, standard_input
from sdfinertia.commands.outputs import STANDARD_STREAM, document_at, report_at
from sdfinertia.documents.filling import FillResult
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.selection import no_link_matches
from sdfinertia.links.surroundings import SharedSurroundings
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import GivenOptions
from sdfinertia.report.tally import Tally
from sdfinertia.report.terminal import ERROR, print_bytes, say, say_lines
from sdfinertia.runs.filling import Fill, FilledFile, Sinks
from sdfinertia.runs.outcomes import ONE_JOB, Jobs
from sdfinertia.runs.work import FileTask

if TYPE_CHECKING:
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.documents.repairing import By
    from sdfinertia.documents.scene import Scene
    from sdfinertia.report.formats import Content


class _Reported(NamedTuple):
    """What has come of a file, kept only if a report will need it; the document where this process opened it."""

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
    """Fills or repairs the files that paths stand for, writes them anew, and returns the exit status.

    Args:
        paths: files, directories, or "-" alone.
        given: the options of the command line.
        sinks: where results go.
        stdin_filename: the place that standard input has.
        jobs: what computes the files; one process writes them in any case.
        by: what takes the place of wrong numbers, where files are repaired.
    """
    done = "filled" if by is None else "repaired"

    def run() -> int:
        _require_sense(paths, sinks, stdin_filename, given)
        filling = _Filling(given, sinks, jobs, by, Tally(sinks.writes, sinks.check, done))
        filling.require_writable()
        filling.fill_paths(paths, stdin_filename)
        return filling.conclude()

    return ended(run, f"interrupted; every file is either as it was or {done}")


class _Filling:
    """One run of the command over its files."""

    def __init__(self, given: GivenOptions, sinks: Sinks, jobs: Jobs, by: By | None, tally: Tally) -> None:
        self._run = FileRun(given, quiet=sinks.verbosity < 0, jobs=jobs)
        self._sinks = sinks
        self._work = Fill(self._run.surroundings, sinks, by)
        if jobs.are_given and sinks.writes and sinks.output is None:
            # Workers that are elsewhere write the files too, so that their bytes need not travel.
            from sdfinertia.files.open_directory import Leftovers

            self._work = self._work._replace(leftovers=Leftovers())
        self._tally = tally
        self._reported: list[_Reported] = []
        self._has_looked = False
        self._unmatched: list[str] = []

    def require_writable(self) -> None:
        """Refuses reports that would be refused at the end, be it for their format.

        Raises:
            SdfInertiaError: there are such.
        """
        self._sinks.forms(self._content)
        output = [document_at(self._sinks.output)] if self._sinks.output is not None else []
        self._run.require_writable([*output, *map(report_at, self._sinks.reports)])

    def fill_paths(self, paths: Sequence[str], stdin_filename: str | None) -> None:
        """Fills every file that the paths stand for, and with `--recursive` those that they include."""
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
        # Standard input is never written back, wherever it is filled.
        work = self._work if not any(task.data is not None for task in pending) else self._work._replace(leftovers=None)
        for task, filled in run.over(work, pending):
            self._conclude(task, filled)
            pending.extend(run.tasks_of(self._wanted(filled.included)))

    def conclude(self) -> int:
        """Writes the reports, says what was done in all, and returns the exit status.

        Raises:
            WriteError: a report cannot be written.
            ConfigurationError: no link of any file matches the patterns of the command line.
        """
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
            if not self._sinks.is_brief:
                say(self._tally.closing_line())
        if self._sinks.verbosity > 0:
            for line in self._run.pace.lines():
                say(line)
        return self._tally.exit_status

    @property
    def _content(self) -> Content:
        return "results" if self._work.by is None else "repairs"

    def _wanted(self, included: Sequence[str | SdfInertiaError]) -> Iterator[str]:
        """The included files that are to be filled too."""
        for path in included:
            with self._run.refusing():
                if isinstance(path, SdfInertiaError):
                    raise path
                if not is_excluded(path, self._run.options_for(path).exclude):
                    yield path

    def _conclude(self, task: FileTask, filled: FilledFile) -> None:
        """Writes or shows what became of a file, counts it, and says so."""
        if task.data is not None:
            filled = _with_remedies(task, filled)
        for error in filled.errors:
            say(str(error), style=ERROR)
        try:
            if filled.diff:
                print_bytes(filled.diff)
            if isinstance(filled.written, SdfInertiaError):
                raise filled.written
            if filled.written is not None:
                for note in filled.written:
                    say(note)
            elif self._sinks.writes and (not filled.errors or task.options.keep_going):
                result = filled.result
                self._run.outputs.put_document(
                    task, result.original, result.content, self._sinks.output, task.options.confine
                )
        except SdfInertiaError as error:
            self._run.refuse(error)
            return
        self._tally.add_counts(filled.counts)
        self._has_looked = True
        self._unmatched += filled.result.unmatched
        if self._sinks.reports:
            self._reported.append(_Reported(task, filled.result, filled.document))
        say_lines(filled.lines, heading_style="bold")

    def _report_text(self, path: str) -> str:
        from sdfinertia.report.contents import ResultsReport
        from sdfinertia.report.formats import format_of_report

        report = ResultsReport([each.result for each in self._reported], self._run.refused, self._scenes)
        return format_of_report(path, self._content).render(report, self._content)

    def _scenes(self) -> list[Scene]:
        from sdfinertia.documents.model_scenes import scenes_of
        from sdfinertia.documents.opened import open_document

        # Files that others include are looked at once all are written, so that their order and the jobs do not matter.
        surroundings = SharedSurroundings(keeps=True)
        scenes: list[Scene] = []
        for task, result, kept in self._reported:
            around = surroundings.of(task.options)
            document = kept or open_document(result.original, task.options, around, filename=result.path)
            scenes += scenes_of(document, result.links, around, with_computed=True, is_written=self._sinks.writes)
        return scenes


def _with_remedies(task: FileTask, filled: FilledFile) -> FilledFile:
    """What comes of a source, whose errors say what to do about them there."""

    def told(error: SdfInertiaError) -> SdfInertiaError:
        return error.with_remedy(remedy_on(task, error.problem, error.remedy))

    links = tuple(
        link._replace(error=told(link.error)) if link.error is not None else link for link in filled.result.links
    )
    return filled._replace(result=replace(filled.result, links=links), errors=tuple(map(told, filled.errors)))


def _require_sense(paths: Sequence[str], sinks: Sinks, stdin_filename: str | None, given: GivenOptions) -> None:
    """Refuses options that contradict each other.

    Raises:
        ConfigurationError: they do.
    """
    if sinks.output is not None and not sinks.writes:
        raise ConfigurationError("-o writes a file, --diff and --check write none")
    require_one_stream(paths, stdin_filename)
    _require_one_input(paths, sinks)
    if given.options.recursive and (sinks.output is not None or STANDARD_STREAM in paths):
        raise ConfigurationError("--recursive writes to the files themselves, and goes with neither -o nor -")


def _require_one_input(paths: Sequence[str], sinks: Sinks) -> None:
    if sinks.output is not None and len(paths) > 1:
        raise ConfigurationError(f"-o takes one input, and there are {len(paths)}")


def _meshes_among(paths: Sequence[str]) -> list[str]:
    """Those of the paths that pre-commit names because models are filled from them."""
    from sdfinertia.mesh.readers.formats import EXTENSIONS

    # Buffers of glTF end in .bin.
    return [path for path in paths if path.lower().endswith((*EXTENSIONS, ".bin"))]
