"""The values of SDF elements, read strictly."""

from __future__ import annotations

from collections.abc import Iterable

from sdfinertia.errors import ValueTextError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.markup.document import Element
from sdfinertia.robot.numbers import number_error, parse_numbers, shorten
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.values import DEFAULT_DENSITY, TENSOR_NAMES, Texts, Written

# What SDFormat takes for an absent mass and absent entries of the tensor.
_DEFAULTS = (1.0, *(1.0 if name[1] == name[2] else 0.0 for name in TENSOR_NAMES))

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


def read_written(element: Element) -> Written:
    """With SDFormat's defaults for what is absent."""
    numbers = written_numbers(element)
    if numbers is not None:
        return written_of(numbers)
    pose = read_pose(element.child("pose"))
    mass, tensor = element.child("mass"), element.child("inertia")
    entries = [mass, *[tensor.child(name) if tensor is not None else None for name in TENSOR_NAMES]]
    texts = [entry.text() if entry is not None else "" for entry in entries]
    values: list[float] = []
    for entry, text, default in zip(entries, texts, _DEFAULTS, strict=True):
        values.append(vector_in(text, entry, 1)[0] if entry is not None else default)
    return _written(pose, values[0], values[1:])


def written_of(numbers: tuple[float, ...]) -> Written:
    return _written(Pose(numbers[:6]), numbers[6], numbers[7:])


def _written(pose: Pose, mass: float, entries: Iterable[float]) -> Written:
    tensor = InertiaTensor(**dict(zip(TENSOR_NAMES, entries, strict=True)))
    X_LC = pose.transform()
    inertia = SpatialInertia(mass, (0.0, 0.0, 0.0), tensor).transformed(X_LC)
    return Written(inertia, tensor, X_LC.rotation)


def read_texts(element: Element) -> Texts:
    pose, mass, tensor = element.child("pose"), element.child("mass"), element.child("inertia")
    entries = [tensor.child(name) if tensor is not None else None for name in TENSOR_NAMES]
    numbers = pose.text().split() if pose is not None else []
    x, y, z = numbers[:3] if len(numbers) >= 3 else ("", "", "")
    is_plain = pose is not None and read_pose(pose).form == "rpy" and len(numbers) == 6
    roll, pitch, yaw = numbers[3:] if is_plain else ("", "", "")
    return Texts(
        mass.text() if mass is not None else "",
        (x, y, z),
        (roll, pitch, yaw),
        tuple(entry.text() if entry is not None else "" for entry in entries),
    )


def written_numbers(element: Element) -> tuple[float, ...] | None:
    """In the order of `InertialText.numbers`; None where the block is not written as we write it."""
    pose, mass, tensor = element.child("pose"), element.child("mass"), element.child("inertia")
    if pose is None or mass is None or tensor is None or pose.raw_attributes.strip():
        return None
    entries = [tensor.child(name) for name in TENSOR_NAMES]
    texts = [element.text() if element is not None else "" for element in (pose, mass, *entries)]
    numbers = [parse_numbers(text) for text in texts]
    if any(values is None for values in numbers):
        return None
    flat = tuple(value for values in numbers if values is not None for value in values)
    return flat if len(flat) == 6 + 1 + len(TENSOR_NAMES) else None


def read_given_mass(element: Element | None) -> tuple[float, str] | None:
    if element is None:
        return None
    mass = read_number(element)
    if mass <= 0.0:
        raise ValueTextError(f"<mass> is {element.text()}, but a mass must be above zero", location=element.location())
    return mass, element.text()


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
