"""The texts of an inertia as a file takes them: rounded, free of noise, and so that libsdformat accepts them."""

from __future__ import annotations

import math
from typing import NamedTuple

from sdfinertia.description.numbers import format_number
from sdfinertia.errors import InertiaError
from sdfinertia.inertia.libsdformat_validity import is_accepted_by_libsdformat
from sdfinertia.inertia.rigid_transform import Vector3, rpy_from_rotation
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

# The order of the six entries of a tensor in a file.
TENSOR_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")

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
