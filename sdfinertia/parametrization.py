"""The ten inertial parameters of a rigid body in the notations of programs and papers, as rows of numpy arrays.

Every function takes arrays of any leading shape, `(..., 10)` unless said otherwise, and is named for both ends. Units
are SI (kg, m, kg·m²), masses not zero. B is the body, Bo the origin of its frame, Bcm its centre of mass; p =
p_BoBcm_B. Tensors stand in the order xx yy zz xy xz yz, products being negative integrals (I_xy = -∫ x y dm).

    pi_cm   m, m p_x, m p_y, m p_z, then the tensor about Bcm
    pi_o    m, m p_x, m p_y, m p_z, then the tensor about Bo
    theta   alpha, d_1, d_2, d_3, s_12, s_23, s_13, t_1, t_2, t_3: ten free numbers, each choice of which is a body
    drake   m, p_x, p_y, p_z, then the tensor about Bcm divided by m
    urdf    texts: mass, position, tensor
    scalars the same ten numbers as in urdf, by name

theta is that of C. Rucker and P. M. Wensing, Smooth Parameterization of Rigid-Body Inertia, IEEE Robotics and
Automation Letters 7(2), 2022. They factor the pseudo-inertia matrix

    J = [[S, m p], [m pᵀ, m]] = exp(2 alpha) Uᵀ U,    S = ∫ r rᵀ dm = tr(I)/2 · 1 - I about Bo,

which is positive definite exactly for bodies of positive volume (P. M. Wensing, S. Kim and J.-J. E. Slotine,
Linear Matrix Inequalities for Physically Consistent Inertial Parameter Identification, 2018), with U the upper
triangular matrix of rows (e^d_1, s_12, s_13, t_1), (0, e^d_2, s_23, t_2), (0, 0, e^d_3, t_3), (0, 0, 0, 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.tensor_arrays import real_array

Array = npt.NDArray[np.float64]

SCALAR_NAMES = ("m", "p_x", "p_y", "p_z", "I_xx", "I_yy", "I_zz", "I_xy", "I_xz", "I_yz")
_PARAMETERS = 10


class UrdfTexts(NamedTuple):
    """The texts of a URDF `<inertial>`: `mass`, the `xyz` of its origin, and ixx iyy izz ixy ixz iyz about Bcm."""

    mass: str
    position: str
    tensor: tuple[str, ...]


def pi_o_from_pi_cm(pi_cm: npt.ArrayLike) -> Array:
    """pi_o, `(..., 10)`: the tensor moved from the centre of mass to the origin (parallel-axis theorem, Steiner)."""
    return _with_tensor_moved(_rows(pi_cm, _PARAMETERS), 1.0)


def pi_cm_from_pi_o(pi_o: npt.ArrayLike) -> Array:
    """pi_cm, `(..., 10)`: the tensor moved from the origin to the centre of mass (parallel-axis theorem, Steiner).

    A body at k gyradii from its origin loses the digits of k² to cancellation.
    """
    return _with_tensor_moved(_rows(pi_o, _PARAMETERS), -1.0)


def parallel_axis(
    I_BBa_B: npt.ArrayLike, mass: npt.ArrayLike, p_BaBb_B: npt.ArrayLike, *, from_cm: bool = True
) -> Array:
    """The inertia matrices about Bb, `(..., 3, 3)` (kg·m²), of which one of Ba and Bb is the centre of mass.

    I_R = I_C - m [d]², [d] being the skew-symmetric matrix of the distance d of R from the centre of mass C (Steiner).

    Args:
        I_BBa_B: `(..., 3, 3)`, about Ba (kg·m²).
        mass: `(...)` (kg).
        p_BaBb_B: `(..., 3)`, position of Bb from Ba (m).
        from_cm: whether Ba is the centre of mass; else Bb is.
    """
    moved = _numbers(mass)[..., np.newaxis] * _unit_point_tensor(_rows(p_BaBb_B, 3))
    return inertia_matrix_from_vector(inertia_vector_from_matrix(I_BBa_B) + (moved if from_cm else -moved))


def _with_tensor_moved(pi: Array, sign: float) -> Array:
    moved: Array = pi.copy()
    # m · f(p), and not f(h) / m of the first moments h = m p: the square of a large mass overflows.
    with np.errstate(over="ignore", invalid="ignore"):
        moved[..., 4:] += sign * pi[..., :1] * _unit_point_tensor(pi[..., 1:4] / pi[..., :1])
    if np.isfinite(pi).all() and not np.isfinite(moved).all():
        raise InertiaError("its tensor about another point overflows double precision")
    return moved


def _unit_point_tensor(p: Array) -> Array:
    """The tensor about the origin of a unit mass at p, `(..., 6)`; sums of squares, so that nothing cancels."""
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    return np.stack([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z], axis=-1)


def inertia_matrix_from_vector(vector: npt.ArrayLike) -> Array:
    """The symmetric matrices, `(..., 3, 3)`, of tensors xx yy zz xy xz yz, `(..., 6)` (kg·m²)."""
    order = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])
    matrix: Array = _rows(vector, 6)[..., order]
    return matrix


def inertia_vector_from_matrix(matrix: npt.ArrayLike) -> Array:
    """The tensors xx yy zz xy xz yz, `(..., 6)`, of the upper triangles of matrices, `(..., 3, 3)` (kg·m²)."""
    values = _numbers(matrix)
    if values.shape[-2:] != (3, 3):
        raise InertiaError(f"expected (..., 3, 3), and found {values.shape}")
    vector: Array = values[..., [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return vector


def pi_o_from_theta(theta: npt.ArrayLike) -> Array:
    """pi_o, `(..., 10)`, physically valid for every theta whose exponentials are finite (Rucker and Wensing 2022)."""
    alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3 = np.moveaxis(_rows(theta, _PARAMETERS), -1, 0)
    e1, e2, e3 = np.exp(d1), np.exp(d2), np.exp(d3)
    # The diagonal of S: three sums of squares, so that the triangle inequality holds in floats too.
    xx, yy, zz = e1 * e1, s12 * s12 + e2 * e2, s13 * s13 + s23 * s23 + e3 * e3
    unscaled = [
        t1 * t1 + t2 * t2 + t3 * t3 + 1.0,
        t1 * e1,
        t1 * s12 + t2 * e2,
        t1 * s13 + t2 * s23 + t3 * e3,
        yy + zz,
        xx + zz,
        xx + yy,
        -s12 * e1,
        -s13 * e1,
        -s12 * s13 - s23 * e2,
    ]
    pi_o: Array = np.stack(unscaled, axis=-1) * np.exp(2.0 * alpha)[..., np.newaxis]
    return pi_o


def theta_from_pi_o(pi_o: npt.ArrayLike) -> Array:
    """theta, `(..., 10)`, of bodies with volume: the Cholesky factor of the pseudo-inertia matrix, made unit last.

    The relative error grows with the condition number of that matrix: a plate a thousand times as wide as thick, given
    in metres and kilograms, loses six digits in the parameters of its thin direction.

    Raises:
        InertiaError: a row is not of a body with volume: its pseudo-inertia matrix is not positive definite.
    """
    rows = _rows(pi_o, _PARAMETERS)
    m, hx, hy, hz, ixx, iyy, izz, ixy, ixz, iyz = np.moveaxis(rows, -1, 0)
    # The factor R = exp(alpha) U, row by row; a root of a negative number is NaN.
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        r11 = np.sqrt((iyy + izz - ixx) / 2.0)
        r12, r13, r14 = -ixy / r11, -ixz / r11, hx / r11
        r22 = np.sqrt((ixx + izz - iyy) / 2.0 - r12 * r12)
        r23, r24 = (-iyz - r12 * r13) / r22, (hy - r12 * r14) / r22
        r33 = np.sqrt((ixx + iyy - izz) / 2.0 - r13 * r13 - r23 * r23)
        r34 = (hz - r13 * r14 - r23 * r24) / r33
        r44 = np.sqrt(m - r14 * r14 - r24 * r24 - r34 * r34)
        logarithms = [np.log(r44), np.log(r11 / r44), np.log(r22 / r44), np.log(r33 / r44)]
        quotients = [value / r44 for value in (r12, r23, r13, r14, r24, r34)]
    theta = np.stack([*logarithms, *quotients], axis=-1)
    impossible = ~np.isfinite(theta).all(axis=-1)
    if impossible.any():
        place = tuple(int(index) for index in np.argwhere(impossible)[0])
        where = f" at {place[0] if len(place) == 1 else place}" if place else ""
        raise InertiaError(
            f"the inertia{where} has no theta: its pseudo-inertia matrix is not positive definite",
            remedy="thin plates and rods need a thickness above rounding",
        )
    return theta


def drake_from_pi_cm(pi_cm: npt.ArrayLike) -> Array:
    """m, p, and the tensor about the centre of mass divided by the mass (Drake's central unit inertia), `(..., 10)`.

    Units kg, m, m². Drake's constructor `SpatialInertia(mass, p, G)` takes the unit inertia about the origin: give
    these to `SpatialInertia.MakeFromCentralInertia` (with the tensor times the mass), or shift it first.
    """
    rows = _rows(pi_cm, _PARAMETERS)
    return np.concatenate([rows[..., :1], rows[..., 1:] / rows[..., :1]], axis=-1)


def pi_cm_from_drake(drake: npt.ArrayLike) -> Array:
    """pi_cm, `(..., 10)` (kg, kg·m, kg·m²), of mass, position and central unit inertia."""
    rows = _rows(drake, _PARAMETERS)
    return np.concatenate([rows[..., :1], rows[..., 1:] * rows[..., :1]], axis=-1)


def urdf_from_pi_cm(pi_cm: npt.ArrayLike) -> UrdfTexts:
    """The texts of a URDF `<inertial>` (kg, m, kg·m²), each number in the shortest form that reads back as itself."""
    mass, *rest = (repr(value).removesuffix(".0") for value in scalars_from_pi_cm(pi_cm).values())
    return UrdfTexts(mass, " ".join(rest[:3]), tuple(rest[3:]))


def pi_cm_from_urdf(urdf: UrdfTexts) -> Array:
    """pi_cm, `(10,)` (kg, kg·m, kg·m²), of the texts of a URDF `<inertial>` whose origin is not turned.

    Raises:
        InertiaError: a text is not a number, or the numbers are not ten.
    """
    try:
        mass, position, tensor = urdf
        values = [float(text) for text in (mass, *position.split(), *tensor)]
    except (AttributeError, TypeError, ValueError) as error:
        raise InertiaError(f"expected the texts of mass, position and tensor: {error}") from None
    return _pi_cm_from_values(values)


def scalars_from_pi_cm(pi_cm: npt.ArrayLike) -> dict[str, float]:
    """The ten numbers by name: `m` (kg), `p_x` ... (m), `I_xx` ... about the centre of mass (kg·m²)."""
    row = _row(pi_cm)
    values = [row[0], *row[1:4] / row[0], *row[4:]]
    # Adding 0.0 turns a negative zero into a plain one.
    return {name: float(value) + 0.0 for name, value in zip(SCALAR_NAMES, values, strict=True)}


def pi_cm_from_scalars(scalars: Mapping[str, float]) -> Array:
    """pi_cm, `(10,)` (kg, kg·m, kg·m²), of the ten numbers by name.

    Raises:
        InertiaError: one is missing.
    """
    if not isinstance(scalars, Mapping):
        raise InertiaError(f"expected ten numbers by name, and found {type(scalars).__name__}")
    missing = [name for name in SCALAR_NAMES if name not in scalars]
    if missing:
        raise InertiaError(f"expected ten numbers by name: {', '.join(missing)} missing")
    return _pi_cm_from_values([scalars[name] for name in SCALAR_NAMES])


def pi_cm_from_spatial_inertia(inertia: SpatialInertia) -> Array:
    """pi_cm, `(10,)` (kg, kg·m, kg·m²), of a body."""
    return _pi_cm_from_values(np.array([inertia.mass, *inertia.p_BoBcm_B, *inertia.I_BBcm_B]))


def spatial_inertia_from_pi_cm(pi_cm: npt.ArrayLike) -> SpatialInertia:
    """The body, in the frame B."""
    m, px, py, pz, *tensor = scalars_from_pi_cm(pi_cm).values()
    return SpatialInertia(m, (px, py, pz), InertiaTensor(*tensor))


def _pi_cm_from_values(values: npt.ArrayLike) -> Array:
    row: Array = _row(values).copy()
    row[1:4] *= row[0]
    return row


def _row(values: npt.ArrayLike) -> Array:
    row = _rows(values, _PARAMETERS)
    if row.ndim != 1:
        raise InertiaError(f"expected one body, (10,), and found {row.shape}")
    return row


def _rows(values: npt.ArrayLike, length: int) -> Array:
    rows = _numbers(values)
    if rows.ndim == 0 or rows.shape[-1] != length:
        raise InertiaError(f"expected (..., {length}), and found {rows.shape}")
    return rows


def _numbers(values: npt.ArrayLike) -> Array:
    return real_array(values, "parameters")
