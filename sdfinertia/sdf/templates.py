"""SDF with xacro in it, which is a template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import UnexpandedError
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.suffixes import XACRO_MARKS, XACRO_SUFFIX
from sdfinertia.robot.unexpanded import is_xacro, xacro_element

if TYPE_CHECKING:
    from sdfinertia.markup.document import Document, Element

# The elements whose attributes and texts are read; all others, plugins among them, may hold "${" for their programs.
_READ = frozenset(
    ("world", "model", "include", "link", "frame", "joint", "inertial", "collision", "visual", "geometry", "name")
) | {"pose", "static", "density", "auto_inertia_params", "parent", "child"}
# Those in which all are read but uris, which are for the simulator.
_READ_WHOLLY = frozenset(("inertial", "geometry", "auto_inertia_params"))


def refuse_template(document: Document) -> None:
    """Refuses SDF with elements of xacro, or with `${` or `$(` in a value; a declared `xmlns:xacro` is none.

    Raises:
        UnexpandedError: it is a template.
    """
    if document.path.lower().endswith(XACRO_SUFFIX) or not any(mark in document.data for mark in XACRO_MARKS):
        return
    element = xacro_element(document)
    what, element = ("", element) if element is not None else _unexpanded_value(document)
    if element is not None:
        raise UnexpandedError(
            f"is a xacro template, not SDF: {what}<{shorten(element.name)}>",
            location=element.location(),
            remedy="rename it to .sdf.xacro, or --exclude it",
        )


def _unexpanded_value(document: Document) -> tuple[str, Element | None]:
    """The first xacro in a value, in words, and the element that it is in."""
    pending = [(root, False) for root in document.roots if root.name == "sdf"]
    while pending:
        element, is_wholly_read = pending.pop()
        values = [*element.attributes().values()] if b"$" in element.raw_attributes else []
        values += [] if element.children else [element.text()]
        for value in values:
            if is_xacro(value):
                return f"{shorten(value)!r} in ", element
        is_wholly_read |= element.name in _READ_WHOLLY
        pending += [
            (child, is_wholly_read)
            for child in reversed(element.children)
            if child.name in _READ or (is_wholly_read and child.name != "uri")
        ]
    return "", None
