"""Robots: their links and joints at their places, and the groups of links that fixed joints make one body."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.markup import Document, Edit
from sdfinertia.robot import Group, Link, LinkContext, Model, alone
from sdfinertia.robot.names import numbers_of_namesakes
from sdfinertia.robot.problems import Problem, misplaced_elements


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
    """A joint in a root model or world.

    Attributes:
        parent, child: as the joint names them.
    """

    name: str
    kind: str
    parent: str
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

    def misplaced_elements(self) -> Iterator[Problem]:
        """Elements of inertials where no reader looks for them."""
        return misplaced_elements(self.document.roots)

    def lumps(self) -> Iterator[Group]:
        return (alone(link) for model in self.models() for link in model.all_links())

    @abstractmethod
    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        """Its worlds, and the root models outside worlds."""


class RobotOfOneModel(Robot, Model):
    @property
    @abstractmethod
    def groups(self) -> Sequence[Group]: ...

    def models(self) -> Sequence[Model]:
        return [self]

    def lumps(self) -> Iterator[Group]:
        return iter(self.groups)

    def group(self, link: Link, context: LinkContext) -> Group:
        return self._group_by_place.get(link.place, alone(link))

    @cached_property
    def _group_by_place(self) -> dict[Hashable, Group]:
        return {member.link.place: group for group in self.groups for member in group.members}

    @cached_property
    def namesakes(self) -> dict[int, int]:
        return numbers_of_namesakes((link.name, link.element.start) for link in self.all_links())
