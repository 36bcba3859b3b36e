"""What the links of a URDF document weigh, evaluated from its text as urdfdom reads it, the plain way.

Written for the tests alone: `xml.etree`, numpy and homogeneous matrices, and no code of the package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
from builders.rigid_bodies import Body, placed, pose, quaternion_pose, total, weighing
from straightforward import Element, Matrix, unit_density

if TYPE_CHECKING:
    from collections.abc import Iterator


def evaluate(text: str) -> dict[str, Body]:
    """By name, every link in which a comment asks for its inertia."""
    robot = _parse(text)
    has_quaternions = float(robot.get("version", "1.0")) >= 1.1
    found: dict[str, Body] = {}
    for link in robot.findall("link"):
        requests = [comment for comment in _comments(link) if comment.startswith("auto")]
        if requests:
            found[link.get("name", "")] = _link(link, _density(requests[0]) or 1000.0, has_quaternions)
    return found


def written(text: str) -> dict[str, Body]:
    """By name, what stands in the `<inertial>` of every link that has a tensor there."""
    found: dict[str, Body] = {}
    for link in _parse(text).findall("link"):
        mass, tensor = link.find("inertial/mass"), link.find("inertial/inertia")
        if mass is None or tensor is None:
            continue
        origin = link.find("inertial/origin")
        assert not any(_floats(origin, "rpy"))
        i = {key: float(tensor.attrib[key]) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
        matrix = np.array([[i["i" + "".join(sorted(row + column))] for column in "xyz"] for row in "xyz"])
        found[link.get("name", "")] = Body(float(mass.attrib["value"]), np.array(_floats(origin, "xyz")), matrix)
    return found


def _parse(text: str) -> Element:
    return ElementTree.fromstring(text, ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True)))


def _comments(element: Element) -> Iterator[str]:
    for child in element:
        match = re.match(r"\s*sdfinertia:\s*(.*)", child.text or "", re.S) if child.tag is ElementTree.Comment else None
        if match is not None:
            yield match[1]


def _density(comment: str) -> float | None:
    match = re.search(r"density=(\S+)", comment)
    return float(match[1]) if match is not None else None


def _floats(element: Element | None, name: str) -> list[float]:
    text = element.get(name) if element is not None else None
    return [float(word) for word in text.split()] if text is not None else [0.0, 0.0, 0.0]


def _placement(origin: Element | None, has_quaternions: bool) -> Matrix:
    if origin is None or not has_quaternions or origin.get("quat_xyzw") is None:
        return pose(*_floats(origin, "xyz"), *_floats(origin, "rpy"))
    return quaternion_pose(_floats(origin, "xyz"), _floats(origin, "quat_xyzw"))


def _geometry(owner: Element) -> Element:
    """The geometry with its attributes as the elements that SDF has for them."""
    ((shape,),) = owner.findall("geometry")
    geometry = ElementTree.Element("geometry")
    inner = ElementTree.SubElement(geometry, shape.tag)
    for name, value in shape.attrib.items():
        ElementTree.SubElement(inner, {"filename": "uri"}.get(name, name)).text = value
    return geometry


def _link(link: Element, density: float, has_quaternions: bool) -> Body:
    bodies = []
    for collision in link.findall("collision"):
        own = [value for comment in _comments(collision) if (value := _density(comment)) is not None]
        weight = own[0] if own else density
        if weight == 0:
            continue
        body = unit_density(_geometry(collision))
        X = _placement(collision.find("origin"), has_quaternions)
        bodies.append(placed(weighing(weight * body.mass, body), X))
    mass = link.find("inertial/mass")
    return total(*bodies) if mass is None else weighing(float(mass.attrib["value"]), total(*bodies))
