"""The command `show`: mass properties of links and mesh files."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sdfinertia.commands.inputs import CommandInputs
from sdfinertia.documents.opened import open_document
from sdfinertia.documents.showing import ShownBody, shown_links, shown_mesh
from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.readers.formats import EXTENSIONS
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.formats import format_of_report
from sdfinertia.report.show_report import body_json, in_notation
from sdfinertia.report.tally import DONE, REFUSED
from sdfinertia.report.terminal import ERROR, print_line, say

if TYPE_CHECKING:
    from sdfinertia.documents.scene import Scene


def run_show(
    paths: Sequence[str],
    given: GivenOptions,
    *,
    notation: str | None = None,
    as_json: bool = False,
    with_computed: bool = False,
    reports: Sequence[str] = (),
) -> int:
    """Prints the mass properties of what paths stand for, and returns the exit status.

    Args:
        paths: SDF files, directories, and mesh files.
        given: the options of the command line.
        notation: one of `show_report.NOTATIONS`, or None for all quantities in words.
        with_computed: show what `fill` would write beside what is written.
        reports: pages of HTML to be written, that show the models and meshes in three dimensions.
    """
    try:
        for report in reports:
            format_of_report(report, "page")
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return REFUSED
    scenes: list[Scene] = []
    documents: list[dict[str, Any]] = []
    refused: list[SdfInertiaError] = []
    inputs = CommandInputs(given, refused.append)
    for file in inputs.files(paths):
        try:
            options = inputs.options_for(file)
            surroundings = inputs.surroundings.of(options)
            bodies = _bodies(file, options, surroundings, with_computed)
            if as_json:
                documents.append({"path": file, "bodies": [body_json(body) for body in bodies]})
            else:
                _print(file, bodies, notation)
            if reports:
                scenes += _scenes(file, bodies, options, surroundings, with_computed)
        except SdfInertiaError as error:
            inputs.refuse(error.within(file=file))
    if as_json:
        print_line(json.dumps(documents, indent=2, ensure_ascii=False, allow_nan=False))
    for report in reports:
        try:
            _write_page(report, scenes)
        except SdfInertiaError as error:
            inputs.refuse(error)
    return REFUSED if refused else DONE


def _is_mesh(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in EXTENSIONS


def _bodies(path: str, options: Options, surroundings: Surroundings, with_computed: bool) -> list[ShownBody]:
    if _is_mesh(path):
        return [shown_mesh(path, options, surroundings)]
    # What is shown is what `fill --all` would write.
    return shown_links(open_document(path, options.replaced({"all": True}), surroundings), with_computed=with_computed)


def _scenes(
    path: str, bodies: Sequence[ShownBody], options: Options, surroundings: Surroundings, with_computed: bool
) -> list[Scene]:
    from sdfinertia.documents.filling import fill_document
    from sdfinertia.documents.model_scenes import mesh_scene, scenes_of

    if _is_mesh(path):
        return [mesh_scene(path, bodies[0].inertia, surroundings)]
    document = open_document(path, options.replaced({"all": True}), surroundings)
    return scenes_of(document, fill_document(document, document.options).links if with_computed else ())


def _write_page(path: str, scenes: Sequence[Scene]) -> None:
    from sdfinertia.files.atomic_file import write_file

    write_file(path, format_of_report(path, "page").render(scenes, "page").encode("utf-8"))


def _print(path: str, bodies: Sequence[ShownBody], notation: str | None) -> None:
    if notation is not None:
        for body in bodies:
            print_line(in_notation(body, notation))
        return
    from sdfinertia.report.show_table import body_notes, body_table
    from sdfinertia.report.terminal import print_table

    print_line(path)
    for body in bodies:
        print_table(body_table(body))
        for note in body_notes(body):
            print_line(f"  note: {note}")
        print_line("")
