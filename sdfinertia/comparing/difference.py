"""By how much two bodies differ that should be the same, in the same axes."""

from __future__ import annotations

from itertools import product as combinations
from math import acos, degrees, dist, isfinite, isnan
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.comparing.rounding import Rounding, together
from sdfinertia.inertia.principal_axes import COINCIDENT
from sdfinertia.robot.inertial import MASS, POSE, TENSOR, InertialPart

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia

# Part of the largest moment: principal moments nearer to each other have no axes to compare.
_DISTINCT = 1e-3
# Relative rounding noise.
_NOISE = 1e-13


class Difference(NamedTuple):
    """How the second of two bodies differs from the first.

    Attributes:
        mass: its mass over that of the first.
        centre: distance of the centres of mass (m).
        moment: the largest factor between principal moments, sorted; above 1 where those of the second are larger.
        angle: between the principal axes (°); None where moments coincide.
        entries: differences of ixx iyy izz ixy ixz iyz about the centre (kg·m²).
        parts: the quantities that differ by more than the tolerance and the rounding.
    """

    mass: float
    centre: float
    moment: float
    angle: float | None
    entries: tuple[float, ...]
    parts: frozenset[InertialPart]

    @property
    def size(self) -> float:
        """How bad it is: the largest of the relative changes, for sorting."""
        return max(_factor(self.mass), _factor(self.moment), (self.angle or 0.0) / 45.0)


def _factor(ratio: float) -> float:
    if not (isfinite(ratio) and ratio > 0.0):
        return float("inf")
    return max(ratio, 1.0 / ratio) - 1.0


def difference(
    one: SpatialInertia, other: SpatialInertia, tolerance: float, rounding: tuple[Rounding, Rounding]
) -> Difference:
    parts = frozenset(differing(one, other, tolerance, rounding))
    moments, others = one.principal_moments(), other.principal_moments()
    ratios = [_ratio(b, a) for a, b in zip(moments, others, strict=True)]
    return Difference(
        mass=_ratio(other.mass, one.mass),
        centre=dist(one.p_BoBcm_B, other.p_BoBcm_B),
        moment=max(ratios, key=_factor),
        angle=_angle(one, other) if TENSOR in parts else 0.0,
        entries=tuple(b - a for a, b in zip(one.I_BBcm_B, other.I_BBcm_B, strict=True)),
        parts=parts,
    )


def differing(
    one: SpatialInertia, other: SpatialInertia, tolerance: float, rounding: tuple[Rounding, Rounding]
) -> list[InertialPart]:
    """Which of MASS, POSE (the centre) and TENSOR differ by more than a part of their scale, and rounding.

    The scales are the mass, the radius of gyration, and the largest moment.
    """
    (first, second), found = rounding, []
    is_turned = first.is_turned or second.is_turned
    mass = max(abs(one.mass), abs(other.mass))
    if not abs(one.mass - other.mass) <= tolerance * mass + together(first.mass, second.mass, is_turned=False):
        found.append(MASS)
    arm = max(map(abs, (*one.p_BoBcm_B, *other.p_BoBcm_B)))
    size = max((body.gyradius for body in (one, other) if not isnan(body.gyradius)), default=0.0)
    limit = tolerance * (size or arm) + _NOISE * arm
    if any(
        not abs(a - b) <= limit + together(u, v, is_turned=False)
        for a, b, u, v in zip(one.p_BoBcm_B, other.p_BoBcm_B, first.centre, second.centre, strict=True)
    ):
        found.append(POSE)
    largest = max(map(abs, (*one.I_BBcm_B[:3], *other.I_BBcm_B[:3])))
    limit = (tolerance + _NOISE) * largest
    if any(
        not abs(a - b) <= limit + together(u, v, is_turned=is_turned)
        for a, b, u, v in zip(one.I_BBcm_B, other.I_BBcm_B, first.tensor, second.tensor, strict=True)
    ):
        found.append(TENSOR)
    return found


def _ratio(value: float, reference: float) -> float:
    if value == reference:
        return 1.0
    return value / reference if reference else float("inf")


def _angle(one: SpatialInertia, other: SpatialInertia) -> float | None:
    """The least angle (°) of a rotation from the principal axes of one to those of the other, either way round."""
    axes = [body.principal() for body in (one, other)]
    columns = []
    for moments, rotation in axes:
        low, middle, high = order = sorted(range(3), key=moments.__getitem__)
        limit = max(COINCIDENT, _DISTINCT) * abs(moments[high])
        if not (moments[middle] - moments[low] > limit and moments[high] - moments[middle] > limit):
            return None
        columns.append([rotation[k::3] for k in order])
    (a, b, c), (u, v, w) = columns
    cosines = [sum(x * y for x, y in zip(p, q, strict=True)) for p, q in ((a, u), (b, v), (c, w))]
    # Two axes may be turned round; the third follows, and for a proper rotation its sign with them.
    third = _dot_cross(a, b, c) * _dot_cross(u, v, w)
    traces = (s * cosines[0] + t * cosines[1] + s * t * third * cosines[2] for s, t in combinations((1, -1), repeat=2))
    return degrees(acos(min(1.0, max(-1.0, 0.5 * (max(traces) - 1.0)))))


def _dot_cross(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    """Whether three axes are right-handed (1) or not (-1)."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = a, b, c
    return 1.0 if (ay * bz - az * by) * cx + (az * bx - ax * bz) * cy + (ax * by - ay * bx) * cz > 0.0 else -1.0
