"""Edits of an `<inertial>` that leave every other byte as it is."""

from __future__ import annotations

from collections.abc import Mapping

from sdfinertia.errors import ValueTextError
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.markup import text
from sdfinertia.markup.document import Edit, Element
from sdfinertia.markup.layout import (
    Layout,
    comment_edits,
    empty_tag_end,
    end_of_line,
    indent_before,
    indent_of_line,
    layout_of,
    newline_before,
)
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.robot.values import TENSOR_NAMES, Comment
from sdfinertia.urdf.values import QUATERNION, has_breaks, is_no_rotation, read_origin

_NO_ROTATION = "0 0 0"
_NO_QUATERNION = "0 0 0 1"


class BlockTexts(NamedTuple):
    """The attribute values of a block.

    Attributes:
        rpy: None where the rotation stays as it is.
    """

    xyz: str
    rpy: str | None
    mass: str
    tensor: tuple[str, ...]

    @property
    def has_origin(self) -> bool:
        return any(float(number) != 0.0 for number in f"{self.xyz} {self.rpy or _NO_ROTATION}".split())

    def of(self, name: str) -> dict[str, str]:
        """The attributes of a child of the block."""
        if name == "origin":
            return {"xyz": self.xyz, "rpy": self.rpy or _NO_ROTATION}
        if name == "mass":
            return {"value": self.mass}
        return dict(zip(TENSOR_NAMES, self.tensor, strict=True))


def block_texts(numbers: InertialText) -> BlockTexts:
    position = numbers.pose.split()
    return BlockTexts(" ".join(position[:3]), " ".join(position[3:]), numbers.mass, numbers.tensor)


def fill_edits(
    link: Element,
    inertial: Element,
    numbers: BlockTexts,
    comment: str | None,
    old_comment: Comment | None,
    *,
    has_quaternions: bool,
) -> list[Edit]:
    quote = _commoner_quote(inertial) or _commoner_quote(link) or b'"'
    if inertial.is_self_closing:
        return [_opened_up(inertial, numbers, comment, quote)]
    document = inertial.document
    layout = layout_of(inertial)
    edits = comment_edits(inertial, comment, old_comment, layout)
    place = old_comment[1] if old_comment is not None else inertial.inner_start
    if layout.newline:
        place = end_of_line(document, place)
    for name in ("origin", "mass", "inertia"):
        element = inertial.child(name)
        if element is None:
            if name != "origin" or numbers.has_origin:
                edits.append(Edit(place, place, layout.line(_tag(name, numbers.of(name), quote))))
            continue
        if name == "origin":
            edits += _origin_edits(element, numbers, quote, has_quaternions=has_quaternions)
        else:
            edits += attribute_edits(element, numbers.of(name), quote)
        # What is absent goes behind what stands before it in the usual order.
        place = end_of_line(document, element.end) if layout.newline else element.end
    return [edit for edit in edits if document.data[edit.start : edit.stop] != edit.replacement]


def new_block_edit(link: Element, numbers: BlockTexts, comment: str | None) -> Edit:
    """Adds an `<inertial>` before the link's first child."""
    document, first = link.document, link.children[0]
    indent = indent_before(document, first.start)
    quote = _commoner_quote(link) or b'"'
    if indent is None:
        block = b"<inertial>" + _content(Layout(b"", b"", b""), numbers, comment, quote, is_whole=True)
        return Edit(first.start, first.start, block + b"</inertial>")
    newline, unit = newline_before(document, first.start), layout_of(link).unit
    inside = Layout(newline, indent + unit, unit)
    block = b"<inertial>" + _content(inside, numbers, comment, quote, is_whole=True)
    block += newline + indent + b"</inertial>" + newline + indent
    return Edit(first.start, first.start, block)


