"""Scenes as the data that the page of a report draws."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import count
from struct import pack
from typing import TYPE_CHECKING, Any

from sdfinertia.documents.scene import NOT_DRAWN, DrawnLink, Scene, SceneShape, Triangles, limit_of_each, total_of
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.report.json_records import json_of
from sdfinertia.report.quantities import equivalents_of

if TYPE_CHECKING:
    from sdfinertia.robot.robot import PlacedJoint


def data_blocks(scenes: Sequence[Scene], libraries: Sequence[str]) -> Iterator[str]:
    vendor = files("sdfinertia.report").joinpath("vendor")
    yield _block("data", scene_data(scenes))
    yield _block("licence-of-three", vendor.joinpath("LICENSE").read_text("utf-8"))
    for name in libraries:
        yield _block(name, vendor.joinpath(name).read_text("utf-8"))


def _block(name: str, value: object) -> str:
    # No `<` in it can end the element or begin a comment.
    text = json_of(value, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def scene_data(scenes: Sequence[Scene]) -> dict[str, Any]:
    """The scenes; links are numbered through all, and a surface is there once."""
    surfaces, number = Surfaces(scenes), count()
    listed = [
        {
            "model": scene.model,
            "file": scene.file,
            "isWorld": scene.is_world,
            "links": [link_data(next(number), link, surfaces) for link in scene.links],
            "joints": [_joint(joint) for joint in scene.joints],
            "missing": _missing(scene),
            "totals": totals_of(scene),
        }
        for scene in scenes
    ]
    return {"scenes": listed, "surfaces": surfaces.encoded, "isCoarser": surfaces.is_coarser}


def _missing(scene: Scene) -> list[dict[str, Any]]:
    names: dict[str, list[str]] = {}
    for name, reason in scene.missing:
        names.setdefault(reason, []).append(name)
    return [{"names": each, "reason": reason} for reason, each in names.items()]


def totals_of(scene: Scene) -> list[dict[str, Any]]:
    """Mass and centre of mass of each model of a scene, and of those nested in it, by the names they have in it."""
    within: dict[str, list[DrawnLink]] = {}
    for link in scene.links:
        names = link.name.split("::")
        for depth in range(1, len(names)):
            within.setdefault("::".join(names[:depth]), []).append(link)
    totals = {name: total for name, links in within.items() if (total := total_of(links)) is not None}
    return [
        {"name": name, "mass": total.mass, "com": list(total.p_BoBcm_B)}
        for name, total in totals.items()
        if _is_moderate((total.mass, *total.p_BoBcm_B))
    ]


def _joint(joint: PlacedJoint) -> dict[str, Any]:
    data: dict[str, Any] = {"name": joint.name, "kind": joint.kind, "parent": joint.parent, "child": joint.child}
    if joint.pose is not None and _is_moderate(_matrix(joint.pose)):
        data["pose"] = _matrix(joint.pose)
        if joint.axis is not None and _is_moderate(joint.axis):
            data["axis"] = list(joint.axis)
    return data


def link_data(number: int, link: DrawnLink, surfaces: Surfaces | None = None) -> dict[str, Any]:
    """A link as JSON holds it; without surfaces, for a page that has its meshes already."""
    body = link.drawn
    data: dict[str, Any] = {
        "id": number,
        "level": link.level,
        "name": link.name,
        "status": link.result.status.word,
        "pose": _matrix(link.X_ML if _is_moderate(_matrix(link.X_ML)) else IDENTITY),
        "undrawn": sum(NOT_DRAWN in note for note in link.result.notes),
        "shapes": list(_shapes(link.shapes, surfaces)),
        "visuals": list(_shapes(link.visuals, surfaces)),
        **_body(body),
    }
    if link.ghost is not None:
        data["ghost"] = _body(link.ghost)
    if body is not None:
        data["isComputed"] = link.result.inertia is not None
        data["texts"] = {"sdf": body.as_sdf(), "urdf": body.as_urdf(), "mjcf": body.as_mjcf()}
    if besides := list(_besides(link)):
        data["besides"] = besides
    return data


def _besides(link: DrawnLink) -> Iterator[dict[str, Any]]:
    """What is proposed, and what the geometry gives, where a finding explains the numbers."""
    why = next((finding.why for finding in link.findings if finding.why is not None), None)
    if why is None:
        return
    best = why.likeliest
    proposed = best.proposal.inertia if best is not None and best.proposal is not None else None
    for label, inertia in (("proposed", proposed), ("computed", why.computed)):
        if "box" in (drawn := _body(inertia)):
            yield {"label": label, **drawn}


def _body(inertia: SpatialInertia | None) -> dict[str, Any]:
    if inertia is None or not _is_moderate(inertia.p_BoBcm_B):
        return {}
    data: dict[str, Any] = {"com": list(inertia.p_BoBcm_B)}
    drawn = equivalents_of(inertia)
    if drawn is not None and _is_moderate(drawn.box):
        data |= {"axes": list(drawn.axes.rotation), "box": list(drawn.box), "ellipsoid": list(drawn.ellipsoid)}
    return data


def _shapes(shapes: Sequence[SceneShape], surfaces: Surfaces | None) -> Iterator[dict[str, Any]]:
    """The shapes that can be drawn."""
    for shape in shapes:
        if not _is_moderate(_matrix(shape.X_LG)):
            continue
        data: dict[str, Any] = {"name": shape.name, "kind": shape.kind, "pose": _matrix(shape.X_LG)}
        if shape.colour is not None:
            data["colour"] = list(shape.colour)
        if shape.awaited:
            yield {**data, "mesh": shape.awaited}
        elif shape.triangles is not None:
            if is_drawable(shape.triangles):
                yield {**data, "surface": surfaces.number(shape.triangles)} if surfaces is not None else data
        elif _is_moderate(shape.dimensions) and all(value > 0.0 for value in shape.dimensions):
            yield {**data, "dimensions": list(shape.dimensions)}


def _is_moderate(values: Iterable[float]) -> bool:
    return all(abs(value) < LARGEST for value in values)


def _matrix(X_AB: RigidTransform) -> list[float]:
    r, t = X_AB
    return [*r[0:3], t[0], *r[3:6], t[1], *r[6:9], t[2]]


# The page draws in 32-bit floats, whose squares must stay in their range (3.4e38) too.
LARGEST = 1e18


def is_drawable(triangles: Triangles) -> bool:
    return len(triangles.faces) > 0 and bool((abs(triangles.vertices) < LARGEST).all())


class Surfaces:
    """The surfaces of a page, each once, coarse enough for all together to stay within the limit."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        shapes = (shape for scene in scenes for link in scene.links for shape in (*link.shapes, *link.visuals))
        found = {_key(each): each for shape in shapes if (each := shape.triangles) is not None and is_drawable(each)}
        limit = limit_of_each([len(each.faces) for each in found.values()])
        coarse = [each.coarsened(limit) if len(each.faces) > limit else each for each in found.values()]
        self._numbers = {key: number for number, key in enumerate(found)}
        self.encoded = list(map(_encoded, coarse))
        self.is_coarser = any(each.is_coarser for each in coarse)

    def number(self, triangles: Triangles) -> int:
        return self._numbers[_key(triangles)]


def _encoded(triangles: Triangles) -> dict[str, str]:
    # Two bytes count to 65,535, which is more than the vertices that are left of a mesh.
    width = "<u2" if len(triangles.vertices) <= 0xFFFF else "<u4"
    return {
        "positions": _base64(triangles.vertices.astype("<f4").tobytes()),
        "indices": _base64(triangles.faces.astype(width).tobytes()),
        "width": width[-1],
    }


def surface_bytes(triangles: Triangles) -> bytes:
    """A surface in numbers of four bytes: vertices, faces, and 1 if it is coarser than its file; positions; corners."""
    head = pack("<3I", len(triangles.vertices), len(triangles.faces), triangles.is_coarser)
    return head + triangles.vertices.astype("<f4").tobytes() + triangles.faces.astype("<u4").tobytes()


def _key(triangles: Triangles) -> object:
    return triangles.vertices.tobytes(), triangles.faces.tobytes()


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
