"""Edits of an `<inertial>` that leave every other byte as it is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.errors import ValueTextError
from sdfinertia.markup import text
from sdfinertia.markup.document import Edit, Element
from sdfinertia.markup.indentation import (
    Layout,
    Part,
    block_edits,
    empty_tag_end,
    end_of_line,
    filled_in,
    layout_of,
    new_block,
    part_edits,
)
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial

if TYPE_CHECKING:
    from sdfinertia.inertia.inertial_text import InertialText


def fill_edits(link: Element, inertial: Element | None, new: NewInertial) -> list[Edit]:
    if inertial is None:
        return [_new_block(link, new)]
    _require_plain_values(inertial)
    data, parts = inertial.document.data, _parts(new.text)
    edits = _attribute_edits(inertial)
    if inertial.is_self_closing or not data[inertial.inner_start : inertial.inner_end].strip(b" \t"):
        edits.append(filled_in(inertial, parts, new.comment))
    else:
        if new.keeps_pose:
            parts[0] = parts[0]._replace(edits=lambda pose, layout: [], is_needed=False)
        edits += block_edits(inertial, parts, new.comment, new.replaced)
    return [edit for edit in edits if data[edit.start : edit.stop] != edit.replacement]


def mass_edits(inertial: Element, value: str) -> list[Edit]:
    part = _text_part("mass", value)
    data = inertial.document.data
    if inertial.is_self_closing or not data[inertial.inner_start : inertial.inner_end].strip(b" \t"):
        return [filled_in(inertial, [part], None)]
    return block_edits(inertial, [part], None, None)


_WRITTEN = frozenset(("pose", "mass", "inertia"))
_TENSOR_CONTENT = "".join(f"\n\t<{name}>%s</{name}>" for name in TENSOR_NAMES) + "\n"


def _parts(numbers: InertialText) -> list[Part]:
    def pose_edits(pose: Element, layout: Layout) -> list[Edit]:
        start, stop = pose.attributes_span()
        if pose.is_self_closing:
            stop = min(stop, empty_tag_end(pose))
        return [*([Edit(start, stop, b"")] if stop > start else []), *text_edits(pose, numbers.pose)]

    pose = Part("pose", f"<pose>{numbers.pose}</pose>".encode(), pose_edits)
    tag = f"<inertia>{_TENSOR_CONTENT % numbers.tensor}</inertia>".encode()
    return [pose, _text_part("mass", numbers.mass), Part("inertia", tag, partial(_tensor_edits, numbers.tensor))]


def _text_part(name: str, value: str) -> Part:
    return Part(name, f"<{name}>{value}</{name}>".encode(), lambda element, layout: text_edits(element, value))


def _tensor_edits(values: tuple[str, ...], tensor: Element, outer: Layout) -> list[Edit]:
    content = outer.tag((_TENSOR_CONTENT % values).encode())
    content = content.removeprefix(outer.newline + outer.indent)
    if tensor.is_self_closing:
        return [Edit(empty_tag_end(tensor), tensor.inner_start, b">" + content + b"</inertia>")]
    if not tensor.document.data[tensor.inner_start : tensor.inner_end].strip(b" \t"):
        return [Edit(tensor.inner_start, tensor.inner_end, content)]
    entries = [_text_part(name, value) for name, value in zip(TENSOR_NAMES, values, strict=True)]
    return part_edits(tensor, entries, tensor.inner_start, layout_of(tensor))


def _new_block(link: Element, new: NewInertial) -> Edit:
    layout, pose = layout_of(link), link.child("pose")
    place = end_of_line(link.document, pose.end if pose is not None else link.inner_start)
    return Edit(place, place, layout.line(new_block(b"<inertial>", _parts(new.text), new.comment, layout)))


def _require_plain_values(inertial: Element) -> None:
    if _WRITTEN.isdisjoint(inertial.child_names()):
        return
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


def _attribute_edits(inertial: Element) -> list[Edit]:
    span = inertial.attribute_span("auto")
    if span is None or (inertial.attribute("auto") or "").lower() not in ("true", "1"):
        return []
    return [Edit(span[0], span[1], b"")]


# Content -------------------------------------------------------------------------------------------------------------


def text_edits(element: Element, value: str) -> list[Edit]:
    """Sets the text of an element; comments inside stay."""
    data = element.document.data
    if element.is_self_closing:
        return [Edit(empty_tag_end(element), element.inner_start, f">{value}</{element.name}>".encode())]
    plain = b"<" not in data[element.inner_start : element.inner_end]
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
