"""By how much two bodies differ that should be the same, in the same axes, beyond the rounding of written digits."""

from __future__ import annotations

from itertools import product as combinations
from math import acos, degrees, dist, floor, hypot, isfinite, isnan, log10
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.inertia.inertial_text import numeral
from sdfinertia.inertia.principal_axes import COINCIDENT
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, Rotation
from sdfinertia.robot.inertial import MASS, POSE, TENSOR, InertialPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.robot.inertial import WrittenBlock

# A half unit above this part of the scale of a quantity (fewer than three digits) is no harmless rounding.
COARSEST = 5e-3
# The coarsest rounding of the places of links joined by fixed joints (m, rad): π/2 as 1.5708 is 4e-6 off.
_PLACES = 5e-6


class Rounding(NamedTuple):
    """Half units of the last digits, propagated to the link's axes.

    Attributes:
        mass: kg.
        centre: m.
        tensor: about the centre (kg·m²), in the order of `InertiaTensor`.
        is_turned: whether the tensor is written in other axes than the link's.
    """

    mass: float
    centre: tuple[float, ...]
    tensor: tuple[float, ...]
    is_turned: bool = False


EXACT = Rounding(0.0, (0.0, 0.0, 0.0), (0.0,) * 6)


def together(one: float, other: float, *, is_turned: bool) -> float:
    """How far two numbers may differ; those with equally many digits in the same axes are compared exactly."""
    return 0.0 if one == other and not is_turned else one + other


def significant_digits(texts: Sequence[str]) -> int:
    return max((len(found.significant) for text in texts if (found := numeral(text)) is not None), default=0)


def rounding_of(block: WrittenBlock, digits_of_masses: int) -> Rounding:
    """The rounding of a written block.

    Args:
        digits_of_masses: the most significant digits that a mass of the file has; a shorter one lacks its zeros.
    """
    inertia = block.inertia
    largest = max(map(abs, block.tensor))
    mass = _half_unit(block.mass_text, abs(block.mass))
    if mass == 0.0 and block.mass and digits_of_masses >= 3:
        # `%g` and `repr` leave out zeros at the end.
        last = floor(log10(abs(block.mass))) - digits_of_masses + 1
        mass = 0.5 * 10.0**last if numeral(block.mass_text) is not None else 0.0
    size = inertia.gyradius
    centre = _half_units(block.centre_texts, max(size if size == size else 0.0, *map(abs, block.centre)))
    entries = _half_units(block.entry_texts, largest)
    is_turned = block.rotation != IDENTITY_ROTATION
    if not is_turned:
        return Rounding(mass, tuple(centre), tuple(entries), is_turned=False)
    if any(block.angle_texts):
        angle = sum(_half_units(block.angle_texts, 1.0))
    else:
        # A quaternion with as many digits: its four numbers turn by twice what they are off together.
        angle = 2.0 * 10.0 ** -(significant_digits(block.entry_texts) or 15)
    moments = block.tensor[:3]
    # Turned by δ, the tensor changes by δ × I - I × δ, of which no entry is more than |δ| times the spread of moments.
    turned = angle * 2.0 * (max(moments) - min(moments) + hypot(*block.tensor[3:]))
    tensor = tuple(each + turned for each in _rotated(entries, block.rotation))
    return Rounding(mass, tuple(centre), tensor, is_turned=True)


def rounding_of_sum(
    parts: Sequence[tuple[SpatialInertia, Rounding, RigidTransform]], total: SpatialInertia
) -> Rounding:
    """The rounding of a sum of links at their places, which are assumed to have five decimals."""
    if len(parts) == 1 and parts[0][2].is_identity:
        return parts[0][1]
    mass = moment = tensor = 0.0
    for body, rounding, X_GL in parts:
        arm = hypot(*(a - b for a, b in zip(X_GL.apply(body.p_BoBcm_B), total.p_BoBcm_B, strict=True)))
        centre = max(rounding.centre)
        if not X_GL.is_identity:
            centre += _PLACES * (1.0 + hypot(*body.p_BoBcm_B)) * 0.1
        mass += rounding.mass
        moment += body.mass * centre + rounding.mass * arm
        tensor += hypot(*rounding.tensor) + rounding.mass * arm * arm + 2.0 * body.mass * arm * centre
        tensor += _PLACES * max(map(abs, body.I_BBcm_B)) if not X_GL.is_identity else 0.0
    centre = moment / total.mass if total.mass else 0.0
    return Rounding(mass, (centre,) * 3, (tensor,) * 6, is_turned=True)


def _half_unit(text: str, scale: float) -> float:
    found = numeral(text)
    return found.half_unit if found is not None and found.half_unit <= COARSEST * scale else 0.0


def _half_units(texts: Sequence[str], scale: float) -> list[float]:
    units = [each.half_unit for text in texts if (each := numeral(text)) is not None]
    # Zeros at the end may be left out, and no number of the same writer has fewer decimals.
    finest = min(units, default=0.0)
    finest = finest if finest <= COARSEST * scale else 0.0
    found = []
    for text in texts:
        each = numeral(text)
        unit = each.half_unit if each is not None else 0.0
        found.append(unit if unit <= COARSEST * scale else finest)
    return found


def _rotated(entries: Sequence[float], R_LC: Rotation) -> list[float]:
    xx, yy, zz, xy, xz, yz = entries
    rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    turn = [[abs(value) for value in R_LC[3 * k : 3 * k + 3]] for k in range(3)]

    def moved(i: int, j: int) -> float:
        return sum(turn[i][k] * rows[k][m] * turn[j][m] for k in range(3) for m in range(3))

    return [moved(0, 0), moved(1, 1), moved(2, 2), moved(0, 1), moved(0, 2), moved(1, 2)]


# The difference -------------------------------------------------------------------------------------------------------

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
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = a, b, c
    return 1.0 if (ay * bz - az * by) * cx + (az * bx - ax * bz) * cy + (ax * by - ay * bx) * cz > 0.0 else -1.0
