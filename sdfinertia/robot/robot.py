"""Robots: their links and joints at their places, and the groups of links that fixed joints make one body."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sdfinertia.errors import FrameError, SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.markup import Document, Edit, Element, grouped
from sdfinertia.robot import Axis, Group, Link, LinkContext, Member, Model, ParentJoint, alone, attempt, known
from sdfinertia.robot.names import numbers_of_namesakes
from sdfinertia.robot.problems import Problem

# The name of the world at the end of a joint.
WORLD = "world"
_TURNING = ("revolute", "continuous")


class PlacedLink(NamedTuple):
    link: Link
    name: str  # scoped from the root model, or from the world without its name
    is_own: bool  # whether it is in the root's own file
    pose: RigidTransform | SdfInertiaError  # X_RL in the root's frame, or why it is unknown
    model_pose: RigidTransform = IDENTITY  # X_RM, of the outermost model in the root

    @property
    def pose_in_model(self) -> RigidTransform | SdfInertiaError:
        """X_ML, in the frame of the outermost model; or why it is unknown."""
        if isinstance(self.pose, SdfInertiaError):
            return self.pose
        return self.model_pose.inverse() @ self.pose


class PlacedJoint(NamedTuple):
    name: str
    kind: str
    parent: str  # as the joint names it, and so the child
    child: str
    pose: RigidTransform | None  # X_RJ in the root's frame; None where unknown
    axis: Vector3 | None  # unit vector in the joint's axes; None where it has none


class BrokenInclude(NamedTuple):
    name: str
    error: SdfInertiaError


class Assembly(NamedTuple):
    """A root model or world with all that it includes."""

    name: str
    file: str
    is_world: bool
    links: Iterator[PlacedLink]
    joints: Iterator[PlacedJoint]  # known once the links are
    broken: list[BrokenInclude]  # complete once the links are known


class Robot:
    document: Document
    notes: list[str]  # on the file as a whole

    @property
    def path(self) -> str:
        return self.document.path

    def edited(self, edits: Sequence[Edit]) -> Robot:
        return type(self)(self.document.edited(edits))  # type: ignore[call-arg]  # each format takes a document

    @property
    def may_have_groups(self) -> bool:
        return b"fixed" in self.document.data

    @property
    def has_includes(self) -> bool:
        return False

    def included_files(self, context: LinkContext) -> Iterator[str | SdfInertiaError]:
        return iter(())

    def missing_includes(self, context: LinkContext) -> Sequence[str]:
        """The uris of its includes, if none of them is found."""
        return ()

    @abstractmethod
    def models(self) -> Sequence[Model]: ...

    def repeated_models(self) -> Iterator[Problem]:
        return iter(())

    def lumps(self) -> Iterator[Group]:
        return (alone(link) for model in self.models() for link in model.all_links())

    @abstractmethod
    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        """Its worlds, and the root models outside worlds."""


class Joint(NamedTuple):
    """A joint of a robot that is one model; its ends are what the format knows links by."""

    element: Element
    name: str
    kind: str
    parent: Hashable
    child: Hashable

    @property
    def is_fixed(self) -> bool:
        return self.kind == "fixed"


class JointedRobot(Robot, Model):
    """A robot that is one model, as its joints connect it."""

    @property
    @abstractmethod
    def joints(self) -> Sequence[Joint]: ...

    @abstractmethod
    def end_of(self, link: Link) -> Hashable: ...

    @property
    @abstractmethod
    def linked(self) -> Mapping[Hashable, Link]:
        """The link at each end that has one."""

    @property
    def ends(self) -> Collection[Hashable]:
        """All that joints may connect, in the order of the file."""
        return self.linked

    @property
    def kept(self) -> Collection[str]:
        """The fixed joints that simulators keep."""
        return ()

    @abstractmethod
    def origin(self, joint: Joint) -> RigidTransform:
        """X_PC, of the child in the parent with the joint at zero."""

    @abstractmethod
    def shown(self, joint: Joint) -> tuple[PlacedJoint, Vector3 | None] | None:
        """The joint of an assembly without its pose, and a point on its axis in the frame of the child, if known.

        None where the file has no such joint.
        """

    def models(self) -> Sequence[Model]:
        return [self]

    def lumps(self) -> Iterator[Group]:
        return iter(self.groups)

    @cached_property
    def by_child(self) -> Mapping[Hashable, list[Joint]]:
        return grouped((joint.child, joint) for joint in self.joints)

    @cached_property
    def by_parent(self) -> Mapping[Hashable, list[Joint]]:
        return grouped((joint.parent, joint) for joint in self.joints)

    @cached_property
    def _poses(self) -> dict[Hashable, RigidTransform]:
        return {}

    def parent_joints(self, link: Link, context: LinkContext) -> Iterator[ParentJoint]:
        for joint in self.by_child.get(self.end_of(link), ()):
            parent = self.linked.get(joint.parent)
            if parent is not None:
                yield ParentJoint(joint.name, parent.positive_mass, joint.is_fixed, parent.element.start)

    def merges(self, joint: Joint) -> bool:
        return joint.is_fixed and joint.parent not in (None, WORLD) and joint.name not in self.kept

    @cached_property
    def groups(self) -> list[Group]:
        """The links that fixed joints merge, first the one whose frame they get; each link is in one group."""
        merged = {joint.child for joint in self.joints if self.merges(joint)}
        found: list[Group] = []
        seen: set[Hashable] = set()
        # Links on a cycle have no first; they come last.
        for first in sorted(self.ends, key=lambda end: end in merged):
            members: list[Member] = []
            pending = [(first, IDENTITY)]
            while pending:
                end, X_GL = pending.pop()
                if end in seen or end not in self.ends:
                    continue
                seen.add(end)
                if end in self.linked:
                    members.append(Member(self.linked[end], X_GL))
                for joint in reversed(self.by_parent.get(end, ())):
                    if self.merges(joint):
                        pending.append((joint.child, X_GL @ self.origin(joint)))
            if members:
                found.append(Group(tuple(members), self._axis_of(first)))
        return found

    def _axis_of(self, end: Hashable) -> Axis | None:
        """The axis about which the one joint above turns it."""
        joints = self.by_child.get(end, [])
        found = self.shown(joints[0]) if len(joints) == 1 else None
        if found is None:
            return None
        shown, point = found
        if shown.kind not in _TURNING or shown.axis is None or point is None:
            return None
        return Axis(joints[0].name, point, shown.axis)

    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        """The joints are at zero."""
        poses = ((link, attempt(self.pose_of, self.end_of(link))) for link in self.links())
        links = (PlacedLink(link, link.scoped_name, True, pose) for link, pose in poses)
        yield Assembly(self.name, self.path, False, links, self._placed_joints(), [])

    def _placed_joints(self) -> Iterator[PlacedJoint]:
        for joint in self.joints:
            found = self.shown(joint)
            if found is not None:
                shown, point = found
                X_RL = known(attempt(self.pose_of, joint.child)) if joint.child in self.ends else None
                pose = X_RL @ RigidTransform(translation=point) if X_RL is not None and point is not None else None
                yield shown._replace(pose=pose)

    def pose_of(self, end: Hashable) -> RigidTransform:
        """X_RL in the frame of the root, all joints at zero."""
        chain: list[Joint] = []
        start = end
        while end not in self._poses:
            joints = self.by_child.get(end)
            if not joints:
                self._poses[end] = IDENTITY
                break
            if len(chain) > len(self.joints):
                raise joints[0].element.error(f"the joints above link {start!r} form a cycle", kind=FrameError)
            chain.append(joints[0])
            end = joints[0].parent
        X_RL = self._poses[end]
        for joint in reversed(chain):
            X_RL = self._poses[joint.child] = X_RL @ self.origin(joint)
        return X_RL

    def group(self, link: Link, context: LinkContext) -> Group:
        return self._group_by_place.get(link.place, alone(link))

    @cached_property
    def _group_by_place(self) -> dict[Hashable, Group]:
        return {member.link.place: group for group in self.groups for member in group.members}

    @cached_property
    def namesakes(self) -> dict[int, int]:
        return numbers_of_namesakes([(link.name, link.element.start) for link in self.all_links()])
