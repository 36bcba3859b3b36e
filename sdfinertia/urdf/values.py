"""The values of URDF attributes: strict, where other readers take a prefix, a part, or zero."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sdfinertia.errors import Location, SdfInertiaError, ValueTextError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.markup.document import Element
from sdfinertia.robot.numbers import number_error, parse_numbers, shorten
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.values import TENSOR_NAMES, Colour, Texts, Written

_ZERO = (0.0, 0.0, 0.0)
QUATERNION = "quat_xyzw"
BREAKS = "tabs or line breaks stand between its numbers, which urdfdom refuses"
_XACRO = ("${", "$(")
XACRO_REMEDY = "`xacro FILE > robot.urdf` first, or `xacro FILE | sdfinertia fill -`"
# What stands between numbers and is no blank: urdfdom refuses the file, and Bullet takes zeros.
_BREAK = r"[\t\r\n\v\f]"
_BREAK_MARK = rb"[\t\r\n\v\f&]"


def is_xacro(text: str) -> bool:
    """Whether a text is still to be expanded: it holds `${` or `$(`."""
    return "$" in text and any(mark in text for mark in _XACRO)


def refuse_xacro(text: str, what: str, location: Location) -> None:
    """Refuses a text that is still to be expanded."""
    if is_xacro(text):
        raise ValueTextError(f"{what} is unexpanded xacro: {shorten(text)!r}", location=location, remedy=XACRO_REMEDY)


def read_text(element: Element, name: str) -> str:
    """An attribute that has to be there, trimmed."""
    text = element.attribute(name)
    if text is None:
        raise ValueTextError(f"<{element.name}> has no {name}", location=element.location())
    # Places are looked up only for what is wrong.
    if is_xacro(text):
        refuse_xacro(text, f"the {name} of <{element.name}>", element.location())
    return text


def read_numbers(element: Element, name: str, length: int) -> tuple[float, ...]:
    """The `length` numbers in an attribute that has to be there."""
    return _numbers(element, name, read_text(element, name), length)


def read_optional_numbers(element: Element, name: str, length: int) -> tuple[float, ...] | None:
    """The `length` numbers in an attribute, or None where it is not there."""
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


# Poses and inertials -------------------------------------------------------------------------------------------------


def read_origin(origin: Element | None, *, has_quaternions: bool) -> Pose:
    """The pose in an `<origin>`; zero where there is none, or what is absent in it."""
    if origin is None:
        return Pose()
    xyz = read_optional_numbers(origin, "xyz", 3) or _ZERO
    if has_quaternions and origin.attribute(QUATERNION) is not None:
        if origin.attribute("rpy") is not None:
            raise ValueTextError(f"<origin> gives both rpy and {QUATERNION}", location=origin.location())
        return Pose((*xyz, *read_numbers(origin, QUATERNION, 4)), QUATERNION)
    return Pose((*xyz, *(read_optional_numbers(origin, "rpy", 3) or _ZERO)))


def origin_notes(origin: Element | None, *, has_quaternions: bool) -> Iterator[str]:
    """What is to be said of an `<origin>` that readers take differently."""
    if origin is None:
        return
    if not has_quaternions and origin.attribute(QUATERNION) is not None:
        yield f"{QUATERNION} of <origin> is ignored: it counts from version 1.1 of URDF"
    for name in ("xyz", "rpy", *((QUATERNION,) if has_quaternions else ())):
        if has_breaks(origin, name):
            yield f"{name} of <origin>: {BREAKS}"


def read_written(inertial: Element, *, has_quaternions: bool) -> Written:
    """The explicit numbers of an `<inertial>`; URDF has defaults for its origin alone."""
    X_LC = read_origin(inertial.child("origin"), has_quaternions=has_quaternions).transform()
    mass = read_number(_required(inertial, "mass"), "value")
    element = _required(inertial, "inertia")
    tensor = InertiaTensor(**{name: read_number(element, name) for name in TENSOR_NAMES})
    inertia = SpatialInertia(mass, (0.0, 0.0, 0.0), tensor).transformed(X_LC)
    return Written(inertia, tensor, X_LC.rotation)


def read_texts(inertial: Element) -> Texts:
    """The numbers of an `<inertial>` as they stand."""
    origin, mass, tensor = map(inertial.child, ("origin", "mass", "inertia"))
    return Texts(
        _attribute(mass, "value"),
        _three(_attribute(origin, "xyz")),
        _three(_attribute(origin, "rpy")),
        tuple(_attribute(tensor, name) for name in TENSOR_NAMES),
    )


def _attribute(element: Element | None, name: str) -> str:
    return (element.attribute(name) or "") if element is not None else ""


def _three(text: str) -> tuple[str, str, str]:
    numbers = text.split()
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else ("", "", "")


def written_numbers(inertial: Element, *, has_quaternions: bool) -> tuple[float, ...] | None:
    """The numbers in a block as `InertialText.numbers` orders them, or None where it is not written as we write it."""
    try:
        pose = read_origin(inertial.child("origin"), has_quaternions=has_quaternions)
        mass = read_number(_required(inertial, "mass"), "value")
        element = _required(inertial, "inertia")
        tensor = tuple(read_number(element, name) for name in TENSOR_NAMES)
    except SdfInertiaError:
        return None
    position, rotation = pose.numbers[:3] or _ZERO, pose.numbers[3:] or _ZERO
    if pose.form == QUATERNION:
        if not is_no_rotation(rotation):
            return None
        rotation = _ZERO
    return (*position, *rotation, mass, *tensor)


def is_no_rotation(quaternion: tuple[float, ...]) -> bool:
    """Whether a quaternion x y z w turns nothing."""
    return quaternion[:3] == _ZERO


def read_given_mass(inertial: Element) -> tuple[float, str] | None:
    """The mass that an author gave (kg), as number and as written; None where there is no `<mass>`."""
    mass = inertial.child("mass")
    if mass is None:
        return None
    number = read_number(mass, "value")
    text = mass.attribute("value") or ""
    if number <= 0.0:
        raise ValueTextError(
            f"value of <mass> is {text}, but a mass is above zero",
            location=mass.location(),
            remedy="write that of the part, or take <mass> out to have it computed from a density",
        )
    return number, text


def _required(inertial: Element, name: str) -> Element:
    element = inertial.child(name)
    if element is None:
        raise ValueTextError(f"the <inertial> has no <{name}>", location=inertial.location())
    return element
