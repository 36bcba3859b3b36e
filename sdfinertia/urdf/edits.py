"""Edits of an `<inertial>` that leave every other byte as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sdfinertia.errors import ValueTextError
from sdfinertia.markup import text as markup
from sdfinertia.markup.document import Edit, Element
from sdfinertia.markup.indentation import (
    Layout,
    Part,
    block_edits,
    filled_in,
    first_block,
    new_block,
)
from sdfinertia.robot.inertial import TENSOR, TENSOR_NAMES, NewInertial, Texts
from sdfinertia.robot.link import walked
from sdfinertia.robot.numbers import parse_numbers, renewed
from sdfinertia.shapes import PRIMITIVES
from sdfinertia.urdf.values import QUATERNION, has_breaks, is_no_rotation, read_origin, shape_element

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.robot.link import Link, Solid

_ZERO = "0 0 0"
_NO_QUATERNION = "0 0 0 1"


def fill_edits(link: Element, inertial: Element | None, new: NewInertial, *, has_quaternions: bool) -> list[Edit]:
    if inertial is None:
        return [_new_block(link, _parts(new.text, _commoner_quote(link) or b'"'), new.comment)]
    quote = _commoner_quote(inertial) or _commoner_quote(link) or b'"'
    xyz, rpy = _position_and_angles(new.text)

    def origin_edits(origin: Element, layout: Layout) -> list[Edit]:
        values = {"xyz": (origin.attribute("xyz") or _ZERO) if new.keeps_pose else xyz}
        if not new.keeps_axes:
            values.update(_rotation(origin, rpy, has_quaternions=has_quaternions))
        return attribute_edits(origin, values, quote)

    origin, *others = _parts(new.text, quote)
    moves, turns = (any(map(float, each.split())) for each in (xyz, rpy))
    is_needed = (moves and not new.keeps_pose) or (turns and not new.keeps_axes)
    parts = [origin._replace(edits=origin_edits, is_needed=is_needed), *others]
    if inertial.is_self_closing:
        return [filled_in(inertial, [part for part in parts if part.is_needed], new.comment)]
    edits = block_edits(inertial, parts, new.comment, new.replaced)
    data = inertial.document.data
    return [edit for edit in edits if data[edit.start : edit.stop] != edit.replacement]


def edits(link: Link, new: NewInertial) -> list[Edit]:
    model: Any = link.model
    block = link.inertial.element if link.inertial is not None else None
    return fill_edits(link.element, block, new, has_quaternions=model.has_quaternions)


def mass_edits(link: Link, value: str) -> list[Edit]:
    part = _part("mass", {"value": value}, _commoner_quote(link.element) or b'"')
    if link.inertial is None:
        return [_new_block(link.element, [part], None)]
    inertial = link.inertial.element
    return (
        [filled_in(inertial, [part], None)] if inertial.is_self_closing else block_edits(inertial, [part], None, None)
    )


def tensor_edits(link: Link, texts: Mapping[str, str]) -> list[Edit]:
    assert link.inertial is not None, "it has a tensor"
    return attribute_edits(link.inertial.places[TENSOR], texts, b'"')


def dimension_edits(solid: Solid, dimensions: Sequence[float], digits: int) -> list[Edit]:
    shape = shape_element(solid.element)
    texts: dict[str, str] = {}
    place = 0
    for name, count in PRIMITIVES[shape.name].dimensions:
        texts[name] = renewed(shape.attribute(name) or "", dimensions[place : place + count], digits)
        place += count
    return attribute_edits(shape, texts, b'"')


def texts(inertial: Element) -> Texts:
    origin, mass, tensor = map(inertial.child, ("origin", "mass", "inertia"))
    pose = [(origin.attribute(name) or "").split() if origin is not None else [] for name in ("xyz", "rpy")]
    (x, y, z), (roll, pitch, yaw) = (each if len(each) == 3 else ("", "", "") for each in pose)
    entries = tuple((tensor.attribute(name) or "") if tensor is not None else "" for name in TENSOR_NAMES)
    return Texts((mass.attribute("value") or "") if mass is not None else "", (x, y, z), (roll, pitch, yaw), entries)


def _position_and_angles(numbers: InertialText) -> tuple[str, str]:
    pose = numbers.pose.split()
    return " ".join(pose[:3]), " ".join(pose[3:])


def _parts(numbers: InertialText, quote: bytes) -> list[Part]:
    xyz, rpy = _position_and_angles(numbers)
    tensor = dict(zip(TENSOR_NAMES, numbers.tensor, strict=True))
    values = {"origin": {"xyz": xyz, "rpy": rpy}, "mass": {"value": numbers.mass}, "inertia": tensor}
    return [_part(name, each, quote) for name, each in values.items()]


def _part(name: str, values: Mapping[str, str], quote: bytes) -> Part:
    written = "".join([f' {key}="{value}"' for key, value in values.items()])
    tag = f"<{name}{written}/>".encode()
    tag = tag if quote == b'"' else tag.replace(b'"', quote)
    return Part(name, tag, lambda element, layout: attribute_edits(element, values, quote))


def _new_block(link: Element, parts: Sequence[Part], comment: str | None) -> Edit:
    return first_block(link, lambda layout: new_block(b"<inertial>", parts, comment, layout))


def attribute_edits(element: Element, values: Mapping[str, str], quote: bytes) -> list[Edit]:
    """Sets attributes; new ones come last, quoted as their neighbours."""
    edits: list[Edit] = []
    missing = b""
    ending, neighbour, equals = _last_attribute(element)
    quote = neighbour or quote
    for name, value in values.items():
        span = element.attribute_span(name)
        if span is None:
            missing += attribute(name, value, equals, quote)
        elif not _has_numbers(element, name, value):
            edits.append(Edit(span[2], span[3], value.encode()))
    if missing:
        edits.append(Edit(ending, ending, missing))
    return edits


def _rotation(origin: Element, rpy: str, *, has_quaternions: bool) -> dict[str, str]:
    pose = read_origin(origin, has_quaternions=has_quaternions) if has_quaternions else None
    if pose is None or pose.form != QUATERNION:
        return {"rpy": rpy} if origin.attribute("rpy") is not None or rpy != _ZERO else {}
    if rpy != _ZERO:
        raise ValueTextError(
            f"the axes of the <inertial> are turned by {QUATERNION}, and would be by rpy",
            location=origin.location(),
            remedy=f"take {QUATERNION} out",
        )
    return {} if is_no_rotation(pose.numbers[3:]) else {QUATERNION: _NO_QUATERNION}


def attribute(name: str, value: str, equals: bytes, quote: bytes) -> bytes:
    return b" " + name.encode() + equals + quote + value.encode() + quote


def _has_numbers(element: Element, name: str, value: str) -> bool:
    """Whether every reader gets these numbers from an attribute already."""
    written = element.attribute(name) or ""
    return written == value or (parse_numbers(written) == parse_numbers(value) and not has_breaks(element, name))


def _last_attribute(element: Element) -> tuple[int, bytes, bytes]:
    """The end of the last attribute, or of the name; its quote, and its equals sign."""
    data = element.document.data
    last = None
    for match in markup.ATTRIBUTE.finditer(element.raw_attributes):
        last = match
    if last is None:
        name = element.name.encode("ascii")
        return data.index(name, element.start) + len(name), b"", b"="
    offset = data.index(element.raw_attributes, element.start)
    quote = b'"' if last[2] is not None else b"'"
    between = last[0][last.end(1) - last.start() : last[0].index(quote)]
    return offset + last.end(), quote, between if between.strip(b" ") == b"=" else b"="


def _commoner_quote(element: Element) -> bytes:
    # No other quote in the whole element: true of nearly all files, and quicker than reading each attribute.
    if element.document.data.find(b"'", element.start, element.end) < 0 and b"=" in element.raw_attributes:
        return b'"'
    tags = (inner.raw_attributes for inner in walked([element], lambda each: each.children))
    is_double = [match[2] is not None for tag in tags for match in markup.ATTRIBUTE.finditer(tag)]
    if not is_double:
        return b""
    return b'"' if 2 * sum(is_double) >= len(is_double) else b"'"
