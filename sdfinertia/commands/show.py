"""The command `show`: mass properties of links and mesh files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from sdfinertia.commands import FileRun
from sdfinertia.documents import no_link_matches, open_document
from sdfinertia.documents.scene import Scene, mesh_scene, scenes_of
from sdfinertia.documents.showing import ShownBody, is_mesh, lumped_links, shown_links, shown_mesh
from sdfinertia.options import Given
from sdfinertia.report import missing_words, print_line, print_styled, print_text, say
from sdfinertia.report.json_records import body_record, in_notation, json_text
from sdfinertia.report.quantities import body_lines, body_notes
from sdfinertia.runs.source_files import FileTask, require_one_stream

# Advice for a file without links of its own.
_INSTEAD = {
    "includes only": "; show the files that it includes",
    "macros only": "; show a robot that uses them",
    "no links": "",
}


class _Shown(NamedTuple):
    bodies: Sequence[ShownBody] = ()
    scenes: Sequence[Scene] = ()
    # The names of all links, if none is requested; None for a mesh.
    missed: tuple[str, ...] | None = None
    # The reason for an empty result.
    emptiness: str = ""


class ShowRequest(NamedTuple):
    notation: str | None = None
    format: str = "text"
    with_computed: bool = False
    is_lumped: bool = False
    reports: tuple[str, ...] = ()
    stdin_filename: str | None = None


def run_show(paths: Sequence[str], given: Given, request: ShowRequest) -> int:
    require_one_stream(paths, request.stdin_filename)
    run = FileRun(given, quiet=False)
    formats = run.formats(request.reports, "page")
    tasks = run.tasks(paths, request.stdin_filename, shows=True)
    documents: list[dict[str, Any]] = []
    scenes: list[Scene] = []
    missed: list[tuple[str, ...]] = []
    for task, shown in run.over(partial(_shown, run, request), tasks):
        if request.format == "json":
            documents.append({"path": task.path, "bodies": [body_record(body) for body in shown.bodies]})
        else:
            _print(task.path, shown.bodies, request.notation)
        if shown.emptiness:
            say(f"{task.path}: note: has no links of its own ({shown.emptiness}){_INSTEAD[shown.emptiness]}")
        scenes += shown.scenes
        missed += [shown.missed] if shown.missed is not None else []
        for note in run.context.of(task.options).cache_notes():
            say(f"{task.path}: note: {note}")
    if request.format == "json":
        print_text(json_text(documents))
    if scenes and (missing := missing_words(scenes)):
        say(missing)
    run.put_reports(formats, scenes, "page")
    if missed and all(missed) and not run.refused:
        raise no_link_matches(run.alone.link, [name for names in missed for name in names])
    return run.status()


def _shown(run: FileRun, request: ShowRequest, task: FileTask) -> _Shown:
    context = run.context.of(task.options)
    if is_mesh(task.path):
        if task.data is not None:
            context.meshes.hold(task.path, task.data)
        body = shown_mesh(task.path, task.options, context)
        return _Shown([body], [mesh_scene(task.path, body.inertia, context)] if request.reports else ())
    # The links are as `fill --all` computes them.
    document = open_document(task.source, replace(task.options, all=True), context, filename=task.path)
    bodies = lumped_links(document) if request.is_lumped else shown_links(document, request.with_computed)
    scenes = scenes_of(document, with_computed=request.with_computed) if request.reports else ()
    return _Shown(bodies, scenes, document.unmatched(run.alone), document.emptiness)


def _print(path: str, bodies: Sequence[ShownBody], notation: str | None) -> None:
    if notation is not None:
        for body in bodies:
            print_line(in_notation(body, notation))
        return

    print_line(path)
    for body in bodies:
        print_styled(body_lines(body))
        for note in body_notes(body):
            print_line(f"  note: {note}")
        print_line("")
