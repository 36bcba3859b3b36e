"""The joints of a robot: parents and children, links fixed to the world, and links that move without a mass."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from functools import cached_property
from math import fsum

from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.markup import Element, grouped, neighbours, walked
from sdfinertia.robot import COLLISION, Link, LinkContext, Lump, attempt, known, robot
from sdfinertia.robot.numbers import unit_vector
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Problem
from sdfinertia.robot.robot import WORLD, Joint, PlacedJoint

_ENDS = ("parent", "child")
# The settings in <gazebo> that keep a fixed joint.
_KEEPING = ("disableFixedJointLumping", "preserveFixedJoint")


class JointedRobot(robot.JointedRobot):
    """A robot as its joints connect it, merged as sdformat's `ReduceFixedJoints` does.

    Of links that share a name joints mean the first.
    """

    @abstractmethod
    def read_pose(self, origin: Element | None) -> Pose: ...

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
        """The ends of joints that name no link, or the same link twice."""
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
