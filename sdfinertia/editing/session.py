"""The session of a page that changes a document: a draft, the page's view of it, and the file on disk.

Knows no network: requests are values, answers go into JSON. Concurrent requests are answered one after the other.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from typing import Any

from sdfinertia.documents.model_scenes import scenes_of, state_anew
from sdfinertia.documents.scene import Scene, SceneLink
from sdfinertia.editing.applying import study_named
from sdfinertia.editing.changes import Change, Mirror, change_of
from sdfinertia.editing.draft import Draft, draft_of
from sdfinertia.editing.draft_findings import FindingsOf
from sdfinertia.editing.page_data import SentMeshes, editable_numbers
from sdfinertia.errors import ConfigurationError, SdfInertiaError, WriteError, unicode_text
from sdfinertia.files.regular_file import is_inside, read_regular_file
from sdfinertia.links.context import Context
from sdfinertia.options import Options
from sdfinertia.report.finding_cards import counts, findings_by_link, findings_list
from sdfinertia.report.findings import level_of
from sdfinertia.report.html_report import Live, Served, diff_lines, html_report, summary_of
from sdfinertia.report.link_table import link_parts, mass_shares
from sdfinertia.report.scene_data import link_data, totals_of
from sdfinertia.rules.rule import Finding

Json = dict[str, Any]

# Bytes of meshes up to which findings are computed before the page is shown: some tenths of a second.
_MAX_CHECKED_AT_ONCE = 2_000_000
# The page counts as closed after this long without a request, and the interval of that check (s).
_LULL, _PAUSE = 0.3, 0.05
_STILL_CHECKING = '<span class="badge">checking …</span>'


class OnDisk(str, Enum):
    """The state of the file on disk, compared with the one opened or saved last."""

    SAME = "same"
    # The file itself.
    CHANGED = "changed"
    GONE = "gone"
    # A file that it includes, or a mesh.
    AROUND = "context"


class StaleError(SdfInertiaError):
    """The request is based on a state that another page has changed since."""


class Session:
    """A document that pages show and change.

    Args:
        path: the file.
        options: those in force for it.
        is_read_only: whether nothing may be changed.
        keeps: whether results of meshes are cached on disk, as commands do.

    Raises:
        SdfInertiaError: the file cannot be read.
    """

    def __init__(self, path: str, options: Options, *, is_read_only: bool = False, keeps: bool = False) -> None:
        self.path = path
        self.is_read_only = is_read_only
        self._options = options
        self._keeps = keeps
        self._lock = threading.RLock()
        self._version = 0
        self._on_disk = OnDisk.SAME
        self._meshes = SentMeshes()
        # The page's own request comes first.
        self._busy_until = math.inf
        self._begin(self._opened(path))

    def _opened(self, source: str | bytes) -> Draft:
        """The draft of the file on disk, or of content for it, with included files and meshes read again."""
        context = Context(self._options, keeps=self._keeps)
        return draft_of(source, self._options, self.path, context)

    def _begin(self, draft: Draft) -> None:
        self._draft = draft
        self._on_disk = OnDisk.SAME
        self._version += 1
        self._meshes.forget()
        context = draft.document.context
        scenes = scenes_of(draft.document, with_computed=True, later=lambda mesh: self._meshes.add(mesh, context))
        # The first is the one that is drawn.
        self._scenes = sorted(scenes, key=lambda scene: not scene.links)
        self._meshes.forget_others()
        self._links = [link for scene in self._scenes for link in scene.links]
        self._findings = FindingsOf(draft)
        # Slow work starts once the page is shown.
        if self._meshes.bytes_of_files <= _MAX_CHECKED_AT_ONCE:
            self._findings.check_all()

    def check_on(self) -> bool:
        """Checks one more link, if any are unchecked; returns whether some are left.

        While a page has a request, nothing is done, so that it need not wait.
        """
        if time.monotonic() < self._busy_until:
            time.sleep(_PAUSE)
        else:
            with self._lock:
                self._findings.check_next()
        return not self._findings.are_known

    # Requests -------------------------------------------------------------------------------------------------------

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Answers one page at a time, and notes that another request may follow soon."""
        self._busy_until = math.inf
        try:
            with self._lock:
                yield
        finally:
            self._busy_until = time.monotonic() + _LULL

    @property
    def live(self) -> Live:
        return Live.WATCHED if self.is_read_only else Live.EDITED

    def page(self) -> str:
        with self._answering():
            title = f"{'Watching' if self.is_read_only else 'Editing'} {os.path.basename(self.path)}"
            scenes = self._current_scenes()
            found = self._findings
            return html_report(
                title,
                scenes,
                findings=found.listed,
                served=Served(self.live, self._version, found.are_known),
            )

    def _current_scenes(self) -> list[Scene]:
        scenes: list[Scene] = []
        left = iter(self._links)
        for scene in self._scenes:
            scenes.append(replace(scene, links=tuple(next(left) for _ in scene.links)))
        return scenes

    def status(self) -> Json:
        """The values that may have changed since the last request of a page."""
        with self._lock:
            return {
                "version": self._version,
                "onDisk": self._on_disk.value,
                "isChanged": self._draft.is_changed,
                "isChecked": self._findings.are_known,
            }

    def state(self) -> Json:
        """Everything that a page shows and that can change."""
        with self._answering():
            return self._state(range(len(self._links)))

    def mesh(self, name: str) -> bytes:
        """The triangles of a mesh on the page, as many as a page draws; see `surface_bytes`.

        Args:
            name: that the page got; a key, never a path.

        Raises:
            ConfigurationError: there is none of that name.
            SdfInertiaError: it cannot be read or drawn.
        """
        with self._answering():
            return self._meshes.content(name, self._draft.document.context)

    @property
    def unsaved(self) -> int:
        with self._lock:
            return len(self._draft.unsaved) if self._draft.is_changed else 0

    def watched_files(self) -> set[str]:
        """The files that the page depends on: the document, its included files, and its meshes."""
        with self._lock:
            context = self._draft.context
            files = {os.path.realpath(link.file) for link in self._links if link.file}
            files |= {os.path.realpath(path) for path, _ in self._draft.files}
            files |= set(map(os.path.realpath, context.files_read())) if context is not None else set()
            directory, name = os.path.split(os.path.abspath(self.path))
            files |= {os.path.realpath(self.path), os.path.join(os.path.realpath(directory), name)}
            # A file may have become a link that leads out of the confinement.
            confine = self._options.confine
            return files if confine is None else {file for file in files if is_inside(os.path.dirname(file), confine)}

    def _state(self, touched: Iterable[int]) -> Json:
        scenes = self._current_scenes()
        by_link = findings_by_link(scenes, self._findings.listed)
        shares = mass_shares(scenes)
        return {
            **self.status(),
            "canUndo": bool(self._draft.past),
            "canRedo": bool(self._draft.future),
            "changes": len(self._draft.unsaved),
            "unphysical": [f"{link}: {problem}" for link, problem in self._draft.unphysical()],
            "diff": "\n".join(diff_lines(self._draft.diff())),
            "counts": counts(self._findings.listed) if self._findings.are_known else _STILL_CHECKING,
            "summary": summary_of(scenes),
            "totals": [totals_of(scene) for scene in scenes],
            "findings": "".join(findings_list(self._findings.listed, by_link, self._links)),
            "links": {str(index): self._link(index, by_link.get(index, []), shares[index]) for index in touched},
        }

    def _link(self, index: int, findings: list[Finding], share: float | None) -> Json:
        link = self._links[index]
        row, detail = link_parts(index, link, findings, share)
        level = level_of(findings[0].code) if findings else ""
        data = {"id": index, "level": level, **link_data(link)}
        return {"row": row, "detail": detail, "data": data, "numbers": self._numbers(link)}

    def _numbers(self, link: SceneLink) -> Json | None:
        """The numbers of a link that can be changed; None for a link in another file."""
        return editable_numbers(self._draft, link) if link.is_own and not self.is_read_only else None

    # Changing -------------------------------------------------------------------------------------------------------

    def change(self, request: Mapping[str, Any]) -> Json:
        with self._answering():
            self._require_current(request)
            change = self._change_of(request)
            was_managed = self._is_managed(change.link)
            answer = self._moved_to(self._draft.changed(change, is_body=False), change.link)
            return {**answer, "unmanaged": change.link if was_managed and not self._is_managed(change.link) else ""}

    def _is_managed(self, link: str) -> bool:
        """Whether a link has a provenance comment, by which `check` knows when it is stale."""
        return bool(link) and study_named(self._draft.document, link).is_managed

    def preview(self, request: Mapping[str, Any]) -> Json:
        """The preview of a change that is not made: the link as it would be drawn, and its findings."""
        with self._answering():
            self._require_writable()
            change = self._change_of(request)
            after = self._draft.changed(change, is_body=False)
            index = self._index_of(change.link)
            link = state_anew(after.document, self._links[index])
            findings = after.findings(change.link)
            return {
                "data": link_data(link),
                "numbers": editable_numbers(after, link),
                "unphysical": next((problem for name, problem in after.unphysical() if name == change.link), ""),
                "findings": [f"{found.code}: {found.message}" for found in findings],
            }

    def policies(self, link: str) -> Json:
        with self._answering():
            link = self._name_of(link)
            return {
                "policies": [
                    {
                        "name": outcome.open_mesh,
                        "mass": outcome.inertia.mass if outcome.inertia is not None else None,
                        "problem": outcome.problem,
                    }
                    for outcome in self._draft.policy_outcomes(link)
                ]
            }

    def undo(self, request: Mapping[str, Any]) -> Json:
        with self._answering():
            self._require_current(request)
            return self._moved_to(self._draft.undone(), _touched_by(self._draft.past))

    def redo(self, request: Mapping[str, Any]) -> Json:
        with self._answering():
            self._require_current(request)
            return self._moved_to(self._draft.redone(), _touched_by(self._draft.future))

    def save(self, request: Mapping[str, Any]) -> Json:
        with self._answering():
            self._require_current(request)
            before = self._draft
            self._draft, notes = before.save(is_body=request.get("unphysical") is not True)
            links = {step.change.link for step in before.unsaved if step.change is not None and step.change.link}
            saved = {"path": self.path, "changes": len(before.unsaved), "links": sorted(links)}
            saved["diff"] = "\n".join(diff_lines(before.diff()))
            self._version += 1
            self._on_disk = OnDisk.SAME
            return {**self._state(()), "notes": notes, "saved": saved}

    def reload(self) -> Json:
        """The state of the file on disk; unsaved changes are dropped."""
        with self._answering():
            self._begin(self._opened(self.path))
            return self._state(range(len(self._links)))

    def keep(self) -> Json:
        """The state with the changes on top of the file on disk."""
        with self._answering():
            self._require_writable()
            # Meshes and included files may have changed as well.
            fresh = self._opened(self.path)
            kept = self._draft.on_top_of(fresh.original)
            self._begin(replace(kept, context=fresh.context, book=fresh.book))
            return self._state(range(len(self._links)))

    def _is_as_opened(self) -> bool:
        """Whether each file still has the content that was opened, or saved last."""
        files = dict(self._draft.files)
        return all(read_regular_file(path, confine=self._options.confine) == files[path] for path in files)

    def _moved_to(self, draft: Draft, link: str | None) -> Json:
        """The state of another draft: the changed link is studied again, or all links without one."""
        self._draft = draft
        self._version += 1
        touched = range(len(self._links)) if not link else (self._index_of(link),)
        for index in touched:
            self._links[index] = state_anew(draft.document, self._links[index])
        self._findings.follow(draft, link)
        return self._state(touched)

    def _change_of(self, request: Mapping[str, Any]) -> Change:
        """The requested change, with links by their current names."""
        change = change_of(request)
        change = change._replace(link=self._name_of(change.link))
        return change._replace(source=self._name_of(change.source)) if isinstance(change, Mirror) else change

    def _name_of(self, shown: str) -> str:
        """The scoped name of the link that a page shows by a name, in which bytes that are no text are replaced."""
        names = {each.scoped_name or each.name for each in self._links if each.is_own}
        found = [shown] if shown in names else [name for name in names if unicode_text(name) == shown]
        if len(found) > 1:
            raise ConfigurationError(f"there are {len(found)} links {shown!r}", file=self.path)
        return found[0] if found else shown

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

    # The disk -------------------------------------------------------------------------------------------------------

    def compare_with_disk(self, changed: Iterable[str] = ()) -> None:
        """Compares the file on disk with the opened one; without unsaved changes, shows the new content."""
        with self._lock:
            try:
                is_as_opened = self._is_as_opened()
            except SdfInertiaError:
                self._on_disk = OnDisk.GONE
                return
            context = set(map(os.path.realpath, changed)) - {os.path.realpath(self.path)}
            if not is_as_opened:
                self._on_disk = OnDisk.CHANGED
            elif context & self.watched_files():
                self._on_disk = OnDisk.AROUND
            else:
                if self._on_disk is not OnDisk.AROUND:
                    self._on_disk = OnDisk.SAME
                return
            if not self._draft.is_changed:
                try:
                    self.reload()
                except SdfInertiaError:
                    # A file may be half written; the page keeps the last content.
                    return


def _touched_by(steps: tuple[Any, ...]) -> str | None:
    """The link that the last of some steps changed; None where it changed more."""
    change = steps[-1].change if steps else None
    return change.link if change is not None and change.link else None
