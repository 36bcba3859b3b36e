"""Edits that write a scaled or repaired inertia into an `<inertial>`: other numbers in the same places and axes."""

from __future__ import annotations

from sdfinertia.description.edits import Edit
from sdfinertia.description.facts import CHECK_TELLS_WHY, TENSOR_NAMES, Comment
from sdfinertia.description.pose_path import Pose
from sdfinertia.errors import InertiaError, ValueTextError
from sdfinertia.inertia.inertial_text import InertialText, format_number, inertial_text, text_as_given
from sdfinertia.inertia.rigid_transform import rpy_from_rotation, transpose
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.markup.document import Element
from sdfinertia.sdf.edits.inertial_edit import fill_edits
from sdfinertia.sdf.inertial import read_inertial
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import read_pose


def scalable_inertia(link: Link) -> SpatialInertia:
    """The explicit inertia of a link, in its frame, where it is complete enough to be written anew in its own axes.

    Raises:
        InertiaError: there is none, it asks to be computed, or it lacks the mass or a moment.
        ValueTextError: a number is malformed, or the pose is relative to a frame.
    """
    inertial = _explicit_inertial(link)
    if _pose(link, inertial).relative_to:
        raise ValueTextError("the <pose> of <inertial> is relative to a frame, which SDFormat does not allow there")
    return read_inertial(inertial)


def scale_edits(
    link: Link, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool = True
) -> list[Edit]:
    """The edits that write another inertia of a link, in the axes that its author chose.

    Numbers that stay the same keep their text, and the pose stays where the centre of mass does. A thin body whose
    tensor libsdformat would refuse in those axes is written in its principal ones.

    Args:
        after: in the link frame.
        replaced: the provenance comment that is taken out.
        digits: significant digits written.
        is_body: whether it is to be one that a body can have.

    Raises:
        InertiaError: rounded to so many digits, it is no body's.
    """
    inertial = _explicit_inertial(link)
    text = _text(inertial, _pose(link, inertial), after, digits, is_body=is_body)
    edits = fill_edits(inertial, text, None, replaced[:2] if replaced is not None else None, auto="remove")
    if after.p_BoBcm_B == read_inertial(inertial).p_BoBcm_B and not text.note:
        edits = _without_pose(edits, inertial)
    return edits


def repair_edits(
    inertial: Element, text: InertialText, comment: str, replaced: Comment | None, *, keeps_pose: bool
) -> list[Edit]:
    """The edits that write repaired numbers into a block; see `LinkDescription.repair_edits`."""
    edits = fill_edits(inertial, text, comment, replaced[:2] if replaced is not None else None, auto="remove")
    return _without_pose(edits, inertial) if keeps_pose else edits


def _pose(link: Link, inertial: Element) -> Pose:
    return read_pose(inertial.child("pose"), link.model.root.frame_attribute)


def _explicit_inertial(link: Link) -> Element:
    inertial = link.inertial
    if inertial is None:
        raise InertiaError("it has no <inertial> to scale", remedy="`sdfinertia fill --missing` gives it one")
    if link.asks_to_be_filled():
        raise InertiaError("its inertial is computed automatically", remedy="run `sdfinertia fill` first")
    tensor = inertial.child("inertia")
    if inertial.child("mass") is None or tensor is None:
        raise InertiaError("its <inertial> has no explicit <mass> and <inertia> to scale", remedy="give it both")
    absent = [f"<{name}>" for name in ("ixx", "iyy", "izz") if tensor.child(name) is None]
    if absent:
        raise InertiaError(f"its <inertia> has no {', '.join(absent)}", remedy="give it all three moments")
    return inertial


def _text(inertial: Element, pose: Pose, after: SpatialInertia, digits: int, *, is_body: bool) -> InertialText:
    """The texts of the scaled block: the tensor in the axes it was given in, equal numbers as they were written."""
    rotation = pose.transform().rotation
    own_axes = SpatialInertia(after.mass, after.p_BoBcm_B, after.I_BBcm_B.rotated(transpose(rotation)))
    try:
        text = inertial_text(own_axes, digits=digits) if is_body else text_as_given(own_axes, digits=digits)
        if text.note:
            return inertial_text(after, digits=digits, principal_axes=True)._replace(note=text.note)
    except InertiaError:
        problem = f"scaled and written with {digits} digits, its tensor is no body's"
        raise InertiaError(problem, remedy=CHECK_TELLS_WHY) from None
    pose_element, mass, tensor = inertial.child("pose"), inertial.child("mass"), inertial.child("inertia")
    assert mass is not None
    assert tensor is not None
    entries = [tensor.child(name) for name in TENSOR_NAMES]
    old_entries = [entry.text() if entry is not None else "" for entry in entries]
    position, old = text.pose.split()[:3], pose_element.text().split() if pose_element is not None else []
    before = read_inertial(inertial)
    tensor_texts = tuple(map(_kept, old_entries, text.tensor, _in_order(own_axes.I_BBcm_B)))
    if after.I_BBcm_B == before.I_BBcm_B:
        # Turned there and back, its numbers may have lost their last bits.
        tensor_texts = tuple(old or new for old, new in zip(old_entries, text.tensor, strict=True))
    if pose.form == "rpy" and old:
        angles = old[3:]
    else:
        angles = [format_number(angle, digits) for angle in rpy_from_rotation(rotation)]
    old_position = old[:3] if old else [""] * 3
    return InertialText(
        " ".join([*map(_kept, old_position, position, after.p_BoBcm_B), *angles]),
        _kept(mass.text(), text.mass, after.mass),
        tensor_texts,
    )


def _in_order(tensor: InertiaTensor) -> tuple[float, ...]:
    """The entries as TENSOR_NAMES orders them."""
    return tuple(getattr(tensor, name) for name in TENSOR_NAMES)


def _kept(old: str, new: str, value: float) -> str:
    """The text that stands there, if it is the number itself or the same with fewer digits, else the new one."""
    return old if old and float(old) in (value, float(new)) else new


def _without_pose(edits: list[Edit], inertial: Element) -> list[Edit]:
    """The edits without those of the pose, or of one to be added: the centre of mass has not moved."""
    pose = inertial.child("pose")
    if pose is None:
        return [edit for edit in edits if edit.start < edit.stop or b"<pose>" not in edit.replacement]
    return [edit for edit in edits if not pose.start <= edit.start < pose.end]
