"""The command `show`: mass properties of links and mesh files."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sdfinertia.commands.file_run import FileRun, ended, require_one_stream
from sdfinertia.commands.outputs import report_at
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.documents.showing import ShownBody, is_mesh, lumped_links, shown_links, shown_mesh
from sdfinertia.links.context import Context
from sdfinertia.links.selection import no_link_matches, unmatched
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.bodies import in_notation
from sdfinertia.report.formats import format_of_report
from sdfinertia.report.records import body_record, json_text
from sdfinertia.report.tally import ExitStatus
from sdfinertia.report.terminal import print_line, print_styled, print_table, print_text, say
from sdfinertia.runs.work import FileTask

if TYPE_CHECKING:
    from sdfinertia.documents.explaining import TwinPair
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
    def run() -> int:
        for report in reports:
            format_of_report(report, "page")
        require_one_stream(paths, stdin_filename)
        run = FileRun(given)
        run.require_writable(list(map(report_at, reports)))
        scenes: list[Scene] = []
        documents: list[dict[str, Any]] = []
        # Of each document the names of its links, if none of them is asked for.
        missed: list[tuple[str, ...]] = []

        def shown(task: FileTask) -> _Shown:
            subject = _subject(task, run.context.of(task.options))
            if isinstance(subject, OpenDocument):
                missed.append(unmatched(subject.links(), given.options))
            bodies = _bodies(subject, with_computed, is_lumped) if reports or not are_twins else []
            pairs = _twins(subject) if are_twins else []
            return _Shown(bodies, pairs, _scenes(subject, bodies, with_computed) if reports else [])

        tasks = run.tasks(paths, stdin_filename, once=False, with_meshes=True)
        for task, subject in run.over(shown, deque(), tasks):
            if as_json:
                documents.append({"path": task.path, **_json(subject, are_twins)})
            elif are_twins:
                _print_twins(task.path, subject.pairs)
            else:
                _print(task.path, subject.bodies, notation)
            scenes += subject.scenes
            for note in run.context.of(task.options).cache_notes():
                say(f"{task.path}: note: {note}")
        if as_json:
            print_text(json_text(documents))
        for report in reports:
            page = format_of_report(report, "page").render(scenes, "page")
            run.put(report_at(report), page.encode("utf-8"))
        if missed and all(missed) and not run.refused:
            raise no_link_matches(given.options.link, [name for names in missed for name in names])
        return ExitStatus.REFUSED if run.refused else ExitStatus.DONE

    return ended(run)


class _Shown(NamedTuple):
    bodies: list[ShownBody]
    pairs: list[TwinPair]
    scenes: list[Scene]


def _twins(subject: OpenDocument | _Mesh) -> list[TwinPair]:
    from sdfinertia.documents.explaining import twin_pairs

    return list(twin_pairs(subject)) if not isinstance(subject, _Mesh) else []


def _json(subject: _Shown, are_twins: bool) -> dict[str, Any]:
    if not are_twins:
        return {"bodies": [body_record(body) for body in subject.bodies]}
    from sdfinertia.report.records import twins_record

    return {"twins": twins_record(subject.pairs)}


def _print_twins(path: str, pairs: Sequence[TwinPair]) -> None:
    from sdfinertia.report.bodies import twins_table

    print_line(path)
    if pairs:
        print_table(twins_table(pairs))
    else:
        print_line("  no twins: no two links mirror each other by name or shape")


class _Mesh(NamedTuple):
    path: str
    options: Options
    context: Context


def _subject(task: FileTask, context: Context) -> OpenDocument | _Mesh:
    """A document, with its links as `fill --all` computes them, or a mesh."""
    if not is_mesh(task.path):
        return open_document(task.source, replace(task.options, all=True), context, filename=task.path)
    if task.data is not None:
        context.meshes.hold(task.path, task.data)
    return _Mesh(task.path, task.options, context)


def _bodies(subject: OpenDocument | _Mesh, with_computed: bool, is_lumped: bool) -> list[ShownBody]:
    if isinstance(subject, _Mesh):
        return [shown_mesh(*subject)]
    if is_lumped:
        return lumped_links(subject)
    return shown_links(subject, with_computed=with_computed)


def _scenes(subject: OpenDocument | _Mesh, bodies: Sequence[ShownBody], with_computed: bool) -> list[Scene]:
    from sdfinertia.documents.model_scenes import mesh_scene, scenes_of

    if isinstance(subject, _Mesh):
        return [mesh_scene(subject.path, bodies[0].inertia, subject.context)]
    return scenes_of(subject, with_computed=with_computed)


def _print(path: str, bodies: Sequence[ShownBody], notation: str | None) -> None:
    if notation is not None:
        for body in bodies:
            print_line(in_notation(body, notation))
        return
    from sdfinertia.report.bodies import body_lines, body_notes

    print_line(path)
    for body in bodies:
        print_styled(body_lines(body))
        for note in body_notes(body):
            print_line(f"  note: {note}")
        print_line("")
