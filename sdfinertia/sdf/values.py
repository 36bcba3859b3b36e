"""The values of SDF elements, read strictly."""

from __future__ import annotations

from sdfinertia.errors import ValueTextError
from sdfinertia.markup import text as markup
from sdfinertia.markup.document import Element
from sdfinertia.robot.numbers import number_error, parse_numbers, shorten
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.values import DEFAULT_DENSITY, TENSOR_NAMES

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def read_number(element: Element) -> float:
    return read_vector(element, 1)[0]


def read_vector(element: Element, length: int) -> tuple[float, ...]:
    return vector_in(element.text(), element, length)


def vector_in(text: str, element: Element, length: int) -> tuple[float, ...]:
    numbers = parse_numbers(text)
    if numbers is not None and len(numbers) == length:
        return numbers
    raise number_error(text, length, f"<{element.name}>", element.location())


def read_boolean(text: str, what: str, element: Element, *, default: bool) -> bool:
    """`true`, `1`, `false`, `0` in any case; empty means the default."""
    text = text.strip(" \t\r\n\v\f")
    if not text:
        return default
    value = _BOOLEANS.get(text.lower())
    if value is None:
        raise ValueTextError(f"{what} must be true, false, 1 or 0, not {shorten(text)!r}", location=element.location())
    return value


def read_pose(element: Element | None, frame_attribute: str = "relative_to") -> Pose:
    """The identity where there is none or it is blank; up to SDFormat 1.6 the frame attribute is `frame`."""
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
            raise ValueTextError(
                "degrees cannot be combined with rotation_format='quat_xyzw'", location=element.location()
            )
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


# An <inertial> --------------------------------------------------------------------------------------------------------


def numbers_in(inertial: Element) -> tuple[float, ...] | None:
    """In the order of `InertialText.numbers`; None where the block is not written as we write it."""
    pose, mass, tensor = map(inertial.child, ("pose", "mass", "inertia"))
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
    if markup.LESS_THAN not in data[element.inner_start : element.inner_end]:
        return element.text()
    if element.children:
        return ""
    spans = [
        (a, b) for a, b, _ in markup.text_pieces(data, element.inner_start, element.inner_end) if data[a:b].strip()
    ]
    return markup.plain_text(data, *spans[0], encoding) if len(spans) == 1 else ""


def read_density(element: Element | None) -> float | None:
    """kg/m³; a blank `<density>` means the default, given."""
    if element is None:
        return None
    text = element.text()
    if not text and not element.children:
        return DEFAULT_DENSITY
    density = vector_in(text, element, 1)[0]
    if density < 0:
        raise ValueTextError(f"<density> is {density:g}, which is negative", location=element.location())
    return density
