"""By how much two bodies differ that should be the same, in the same axes, beyond the rounding of written digits."""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, degrees, dist, floor, hypot, isfinite, isnan, log10
from typing import NamedTuple

import numpy as np

from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.inertial_text import numeral
from sdfinertia.inertia.principal_axes import COINCIDENT
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform
from sdfinertia.inertia.tensor_arrays import components_of, matrices
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.robot.inertial import MASS, POSE, TENSOR, InertialPart

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


def significant_digits(texts: Sequence[str]) -> int:
    return max((len(found.significant) for text in texts if (found := numeral(text)) is not None), default=0)


def rounding_of(block: WrittenBlock, digits_of_masses: int) -> Rounding:
    """The rounding of a written block.

    Args:
        digits_of_masses: the most significant digits that a mass of the file has; a shorter one lacks its zeros.
    """
    (mass,) = _half_units((block.mass_text,), abs(block.mass))
    if mass == 0.0 and block.mass and digits_of_masses >= 3:
        # `%g` and `repr` leave out zeros at the end.
        last = floor(log10(abs(block.mass))) - digits_of_masses + 1
        mass = 0.5 * 10.0**last if numeral(block.mass_text) is not None else 0.0
    size = block.inertia.gyradius
    centre = tuple(_half_units(block.centre_texts, max(size if size == size else 0.0, *map(abs, block.centre))))
    entries = _half_units(block.entry_texts, max(map(abs, block.tensor)))
    if block.rotation == IDENTITY_ROTATION:
        return Rounding(mass, centre, tuple(entries))
    # A quaternion with as many digits: its four numbers turn by twice what they are off together.
    angle = 2.0 * 10.0 ** -(significant_digits(block.entry_texts) or 15)
    if any(block.angle_texts):
        angle = sum(_half_units(block.angle_texts, 1.0))
    moments = block.tensor[:3]
    # Turned by δ, the tensor changes by δ × I - I × δ, of which no entry is more than |δ| times the spread of moments.
    turned = angle * 2.0 * (max(moments) - min(moments) + hypot(*block.tensor[3:]))
    R = np.abs(np.array(block.rotation).reshape(3, 3))
    largest = components_of(R @ matrices(np.array(entries)) @ R.T) + turned
    return Rounding(mass, centre, tuple(largest.tolist()), is_turned=True)


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


def _half_units(texts: Sequence[str], scale: float) -> list[float]:
    units = [each.half_unit if (each := numeral(text)) is not None else None for text in texts]
    # Zeros at the end may be left out, and no number of the same writer has fewer decimals.
    finest = min((unit for unit in units if unit is not None), default=0.0)
    finest = finest if finest <= COARSEST * scale else 0.0
    return [unit if unit <= COARSEST * scale else finest for unit in (unit or 0.0 for unit in units)]


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
    first, second = rounding
    is_turned = first.is_turned or second.is_turned
    arm = max(map(abs, (*one.p_BoBcm_B, *other.p_BoBcm_B)))
    size = max((body.gyradius for body in (one, other) if not isnan(body.gyradius)), default=0.0)
    moment = max(map(abs, (*one.I_BBcm_B[:3], *other.I_BBcm_B[:3])))
    of_mass = tolerance * max(abs(one.mass), abs(other.mass))
    of_centre, of_tensor = tolerance * (size or arm) + _NOISE * arm, (tolerance + _NOISE) * moment
    compared: tuple[tuple[InertialPart, float, bool, tuple[Sequence[float], ...]], ...] = (
        (MASS, of_mass, False, ((one.mass,), (other.mass,), (first.mass,), (second.mass,))),
        (POSE, of_centre, False, (one.p_BoBcm_B, other.p_BoBcm_B, first.centre, second.centre)),
        (TENSOR, of_tensor, is_turned, (one.I_BBcm_B, other.I_BBcm_B, first.tensor, second.tensor)),
    )
    # Those with equally many digits in the same axes are compared exactly.
    return [
        part
        for part, limit, turned, numbers in compared
        if any(
            not abs(a - b) <= limit + (0.0 if u == v and not turned else u + v)
            for a, b, u, v in zip(*numbers, strict=True)
        )
    ]


def _ratio(value: float, reference: float) -> float:
    if value == reference:
        return 1.0
    return value / reference if reference else float("inf")


# The identity, and half a turn about each axis: what leaves the axes of three different moments where they are.
HALF_TURNS = np.array([(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)])


def principal_frame(body: SpatialInertia) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """(3, 3), a right-handed frame of its principal axes in columns, the least moment first."""
    moments, rotation = body.principal()
    axes = np.array(rotation).reshape(3, 3)[:, np.argsort(moments, kind="stable")]
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    return axes


def _angle(one: SpatialInertia, other: SpatialInertia) -> float | None:
    for body in (one, other):
        low, middle, high = sorted(body.principal().moments)
        limit = max(COINCIDENT, _DISTINCT) * abs(high)
        if not (middle - low > limit and high - middle > limit):
            return None
    cosines = (principal_frame(one) * principal_frame(other)).sum(0)
    return degrees(acos(min(1.0, max(-1.0, 0.5 * (float((HALF_TURNS @ cosines).max()) - 1.0)))))
