"""The texts of an inertia as a file takes them: rounded, free of noise, and so that libsdformat accepts them."""

from __future__ import annotations

import math
from collections.abc import Callable

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.libsdformat_validity import is_accepted_by_libsdformat
from sdfinertia.inertia.number_text import format_number
from sdfinertia.inertia.principal_axes import PrincipalAxes
from sdfinertia.inertia.rigid_transform import Vector3, rpy_from_rotation
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.named_tuple import NamedTuple

# Below these parts of the tensor's, or the body's, size a number is rounding noise and is written as zero.
_NOISE = 1e-14

# What is said where the axes are not those that were asked for.
_TURNED = (
    "written in its principal axes, with the rotation in its pose: so thin and turned, libsdformat's test of physical "
    "validity rounds its moments away"
)
# One nudge moves a tensor by one unit of its last digit; a tensor that needs more than this many is not merely rounded.
_MAXIMUM_NUDGES = 64


class InertialText(NamedTuple):
    """The texts of a filled block.

    Attributes:
        tensor: ixx ixy ixz iyy iyz izz.
        note: what is to be said of how the numbers are written, or "".
    """

    pose: str
    mass: str
    tensor: tuple[str, ...]
    note: str = ""

    def numbers(self) -> tuple[float, ...]:
        """The numbers that a reader of these texts gets: x y z roll pitch yaw, mass, ixx ixy ixz iyy iyz izz."""
        return tuple(map(float, (*self.pose.split(), self.mass, *self.tensor)))


def inertial_text(
    inertia: SpatialInertia,
    *,
    digits: int,
    principal_axes: bool = False,
    mass_text: str | None = None,
    rounding: float = 0.0,
    axes: Callable[[], PrincipalAxes] | None = None,
) -> InertialText:
    """The texts that write an inertia into an `<inertial>`.

    A thin body that is turned is written in its principal axes, with a note, where libsdformat would refuse its tensor
    in those of the link.

    Args:
        inertia: of the link, in the link frame.
        digits: significant digits kept.
        principal_axes: write principal moments and put the rotation to their axes into the pose.
        mass_text: the mass as its author wrote it, to be kept.
        rounding: products up to this are taken for rounding, and written as zero (kg·m²).
        axes: finds the principal axes, where more is known of them than the tensor tells.

    Raises:
        InertiaError: no rounding of the tensor passes libsdformat's test of physical validity.
    """
    position = _without_noise(inertia.p_BoBcm_B, _NOISE * _body_size(inertia))
    mass = mass_text if mass_text is not None else format_number(inertia.mass, digits)
    angles, note = (0.0, 0.0, 0.0), ""
    tensor = None if principal_axes else tensor_text(inertia.mass, inertia.I_BBcm_B, digits, rounding)
    if tensor is None:
        principal = axes() if axes is not None else inertia.principal()
        angles = rpy_from_rotation(principal.rotation)
        tensor = tensor_text(inertia.mass, InertiaTensor(*principal.moments), digits)
        note = "" if principal_axes else _TURNED
    if tensor is None:
        raise InertiaError(
            f"with {digits} digits the tensor breaks the triangle inequality or is not positive definite",
            remedy="write more --digits, or check the shapes",
        )
    pose = " ".join([format_number(value, digits) for value in (*position, *angles)])
    return InertialText(pose, mass, tensor, note)


def text_as_given(inertia: SpatialInertia, *, digits: int) -> InertialText:
    """The texts of numbers that no body need have, rounded and else as they are; for whoever means them so.

    Args:
        inertia: in the axes in which it is written; its numbers are finite.
        digits: significant digits kept.
    """
    pose = " ".join(format_number(value, digits) for value in (*inertia.p_BoBcm_B, 0.0, 0.0, 0.0))
    xx, yy, zz, xy, xz, yz = (format_number(value, digits) for value in inertia.I_BBcm_B)
    return InertialText(pose, format_number(inertia.mass, digits), (xx, xy, xz, yy, yz, zz))


def _body_size(inertia: SpatialInertia) -> float:
    x, y, z = inertia.p_BoBcm_B
    return max(math.sqrt(x * x + y * y + z * z), inertia.gyradius)


def _without_noise(values: Vector3, noise: float) -> Vector3:
    x, y, z = values
    return (0.0 if abs(x) < noise else x, 0.0 if abs(y) < noise else y, 0.0 if abs(z) < noise else z)


def tensor_text(mass: float, tensor: InertiaTensor, digits: int, rounding: float = 0.0) -> tuple[str, ...] | None:
    """The six texts, nudged where rounding alone would make the tensor one that libsdformat refuses.

    Args:
        mass: (kg).
        tensor: in the axes in which it is written (kg·m²).
        digits: significant digits kept.
        rounding: products up to this are written as zero (kg·m²).

    Returns:
        ixx ixy ixz iyy iyz izz; None if libsdformat refuses them all.

    Raises:
        InertiaError: no moment is above zero, or one is not finite.
    """
    largest = max(tensor.ixx, tensor.iyy, tensor.izz)
    if not (largest > 0.0 and math.isfinite(largest)):
        raise InertiaError(f"the largest moment of inertia is {largest:g}")
    products = _without_noise((tensor.ixy, tensor.ixz, tensor.iyz), max(_NOISE * largest, rounding))
    ixy, ixz, iyz = [format_number(value, digits) for value in products]
    unit = 10.0 ** (math.floor(math.log10(largest)) - digits + 1)
    for nudges in range(_MAXIMUM_NUDGES):
        ixx, iyy, izz = [format_number(value + nudges * unit, digits) for value in tensor[:3]]
        written = InertiaTensor(*map(float, (ixx, iyy, izz, ixy, ixz, iyz)))
        if is_accepted_by_libsdformat(mass, written):
            return ixx, ixy, ixz, iyy, iyz, izz
    return None
