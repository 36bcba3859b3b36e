"""Edits that scale or nudge an `<inertial>` in its own places and axes."""

from __future__ import annotations

from sdfinertia.errors import InertiaError, ValueTextError
from sdfinertia.inertia.inertial_text import InertialText, format_number
from sdfinertia.inertia.rigid_transform import rpy_from_rotation
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.markup.document import Edit, Element
from sdfinertia.robot.edits import in_axes, kept, kept_tensor, nudged_moments, scaled_text
from sdfinertia.robot.link import Link
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.values import TENSOR_NAMES, Comment
from sdfinertia.sdf.edits import fill_edits, text_edits, without_pose
from sdfinertia.sdf.values import read_pose, read_written


def scalable_inertia(link: Link, frame_attribute: str) -> SpatialInertia:
    inertial = _explicit_inertial(link)
    if read_pose(inertial.child("pose"), frame_attribute).relative_to:
        raise ValueTextError("the <pose> of <inertial> is relative to a frame, which SDFormat does not allow there")
    return read_written(inertial).inertia


def scale_edits(
    link: Link, frame_attribute: str, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool
) -> list[Edit]:
    """A thin body whose tensor libsdformat would refuse in these axes is written in principal axes."""
    inertial = _explicit_inertial(link)
    pose = read_pose(inertial.child("pose"), frame_attribute)
    before = read_written(inertial).inertia
    text = _text(inertial, pose, before, after, digits, is_body=is_body)
    edits = fill_edits(inertial, text, None, replaced, auto="remove")
    if after.p_BoBcm_B == before.p_BoBcm_B and not text.note:
        edits = without_pose(edits, inertial)
    return edits


def nudge_edits(inertial: Element) -> list[Edit]:
    tensor = inertial.child("inertia")
    entries = {name: entry for name in TENSOR_NAMES if tensor is not None and (entry := tensor.child(name))}
    texts = {name: entry.text() for name, entry in entries.items()}
    moments = nudged_moments(read_written(inertial).inertia.mass, texts)
    return [edit for name, text in moments.items() for edit in text_edits(entries[name], text)]


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


def _text(
    inertial: Element, pose: Pose, before: SpatialInertia, after: SpatialInertia, digits: int, *, is_body: bool
) -> InertialText:
    rotation = pose.transform().rotation
    scaled = in_axes(after, rotation)
    text = scaled_text(scaled, digits=digits, is_body=is_body)
    if text.note:
        return scaled_text(after, digits=digits, principal_axes=True)._replace(note=text.note)
    pose_element, mass, tensor = inertial.child("pose"), inertial.child("mass"), inertial.child("inertia")
    assert mass is not None
    assert tensor is not None
    entries = [tensor.child(name) for name in TENSOR_NAMES]
    olds = [entry.text() if entry is not None else "" for entry in entries]
    tensor_texts = kept_tensor(olds, text.tensor, scaled.I_BBcm_B, is_same=after.I_BBcm_B == before.I_BBcm_B)
    old = pose_element.text().split() if pose_element is not None else []
    if pose.form == "rpy" and old:
        angles = old[3:]
    else:
        angles = [format_number(angle, digits) for angle in rpy_from_rotation(rotation)]
    position = map(kept, old[:3] if old else [""] * 3, text.pose.split()[:3], after.p_BoBcm_B)
    return InertialText(" ".join([*position, *angles]), kept(mass.text(), text.mass, after.mass), tensor_texts)
