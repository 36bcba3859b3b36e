"""Groups: the links that fixed joints make one body, and the axis about which a joint turns them."""

from __future__ import annotations

from typing import Any

from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3, rotate
from sdfinertia.named_tuple import NamedTuple

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


class Group(NamedTuple):
    """Links that fixed joints make one body.

    Attributes:
        members: the first is the one whose frame the group has.
        axis: about which a joint turns the group; None where none does, or it has no one axis.
    """

    members: tuple[Member, ...]
    axis: Axis | None = None

    def of(self, link: Link) -> Group:
        """The group in the frame of one of its links, which comes first."""
        own = next(each for each in self.members if each.link.place == link.place)
        X_LG = own.pose.inverse()
        others = (each._replace(pose=X_LG @ each.pose) for each in self.members if each is not own)
        axis = self.axis.transformed(X_LG) if self.axis is not None else None
        return Group((Member(own.link, IDENTITY), *others), axis)


def alone(link: Link, axis: Axis | None = None) -> Group:
    return Group((Member(link, IDENTITY),), axis)
