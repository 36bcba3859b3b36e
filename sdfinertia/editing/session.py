"""The session of a page that changes a document: a draft, the page's view of it, and the files on disk.

Knows no network: requests are values, answers go into JSON. Concurrent requests are answered one after the other.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sdfinertia.documents.checking import check_document, unreadable
from sdfinertia.documents.model_scenes import scenes_of, state_anew
from sdfinertia.documents.scene import ScaledMesh, Scene
from sdfinertia.editing.applying import study_named
from sdfinertia.editing.changes import Compute, change_of
from sdfinertia.editing.draft import Draft, Step, open_draft
from sdfinertia.editing.page_data import editable_numbers, mesh_content, mesh_name
from sdfinertia.errors import ConfigurationError, SdfInertiaError, WriteError
from sdfinertia.links.context import Context
from sdfinertia.mesh.method import OPEN_MESH_POLICIES
from sdfinertia.options import Options
from sdfinertia.report.finding_cards import counts, findings_by_link, findings_list
from sdfinertia.report.findings import level_of
from sdfinertia.report.html_report import Live, Served, diff_lines, html_report, summary_of
from sdfinertia.report.link_table import link_parts, mass_shares
from sdfinertia.report.scene_data import link_data, totals_of
from sdfinertia.rules.rule import Finding

Json = dict[str, Any]

# How long an answer waits for the findings (s).
PATIENCE = 0.2
_STILL_CHECKING = '<span class="badge">checking …</span>'


class StaleError(SdfInertiaError):
    """The request is based on a state that another page has changed since."""


class Session:
    """A document that pages show and change; with `keeps`, results of meshes are cached on disk, as commands do."""

    def __init__(self, path: str, options: Options, *, is_read_only: bool = False, keeps: bool = False) -> None:
        self.path = path
        self.is_read_only = is_read_only
        self._options = options
        self._keeps = keeps
        # Held by who reads or changes the state; told when findings are known.
        self._lock = threading.Condition()
        self._version = 0
        self._worker: threading.Thread | None = None
        with self._lock:
            self._open()

    def _open(self) -> None:
        """Takes the file from disk, with included files and meshes."""
        context = Context(self._options, keeps=self._keeps)
        draft = open_draft(self.path, self._options, context=context)
        meshes: dict[str, ScaledMesh] = {}

        def later(mesh: ScaledMesh) -> str:
            name = mesh_name(mesh, context)
            meshes[name] = mesh
            return name

        scenes = scenes_of(draft.document, with_computed=True, later=later)
        # The first is the one that is drawn.
        self._scenes = sorted(scenes, key=lambda scene: not scene.links)
        self._links = [link for scene in self._scenes for link in scene.links]
        self._draft, self._meshes = draft, meshes
        self._version += 1
        self._on_disk = "same"
        # The files that the page depends on: the document, included ones and meshes.
        context_files = draft.document.context.files_read()
        sources = draft.document.expansion.files if draft.document.expansion is not None else ()
        included = {link.file for link in self._links if link.file}
        self._watched = sorted({*draft.paths, *context_files, *sources, *included})
        self._seen = self._stamps()
        # The findings, and the content that has them; found in a thread of its own, which shares nothing.
        self._findings: Sequence[Finding] = ()
        self._checked: tuple[bytes, ...] | None = None
        self._context_of_checks = Context(self._options, keeps=self._keeps)
        self._check()

    @property
    def _is_checked(self) -> bool:
        return self._checked == self._draft.files

    def _check(self) -> None:
        if self._worker is None and not self._is_checked:
            self._worker = threading.Thread(target=self._check_until_known, daemon=True)
            self._worker.start()

    def _check_until_known(self) -> None:
        while True:
            with self._lock:
                draft, context = self._draft, self._context_of_checks
            try:
                result = check_document(draft.reopened(context))
            except SdfInertiaError as error:
                # A file that it includes has changed meanwhile.
                result = unreadable(self.path, error, self._options)
            with self._lock:
                if draft.files == self._draft.files and context is self._context_of_checks:
                    self._findings, self._checked, self._worker = result.findings, draft.files, None
                    self._lock.notify_all()
                    return

    def _wait_for_findings(self) -> None:
        self._lock.wait_for(lambda: self._is_checked, PATIENCE)

    @property
    def live(self) -> Live:
        return Live.WATCHED if self.is_read_only else Live.EDITED

    @property
    def unsaved(self) -> int:
        with self._lock:
            return len(self._draft.unsaved) if self._draft.is_changed else 0

    def page(self) -> str:
        with self._lock:
            self._wait_for_findings()
            title = f"{'Watching' if self.is_read_only else 'Editing'} {os.path.basename(self.path)}"
            served = Served(self.live, self._version, self._is_checked)
            return html_report(title, self._current_scenes(), findings=self._findings, served=served)

    def status(self) -> Json:
        """The values that may have changed since the last request of a page."""
        with self._lock:
            self._compare_with_disk()
            return self._status()

    def state(self) -> Json:
        """Everything that a page shows and that can change."""
        with self._lock:
            return self._state(range(len(self._links)))

    def mesh(self, name: str) -> bytes:
        """The triangles of a mesh on the page, by the name that the page got: a key, never a path.

        Raises:
            ConfigurationError: there is none of that name.
            SdfInertiaError: it cannot be read or drawn.
        """
        with self._lock:
            if name not in self._meshes:
                raise ConfigurationError("there is no mesh of this name")
            return mesh_content(self._meshes[name], self._draft.document.context, len(self._meshes))

    def change(self, request: Mapping[str, Any]) -> Json:
        with self._lock:
            self._require_current(request)
            change = change_of(request)
            was_managed = self._is_managed(change.link)
            answer = self._moved_to(self._draft.changed(change, is_body=False), change.link)
            return {**answer, "unmanaged": change.link if was_managed and not self._is_managed(change.link) else ""}

    def preview(self, request: Mapping[str, Any]) -> Json:
        """The preview of a change that is not made: the link as it would be drawn, and its findings."""
        with self._lock:
            self._require_writable()
            change = change_of(request)
            after = self._draft.changed(change, is_body=False)
            link = state_anew(after.document, self._links[self._index_of(change.link)])
            return {
                "data": link_data(link),
                "numbers": editable_numbers(after, link),
                "unphysical": next((problem for name, problem in after.unphysical() if name == change.link), ""),
                "findings": [f"{found.code}: {found.message}" for found in after.findings(change.link)],
            }

    def policies(self, request: Mapping[str, Any]) -> Json:
        """The mass of a link by each policy for open meshes, or why it has none."""
        link = str(request.get("link", ""))
        found = []
        with self._lock:
            for policy in OPEN_MESH_POLICIES:
                try:
                    mass, problem = self._draft.changed(Compute(link, policy)).inertia(link).mass, ""
                except SdfInertiaError as error:
                    mass, problem = None, error.problem
                found.append({"name": policy, "mass": mass, "problem": problem})
        return {"policies": found}

    def undo(self, request: Mapping[str, Any]) -> Json:
        with self._lock:
            self._require_current(request)
            return self._moved_to(self._draft.undone(), _link_of_last(self._draft.past))

    def redo(self, request: Mapping[str, Any]) -> Json:
        with self._lock:
            self._require_current(request)
            return self._moved_to(self._draft.redone(), _link_of_last(self._draft.future))

    def save(self, request: Mapping[str, Any]) -> Json:
        with self._lock:
            self._require_current(request)
            self._compare_with_disk()
            before = self._draft
            self._draft, notes = before.save(is_body=request.get("unphysical") is not True)
            self._version += 1
            saved = {
                "path": self.path,
                "changes": len(before.unsaved),
                "links": sorted({step.change.link for step in before.unsaved if step.change.link}),
                "diff": "\n".join(diff_lines(before.diff())),
            }
            if self._on_disk != "same":
                # A mesh or an included file.
                with suppress(SdfInertiaError):
                    self._open()
            self._seen = self._stamps()
            return {**self._state(range(len(self._links))), "notes": notes, "saved": saved}

    def reload(self) -> Json:
        """The state of the file on disk; unsaved changes are dropped."""
        with self._lock:
            self._open()
            return self._state(range(len(self._links)))

    def _status(self) -> Json:
        return {
            "version": self._version,
            "onDisk": self._on_disk,
            "isChanged": self._draft.is_changed,
            "isChecked": self._is_checked,
        }

    def _state(self, touched: Iterable[int]) -> Json:
        version = self._version
        self._wait_for_findings()
        if version != self._version:
            # Another page was answered meanwhile.
            touched = range(len(self._links))
        scenes = self._current_scenes()
        by_link = findings_by_link(scenes, self._findings)
        shares = mass_shares(scenes)
        return {
            **self._status(),
            "canUndo": bool(self._draft.past),
            "canRedo": bool(self._draft.future),
            "changes": len(self._draft.unsaved),
            "unphysical": [f"{link}: {problem}" for link, problem in self._draft.unphysical()],
            "diff": "\n".join(diff_lines(self._draft.diff())),
            "counts": counts(self._findings) if self._is_checked else _STILL_CHECKING,
            "summary": summary_of(scenes),
            "totals": [totals_of(scene) for scene in scenes],
            "findings": "".join(findings_list(self._findings, by_link, self._links)),
            "links": {str(index): self._link(index, by_link.get(index, []), shares[index]) for index in touched},
        }

    def _current_scenes(self) -> list[Scene]:
        left = iter(self._links)
        return [replace(scene, links=tuple(next(left) for _ in scene.links)) for scene in self._scenes]

    def _link(self, index: int, findings: list[Finding], share: float | None) -> Json:
        link = self._links[index]
        row, detail = link_parts(index, link, findings, share)
        data = {"id": index, "level": level_of(findings[0].code) if findings else "", **link_data(link)}
        # None for a link in another file.
        numbers = editable_numbers(self._draft, link) if link.is_own and not self.is_read_only else None
        return {"row": row, "detail": detail, "data": data, "numbers": numbers}

    def _moved_to(self, draft: Draft, link: str) -> Json:
        """The state of another draft: the changed link is studied again, or all links without one."""
        self._draft = draft
        self._version += 1
        touched = range(len(self._links)) if not link else (self._index_of(link),)
        for index in touched:
            self._links[index] = state_anew(draft.document, self._links[index])
        self._check()
        return self._state(touched)

    def _is_managed(self, link: str) -> bool:
        """Whether a link has a provenance comment, by which `check` knows when it is stale."""
        return bool(link) and study_named(self._draft.document, link).is_managed

    def _index_of(self, link: str) -> int:
        for index, each in enumerate(self._links):
            if each.is_own and each.key.label == link:
                return index
        raise ConfigurationError(f"there is no link {link!r}", file=self.path)

    def _require_writable(self) -> None:
        if self.is_read_only:
            raise WriteError("is open read-only", remedy="sdfinertia edit changes it", file=self.path)

    def _require_current(self, request: Mapping[str, Any]) -> None:
        self._require_writable()
        if request.get("version") != self._version:
            raise StaleError("another page has changed the document", remedy="check it as it is now, and try again")

    def _stamps(self) -> list[tuple[int, ...] | None]:
        return [_stamp(path) for path in self._watched]

    def _compare_with_disk(self) -> None:
        """Notes what changed on disk; without unsaved changes, it is shown."""
        now = self._stamps()
        if now == self._seen:
            return
        self._seen = now
        self._on_disk = "changed" if os.path.exists(self.path) else "gone"
        if not self._draft.is_changed:
            # A file may be half written: the page keeps the last content until it changes again.
            with suppress(SdfInertiaError):
                self._open()


def _stamp(path: str) -> tuple[int, ...] | None:
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _link_of_last(steps: Sequence[Step]) -> str:
    """The link that the last of some steps changed; "" where it changed more."""
    return steps[-1].change.link if steps else ""
