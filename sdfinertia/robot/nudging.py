"""Tensors that are valid except for rounding, nudged so that libsdformat takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import InertialText, is_accepted_by_libsdformat
from sdfinertia.markup import Edit
from sdfinertia.robot import Link, known
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial

_DIAGONAL = ("ixx", "iyy", "izz")
_PRODUCTS = ("ixy", "ixz", "iyz")
# Fewer digits are more than rounding (see SDI107); seventeen distinguish any two doubles.
_FEWEST_DIGITS, _MAX_DIGITS = 5, 17
# Ten units of one digit are one unit of the digit before it.
_MAX_UNITS = 10
# A nudge beyond this part of the largest moment is no rounding: two units of the fifth digit of 1.0000.
_LARGEST_NUDGE = Decimal("2e-4")


def nudge_edits(link: Link) -> list[Edit]:
    """Moves the last digit of the moments so that libsdformat takes the tensor; [] if that is not possible."""
    old, written = link.written_texts(), link.written_inertia()
    if old is None or written is None or not link.has_tensor:
        return []
    texts = {name: text for name, text in zip(TENSOR_NAMES, old.tensor, strict=True) if text}
    texts.update(moments := nudged_moments(written.inertia.mass, texts))
    if not moments:
        return []
    tensor = tuple(texts.get(name, "") for name in TENSOR_NAMES)
    edits = link.edits(NewInertial(InertialText("", "", tensor), keeps_pose=True, keeps_axes=True))
    block = link.new_block(edits)
    read = known(link.model.read_inertial(block).tensor) if block is not None else None
    are_read = read is not None and all(value == float(text) for value, text in zip(read, tensor, strict=True) if text)
    return edits if are_read else []


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
            forms = {name: "" if "e" in texts[name].lower() else "f" for name in _DIAGONAL}
            return {name: format(moved[name], form) for name, form in forms.items()}
    return {}


def _nudges(largest: Decimal, texts: Sequence[str]) -> Iterator[Decimal]:
    if not largest > 0:
        return
    kept = max(map(_significant_digits, texts))
    for digits in range(min(max(kept, _FEWEST_DIGITS), _MAX_DIGITS), _FEWEST_DIGITS - 1, -1):
        unit = Decimal(1).scaleb(largest.adjusted() - digits + 1)
        yield from (units * unit for units in range(1, _MAX_UNITS + 1) if units * unit <= _LARGEST_NUDGE * largest)


def _significant_digits(text: str) -> int:
    digits = "".join(map(str, Decimal(text).as_tuple().digits))
    # Of a whole number the zeros at the end may be there for its size alone.
    return len(digits if "." in text else digits.rstrip("0"))
