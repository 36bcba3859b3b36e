"""Groups: the links that fixed joints make one body, and the axis about which a joint turns them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3, rotate

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

# A link, whose module names groups.
Link = Any


class Member(NamedTuple):
    """A link of a group, and its pose X_GL in the frame of the group."""

    link: Link
    pose: RigidTransform


class Axis(NamedTuple):
    """The axis of a joint, in the frame of a group.

    Attributes:
        joint: its name.
        point: on the axis (m).
        direction: unit vector.
    """

    joint: str
    point: Vector3
    direction: Vector3

    def transformed(self, X_AG: RigidTransform) -> Axis:
        return Axis(self.joint, X_AG.apply(self.point), rotate(X_AG.rotation, self.direction))


class Group:
    """Links that fixed joints make one body.

    Args:
        members: the frame of the first is that of the group; listed lazily.
        axis: about which a joint turns the group; None where none does, or it has no one axis.
        whole: the same group in the frame in which it was found, and the pose of that frame in this one.

    Attributes:
        sums: sums over the group in its frame, by the options that they were computed with.
    """

    def __init__(
        self, members: Iterable[Member], axis: Axis | None = None, whole: tuple[Group, RigidTransform] | None = None
    ) -> None:
        self._listed = members
        self.axis = axis
        self._whole = whole
        self.sums: dict[Hashable, Any] = {}

    @cached_property
    def members(self) -> tuple[Member, ...]:
        return tuple(self._listed)

    @property
    def whole(self) -> tuple[Group, RigidTransform]:
        return self._whole or (self, IDENTITY)

    @property
    def is_alone(self) -> bool:
        """Whether it is a single link."""
        return len(self.whole[0].members) == 1

    @cached_property
    def _poses(self) -> Mapping[Hashable, RigidTransform]:
        return {each.link.place: each.pose for each in self.members}

    def of(self, link: Link) -> Group:
        """The group in the frame of one of its links, which comes first."""
        X_LG = self._poses[link.place].inverse()
        axis = self.axis.transformed(X_LG) if self.axis is not None else None
        return Group(self._seen_from(link, X_LG), axis, (self, X_LG))

    def _seen_from(self, link: Link, X_LG: RigidTransform) -> Iterator[Member]:
        yield Member(link, IDENTITY)
        for each in self.members:
            if each.link.place != link.place:
                yield Member(each.link, X_LG @ each.pose)

    def with_members(self, members: Iterable[Member]) -> Group:
        return Group(members, self.axis)


def alone(link: Link, axis: Axis | None = None) -> Group:
    return Group((Member(link, IDENTITY),), axis)
