"""Whether libsdformat will take a mass and a tensor, which it judges to ten machine epsilons."""

from __future__ import annotations

from math import inf, isfinite
from sys import float_info

from sdfinertia.inertia.principal_axes import is_clearly_of_a_solid, principal_moments
from sdfinertia.inertia.spatial_inertia import InertiaTensor

# GZ_MASSMATRIX3_DEFAULT_TOLERANCE of gz-math 7 (gz/math/MassMatrix3.hh), in machine epsilons.
_TOLERANCE = 10.0


def is_accepted_by_libsdformat(mass: float, tensor: InertiaTensor, *, must_turn: bool = True) -> bool:
    """Whether an `<inertial>` with these numbers loads in libsdformat, and describes a body that can turn.

    The conditions are those of `MassMatrix3::IsValid` in gz-math 7: `IsNearPositive` (leading minors of the tensor) and
    `ValidMoments` (positive principal moments that satisfy the triangle inequality), with the absolute slack
    10 ε · trace/2. Beyond them the mass, ixx and the least principal moment must be above zero, since physics engines
    divide by them; an ideal rod, which has none about its axis, loads all the same.

    Args:
        must_turn: ask for more than libsdformat does: mass, ixx and the least principal moment above zero.
        mass: (kg).
        tensor: about the centre of mass (kg·m²), as it will be written.
    """
    if 0.0 < mass < inf and is_clearly_of_a_solid(tensor):
        return True
    if not (isfinite(mass) and all(isfinite(value) for value in tensor)):
        return False
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    slack = _TOLERANCE * float_info.epsilon * 0.5 * abs(ixx + iyy + izz)
    if not (mass >= 0.0 and ixx + slack >= 0.0 and ixx * iyy - ixy * ixy + slack >= 0.0):
        return False
    # Expanded as Matrix3::Determinant does, so that its rounding is the same.
    determinant = (izz * iyy - iyz * iyz) * ixx - (izz * ixy - ixz * iyz) * ixy + (iyz * ixy - ixz * iyy) * ixz
    if not determinant + slack >= 0.0:
        return False
    # gz-math finds the moments by a closed form (an arc cosine), which loses half the digits where two of them nearly
    # coincide; which way it errs there cannot be foreseen, so the moments are judged as they are.
    low, middle, high = principal_moments(tensor)
    if must_turn and not (mass > 0.0 and ixx > 0.0 and low > 0.0):
        return False
    return low + slack >= 0.0 and low + middle + slack >= high
