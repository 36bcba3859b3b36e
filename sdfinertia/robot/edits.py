"""New texts of numbers in place of an author's: scaled, or nudged so that libsdformat takes them."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.inertial_text import (
    InertialText,
    format_number,
    inertial_text,
    is_accepted_by_libsdformat,
    text_as_given,
)
from sdfinertia.inertia.rigid_transform import rpy_from_rotation, transpose
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial, Texts, Written
from sdfinertia.robot.problems import CHECK_TELLS_WHY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sdfinertia.markup.document import Comment, Edit
    from sdfinertia.robot.link import Link

_DIAGONAL = ("ixx", "iyy", "izz")
_PRODUCTS = ("ixy", "ixz", "iyz")
# Fewer digits are more than rounding (see SDI107); seventeen distinguish any two doubles.
_FEWEST_DIGITS, _MAX_DIGITS = 5, 17
# Ten units of one digit are one unit of the digit before it.
_MAX_UNITS = 10
# A nudge beyond this part of the largest moment is no rounding: two units of the fifth digit of 1.0000.
_LARGEST_NUDGE = Decimal("2e-4")
# From the place of a number's first digit to the exponent that its author wrote; farther apart, it is written anew.
_MAX_PLACES = 20


def scalable_inertia(link: Link) -> SpatialInertia:
    """The explicit inertia; raises an error where it is incomplete, or is to be computed."""
    if link.inertial is None:
        raise InertiaError("it has no <inertial> to scale", remedy="`sdfinertia fill --missing` gives it one")
    link.model.require_explicit(link)
    written = link.written_inertia()
    assert written is not None, "what is scalable is there"
    return written.inertia


def scale_edits(
    link: Link, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool = True
) -> list[Edit]:
    """Writes another inertia (link frame) in the same axes; equal numbers keep their text."""
    before, old, written = scalable_inertia(link), link.written_texts(), link.written_inertia()
    assert old is not None, "what is scalable is there"
    assert written is not None, "what is scalable is there"
    text, keeps_axes = scaled_texts(old, written, after, digits=digits, is_body=is_body)
    keeps_pose = keeps_axes and after.p_BoBcm_B == before.p_BoBcm_B
    return link.edits(NewInertial(text, None, replaced, keeps_pose=keeps_pose, keeps_axes=keeps_axes))


def nudge_edits(link: Link) -> list[Edit]:
    """Moves the last digit of the moments so that libsdformat takes the tensor; [] if that is not possible."""
    old, written = link.written_texts(), link.written_inertia()
    if old is None or written is None or not link.has_tensor:
        return []
    texts = {name: text for name, text in zip(TENSOR_NAMES, old.tensor, strict=True) if text}
    return link.model.writer.tensor_edits(link, nudged_moments(written.inertia.mass, texts))


def scaled_texts(
    old: Texts, written: Written, after: SpatialInertia, *, digits: int, is_body: bool
) -> tuple[InertialText, bool]:
    """The texts of a scaled inertia, and whether they are in the author's axes; equal numbers keep their text.

    A thin body whose tensor libsdformat would refuse in these axes is written in its principal ones.
    """
    before, rotation = written.inertia, written.rotation
    scaled = SpatialInertia(after.mass, after.p_BoBcm_B, after.I_BBcm_B.rotated(transpose(rotation)))
    try:
        text = inertial_text(scaled, digits=digits) if is_body else text_as_given(scaled, digits=digits)
        if text.note:
            return inertial_text(after, digits=digits, principal_axes=True), False
    except InertiaError:
        problem = f"scaled and written with {digits} digits, its tensor is physically impossible"
        raise InertiaError(problem, remedy=CHECK_TELLS_WHY) from None
    angles = old.angles if all(old.angles) else [format_number(each, digits) for each in rpy_from_rotation(rotation)]
    position = map(_kept, old.centre, text.pose.split(), after.p_BoBcm_B)
    if after.I_BBcm_B == before.I_BBcm_B:
        # Turned there and back, its numbers may have lost their last bits.
        tensor = tuple(each or new for each, new in zip(old.tensor, text.tensor, strict=True))
    else:
        tensor = tuple(map(_kept, old.tensor, text.tensor, (getattr(scaled.I_BBcm_B, name) for name in TENSOR_NAMES)))
    return InertialText(" ".join([*position, *angles]), _kept(old.mass, text.mass, after.mass), tensor), True


def _kept(old: str, new: str, value: float) -> str:
    return old if old and float(old) in (value, float(new)) else new


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


def _written(value: Decimal, old: str) -> str:
    mark = "e" if "e" in old else "E"
    _, _, power = old.partition(mark)
    if not power:
        return f"{value:f}"
    if abs(value.adjusted() - int(power)) > _MAX_PLACES:
        return str(value)
    return f"{value.scaleb(-int(power)):f}{mark}{power}"
