"""Edits of an `<inertial>` that leave every other byte as it is."""

from __future__ import annotations

import re
from functools import cache

from sdfinertia.errors import InertiaError, ValueTextError
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.markup import text
from sdfinertia.markup.document import Document, Edit, Element
from sdfinertia.markup.layout import (
    Layout,
    comment_edits,
    empty_tag_end,
    end_of_line,
    indent_of_line,
    layout_of,
)
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.robot.values import TENSOR_NAMES, Comment
from sdfinertia.sdf.values import read_pose


def fill_edits(
    inertial: Element, numbers: InertialText, comment: str | None, old_comment: Comment | None, *, auto: str
) -> list[Edit]:
    _require_plain_values(inertial)
    edits = _attribute_edits(inertial, auto)
    inside = inertial.document.data[inertial.inner_start : inertial.inner_end]
    if inertial.is_self_closing:
        edits.append(_opened_up(inertial, numbers, comment))
    elif not inside.strip(b" \t"):
        edits.append(Edit(inertial.inner_start, inertial.inner_end, _whole_content(inertial, numbers, comment)))
    else:
        edits += _block_edits(inertial, numbers, comment, old_comment)
    return [edit for edit in edits if inertial.document.data[edit.start : edit.stop] != edit.replacement]


def new_block_edit(link: Element, numbers: InertialText, comment: str | None, *, auto: str) -> Edit:
    document = link.document
    layout = layout_of(link)
    pose = link.child("pose")
    place = end_of_line(document, pose.end if pose is not None else link.inner_start)
    quote = _quote_of(document)
    tag = b"<inertial auto=" + quote + b"false" + quote + b">" if auto == "false" else b"<inertial>"
    inside = Layout(layout.newline, layout.indent + layout.unit, layout.unit) if layout.newline else layout
    block = tag + _content(inside, numbers, comment)
    block += layout.newline + layout.indent if layout.newline else b""
    return Edit(place, place, layout.line(block + b"</inertial>"))


def _require_plain_values(inertial: Element) -> None:
    tensor = inertial.child("inertia")
    entries = map(tensor.child, TENSOR_NAMES) if tensor is not None else ()
    for element in (inertial.child("pose"), inertial.child("mass"), *entries):
        if element is not None and element.children:
            inner = element.children[0]
            raise ValueTextError(
                f"<{element.name}> must hold numbers, not <{inner.name}>",
                location=inner.location(),
                remedy=f"take <{inner.name}> out",
            )


# The attribute -------------------------------------------------------------------------------------------------------


def _attribute_edits(inertial: Element, auto: str) -> list[Edit]:
    span = inertial.attribute_span("auto")
    if span is None:
        if auto == "false":
            place = inertial.start + inertial.document.data[inertial.start : inertial.inner_start].index(b"inertial")
            place += len(b"inertial")
            quote = _quote_of(inertial.document)
            return [Edit(place, place, b" auto=" + quote + b"false" + quote)]
        return []
    start, stop, value_start, value_stop = span
    value = inertial.attribute("auto") or ""
    if auto == "false":
        return [Edit(value_start, value_stop, b"false")] if value.lower() != "false" else []
    return [Edit(start, stop, b"")] if value.lower() in ("true", "1") else []


def _quote_of(document: Document) -> bytes:
    """The quotation mark of the `<sdf>` tag."""
    root = document.roots[0].raw_attributes
    return b"'" if b"'" in root and b'"' not in root else b'"'


# Content -------------------------------------------------------------------------------------------------------------


def _content(layout: Layout, numbers: InertialText, comment: str | None) -> bytes:
    lines = [comment.encode()] if comment is not None else []
    lines += [_pose_tag(numbers), _mass_tag(numbers), _tensor_tag(numbers, layout)]
    return layout.lines(lines)


def _pose_tag(numbers: InertialText) -> bytes:
    return f"<pose>{numbers.pose}</pose>".encode()


def _mass_tag(numbers: InertialText) -> bytes:
    return f"<mass>{numbers.mass}</mass>".encode()


