"""The numbers that a reader of SDF finds in the bytes of an edited `<inertial>`."""

from __future__ import annotations

import re
from functools import cache

from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.markup import text
from sdfinertia.markup.document import Document, Element
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.robot.values import TENSOR_NAMES

# What nearly every block is, found without making a tree: the elements that are written, in their order, comments and a
# density before or behind them. No part can match the same bytes in two ways.
_BESIDE = rb"[^<]*(?:(?:<!--[^-]*(?:-[^-]+)*-->|<density>[^<]*</density>)[^<]*)*"
_VALUES = [b"<%s>([^<]*)</%s>" % (name, name) for name in (b"pose", b"mass", *(name.encode() for name in TENSOR_NAMES))]
_WRITTEN = rb"[^<]*".join([*_VALUES[:2], b"<inertia>", *_VALUES[2:], b"</inertia>"])
_PLAIN_BLOCK = rb"<inertial(?: auto=[\"']false[\"'])?>" + _BESIDE + _WRITTEN + _BESIDE + b"</inertial>"


def holds(block: bytes, numbers: InertialText) -> bool:
    """Whether a reader finds these numbers in the bytes of a whole `<inertial>`."""
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
