"""Arrays of numbers, and tensors in arrays of six, in the order of `InertiaTensor`: their algebra, and their validity.

Vectorised versions of `sdfinertia.inertia`: the search for causes evaluates about 1,000 candidates per link.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.rigid_transform import real

Array = npt.NDArray[np.float64]

# Tolerance of the minors of second moments, as a part of the trace: the rounding of a plate written in five digits.
ROUNDING = 1e-4
# Where the nine entries of a matrix are among six, and the six among nine.
_FULL = np.array([0, 3, 4, 3, 1, 5, 4, 5, 2])
_UPPER = np.array([0, 4, 8, 1, 2, 5])
# The axes of ixy, ixz and iyz.
AXES_OF_PRODUCTS = ((0, 1), (0, 2), (1, 2))
_THIRD_TURN = 2.0 * np.pi / 3.0


def matrices(components: Array) -> Array:
    full: Array = components[..., _FULL].reshape(*components.shape[:-1], 3, 3)
    return full


_UNITS = matrices(np.eye(6))


def components_of(matrix: Array) -> Array:
    """(..., 6) from symmetric (..., 3, 3)."""
    six: Array = matrix.reshape(*matrix.shape[:-2], 9)[..., _UPPER]
    return six


def with_entries(six: Array, entries: npt.NDArray[np.int64], values: Array) -> Array:
    """(n, 6), a tensor with one entry replaced in each."""
    found = np.repeat(six[None], len(entries), axis=0)
    found[np.arange(len(entries)), entries] = values
    return found


def rotated(components: Array, R: Array) -> Array:
    """R I Rᵀ, (..., 6); R is (3, 3) or (..., 3, 3)."""
    return components_of(R @ matrices(components) @ np.swapaxes(R, -1, -2))


def point_masses(mass: Any, offsets: Array) -> Array:
    """The tensors (..., 6) of point masses at offsets (..., 3): m (r² 1 - r rᵀ)."""
    x, y, z = (offsets[..., k] for k in range(3))
    xx, yy, zz = x * x, y * y, z * z
    unit = np.empty((*offsets.shape[:-1], 6))
    unit[..., 0], unit[..., 1], unit[..., 2] = yy + zz, xx + zz, xx + yy
    unit[..., 3], unit[..., 4], unit[..., 5] = -x * y, -x * z, -y * z
    found: Array = np.asarray(mass)[..., None] * unit
    return found


def second_moments(components: Array) -> Array:
    """Σ = tr(I)/2 1 - I as (..., 6): positive semidefinite exactly where the tensor is valid."""
    found = -components
    found[..., :3] += 0.5 * (components[..., 0] + components[..., 1] + components[..., 2])[..., None]
    return found


def is_body(tensor: InertiaTensor, rounding: float = ROUNDING) -> bool:
    """As `are_bodies` of one tensor, in plain floats (4 µs for 32)."""
    return bool(are_bodies(tensor, rounding))


def are_bodies(components: Any, rounding: float = ROUNDING) -> npt.NDArray[np.bool_]:
    """Sylvester's criterion on the second moments, raised by a part of the trace, of floats (6,) or arrays (..., 6)."""
    is_one = isinstance(components, tuple)
    xx, yy, zz, xy, xz, yz = components if is_one else (components[..., k] for k in range(6))
    trace = xx + yy + zz
    half = (0.5 + rounding) * trace
    a, b, c = half - xx, half - yy, half - zz
    minor = a * b - xy * xy
    # The products of the second moments are -xy, -xz, -yz.
    determinant = c * minor - a * yz * yz - b * xz * xz - 2.0 * xy * xz * yz
    are_positive = (trace > 0.0) & (xx > 0.0) & (yy > 0.0) & (zz > 0.0)
    found: npt.NDArray[np.bool_] = (
        are_positive & (a > 0.0) & (b > 0.0) & (c > 0.0) & (minor > 0.0) & (determinant > 0.0)
    )
    return found


def has_all_moments(tensor: InertiaTensor, least: float) -> bool:
    """Whether the least eigenvalue of a body's tensor is above a part of ixx: the body is not a rod."""
    xx, yy, zz, xy, xz, yz = tensor
    trace = xx + yy + zz
    determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    # The two larger ones are at most a quarter of the squared trace together.
    return 4.0 * determinant > least * xx * trace * trace


def eigenvalues(components: Array) -> Array:
    """The eigenvalues (..., 3), descending, by the arc cosine (Smith 1961); equal ones have half the digits."""
    xx, yy, zz, xy, xz, yz = (components[..., k] for k in range(6))
    middle = (xx + yy + zz) / 3.0
    a, b, c = xx - middle, yy - middle, zz - middle
    spread = np.sqrt((a * a + b * b + c * c + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0)
    determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz)
    cube = spread * spread * spread
    cosine = np.divide(0.5 * determinant, cube, out=np.zeros_like(cube), where=cube > 0.0)
    # For few tensors, `np.clip` takes as long as ten sums.
    angle = np.arccos(np.minimum(np.maximum(cosine, -1.0), 1.0)) / 3.0
    spread *= 2.0
    high = middle + spread * np.cos(angle)
    low = middle + spread * np.cos(angle + _THIRD_TURN)
    found = np.empty((*components.shape[:-1], 3))
    found[..., 0], found[..., 1], found[..., 2] = high, 3.0 * middle - high - low, low
    return found


def whitenings(references: Array) -> Array:
    """(k, 6, 6), the linear maps that take J to L⁻¹ J L⁻ᵀ, of six numbers each, for G = L Lᵀ: Cholesky's factors."""
    roots = np.linalg.inv(np.linalg.cholesky(matrices(references)))[:, None]
    of_units = components_of(roots @ _UNITS @ np.swapaxes(roots, -1, -2))
    found: Array = np.swapaxes(of_units, -1, -2)
    return found


def largest_ratios(components: Array, maps: Array) -> Array:
    """Max |ln λ| of J x = λ G x for each tensor J (n, 6) and each G: (n, k); infinite where a λ is not positive."""
    found = eigenvalues((components @ maps.reshape(-1, 6).T).reshape(len(components), len(maps), 6))
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.abs(np.log(found[..., ::2]))
    return np.where((found > 0.0).all(-1), logs.max(-1), np.inf)


def real_array(values: object, what: str, error: type[SdfInertiaError] = InertiaError) -> Array:
    """The numbers of an array-like as float64; texts, times, masked and complex numbers are refused."""
    try:
        found = np.asarray(values)
        if found.dtype.kind == "O":
            found = np.array([real(value) for value in found.flat]).reshape(found.shape)
        if found.dtype.kind in "iuf" and not np.ma.is_masked(values):
            return np.asarray(found, np.float64)
    except Exception as failure:
        # Array-like objects may raise anything.
        raise error(f"{what} are no numbers: {failure}") from None
    raise error(f"{what} are no numbers, but {'masked' if np.ma.is_masked(values) else found.dtype}")
