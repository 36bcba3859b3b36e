"""Nudging: the last digit of a tensor moved, where rounding alone makes libsdformat refuse it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from sdfinertia.inertia.inertial_text import is_accepted_by_libsdformat
from sdfinertia.inertia.spatial_inertia import InertiaTensor

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


def nudged_moments(mass: float, texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of the three moments, with units of the last digit kept added until libsdformat takes the tensor.

    The numbers keep the form that their author gave them. There are none if no nudge of the size of rounding helps, or
    a moment is not written.

    Args:
        mass: in kg.
        texts: of the entries of the tensor that are written, by name.
    """
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
    """What may be added to the moments, from the last digit that the author kept up to what rounding can do.

    Numbers lose their trailing zeros, so that the most digits of any entry are those that were kept of the largest.
    """
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
    """The value in the form of an old text: with the same exponent, or with none."""
    mark = "e" if "e" in old else "E"
    _, _, power = old.partition(mark)
    if not power:
        return f"{value:f}"
    if abs(value.adjusted() - int(power)) > _MOST_PLACES:
        return str(value)
    return f"{value.scaleb(-int(power)):f}{mark}{power}"
