"""Whether libsdformat will take a mass and a tensor, which it judges to ten machine epsilons."""

from __future__ import annotations

from math import acos, cos, inf, isfinite, nan, pi, sqrt
from sys import float_info

from sdfinertia.inertia.principal_axes import is_clearly_of_a_solid, principal_moments
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.spatial_inertia import InertiaTensor

# GZ_MASSMATRIX3_DEFAULT_TOLERANCE of gz-math 7 (gz/math/MassMatrix3.hh), in machine epsilons.
_TOLERANCE = 10.0

# Products up to this part of the largest diagonal entry are none to gz-math (the default of PrincipalMoments).
_DIAGONAL = 1e-6

# What rounding moves the cosine in gz-math's closed form by, in either direction: 45 ε at most for 1,500 rods of
# 1:10³ to 1:10⁷, against 60 digits. Which way it goes differs with the compiler and the processor.
_COSINE_ROUNDING = 64.0 * float_info.epsilon

# Between these the cubes in the closed form neither overflow nor lose digits.
_SMALLEST_TRACE, _LARGEST_TRACE = 1e-90, 1e90


def is_accepted_by_libsdformat(mass: float, tensor: InertiaTensor, *, must_turn: bool = True) -> bool:
    """Whether an `<inertial>` with these numbers loads in libsdformat, and describes a body that can turn.

    The conditions are those of `MassMatrix3::IsValid` in gz-math 7: `IsNearPositive` (leading minors of the tensor) and
    `ValidMoments` (positive principal moments that satisfy the triangle inequality), with the absolute slack
    10 ε · trace/2. It finds the moments by a closed form (`closed_form_moments`), which tears two moments that coincide
    apart by half the digits, and so refuses a rod of 1:10⁴ unless its tensor is written along its axes.

    Args:
        must_turn: ask for more than libsdformat does: mass, ixx and the least principal moment above zero, since
            physics engines divide by them (an ideal rod, which has none about its axis, loads all the same); that the
            moments are valid as they are, for readers that compute them better; and that it loads however the closed
            form rounds, since another machine rounds otherwise.
        mass: (kg).
        tensor: about the centre of mass (kg·m²), as it will be written.
    """
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    trace = ixx + iyy + izz
    if 0.0 < mass < inf and _SMALLEST_TRACE < trace < _LARGEST_TRACE and is_clearly_of_a_solid(tensor):
        return True
    if not (isfinite(mass) and all(isfinite(value) for value in tensor)):
        return False
    slack = _slack(ixx, iyy, izz)
    if not (mass >= 0.0 and ixx + slack >= 0.0 and ixx * iyy - ixy * ixy + slack >= 0.0):
        return False
    # Expanded as Matrix3::Determinant does, so that its rounding is the same.
    determinant = (izz * iyy - iyz * iyz) * ixx - (izz * ixy - ixz * iyz) * ixy + (iyz * ixy - ixz * iyy) * ixz
    if not determinant + slack >= 0.0:
        return False
    if not must_turn:
        return _are_valid(closed_form_moments(tensor))
    moments = principal_moments(tensor)
    if not (mass > 0.0 and ixx > 0.0 and moments[0] > 0.0 and _are_valid(moments)):
        return False
    return all(_are_valid(closed_form_moments(tensor, shift)) for shift in (0.0, _COSINE_ROUNDING, -_COSINE_ROUNDING))


def closed_form_moments(tensor: InertiaTensor, shift: float = 0.0) -> Vector3:
    """The principal moments (kg·m²) as gz-math 7 computes them (`MassMatrix3::PrincipalMoments`), errors and all.

    A tensor whose products are at most 1e-6 of its largest diagonal entry counts as diagonal, and keeps the order of
    its moments. The moments of others ascend; they are the roots of the characteristic polynomial, by the arc cosine
    (M. J. Kronenburg, A Method for Fast Diagonalization of a 2x2 or 3x3 Real Symmetric Matrix, 2013). NaN where its
    powers leave the range of floats.

    Args:
        tensor: finite (kg·m²).
        shift: added to the cosine, to see what rounding in it does.
    """
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    nothing = _DIAGONAL * max(ixx, iyy, izz)
    if max(abs(ixy), abs(ixz), abs(iyz)) <= nothing:
        return ixx, iyy, izz
    # Named as there; compilers turn a second power into a product, and leave other powers to the library.
    b = ixx + iyy + izz
    c = ixx * iyy - ixy * ixy + ixx * izz - ixz * ixz + iyy * izz - iyz * iyz
    d = ixx * (iyz * iyz) + iyy * (ixz * ixz) + izz * (ixy * ixy) - ixx * iyy * izz - 2.0 * ixy * ixz * iyz
    p = b * b - 3.0 * c
    if p < nothing * nothing:
        return b / 3.0, b / 3.0, b / 3.0
    try:
        q = 2.0 * b**3.0 - 9.0 * b * c - 27.0 * d
        cosine = 0.5 * q / p**1.5 + shift
    except (OverflowError, ZeroDivisionError):
        return nan, nan, nan
    delta = acos(max(min(cosine, 1.0), -1.0))
    reach = 2.0 * sqrt(p)
    roots = ((b + reach * cos(angle / 3.0)) / 3.0 for angle in (delta, delta + 2.0 * pi, delta - 2.0 * pi))
    low, middle, high = sorted(roots)
    return low, middle, high


def _are_valid(moments: Vector3) -> bool:
    """Whether no moment is negative or above the sum of the others, but for the slack (`MassMatrix3::ValidMoments`)."""
    a, b, c = moments
    slack = _slack(a, b, c)
    return min(a, b, c) + slack >= 0.0 and a + b + slack >= c and b + c + slack >= a and c + a + slack >= b


def _slack(a: float, b: float, c: float) -> float:
    """What moments of this sum may miss a condition by (`MassMatrix3::Epsilon`)."""
    return _TOLERANCE * float_info.epsilon * 0.5 * abs(a + b + c)
