"""Edits that write other numbers in the places and axes that an author chose: scaled, repaired, or nudged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.description.edits import Edit
from sdfinertia.description.facts import CHECK_TELLS_WHY, TENSOR_NAMES, Comment
from sdfinertia.description.nudging import nudged_moments
from sdfinertia.errors import InertiaError
from sdfinertia.inertia.inertial_text import InertialText, inertial_text, text_as_given
from sdfinertia.inertia.rigid_transform import transpose
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.markup.document import Element
from sdfinertia.urdf.inertial import read_written_inertia
from sdfinertia.urdf.inertial_edit import BlockTexts, attribute_edits, block_texts, fill_edits
from sdfinertia.urdf.origin import read_origin

if TYPE_CHECKING:
    from sdfinertia.urdf.link_text import LinkText


def scalable_inertia(link: LinkText) -> SpatialInertia:
    """The explicit inertia of a link, in its frame, where it may be written anew in its own axes.

    Raises:
        InertiaError: there is none, or a comment asks for it to be computed, which would undo the scaling.
        ValueTextError: a number is missing or malformed.
    """
    inertial = _explicit_inertial(link)
    return read_written_inertia(inertial, has_quaternions=link.model.has_quaternions).inertia


def scale_edits(
    link: LinkText, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool = True
) -> list[Edit]:
    """The edits that write another inertia of a link, in the axes that its author chose.

    Args:
        after: in the link frame.
        replaced: the provenance comment that is taken out.
        digits: significant digits written.
        is_body: whether it is to be one that a body can have.

    Raises:
        InertiaError: rounded to so many digits, it is no body's.
    """
    inertial, has_quaternions = _explicit_inertial(link), link.model.has_quaternions
    origin = inertial.child("origin")
    rotation = read_origin(origin, has_quaternions=has_quaternions).transform().rotation
    own_axes = SpatialInertia(after.mass, after.p_BoBcm_B, after.I_BBcm_B.rotated(transpose(rotation)))
    try:
        text = inertial_text(own_axes, digits=digits) if is_body else text_as_given(own_axes, digits=digits)
    except InertiaError:
        problem = f"scaled and written with {digits} digits, its tensor is no body's"
        raise InertiaError(problem, remedy=CHECK_TELLS_WHY) from None
    old = (origin.attribute("xyz") or "").split() if origin is not None else []
    position = text.pose.split()[:3]
    xyz = " ".join(map(_kept, old, position, after.p_BoBcm_B)) if len(old) == len(position) else " ".join(position)
    before = scalable_inertia(link)
    if after.p_BoBcm_B == before.p_BoBcm_B:
        xyz = " ".join(old) if old else "0 0 0"
    mass, tensor = inertial.child("mass"), inertial.child("inertia")
    mass_text = mass.attribute("value") if mass is not None and after.mass == before.mass else None
    tensor_texts = text.tensor
    if tensor is not None:
        old_texts = [tensor.attribute(name) or "" for name in TENSOR_NAMES]
        values = [getattr(own_axes.I_BBcm_B, name) for name in TENSOR_NAMES]
        tensor_texts = tuple(_kept(*each) for each in zip(old_texts, text.tensor, values, strict=True))
        if after.I_BBcm_B == before.I_BBcm_B:
            # Turned there and back, its numbers may have lost their last bits.
            tensor_texts = tuple(old or new for old, new in zip(old_texts, text.tensor, strict=True))
    numbers = BlockTexts(xyz, None, mass_text or text.mass, tensor_texts)
    old_comment = replaced[:2] if replaced is not None else None
    return fill_edits(link.element, inertial, numbers, None, old_comment, has_quaternions=has_quaternions)


def repair_edits(
    link: LinkText, inertial: Element, text: InertialText, comment: str, replaced: Comment | None, *, keeps_pose: bool
) -> list[Edit]:
    """The edits that write repaired numbers into a block; see `LinkDescription.repair_edits`."""
    numbers = block_texts(text)
    if keeps_pose:
        origin = inertial.child("origin")
        numbers = numbers._replace(xyz=(origin.attribute("xyz") if origin is not None else None) or "0 0 0", rpy=None)
    old_comment = replaced[:2] if replaced is not None else None
    has_quaternions = link.model.has_quaternions
    return fill_edits(link.element, inertial, numbers, comment, old_comment, has_quaternions=has_quaternions)


def nudge_edits(link: LinkText) -> list[Edit]:
    """The edits that make libsdformat take the tensor; see `description.nudging`. There are none if none help."""
    tensor = link.inertial.child("inertia") if link.inertial is not None else None
    if link.inertial is None or tensor is None:
        return []
    mass = read_written_inertia(link.inertial, has_quaternions=link.model.has_quaternions).inertia.mass
    texts = {name: tensor.attribute(name) or "" for name in TENSOR_NAMES}
    return attribute_edits(tensor, nudged_moments(mass, texts), b'"')


def _explicit_inertial(link: LinkText) -> Element:
    if link.inertial is None:
        raise InertiaError("it has no <inertial> to scale", remedy="`sdfinertia fill --missing` gives it one")
    if link.has_request:
        raise InertiaError(
            "a comment asks for its inertial to be computed, which would undo the scaling",
            remedy="change or take out the comment",
        )
    return link.inertial


def _kept(old: str, new: str, value: float) -> str:
    """The text that stands there, if it is the number itself or the same with fewer digits, else the new one."""
    return old if old and float(old) in (value, float(new)) else new
