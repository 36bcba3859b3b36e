"""URDF: robots read from their text as urdfdom reads them, and inertials written into it.

Here: the reader of URDF; only children of `<robot>` count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from sdfinertia.errors import SdfInertiaError, TextError, shorten
from sdfinertia.markup import Document, Element
from sdfinertia.robot import COLLISION, VISUAL, Colour, Inertial, Link, Solid, SolidKind, attempt, given, known
from sdfinertia.robot.inertial import InertiaParameters
from sdfinertia.robot.names import is_xacro
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Problem
from sdfinertia.urdf import edits, values
from sdfinertia.urdf.joints import JointedRobot
from sdfinertia.urdf.values import XACRO_REMEDY, read_own_density, read_request, refuse_xacro

NEWEST_VERSION = (1, 2)
# urdfdom 4: capsules and quaternions count from here.
_CAPSULES_SINCE = (1, 1)
_VERSION = r"([0-9]{1,9})(?:\.([0-9]{1,9}))?"


class Robot(JointedRobot):
    """The `<robot>` of a document.

    Attributes:
        has_quaternions: whether urdfdom knows `quat_xyzw` in it, and capsules.
    """

    format = edits

    def __init__(self, document: Document) -> None:
        self.document = document
        root = next((root for root in document.roots if root.name == "robot"), None)
        if root is None:
            raise TextError("there is no <robot> root element", location=document.location(0))
        values.refuse_xacro_elements(document)
        self.element = root
        self.notes = []
        robots = sum(each.name == "robot" for each in document.roots)
        if robots > 1:
            self.notes.append(f"has {robots} <robot> root elements; the first is read")
        self.name = self.scoped_name = root.attribute("name") or ""
        refuse_xacro(self.name, "the name of <robot>", root.location())
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
            link.naming = self._naming(link.name, counts)
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
        notes = (
            *values.shape_notes(given(shape), has_capsules=self.has_quaternions),
            *values.origin_notes(origin, has_quaternions=self.has_quaternions),
        )
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
        found: dict[str, Colour] = {}
        for material in self.element.children_named("material"):
            colour = values.read_colour(material)
            if colour is not None:
                found.setdefault(material.attribute("name") or "", colour)
        return found

    def _naming(self, name: str, counts: Mapping[str, int]) -> Problem | None:
        if not name:
            return Problem("the link has no name", "give it one")
        if is_xacro(name):
            return Problem(f"the name of <link> holds xacro: {name!r}", XACRO_REMEDY)
        if counts[name] > 1:
            return Problem(f"two links of robot {self.name!r} are named {name!r}", "give each its own name")
        return None
