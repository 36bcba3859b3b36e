"""Elements and values of xacro that nobody expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.robot.link import walked

if TYPE_CHECKING:
    from sdfinertia.markup.document import Document, Element

_PREFIX = "xacro:"
_MARKS = ("${", "$(")


def is_xacro(text: str) -> bool:
    return "$" in text and any(mark in text for mark in _MARKS)


def xacro_element(document: Document) -> Element | None:
    """The first element of xacro; a declared namespace is none."""
    if _PREFIX.encode() not in document.data:
        return None
    elements = walked(document.roots, lambda element: element.children)
    return next((element for element in elements if element.name.startswith(_PREFIX)), None)
