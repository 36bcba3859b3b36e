"""The children of `<auto_inertia_params>`: how the inertia of a collision, or of all of a link, is to be computed."""

from __future__ import annotations

from typing import NamedTuple

from sdfinertia.errors import ValueTextError
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.values import shorten

METHODS = ("exact", "convex_hull")


class InertiaParameters(NamedTuple):
    """What the parameters ask for.

    Attributes:
        method: one of METHODS, or None where they do not say.
        notes: what in them has no effect.
    """

    method: str | None = None
    notes: tuple[str, ...] = ()


def read_parameters(element: Element | None) -> InertiaParameters:
    """The parameters in an `<auto_inertia_params>`; children count by local name, whatever their prefix.

    Raises:
        ValueTextError: a method is not known.
    """
    if element is None:
        return InertiaParameters()
    method: str | None = None
    notes: list[str] = []
    for child in element.children:
        prefix, _, name = child.name.rpartition(":")
        if not prefix:
            notes.append(f"<{child.name}> in <auto_inertia_params> has no namespace prefix, which Drake refuses")
        if name == "method":
            method = method or _read_method(child)
        else:
            notes.append(f"<{child.name}> in <auto_inertia_params> has no effect")
    return InertiaParameters(method, tuple(notes))


def _read_method(element: Element) -> str | None:
    method = element.text()
    if method and method not in METHODS:
        raise ValueTextError(
            f"the method {shorten(method)!r} is not one of {', '.join(METHODS)}", location=element.location()
        )
    return method or None
