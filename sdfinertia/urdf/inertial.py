"""The explicit numbers of an `<inertial>`, read back from the file."""

from __future__ import annotations

from sdfinertia.description.facts import TENSOR_NAMES, WrittenInertia, WrittenTexts
from sdfinertia.errors import SdfInertiaError, ValueTextError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.markup.document import Element
from sdfinertia.urdf.origin import QUATERNION, read_origin
from sdfinertia.urdf.values import read_number

_NO_ROTATION = (0.0, 0.0, 0.0)


def read_written_inertia(inertial: Element, *, has_quaternions: bool) -> WrittenInertia:
    """The explicit numbers of an `<inertial>`; URDF has defaults for its origin alone.

    Raises:
        ValueTextError: the mass or an entry of the tensor is missing, or something in it is malformed.
    """
    X_LC = read_origin(inertial.child("origin"), has_quaternions=has_quaternions).transform()
    mass = read_number(_required(inertial, "mass"), "value")
    element = _required(inertial, "inertia")
    tensor = InertiaTensor(**{name: read_number(element, name) for name in TENSOR_NAMES})
    inertia = SpatialInertia(mass, (0.0, 0.0, 0.0), tensor).transformed(X_LC)
    return WrittenInertia(inertia, tensor, X_LC.rotation)


def read_written_texts(inertial: Element) -> WrittenTexts:
    """The numbers of an `<inertial>` as they stand."""
    origin, mass, tensor = map(inertial.child, ("origin", "mass", "inertia"))
    return WrittenTexts(
        _text(mass, "value"),
        _three_texts(_text(origin, "xyz")),
        _three_texts(_text(origin, "rpy")),
        tuple(_text(tensor, name) for name in TENSOR_NAMES),
    )


def _text(element: Element | None, name: str) -> str:
    return (element.attribute(name) or "") if element is not None else ""


def _three_texts(text: str) -> tuple[str, str, str]:
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
    position, rotation = pose.numbers[:3] or _NO_ROTATION, pose.numbers[3:] or _NO_ROTATION
    if pose.form == QUATERNION:
        if not is_no_rotation(rotation):
            return None
        rotation = _NO_ROTATION
    return (*position, *rotation, mass, *tensor)


def is_no_rotation(quaternion: tuple[float, ...]) -> bool:
    """Whether a quaternion x y z w turns nothing."""
    return quaternion[:3] == _NO_ROTATION


def read_given_mass(inertial: Element) -> tuple[float, str] | None:
    """The mass that an author gave (kg), as number and as written; None where there is no `<mass>`.

    Raises:
        ValueTextError: it has no value, or one that is no number, or not above zero.
    """
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


def mass_text(inertial: Element) -> str | None:
    """The text of the mass, or None where there is none."""
    mass = inertial.child("mass")
    return mass.attribute("value") if mass is not None else None


def _required(inertial: Element, name: str) -> Element:
    element = inertial.child(name)
    if element is None:
        raise ValueTextError(f"the <inertial> has no <{name}>", location=inertial.location())
    return element
