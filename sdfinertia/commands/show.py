"""The command `show`: mass properties of links and mesh files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sdfinertia.commands.inputs import CommandInputs, Source, require_one_stream
from sdfinertia.commands.outputs import Outputs, report_at
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.documents.showing import ShownBody, is_mesh, lumped_links, shown_links, shown_mesh
from sdfinertia.errors import SdfInertiaError, WriteError
from sdfinertia.links.selection import no_link_matches, unmatched
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.bodies.show_report import body_json, in_notation
from sdfinertia.report.findings.wording import json_text
from sdfinertia.report.formats import format_of_report
from sdfinertia.report.tally import ExitStatus
from sdfinertia.report.terminal import ERROR, print_line, print_styled, print_text, say

if TYPE_CHECKING:
    from sdfinertia.documents.scene import Scene


def run_show(
    paths: Sequence[str],
    given: GivenOptions,
    *,
    notation: str | None = None,
    as_json: bool = False,
    with_computed: bool = False,
    is_lumped: bool = False,
    are_twins: bool = False,
    reports: Sequence[str] = (),
    stdin_filename: str | None = None,
) -> int:
    """Prints the mass properties of what paths stand for, and returns the exit status.

    Args:
        paths: SDF files, directories, and mesh files, or "-" alone.
        given: the options of the command line.
        notation: one of `show_report.NOTATIONS`, or None for all quantities in words.
        with_computed: show what `fill` would write beside what is written.
        is_lumped: show the links that Gazebo makes one of as one.
        are_twins: show left links beside right ones, and what differs, instead of links.
        reports: pages of HTML to be written, that show the models and meshes in three dimensions.
        stdin_filename: the place that standard input has; its suffix tells a mesh.
    """
    try:
        for report in reports:
            format_of_report(report, "page")
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return ExitStatus.REFUSED
    scenes: list[Scene] = []
    documents: list[dict[str, Any]] = []
    refused: list[SdfInertiaError] = []
    # Of each document the names of its links, if none of them is asked for.
    missed: list[tuple[str, ...]] = []
    inputs = CommandInputs(given, refused.append)
    outputs = Outputs()
    try:
        require_one_stream(paths, stdin_filename)
        if reports:
            outputs.require_sense(list(map(report_at, reports)), inputs.confinement_of_outputs())
        for source in inputs.sources(paths, stdin_filename, with_meshes=True):
            try:
                options = inputs.options_for(source.path)
                surroundings = inputs.surroundings.of(options)
                subject = _subject(source, options, surroundings)
                if isinstance(subject, OpenDocument):
                    missed.append(unmatched(subject.links(), given.options))
                bodies = _bodies(subject, with_computed, is_lumped) if reports or not are_twins else []
                if are_twins:
                    documents += _show_twins(source.path, subject, as_json=as_json)
                elif as_json:
                    documents.append({"path": source.path, "bodies": [body_json(body) for body in bodies]})
                else:
                    _print(source.path, bodies, notation)
                if reports:
                    scenes += _scenes(subject, bodies, with_computed)
                for note in surroundings.cache_notes():
                    say(f"{source.path}: note: {note}")
            except WriteError:
                # Standard output takes no more, whatever is to be shown.
                raise
            except SdfInertiaError as error:
                inputs.refuse(error.within(file=source.path))
        if as_json:
            print_text(json_text(documents))
        for report in reports:
            page = format_of_report(report, "page").render(scenes, "page")
            outputs.put(report_at(report), page.encode("utf-8"), inputs.confinement_of_outputs())
        if missed and all(missed) and not refused:
            raise no_link_matches(given.options.link, [name for names in missed for name in names])
    except SdfInertiaError as error:
        inputs.refuse(error)
    return ExitStatus.REFUSED if refused else ExitStatus.DONE


def _show_twins(path: str, subject: OpenDocument | _Mesh, *, as_json: bool) -> list[dict[str, Any]]:
    """Prints the twins of a document, or gives them for a document of JSON; a mesh has none."""
    from sdfinertia.documents.explaining import twin_pairs
    from sdfinertia.report.bodies.twins_table import twins_json, twins_table
    from sdfinertia.report.terminal import print_table

    pairs = list(twin_pairs(subject)) if not isinstance(subject, _Mesh) else []
    if as_json:
        return [{"path": path, "twins": twins_json(pairs)}]
    print_line(path)
    if pairs:
        print_table(twins_table(pairs))
    else:
        print_line("  no twins: neither names nor shapes tell a left link from a right one")
    return []


class _Mesh(NamedTuple):
    """A mesh file to be shown."""

    path: str
    options: Options
    surroundings: Surroundings


def _subject(source: Source, options: Options, surroundings: Surroundings) -> OpenDocument | _Mesh:
    """What is to be shown: a document, with its links as `fill --all` takes them, or a mesh."""
    if not is_mesh(source.path):
        return open_document(source.content, replace(options, all=True), surroundings, filename=source.path)
    if source.data is not None:
        surroundings.meshes.hold(source.path, source.data)
    return _Mesh(source.path, options, surroundings)


def _bodies(subject: OpenDocument | _Mesh, with_computed: bool, is_lumped: bool) -> list[ShownBody]:
    if isinstance(subject, _Mesh):
        return [shown_mesh(*subject)]
    if is_lumped:
        return lumped_links(subject)
    return shown_links(subject, with_computed=with_computed)


def _scenes(subject: OpenDocument | _Mesh, bodies: Sequence[ShownBody], with_computed: bool) -> list[Scene]:
    from sdfinertia.documents.model_scenes import mesh_scene, scenes_of

    if isinstance(subject, _Mesh):
        return [mesh_scene(subject.path, bodies[0].inertia, subject.surroundings)]
    return scenes_of(subject, with_computed=with_computed)


def _print(path: str, bodies: Sequence[ShownBody], notation: str | None) -> None:
    if notation is not None:
        for body in bodies:
            print_line(in_notation(body, notation))
        return
    from sdfinertia.report.bodies.show_table import body_lines, body_notes

    print_line(path)
    for body in bodies:
        print_styled(body_lines(body))
        for note in body_notes(body):
            print_line(f"  note: {note}")
        print_line("")
