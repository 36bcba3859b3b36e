"""The explicit numbers of an `<inertial>`: read back from the file, and written as text."""

from __future__ import annotations

import math
from typing import NamedTuple

from sdfinertia.errors import InertiaError, ValueTextError
from sdfinertia.inertia.libsdformat_validity import is_accepted_by_libsdformat
from sdfinertia.inertia.rigid_transform import Vector3, rpy_from_rotation
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.values import parse_numbers, read_number, read_pose

# SDF's order of the six children of <inertia>.
TENSOR_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
# What SDFormat takes for an absent element.
DEFAULT_MASS = 1.0
_DEFAULT_MOMENT = 1.0

# Below these parts of the tensor's, or the body's, size a number is rounding noise and is written as zero.
_NOISE = 1e-14
# One nudge moves a tensor by one unit of its last digit; a tensor that needs more than this many is not merely rounded.
_MAXIMUM_NUDGES = 64


class InertialText(NamedTuple):
    """The texts of a filled block; `tensor` holds ixx ixy ixz iyy iyz izz."""

    pose: str
    mass: str
    tensor: tuple[str, ...]

    def numbers(self) -> tuple[float, ...]:
        """The numbers that a reader of these texts gets: x y z roll pitch yaw, mass, ixx ixy ixz iyy iyz izz."""
        return tuple(float(text) for text in (*self.pose.split(), self.mass, *self.tensor))


def format_number(value: float, digits: int) -> str:
    """The number rounded to so many significant digits, in its shortest decimal form."""
    if value == 0.0:
        return "0"
    text = "%.*g" % (digits, value)  # noqa: UP031  # as an f-string it takes more than twice as long
    if "e" not in text:
        return text
    mantissa, _, power = text.partition("e")
    return f"{mantissa}e{int(power)}"


def inertial_text(
    inertia: SpatialInertia, *, digits: int, principal_axes: bool = False, mass_text: str | None = None
) -> InertialText:
    """The texts that write an inertia into an `<inertial>`.

    Args:
        inertia: of the link, in the link frame.
        digits: significant digits kept.
        principal_axes: write principal moments and put the rotation to their axes into the pose.
        mass_text: the mass as its author wrote it, to be kept.

    Raises:
        InertiaError: no rounding of the tensor passes libsdformat's test of physical validity.
    """
    tensor, angles = inertia.I_BBcm_B, (0.0, 0.0, 0.0)
    if principal_axes:
        axes = inertia.principal()
        tensor = InertiaTensor(*axes.moments)
        angles = rpy_from_rotation(axes.rotation)
    position = _without_noise(inertia.p_BoBcm_B, _body_size(inertia))
    pose = " ".join(format_number(value, digits) for value in (*position, *angles))
    mass = mass_text if mass_text is not None else format_number(inertia.mass, digits)
    return InertialText(pose, mass, _tensor_text(inertia.mass, tensor, digits))


def _body_size(inertia: SpatialInertia) -> float:
    x, y, z = inertia.p_BoBcm_B
    return max(math.sqrt(x * x + y * y + z * z), inertia.gyradius)


def _without_noise(values: Vector3, scale: float) -> tuple[float, ...]:
    return tuple(0.0 if abs(value) < _NOISE * scale else value for value in values)


def _tensor_text(mass: float, tensor: InertiaTensor, digits: int) -> tuple[str, ...]:
    """The six texts, nudged where rounding alone would make the tensor one that libsdformat refuses."""
    largest = max(tensor.ixx, tensor.iyy, tensor.izz)
    if not (largest > 0.0 and math.isfinite(largest)):
        raise InertiaError(f"the largest moment of inertia is {largest:g}")
    products = _without_noise((tensor.ixy, tensor.ixz, tensor.iyz), largest)
    ixy, ixz, iyz = (format_number(value, digits) for value in products)
    unit = 10.0 ** (math.floor(math.log10(largest)) - digits + 1)
    for nudges in range(_MAXIMUM_NUDGES):
        ixx, iyy, izz = (format_number(value + nudges * unit, digits) for value in (tensor.ixx, tensor.iyy, tensor.izz))
        written = InertiaTensor(*(float(text) for text in (ixx, iyy, izz, ixy, ixz, iyz)))
        if is_accepted_by_libsdformat(mass, written):
            return ixx, ixy, ixz, iyy, iyz, izz
    raise InertiaError(
        f"with {digits} digits the tensor breaks the triangle inequality or is not positive definite",
        remedy="write more --digits, or check the shapes",
    )


def read_inertial(element: Element) -> SpatialInertia:
    """The explicit inertia of an `<inertial>`, in the link frame, with SDFormat's defaults for what is absent.

    Raises:
        ValueTextError: an element in it is malformed.
    """
    X_LC = read_pose(element.child("pose")).transform()
    mass_element = element.child("mass")
    mass = read_number(mass_element) if mass_element is not None else DEFAULT_MASS
    values = {name: _DEFAULT_MOMENT if name[1] == name[2] else 0.0 for name in TENSOR_NAMES}
    tensor_element = element.child("inertia")
    if tensor_element is not None:
        for name in TENSOR_NAMES:
            entry = tensor_element.child(name)
            if entry is not None:
                values[name] = read_number(entry)
    tensor = InertiaTensor(**values)
    return SpatialInertia(mass, (0.0, 0.0, 0.0), tensor).transformed(X_LC)


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
