"""What a reader of SDF finds in an `<inertial>` once it is edited: read from the new bytes, before a file has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from sdfinertia.description.edits import Edit, splice
from sdfinertia.description.inertial_text import TENSOR_NAMES
from sdfinertia.description.numbers import parse_numbers
from sdfinertia.sdf import text
from sdfinertia.sdf.document import Document, Element

# What nearly every block is: the elements that are written, in their order, with comments between them at most, and a
# density. Matched at once it takes a sixth of the time of a tree; what is any other way is parsed.
_SPACE = rb"[ \t\r\n\v\f]*"
_COMMENT = rb"<!--(?:(?!-->).)*-->"
_COUNT = 6 + 1 + len(TENSOR_NAMES)


@cache
def _plain_block() -> re.Pattern[bytes]:
    def value(name: str) -> bytes:
        return rb"<%(n)s>%(s)s([^<>&\s]+)%(s)s</%(n)s>" % {b"n": name.encode(), b"s": _SPACE}

    comments = rb"%(s)s(?:%(c)s%(s)s)*" % {b"s": _SPACE, b"c": _COMMENT}
    others = rb"%(s)s(?:(?:%(c)s|<density>[^<>]*</density>)%(s)s)*" % {b"s": _SPACE, b"c": _COMMENT}
    tensor = comments.join((b"<inertia>", *map(value, TENSOR_NAMES), b"</inertia>"))
    parts = (rb"<inertial[^<>]*(?<!/)>", rb"<pose>([^<>&]*)</pose>", value("mass"), tensor, b"</inertial>")
    return re.compile(others.join(parts), re.DOTALL)


def numbers_after(inertial: Element, edits: Sequence[Edit]) -> tuple[float, ...] | None:
    """The numbers in a block after its edits, in the order of `InertialText.numbers`; None where a reader misses one.

    Only the block is parsed again. It is one element of a file that was parsed, and markup has no memory: where its new
    bytes are one element again, from the first to the last, the rest of the file reads as before.
    """
    start, document = inertial.start, inertial.document
    moved = [Edit(edit.start - start, edit.stop - start, edit.replacement) for edit in edits]
    return numbers_in(splice(document.data[start : inertial.end], moved))


def numbers_in(block: bytes) -> tuple[float, ...] | None:
    """The numbers in the bytes of a whole `<inertial>`; see `numbers_after`.

    Raises:
        TextError: the bytes are not well-formed.
    """
    plain = _plain_block().fullmatch(block)
    if plain is not None:
        found = parse_numbers(b" ".join(plain.groups()).decode("latin-1"))
        return found if found is not None and len(found) == _COUNT else None
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
    """The text of an element as tinyxml2 gives it: comments before it are passed over, and it ends at the next markup.

    Empty where there are elements in it, or text in several pieces, of which only the first would count.
    """
    data, encoding = element.document.data, element.document.encoding
    if b"<" not in data[element.inner_start : element.inner_end]:
        return element.text()
    if element.children:
        return ""
    spans = [(a, b) for a, b, _ in text.text_pieces(data, element.inner_start, element.inner_end) if data[a:b].strip()]
    return text.plain_text(data, *spans[0], encoding) if len(spans) == 1 else ""
