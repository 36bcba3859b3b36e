"""Edits that write an `<inertial>` in the layout of its file, and leave every other byte as it is.

A format says which parts its blocks have, and whether their numbers are texts or attributes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sdfinertia.markup import ATTRIBUTE, Comment, Document, Edit, Element, text_pieces, walked
from sdfinertia.robot.inertial import NewInertial
from sdfinertia.robot.numbers import parse_numbers

_NEWLINE = rb"\r\n|\n|\r"
# Blanks and whole comments behind an element on its line belong to it.
_REST_OF_LINE = re.compile(rb"(?:[ \t]|<!--(?:(?!-->)[^\r\n])*-->)*(?=\r|\n)")
_DEFAULT_UNIT = b"  "


class Layout(NamedTuple):
    """The line ending and indentation of an element's children."""

    newline: bytes = b""
    indent: bytes = b""
    unit: bytes = b""

    def line(self, content: bytes) -> bytes:
        """A new line with the content, or the bare content where there are no line breaks."""
        return self.newline + self.indent + content if self.newline else content

    def tag(self, content: bytes) -> bytes:
        """The same of a tag in which LF means a new line, and LF TAB one that is a level deeper."""
        if b"\n" not in content:
            return self.line(content)
        if not self.newline:
            return content.translate(None, b"\n\t")
        start = self.newline + self.indent
        # No document holds a NUL.
        marked = content.replace(b"\n\t", b"\0").replace(b"\n", start)
        return start + marked.replace(b"\0", start + self.unit)


def layout_of(parent: Element) -> Layout:
    """The layout of the first child on a line of its own, or that of the lines around the element."""
    document = parent.document
    for child in parent.children:
        indent = indent_before(document, child.start)
        if indent is not None and child.start > parent.inner_start:
            outer = indent_of_line(document, parent.start)
            unit = indent[len(outer) :] if indent.startswith(outer) and len(indent) > len(outer) else None
            return Layout(newline_before(document, child.start), indent, unit or _unit(document, indent))
    inside = document.data[parent.inner_start : parent.inner_end]
    newline = re.search(_NEWLINE, inside)
    stands_alone = indent_before(document, parent.start) is not None and _REST_OF_LINE.match(document.data, parent.end)
    if newline is None and (inside.strip() or not stands_alone):
        return Layout()
    outer = indent_of_line(document, parent.start)
    unit = _unit(document, outer)
    # An element alone on its line is never on the first.
    ending = newline[0] if newline is not None else newline_before(document, parent.start)
    return Layout(ending, outer + unit, unit)


def _unit(document: Document, indent: bytes) -> bytes:
    if indent.startswith(b"\t"):
        return b"\t"
    indents = (indent_before(document, element.start) for element in document.roots[0].children)
    return next(filter(None, indents), _DEFAULT_UNIT)


def indent_before(document: Document, offset: int) -> bytes | None:
    data, start = document.data, offset
    # Back over blanks alone: a file may be one line of many links.
    while start and data[start - 1] in b" \t":
        start -= 1
    return data[start:offset] if start == document.line_start(start) > 0 else None


def indent_of_line(document: Document, offset: int) -> bytes:
    line = document.data[document.line_start(offset) : offset]
    return line[: len(line) - len(line.lstrip(b" \t"))]


def newline_before(document: Document, offset: int) -> bytes:
    start = document.line_start(offset)
    return b"\r\n" if document.data[start - 2 : start] == b"\r\n" else document.data[start - 1 : start]


def end_of_line(document: Document, offset: int) -> int:
    match = _REST_OF_LINE.match(document.data, offset)
    return match.end() if match is not None else offset


def empty_tag_end(element: Element) -> int:
    tag = element.document.data[element.start : element.inner_start]
    return element.start + len(tag[:-2].rstrip())


def is_blank(element: Element) -> bool:
    inside = element.document.data[element.inner_start : element.inner_end]
    return element.is_self_closing or not inside.strip(b" \t")


# Blocks ---------------------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A child of a block that is written: its markup, as `Layout.tag` takes it, or the edits of one that is there."""

    name: str
    tag: bytes
    edits: Callable[[Element, Layout], list[Edit]]
    # Whether it is added where it is absent.
    is_needed: bool = True


def text_part(name: str, value: str) -> Part:
    return Part(name, f"<{name}>{value}</{name}>".encode(), lambda element, layout: text_edits(element, value))


def attribute_part(name: str, values: Mapping[str, str], quote: str) -> Part:
    tag = tag_of(name, values, quote) + b"/>"
    return Part(name, tag, lambda element, layout: attribute_edits(element, values, quote))


def inertial_edits(
    link: Element,
    block: Element | None,
    parts: Sequence[Part],
    new: NewInertial,
    *,
    tag: bytes = b"<inertial",
    tag_edits: Iterable[Edit] = (),
    at: int | None = None,
) -> list[Edit]:
    """The edits that write the parts into a block, or a new block into its link.

    Args:
        tag, tag_edits: the opening tag of a new block, without its end; the edits of the one that is there.
        at: where a new block begins, behind other children; None for a line before the first of them.
    """
    if block is None:
        return [_new_block(link, parts, new.comment, tag, at)]
    found = [*tag_edits]
    if not is_blank(block):
        layout = layout_of(block)
        place = new.replaced.stop if new.replaced is not None else block.inner_start
        place = end_of_line(block.document, place) if layout.newline else place
        found += _comment_edits(block, new.comment, new.replaced, layout)
        found += part_edits(block, parts, place, layout)
    elif parts or new.comment is not None:
        found.append(_filled_in(block, parts, new.comment))
    data = block.document.data
    return [edit for edit in found if data[edit.start : edit.stop] != edit.replacement]


