"""Edits that scale, repair or nudge an `<inertial>` in its author's places and axes."""

from __future__ import annotations

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.markup.document import Edit, Element
from sdfinertia.robot.edits import in_axes, kept, kept_tensor, nudged_moments, scaled_text
from sdfinertia.robot.values import TENSOR_NAMES, Comment
from sdfinertia.urdf.edits import BlockTexts, attribute_edits, block_texts, fill_edits
from sdfinertia.urdf.values import read_origin, read_written


def explicit_inertial(inertial: Element | None, *, has_request: bool) -> Element:
    if inertial is None:
        raise InertiaError("it has no <inertial> to scale", remedy="`sdfinertia fill --missing` gives it one")
    if has_request:
        raise InertiaError(
            "a comment asks for its inertial to be computed, which would undo the scaling",
            remedy="change or take out the comment",
        )
    return inertial


def scale_edits(
    link: Element,
    inertial: Element,
    after: SpatialInertia,
    replaced: Comment | None,
    *,
    digits: int,
    is_body: bool,
    has_quaternions: bool,
) -> list[Edit]:
    origin = inertial.child("origin")
    scaled = in_axes(after, read_origin(origin, has_quaternions=has_quaternions).transform().rotation)
    text = scaled_text(scaled, digits=digits, is_body=is_body)
    old = (origin.attribute("xyz") or "").split() if origin is not None else []
    position = text.pose.split()[:3]
    xyz = " ".join(map(kept, old, position, after.p_BoBcm_B)) if len(old) == len(position) else " ".join(position)
    before = read_written(inertial, has_quaternions=has_quaternions).inertia
    if after.p_BoBcm_B == before.p_BoBcm_B:
        xyz = " ".join(old) if old else "0 0 0"
    mass, tensor = inertial.child("mass"), inertial.child("inertia")
    mass_text = mass.attribute("value") if mass is not None and after.mass == before.mass else None
    tensor_texts = text.tensor
    if tensor is not None:
        olds = [tensor.attribute(name) or "" for name in TENSOR_NAMES]
        tensor_texts = kept_tensor(olds, text.tensor, scaled.I_BBcm_B, is_same=after.I_BBcm_B == before.I_BBcm_B)
    numbers = BlockTexts(xyz, None, mass_text or text.mass, tensor_texts)
    return fill_edits(link, inertial, numbers, None, replaced, has_quaternions=has_quaternions)


def repair_edits(
    link: Element,
    inertial: Element,
    text: InertialText,
    comment: str,
    replaced: Comment | None,
    *,
    keeps_pose: bool,
    has_quaternions: bool,
) -> list[Edit]:
    numbers = block_texts(text)
    if keeps_pose:
        origin = inertial.child("origin")
        numbers = numbers._replace(xyz=(origin.attribute("xyz") if origin is not None else None) or "0 0 0", rpy=None)
    return fill_edits(link, inertial, numbers, comment, replaced, has_quaternions=has_quaternions)


def nudge_edits(inertial: Element, *, has_quaternions: bool) -> list[Edit]:
    tensor = inertial.child("inertia")
    if tensor is None:
        return []
    mass = read_written(inertial, has_quaternions=has_quaternions).inertia.mass
    texts = {name: tensor.attribute(name) or "" for name in TENSOR_NAMES}
    return attribute_edits(tensor, nudged_moments(mass, texts), b'"')
