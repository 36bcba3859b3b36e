"""What the links of an SDF document weigh, evaluated from its text as the specification says it, the plain way.

Written for the tests alone: `xml.etree` and numpy, homogeneous matrices, and no code of the package.
"""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
from builders.rigid_bodies import (
    Body,
    box,
    capsule,
    cone,
    cylinder,
    ellipsoid,
    obj_triangles,
    placed,
    prism,
    quaternion_pose,
    sphere,
    total,
    triangles_body,
    weighing,
)
from builders.rigid_bodies import pose as pose_matrix

Matrix = npt.NDArray[np.float64]
Element = ElementTree.Element


def evaluate(text: str) -> dict[str, Body]:
    """By scoped name, every link whose `<inertial>` has `auto` true."""
    root = ElementTree.fromstring(text)
    found: dict[str, Body] = {}
    for model in [*root.findall("model"), *root.findall("world/model")]:
        _collect(model, model.get("name", ""), found)
    return found


def written(text: str) -> dict[str, Body]:
    """By scoped name, what stands in the explicit `<inertial>` of every link that has a mass there."""
    root = ElementTree.fromstring(text)
    found: dict[str, Body] = {}
    pending = [(model, model.get("name", "")) for model in [*root.findall("model"), *root.findall("world/model")]]
    while pending:
        model, scope = pending.pop()
        pending += [(nested, f"{scope}::{nested.get('name')}") for nested in model.findall("model")]
        for link in model.findall("link"):
            if link.find("inertial/inertia/ixx") is None:
                continue
            i = {key: float(link.findtext(f"inertial/inertia/{key}", "nan")) for key in _ENTRIES}
            tensor = np.array([[i[_key(row, column)] for column in "xyz"] for row in "xyz"])
            pose = _floats(link.findtext("inertial/pose", ""))
            assert pose[3:] == [0, 0, 0]
            mass = float(link.findtext("inertial/mass", "nan"))
            found[f"{scope}::{link.get('name')}"] = Body(mass, np.array(pose[:3]), tensor)
    return found


def difference(one: Body, other: Body) -> float:
    """The largest difference: of masses, of centres in terms of the body's length, of tensors in terms of a moment."""
    moment = float(np.abs(one.tensor).max())
    length = max(math.sqrt(moment / one.mass), float(np.linalg.norm(one.com)))
    return max(
        abs(one.mass - other.mass) / one.mass,
        float(np.abs(one.com - other.com).max()) / length,
        float(np.abs(one.tensor - other.tensor).max()) / moment,
    )


_ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def _key(row: str, column: str) -> str:
    return "i" + "".join(sorted(row + column))


def _floats(text: str | None) -> list[float]:
    return [float(word) for word in (text or "").split()]


# Frames ---------------------------------------------------------------------------------------------------------------


def _own_pose(pose: Element | None) -> Matrix:
    numbers = _floats(pose.text) if pose is not None else []
    if pose is None or not numbers:
        return np.eye(4)
    if pose.get("rotation_format") == "quat_xyzw":
        return quaternion_pose(numbers[:3], numbers[3:])
    angles = np.radians(numbers[3:]) if pose.get("degrees") in ("true", "1") else numbers[3:]
    return pose_matrix(*numbers[:3], *angles)


def _pose_in(model: Element, pose: Element | None, default: str) -> Matrix:
    """A `<pose>` in the `__model__` of the model it stands in."""
    reference = pose.get("relative_to", "").strip() if pose is not None else ""
    return _frame(model, reference or default) @ _own_pose(pose)


def _frame(model: Element, name: str) -> Matrix:
    """A frame of a model, in the model's `__model__`."""
    if name == "__model__":
        return np.eye(4)
    first, _, rest = name.partition("::")
    if rest:
        inner, X = _nested(model, first)
        return X @ _frame(inner, rest)
    for kind in ("link", "frame", "joint"):
        for element in model.findall(kind):
            if element.get("name") == name:
                default = {
                    "link": "__model__",
                    "frame": element.get("attached_to") or "__model__",
                    "joint": element.findtext("child", ""),
                }[kind]
                return _pose_in(model, element.find("pose"), default)
    return _nested(model, name)[1]


