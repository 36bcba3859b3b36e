"""The session of a page that changes a document: a draft, the page's view of it, and the files on disk."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from sdfinertia.documents.checking import check_document, unreadable
from sdfinertia.documents.scene import (
    MESH_LIMIT,
    DrawnLink,
    ScaledMesh,
    limit_of_each,
    scenes_of,
    triangles_of,
    with_findings,
)
from sdfinertia.editing.changes import NOT_JUDGED, Compute, change_of, study_named, why_no_body
from sdfinertia.editing.draft import Draft, open_draft
from sdfinertia.errors import ConfigurationError, MeshError, SdfInertiaError, WriteError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import rpy_from_rotation
from sdfinertia.links.context import Context
from sdfinertia.mesh import OPEN_MESH_POLICIES
from sdfinertia.options import Options
from sdfinertia.report.html_report import Live, Served, counts, diff_lines, findings_list, html_report, summary_of
from sdfinertia.report.link_table import link_detail, link_row
from sdfinertia.report.quantities import equivalents_of
from sdfinertia.report.scene_data import is_drawable, link_data, surface_bytes, totals_of
from sdfinertia.robot import COLLISION, LinkKey, given
from sdfinertia.robot.twins import twin_names
from sdfinertia.rules.rule import Finding
from sdfinertia.shapes import Primitive

Json = dict[str, Any]

# How long an answer waits for the findings (s).
PATIENCE = 0.2
_IDLE = "Nothing to compute: no link asks for it or is stale. Pick a link to compute it anyway."
_STILL_CHECKING = '<span class="badge">checking …</span>'


class StaleError(SdfInertiaError):
    """The request is based on a state that another page has changed since."""


class Session:
    """A document that pages show and change; with `keeps`, results of meshes are cached on disk, as commands do."""

    def __init__(self, path: str, options: Options, *, is_read_only: bool = False, keeps: bool = False) -> None:
        self.path = path
        self.live: Live = "watching" if is_read_only else "editing"
        self._options = options
        self._keeps = keeps
        # Held by who reads or changes the state; notified when findings are known.
        self._lock = threading.Condition()
        self._version = 0
        self._worker: threading.Thread | None = None
        with self._lock:
            self._open()

    def _open(self) -> None:
        draft = open_draft(self.path, self._options, context=Context(self._options, keeps=self._keeps))
        # The findings, and the content that has them.
        self._findings: Sequence[Finding] = ()
        self._checked: tuple[bytes, ...] | None = None
        self._context_of_checks = Context(self._options, keeps=self._keeps)
        self._show(draft)
        document = draft.document
        included = {link.result.file for link in self._links if link.result.file} | document.context.files_read()
        included |= set(document.expansion.files if document.expansion is not None else ())
        self._watched = sorted({*draft.paths, *included})
        self._seen = self._stamps()
        # Or "changed", or "gone".
        self._on_disk = "same"

    def _show(self, draft: Draft) -> None:
        context = draft.document.context
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
        if not (self._is_checked or (self._worker is not None and self._worker.is_alive())):
            self._worker = threading.Thread(target=self._check, daemon=True)
            self._worker.start()

    @property
    def _is_checked(self) -> bool:
        return self._checked == self._draft.files

    def _check(self) -> None:
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

    @property
    def unsaved(self) -> int:
        return len(self._draft.unsaved) if self._draft.is_changed else 0

    def page(self) -> str:
        with self._lock:
            self._lock.wait_for(lambda: self._is_checked, PATIENCE)
            title = f"{self.live.capitalize()} {os.path.basename(self.path)}"
            served = Served(self.live, self._version, self._is_checked)
            return html_report(title, self._scenes, findings=self._findings, served=served)

    def mesh(self, name: str) -> bytes:
        """The triangles of a mesh on the page, by the name that the page got: a key, never a path."""
        with self._lock:
            if name not in self._meshes:
                raise ConfigurationError("there is no mesh of this name")
            return mesh_content(self._meshes[name], self._draft.document.context, len(self._meshes))

    def status(self) -> Json:
        with self._lock:
            self._compare_with_disk()
            return self._status()

    def _status(self) -> Json:
        return {
            "version": self._version,
            "onDisk": self._on_disk,
            "isChanged": self._draft.is_changed,
            "isChecked": self._is_checked,
        }

    def state(self) -> Json:
        with self._lock:
            self._lock.wait_for(lambda: self._is_checked, PATIENCE)
            scenes = with_findings(self._scenes, self._findings)
            links = [each for scene in scenes for each in zip(scene.links, scene.shares(), strict=True)]
            return {
                **self._status(),
                "canUndo": bool(self._draft.past),
                "canRedo": bool(self._draft.future),
                "changes": len(self._draft.unsaved),
                "unphysical": [f"{link}: {problem}" for link, problem in self._draft.unphysical()],
                "diff": "\n".join(diff_lines(self._draft.diff())),
                "counts": counts(self._findings) if self._is_checked else _STILL_CHECKING,
                "summary": summary_of(self._scenes),
                "totals": [totals_of(scene) for scene in self._scenes],
                "findings": "".join(findings_list(self._findings, self._links)),
                "links": {str(index): self._link(index, *each) for index, each in enumerate(links)},
            }

    def _link(self, index: int, link: DrawnLink, share: float | None) -> Json:
        # None for a link in another file.
        is_editable = link.is_own and self.live == "editing"
        return {
            "row": link_row(index, link, share),
            "detail": link_detail(index, link),
            "data": link_data(index, link),
            "numbers": editable_numbers(self._draft, link.key) if is_editable else None,
        }

    def change(self, request: Mapping[str, Any]) -> Json:
        with self._lock:
            self._require_current(request)
            change = change_of(request)
            was_managed = self._is_managed(change.link)
            after = self._draft.changed(change, is_body=False)
            is_idle = after is self._draft and isinstance(change, Compute) and not change.link
            self._show(after)
            is_unmanaged = was_managed and not self._is_managed(change.link)
            notes = [_IDLE] if is_idle else []
            return {**self.state(), "unmanaged": change.link if is_unmanaged else "", "notes": notes}

    def _is_managed(self, link: str) -> bool:
        return bool(link) and study_named(self._draft.document, link).filled is not None

    def preview(self, request: Mapping[str, Any]) -> Json:
        with self._lock:
            self._require_current(request)
            change = change_of(request)
            after = self._draft.changed(change, is_body=False)
            return {
                "numbers": editable_numbers(after, study_named(after.document, change.link).link.key),
                "unphysical": next((problem for name, problem in after.unphysical() if name == change.link), ""),
                "findings": [f"{found.code}: {found.message}" for found in after.findings(change.link)],
            }

    def undo(self, request: Mapping[str, Any]) -> Json:
        with self._lock:
            self._require_current(request)
            self._show(self._draft.undone())
            return self.state()

    def redo(self, request: Mapping[str, Any]) -> Json:
        with self._lock:
            self._require_current(request)
            self._show(self._draft.redone())
            return self.state()

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
            return {**self.state(), "notes": notes, "saved": saved}

    def reload(self, _: object = None) -> Json:
        with self._lock:
            self._open()
            return self.state()

    def _require_current(self, request: Mapping[str, Any]) -> None:
        if self.live == "watching":
            raise WriteError("is made by xacro, and only shown", remedy="change its macros", file=self.path)
        if request.get("version") != self._version:
            raise StaleError("another page has changed the document", remedy="check it as it is now, and try again")

    def _compare_with_disk(self) -> None:
        now = self._stamps()
        if now == self._seen:
            return
        self._seen = now
        self._on_disk = "changed" if os.path.exists(self.path) else "gone"
        if not self._draft.is_changed:
            # A file may be half written: the page keeps the last content until it changes again.
            with suppress(SdfInertiaError):
                self._open()

    def _stamps(self) -> list[tuple[int, ...] | None]:
        return [_stamp(path) for path in self._watched]


def _stamp(path: str) -> tuple[int, ...] | None:
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def editable_numbers(draft: Draft, key: LinkKey) -> dict[str, Any]:
    """The numbers of a link that a page lets its user change, in SI units; unknown ones are left out."""
    name = key.label
    numbers: dict[str, Any] = {"name": name, "shapes": [], "policies": OPEN_MESH_POLICIES}
    if twin := _twin(draft, key):
        numbers["twin"] = twin
    try:
        study = study_named(draft.document, name)
        for solid in study.link.solids(COLLISION):
            shape = solid.shape()
            if isinstance(shape, Primitive):
                numbers["shapes"].append({"name": solid.name, "kind": shape.kind, "dimensions": list(shape.dimensions)})
        body = draft.inertia(name)
    except SdfInertiaError as error:
        return {**numbers, "problem": error.problem}
    if not body.can_be_judged:
        return {**numbers, "problem": NOT_JUDGED}
    numbers |= _numbers_of(body)
    with suppress(SdfInertiaError):
        if study.has_solids and (volume := given(study.computed).volume):
            numbers["density"] = body.mass / volume
    return numbers


def _numbers_of(body: SpatialInertia) -> dict[str, Any]:
    axes = body.principal()
    numbers: dict[str, Any] = {
        "mass": body.mass,
        "centre": list(body.p_BoBcm_B),
        "tensor": list(body.I_BBcm_B),
        "moments": list(axes.moments),
        "rpy": list(rpy_from_rotation(axes.rotation)),
        "rotation": list(axes.rotation),
    }
    drawn = equivalents_of(body)
    if drawn is not None:
        numbers |= {"box": list(drawn.box), "ellipsoid": list(drawn.ellipsoid)}
    problem = why_no_body(body)
    if problem:
        numbers["unphysical"] = problem
        if body.mass > 0.0:
            # Flat along axes where the square of a size is none.
            x, y, z = axes.moments
            squares = [max((b + c - a) / (2.0 * body.mass), 0.0) for a, b, c in ((x, y, z), (y, x, z), (z, x, y))]
            box, ellipsoid = ([math.sqrt(factor * square) for square in squares] for factor in (12.0, 5.0))
            numbers["outline"] = {"box": box, "ellipsoid": ellipsoid}
    return numbers


def _twin(draft: Draft, key: LinkKey) -> dict[str, str]:
    outer, colons, own = key.name.rpartition("::")
    for twin in twin_names(own):
        name = outer + colons + twin.name
        if name in draft.document.links_by_label and twin.is_across != twin.is_along:
            return {"name": name, "axis": "y" if twin.is_across else "x"}
    return {}


def mesh_name(mesh: ScaledMesh, context: Context) -> str:
    """The name of a mesh in requests of a page: a digest of all that its triangles depend on."""
    path = mesh.source.path
    what = (context.meshes.digest(path), os.path.splitext(path)[1].lower(), *mesh.source[1:], mesh.scale)
    return sha256(repr(what).encode()).hexdigest()


def mesh_content(mesh: ScaledMesh, context: Context, meshes: int) -> bytes:
    """The triangles of one of some meshes, as many as a page draws; see `surface_bytes`."""
    triangles = triangles_of(mesh, context, limit_of_each([MESH_LIMIT] * meshes))
    context.forget_contents()
    if not is_drawable(triangles):
        raise MeshError("its triangles are too large to draw, or have no size", file=mesh.source.path)
    return surface_bytes(triangles)
