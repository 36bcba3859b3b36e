"""Edits that put numbers into an `<inertial>` and leave every other byte of the file, and of the block, as it is."""

from __future__ import annotations

import re
from typing import NamedTuple

from sdfinertia.description.edits import Edit
from sdfinertia.description.inertial_text import TENSOR_NAMES, InertialText
from sdfinertia.errors import ValueTextError
from sdfinertia.sdf import text
from sdfinertia.sdf.document import Document, Element

_NEWLINE = rb"\r\n|\n|\r"
# What may follow an element on its line and still belong to it: blanks and whole comments.
_REST_OF_LINE = re.compile(rb"(?:[ \t]|<!--(?:(?!-->)[^\r\n])*-->)*(?=\r|\n)")
_DEFAULT_UNIT = b"  "


class Layout(NamedTuple):
    """How new lines in a block are written.

    Attributes:
        newline: line ending, or b"" in a block that stays on one line.
        indent: of the block's children.
        unit: what one level adds.
    """

    newline: bytes
    indent: bytes
    unit: bytes

    def line(self, content: bytes, depth: int = 0) -> bytes:
        """A new line with the content, or the bare content where there are no lines."""
        return self.newline + self.indent + self.unit * depth + content if self.newline else content


def fill_edits(
    inertial: Element, numbers: InertialText, comment: str | None, old_comment: tuple[int, int] | None, *, auto: str
) -> list[Edit]:
    """The edits that fill a block.

    Args:
        inertial: the `<inertial>`.
        numbers: what to write.
        comment: the provenance comment, or None for a block without one.
        old_comment: span of the comment whose place it takes.
        auto: "remove" takes an attribute `auto` that is true away, "false" sets it.

    Raises:
        ValueTextError: an element where a number belongs holds other elements.
    """
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
    """The edit that gives a link without `<inertial>` one: after its `<pose>`, else as its first child."""
    document = link.document
    layout = _layout_of(link)
    pose = link.child("pose")
    place = _end_of_line(document, pose.end if pose is not None else link.inner_start)
    quote = _quote_of(document)
    tag = b"<inertial auto=" + quote + b"false" + quote + b">" if auto == "false" else b"<inertial>"
    inside = Layout(layout.newline, layout.indent + layout.unit, layout.unit) if layout.newline else layout
    block = tag + _content(inside, numbers, comment)
    block += layout.newline + layout.indent if layout.newline else b""
    return Edit(place, place, layout.line(block + b"</inertial>"))


def _require_plain_values(inertial: Element) -> None:
    """Nothing, if no element of a number holds other elements, beside which a reader finds no number."""
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
    """The quotation mark of the file: that of the `<sdf>` tag, whose version every file gives."""
    root = document.roots[0].raw_attributes
    return b"'" if b"'" in root and b'"' not in root else b'"'


# Layout --------------------------------------------------------------------------------------------------------------


def _layout_of(parent: Element) -> Layout:
    """The layout of an element's children: as the first child on a line of its own, else by what is around."""
    document = parent.document
    for child in parent.children:
        indent = _indent_before(document, child.start)
        if indent is not None and child.start > parent.inner_start:
            outer = _indent_of_line(document, parent.start)
            unit = indent[len(outer) :] if indent.startswith(outer) and len(indent) > len(outer) else None
            return Layout(_newline_before(document, child.start), indent, unit or _unit(document, indent))
    inside = document.data[parent.inner_start : parent.inner_end]
    newline = re.search(_NEWLINE, inside)
    if newline is None and not (not inside.strip() and _stands_alone(parent)):
        return Layout(b"", b"", b"")
    outer = _indent_of_line(document, parent.start)
    unit = _unit(document, outer)
    ending = newline[0] if newline is not None else _newline_before(document, parent.start)
    return Layout(ending or _first_newline(document), outer + unit, unit)


def _unit(document: Document, indent: bytes) -> bytes:
    """One level of indentation: a tab where tabs are used, else what the file's first indented element uses."""
    if indent.startswith(b"\t"):
        return b"\t"
    for element in document.roots[0].children:
        first = _indent_before(document, element.start)
        if first:
            return first
    return _DEFAULT_UNIT


def _indent_before(document: Document, offset: int) -> bytes | None:
    """The white space between the beginning of the line and the offset, or None if anything else is there."""
    start = document.line_start(offset)
    indent = document.data[start:offset]
    return indent if start > 0 and not indent.strip(b" \t") else None


def _indent_of_line(document: Document, offset: int) -> bytes:
    line = document.data[document.line_start(offset) : offset]
    return line[: len(line) - len(line.lstrip(b" \t"))]


def _newline_before(document: Document, offset: int) -> bytes:
    start = document.line_start(offset)
    if start == 0:
        return b""
    return b"\r\n" if document.data[start - 2 : start] == b"\r\n" else document.data[start - 1 : start]


def _first_newline(document: Document) -> bytes:
    match = re.search(_NEWLINE, document.data)
    return match[0] if match is not None else b"\n"


