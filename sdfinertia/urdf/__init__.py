"""URDF: robots read from their text as urdfdom reads them, and inertials written into it.

Here: the reader of URDF; only children of `<robot>` count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator
from functools import cached_property
from math import fsum

from sdfinertia.errors import SdfInertiaError, TextError, shorten
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.markup import Document, Element, grouped, neighbours, walked
from sdfinertia.robot import (
    COLLISION,
    VISUAL,
    Colour,
    Inertial,
    Link,
    LinkContext,
    Lump,
    Solid,
    SolidKind,
    attempt,
    given,
    known,
)
from sdfinertia.robot.inertial import InertiaParameters
from sdfinertia.robot.names import XACRO_MARKS, xacro_in_urdf
from sdfinertia.robot.numbers import unit_vector
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Problem
from sdfinertia.robot.robot import WORLD, Joint, JointedRobot, PlacedJoint
from sdfinertia.urdf import edits, values
from sdfinertia.urdf.values import read_own_density, read_request

NEWEST_VERSION = (1, 2)
_ENDS = ("parent", "child")
# The settings in <gazebo> that keep a fixed joint.
_KEEPING = ("disableFixedJointLumping", "preserveFixedJoint")
# urdfdom 4: capsules and quaternions count from here.
_CAPSULES_SINCE = (1, 1)
_VERSION = r"([0-9]{1,9})(?:\.([0-9]{1,9}))?"


class Robot(JointedRobot):
    format = edits

    def __init__(self, document: Document) -> None:
        self.document = document
        root = next((root for root in document.roots if root.name == "robot"), None)
        if root is None:
            raise TextError("there is no <robot> root element", location=document.location(0))
        xacro = xacro_in_urdf(document) if any(mark in document.data for mark in XACRO_MARKS) else None
        if xacro is not None:
            problem, remedy = f"holds xacro: <{shorten(xacro.name)}>", "rename it to .urdf.xacro, or --exclude it"
            raise xacro.error(problem, remedy, kind=TextError)
        self.element = root
        self.notes = []
        robots = sum(each.name == "robot" for each in document.roots)
        if robots > 1:
            self.notes.append(f"has {robots} <robot> root elements; the first is read")
        self.name = self.scoped_name = root.attribute("name") or ""
        # Whether urdfdom knows `quat_xyzw` in it, and capsules.
        self.has_quaternions = self._read_version() >= _CAPSULES_SINCE

    def _read_version(self) -> tuple[int, int]:
        text = self.element.attribute("version")
        if text is None:
            return 1, 0
        match = re.fullmatch(_VERSION, text)
        if match is None:
            raise self.element.error(f"{shorten(text)!r} is not a version of URDF", "use 1.0")
        version = int(match[1]), int(match[2] or 0)
        if version > NEWEST_VERSION:
            self.notes.append(f"URDF {text} is newer than 1.2; read as 1.2")
            return NEWEST_VERSION
        return version

    @cached_property
    def _links(self) -> list[Link]:
        links = [self._link(child) for child in self.element.children if child.name == "link"]
        counts = Counter(link.name for link in links)
        for link in links:
            if not link.name:
                link.naming = Problem("the link has no name", "give it one")
            elif counts[link.name] > 1:
                problem = f"two links of robot {self.name!r} are named {link.name!r}"
                link.naming = Problem(problem, "give each its own name")
            # The link `world`, or one that is fixed to it.
            link.static = link.name in self.fixed_to_world
        return links

    def _link(self, element: Element) -> Link:
        link = Link(self, element, element.attribute("name") or "")
        block = element.child("inertial")
        link.inertial = self.read_inertial(block) if block is not None else None
        link.request = read_request(link)
        link.collisions, link.visuals = self._solids(link, COLLISION), self._solids(link, VISUAL)
        return link

    def read_inertial(self, element: Element) -> Inertial:
        origin, mass, tensor = element.child("origin"), element.child("mass"), element.child("inertia")
        placing = attempt(self.read_pose, origin)
        numbers = attempt(values.read_mass, element), attempt(values.read_tensor, element)
        text = mass.attribute("value") if mass is not None else None
        return Inertial(element, placing, *numbers, text, origin, mass, tensor, element.comments)

    def _solids(self, link: Link, kind: SolidKind) -> list[Solid]:
        """They may share a name or have none: its number among its kind is one."""
        return [self._solid(link, *each) for each in enumerate(link.element.children_named(kind.value), 1)]

    def _solid(self, link: Link, number: int, element: Element) -> Solid:
        name, origin = element.attribute("name") or f"#{number}", element.child("origin")
        shape = attempt(values.shape_element, element)
        return Solid(
            link,
            element,
            name,
            shape if isinstance(shape, SdfInertiaError) else attempt(values.read_shape, shape),
            attempt(self.read_pose, origin),
            attempt(self._parameters, link, shape, origin),
            attempt(read_own_density, element),
            colour=self._colour(element),
            size=known(shape),
        )

    def _parameters(self, link: Link, shape: Element | SdfInertiaError, origin: Element | None) -> InertiaParameters:
        notes = tuple(values.solid_notes(given(shape), origin, has_quaternions=self.has_quaternions))
        parameters = given(link.request.parameters)
        return parameters._replace(notes=notes) if notes else parameters

    def read_pose(self, origin: Element | None) -> Pose:
        return values.read_origin(origin, has_quaternions=self.has_quaternions)

    def _colour(self, solid: Element) -> Colour | None:
        material = solid.child("material")
        if material is None:
            return None
        return values.read_colour(material) or self._colours.get(material.attribute("name") or "")

    @cached_property
    def _colours(self) -> dict[str, Colour]:
        materials = self.element.children_named("material")[::-1]
        colours = ((each.attribute("name") or "", values.read_colour(each)) for each in materials)
        return {name: colour for name, colour in colours if colour is not None}

    # Joints: fixed ones merge links as sdformat's `ReduceFixedJoints` does.

    def end_of(self, link: Link) -> str:
        return link.name

    @cached_property
    def linked(self) -> dict[Hashable, Link]:
        return {name: links[0] for name, links in grouped((link.name, link) for link in self.links()).items()}

    @cached_property
    def joints(self) -> list[Joint]:
        return [self._joint(element) for element in self.element.children_named("joint")]

    def _joint(self, element: Element) -> Joint:
        name, kind = (element.attribute(each) or "" for each in ("name", "type"))
        parent, child = (_end(element.child(each)) for each in _ENDS)
        return Joint(element, name, kind, parent, child)

    def shown(self, joint: Joint) -> tuple[PlacedJoint, Vector3]:
        ends = str(joint.parent), str(joint.child)
        return PlacedJoint(f"{self.name}::{joint.name}", joint.kind, *ends, None, _axis(joint)), (0.0, 0.0, 0.0)

    @cached_property
    def fixed_to_world(self) -> frozenset[Hashable]:
        """The link `world` and all that is fixed to it."""
        return frozenset(self.fixed_below(WORLD))

    def fixed_below(self, name: Hashable) -> Iterator[Hashable]:
        def fixed(parent: Hashable) -> Iterator[Hashable]:
            return (joint.child for joint in self.by_parent.get(parent, ()) if joint.is_fixed)

        return walked([name], fixed)

    def lump(self, link: Link) -> Lump:
        """What fixed joints merge with a link, in Gazebo and MuJoCo."""
        return self._lumps.get(link.place, Lump())

    @cached_property
    def _lumps(self) -> dict[Hashable, Lump]:
        found: dict[Hashable, Lump] = {}
        beside = neighbours((joint.parent, joint.child) for joint in self.joints if self.merges(joint))
        for start, link in self.linked.items():
            if link.place not in found:
                links = [self.linked[name] for name in walked([start], beside) if name in self.linked]
                total = fsum(each.positive_mass or 0.0 for each in links)
                is_asked = any(each.request.stays for each in links)
                lump = Lump(total, is_asked or total > 0.0, is_asked or any(map(_is_body, links)))
                for each in links:
                    found[each.place] = lump._replace(mass_of_others=total - (each.positive_mass or 0.0))
        return found

    def massless_joints(self, link: Link) -> Iterator[Problem]:
        """The joints that move a link where nothing of it has a mass, or is to be given one."""
        moving = [joint for joint in self.by_child.get(link.name, ()) if not joint.is_fixed]
        if not moving:
            return
        moved = (self.linked.get(name) for name in self.fixed_below(link.name))
        if any(other is not None and (other.request.stays or _has_mass(other)) for other in moved):
            return
        for joint in moving:
            problem = f"joint {joint.name!r} moves it without any mass: Gazebo drops it, and MuJoCo refuses the file"
            yield Problem(problem, "give it an <inertial>, or make the joint fixed", joint.element.location())

    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]:
        for joint in self.joints:
            what = f"joint {joint.name!r}"
            for end, name in zip(_ENDS, (joint.parent, joint.child), strict=True):
                element = joint.element.child(end)
                location = (element or joint.element).location()
                if element is None or element.attribute("link") is None:
                    yield Problem(f"{what} has no <{end} link=...>", "name a link", location)
                elif name not in self.linked and not (end == "parent" and name == WORLD):
                    problem = f"<{end}> of {what} names {name!r}, and no link has that name"
                    yield Problem(problem, "name a link", location)
            if joint.parent == joint.child and joint.child:
                problem = f"{what} connects {joint.child!r} with itself"
                yield Problem(problem, "name two links", joint.element.location())

    def origin(self, joint: Joint) -> RigidTransform:
        return self.read_pose(joint.element.child("origin")).transform()

    @cached_property
    def kept(self) -> frozenset[str]:
        found: set[str] = set()
        for gazebo in self.element.children_named("gazebo"):
            for name in _KEEPING:
                said = gazebo.child(name)
                if said is not None and said.text().lower() in ("true", "1"):
                    found.add(gazebo.attribute("reference") or "")
        return frozenset(found)


def _axis(joint: Joint) -> Vector3 | None:
    if joint.kind in ("fixed", "floating"):
        return None
    element = joint.element.child("axis")
    return unit_vector(element.attribute("xyz") or "1 0 0") if element is not None else (1.0, 0.0, 0.0)


def _end(element: Element | None) -> str:
    return (element.attribute("link") or "") if element is not None else ""


def _is_body(link: Link) -> bool:
    written = known(attempt(link.written_inertia))
    return written is not None and written.inertia.mass > 0.0 and any(written.tensor)


def _has_mass(link: Link) -> bool:
    """Whether a link has a mass, or lacks an inertial that it should have, which other rules report."""
    if link.inertial is None:
        return link.has_solids(COLLISION)
    return link.mass is None or link.mass > 0.0
