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


# A longer path is a digest in texts, and keeps no poses: thousands of long paths through the same frames would fill the
# memory.
MAX_POSES_IN_TEXT = 256
# Poses in a part that paths share: few enough to multiply again, many enough to save memory.
POSES_IN_PART = 16


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
    """The poses along a way, multiplied from left to right.

    Links placed through the same frames share a path, with its product and digest text.

    Args:
        before: the path that these poses continue.
    """

    def __init__(self, steps: Iterable[PoseStep], before: PosePath | None = None) -> None:
        self._own_steps = tuple(steps)
        self._before = before
        self._count: int = len(self._own_steps) + (before._count if before is not None else 0)
        self._is_long = before is not None and self._count > MAX_POSES_IN_TEXT
        if self._is_long:
            # Both need the poses before, which are dropped.
            _ = self.transform, self._digest
            self._own_steps, self._before = (), None

    @property
    def steps(self) -> list[PoseStep]:
        return [*(self._before.steps if self._before is not None else ()), *self._own_steps]

    @cached_property
    def transform(self) -> RigidTransform:
        transform = self._before.transform if self._before is not None else IDENTITY
        for step in self._own_steps:
            transform = transform @ step.transform
        return transform

    @cached_property
    def text(self) -> str:
        return self._chained_text if self._is_long else ";".join([step.text for step in self.steps])

    @property
    def _chained_text(self) -> str:
        own_text = ";".join([step.text for step in self._own_steps])
        return f"{self._before._digest if self._before is not None else ''};{own_text}"

    @cached_property
    def _digest(self) -> str:
        return sha256((self.text if self._is_long else self._chained_text).encode()).hexdigest()


class ReversePath:
    """A path of more than 256 poses up to a frame.

    Its product is that of the path back, inverted: paths down from one frame share their products.

    Args:
        text: all inputs of the product.
        back: finds the path back.
    """

    def __init__(self, text: str, back: Callable[[], PosePath]) -> None:
        self.text = text
        self._back = back

    @cached_property
    def transform(self) -> RigidTransform:
        return self._back().transform.inverse()


def chained_text(steps: Sequence[PoseStep]) -> str:
    """The text of a longer path: a chain of digests of sixteen poses at a time, from its start."""
    parts = [
        ";".join([step.text for step in steps[at : at + POSES_IN_PART]]) for at in range(0, len(steps), POSES_IN_PART)
    ]
    digest = ""
    for part in parts[:-1]:
        digest = sha256(f"{digest};{part}".encode()).hexdigest()
    return f"{digest};{parts[-1]}"


Placement = tuple[PosePath | ReversePath, ...]
# Of all that give no pose.
NOT_MOVED: Placement = (PosePath((PoseStep(Pose()),)),)


def product(placement: Placement) -> RigidTransform:
    if len(placement) == 1:
        return placement[0].transform
    transform = IDENTITY
    for path in placement:
        transform = transform @ path.transform
    return transform
