"""Poses from frame to frame, as written, and their product."""

from __future__ import annotations

import math
from collections.abc import Iterable

from sdfinertia.inertia.rigid_transform import (
    IDENTITY,
    RigidTransform,
    Vector3,
    rotation_from_quaternion,
    rotation_from_rpy,
)
from sdfinertia.lazy import cached_property
from sdfinertia.named_tuple import NamedTuple


class Pose(NamedTuple):
    """A pose as written: its frame, and its numbers before any trigonometry.

    Attributes:
        numbers: x y z (m), then roll pitch yaw or a quaternion x y z w; empty for the identity.
        form: "rpy" (rad), "degrees" or "quat_xyzw".
        relative_to: name of the frame it is given in, or "" for the element's default.
    """

    numbers: tuple[float, ...] = ()
    form: str = "rpy"
    relative_to: str = ""

    def transform(self) -> RigidTransform:
        """X_RF, of the element's frame F in the frame R that it is given in."""
        if not self.numbers:
            return IDENTITY
        translation: Vector3 = (self.numbers[0], self.numbers[1], self.numbers[2])
        angles = self.numbers[3:]
        if self.form == "quat_xyzw":
            return RigidTransform(rotation_from_quaternion(*angles), translation)
        if self.form == "degrees":
            angles = tuple(map(math.radians, angles))
        return RigidTransform(rotation_from_rpy(*angles), translation)


# A path of more poses than any real model has is a digest in texts, so that thousands of long paths through the same
# frames are not written out thousands of times.
_MAX_POSES_IN_TEXT = 256


class PoseStep(NamedTuple):
    pose: Pose
    is_inverted: bool = False

    def inverse(self) -> PoseStep:
        return PoseStep(self.pose, not self.is_inverted)


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

    @property
    def steps(self) -> tuple[PoseStep, ...]:
        return tuple(step for path in self._continued(None) for step in path._own_steps)

    @cached_property
    def transform(self) -> RigidTransform:
        if self._count == 1:
            ((pose, is_inverted),) = self._own_steps or self.steps
            transform = pose.transform()
            return transform.inverse() if is_inverted else transform
        transform = IDENTITY
        for path in self._continued("transform") if self._before is not None else (self,):
            if "transform" in path.__dict__:
                transform = path.transform
                continue
            for pose, is_inverted in path._own_steps:
                step = pose.transform()
                transform = transform @ (step.inverse() if is_inverted else step)
            path.__dict__["transform"] = transform
        return transform

    @property
    def text(self) -> str:
        """All inputs of the product, before any trigonometry."""
        if self._before is None:
            return self._own_text
        if self._count <= _MAX_POSES_IN_TEXT:
            return self._text
        return f"{self._before._digest};{self._own_text}"

    @cached_property
    def _text(self) -> str:
        text = ""
        for path in self._continued("_text"):
            text = path.__dict__.get("_text") or (f"{text};{path._own_text}" if path._before else path._own_text)
            path.__dict__["_text"] = text
        return text

    @cached_property
    def _own_text(self) -> str:
        if len(self._own_steps) == 1:
            ((pose, is_inverted),) = self._own_steps
            return f"{pose.form} {is_inverted} {pose.numbers}"
        return ";".join([f"{pose.form} {is_inverted} {pose.numbers}" for pose, is_inverted in self._own_steps])

    @cached_property
    def _digest(self) -> str:
        # Loaded for paths of hundreds of poses.
        from hashlib import sha256

        digest = ""
        for path in self._continued("_digest"):
            digest = path.__dict__.get("_digest") or sha256(f"{digest};{path._own_text}".encode()).hexdigest()
            path.__dict__["_digest"] = digest
        return digest

    def _continued(self, known: str | None) -> list[PosePath]:
        """The path and those before it, first to last, back to one whose value is known."""
        # Not by recursion: a path may have thousands of parts.
        paths = [self]
        while (before := paths[-1]._before) is not None and (known is None or known not in paths[-1].__dict__):
            paths.append(before)
        return paths[::-1]


Placement = tuple[PosePath, ...]
# Of all that give no pose.
NOT_MOVED: Placement = (PosePath((PoseStep(Pose()),)),)


def product(placement: Placement) -> RigidTransform:
    if len(placement) == 1:
        return placement[0].transform
    transform = IDENTITY
    for path in placement:
        transform = transform @ path.transform
    return transform
