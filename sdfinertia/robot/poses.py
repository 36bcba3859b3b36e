"""Poses from frame to frame, as written, and their product."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from sdfinertia.inertia.rigid_transform import (
    IDENTITY,
    RigidTransform,
    Vector3,
    rotation_from_quaternion,
    rotation_from_rpy,
)

_ZERO = (0.0, 0.0, 0.0)


class Pose(NamedTuple):
    """A pose as written: its frame, and its numbers before any trigonometry."""

    numbers: tuple[float, ...] = ()  # x y z (m), then roll pitch yaw or a quaternion x y z w; empty for the identity
    form: str = "rpy"  # "rpy" (rad), "degrees" or "quat_xyzw"
    relative_to: str = ""  # name of the frame it is given in, or "" for the element's default

    def as_we_write(self) -> tuple[float, ...] | None:
        """The six numbers of the pose of an inertial; None where they are written otherwise."""
        position, rotation = self.numbers[:3] or _ZERO, self.numbers[3:] or _ZERO
        if self.form == "quat_xyzw" and rotation[:3] == _ZERO:
            rotation = _ZERO
        return (*position, *rotation) if len(rotation) == 3 and self.form != "degrees" else None

    def transform(self) -> RigidTransform:
        if not self.numbers:
            return IDENTITY
        translation: Vector3 = (self.numbers[0], self.numbers[1], self.numbers[2])
        angles = self.numbers[3:]
        if self.form == "quat_xyzw":
            return RigidTransform(rotation_from_quaternion(*angles), translation)
        if self.form == "degrees":
            angles = tuple(map(math.radians, angles))
        return RigidTransform(rotation_from_rpy(*angles), translation)


class PoseStep:
    """A pose on a path, or its inverse; paths share it."""

    def __init__(self, pose: Pose, is_inverted: bool = False) -> None:
        self.pose = pose
        self.is_inverted = is_inverted

    @cached_property
    def inverse(self) -> PoseStep:
        return PoseStep(self.pose, not self.is_inverted)

    @cached_property
    def transform(self) -> RigidTransform:
        transform = self.pose.transform()
        return transform.inverse() if self.is_inverted else transform

    @cached_property
    def text(self) -> str:
        return f"{self.pose.form} {self.is_inverted} {self.pose.numbers}"


class PosePath:
    """The poses along a way, multiplied from left to right, behind those of another whose product they share."""

    def __init__(self, steps: Iterable[PoseStep], before: PosePath | None = None) -> None:
        self._own_steps, self._before = tuple(steps), before
        # These now, not when they are needed: a way may have more poses than calls may nest.
        self._start, self._chain, self._count = IDENTITY, "", len(self._own_steps)
        if before is not None:
            self._start, self._chain, self._count = before.transform, before.digest, before._count + self._count

    @property
    def steps(self) -> list[PoseStep]:
        parts = [self]
        while (before := parts[-1]._before) is not None:
            parts.append(before)
        return [step for part in reversed(parts) for step in part._own_steps]

    @cached_property
    def transform(self) -> RigidTransform:
        transform = self._start
        for step in self._own_steps:
            transform = transform @ step.transform
        return transform

    @property
    def text(self) -> str:
        """All that shapes the product, for a digest."""
        if self._before is None:
            return text_of(self._own_steps)
        if self._count <= MAX_POSES_IN_TEXT:
            return text_of(self.steps)
        return f"{self._chain};{text_of(self._own_steps)}"

    @cached_property
    def digest(self) -> str:
        return sha256(f"{self._chain};{text_of(self._own_steps)}".encode()).hexdigest()


class ReversePath(PosePath):
    """A long path up to a frame: the path back, inverted, since paths down from one frame share their products."""

    def __init__(self, steps: Iterable[PoseStep], back: Callable[[], PosePath]) -> None:
        super().__init__(steps)
        self._back = back

    @cached_property
    def transform(self) -> RigidTransform:
        return self._back().transform.inverse()


# The text of a longer way is a chain of digests of so many poses at a time, from its start.
MAX_POSES_IN_TEXT = 256
POSES_IN_PART = 16


def text_of(steps: Sequence[PoseStep]) -> str:
    texts = [step.text for step in steps]
    if len(texts) <= MAX_POSES_IN_TEXT:
        return ";".join(texts)
    *before, last = (";".join(texts[at : at + POSES_IN_PART]) for at in range(0, len(texts), POSES_IN_PART))
    digest = ""
    for part in before:
        digest = sha256(f"{digest};{part}".encode()).hexdigest()
    return f"{digest};{last}"


Placement = tuple[PosePath, ...]
# Of all that give no pose.
NO_POSE = Pose()
NOT_MOVED: Placement = (PosePath((PoseStep(NO_POSE),)),)


def product(placement: Placement) -> RigidTransform:
    if len(placement) == 1:
        return placement[0].transform
    transform = IDENTITY
    for path in placement:
        transform = transform @ path.transform
    return transform