def _new_block(link: Element, parts: Sequence[Part], comment: str | None, tag: bytes, at: int | None) -> Edit:
    document, layout, is_first = link.document, layout_of(link), at is None
    if at is None:
        at = link.children[0].start
        indent = indent_before(document, at)
        layout = Layout(newline_before(document, at), indent, layout.unit) if indent is not None else Layout()
    block = tag + b"/>"
    if parts or comment is not None:
        inside = layout._replace(indent=layout.indent + layout.unit)
        block = tag + b">" + _content(parts, comment, inside) + layout.line(b"</inertial>")
    if is_first:
        return Edit(at, at, block + layout.line(b""))
    at = end_of_line(document, at)
    return Edit(at, at, layout.line(block))


def _filled_in(block: Element, parts: Iterable[Part], comment: str | None) -> Edit:
    layout = layout_of(block)
    content = _content([part for part in parts if part.is_needed], comment, layout)
    if layout.newline:
        content += layout.newline + indent_of_line(block.document, block.start)
    if block.is_self_closing:
        return Edit(empty_tag_end(block), block.inner_start, b">" + content + f"</{block.name}>".encode())
    return Edit(block.inner_start, block.inner_end, content)


def _content(parts: Iterable[Part], comment: str | None, layout: Layout) -> bytes:
    tags = [comment.encode()] if comment is not None else []
    return b"".join(map(layout.tag, [*tags, *(part.tag for part in parts)]))


def part_edits(block: Element, parts: Iterable[Part], place: int, layout: Layout) -> list[Edit]:
    """Edits present parts in place; an absent one goes behind the part before it in the usual order."""
    edits: list[Edit] = []
    added = b""
    for part in parts:
        element = block.child(part.name)
        if element is not None:
            if added:
                edits.append(Edit(place, place, added))
                added = b""
            edits += part.edits(element, layout)
            place = end_of_line(block.document, element.end) if layout.newline else element.end
        elif part.is_needed:
            added += layout.tag(part.tag)
    if added:
        edits.append(Edit(place, place, added))
    return edits


def _comment_edits(inertial: Element, comment: str | None, old: Comment | None, layout: Layout) -> list[Edit]:
    new = comment.encode() if comment is not None else b""
    if old is None:
        return [Edit(inertial.inner_start, inertial.inner_start, layout.line(new))] if new else []
    start = old.start
    if not new and layout.newline:
        indent = indent_before(inertial.document, start)
        if indent is not None:
            start -= len(indent) + len(newline_before(inertial.document, start))
    return [Edit(start, old.stop, new)]


# Texts and attributes -------------------------------------------------------------------------------------------------


def text_edits(element: Element, value: str) -> list[Edit]:
    data = element.document.data
    if element.is_self_closing:
        return [Edit(empty_tag_end(element), element.inner_start, f">{value}</{element.name}>".encode())]
    edits: list[Edit] = []
    for start, stop, is_cdata in text_pieces(data, element.inner_start, element.inner_end):
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


def attribute_edits(element: Element, values: Mapping[str, str], quote: str = '"') -> list[Edit]:
    """Sets attributes; new ones come last, quoted as their neighbours, or by `quote` where there are none."""
    edits: list[Edit] = []
    missing = b""
    ending, quote = _last_attribute(element, quote)
    for name, value in values.items():
        span, written = element.attribute_span(name), element.attribute(name) or ""
        if span is None:
            missing += f" {name}={quote}{value}{quote}".encode()
        # Every reader gets the same numbers from the text that is there, or it is written anew.
        elif written != value and (parse_numbers(written) != parse_numbers(value) or has_breaks(element, name)):
            edits.append(Edit(span[2], span[3], value.encode()))
    if missing:
        edits.append(Edit(ending, ending, missing))
    return edits


def tag_of(name: str, values: Mapping[str, str], quote: str) -> bytes:
    return "".join([f"<{name}", *(f" {each}={quote}{value}{quote}" for each, value in values.items())]).encode()


def has_breaks(element: Element, name: str) -> bool:
    """Whether tabs or line breaks stand between numbers: urdfdom refuses the file, and Bullet reads zeros."""
    text = element.attribute(name)
    return text is not None and re.search(r"[\t\r\n\v\f]", text) is not None


def _last_attribute(element: Element, quote: str) -> tuple[int, str]:
    """Where the attributes end, and the quote of the last; `quote` where there is none."""
    data = element.document.data
    *_, last = (None, *ATTRIBUTE.finditer(element.raw_attributes))
    if last is None:
        name = element.name.encode("ascii")
        return data.index(name, element.start) + len(name), quote
    return element.attributes_span()[0] + last.end(), '"' if last[2] is not None else "'"


def commoner_quote(*elements: Element | None) -> str:
    """The quote that most attributes of the first element with any have, those inside it counted too."""
    for element in filter(None, elements):
        tags = (inner.raw_attributes for inner in walked([element], lambda each: each.children))
        are_double = [match[2] is not None for tag in tags for match in ATTRIBUTE.finditer(tag)]
        if are_double:
            return '"' if 2 * sum(are_double) >= len(are_double) else "'"
    return '"'
