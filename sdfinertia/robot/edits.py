"""New texts of numbers in place of an author's: scaled, or nudged so that libsdformat takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.inertial_text import InertialText, inertial_text, is_accepted_by_libsdformat, text_as_given
from sdfinertia.inertia.rigid_transform import Rotation, transpose
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.robot.values import CHECK_TELLS_WHY, TENSOR_NAMES

_DIAGONAL = ("ixx", "iyy", "izz")
_PRODUCTS = ("ixy", "ixz", "iyz")
# Rounding to fewer digits is no mere rounding (see SDI107), and seventeen tell any two doubles apart.
_FEWEST_DIGITS, _MOST_DIGITS = 5, 17
# Ten units of one digit are one unit of the digit before it.
_MOST_UNITS = 10
# A nudge beyond this part of the largest moment is no rounding: two units of the fifth digit of 1.0000.
_LARGEST_NUDGE = Decimal("2e-4")
# From the place of a number's first digit to the exponent that its author wrote; farther apart, it is written anew.
_MOST_PLACES = 20


def in_axes(inertia: SpatialInertia, rotation: Rotation) -> SpatialInertia:
    """An inertia in the link frame, its tensor in the axes whose rotation in the link is R_LC."""
    return SpatialInertia(inertia.mass, inertia.p_BoBcm_B, inertia.I_BBcm_B.rotated(transpose(rotation)))


def scaled_text(
    inertia: SpatialInertia, *, digits: int, is_body: bool = True, principal_axes: bool = False
) -> InertialText:
    try:
        if is_body:
            return inertial_text(inertia, digits=digits, principal_axes=principal_axes)
        return text_as_given(inertia, digits=digits)
    except InertiaError:
        problem = f"scaled and written with {digits} digits, its tensor is no body's"
        raise InertiaError(problem, remedy=CHECK_TELLS_WHY) from None


def kept(old: str, new: str, value: float) -> str:
    """The old text where it is the same number, or the same with fewer digits; else the new one."""
    return old if old and float(old) in (value, float(new)) else new


def kept_tensor(olds: Sequence[str], news: Sequence[str], tensor: InertiaTensor, *, is_same: bool) -> tuple[str, ...]:
    """As `kept`, in the order of TENSOR_NAMES; turned there and back, an unchanged tensor may lose its last bits."""
    if is_same:
        return tuple(old or new for old, new in zip(olds, news, strict=True))
    return tuple(map(kept, olds, news, (getattr(tensor, name) for name in TENSOR_NAMES)))


def nudged_moments(mass: float, texts: Mapping[str, str]) -> dict[str, str]:
    """The moments with units of the last digit added until libsdformat takes the tensor; {} where none helps."""
    if not all(name in texts for name in _DIAGONAL):
        return {}
    moments = {name: Decimal(texts[name]) for name in _DIAGONAL}
    products = [float(texts.get(name, "0")) for name in _PRODUCTS]
    for nudge in _nudges(max(moments.values()), list(texts.values())):
        moved = {name: value + nudge for name, value in moments.items()}
        written = InertiaTensor(*(float(moved[name]) for name in _DIAGONAL), *products)
        if is_accepted_by_libsdformat(mass, written, must_turn=False):
            return {name: _written(moved[name], texts[name]) for name in _DIAGONAL}
    return {}


def _nudges(largest: Decimal, texts: Sequence[str]) -> Iterator[Decimal]:
    """What may be added to the moments: from the last digit written up to what rounding can do."""
    if not largest > 0:
        return
    kept = max(map(_significant_digits, texts))
    for digits in range(min(max(kept, _FEWEST_DIGITS), _MOST_DIGITS), _FEWEST_DIGITS - 1, -1):
        unit = Decimal(1).scaleb(largest.adjusted() - digits + 1)
        yield from (units * unit for units in range(1, _MOST_UNITS + 1) if units * unit <= _LARGEST_NUDGE * largest)


def _significant_digits(text: str) -> int:
    digits = "".join(map(str, Decimal(text).as_tuple().digits))
    # Of a whole number the zeros at the end may be there for its size alone.
    return len(digits if "." in text else digits.rstrip("0"))


def _written(value: Decimal, old: str) -> str:
    mark = "e" if "e" in old else "E"
    _, _, power = old.partition(mark)
    if not power:
        return f"{value:f}"
    if abs(value.adjusted() - int(power)) > _MOST_PLACES:
        return str(value)
    return f"{value.scaleb(-int(power)):f}{mark}{power}"
