"""The command `compare`: two descriptions of one robot, those of a configuration, or a file at two revisions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sdfinertia.commands import FileRun
from sdfinertia.comparing.comparison import DEFAULT_TOLERANCE, Comparison, compared
from sdfinertia.documents import OpenDocument, open_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files.revisions import revision_of
from sdfinertia.options import Given
from sdfinertia.report import format_named, print_text
from sdfinertia.runs.configuration import ComparedPair, find_configuration, read_comparisons
from sdfinertia.runs.source_files import STANDARD_STREAM

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
    if stdin_filename is not None and STANDARD_STREAM not in paths:
        raise ConfigurationError("--stdin-filename needs - as one of the paths")
    run = FileRun(given)
    formats = run.formats(reports, "comparison")
    comparisons: list[Comparison] = []
    fails = False
    for pair in _pairs(paths, ComparedPair("", "", **chosen), since, run.alone.confine):
        with run.refusing():
            found = _compare(run, pair, since, stdin_filename)
            comparisons.append(found)
            fails |= bool(found.differing or (found.unmatched and not pair.allow_unmatched))
    if comparisons:
        print_text(format_named(form).render(comparisons, "comparison"))
        run.put_reports(formats, comparisons, "comparison")
    return run.status(fails=fails)


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
    second = _opened(run, pair.second, stdin_filename)
    if since is None:
        first = _opened(run, pair.first, stdin_filename)
        return compared(first, second, tolerance, lumped=pair.lumped, renames=pair.rename)
    with _older(run, second, since) as first:
        comparison = compared(first, second, tolerance, lumped=pair.lumped, renames=pair.rename)
        return _renamed(comparison, first.robot.path, f"{pair.first} at {since}")


def _opened(run: FileRun, path: str, stdin_filename: str | None) -> OpenDocument:
    task = run.task_of(run.only_file(path, "a side is one") if os.path.isdir(path) else path, stdin_filename)
    return open_document(task.source, task.options, run.context.of(task.options), filename=task.path)


@contextmanager
def _older(run: FileRun, now: OpenDocument, name: str) -> Iterator[OpenDocument]:
    """Read beside the files of today, or, with includes or as xacro, in a copy of its revision."""
    path, confine = now.robot.path, now.options.confine
    try:
        with revision_of(path, name, confine) as revision:
            data = revision.content()
            if now.expansion is None and not any(mark in data for mark in _INCLUDES):
                yield open_document(data, now.options, run.context.of(now.options), filename=path)
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
