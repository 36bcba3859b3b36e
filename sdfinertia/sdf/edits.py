"""The writer of SDF: edits that leave every other byte as it is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.errors import ValueTextError
from sdfinertia.markup import text as markup
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
from sdfinertia.robot.inertial import TENSOR, TENSOR_NAMES, NewInertial, Texts
from sdfinertia.robot.numbers import renewed
from sdfinertia.sdf.values import dimension_elements, read_pose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.robot.link import Link, Solid


def edits(link: Link, new: NewInertial) -> list[Edit]:
    if link.inertial is None:
        return [_new_block(link.element, new)]
    inertial = link.inertial.element
    _require_plain_values(inertial)
    data, parts = inertial.document.data, _parts(new.text)
    found = _attribute_edits(inertial)
    if _is_blank(inertial):
        found.append(filled_in(inertial, parts, new.comment))
    else:
        if new.keeps_pose:
            parts[0] = parts[0]._replace(edits=lambda pose, layout: [], is_needed=False)
        found += block_edits(inertial, parts, new.comment, new.replaced)
    return [edit for edit in found if data[edit.start : edit.stop] != edit.replacement]


def mass_edits(link: Link, value: str) -> list[Edit]:
    assert link.inertial is not None, "its attribute asks"
    inertial, part = link.inertial.element, _text_part("mass", value)
    if _is_blank(inertial):
        return [filled_in(inertial, [part], None)]
    return block_edits(inertial, [part], None, None)


def _is_blank(element: Element) -> bool:
    inside = element.document.data[element.inner_start : element.inner_end]
    return element.is_self_closing or not inside.strip(b" \t")


def tensor_edits(link: Link, texts: Mapping[str, str]) -> list[Edit]:
    assert link.inertial is not None, "it has a tensor"
    entries = [(link.inertial.places[TENSOR].child(name), text) for name, text in texts.items()]
    return [edit for entry, text in entries if entry is not None for edit in text_edits(entry, text)]


def dimension_edits(solid: Solid, dimensions: Sequence[float], digits: int) -> list[Edit]:
    found: list[Edit] = []
    place = 0
    for element, count in dimension_elements(solid.element):
        found += text_edits(element, renewed(element.text(), dimensions[place : place + count], digits))
        place += count
    return found


def texts(inertial: Element) -> Texts:
    pose, mass, tensor = map(inertial.child, ("pose", "mass", "inertia"))
    numbers = pose.text().split() if pose is not None else []
    is_plain = pose is not None and read_pose(pose).form == "rpy" and len(numbers) == 6
    x, y, z = numbers[:3] if len(numbers) >= 3 else ("", "", "")
    roll, pitch, yaw = numbers[3:] if is_plain else ("", "", "")
    entries = tuple(tensor.child_text(name) if tensor is not None else "" for name in TENSOR_NAMES)
    return Texts(mass.text() if mass is not None else "", (x, y, z), (roll, pitch, yaw), entries)


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
    if _is_blank(tensor):
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
    data = element.document.data
    if element.is_self_closing:
        return [Edit(empty_tag_end(element), element.inner_start, f">{value}</{element.name}>".encode())]
    plain = b"<" not in data[element.inner_start : element.inner_end]
    if plain and element.text() == value:
        return []
    edits: list[Edit] = []
    for start, stop, is_cdata in markup.text_pieces(data, element.inner_start, element.inner_end):
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