def _nested(model: Element, name: str) -> tuple[Element, Matrix]:
    """A nested or included model, and its pose in `__model__`."""
    for inner in model.findall("model"):
        if inner.get("name") == name:
            return inner, _placed(model, inner, inner.find("pose"), inner.get("placement_frame"))
    for include in model.findall("include"):
        if include.findtext("name") == name:
            path = Path(include.findtext("uri", "").removeprefix("file://"))
            inner = ElementTree.fromstring(path.read_text(encoding="utf-8")).find("model")
            pose = include.find("pose") if include.find("pose") is not None else inner.find("pose")
            return inner, _placed(model, inner, pose, include.findtext("placement_frame"))
    raise LookupError(name)


def _placed(model: Element, inner: Element, pose: Element | None, placement_frame: str | None) -> Matrix:
    X = _pose_in(model, pose, "__model__")
    return X @ np.linalg.inv(_frame(inner, placement_frame)) if placement_frame else X


# Solids ---------------------------------------------------------------------------------------------------------------


def _mesh(mesh: Element) -> Body:
    triangles = obj_triangles(Path(mesh.findtext("uri", "").strip().removeprefix("file://")))
    return triangles_body(triangles * (_floats(mesh.findtext("scale")) or [1, 1, 1]), 1.0)


def _polyline(shape: Element) -> Body:
    outline = [_floats(point.text) for point in shape.findall("point")]
    return prism(outline, [], float(shape.findtext("height", "nan")), 1.0)


def unit_density(geometry: Element) -> Body:
    """The one shape in a `<geometry>`, at 1 kg/m³."""
    (shape,) = list(geometry)
    if shape.tag == "mesh":
        return _mesh(shape)
    if shape.tag == "polyline":
        return _polyline(shape)
    if shape.tag == "box":
        return box(*_floats(shape.findtext("size")), 1.0)
    if shape.tag == "ellipsoid":
        return ellipsoid(*_floats(shape.findtext("radii")), 1.0)
    r, h = float(shape.findtext("radius", "nan")), float(shape.findtext("length", "0"))
    if shape.tag == "sphere":
        return sphere(r, 1.0)
    return {"cylinder": cylinder, "cone": cone, "capsule": capsule}[shape.tag](r, h, 1.0)


# Links ----------------------------------------------------------------------------------------------------------------


def _collect(model: Element, scope: str, found: dict[str, Body]) -> None:
    for link in model.findall("link"):
        inertial = link.find("inertial")
        if inertial is not None and inertial.get("auto", "").strip().lower() in ("true", "1"):
            found[f"{scope}::{link.get('name')}"] = _link(model, link, inertial)
    for inner in model.findall("model"):
        _collect(inner, f"{scope}::{inner.get('name')}", found)


def _density(of: Element, otherwise: float) -> float:
    element = of.find("density")
    if element is None:
        return otherwise
    return float(element.text) if (element.text or "").strip() else 1000.0


def _link(model: Element, link: Element, inertial: Element) -> Body:
    bodies = []
    for collision in link.findall("collision"):
        density = _density(collision, _density(inertial, 1000.0))
        if density == 0:
            continue
        pose, geometry = collision.find("pose"), collision.find("geometry")
        assert geometry is not None
        X_LG = _own_pose(pose)
        if pose is not None and pose.get("relative_to"):
            X_LG = (
                np.linalg.inv(_frame(model, str(link.get("name")))) @ _frame(model, pose.get("relative_to", "")) @ X_LG
            )
        body = unit_density(geometry)
        bodies.append(placed(weighing(density * body.mass, body), X_LG))
    mass = inertial.findtext("mass")
    return total(*bodies) if mass is None else weighing(float(mass), total(*bodies))
