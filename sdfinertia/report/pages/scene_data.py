"""Scenes as the data that the page of a report draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sdfinertia.documents.scene import Scene, SceneJoint, SceneLink, SceneShape, total_of
from sdfinertia.errors import InertiaError
from sdfinertia.inertia.principal_axes import PrincipalAxes
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.inertia.solids import equivalent_box, equivalent_ellipsoid
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.pages.surfaces import LARGEST, Surfaces, is_drawable


class Equivalents(NamedTuple):
    """What is drawn for an inertia.

    Attributes:
        axes: principal moments (kg·m²), and the rotation from the link frame to their axes.
        box: edges of the uniform box of the same mass and tensor, along these axes (m).
        ellipsoid: radii of such an ellipsoid (m).
    """

    axes: PrincipalAxes
    box: Vector3
    ellipsoid: Vector3


def equivalents(inertia: SpatialInertia | None) -> Equivalents | None:
    """The solids equivalent to an inertia; None where there is none, or no body can have it."""
    if inertia is None:
        return None
    axes = inertia.principal()
    try:
        box = equivalent_box(inertia.mass, axes.moments)
        return Equivalents(axes, box, equivalent_ellipsoid(inertia.mass, axes.moments))
    except InertiaError:
        return None


def scene_data(scenes: Sequence[Scene], level_of: Callable[[int], str] = lambda _: "") -> dict[str, Any]:
    """The scenes as JSON holds them; links are numbered through all scenes, and equal surfaces are there once.

    Args:
        level_of: how grave the findings of a link are, by its number: "error", "warning" or "".
    """
    surfaces = Surfaces(scenes)
    listed: list[dict[str, Any]] = []
    number = 0
    for scene in scenes:
        links = []
        for link in scene.links:
            links.append({"id": number, "level": level_of(number), **_link(link, surfaces)})
            number += 1
        listed.append(
            {
                "model": scene.model,
                "file": scene.file,
                "isWorld": scene.is_world,
                "links": links,
                "joints": [_joint(joint) for joint in scene.joints],
                "missing": [{"name": name, "reason": why} for name, why in scene.missing],
                "totals": totals_of(scene),
            }
        )
    return {"scenes": listed, "surfaces": surfaces.encoded, "isCoarser": surfaces.is_coarser}


def totals_of(scene: Scene) -> list[dict[str, Any]]:
    """Mass and centre of mass of each model of a scene, and of those nested in it, by the names they have in it."""
    within: dict[str, list[SceneLink]] = {}
    for link in scene.links:
        names = link.name.split("::")
        for depth in range(1, len(names)):
            within.setdefault("::".join(names[:depth]), []).append(link)
    found = [(name, total_of(links)) for name, links in within.items()]
    return [
        {"name": name, "mass": total.mass, "com": list(total.p_BoBcm_B)}
        for name, total in found
        if total is not None and _is_moderate((total.mass, *total.p_BoBcm_B))
    ]


def _joint(joint: SceneJoint) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": joint.name,
        "kind": joint.kind,
        "parent": joint.parent,
        "child": joint.child,
    }
    if joint.X_MJ is not None and _is_moderate(_matrix(joint.X_MJ)):
        data["pose"] = _matrix(joint.X_MJ)
        if joint.axis is not None and _is_moderate(joint.axis):
            data["axis"] = list(joint.axis)
    return data


def link_data(link: SceneLink) -> dict[str, Any]:
    """A link as JSON holds it, for a page that has its meshes already: of these only the names are told."""
    return _link(link, None)


def _link(link: SceneLink, surfaces: Surfaces | None) -> dict[str, Any]:
    X_ML = link.X_ML if _is_moderate(_matrix(link.X_ML)) else IDENTITY
    data: dict[str, Any] = {
        "name": link.name,
        "status": str(link.status),
        "pose": _matrix(X_ML),
        "shapes": [_shape(shape, surfaces) for shape in link.shapes if _is_drawable(shape)],
        "visuals": [_shape(shape, surfaces) for shape in link.visuals if _is_drawable(shape)],
        **_body(link.drawn),
    }
    if link.ghost is not None:
        data["ghost"] = _body(link.ghost)
    if link.drawn is not None:
        body = link.drawn
        data["texts"] = {"sdf": body.as_sdf(), "urdf": body.as_urdf(), "mjcf": body.as_mjcf()}
    besides = [{"label": label, **drawn} for label, other in link.besides if "box" in (drawn := _body(other))]
    if besides:
        data["besides"] = besides
    return data


def _body(inertia: SpatialInertia | None) -> dict[str, Any]:
    """What is drawn of an inertia: its centre, and its equivalent solids where a body can have it."""
    if inertia is None or not _is_moderate(inertia.p_BoBcm_B):
        return {}
    data: dict[str, Any] = {"com": list(inertia.p_BoBcm_B)}
    drawn = equivalents(inertia)
    if drawn is not None and _is_moderate(drawn.box):
        data |= {"axes": list(drawn.axes.rotation), "box": list(drawn.box), "ellipsoid": list(drawn.ellipsoid)}
    return data


def _shape(shape: SceneShape, surfaces: Surfaces | None) -> dict[str, Any]:
    data: dict[str, Any] = {"name": shape.name, "kind": shape.kind, "pose": _matrix(shape.X_LG)}
    if shape.colour is not None:
        data["colour"] = list(shape.colour)
    if shape.awaited:
        return {**data, "mesh": shape.awaited}
    if shape.triangles is not None:
        if surfaces is None:
            return data
        return {**data, "surface": surfaces.number(shape.triangles)}
    return {**data, "dimensions": list(shape.dimensions)}


def _is_drawable(shape: SceneShape) -> bool:
    if not _is_moderate(_matrix(shape.X_LG)):
        return False
    if shape.awaited:
        return True
    if shape.triangles is not None:
        return is_drawable(shape.triangles)
    return _is_moderate(shape.dimensions) and all(value > 0.0 for value in shape.dimensions)


def _is_moderate(values: Iterable[float]) -> bool:
    """Whether no number is infinite, none, or too large to be drawn."""
    return all(abs(value) < LARGEST for value in values)


def _matrix(X_AB: RigidTransform) -> list[float]:
    """The upper three rows of the 4 × 4 matrix."""
    r, t = X_AB
    return [*r[0:3], t[0], *r[3:6], t[1], *r[6:9], t[2]]