def attribute_edits(element: Element, values: Mapping[str, str], quote: bytes) -> list[Edit]:
    """Sets attributes; new ones come last, quoted as their neighbours."""
    edits: list[Edit] = []
    missing = b""
    ending, neighbour, equals = _last_attribute(element)
    quote = neighbour or quote
    for name, value in values.items():
        span = element.attribute_span(name)
        if span is None:
            missing += b" " + name.encode() + equals + quote + value.encode() + quote
        elif not _says(element, name, value):
            edits.append(Edit(span[2], span[3], value.encode()))
    if missing:
        edits.append(Edit(ending, ending, missing))
    return edits


def _origin_edits(origin: Element, numbers: BlockTexts, quote: bytes, *, has_quaternions: bool) -> list[Edit]:
    """The rotation of an `<origin>` may be written in two ways."""
    values = {"xyz": numbers.xyz}
    if numbers.rpy is None:
        return attribute_edits(origin, values, quote)
    pose = read_origin(origin, has_quaternions=has_quaternions) if has_quaternions else None
    if pose is not None and pose.form == QUATERNION:
        if numbers.rpy != _NO_ROTATION:
            raise ValueTextError(
                f"the axes of the <inertial> are turned by {QUATERNION}, and would be by rpy",
                location=origin.location(),
                remedy=f"take {QUATERNION} out",
            )
        if not is_no_rotation(pose.numbers[3:]):
            values[QUATERNION] = _NO_QUATERNION
    elif origin.attribute("rpy") is not None or numbers.rpy != _NO_ROTATION:
        values["rpy"] = numbers.rpy
    return attribute_edits(origin, values, quote)


def _says(element: Element, name: str, value: str) -> bool:
    """Whether every reader finds these numbers in an attribute already."""
    written = element.attribute(name) or ""
    return written == value or (parse_numbers(written) == parse_numbers(value) and not has_breaks(element, name))


def _last_attribute(element: Element) -> tuple[int, bytes, bytes]:
    """The end of the last attribute, or of the name; its quote, and its equals sign."""
    data = element.document.data
    last = None
    for match in text.attributes(element.raw_attributes):
        last = match
    if last is None:
        name = element.name.encode("ascii")
        return data.index(name, element.start) + len(name), b"", b"="
    offset = data.index(element.raw_attributes, element.start)
    quote = b'"' if last[2] is not None else b"'"
    between = last[0][last.end(1) - last.start() : last[0].index(quote)]
    return offset + last.end(), quote, between if between.strip(b" ") == b"=" else b"="


def _commoner_quote(element: Element) -> bytes:
    """Of the attributes in an element; b"" where there are none."""
    balance = count = 0
    pending = [element]
    while pending:
        inner = pending.pop()
        for match in text.attributes(inner.raw_attributes):
            balance += 1 if match[2] is not None else -1
            count += 1
        pending += inner.children
    return (b'"' if balance >= 0 else b"'") if count else b""


# Content -------------------------------------------------------------------------------------------------------------


def _content(layout: Layout, numbers: BlockTexts, comment: str | None, quote: bytes, *, is_whole: bool) -> bytes:
    lines = [comment.encode()] if comment is not None else []
    names = ("origin", "mass", "inertia") if is_whole or numbers.has_origin else ("mass", "inertia")
    lines += [_tag(name, numbers.of(name), quote) for name in names]
    return layout.lines(lines)


def _tag(name: str, values: dict[str, str], quote: bytes) -> bytes:
    attributes = b"".join(b" %s=%s%s%s" % (key.encode(), quote, value.encode(), quote) for key, value in values.items())
    return b"<" + name.encode() + attributes + b"/>"


def _opened_up(inertial: Element, numbers: BlockTexts, comment: str | None, quote: bytes) -> Edit:
    """Turns `<inertial/>` into a block."""
    layout = layout_of(inertial)
    closing = layout.newline + indent_of_line(inertial.document, inertial.start) if layout.newline else b""
    content = b">" + _content(layout, numbers, comment, quote, is_whole=False) + closing + b"</inertial>"
    return Edit(empty_tag_end(inertial), inertial.inner_start, content)
