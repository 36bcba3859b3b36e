"""Link frames that differ: one rotation or offset that makes the inertials of a link, or of several, the same."""

from __future__ import annotations

from math import acos, degrees, dist, hypot
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.causes.operations import RIGHT_ANGLES
from sdfinertia.comparing.difference import Rounding, differing
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, Rotation, product, rotate, transpose
from sdfinertia.robot.inertial import MASS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.comparing.robots import ComparedBody
    from sdfinertia.inertia.spatial_inertia import SpatialInertia

# Frames are exported with five digits or so; of angles (rad), and of lengths beside the size of a body.
_FITS = 1e-4
# Links among which a transformation for several is searched.
_SAMPLE = 24


class Pair(NamedTuple):
    """A link in both descriptions."""

    one: ComparedBody
    other: ComparedBody

    @property
    def bodies(self) -> tuple[SpatialInertia, SpatialInertia]:
        assert self.one.inertia is not None, "both have an inertial"
        assert self.other.inertia is not None, "both have an inertial"
        return self.one.inertia, self.other.inertia

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
    found = [_by_place(link, root) for link in links]
    sample = [link for link, X_AB in zip(links, found, strict=True) if X_AB is None][:_SAMPLE]
    tried = (X_AB for link in sample for X_AB in _candidates(link))
    common = next(
        (each for each in tried if sum(_moves_centre(each, one) and _explains(each, one) for one in sample) > 1), None
    )
    if common is None:
        return found
    return [
        common if X_AB is None and _explains(common, link) else X_AB for link, X_AB in zip(links, found, strict=True)
    ]


def in_words(X_AB: RigidTransform) -> str:
    offset = " ".join(f"{value + 0.0:.6g}" for value in X_AB.translation)
    angle = degrees(_angle(X_AB.rotation))
    axis = _axis(X_AB.rotation)
    parts = [f"turned by {angle:.4g}° about {axis}"] if angle > 1e-4 else []
    if hypot(*X_AB.translation) > 0.0:
        parts.append(f"offset by {offset} m")
    return " and ".join(parts)


def _angle(rotation: Rotation) -> float:
    return acos(max(-1.0, min(1.0, 0.5 * (rotation[0] + rotation[4] + rotation[8] - 1.0))))


def _axis(rotation: Rotation) -> str:
    xx, xy, xz, yx, yy, yz, zx, zy, zz = rotation
    vector = (zy - yz, xz - zx, yx - xy)
    if hypot(*vector) < 1e-6:
        # Half a turn: the largest column of R + 1.
        columns = [(xx + 1.0, yx, zx), (xy, yy + 1.0, zy), (xz, yz, zz + 1.0)]
        vector = max(columns, key=lambda column: hypot(*column))
    length = hypot(*vector) or 1.0
    unit = [value / length for value in vector]
    for name, k in (("x", 0), ("y", 1), ("z", 2)):
        if abs(unit[k]) > 1.0 - 1e-9:
            return name if unit[k] > 0.0 else f"-{name}"
    return " ".join(f"{value + 0.0:.4g}" for value in unit)


def _explains(X_AB: RigidTransform, link: Pair) -> bool:
    (first, other), second = link.bodies, link.other.rounding
    centre, tensor = hypot(*second.centre), hypot(*second.tensor)
    own = Rounding(second.mass, (centre,) * 3, (tensor,) * 6, is_turned=True)
    return {*differing(first, other.transformed(X_AB), _FITS, (link.one.rounding, own))} <= {MASS}


def _is_none(X_AB: RigidTransform, link: Pair) -> bool:
    size = link.bodies[0].gyradius
    return _angle(X_AB.rotation) < 10.0 * _FITS and hypot(*X_AB.translation) < 10.0 * _FITS * (
        size if size > 0.0 else 1.0
    )


def _by_place(link: Pair, root: Pair | None) -> RigidTransform | None:
    if link.poses is None:
        return None
    tried = [link.poses[0].inverse() @ link.poses[1]]
    if root is not None and root.poses is not None:
        own, other = (base.inverse() @ pose for base, pose in zip(root.poses, link.poses, strict=True))
        tried.append(own.inverse() @ other)
    return next((each for each in tried if not _is_none(each, link) and _explains(each, link)), None)


def rotation_between(link: Pair) -> RigidTransform | None:
    """A rotation alone that the centre of mass, which it moves, confirms."""
    for rotation in _rotations(link):
        X_AB = RigidTransform(rotation, (0.0, 0.0, 0.0))
        if _moves_centre(X_AB, link) and _explains(X_AB, link):
            return X_AB
    return None


def _moves_centre(X_AB: RigidTransform, link: Pair) -> bool:
    second = link.bodies[1]
    return dist(X_AB.apply(second.p_BoBcm_B), second.p_BoBcm_B) > 0.01 * second.gyradius


def _candidates(link: Pair) -> Iterator[RigidTransform]:
    first, second = link.bodies
    for rotation in (IDENTITY_ROTATION, *_rotations(link)):
        x, y, z = (a - b for a, b in zip(first.p_BoBcm_B, rotate(rotation, second.p_BoBcm_B), strict=True))
        for offset in ((0.0, 0.0, 0.0), (x, y, z)):
            X_AB = RigidTransform(rotation, offset)
            if not _is_none(X_AB, link) and _explains(X_AB, link):
                yield X_AB


def _rotations(link: Pair) -> Iterator[Rotation]:
    yield from RIGHT_ANGLES[1:]
    # Of the same moments along other axes: one on the other, turned round about each.
    (moments, own), (others, other) = (body.principal() for body in link.bodies)
    order, turned = (sorted(range(3), key=each.__getitem__) for each in (moments, others))
    own, other = _ordered(own, order), _ordered(other, turned)
    for signs in ((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)):
        yield product(_with_signs(own, signs), transpose(other))


def _ordered(rotation: Rotation, order: Sequence[int]) -> Rotation:
    u, v, _ = (rotation[k::3] for k in order)
    w = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return (u[0], v[0], w[0], u[1], v[1], w[1], u[2], v[2], w[2])


def _with_signs(rotation: Rotation, signs: Sequence[float]) -> Rotation:
    a, b, c, d, e, f, g, h, i = (value * signs[k % 3] for k, value in enumerate(rotation))
    return (a, b, c, d, e, f, g, h, i)
