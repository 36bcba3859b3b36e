"""Nudging: the last digit of a tensor moved, where rounding alone makes libsdformat refuse it."""

from __future__ import annotations

from decimal import Decimal

from sdfinertia.inertia.libsdformat_validity import is_accepted_by_libsdformat
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.sdf.document import Edit, Element
from sdfinertia.sdf.inertial import TENSOR_NAMES, read_inertial
from sdfinertia.sdf.inertial_edit import text_edits

_DIAGONAL = ("ixx", "iyy", "izz")
_MOST_NUDGES = 64


def nudge_edits(inertial: Element) -> list[Edit]:
    """The edits that add units of the last written digit to the three moments until libsdformat takes the tensor.

    The numbers keep the form that their author gave them. There are none if no such nudge helps.
    """
    tensor = inertial.child("inertia")
    entries = {name: tensor.child(name) for name in TENSOR_NAMES} if tensor is not None else {}
    moments = {name: Decimal(entry.text()) for name in _DIAGONAL if (entry := entries.get(name)) is not None}
    if len(moments) < len(_DIAGONAL):
        return []
    mass = read_inertial(inertial).mass
    products = [float(entry.text()) if (entry := entries[name]) is not None else 0.0 for name in ("ixy", "ixz", "iyz")]
    # The unit of the largest moment's last digit; the others may have been written to more places.
    largest = max(moments.values())
    exponent = largest.as_tuple().exponent
    unit = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    for nudges in range(1, _MOST_NUDGES + 1):
        moved = {name: value + nudges * unit for name, value in moments.items()}
        written = InertiaTensor(*(float(moved[name]) for name in _DIAGONAL), *products)
        if is_accepted_by_libsdformat(mass, written, must_turn=False):
            return [
                edit for name in _DIAGONAL if (entry := entries[name]) for edit in text_edits(entry, str(moved[name]))
            ]
    return []
