"""A body made heavier, denser, or larger: what becomes of its mass, centre of mass and tensor, in plain floats."""

from __future__ import annotations

from math import isfinite

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia


def rescaled_to_mass(inertia: SpatialInertia, mass: float) -> SpatialInertia:
    """The body of the same shape with another mass: the tensor is in proportion to it, the centre stays.

    Args:
        inertia: in any frame.
        mass: (kg).

    Raises:
        InertiaError: one of the masses is not above zero and finite.
    """
    _require_positive("a mass", "kg", inertia.mass)
    _require_positive("a mass", "kg", mass)
    return inertia.scaled_to_mass(mass)


def rescaled_to_density(inertia: SpatialInertia, density: float, volume: float) -> SpatialInertia:
    """The body of the same shape with the mass that its volume has at a density.

    Args:
        inertia: in any frame.
        density: (kg/m³).
        volume: of the body (m³).

    Raises:
        InertiaError: the density, the volume or the mass of the body is not above zero and finite.
    """
    _require_positive("a density", "kg/m³", density)
    _require_positive("a volume", "m³", volume)
    return rescaled_to_mass(inertia, density * volume)


def rescaled_in_size(inertia: SpatialInertia, factors: Vector3) -> SpatialInertia:
    """The body stretched along the axes of its frame, from its origin, at the same density.

    With S = diag(factors), the mass grows by |det S|, the centre of mass p becomes S p, and the second-moment matrix
    about it, Σ = ∫ r rᵀ dm = tr(I)/2 · 1 - I, becomes |det S| S Σ S: substitution in the integral. A factor s along all
    three axes gives mass · s³ and tensor · s⁵. Negative factors mirror the body.

    Args:
        inertia: in the frame along whose axes it is stretched.
        factors: along x, y and z, not zero.

    Raises:
        InertiaError: a factor is zero or not finite.
    """
    sx, sy, sz = factors
    if not all(isfinite(factor) and factor != 0.0 for factor in factors):
        raise InertiaError(f"a body cannot be scaled by {sx:g} {sy:g} {sz:g}")
    growth = abs(sx * sy * sz)
    x, y, z = inertia.p_BoBcm_B
    xx, yy, zz, xy, xz, yz = inertia.I_BBcm_B
    tensor = InertiaTensor(
        growth * _stretched_moment(xx, yy, zz, sy * sy, sz * sz),
        growth * _stretched_moment(yy, xx, zz, sx * sx, sz * sz),
        growth * _stretched_moment(zz, xx, yy, sx * sx, sy * sy),
        growth * (sx * sy * xy) + 0.0,
        growth * (sx * sz * xz) + 0.0,
        growth * (sy * sz * yz) + 0.0,
    )
    return SpatialInertia(growth * inertia.mass, (sx * x + 0.0, sy * y + 0.0, sz * z + 0.0), tensor)


def _stretched_moment(own: float, b: float, c: float, bb: float, cc: float) -> float:
    """The moment about an axis after the two others are stretched by squares bb and cc: bb Σ_bb + cc Σ_cc.

    With Σ_bb = (own + c - b)/2 and Σ_cc = (own + b - c)/2 put in, so that equal factors leave nothing to cancel.

    Args:
        own, b, c: moments about this axis and about the two others.
    """
    return 0.5 * ((bb + cc) * own + (bb - cc) * (c - b))


def _require_positive(what: str, unit: str, value: float) -> None:
    if not (isfinite(value) and value > 0.0):
        raise InertiaError(f"{what} must be a number above zero, not {value:g} {unit}")
