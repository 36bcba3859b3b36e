"""Edits of an `<inertial>` that leave every other byte as it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sdfinertia.inertia.inertial_text import InertialText, format_number
from sdfinertia.inertia.orientations import quaternion_from_rpy
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.markup import text
from sdfinertia.markup.document import Edit, Element
from sdfinertia.markup.indentation import (
    block_edits,
    filled_in,
    first_block,
    new_block,
)
from sdfinertia.mjcf.values import FULL, ORIENTATIONS
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial
from sdfinertia.urdf.edits import attribute, attribute_edits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sdfinertia.inertia.rigid_transform import Rotation
    from sdfinertia.robot.poses import Pose

_DIGITS = 12
_QUOTE = b'"'


def quaternion_text(text: InertialText) -> str:
    """The orientation w x y z of a text, w not negative; "" where it is not turned."""
    x, y, z, w = quaternion_from_rpy(*(float(angle) for angle in text.pose.split()[3:]))
    sign = -1.0 if w < 0.0 else 1.0
    return " ".join(format_number(sign * value, _DIGITS) for value in (w, x, y, z)) if x or y or z else ""


def numbers_of(text: InertialText) -> tuple[float, ...]:
    """The value of `Inertial.numbers` once a text is written."""
    quaternion = quaternion_text(text)
    axis = map(float, quaternion.split()[1:]) if quaternion else (0.0, 0.0, 0.0)
    return (*map(float, text.pose.split()[:3]), *axis, float(text.mass), *map(float, text.tensor))


def fill_edits(
    body: Element, inertial: Element | None, new: NewInertial, read_pose: Callable[[Element], Pose]
) -> list[Edit]:
    values = _values(inertial, new, read_pose)
    if inertial is None:
        return [_new_block(body, values, new.comment)]
    edits = _tag_edits(inertial, values)
    if not inertial.is_self_closing:
        edits += block_edits(inertial, (), new.comment, new.replaced)
    elif new.comment is not None:
        edits.append(filled_in(inertial, (), new.comment))
    data = inertial.document.data
    return [edit for edit in edits if data[edit.start : edit.stop] != edit.replacement]


def _values(inertial: Element | None, new: NewInertial, read_pose: Callable[[Element], Pose]) -> dict[str, str]:
    """The attributes of the new block, in their usual order."""
    position, quaternion = " ".join(new.text.pose.split()[:3]), quaternion_text(new.text)
    tensor = dict(zip(TENSOR_NAMES, new.text.tensor, strict=True))
    values = {"pos": position, "mass": new.text.mass}
    if inertial is not None:
        if new.keeps_pose:
            values["pos"] = inertial.attribute("pos") or position
        turned = next((name for name in ("quat", *ORIENTATIONS) if inertial.attribute(name) is not None), "")
        if new.keeps_axes and (turned or inertial.attribute("diaginertia") is not None):
            if not any(float(tensor[name]) for name in FULL[3:]):
                kept = {turned: inertial.attribute(turned) or ""} if turned else {}
                return {**values, **kept, "diaginertia": _joined(tensor, FULL[:3])}
            # MuJoCo takes no products beside an orientation.
            return {**values, "fullinertia": _turned(tensor, read_pose(inertial).transform().rotation)}
    if quaternion:
        return {**values, "quat": quaternion, "diaginertia": _joined(tensor, FULL[:3])}
    return {**values, "fullinertia": _joined(tensor, FULL)}


def _joined(tensor: Mapping[str, str], names: Sequence[str]) -> str:
    return " ".join(tensor[name] for name in names)


def _turned(tensor: Mapping[str, str], rotation: Rotation) -> str:
    turned = InertiaTensor(*(float(tensor[name]) for name in FULL)).rotated(rotation)
    return " ".join(format_number(value, _DIGITS) for value in turned)


def _tag_edits(inertial: Element, values: Mapping[str, str]) -> list[Edit]:
    """Sets the attributes; one notation replaces another, and attributes that MuJoCo refuses beside it are removed."""
    edits: list[Edit] = []
    left = dict(values)
    data = inertial.document.data
    tensors = ("fullinertia", "diaginertia")
    written = [name for name in ("quat", *ORIENTATIONS, *tensors) if inertial.attribute_span(name) is not None]
    for name in written:
        if name in values:
            continue
        start, stop, first, last = inertial.attribute_span(name) or (0, 0, 0, 0)
        others = tensors if name in tensors else ("quat", *ORIENTATIONS)
        other = next((each for each in others if each in left and each not in written), "")
        if not other:
            edits.append(Edit(start, stop, b""))
            continue
        begin = data.index(name.encode(), start)
        edits += (Edit(begin, begin + len(name), other.encode()), Edit(first, last, left.pop(other).encode()))
    return [*edits, *attribute_edits(inertial, left, _QUOTE)]


def _new_block(body: Element, values: Mapping[str, str], comment: str | None) -> Edit:
    quote = _quote_of(body.children[0]) or _quote_of(body) or _QUOTE
    tag = b"<inertial" + b"".join(attribute(name, value, b"=", quote) for name, value in values.items())
    return first_block(
        body, lambda layout: tag + b"/>" if comment is None else new_block(tag + b">", (), comment, layout)
    )


def _quote_of(element: Element) -> bytes:
    match = next(text.ATTRIBUTE.finditer(element.raw_attributes), None)
    return b"" if match is None else (b'"' if match[2] is not None else b"'")


def mass_edits(body: Element, inertial: Element | None, mass: str) -> list[Edit]:
    """Gives a body that requests its inertial a mass."""
    if inertial is None:
        return [_new_block(body, {"mass": mass}, None)]
    return attribute_edits(inertial, {"mass": mass}, _QUOTE)


def tensor_edits(inertial: Element, texts: Mapping[str, str]) -> list[Edit]:
    """Writes some entries of the tensor in their places."""
    name = "fullinertia" if inertial.attribute("fullinertia") is not None else "diaginertia"
    pieces = re.split(r"(\s+)", inertial.attribute(name) or "")
    for place, entry in enumerate(FULL[: (len(pieces) + 1) // 2]):
        pieces[2 * place] = texts.get(entry, pieces[2 * place])
    return attribute_edits(inertial, {name: "".join(pieces)}, _QUOTE)