def _stands_alone(element: Element) -> bool:
    """Whether an element has its line, or lines, for itself, but for comments behind it."""
    document = element.document
    is_last = _REST_OF_LINE.match(document.data, element.end) is not None
    return _indent_before(document, element.start) is not None and is_last


def _end_of_line(document: Document, offset: int) -> int:
    """The end of the line if only blanks and comments follow, so that a comment stays beside its element."""
    match = _REST_OF_LINE.match(document.data, offset)
    return match.end() if match is not None else offset


# Content -------------------------------------------------------------------------------------------------------------


def _content(layout: Layout, numbers: InertialText, comment: str | None) -> bytes:
    lines = [comment.encode()] if comment is not None else []
    lines += [_pose_tag(numbers), _mass_tag(numbers), _tensor_tag(numbers, layout)]
    return b"".join(layout.line(line) for line in lines)


def _pose_tag(numbers: InertialText) -> bytes:
    return f"<pose>{numbers.pose}</pose>".encode()


def _mass_tag(numbers: InertialText) -> bytes:
    return f"<mass>{numbers.mass}</mass>".encode()


def _tensor_tag(numbers: InertialText, layout: Layout) -> bytes:
    start = layout.line(b"", 1).decode("ascii")
    entries = [f"{start}<{name}>{value}</{name}>" for name, value in zip(TENSOR_NAMES, numbers.tensor, strict=True)]
    return b"<inertia>" + "".join(entries).encode() + layout.line(b"</inertia>")


def _opened_up(inertial: Element, numbers: InertialText, comment: str | None) -> Edit:
    """`<inertial .../>` becomes a block: on lines of its own if it stands alone on its line."""
    content = b">" + _whole_content(inertial, numbers, comment) + b"</inertial>"
    return Edit(_empty_tag_end(inertial), inertial.inner_start, content)


def _whole_content(inertial: Element, numbers: InertialText, comment: str | None) -> bytes:
    """All that stands between the tags of a block that was empty."""
    layout = _layout_of(inertial)
    closing = layout.newline + _indent_of_line(inertial.document, inertial.start) if layout.newline else b""
    return _content(layout, numbers, comment) + closing


def _empty_tag_end(element: Element) -> int:
    """Where `/>` begins in an empty tag, with the blanks before it."""
    data = element.document.data
    tag = data[element.start : element.inner_start]
    return element.start + len(tag[:-2].rstrip())


def _block_edits(
    inertial: Element, numbers: InertialText, comment: str | None, old_comment: tuple[int, int] | None
) -> list[Edit]:
    document = inertial.document
    layout = _layout_of(inertial)
    edits = _comment_edits(inertial, comment, old_comment, layout)
    # What is absent goes behind what stands before it in SDF's order.
    place = old_comment[1] if old_comment is not None else inertial.inner_start
    if layout.newline:
        place = _end_of_line(document, place)
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
        place = _end_of_line(document, element.end) if layout.newline else element.end
    return edits


def _comment_edits(
    inertial: Element, comment: str | None, old_comment: tuple[int, int] | None, layout: Layout
) -> list[Edit]:
    """Edits that set the provenance comment, or take the old one away with its line."""
    new = comment.encode() if comment is not None else b""
    if old_comment is None:
        return [Edit(inertial.inner_start, inertial.inner_start, layout.line(new))] if new else []
    start, stop = old_comment
    if not new and layout.newline:
        indent = _indent_before(inertial.document, start)
        if indent is not None:
            start -= len(indent) + len(_newline_before(inertial.document, start))
    return [Edit(start, stop, new)]


def _without_attributes(pose: Element) -> list[Edit]:
    start, stop = pose.attributes_span()
    if pose.is_self_closing:
        stop = min(stop, _empty_tag_end(pose))
    return [Edit(start, stop, b"")] if stop > start else []


def text_edits(element: Element, value: str) -> list[Edit]:
    """Edits that make the value the text of an element; comments inside stay where they are."""
    data = element.document.data
    if element.is_self_closing:
        return [Edit(_empty_tag_end(element), element.inner_start, f">{value}</{element.name}>".encode())]
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


def _tensor_edits(tensor: Element, numbers: InertialText, outer: Layout) -> list[Edit]:
    document = tensor.document
    if tensor.is_self_closing:
        content = _tensor_tag(numbers, outer)[len(b"<inertia") :]
        return [Edit(_empty_tag_end(tensor), tensor.inner_start, content)]
    if not document.data[tensor.inner_start : tensor.inner_end].strip(b" \t"):
        content = _tensor_tag(numbers, outer)[len(b"<inertia>") : -len(b"</inertia>")]
        return [Edit(tensor.inner_start, tensor.inner_end, content)]
    layout = _layout_of(tensor)
    edits: list[Edit] = []
    place = tensor.inner_start
    for name, value in zip(TENSOR_NAMES, numbers.tensor, strict=True):
        element = tensor.child(name)
        if element is None:
            edits.append(Edit(place, place, layout.line(f"<{name}>{value}</{name}>".encode())))
            continue
        edits += text_edits(element, value)
        place = _end_of_line(document, element.end) if layout.newline else element.end
    return edits
