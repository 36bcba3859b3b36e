"""The command `compare`: two descriptions of one robot, those of a configuration, or a file at two revisions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sdfinertia.commands import FileRun, ended
from sdfinertia.comparing.comparison import DEFAULT_TOLERANCE, Comparison, compared
from sdfinertia.documents import OpenDocument, open_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files import require_inside
from sdfinertia.files.revisions import revision_of
from sdfinertia.options import Given
from sdfinertia.report import format_named, format_of_report
from sdfinertia.report.terminal import ExitStatus, print_text
from sdfinertia.runs.configuration import ComparedPair, find_configuration, read_comparisons
from sdfinertia.runs.source_files import STANDARD_STREAM, standard_input

# Suffixes of robot descriptions, and of the files by which they find each other.
_DESCRIPTIONS = (".sdf", ".world", ".urdf", ".xacro", ".xml", ".config", ".yaml", ".yml")
# What a file that reads others has in it.
_INCLUDES = (b"<include", b"<xacro:", b"load_yaml")


def run_compare(
    paths: Sequence[str],
    given: Given,
    *,
    since: str | None = None,
    form: str = "text",
    reports: Sequence[str] = (),
    stdin_filename: str | None = None,
    **chosen: Any,
) -> int:
    """`chosen` are values of `ComparedPair`."""

    def run() -> int:
        if stdin_filename is not None and STANDARD_STREAM not in paths:
            raise ConfigurationError("--stdin-filename needs - as one of the paths")
        forms = {report: format_of_report(report, "comparison") for report in reports}
        run = FileRun(given)
        pairs = _pairs(paths, ComparedPair("", "", **chosen), since, run.alone.confine)
        run.require_writable(reports)
        comparisons: list[Comparison] = []
        fails = False
        for pair in pairs:
            with run.refusing():
                found = _compare(run, pair, since, stdin_filename)
                comparisons.append(found)
                fails |= bool(found.differing or (found.unmatched and not pair.allow_unmatched))
        if comparisons:
            print_text(format_named(form).render(comparisons, "comparison"))
            for path, each in forms.items():
                run.put(path, each.render(comparisons, "comparison").encode("utf-8"))
        if run.refused:
            return ExitStatus.REFUSED
        return ExitStatus.FINDINGS if fails else ExitStatus.DONE

    return ended(run)


def _pairs(paths: Sequence[str], given: ComparedPair, since: str | None, confine: str | None) -> list[ComparedPair]:
    if since is not None:
        if len(paths) != 1 or paths[0] == STANDARD_STREAM:
            raise ConfigurationError("--since takes one file", remedy="name the file to compare with its older self")
        return [given._replace(first=paths[0], second=paths[0])]
    if paths.count(STANDARD_STREAM) > 1:
        raise ConfigurationError("- (standard input) can be one of the two files")
    if len(paths) == 2:
        return [given._replace(first=paths[0], second=paths[1])]
    if paths:
        raise ConfigurationError(
            f"compare takes two files, not {len(paths)}", remedy="use --since REV to compare one with its older self"
        )
    found = find_configuration(os.getcwd(), confine)
    pairs = read_comparisons(found, confine) if found is not None else []
    if not pairs:
        remedy = "name two files, or write [[compare]] with first and second into sdfinertia.toml"
        raise ConfigurationError("there is nothing to compare", file=found, remedy=remedy)
    return [pair.overridden(given) for pair in pairs]


def _compare(run: FileRun, pair: ComparedPair, since: str | None, stdin_filename: str | None) -> Comparison:
    tolerance = pair.tolerance if pair.tolerance is not None else DEFAULT_TOLERANCE
    second = _opened(run, pair.second, stdin_filename=stdin_filename)
    if since is None:
        first = _opened(run, pair.first, stdin_filename=stdin_filename)
        return compared(first, second, tolerance, lumped=pair.lumped, renames=pair.rename)
    with _older(run, second, since) as first:
        comparison = compared(first, second, tolerance, lumped=pair.lumped, renames=pair.rename)
        return _renamed(comparison, first.robot.path, f"{pair.first} at {since}")


def _opened(run: FileRun, path: str, data: bytes | None = None, *, stdin_filename: str | None = None) -> OpenDocument:
    if path == STANDARD_STREAM:
        task = standard_input(stdin_filename, run.options_for)
        path, data = task.path, task.data
    elif os.path.isdir(path):
        path = run.only_file(path, "a side is one")
    options = run.options_for(path)
    if data is None:
        require_inside(path, options.confine)
    return open_document(path if data is None else data, options, run.context.of(options), filename=path)


@contextmanager
def _older(run: FileRun, now: OpenDocument, name: str) -> Iterator[OpenDocument]:
    """Read beside the files of today, or, with includes or as xacro, in a copy of its revision."""
    path, confine = now.robot.path, now.options.confine
    try:
        with revision_of(path, name, confine) as revision:
            data = revision.content()
            if now.expansion is None and not any(mark in data for mark in _INCLUDES):
                yield _opened(run, path, data)
                return
            top = revision.copied(_DESCRIPTIONS)
            options = now.options.replaced(
                {
                    "confine": os.path.join(top, revision.scope).rstrip("/") if confine is not None else None,
                    "resource_path": tuple(map(revision.moved, now.options.resource_path)),
                }
            )
            with revision.as_git_names():
                yield open_document(os.path.join(top, revision.path), options, run.context.of(options))
    except SdfInertiaError as error:
        raise error.within(file=path) from None


def _renamed(comparison: Comparison, path: str, name: str) -> Comparison:
    notes = tuple(note.replace(path, name) if note.startswith(path) else note for note in comparison.notes)
    return comparison._replace(first=name, notes=tuple(dict.fromkeys(notes)))
