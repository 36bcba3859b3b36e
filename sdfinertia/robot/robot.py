"""The class of robot descriptions that a format subclasses, and what it gives of links and joints at their places."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.markup.document import Document
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.link import Link, LinkContext, Model

if TYPE_CHECKING:
    from sdfinertia.inertia.rigid_transform import Vector3
    from sdfinertia.robot.values import Problem


class PlacedLink(NamedTuple):
    """A link as a root model, or a world, has it.

    Attributes:
        name: by which it is known there: the root model's own name first, but not the world's.
        is_own: whether it is in the root's own file.
        pose: X_RL, of its frame in that of the root; or why it is not known.
        model_pose: X_RM, of the outermost model that it is part of in the root: the identity where that is the root.
    """

    link: Link
    name: str
    is_own: bool
    pose: RigidTransform | SdfInertiaError
    model_pose: RigidTransform = IDENTITY

    @property
    def pose_in_model(self) -> RigidTransform | SdfInertiaError:
        """X_ML, of its frame in that of the outermost model; or why it is not known."""
        if isinstance(self.pose, SdfInertiaError):
            return self.pose
        return self.model_pose.inverse() @ self.pose


class PlacedJoint(NamedTuple):
    """A joint as a root model, or a world, has it; what cannot be placed is not drawn, and other reports tell why.

    Attributes:
        parent, child: the names that it gives for its ends.
        pose: X_RJ, of its frame in that of the root; None where it is not known.
        axis: a direction of unit length in the axes of the joint; None where it has none.
    """

    name: str
    kind: str
    parent: str
    child: str
    pose: RigidTransform | None
    axis: Vector3 | None


class BrokenInclude(NamedTuple):
    """A model that is missing, because what is included cannot be opened; named as a link of it would begin."""

    name: str
    error: SdfInertiaError


class LumpedPart(NamedTuple):
    """A link that simulators take for a part of another one, and its pose in that."""

    link: Link
    pose: RigidTransform


class Assembly(NamedTuple):
    """A root model, or a world, with all that it includes, each link and joint at its place.

    Attributes:
        is_world: whether it is a world, whose models are the first parts of the names.
        joints: are known once the links are.
        broken: the includes that cannot be opened; complete once the links are known.
    """

    name: str
    file: str
    is_world: bool
    links: Iterator[PlacedLink]
    joints: Iterator[PlacedJoint]
    broken: list[BrokenInclude]


class Robot:
    """A document that describes robots.

    Attributes:
        notes: what is to be said of the file as a whole; who opens it may add to it.
    """

    document: Document
    notes: list[str]

    @property
    def path(self) -> str:
        """Its name in messages; uris resolve from there."""
        return self.document.path

    @property
    def data(self) -> bytes:
        """The whole file."""
        return self.document.data

    @property
    def has_includes(self) -> bool:
        """Whether it includes other files."""
        return False

    def included_files(self, context: LinkContext) -> Iterator[str | SdfInertiaError]:
        """The local files that it includes, or why one cannot be told."""
        return iter(())

    @abstractmethod
    def models(self) -> Sequence[Model]:
        """The root models: a total mass is shared out within each."""

    def repeated_models(self) -> Iterator[Problem]:
        """What is wrong with models of one name side by side, once a name."""
        return iter(())

    def lumps(self) -> Iterator[Sequence[LumpedPart]]:
        """The links that Gazebo makes one of where fixed joints connect them, first the one whose frame they get.

        Raises:
            ValueTextError: the pose of a joint is malformed.
        """
        for model in self.models():
            yield from ([LumpedPart(link, IDENTITY)] for link in model.all_links())

    @abstractmethod
    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        """Its worlds, each as one with every model in it, and the root models that are in none, for a look."""
