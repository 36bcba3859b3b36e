"""Chains of poses as they are written, before any trigonometry, and their products."""

from __future__ import annotations

from typing import NamedTuple

from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.sdf.values import Pose


class ChainLink(NamedTuple):
    """One pose of a chain, as written, and whether its inverse is meant."""

    pose: Pose
    is_inverted: bool


Chain = tuple[ChainLink, ...]


def product(chain: Chain) -> RigidTransform:
    """The transform of a chain: its poses multiplied from left to right."""
    transform = IDENTITY
    for pose, is_inverted in chain:
        step = pose.transform()
        transform = transform @ (step.inverse() if is_inverted else step)
    return transform


def inverse(chain: Chain) -> Chain:
    """The chain the other way."""
    return tuple(ChainLink(pose, not is_inverted) for pose, is_inverted in reversed(chain))
