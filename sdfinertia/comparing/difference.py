"""By how much two bodies differ that should be the same, in the same axes, beyond the rounding of written digits."""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, degrees, dist, floor, hypot, inf, isnan, log10
from typing import NamedTuple

import numpy as np

from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.inertial_text import numeral
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform
from sdfinertia.inertia.tensor_arrays import components_of, matrices
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.robot.inertial import MASS, POSE, TENSOR, InertialPart

COARSEST = 5e-3  # of the scale of a quantity: a half unit above it (fewer than three digits) is no harmless rounding
# The coarsest rounding of the places of links joined by fixed joints (m, rad): π/2 as 1.5708 is 4e-6 off.
_PLACES = 5e-6
_DISTINCT = 1e-3  # of the largest moment: principal moments nearer to each other have no axes to compare
_NOISE = 1e-13  # relative, of rounding


# Of mass, centre and tensor: the half units of the last digits, in the link's axes (kg, m, kg·m² about the centre).
Rounding = tuple[float, ...]
EXACT: Rounding = (0.0,) * 10
_PARTS: tuple[InertialPart, ...] = (MASS, *(POSE,) * 3, *(TENSOR,) * 6)


def significant_digits(texts: Sequence[str]) -> int:
    return max((len(found.significant) for text in texts if (found := numeral(text)) is not None), default=0)


def rounding_of(block: WrittenBlock, digits_of_masses: int) -> Rounding:
    """Of a written block; a mass with fewer digits than another of the file may lack zeros at its end."""
    (mass,) = _half_units((block.mass_text,), abs(block.mass))
    if mass == 0.0 and block.mass and block.mass_text and digits_of_masses >= 3:
        mass = 0.5 * 10.0 ** (floor(log10(abs(block.mass))) - digits_of_masses + 1)
    centre = _half_units(block.centre_texts, max(_size(block.inertia), *map(abs, block.centre)))
    entries = _half_units(block.entry_texts, max(map(abs, block.tensor)))
    if block.rotation == IDENTITY_ROTATION:
        return (mass, *centre, *entries)
    # A quaternion with as many digits: its four numbers turn by twice what they are off together.
    angle = 2.0 * 10.0 ** -(significant_digits(block.entry_texts) or 15)
    if any(block.angle_texts):
        angle = sum(_half_units(block.angle_texts, 1.0))
    # Turned by δ, the tensor changes by δ × I - I × δ, of which no entry is more than |δ| times the spread of moments.
    spread = max(block.tensor[:3]) - min(block.tensor[:3]) + hypot(*block.tensor[3:])
    R = np.abs(np.array(block.rotation).reshape(3, 3))
    turned = components_of(R @ matrices(np.array(entries)) @ R.T) + 2.0 * angle * spread
    return (mass, *centre, *turned.tolist())


def rounding_of_sum(
    parts: Sequence[tuple[SpatialInertia, Rounding, RigidTransform]], total: SpatialInertia
) -> Rounding:
    """Of a sum of links at their places, which are assumed to have five decimals."""
    mass = moment = tensor = 0.0
    for body, rounding, X_GL in parts:
        place = 0.0 if X_GL.is_identity else _PLACES
        arm = dist(X_GL.apply(body.p_BoBcm_B), total.p_BoBcm_B)
        centre = max(rounding[1:4]) + 0.1 * place * (1.0 + hypot(*body.p_BoBcm_B))
        mass += rounding[0]
        moment += body.mass * centre + rounding[0] * arm
        tensor += hypot(*rounding[4:]) + place * max(map(abs, body.I_BBcm_B))
        tensor += rounding[0] * arm * arm + 2.0 * body.mass * arm * centre
    centre = moment / total.mass if total.mass else 0.0
    return (mass, *(centre,) * 3, *(tensor,) * 6)


def _half_units(texts: Sequence[str], scale: float) -> tuple[float, ...]:
    units = [each.half_unit if each is not None else 0.0 for each in map(numeral, texts)]
    # Zeros at the end may be left out, and no number of the same writer has fewer decimals.
    finest = min(filter(None, units), default=0.0)
    return tuple(next((each for each in (unit, finest) if each <= COARSEST * scale), 0.0) for unit in units)


def _size(*bodies: SpatialInertia) -> float:
    return max((body.gyradius for body in bodies if not isnan(body.gyradius)), default=0.0)


class Difference(NamedTuple):
    """How the second of two bodies differs from the first."""

    mass: float  # over that of the first
    centre: float  # distance of the centres of mass (m)
    moment: float  # the largest factor between principal moments, sorted
    angle: float | None  # between the principal axes (°); None where moments coincide
    entries: tuple[float, ...]  # differences of ixx iyy izz ixy ixz iyz about the centre (kg·m²)
    parts: frozenset[InertialPart]  # what differs by more than the tolerance and the rounding

    @property
    def size(self) -> float:
        """How bad it is: the largest of the relative changes, for sorting."""
        return max(_change(self.mass), _change(self.moment), (self.angle or 0.0) / 45.0)


def difference(
    one: SpatialInertia, other: SpatialInertia, tolerance: float, rounding: tuple[Rounding, Rounding]
) -> Difference:
    parts = differing(one, other, tolerance, rounding)
    moments = zip(other.principal_moments(), one.principal_moments(), strict=True)
    return Difference(
        mass=_ratio(other.mass, one.mass),
        centre=dist(one.p_BoBcm_B, other.p_BoBcm_B),
        moment=max((_ratio(b, a) for b, a in moments), key=_change),
        angle=_angle(one, other) if TENSOR in parts else 0.0,
        entries=tuple(b - a for a, b in zip(one.I_BBcm_B, other.I_BBcm_B, strict=True)),
        parts=parts,
    )


def differing(
    one: SpatialInertia, other: SpatialInertia, tolerance: float, rounding: tuple[Rounding, Rounding]
) -> frozenset[InertialPart]:
    """Which of MASS, POSE (the centre) and TENSOR differ by more than a part of their scale, and rounding.

    The scales are the mass, the radius of gyration, and the largest moment.
    """
    arm = max(map(abs, (*one.p_BoBcm_B, *other.p_BoBcm_B)))
    limits = {
        MASS: tolerance * max(abs(one.mass), abs(other.mass)),
        POSE: tolerance * (_size(one, other) or arm) + _NOISE * arm,
        TENSOR: (tolerance + _NOISE) * max(map(abs, (*one.I_BBcm_B, *other.I_BBcm_B))),
    }
    numbers = [(body.mass, *body.p_BoBcm_B, *body.I_BBcm_B) for body in (one, other)]
    # Numbers with equally many digits in the same axes are compared exactly.
    return frozenset(
        part
        for part, a, b, u, v in zip(_PARTS, *numbers, *rounding, strict=True)
        if not abs(a - b) <= limits[part] + (u + v if u != v else 0.0)
    )


def _ratio(value: float, reference: float) -> float:
    if value == reference:
        return 1.0
    return value / reference if reference else inf


def _change(ratio: float) -> float:
    return max(ratio, 1.0 / ratio) - 1.0 if 0.0 < ratio < inf else inf


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
        if not min(middle - low, high - middle) > _DISTINCT * abs(high):
            return None
    cosines = (principal_frame(one) * principal_frame(other)).sum(0)
    return degrees(acos(min(1.0, max(-1.0, 0.5 * (float((HALF_TURNS @ cosines).max()) - 1.0)))))
