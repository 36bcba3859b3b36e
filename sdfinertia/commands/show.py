"""The command `show`: mass properties of links and mesh files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sdfinertia.commands import FileRun, ended
from sdfinertia.documents import no_link_matches, open_document
from sdfinertia.documents.scene import Scene, mesh_scene, missing_words, scenes_of
from sdfinertia.documents.showing import ShownBody, is_mesh, lumped_links, shown_links, shown_mesh
from sdfinertia.links.context import Context, SharedContext
from sdfinertia.options import Given, Options
from sdfinertia.report import format_of_report
from sdfinertia.report.json_records import body_record, in_notation, json_text
from sdfinertia.report.quantities import body_lines, body_notes
from sdfinertia.report.terminal import ExitStatus, print_line, print_styled, print_text, say
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

    @property
    def draws(self) -> bool:
        return bool(self.reports)


class _Show(NamedTuple):
    context: SharedContext
    options: Options
    request: ShowRequest

    def __call__(self, task: FileTask) -> _Shown:
        context = self.context.of(task.options)
        return self._mesh(task, context) if is_mesh(task.path) else self._document(task, context)

    def _mesh(self, task: FileTask, context: Context) -> _Shown:
        if task.data is not None:
            context.meshes.hold(task.path, task.data)
        body = shown_mesh(task.path, task.options, context)
        if not self.request.draws:
            return _Shown([body])

        return _Shown([body], scenes=[mesh_scene(task.path, body.inertia, context)])

    def _document(self, task: FileTask, context: Context) -> _Shown:
        # The links are as `fill --all` computes them.
        document = open_document(task.source, replace(task.options, all=True), context, filename=task.path)
        bodies = lumped_links(document) if self.request.is_lumped else shown_links(document, self.request.with_computed)
        found = _Shown(bodies, missed=document.unmatched(self.options), emptiness=document.emptiness)
        if self.request.draws:
            found = found._replace(scenes=scenes_of(document, with_computed=self.request.with_computed))
        return found


def run_show(paths: Sequence[str], given: Given, request: ShowRequest) -> int:
    def run() -> int:
        forms = [format_of_report(report, "page") for report in request.reports]
        require_one_stream(paths, request.stdin_filename)
        file_run = FileRun(given, quiet=False)
        file_run.require_writable(request.reports)
        tasks = list(file_run.tasks(paths, request.stdin_filename, shows=True))
        file_run.require_given_arguments(tasks)
        everything = _printed(file_run, tasks, _Show(file_run.context, file_run.alone, request))
        scenes = [scene for shown in everything for scene in shown.scenes]
        if scenes and (missing := missing_words(scenes)):
            say(missing)
        for report, form in zip(request.reports, forms, strict=True):
            file_run.put(report, form.render(scenes, "page").encode("utf-8"))
        missed = [shown.missed for shown in everything if shown.missed is not None]
        if missed and all(missed) and not file_run.refused:
            raise no_link_matches(file_run.alone.link, [name for names in missed for name in names])
        return ExitStatus.REFUSED if file_run.refused else ExitStatus.DONE

    return ended(run)


def _printed(run: FileRun, tasks: Sequence[FileTask], work: _Show) -> list[_Shown]:
    request = work.request
    left: list[_Shown] = []
    documents: list[dict[str, Any]] = []
    for task, shown in run.over(work, tasks, doing="reading", has_bar=False):
        if request.format == "json":
            documents.append({"path": task.path, "bodies": [body_record(body) for body in shown.bodies]})
        else:
            _print(task.path, shown.bodies, request.notation)
        if shown.emptiness:
            say(f"{task.path}: note: has no links of its own ({shown.emptiness}){_INSTEAD[shown.emptiness]}")
        left.append(shown._replace(bodies=()))
        for note in run.context.of(task.options).cache_notes():
            say(f"{task.path}: note: {note}")
    if request.format == "json":
        print_text(json_text(documents))
    return left


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
