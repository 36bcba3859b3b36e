"""The children of `<auto_inertia_params>`: how the inertia of a collision, or of all of a link, is to be computed."""

from __future__ import annotations

from sdfinertia.declaration import Declaration, Kind
from sdfinertia.description.numbers import shorten
from sdfinertia.description.parameters import InertiaParameters
from sdfinertia.errors import ValueTextError
from sdfinertia.markup.document import Element
from sdfinertia.options import PARAMETERS
from sdfinertia.sdf.values import read_number


def read_parameters(element: Element | None) -> InertiaParameters:
    """The parameters in an `<auto_inertia_params>`; children count by local name, whatever their prefix.

    Raises:
        ValueTextError: a child holds a word or a number that it cannot have.
    """
    if element is None:
        return InertiaParameters()
    values: dict[str, str | float] = {}
    others: list[tuple[str, str]] = []
    notes: list[str] = []
    for child in element.children:
        prefix, _, name = child.name.rpartition(":")
        if not prefix:
            notes.append(f"<{child.name}> in <auto_inertia_params> has no namespace prefix, which Drake refuses")
        if name in PARAMETERS:
            value = _read(child, PARAMETERS[name])
            if value is not None:
                values.setdefault(name, value)
        else:
            others.append((name, child.text()))
    if others and "calculator" not in values:
        notes += (f"<{name}> in <auto_inertia_params> is not known and has no effect" for name, _ in others)
    return InertiaParameters(**values, others=tuple(others), notes=tuple(notes))  # type: ignore[arg-type]


def _read(element: Element, declaration: Declaration) -> str | float | None:
    text = element.text()
    if not text:
        return None
    if declaration.kind is Kind.NUMBER:
        number = read_number(element)
        if number <= 0.0:
            raise ValueTextError(f"<{element.name}> must be above zero, not {text}", location=element.location())
        return number
    if declaration.kind is Kind.CHOICE and text not in declaration.choices:
        raise ValueTextError(
            f"<{element.name}> must be one of {', '.join(declaration.choices)}, not {shorten(text)!r}",
            location=element.location(),
        )
    return text
