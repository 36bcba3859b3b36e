"""The command `fill` over many files: which files, where results go, and what is said of them."""

from __future__ import annotations

import gc
import os
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.command_inputs import CommandInputs
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.filling import FillResult, fill
from sdfinertia.options import Options
from sdfinertia.report.tally import INTERRUPTED, REFUSED, Tally
from sdfinertia.report.terminal import ERROR, Progress, print_bytes, say
from sdfinertia.sdf.document import Document
from sdfinertia.sdf.model import SdfRoot
from sdfinertia.source_files import is_excluded
from sdfinertia.surroundings import Surroundings

if TYPE_CHECKING:
    from sdfinertia.report.scene import Scene

STANDARD_STREAM = "-"
# Names under which the system gives standard output to those who write files.
_STANDARD_OUTPUT = (STANDARD_STREAM, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
# The tree of a file takes some twenty times its bytes.
_COLLECT_AFTER = 16 << 20


class Sinks(NamedTuple):
    """Where the results of a run go.

    Attributes:
        output: a file to write to instead of the input; "-" is standard output.
        diff: print diffs instead of writing.
        check: write nothing, and fail if something would change.
        reports: files for reports; the suffix tells the format.
        verbosity: -1 only errors, 0 the report, 1 all there is to say.
    """

    output: str | None = None
    diff: bool = False
    check: bool = False
    reports: tuple[str, ...] = ()
    verbosity: int = 0

    @property
    def writes(self) -> bool:
        """Whether SDF files are written."""
        return not (self.diff or self.check)


class _Facts(NamedTuple):
    """What has come out so far, kept only if a report will need it."""

    results: list[FillResult]
    refused: list[SdfInertiaError]
    scenes: list[Scene]


def run_fill(paths: Sequence[str], given: Mapping[str, Any], sinks: Sinks, stdin_filename: str | None = None) -> int:
    """Fills the files that paths stand for, and returns the exit status.

    Args:
        paths: files, directories, or "-" alone.
        given: the options of the command line, by field name of `Options`.
        sinks: where results go.
        stdin_filename: the place that standard input has.
    """
    tally = Tally(writes=sinks.writes, fails_on_change=sinks.check)
    facts = _Facts([], [], [])
    run = _Run(given, sinks, tally, facts)
    try:
        _require_sense(paths, sinks, stdin_filename, given)
        for report in sinks.reports:
            _require_report_format(report)
        if list(paths) == [STANDARD_STREAM]:
            run.fill_stream(stdin_filename)
        else:
            run.fill_paths(paths)
        for report in sinks.reports:
            _write_report(report, facts)
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return REFUSED
    except KeyboardInterrupt:
        say("interrupted; every file is either as it was or filled")
        return INTERRUPTED
    if sinks.verbosity >= 0:
        for line in (tally.pattern_line(), tally.density_line()):
            if line is not None:
                say(line)
        say(tally.closing_line())
    return tally.exit_status


class _Run:
    """One run of the command over its files."""

    def __init__(self, given: Mapping[str, Any], sinks: Sinks, tally: Tally, facts: _Facts) -> None:
        self._inputs = CommandInputs(given, self._count_refused)
        self._sinks = sinks
        self._tally = tally
        self._facts = facts
        self._cleaned: set[str] = set()
        self._bytes_read = 0

    def fill_stream(self, stdin_filename: str | None) -> None:
        """Fills standard input; the result goes to standard output."""
        name = stdin_filename or "<stdin>"
        data = sys.stdin.buffer.read()
        try:
            options = self._inputs.options_for(stdin_filename or os.path.join(os.getcwd(), name))
            if is_excluded(name, options.exclude):
                print_bytes(data)
                return
            result = fill(data, options, filename=name, surroundings=self._inputs.surroundings_for(options))
        except SdfInertiaError as error:
            self._inputs.refuse(error)
            return
        self._conclude(result, options, output=self._sinks.output or STANDARD_STREAM)

    def fill_paths(self, paths: Sequence[str]) -> None:
        """Fills every file that the paths stand for, and with `--recursive` those that they include."""
        pending = deque(self._inputs.files(paths))
        if self._sinks.output is not None and len(pending) > 1:
            raise ConfigurationError(f"-o takes one input, and there are {len(pending)}")
        seen: set[str] = set()
        with Progress(len(pending), quiet=self._sinks.verbosity < 0) as progress:
            while pending:
                path = pending.popleft()
                key = os.path.realpath(path)
                if key not in seen:
                    seen.add(key)
                    pending += self._fill_file(path)
                    self._collect_garbage()
                progress.advance(remaining=len(pending))

    def _fill_file(self, path: str) -> list[str]:
        """Fills one file, and returns the files it includes where those are to be filled too."""
        try:
            options = self._inputs.options_for(path)
            surroundings = self._inputs.surroundings_for(options)
            result = fill(path, options, surroundings=surroundings)
        except SdfInertiaError as error:
            self._inputs.refuse(error)
            return []
        self._conclude(result, options, output=self._sinks.output)
        self._bytes_read += len(result.original)
        return self._included_by(result, surroundings) if options.recursive else []

    def _included_by(self, result: FillResult, surroundings: Surroundings) -> list[str]:
        found: list[str] = []
        root = SdfRoot(Document(result.original, result.path))
        for include in root.include_elements():
            try:
                path = surroundings.resources.included_file(include)
                if path is not None and not is_excluded(path, self._inputs.options_for(path).exclude):
                    found.append(path)
            except SdfInertiaError as error:
                self._inputs.refuse(error)
        return found

    def _collect_garbage(self) -> None:
        """Lets go of the trees of files done, which the collector, being off, does not find by itself."""
        if self._bytes_read > _COLLECT_AFTER:
            gc.collect()
        self._bytes_read = 0

    def _count_refused(self, error: SdfInertiaError) -> None:
        self._tally.add_refused()
        if self._sinks.reports:
            self._facts.refused.append(error)

    def _conclude(self, result: FillResult, options: Options, output: str | None) -> None:
        """Writes or shows what became of a file, counts it, and says so."""
        for error in result.errors:
            say(str(error), style=ERROR)
        try:
            if self._sinks.diff and result.changed:
                from sdfinertia.report.diff import unified_diff

                print_bytes(unified_diff(result.path, result.original, result.edits))
            if self._sinks.writes and (not result.errors or options.keep_going):
                self._write(result, output)
        except SdfInertiaError as error:
            self._inputs.refuse(error)
            return
        self._tally.add(result)
        if self._sinks.reports:
            self._facts.results.append(result)
        if any(map(_is_page, self._sinks.reports)):
            from sdfinertia.model_scenes import scenes_of

            surroundings = self._inputs.surroundings_for(options)
            self._facts.scenes.extend(
                scenes_of(result.original, options, surroundings, filename=result.path, results=result.links)
            )
        if self._sinks.verbosity >= 0 and (result.links or result.notes):
            from sdfinertia.report.text_report import report_lines

            for line in report_lines(result, verbose=self._sinks.verbosity > 0):
                say(line, style="" if line.startswith(" ") else "bold")

    def _write(self, result: FillResult, output: str | None) -> None:
        if output in _STANDARD_OUTPUT:
            print_bytes(result.content)
        elif result.changed or output is not None:
            from sdfinertia.atomic_file import remove_leftovers

            directory = os.path.dirname(os.path.realpath(output or result.path))
            if directory not in self._cleaned:
                self._cleaned.add(directory)
                remove_leftovers(directory)
            for note in result.write(output):
                say(note)


def _require_sense(paths: Sequence[str], sinks: Sinks, stdin_filename: str | None, given: Mapping[str, Any]) -> None:
    """Refuses options that contradict each other.

    Raises:
        ConfigurationError: they do.
    """
    Options().replaced(given)
    if sinks.output is not None and not sinks.writes:
        raise ConfigurationError("-o writes a file, --diff and --check write none")
    if STANDARD_STREAM in paths and len(paths) > 1:
        raise ConfigurationError("- stands for standard input and goes with no other path")
    if sinks.output is not None and len(paths) > 1:
        raise ConfigurationError(f"-o takes one input, and there are {len(paths)}")
    if given.get("recursive") and (sinks.output is not None or STANDARD_STREAM in paths):
        raise ConfigurationError("--recursive writes to the files themselves, and goes with neither -o nor -")
    if stdin_filename is not None and list(paths) != [STANDARD_STREAM]:
        raise ConfigurationError("--stdin-filename goes with - alone")


def _is_page(report: str) -> bool:
    return report.lower().endswith(".html")


def _require_report_format(path: str) -> None:
    if not path.lower().endswith((".json", ".md", ".html")):
        raise ConfigurationError(
            f"the format of the report {path!r} is not known", remedy="name it .json, .md or .html"
        )


def _write_report(path: str, facts: _Facts) -> None:
    from sdfinertia.atomic_file import write_file

    if _is_page(path):
        text = _page(facts)
    elif path.lower().endswith(".md"):
        from sdfinertia.report.markdown_report import markdown_report

        text = markdown_report(facts.results, facts.refused)
    else:
        from sdfinertia.report.json_report import json_report

        text = json_report(facts.results, facts.refused)
    write_file(path, text.encode("utf-8"))


def _page(facts: _Facts) -> str:
    from sdfinertia.report.diff import unified_diff
    from sdfinertia.report.html_report import html_report

    notes = [f"{result.path}: {note}" for result in facts.results for note in result.notes]
    diffs = (unified_diff(result.path, result.original, result.edits) for result in facts.results if result.changed)
    return html_report(
        "Inertials",
        facts.scenes,
        notes=[*notes, *(str(error) for error in facts.refused)],
        diff=b"".join(diffs),
    )
