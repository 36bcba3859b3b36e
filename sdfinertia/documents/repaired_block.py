"""The numbers of a repair as texts: unchanged numbers keep theirs."""

from __future__ import annotations

from dataclasses import replace
from math import isclose
from typing import TYPE_CHECKING

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.inertial_text import InertialText, format_number, tensor_text
from sdfinertia.inertia.rigid_transform import rotation_from_rpy, rpy_from_rotation, transpose
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.links.written_block import NO_TEXTS, WrittenBlock
from sdfinertia.robot.inertial import TENSOR_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

# Relative difference within which a number is unchanged but for rounding.
_EQUAL = 1e-12


def in_axes_of(written: WrittenBlock, twin: WrittenBlock) -> WrittenBlock:
    """The tensor of a twin in the written axes; its centre too where only the origin is written."""
    if twin.rotation == written.rotation:
        proposal = replace(written, tensor=twin.tensor, entry_texts=twin.entry_texts)
    else:
        tensor = twin.inertia.I_BBcm_B.rotated(transpose(written.rotation))
        proposal = replace(written, tensor=tensor, entry_texts=NO_TEXTS)
    if not any(written.centre) and any(twin.centre):
        return replace(proposal, centre=twin.centre, centre_texts=twin.centre_texts)
    return proposal


def repaired_text(written: WrittenBlock, proposal: WrittenBlock, digits: int) -> InertialText:
    """The texts of a proposal: unchanged numbers keep theirs, others use known digits, else are rounded."""
    computed: Sequence[str] = ("",) * len(TENSOR_NAMES)
    if not any(proposal.entry_texts):
        found = tensor_text(proposal.mass, proposal.tensor, digits)
        if found is None:
            raise InertiaError(
                f"libsdformat rejects the tensor when it is written with {digits} digits",
                remedy="write more --digits",
            )
        computed = found
    tensor = tuple(
        _entry(
            getattr(written.entry_texts, name),
            getattr(written.tensor, name),
            getattr(proposal.entry_texts, name) or known,
            float(known) if known else getattr(proposal.tensor, name),
            digits,
        )
        for name, known in zip(TENSOR_NAMES, computed, strict=True)
    )
    mass = _entry(written.mass_text, written.mass, proposal.mass_text, proposal.mass, digits)
    position = [
        _entry(*entries, digits)
        for entries in zip(written.centre_texts, written.centre, proposal.centre_texts, proposal.centre, strict=True)
    ]
    if proposal.rotation == written.rotation and all(written.angle_texts):
        angles = list(written.angle_texts)
    else:
        angles = [format_number(angle, digits) for angle in rpy_from_rotation(proposal.rotation)]
    return InertialText(" ".join([*position, *angles]), mass, tensor)


def _entry(old: str, value: float, new: str, wanted: float, digits: int) -> str:
    if old and isclose(value, wanted, rel_tol=_EQUAL, abs_tol=0.0):
        return old
    if new and isclose(float(new), wanted, rel_tol=_EQUAL, abs_tol=0.0):
        return new
    return format_number(wanted, digits)


def block_of(text: InertialText, posed: WrittenBlock | None) -> WrittenBlock:
    """The numbers of a text; centre and axes of `posed` if that is given."""
    x, y, z, roll, pitch, yaw, mass, *entries = text.numbers()
    tensor = InertiaTensor(**dict(zip(TENSOR_NAMES, entries, strict=True)))
    if posed is not None:
        return WrittenBlock(mass, posed.centre, tensor, posed.rotation)
    return WrittenBlock(mass, (x, y, z), tensor, rotation_from_rpy(roll, pitch, yaw))
