"""The correction of a link: what `check` announces and `repair` writes."""

from __future__ import annotations

from dataclasses import replace
from math import isclose
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.inertial_text import InertialText, format_number, tensor_text
from sdfinertia.inertia.rigid_transform import rotation_from_rpy, rpy_from_rotation, transpose
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.harm import harm_of
from sdfinertia.robot.inertial import NO_TEXTS, TENSOR_NAMES, NewInertial, WrittenBlock
from sdfinertia.robot.names import repair_comment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.causes.case import Explanation
    from sdfinertia.links.groups import StudyOf
    from sdfinertia.links.study import Study
    from sdfinertia.markup.document import Edit
    from sdfinertia.robot.link import Link

# Tolerance as a part of the trace: written numbers may have five digits.
_ROUNDED = 1e-4
# Relative difference within which a number is unchanged but for rounding.
_EQUAL = 1e-12


class Proposal(NamedTuple):
    """Numbers to write; `note` is one sentence on them."""

    block: WrittenBlock
    cause: str
    note: str


def proposal_of(explanation: Explanation) -> Proposal:
    assert explanation.proposal is not None, "what nothing stands in the way of is proposed"
    return Proposal(explanation.proposal, explanation.cause, explanation.sentence)


class Correction(NamedTuple):
    """The edits that write a proposal, its texts, and the inertia that a parser then reads."""

    edits: Sequence[Edit]
    text: InertialText
    inertia: SpatialInertia


def correction(
    study: Study, written: WrittenBlock, proposal: Proposal, study_of: StudyOf, digits: int
) -> Correction | str:
    link, (block, cause, note) = study.link, proposal
    if link.naming is not None:
        return link.naming.message
    keeps_pose = block.centre == written.centre and block.rotation == written.rotation
    try:
        link.require_numbers()
        text, texts = repaired_text(written, block, digits), link.written_texts()
        if texts is not None and keeps_pose and text.tensor == tuple(texts.tensor) and text.mass == texts.mass:
            return "it has these numbers already"
        comment = repair_comment(cause)
        edits = link.edits(
            NewInertial(text, comment, study.repair_comment, keeps_pose=keeps_pose, keeps_axes=keeps_pose)
        )
        after = block_of(text, written if keeps_pose else None).inertia
        if not after.is_physically_valid(rtol=_ROUNDED):
            return f"undoing the mistake ({cause}) gives a physically impossible tensor too"
        if not _reads_back(link, edits, after):
            return "its <inertial> holds other markup, so that parsers would not read the new numbers"
        harm = harm_of(study, after, study_of)
    except SdfInertiaError as error:
        return error.problem
    return f"{note}; repaired so, {harm}" if harm else Correction(edits, text, after)


def _reads_back(link: Link, edits: Sequence[Edit], after: SpatialInertia) -> bool:
    block = link.new_block(edits)
    if block is None:
        return False
    written = replace(link, inertial=link.model.read_inertial(block)).written_inertia()
    return written is not None and written.inertia.is_close(after)


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
