"""How far the rounding of written digits may have moved the numbers of a link."""

from __future__ import annotations

from math import floor, hypot, log10
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.inertia.numeral import numeral
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, Rotation, Vector3

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.written_block import WrittenBlock

Six = tuple[float, float, float, float, float, float]

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
    centre: Vector3
    tensor: Six
    is_turned: bool = False


EXACT = Rounding(0.0, (0.0, 0.0, 0.0), (0.0,) * 6)


def together(one: float, other: float, *, is_turned: bool) -> float:
    """How far two numbers may differ; those with equally many digits in the same axes are compared exactly."""
    return 0.0 if one == other and not is_turned else one + other


def significant_digits(texts: Sequence[str]) -> int:
    """The most significant digits that any of some numbers has."""
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
        own = numeral(block.mass_text)
        mass = _of_digits(block.mass, digits_of_masses) if own is not None else 0.0
    size = inertia.gyradius
    centre = _half_units(block.centre_texts, max(size if size == size else 0.0, *map(abs, block.centre)))
    entries = _half_units(block.entry_texts, largest)
    is_turned = block.rotation != IDENTITY_ROTATION
    x, y, z = centre
    if not is_turned:
        return Rounding(mass, (x, y, z), _six(entries), is_turned=False)
    if any(block.angle_texts):
        angle = sum(_half_units(block.angle_texts, 1.0))
    else:
        # A quaternion with as many digits: its four numbers turn by twice what they are off together.
        angle = 2.0 * 10.0 ** -(significant_digits(block.entry_texts) or 15)
    moments = block.tensor[:3]
    # Turned by δ, the tensor changes by δ × I - I × δ, of which no entry is more than |δ| times the spread of moments.
    turned = angle * 2.0 * (max(moments) - min(moments) + hypot(*block.tensor[3:]))
    return Rounding(
        mass, (x, y, z), _six([each + turned for each in _rotated(entries, block.rotation)]), is_turned=True
    )


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
    """The half unit of each number; for a coarse one, such as `0`, that of the finest number beside it."""
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


def _of_digits(value: float, digits: int) -> float:
    return 0.5 * 10.0 ** (floor(log10(abs(value))) - digits + 1)


def _rotated(entries: Sequence[float], R_LC: Rotation) -> list[float]:
    """Bounds on how far each entry of R T Rᵀ moves, given those of T."""
    xx, yy, zz, xy, xz, yz = entries
    rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    turn = [[abs(value) for value in R_LC[3 * k : 3 * k + 3]] for k in range(3)]

    def moved(i: int, j: int) -> float:
        return sum(turn[i][k] * rows[k][m] * turn[j][m] for k in range(3) for m in range(3))

    return [moved(0, 0), moved(1, 1), moved(2, 2), moved(0, 1), moved(0, 2), moved(1, 2)]


def _six(values: Sequence[float]) -> Six:
    a, b, c, d, e, f = values
    return (a, b, c, d, e, f)
