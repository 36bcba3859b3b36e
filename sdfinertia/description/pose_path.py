"""Poses along a way from frame to frame, as they are written, and their product, worked out once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from sdfinertia.inertia.rigid_transform import (
    IDENTITY,
    RigidTransform,
    Vector3,
    rotation_from_quaternion,
    rotation_from_rpy,
)


class Pose(NamedTuple):
    """A pose as it is written: what it is relative to, and its numbers before any trigonometry.

    Attributes:
        numbers: x y z (m), then roll pitch yaw or a quaternion x y z w; empty for the identity.
        form: "rpy" (rad), "degrees" or "quat_xyzw".
        relative_to: name of the frame it is given in, or "" for the element's default.
    """

    numbers: tuple[float, ...] = ()
    form: str = "rpy"
    relative_to: str = ""

    def transform(self) -> RigidTransform:
        """X_RF: the pose of the element's frame F in the frame R it is given in."""
        if not self.numbers:
            return IDENTITY
        translation: Vector3 = (self.numbers[0], self.numbers[1], self.numbers[2])
        angles = self.numbers[3:]
        if self.form == "quat_xyzw":
            return RigidTransform(rotation_from_quaternion(*angles), translation)
        if self.form == "degrees":
            angles = tuple(map(math.radians, angles))
        return RigidTransform(rotation_from_rpy(*angles), translation)


class PoseStep(NamedTuple):
    """One pose as written, and whether its inverse is meant."""

    pose: Pose
    is_inverted: bool = False


class PosePath:
    """The poses along a way, from left to right as they are multiplied.

    Many links may be placed through the same frames, so that a path is shared, and its product and digest text with it.
    """

    def __init__(self, steps: Iterable[PoseStep]) -> None:
        self.steps = tuple(steps)

    @cached_property
    def transform(self) -> RigidTransform:
        """The product of the poses."""
        transform = IDENTITY
        for pose, is_inverted in self.steps:
            step = pose.transform()
            transform = transform @ (step.inverse() if is_inverted else step)
        return transform

    @cached_property
    def text(self) -> str:
        """All that the product depends on, before any trigonometry."""
        return ";".join(f"{pose.form} {is_inverted} {pose.numbers}" for pose, is_inverted in self.steps)

    def inverse(self) -> PosePath:
        """The path the other way."""
        return PosePath(PoseStep(pose, not is_inverted) for pose, is_inverted in reversed(self.steps))


Placement = tuple[PosePath, ...]


def product(placement: Placement) -> RigidTransform:
    """The product of the paths that follow each other."""
    transform = IDENTITY
    for path in placement:
        transform = transform @ path.transform
    return transform
