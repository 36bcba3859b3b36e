"""Links whose frames differ: the transformation that makes their inertials the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import atan2, degrees, dist, hypot
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.causes.operations import RIGHT_ANGLES
from sdfinertia.comparing.difference import HALF_TURNS, Rounding, differing, principal_frame
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import (
    RigidTransform,
    Rotation,
    quaternion_from_rpy,
    rotate,
    rpy_from_rotation,
)
from sdfinertia.robot.inertial import MASS, WrittenBlock

if TYPE_CHECKING:
    from sdfinertia.comparing.robots import ComparedBody

# Frames are exported with five digits or so; of angles (rad), and of lengths beside the size of a body.
_FITS = 1e-4
# Links among which a transformation for several is searched.
_SAMPLE = 24


class Pair(NamedTuple):
    """A link in both descriptions."""

    one: ComparedBody
    other: ComparedBody

    @property
    def blocks(self) -> tuple[WrittenBlock, WrittenBlock] | None:
        """None where either has no inertial."""
        one, other = self.one.block, self.other.block
        return (one, other) if one is not None and other is not None else None

    @property
    def bodies(self) -> tuple[SpatialInertia, SpatialInertia]:
        assert self.blocks is not None, "both have an inertial"
        return self.blocks[0].inertia, self.blocks[1].inertia

    @property
    def poses(self) -> tuple[RigidTransform, RigidTransform] | None:
        """X_RL of both at the zero position, where that is known."""
        return (self.one.pose, self.other.pose) if self.one.pose is not None and self.other.pose is not None else None


def transformations(links: Sequence[Pair], root: Pair | None) -> list[RigidTransform | None]:
    """X_AB of each link, of the second's frame in the first's, that makes its inertials the same; None where none does.

    It is taken from the places of the links in both robots, or from other links with the same: any body can be turned
    into another of equal moments.

    Args:
        root: a link by which the frames of the two robots are known to each other.
    """
    found = [next(_explaining(_by_place(link, root), link), None) for link in links]
    sample = [link for link, X_AB in zip(links, found, strict=True) if X_AB is None][:_SAMPLE]
    tried = (X_AB for link in sample for X_AB in _explaining(_candidates(link), link))
    common = next(
        (each for each in tried if sum(_moves_centre(each, one) and _explains(each, one) for one in sample) > 1), None
    )
    if common is None:
        return found
    return [
        common if X_AB is None and _explains(common, link) else X_AB for link, X_AB in zip(links, found, strict=True)
    ]


def rotation_between(link: Pair) -> RigidTransform | None:
    """A rotation alone that the centre of mass, which it moves, confirms."""
    tried = (X_AB for X_AB in _candidates(link) if not any(X_AB.translation) and _moves_centre(X_AB, link))
    return next(_explaining(tried, link), None)


def in_words(X_AB: RigidTransform) -> str:
    angle, axis = _turn(X_AB.rotation)
    parts = [f"turned by {degrees(angle):.4g}° about {_axis(axis)}"] if degrees(angle) > 1e-4 else []
    if hypot(*X_AB.translation) > 0.0:
        parts.append(f"offset by {' '.join(f'{value + 0.0:.6g}' for value in X_AB.translation)} m")
    return " and ".join(parts)


def _turn(rotation: Rotation) -> tuple[float, list[float]]:
    """The angle of a rotation (rad), and its axis times the sine of half of it."""
    *axis, w = quaternion_from_rpy(*rpy_from_rotation(rotation))
    is_backward = w < 0.0 if abs(w) > 1e-9 else max(axis, key=abs) < 0.0  # half a turn is one about either end
    return 2.0 * atan2(hypot(*axis), abs(w)), [-value if is_backward else value for value in axis]


def _axis(axis: Sequence[float]) -> str:
    unit = [value / (hypot(*axis) or 1.0) for value in axis]
    for name, value in zip("xyz", unit, strict=True):
        if abs(value) > 1.0 - 1e-9:
            return name if value > 0.0 else f"-{name}"
    return " ".join(f"{value + 0.0:.4g}" for value in unit)


def _explaining(tried: Iterable[RigidTransform], link: Pair) -> Iterator[RigidTransform]:
    """Those that move something, and make the bodies of a link the same."""
    size = link.bodies[0].gyradius
    least = 10.0 * _FITS * (size if size > 0.0 else 1.0)
    for X_AB in tried:
        is_none = _turn(X_AB.rotation)[0] < 10.0 * _FITS and hypot(*X_AB.translation) < least
        if not is_none and _explains(X_AB, link):
            yield X_AB


def _explains(X_AB: RigidTransform, link: Pair) -> bool:
    (first, other), (mass, centre, tensor, _) = link.bodies, link.other.rounding
    own = Rounding(mass, (hypot(*centre),) * 3, (hypot(*tensor),) * 6, is_turned=True)
    return {*differing(first, other.transformed(X_AB), _FITS, (link.one.rounding, own))} <= {MASS}


def _moves_centre(X_AB: RigidTransform, link: Pair) -> bool:
    second = link.bodies[1]
    return dist(X_AB.apply(second.p_BoBcm_B), second.p_BoBcm_B) > 0.01 * second.gyradius


def _by_place(link: Pair, root: Pair | None) -> Iterator[RigidTransform]:
    if link.poses is not None:
        yield link.poses[0].inverse() @ link.poses[1]
        if root is not None and root.poses is not None:
            own, other = (base.inverse() @ pose for base, pose in zip(root.poses, link.poses, strict=True))
            yield own.inverse() @ other


def _candidates(link: Pair) -> Iterator[RigidTransform]:
    """What lays axes on axes, or one body's principal axes on the other's; alone, and with the centres together."""
    first, second = link.bodies
    own, other = map(principal_frame, link.bodies)
    rotations = list(RIGHT_ANGLES)
    for signs in HALF_TURNS:
        a, b, c, d, e, f, g, h, i = (own * signs @ other.T).ravel().tolist()
        rotations.append((a, b, c, d, e, f, g, h, i))
    for rotation in rotations:
        x, y, z = (a - b for a, b in zip(first.p_BoBcm_B, rotate(rotation, second.p_BoBcm_B), strict=True))
        yield RigidTransform(rotation, (0.0, 0.0, 0.0))
        yield RigidTransform(rotation, (x, y, z))
