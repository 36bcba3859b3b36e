"""The joints of a robot: parents and children, links fixed to the world, and links that move without a mass."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from math import fsum
from typing import NamedTuple

from sdfinertia.errors import FrameError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.markup import Element, walked
from sdfinertia.robot import COLLISION, Group, Link, LinkContext, Member, attempt, known
from sdfinertia.robot.joints import Axis, Lump, ParentJoint, grouped, neighbours
from sdfinertia.robot.numbers import unit_vector
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Problem
from sdfinertia.robot.robot import Assembly, PlacedJoint, PlacedLink, RobotOfOneModel

WORLD = "world"
_FIXED = "fixed"
_ENDS = ("parent", "child")
_TURNING = ("revolute", "continuous")
# The settings in <gazebo> that keep a fixed joint.
_KEEPING = ("disableFixedJointLumping", "preserveFixedJoint")


class Joint(NamedTuple):
    element: Element
    name: str
    kind: str
    parent: str
    child: str

    @property
    def is_fixed(self) -> bool:
        return self.kind == _FIXED


class JointedRobot(RobotOfOneModel):
    """A robot as its joints connect it; of links that share a name they mean the first."""

    @abstractmethod
    def read_pose(self, origin: Element | None) -> Pose: ...

    @cached_property
    def _named(self) -> Mapping[str, Link]:
        return {link.name: link for link in reversed(self.links())}

    @cached_property
    def joints(self) -> list[Joint]:
        return [
            Joint(
                joint, *(joint.attribute(name) or "" for name in ("name", "type")), *map(_end, map(joint.child, _ENDS))
            )
            for joint in self.element.children_named("joint")
        ]

    @cached_property
    def _by_child(self) -> Mapping[str, list[Joint]]:
        return grouped((joint.child, joint) for joint in self.joints)

    @cached_property
    def _by_parent(self) -> Mapping[str, list[Joint]]:
        return grouped((joint.parent, joint) for joint in self.joints)

    @cached_property
    def _poses(self) -> dict[str, RigidTransform]:
        return {}

    @cached_property
    def fixed_to_world(self) -> frozenset[str]:
        """The link `world` and all that is fixed to it."""
        return frozenset(self.fixed_below(WORLD))

    def fixed_below(self, name: str) -> Iterator[str]:
        def fixed(parent: str) -> Iterator[str]:
            return (joint.child for joint in self._by_parent.get(parent, ()) if joint.is_fixed)

        return walked([name], fixed)

    def lump(self, link: Link) -> Lump:
        """What fixed joints merge with a link, in Gazebo and MuJoCo."""
        return self._lumps.get(link.place, Lump())

    @cached_property
    def _lumps(self) -> dict[Hashable, Lump]:
        found: dict[Hashable, Lump] = {}
        beside = neighbours((joint.parent, joint.child) for joint in self.joints if self._is_lumped(joint))
        for start, link in self._named.items():
            if link.place not in found:
                links = [self._named[name] for name in walked([start], beside) if name in self._named]
                total = fsum(each.positive_mass or 0.0 for each in links)
                is_asked = any(each.request.stays for each in links)
                lump = Lump(total, is_asked or total > 0.0, is_asked or any(map(_is_body, links)))
                for each in links:
                    found[each.place] = lump._replace(mass_of_others=total - (each.positive_mass or 0.0))
        return found

    def parent_joints(self, link: Link, context: LinkContext) -> Iterator[ParentJoint]:
        for joint in self._by_child.get(link.name, ()):
            parent = self._named.get(joint.parent)
            if parent is not None:
                yield ParentJoint(joint.name, parent.positive_mass, joint.is_fixed, parent.element.start)

    def massless_joints(self, link: Link) -> Iterator[Problem]:
        """The joints that move a link where nothing of it has a mass, or is to be given one."""
        moving = [joint for joint in self._by_child.get(link.name, ()) if not joint.is_fixed]
        if not moving:
            return
        moved = (self._named.get(name) for name in self.fixed_below(link.name))
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
                elif name not in self._named and not (end == "parent" and name == WORLD):
                    problem = f"<{end}> of {what} names {name!r}, and no link has that name"
                    yield Problem(problem, "name a link", location)
            if joint.parent == joint.child and joint.child:
                problem = f"{what} connects {joint.child!r} with itself"
                yield Problem(problem, "name two links", joint.element.location())

    @cached_property
    def groups(self) -> list[Group]:
        """The links that fixed joints merge, first the one whose frame they get; each link is in one group.

        As in sdformat's `ReduceFixedJoints`: joints to `world` and those that `<gazebo reference="...">` keeps stay.
        """
        lumped = {joint.child for joint in self.joints if self._is_lumped(joint)}
        found: list[Group] = []
        seen: set[str] = set()
        # Links on a cycle have no first; they come last.
        for name in sorted(dict.fromkeys(link.name for link in self.links()), key=lambda name: name in lumped):
            if name in seen:
                continue
            members: list[Member] = []
            pending = [(name, IDENTITY)]
            while pending:
                parent, X_LP = pending.pop()
                if parent in seen or parent not in self._named:
                    continue
                seen.add(parent)
                members.append(Member(self._named[parent], X_LP))
                for joint in reversed(self._by_parent.get(parent, ())):
                    if self._is_lumped(joint):
                        pending.append((joint.child, X_LP @ self._origin(joint)))
            found.append(Group(tuple(members), self._axis_of(name)))
        return found

    def _axis_of(self, name: str) -> Axis | None:
        turning = (each for each in self._by_child.get(name, ()) if each.kind in _TURNING)
        axes = ((joint.name, _axis(joint)) for joint in turning)
        return next((Axis(joint, (0.0, 0.0, 0.0), axis) for joint, axis in axes if axis is not None), None)

    def _origin(self, joint: Joint) -> RigidTransform:
        return self.read_pose(joint.element.child("origin")).transform()

    def _is_lumped(self, joint: Joint) -> bool:
        return joint.is_fixed and joint.parent != WORLD and joint.name not in self._kept

    @cached_property
    def _kept(self) -> frozenset[str]:
        found: set[str] = set()
        for gazebo in self.element.children_named("gazebo"):
            for name in _KEEPING:
                said = gazebo.child(name)
                if said is not None and said.text().lower() in ("true", "1"):
                    found.add(gazebo.attribute("reference") or "")
        return frozenset(found)

    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        """The joints are at zero."""
        poses = ((link, attempt(self._pose_of, link.name)) for link in self.links())
        links = (PlacedLink(link, link.scoped_name, True, pose) for link, pose in poses)
        yield Assembly(self.name, self.path, False, links, self._placed_joints(), [])

    def _placed_joints(self) -> Iterator[PlacedJoint]:
        for joint in self.joints:
            pose = known(attempt(self._pose_of, joint.child)) if joint.child in self._named else None
            yield PlacedJoint(f"{self.name}::{joint.name}", joint.kind, joint.parent, joint.child, pose, _axis(joint))

    def _pose_of(self, name: str) -> RigidTransform:
        """X_RL in the frame of the root link, all joints at zero."""
        chain: list[Joint] = []
        start = name
        while name not in self._poses:
            joints = self._by_child.get(name)
            if not joints:
                self._poses[name] = IDENTITY
                break
            if len(chain) > len(self.joints):
                raise joints[0].element.error(f"the joints above link {start!r} form a cycle", kind=FrameError)
            chain.append(joints[0])
            name = joints[0].parent
        X_RL = self._poses[name]
        for joint in reversed(chain):
            X_RL = self._poses[joint.child] = X_RL @ self._origin(joint)
        return X_RL


def _axis(joint: Joint) -> Vector3 | None:
    if joint.kind in (_FIXED, "floating"):
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
