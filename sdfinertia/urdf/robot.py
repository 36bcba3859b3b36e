"""A URDF document, its links and solids; only children of `<robot>` count."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from sdfinertia.errors import Location, SdfInertiaError, TextError, ValueTextError
from sdfinertia.robot import link as base
from sdfinertia.robot.link import LinkContext, ParentJoint, Weighing
from sdfinertia.robot.marks import is_xacro
from sdfinertia.robot.numbers import renewed, shorten
from sdfinertia.robot.poses import Placement, Pose, PosePath, PoseStep
from sdfinertia.robot.problems import Phrases, Problem
from sdfinertia.robot.robot import Assembly, PlacedLink, RobotOfOneModel
from sdfinertia.shapes import PRIMITIVES, Shape
from sdfinertia.urdf.edits import attribute_edits, fill_edits, mass_edits
from sdfinertia.urdf.joints import JointTable
from sdfinertia.urdf.requests import (
    XACRO_REMEDY,
    AskingLink,
    read_own_density,
    refuse_xacro,
    request_location,
)
from sdfinertia.urdf.values import (
    malformations,
    near_misses,
    numbers_in,
    origin_notes,
    read_colour,
    read_number,
    read_origin,
    read_shape,
    refuse_xacro_elements,
    shape_element,
    shape_notes,
    unknown_moments,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sdfinertia.inertia.rigid_transform import RigidTransform
    from sdfinertia.markup.document import Document, Edit, Element
    from sdfinertia.robot.inertial import NewInertial
    from sdfinertia.robot.link import Colour, Group, SolidKind

NEWEST_VERSION = (1, 2)
# urdfdom 4: capsules and quaternions count from here.
_CAPSULES_SINCE = (1, 1)
_VERSION = r"([0-9]{1,9})(?:\.([0-9]{1,9}))?"

# Requests are comments, since URDF has no elements for them; see `urdf.requests`.
PHRASES = Phrases(
    density="the comment <!-- sdfinertia: density=... --> to the collision",
    no_request="remove the comment that asks for its inertial",
    inertial_pose="origin",
    scale='scale="{0} {0} {0}"',
    parameter="<!-- sdfinertia: auto {0}=... --> in its link",
    parameter_value="<!-- sdfinertia: auto {0}={1} --> in its link",
    thickness="<!-- sdfinertia: auto thickness=... --> in its link",
    # Each was tried; see the page of SDI104.
    without_inertial="Gazebo drops it and its children; Drake: 0 kg; MuJoCo: 1000 kg/m³; Bullet: 1 kg",
    # urdfdom, `parseInertial`.
    without_tensor="urdfdom refuses the file, and others take zeros",
    mass="value of <mass>",
    mass_remedy="write that of the part, or take <mass> out to have it computed from a density",
)


class Robot(RobotOfOneModel):
    """The `<robot>` of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        root = next((root for root in document.roots if root.name == "robot"), None)
        if root is None:
            raise TextError("there is no <robot> root element", location=document.location(0))
        refuse_xacro_elements(document)
        self.element = root
        self.notes = []
        robots = sum(each.name == "robot" for each in document.roots)
        if robots > 1:
            self.notes.append(f"has {robots} <robot> root elements; the first is read")
        self.name = self.scoped_name = root.attribute("name") or ""
        refuse_xacro(self.name, "the name of <robot>", root.location())
        # Whether urdfdom knows `quat_xyzw` in it, and capsules.
        self.has_quaternions = self._read_version() >= _CAPSULES_SINCE

    def _read_version(self) -> tuple[int, int]:
        text = self.element.attribute("version")
        if text is None:
            return 1, 0
        match = re.fullmatch(_VERSION, text)
        if match is None:
            raise ValueTextError(
                f"{shorten(text)!r} is not a version of URDF", location=self.element.location(), remedy="use 1.0"
            )
        version = int(match[1]), int(match[2] or 0)
        if version > NEWEST_VERSION:
            self.notes.append(f"URDF {text} is newer than 1.2; read as 1.2")
            return NEWEST_VERSION
        return version

    def lumps(self) -> Iterator[Group]:
        """As sdformat, which Gazebo reads URDF with, lumps them."""
        return iter(self.joints.groups)

    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        """The joints are at zero."""
        yield Assembly(self.name, self.path, False, self._placed_links(), self.joints.placed(self.name), [])

    def _placed_links(self) -> Iterator[PlacedLink]:

        for link in self.all_links():
            pose: RigidTransform | SdfInertiaError
            try:
                pose = self.joints.pose_of(link.name)
            except SdfInertiaError as error:
                pose = error
            yield PlacedLink(link, link.scoped_name, True, pose)

    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]:
        return self.joints.unresolved_ends()

    @cached_property
    def joints(self) -> JointTable:

        links: dict[str, base.Link] = {}
        for link in self.all_links():
            links.setdefault(link.name, link)
        return JointTable(self.element, links, self.read_pose)

    def read_pose(self, origin: Element | None) -> Pose:
        return read_origin(origin, has_quaternions=self.has_quaternions)

    @cached_property
    def colours(self) -> dict[str, Colour]:
        """The colours of named materials; of two of one name the first."""
        found: dict[str, Colour] = {}
        for material in self.element.children_named("material"):
            colour = read_colour(material)
            if colour is not None:
                found.setdefault(material.attribute("name") or "", colour)
        return found


