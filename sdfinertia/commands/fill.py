"""The command `fill`, and others that write files anew: which files, where results go, and what is said of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.commands.file_filling import FileFilling, FilledFile, Sinks
from sdfinertia.commands.inputs import (
    STANDARD_STREAM,
    CommandInputs,
    Source,
    read_standard_input,
    remedy_on,
    require_one_stream,
)
from sdfinertia.commands.outputs import Outputs, document_at, report_at
from sdfinertia.documents.filling import FillResult
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.links.selection import no_link_matches
from sdfinertia.links.surroundings import SharedSurroundings
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.tally import ExitStatus, Pace, Tally
from sdfinertia.report.terminal import ERROR, Progress, print_bytes, say, say_lines
from sdfinertia.runs.outcomes import ONE_JOB, Jobs, outcomes_in_order
from sdfinertia.runs.source_files import is_excluded

if TYPE_CHECKING:
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.documents.scene import Scene
    from sdfinertia.files.leftovers import Leftovers
    from sdfinertia.report.formats import Content


class Doing(NamedTuple):
    """What a run does with its files.

    Attributes:
        work: on one file; it writes nothing and says nothing.
        content: of reports on it.
        done: to links, in one word.
    """

    work: Callable[[Sinks, SharedSurroundings, Leftovers | None], FileFilling]
    content: Content
    done: str


_FILLING = Doing(FileFilling, "results", "filled")


class _Facts(NamedTuple):
    """What has come out so far, kept only if a report will need it.

    Attributes:
        options: those in force for each of the results.
        documents: each as it was opened, where this process did it and a report draws it.
    """

    results: list[FillResult]
    options: list[Options]
    documents: list[OpenDocument | None]
    refused: list[SdfInertiaError]


def run_fill(
    paths: Sequence[str],
    given: GivenOptions,
    sinks: Sinks,
    stdin_filename: str | None = None,
    jobs: Jobs = ONE_JOB,
) -> int:
    """Fills the files that paths stand for, and returns the exit status; see `run_files`."""
    return run_files(_FILLING, paths, given, sinks, stdin_filename, jobs)


def run_files(
    doing: Doing,
    paths: Sequence[str],
    given: GivenOptions,
    sinks: Sinks,
    stdin_filename: str | None = None,
    jobs: Jobs = ONE_JOB,
) -> int:
    """Works on the files that paths stand for, writes them anew, and returns the exit status.

    Args:
        doing: what is done with them.
        paths: files, directories, or "-" alone.
        given: the options of the command line.
        sinks: where results go.
        stdin_filename: the place that standard input has.
        jobs: what computes the files; one process writes them in any case.
    """
    tally = Tally(writes=sinks.writes, fails_on_change=sinks.check, done=doing.done)
    facts = _Facts([], [], [], [])
    run = _Run(doing, given, sinks, jobs, tally, facts)
    try:
        _require_sense(paths, sinks, stdin_filename, given)
        sinks.forms(doing.content)  # refuses a report of no known format before anything is computed
        run.require_writable()
        if list(paths) == [STANDARD_STREAM]:
            run.fill_stream(stdin_filename)
        else:
            run.fill_paths(paths)
        run.write_reports()
        run.require_links()
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return ExitStatus.REFUSED
    except KeyboardInterrupt:
        say(f"interrupted; every file is either as it was or {doing.done}")
        return ExitStatus.INTERRUPTED
    if sinks.verbosity >= 0:
        line = tally.density_line()
        if line is not None:
            say(line)
        if not sinks.is_brief:
            say(tally.closing_line())
    if sinks.verbosity > 0:
        for line in run.pace.lines():
            say(line)
    return tally.exit_status


class _Run:
    """One run of the command over its files."""

    def __init__(
        self, doing: Doing, given: GivenOptions, sinks: Sinks, jobs: Jobs, tally: Tally, facts: _Facts
    ) -> None:
        self._inputs = CommandInputs(given, self._count_refused)
        self._filling = _filling(doing, sinks, self._inputs.surroundings, jobs)
        self._content = doing.content
        self._sinks = sinks
        self._jobs = jobs
        self._tally = tally
        self._facts = facts
        self._outputs = Outputs()
        self._patterns = given.options.link
        self._has_looked = False
        self._unmatched: list[str] = []
        self.pace = Pace()

    def require_writable(self) -> None:
        """Refuses reports that would be refused at the end.

        Raises:
            SdfInertiaError: there are such.
        """
        self._outputs.require_sense(
            [
                *([document_at(self._sinks.output)] if self._sinks.output is not None else []),
                *map(report_at, self._sinks.reports),
            ],
            self._inputs.confinement_of_outputs() if self._sinks.reports or self._sinks.output else None,
        )

    def write_reports(self) -> None:
        """Writes the reports.

        Raises:
            WriteError: one cannot be written.
        """
        for report in self._sinks.reports:
            text = _report_text(report, self._content, self._facts, is_written=self._sinks.writes)
            self._outputs.put(report_at(report), text.encode("utf-8"), self._inputs.confinement_of_outputs())

    def require_links(self) -> None:
        """Refuses patterns of the command line that match no link of any file, if all could be read.

        Raises:
            ConfigurationError: they do not.
        """
        if self._patterns and self._has_looked and not self._tally.matched_links and not self._tally.refused_files:
            raise no_link_matches(self._patterns, self._unmatched)

    def fill_stream(self, stdin_filename: str | None) -> None:
        """Fills standard input; the result goes to standard output."""
        try:
            source = read_standard_input(stdin_filename)
            options = self._inputs.options_for(source.path)
            if self._inputs.is_excluded(source):
                print_bytes(source.data or b"")
                return
            filled = _with_remedies(source, self._filling.filled(source.content, source.path, options))
        except SdfInertiaError as error:
            self._inputs.refuse(error)
            return
        self._conclude(source, filled, options)

    def fill_paths(self, paths: Sequence[str]) -> None:
        """Fills every file that the paths stand for, and with `--recursive` those that they include."""
        meshes = _meshes_among(paths) if self._sinks.is_hook else []
        files = list(self._inputs.files([path for path in paths if path not in meshes]))
        files += self._inputs.users_of(meshes)
        if self._sinks.output is not None and len(files) > 1:
            raise ConfigurationError(f"-o takes one input, and there are {len(files)}")
        pending = deque(self._inputs.tasks(files))
        under_way = len(pending)
        with (
            Progress(len(pending), quiet=self._sinks.verbosity < 0) as progress,
            closing(outcomes_in_order(self._filling, pending, self._jobs)) as outcomes,
        ):
            for outcome in outcomes:
                task, filled = outcome.task, outcome.result
                self.pace.add(task.path, outcome.seconds)
                if isinstance(filled, SdfInertiaError):
                    self._inputs.refuse(filled)
                else:
                    self._conclude(Source(task.path), filled, task.options)
                    included = list(self._inputs.tasks(self._wanted(filled.included)))
                    pending += included
                    under_way += len(included)
                under_way -= 1
                progress.advance(remaining=under_way)

    def _wanted(self, included: Sequence[str | SdfInertiaError]) -> Iterator[str]:
        """The included files that are to be filled too."""
        for path in included:
            try:
                if isinstance(path, SdfInertiaError):
                    raise path
                if not is_excluded(path, self._inputs.options_for(path).exclude):
                    yield path
            except SdfInertiaError as error:
                self._inputs.refuse(error)

    def _count_refused(self, error: SdfInertiaError) -> None:
        self._tally.add_refused()
        if self._sinks.reports:
            self._facts.refused.append(error)

    def _conclude(self, source: Source, filled: FilledFile, options: Options) -> None:
        """Writes or shows what became of a file, counts it, and says so."""
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
            elif self._sinks.writes and (not filled.errors or options.keep_going):
                result = filled.result
                self._outputs.put_document(source, result.original, result.content, self._sinks.output, options.confine)
        except SdfInertiaError as error:
            self._inputs.refuse(error)
            return
        self._tally.add_counts(filled.counts)
        self._has_looked = True
        self._unmatched += filled.result.unmatched
        if self._sinks.reports:
            self._facts.results.append(filled.result)
            self._facts.options.append(options)
            self._facts.documents.append(filled.document)
        say_lines(filled.lines, heading_style="bold")


def _with_remedies(source: Source, filled: FilledFile) -> FilledFile:
    """What comes of a source, whose errors say what to do about them there."""

    def told(error: SdfInertiaError) -> SdfInertiaError:
        return error.with_remedy(remedy_on(source, error.problem, error.remedy))

    links = tuple(
        link._replace(error=told(link.error)) if link.error is not None else link for link in filled.result.links
    )
    return filled._replace(result=replace(filled.result, links=links), errors=tuple(map(told, filled.errors)))


def _filling(doing: Doing, sinks: Sinks, surroundings: SharedSurroundings, jobs: Jobs) -> FileFilling:
    """What fills the files; workers that are elsewhere write them too, so that their bytes need not travel."""
    if not (jobs.are_given and sinks.writes and sinks.output is None):
        return doing.work(sinks, surroundings, None)
    from sdfinertia.files.leftovers import Leftovers

    return doing.work(sinks, surroundings, Leftovers())


def _require_sense(paths: Sequence[str], sinks: Sinks, stdin_filename: str | None, given: GivenOptions) -> None:
    """Refuses options that contradict each other.

    Raises:
        ConfigurationError: they do.
    """
    if sinks.output is not None and not sinks.writes:
        raise ConfigurationError("-o writes a file, --diff and --check write none")
    require_one_stream(paths, stdin_filename)
    if sinks.output is not None and len(paths) > 1:
        raise ConfigurationError(f"-o takes one input, and there are {len(paths)}")
    if given.options.recursive and (sinks.output is not None or STANDARD_STREAM in paths):
        raise ConfigurationError("--recursive writes to the files themselves, and goes with neither -o nor -")


def _meshes_among(paths: Sequence[str]) -> list[str]:
    """Those of the paths that pre-commit names because models are filled from them."""
    from sdfinertia.mesh.readers.formats import EXTENSIONS

    # Buffers of glTF end in .bin.
    return [path for path in paths if path.lower().endswith((*EXTENSIONS, ".bin"))]


def _report_text(path: str, content: Content, facts: _Facts, *, is_written: bool) -> str:
    from sdfinertia.report.formats import ResultsReport, format_of_report

    report = ResultsReport(facts.results, facts.refused, lambda: _scenes(facts, is_written=is_written))
    return format_of_report(path, content).render(report, content)


def _scenes(facts: _Facts, *, is_written: bool) -> list[Scene]:
    from sdfinertia.documents.model_scenes import scenes_of
    from sdfinertia.documents.opened import open_document

    # Files that others include are looked at once all are written, so that their order and the jobs do not matter.
    surroundings = SharedSurroundings(keeps=True)
    scenes: list[Scene] = []
    for result, options, kept in zip(facts.results, facts.options, facts.documents, strict=True):
        around = surroundings.of(options)
        document = kept or open_document(result.original, options, around, filename=result.path)
        scenes += scenes_of(document, result.links, around, with_computed=True, is_written=is_written)
    return scenes
