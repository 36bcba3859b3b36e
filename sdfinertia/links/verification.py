"""Whether a filled block still has the numbers that its file gives."""

from __future__ import annotations

from math import hypot, sqrt
from typing import TYPE_CHECKING

from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.robot.numbers import half_unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.inertia.spatial_inertia import InertiaTensor
    from sdfinertia.links.computed import Computed
    from sdfinertia.robot.inertial import Written

# Differences below this part of a number's scale are no finding: a mesh exported again moves its last bits.
_RELATIVE_SLACK = 1e-9

# How far rounding may move a number of a turned tensor, as a part of its trace.
_TURNING = 1e-13


def differs_from(computed: Computed, written: Written, *, mass_given: bool) -> bool:
    """Whether a number differs by more than half a unit of its last digit and a sliver of its scale.

    The scale is the size of the body for the centre, the moment itself for a moment, the geometric mean of its two
    moments, which bounds it, for a product. A given mass is not compared.
    """
    digits = computed.options.digits
    new, old = computed.inertia, written.inertia
    x, y, z = new.p_BoBcm_B
    size = max(sqrt(x * x + y * y + z * z), new.gyradius)
    pairs = [(a, b, size, 0.0) for a, b in zip(new.p_BoBcm_B, old.p_BoBcm_B, strict=True)]
    if not mass_given:
        pairs.append((new.mass, old.mass, new.mass, 0.0))
    pairs += _moments(computed, written, digits)
    # `not ... <=` so that a NaN differs.
    return any(
        not abs(a - b) <= half_unit(b, digits) + rounding + _RELATIVE_SLACK * scale for a, b, scale, rounding in pairs
    )


def _moments(computed: Computed, written: Written, digits: int) -> Iterator[tuple[float, float, float, float]]:
    """Each moment, product and principal moment: computed, written, its scale, and the error of rounding."""
    new, old = computed.inertia.I_BBcm_B, written.inertia.I_BBcm_B
    noise = _TURNING * new.trace
    # A tensor in other axes than the link's was rounded there, and turned when it was read.
    turned = noise + _rounding(written.tensor, digits) if written.tensor != old else 0.0
    for a, b in zip(new[:3], old[:3], strict=True):
        yield a, b, a, turned
    squares = (new.ixx * new.iyy, new.ixx * new.izz, new.iyy * new.izz)
    for a, b, square in zip(new[3:], old[3:], squares, strict=True):
        yield a, b, sqrt(abs(square)), noise + turned
    is_diagonal = written.tensor[3:] == (0.0, 0.0, 0.0)
    rounding = 0.0 if is_diagonal else noise + _rounding(written.tensor, digits)
    moments = sorted(computed.principal_axes().moments)
    for a, b in zip(moments, principal_moments(written.tensor), strict=True):
        yield a, b, a, rounding


def _rounding(tensor: InertiaTensor, digits: int) -> float:
    """How far rounding the entries of a tensor moves its eigenvalues at most (Weyl; Frobenius norm)."""
    moments, products = tensor[:3], tensor[3:]
    return hypot(*(half_unit(value, digits) for value in (*moments, *products, *products)))