class Link(AskingLink):
    __slots__ = ()

    POSE_ELEMENT = "origin"
    phrases = PHRASES
    model: Robot

    @property
    def naming_problem(self) -> Problem | None:
        if not self.name:
            return Problem("the link has no name", "give it one")
        if is_xacro(self.name):
            return Problem(f"the name of <link> holds xacro: {self.name!r}", XACRO_REMEDY)
        if self.name not in self.model.repeated_link_names:
            return None
        return Problem(f"two links of robot {self.model.name!r} are named {self.name!r}", "give each its own name")

    @property
    def is_static(self) -> bool:
        """Whether it is the link `world`, or fixed to it."""
        return self.name in self.model.joints.fixed_to_world

    # Its inertial ---------------------------------------------------------------------------------------------------

    def read_pose(self, element: Element | None) -> Pose:
        return self.model.read_pose(element)

    def number_text(self, name: str) -> str | None:
        element, attribute = self._number_place(name)
        return element.attribute(attribute) if element is not None else None

    def read_number(self, name: str) -> float:
        element, attribute = self._number_place(name)
        if element is None:
            parent = "mass" if name == "mass" else "inertia"
            raise ValueTextError(f"the <inertial> has no <{parent}>", location=self.inertial_location())
        return read_number(element, attribute)

    def _number_place(self, name: str) -> tuple[Element | None, str]:
        """The element and its attribute; URDF has no defaults for them."""
        return (self.in_inertial(name), "value") if name == "mass" else (self.in_inertial("inertia"), name)

    def _pose_texts(self, pose: Element | None) -> tuple[Sequence[str], Sequence[str]]:
        texts = [(pose.attribute(name) or "").split() if pose is not None else [] for name in ("xyz", "rpy")]
        xyz, rpy = (text if len(text) == 3 else [""] * 3 for text in texts)
        return xyz, rpy

    def _numbers_in(self, inertial: Element) -> tuple[float, ...] | None:
        return numbers_in(inertial, self.read_pose)

    def malformations(self) -> Iterator[Problem]:

        return malformations(self)

    def unknown_elements(self) -> Iterator[Problem]:
        """Near misses of URDF's elements; other unknown ones are customary."""
        return near_misses(self)

    def unknown_moments(self) -> Iterator[Problem]:

        return unknown_moments(self.inertial) if self.inertial is not None else iter(())

    def _placed(self) -> Iterator[Element]:
        return (child for child in self.element.children if child.name in ("inertial", "collision", "visual"))

    def densities_below(self, limit: float) -> list[tuple[float, Callable[[], Location]]]:
        found: list[tuple[float, Callable[[], Location]]] = []
        try:
            own = self.default_density()
            if own is not None and 0.0 < own < limit:
                found.append((own, lambda: request_location(self)))
        except SdfInertiaError:
            pass
        for solid in self.children.get("collision", ()):
            try:
                density = read_own_density(solid)
            except SdfInertiaError:
                continue
            if density is not None and 0.0 < density < limit:
                found.append((density, solid.location))
        return found

    def _read_solids(self, kind: SolidKind) -> list[Solid]:
        """They may share a name or have none."""
        elements = self.children.get(kind.element, [])
        return [Solid(self, each, each.attribute("name") or f"#{number}") for number, each in enumerate(elements, 1)]

    # Its surroundings -----------------------------------------------------------------------------------------------

    def parent_joints(self, context: LinkContext) -> Iterator[ParentJoint]:
        return self.model.joints.parents_of(self)

    def group(self, context: LinkContext) -> Group:
        return self.model.joints.group_of(self)

    def is_lumped_with_mass(self) -> bool:
        return self.place in self.model.joints.lumped_with_masses

    def is_lumped(self) -> bool:
        """Whether fixed joints merge it with a link that has an inertia, in Gazebo and MuJoCo."""
        return self.name in self.model.joints.lumped_with_bodies

    def mass_of_others_merged(self) -> float:
        return self.model.joints.mass_merged_with(self.name)

    def massless_joints(self) -> Iterator[Problem]:
        return self.model.joints.massless(self)

    # How it is written anew -----------------------------------------------------------------------------------------

    def inertial_edits(self, new: NewInertial) -> list[Edit]:
        """A request stays in the file, for any `auto`."""
        return fill_edits(self.element, self.inertial, new, has_quaternions=self.model.has_quaternions)

    def mass_edits(self, text: str) -> list[Edit]:

        return mass_edits(self.element, self.inertial, text)

    def tensor_edits(self, tensor: Element, texts: Mapping[str, str]) -> list[Edit]:

        return attribute_edits(tensor, texts, b'"')


class Solid(base.Solid):
    """Its name is its number among its kind where it has none."""

    __slots__ = ()

    link: Link

    def weighing(self) -> Weighing:
        model = self.link.model
        notes = (
            *shape_notes(self.element, has_capsules=model.has_quaternions),
            *origin_notes(self.element.child("origin"), has_quaternions=model.has_quaternions),
        )
        parameters = self.link.default_parameters()
        return Weighing(parameters._replace(notes=notes) if notes else parameters, read_own_density(self.element))

    def _read_shape(self) -> Shape:
        return read_shape(self.element)

    def _read_placement(self, context: LinkContext) -> Placement:
        return (PosePath((PoseStep(self.link.pose_in(self.element)),)),)

    def colour(self) -> Colour | None:
        """That of its `<material>`, by itself or by name."""
        material = self.element.child("material")
        if material is None:
            return None
        return read_colour(material) or self.link.model.colours.get(material.attribute("name") or "")

    def dimension_location(self) -> Location:
        try:
            return shape_element(self.element).location()
        except SdfInertiaError:
            return self.element.location()

    def dimension_edits(self, dimensions: Sequence[float], *, digits: int) -> list[Edit]:

        shape = shape_element(self.element)
        texts: dict[str, str] = {}
        place = 0
        for name, count in PRIMITIVES[shape.name].dimensions:
            texts[name] = renewed(shape.attribute(name) or "", dimensions[place : place + count], digits)
            place += count
        return attribute_edits(shape, texts, b'"')


Robot.LINK = Link