def _tensor_tag(numbers: InertialText, layout: Layout) -> bytes:
    start = layout.line(b"", 1).decode("ascii")
    entries = [f"{start}<{name}>{value}</{name}>" for name, value in zip(TENSOR_NAMES, numbers.tensor, strict=True)]
    return b"<inertia>" + "".join(entries).encode() + layout.line(b"</inertia>")


def _opened_up(inertial: Element, numbers: InertialText, comment: str | None) -> Edit:
    """Turns `<inertial .../>` into a block."""
    content = b">" + _whole_content(inertial, numbers, comment) + b"</inertial>"
    return Edit(empty_tag_end(inertial), inertial.inner_start, content)


def _whole_content(inertial: Element, numbers: InertialText, comment: str | None) -> bytes:
    layout = layout_of(inertial)
    closing = layout.newline + indent_of_line(inertial.document, inertial.start) if layout.newline else b""
    return _content(layout, numbers, comment) + closing


def _block_edits(
    inertial: Element, numbers: InertialText, comment: str | None, old_comment: Comment | None
) -> list[Edit]:
    document = inertial.document
    layout = layout_of(inertial)
    edits = comment_edits(inertial, comment, old_comment, layout)
    # What is absent goes behind what stands before it in SDF's order.
    place = old_comment[1] if old_comment is not None else inertial.inner_start
    if layout.newline:
        place = end_of_line(document, place)
    for name, new in (
        ("pose", _pose_tag(numbers)),
        ("mass", _mass_tag(numbers)),
        ("inertia", _tensor_tag(numbers, layout)),
    ):
        element = inertial.child(name)
        if element is None:
            edits.append(Edit(place, place, layout.line(new)))
            continue
        if name == "inertia":
            edits += _tensor_edits(element, numbers, layout)
        elif name == "mass":
            edits += text_edits(element, numbers.mass)
        else:
            edits += [*_without_attributes(element), *text_edits(element, numbers.pose)]
        place = end_of_line(document, element.end) if layout.newline else element.end
    return edits


def _without_attributes(pose: Element) -> list[Edit]:
    start, stop = pose.attributes_span()
    if pose.is_self_closing:
        stop = min(stop, empty_tag_end(pose))
    return [Edit(start, stop, b"")] if stop > start else []


def text_edits(element: Element, value: str) -> list[Edit]:
    """Sets the text of an element; comments inside stay."""
    data = element.document.data
    if element.is_self_closing:
        return [Edit(empty_tag_end(element), element.inner_start, f">{value}</{element.name}>".encode())]
    plain = text.LESS_THAN not in data[element.inner_start : element.inner_end]
    if plain and element.text() == value:
        return []
    edits: list[Edit] = []
    for start, stop, is_cdata in text.text_pieces(data, element.inner_start, element.inner_end):
        raw = data[start:stop]
        if not is_cdata:
            start += len(raw) - len(raw.lstrip())
            stop -= len(raw) - len(raw.rstrip()) if raw.strip() else 0
        if stop > start and raw.strip():
            edits.append(Edit(start, stop, b"" if edits else value.encode()))
    # Of a text in several pieces readers take the first.
    if len(edits) == 1 and element.text() == value:
        return []
    return edits or [Edit(element.inner_start, element.inner_start, value.encode())]


def _tensor_edits(tensor: Element, numbers: InertialText, outer: Layout) -> list[Edit]:
    document = tensor.document
    if tensor.is_self_closing:
        content = _tensor_tag(numbers, outer)[len(b"<inertia") :]
        return [Edit(empty_tag_end(tensor), tensor.inner_start, content)]
    if not document.data[tensor.inner_start : tensor.inner_end].strip(b" \t"):
        content = _tensor_tag(numbers, outer)[len(b"<inertia>") : -len(b"</inertia>")]
        return [Edit(tensor.inner_start, tensor.inner_end, content)]
    layout = layout_of(tensor)
    edits: list[Edit] = []
    place = tensor.inner_start
    for name, value in zip(TENSOR_NAMES, numbers.tensor, strict=True):
        element = tensor.child(name)
        if element is None:
            edits.append(Edit(place, place, layout.line(f"<{name}>{value}</{name}>".encode())))
            continue
        edits += text_edits(element, value)
        place = end_of_line(document, element.end) if layout.newline else element.end
    return edits


