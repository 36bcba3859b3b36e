"""The values of URDF attributes: strict, where other readers take a prefix, a part, or zero."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sdfinertia.description.numbers import number_error, parse_numbers, shorten
from sdfinertia.errors import Location, ValueTextError
from sdfinertia.markup.document import Element

if TYPE_CHECKING:
    from sdfinertia.description.protocols import Colour

_XACRO = ("${", "$(")
XACRO_REMEDY = "`xacro FILE > robot.urdf` first, or pipe it into `sdfinertia fill -`"
# What stands between numbers and is no blank: urdfdom refuses the file, and Bullet takes zeros.
_BREAK = r"[\t\r\n\v\f]"
_BREAK_MARK = rb"[\t\r\n\v\f&]"


def is_xacro(text: str) -> bool:
    """Whether a text is still to be expanded: it holds `${` or `$(`."""
    return "$" in text and any(mark in text for mark in _XACRO)


def refuse_xacro(text: str, what: str, location: Location) -> None:
    """Refuses a text that is still to be expanded.

    Raises:
        ValueTextError: it holds `${` or `$(`.
    """
    if is_xacro(text):
        raise ValueTextError(f"{what} is unexpanded xacro: {shorten(text)!r}", location=location, remedy=XACRO_REMEDY)


def read_text(element: Element, name: str) -> str:
    """An attribute that has to be there, trimmed.

    Raises:
        ValueTextError: it is not there, or is still to be expanded.
    """
    text = element.attribute(name)
    if text is None:
        raise ValueTextError(f"<{element.name}> has no {name}", location=element.location())
    # Places are looked up only for what is wrong.
    if is_xacro(text):
        refuse_xacro(text, f"the {name} of <{element.name}>", element.location())
    return text


def read_numbers(element: Element, name: str, length: int) -> tuple[float, ...]:
    """The `length` numbers in an attribute that has to be there.

    Raises:
        ValueTextError: it is not there, or does not hold exactly that many finite decimal numbers.
    """
    return _numbers(element, name, read_text(element, name), length)


def read_optional_numbers(element: Element, name: str, length: int) -> tuple[float, ...] | None:
    """The `length` numbers in an attribute, or None where it is not there.

    Raises:
        ValueTextError: it does not hold exactly that many finite decimal numbers.
    """
    text = element.attribute(name)
    if text is None:
        return None
    if is_xacro(text):
        refuse_xacro(text, f"the {name} of <{element.name}>", element.location())
    return _numbers(element, name, text, length)


def _numbers(element: Element, name: str, text: str, length: int) -> tuple[float, ...]:
    numbers = parse_numbers(text)
    if numbers is not None and len(numbers) == length:
        return numbers
    raise number_error(text, length, f"{name} of <{element.name}>", element.location())


def read_number(element: Element, name: str) -> float:
    """The single number in an attribute; see `read_numbers`."""
    return read_numbers(element, name, 1)[0]


def read_colour(material: Element) -> Colour | None:
    """The `<color rgba>` of a `<material>`; None where it has none, or one that is no colour."""
    element = material.child("color")
    numbers = parse_numbers(element.attribute("rgba") or "") if element is not None else None
    if numbers is None or len(numbers) != 4 or not all(0.0 <= value <= 1.0 for value in numbers):
        return None
    red, green, blue, opacity = numbers
    return red, green, blue, opacity


def has_breaks(element: Element, name: str) -> bool:
    """Whether tabs or line breaks stand between the numbers of an attribute."""
    # Nearly always there is none in the whole tag; a reference to a character may stand for one.
    if re.search(_BREAK_MARK, element.raw_attributes) is None:
        return False
    text = element.attribute(name)
    return text is not None and re.search(_BREAK, text) is not None
