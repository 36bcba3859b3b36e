"""The values of SDF elements and attributes: strict, where libsdformat reads a prefix or falls back on a default."""

from __future__ import annotations

from sdfinertia.description.numbers import number_error, parse_numbers, shorten
from sdfinertia.description.pose_path import Pose
from sdfinertia.errors import ValueTextError
from sdfinertia.markup.document import Element

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def read_number(element: Element) -> float:
    """The single number in an element.

    Raises:
        ValueTextError: it is no finite decimal number.
    """
    return read_vector(element, 1)[0]


def read_vector(element: Element, length: int) -> tuple[float, ...]:
    """The `length` numbers in an element.

    Raises:
        ValueTextError: it does not hold exactly that many finite decimal numbers.
    """
    return vector_in(element.text(), element, length)


def vector_in(text: str, element: Element, length: int) -> tuple[float, ...]:
    """The `length` numbers in the text of an element.

    Raises:
        ValueTextError: it does not hold exactly that many finite decimal numbers.
    """
    numbers = parse_numbers(text)
    if numbers is not None and len(numbers) == length:
        return numbers
    raise number_error(text, length, f"<{element.name}>", element.location())


def read_boolean(text: str, what: str, element: Element, *, default: bool) -> bool:
    """A boolean: `true`, `1`, `false`, `0` in any letter case; empty means the default.

    Raises:
        ValueTextError: it is something else.
    """
    text = text.strip(" \t\r\n\v\f")
    if not text:
        return default
    value = _BOOLEANS.get(text.lower())
    if value is None:
        raise ValueTextError(f"{what} must be true, false, 1 or 0, not {shorten(text)!r}", location=element.location())
    return value


def read_pose(element: Element | None, frame_attribute: str = "relative_to") -> Pose:
    """The pose in a `<pose>` element; the identity where there is none or it is blank.

    Args:
        element: the `<pose>`.
        frame_attribute: `relative_to`, or `frame` as SDFormat up to 1.6 calls it.

    Raises:
        ValueTextError: wrong counts, not a number, or attributes that do not go together.
    """
    if element is None:
        return Pose()
    relative_to, form, degrees = "", "rpy", False
    if element.raw_attributes:
        relative_to = element.attribute(frame_attribute) or element.attribute("relative_to") or ""
        form = _rotation_format(element)
        degrees = read_boolean(
            element.attribute("degrees") or "", "the attribute degrees of <pose>", element, default=False
        )
    if degrees:
        if form == "quat_xyzw":
            raise ValueTextError("degrees does not go with rotation_format='quat_xyzw'", location=element.location())
        form = "degrees"
    text = element.text()
    if not text:
        return Pose((), form, relative_to)
    return Pose(vector_in(text, element, 7 if form == "quat_xyzw" else 6), form, relative_to)


def _rotation_format(pose: Element) -> str:
    form = pose.attribute("rotation_format") or "euler_rpy"
    if form == "euler_rpy":
        return "rpy"
    if form != "quat_xyzw":
        raise ValueTextError(
            f"rotation_format must be euler_rpy or quat_xyzw, not {shorten(form)!r}", location=pose.location()
        )
    return form