def require_scalable(inertial: Element | None, frame_attribute: str, *, is_auto: bool) -> None:
    if inertial is None:
        raise InertiaError("it has no <inertial> to scale", remedy="`sdfinertia fill --missing` gives it one")
    if is_auto:
        raise InertiaError("its inertial is computed automatically", remedy="run `sdfinertia fill` first")
    tensor = inertial.child("inertia")
    if inertial.child("mass") is None or tensor is None:
        raise InertiaError("its <inertial> has no explicit <mass> and <inertia> to scale", remedy="give it both")
    absent = [f"<{name}>" for name in ("ixx", "iyy", "izz") if tensor.child(name) is None]
    if absent:
        raise InertiaError(f"its <inertia> has no {', '.join(absent)}", remedy="give it all three moments")
    if read_pose(inertial.child("pose"), frame_attribute).relative_to:
        raise ValueTextError("the <pose> of <inertial> is relative to a frame, which SDFormat does not allow there")


def without_pose(edits: list[Edit], inertial: Element) -> list[Edit]:
    """The edits without those of the pose."""
    pose = inertial.child("pose")
    if pose is None:
        return [edit for edit in edits if edit.start < edit.stop or b"<pose>" not in edit.replacement]
    return [edit for edit in edits if not pose.start <= edit.start < pose.end]


# Reading back ---------------------------------------------------------------------------------------------------------

# What nearly every block is, found without making a tree: the elements that are written, in their order, comments and a
# density before or behind them. No part can match the same bytes in two ways.
_BESIDE = rb"[^<]*(?:(?:<!--[^-]*(?:-[^-]+)*-->|<density>[^<]*</density>)[^<]*)*"
_VALUES = [b"<%s>([^<]*)</%s>" % (name, name) for name in (b"pose", b"mass", *(name.encode() for name in TENSOR_NAMES))]
_WRITTEN = rb"[^<]*".join([*_VALUES[:2], b"<inertia>", *_VALUES[2:], b"</inertia>"])
_PLAIN_BLOCK = rb"<inertial(?: auto=[\"']false[\"'])?>" + _BESIDE + _WRITTEN + _BESIDE + b"</inertial>"


def holds(block: bytes, numbers: InertialText) -> bool:
    return _holds_plainly(block, numbers) or numbers_in(block) == numbers.numbers()


@cache
def _plain_block() -> re.Pattern[bytes]:
    return re.compile(_PLAIN_BLOCK)


def _holds_plainly(block: bytes, numbers: InertialText) -> bool:
    """Whether the block is written as we write it, with these texts."""
    match = _plain_block().fullmatch(block)
    if match is None:
        return False
    return (
        b"<".join(map(bytes.strip, match.groups())) == "<".join((numbers.pose, numbers.mass, *numbers.tensor)).encode()
    )


def numbers_in(block: bytes) -> tuple[float, ...] | None:
    """The numbers in the bytes of an `<inertial>`, as `InertialText` orders them; None if a reader misses one."""
    roots = Document(block, "the block that would be written").roots
    if len(roots) != 1 or roots[0].name != "inertial" or (roots[0].start, roots[0].end) != (0, len(block)):
        return None
    pose, mass, tensor = map(roots[0].child, ("pose", "mass", "inertia"))
    if pose is None or mass is None or tensor is None or pose.raw_attributes.strip():
        return None
    numbers: list[float] = []
    for element, count in ((pose, 6), (mass, 1), *((tensor.child(name), 1) for name in TENSOR_NAMES)):
        found = parse_numbers(_text_for_readers(element)) if element is not None else None
        if found is None or len(found) != count:
            return None
        numbers += found
    return tuple(numbers)


def _text_for_readers(element: Element) -> str:
    """As tinyxml2 reads it, up to the next markup but for leading comments; "" where it is in pieces."""
    data, encoding = element.document.data, element.document.encoding
    if text.LESS_THAN not in data[element.inner_start : element.inner_end]:
        return element.text()
    if element.children:
        return ""
    spans = [(a, b) for a, b, _ in text.text_pieces(data, element.inner_start, element.inner_end) if data[a:b].strip()]
    return text.plain_text(data, *spans[0], encoding) if len(spans) == 1 else ""
