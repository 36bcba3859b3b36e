"""Line endings and indentation around an element, and blocks that are written in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.markup.document import Comment, Document, Edit, Element

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_NEWLINE = rb"\r\n|\n|\r"
# Blanks and whole comments behind an element on its line belong to it.
_REST_OF_LINE = re.compile(rb"(?:[ \t]|<!--(?:(?!-->)[^\r\n])*-->)*(?=\r|\n)")
_DEFAULT_UNIT = b"  "


class Layout(NamedTuple):
    newline: bytes
    indent: bytes
    unit: bytes

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
    """The layout of an element's children, taken from the first child on a line of its own, or from around it."""
    document = parent.document
    for child in parent.children:
        indent = indent_before(document, child.start)
        if indent is not None and child.start > parent.inner_start:
            outer = indent_of_line(document, parent.start)
            unit = indent[len(outer) :] if indent.startswith(outer) and len(indent) > len(outer) else None
            return Layout(newline_before(document, child.start), indent, unit or _unit(document, indent))
    inside = document.data[parent.inner_start : parent.inner_end]
    newline = re.search(_NEWLINE, inside)
    if newline is None and not (not inside.strip() and _stands_alone(parent)):
        return Layout(b"", b"", b"")
    outer = indent_of_line(document, parent.start)
    unit = _unit(document, outer)
    # An element alone on its line is never on the first.
    ending = newline[0] if newline is not None else newline_before(document, parent.start)
    return Layout(ending, outer + unit, unit)


def _unit(document: Document, indent: bytes) -> bytes:
    if indent.startswith(b"\t"):
        return b"\t"
    for element in document.roots[0].children:
        first = indent_before(document, element.start)
        if first:
            return first
    return _DEFAULT_UNIT


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


def _stands_alone(element: Element) -> bool:
    document = element.document
    is_last = _REST_OF_LINE.match(document.data, element.end) is not None
    return indent_before(document, element.start) is not None and is_last


def end_of_line(document: Document, offset: int) -> int:
    match = _REST_OF_LINE.match(document.data, offset)
    return match.end() if match is not None else offset


def empty_tag_end(element: Element) -> int:
    data = element.document.data
    tag = data[element.start : element.inner_start]
    return element.start + len(tag[:-2].rstrip())


class Part(NamedTuple):
    """A child of a block that is written: its markup, as `Layout.tag` takes it, or the edits of one that is there."""

    name: str
    tag: bytes
    edits: Callable[[Element, Layout], list[Edit]]
    # Whether it is added where it is absent.
    is_needed: bool = True


def new_block(tag: bytes, parts: Iterable[Part], comment: str | None, layout: Layout) -> bytes:
    inside = layout._replace(indent=layout.indent + layout.unit)
    return tag + _content(parts, comment, inside) + layout.line(b"</inertial>")


def first_block(parent: Element, block: Callable[[Layout], bytes]) -> Edit:
    document, first = parent.document, parent.children[0]
    indent = indent_before(document, first.start)
    layout = Layout(b"", b"", b"")
    if indent is not None:
        layout = Layout(newline_before(document, first.start), indent, layout_of(parent).unit)
    return Edit(first.start, first.start, block(layout) + layout.line(b""))


def filled_in(block: Element, parts: Iterable[Part], comment: str | None) -> Edit:
    layout = layout_of(block)
    content = _content(parts, comment, layout)
    if layout.newline:
        content += layout.newline + indent_of_line(block.document, block.start)
    if block.is_self_closing:
        return Edit(empty_tag_end(block), block.inner_start, b">" + content + f"</{block.name}>".encode())
    return Edit(block.inner_start, block.inner_end, content)


def _content(parts: Iterable[Part], comment: str | None, layout: Layout) -> bytes:
    tags = [comment.encode()] if comment is not None else []
    return b"".join(map(layout.tag, [*tags, *(part.tag for part in parts)]))


def block_edits(block: Element, parts: Iterable[Part], comment: str | None, old_comment: Comment | None) -> list[Edit]:
    layout = layout_of(block)
    place = old_comment.stop if old_comment is not None else block.inner_start
    if layout.newline:
        place = end_of_line(block.document, place)
    return [*_comment_edits(block, comment, old_comment, layout), *part_edits(block, parts, place, layout)]


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


def _comment_edits(inertial: Element, comment: str | None, old_comment: Comment | None, layout: Layout) -> list[Edit]:
    new = comment.encode() if comment is not None else b""
    if old_comment is None:
        return [Edit(inertial.inner_start, inertial.inner_start, layout.line(new))] if new else []
    start, stop, _ = old_comment
    if not new and layout.newline:
        indent = indent_before(inertial.document, start)
        if indent is not None:
            start -= len(indent) + len(newline_before(inertial.document, start))
    return [Edit(start, stop, new)]
