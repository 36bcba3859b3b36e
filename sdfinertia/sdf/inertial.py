"""The explicit numbers of an `<inertial>`, read back from the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sdfinertia.description.facts import TENSOR_NAMES, WrittenInertia, WrittenTexts
from sdfinertia.description.numbers import parse_numbers
from sdfinertia.description.parameters import DEFAULT_DENSITY
from sdfinertia.description.pose_path import Pose
from sdfinertia.errors import ValueTextError
from sdfinertia.markup.document import Element
from sdfinertia.sdf.values import read_number, read_pose, vector_in

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia

# What SDFormat takes for an absent element.
DEFAULT_MASS = 1.0
_DEFAULT_MOMENT = 1.0


def read_written_inertia(element: Element) -> WrittenInertia:
    """The explicit numbers of an `<inertial>`, with SDFormat's defaults for what is absent.

    Raises:
        ValueTextError: an element in it is malformed.
    """
    numbers = written_numbers(element)
    if numbers is not None:
        return written_inertia_of(numbers)
    pose = read_pose(element.child("pose"))
    mass_element = element.child("mass")
    mass = read_number(mass_element) if mass_element is not None else DEFAULT_MASS
    values = {name: _DEFAULT_MOMENT if name[1] == name[2] else 0.0 for name in TENSOR_NAMES}
    tensor_element = element.child("inertia")
    if tensor_element is not None:
        for name in TENSOR_NAMES:
            entry = tensor_element.child(name)
            if entry is not None:
                values[name] = read_number(entry)
    return _written_inertia(pose, mass, values.values())


def written_inertia_of(numbers: tuple[float, ...]) -> WrittenInertia:
    """The explicit numbers of a block, from those that `written_numbers` gives."""
    return _written_inertia(Pose(numbers[:6]), numbers[6], numbers[7:])


def _written_inertia(pose: Pose, mass: float, entries: Iterable[float]) -> WrittenInertia:
    # Loaded where numbers are compared: digests tell most blocks to be clean.
    from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

    tensor = InertiaTensor(**dict(zip(TENSOR_NAMES, entries, strict=True)))
    X_LC = pose.transform()
    inertia = SpatialInertia(mass, (0.0, 0.0, 0.0), tensor).transformed(X_LC)
    return WrittenInertia(inertia, tensor, X_LC.rotation)


def read_written_texts(element: Element) -> WrittenTexts:
    """The numbers of an `<inertial>` as they stand."""
    pose, mass, tensor = element.child("pose"), element.child("mass"), element.child("inertia")
    entries = [tensor.child(name) if tensor is not None else None for name in TENSOR_NAMES]
    numbers = pose.text().split() if pose is not None else []
    x, y, z = numbers[:3] if len(numbers) >= 3 else ("", "", "")
    is_plain = pose is not None and read_pose(pose).form == "rpy" and len(numbers) == 6
    roll, pitch, yaw = numbers[3:] if is_plain else ("", "", "")
    return WrittenTexts(
        mass.text() if mass is not None else "",
        (x, y, z),
        (roll, pitch, yaw),
        tuple(entry.text() if entry is not None else "" for entry in entries),
    )


def read_inertial(element: Element) -> SpatialInertia:
    """The explicit inertia of an `<inertial>`, in the link frame; see `read_written_inertia`."""
    return read_written_inertia(element).inertia


def written_numbers(element: Element) -> tuple[float, ...] | None:
    """The numbers in a block as `InertialText.numbers` orders them, or None where it is not written as we write it."""
    pose, mass, tensor = element.child("pose"), element.child("mass"), element.child("inertia")
    if pose is None or mass is None or tensor is None or pose.raw_attributes.strip():
        return None
    entries = [tensor.child(name) for name in TENSOR_NAMES]
    texts = [pose.text(), mass.text(), *(entry.text() if entry is not None else "" for entry in entries)]
    numbers = [parse_numbers(text) for text in texts]
    if any(values is None for values in numbers):
        return None
    flat = tuple(value for values in numbers if values is not None for value in values)
    return flat if len(flat) == 6 + 1 + len(TENSOR_NAMES) else None


def read_given_mass(element: Element | None) -> tuple[float, str] | None:
    """The mass that an author gave, as number and as written; None where there is no `<mass>`.

    Raises:
        ValueTextError: it is empty, no number, or not above zero.
    """
    if element is None:
        return None
    mass = read_number(element)
    if mass <= 0.0:
        raise ValueTextError(f"<mass> is {element.text()}, but a mass is above zero", location=element.location())
    return mass, element.text()


def read_density(element: Element | None) -> float | None:
    """The density (kg/m³) in a `<density>` element; blank counts as the default given; None where there is none.

    Raises:
        ValueTextError: it is no finite number, or negative.
    """
    if element is None:
        return None
    text = element.text()
    if not text and not element.children:
        return DEFAULT_DENSITY
    density = vector_in(text, element, 1)[0]
    if density < 0:
        raise ValueTextError(f"<density> is {density:g}, which is negative", location=element.location())
    return density
