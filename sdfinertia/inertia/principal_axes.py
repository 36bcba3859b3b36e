"""Principal moments and axes of a symmetric 3×3 tensor, in plain floats, with a stable choice of axes.

Of all proper rotations allowed, the one nearest to the identity (largest trace) is chosen.
"""

from __future__ import annotations

from itertools import permutations
from math import frexp, inf, isfinite, sqrt
from typing import NamedTuple

from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation, Vector3, product

# (ixx, iyy, izz, ixy, ixz, iyz)
Tensor = tuple[float, float, float, float, float, float]

# Relative to the largest: far above the rounding of a tensor (1e-15) and of 12 digits, below any designed difference.
COINCIDENT = 1e-9

# Traces that differ by less are equal, and the first candidate counts: rounding does not choose +45° or -45°.
_EQUALLY_NEAR = 1e-9

# Part of the geometric mean of the diagonal that moves eigenvalues by no rounding error (Demmel and Veselić 1992).
_NEGLIGIBLE = 2.0**-56

# Of second moments with the sum 1: libsdformat's arc cosine moves moments by 2e-8, doubles their products by 1e-15.
_CLEARLY, _ROUNDING = 4e-6, 1e-14

# Cyclic Jacobi needs three to six sweeps for a 3×3 matrix; this many is a stop for values that are not numbers.
_SWEEPS = 30


class PrincipalAxes(NamedTuple):
    """Principal `moments` (kg·m²) and the `rotation` R whose columns are their axes: I = R diag(moments) Rᵀ."""

    moments: Vector3
    rotation: Rotation


def rotated(tensor: Tensor, R_AB: Rotation) -> Tensor:
    """The same tensor, known in the axes of B, expressed in those of A: R I Rᵀ."""
    a, b, c, d, e, f, g, h, i = R_AB
    xx, yy, zz, xy, xz, yz = tensor
    # The rows of R I.
    ax, ay, az = a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz
    bx, by, bz = d * xx + e * xy + f * xz, d * xy + e * yy + f * yz, d * xz + e * yz + f * zz
    cx, cy, cz = g * xx + h * xy + i * xz, g * xy + h * yy + i * yz, g * xz + h * yz + i * zz
    return (
        ax * a + ay * b + az * c,
        bx * d + by * e + bz * f,
        cx * g + cy * h + cz * i,
        ax * d + ay * e + az * f,
        ax * g + ay * h + az * i,
        bx * g + by * h + bz * i,
    )


def principal_axes(tensor: Tensor) -> PrincipalAxes:
    """The principal moments and axes, the axes as near to the identity as can be.

    A diagonal tensor keeps its moments in their order. Where moments coincide (relative 1e-9), the products left in
    their plane are dropped. A tensor that is not finite gives NaN moments.
    """
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    if ixy == 0.0 and ixz == 0.0 and iyz == 0.0:
        return PrincipalAxes((ixx, iyy, izz), IDENTITY_ROTATION)
    values, vectors = _jacobi(tensor)
    first, second, third = sorted((0, 1, 2), key=values.__getitem__)
    moments, axes = (values[first], values[second], values[third]), [vectors[first], vectors[second], vectors[third]]
    low, middle, high = moments
    limit = COINCIDENT * max(abs(low), abs(high))
    if not isfinite(limit):
        return PrincipalAxes(moments, IDENTITY_ROTATION)
    if high - low <= limit:
        return PrincipalAxes((ixx, iyy, izz), IDENTITY_ROTATION)
    if min(middle - low, high - middle) <= limit:
        single = 2 if middle - low <= high - middle else 0
        rotation = _least_rotation(axes[single])
        return PrincipalAxes(_moments_along(tensor, rotation), rotation)
    return _nearest_to_identity(moments, axes)


def moments_along(rotation: Rotation, tensor: Tensor) -> Vector3:
    """The moments about the rows of R_AB (kg·m²) of a tensor given in B.

    Added up along its principal axes, so that small moments of a thin body keep all digits.
    """
    # Not `principal_axes`, which makes nearly equal moments equal.
    (u, v, w), (x, y, z) = _jacobi(tensor)
    own: Rotation = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
    a, b, c, d, e, f, g, h, i = product(rotation, own)
    return (
        a * a * u + b * b * v + c * c * w,
        d * d * u + e * e * v + f * f * w,
        g * g * u + h * h * v + i * i * w,
    )


def principal_moments(tensor: Tensor) -> Vector3:
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    if ixy == 0.0 and ixz == 0.0 and iyz == 0.0:
        low, middle, high = sorted((ixx, iyy, izz))
    else:
        low, middle, high = sorted(_jacobi(tensor, with_axes=False)[0])
    return (low, middle, high)


def is_clearly_valid(tensor: Tensor, least: float = _CLEARLY) -> bool:
    """Whether a solid has this tensor, by a margin far above rounding; False leaves the question open.

    Of the matrix of second moments, trace(I)/2 - I, the least eigenvalue is at least the determinant divided by the sum
    of the principal minors. The margin is a part of the sum of second moments; 0 is that of double precision alone.
    """
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    trace = ixx + iyy + izz
    if not 0.0 < trace < inf:
        return False
    # Of second moments that sum to one.
    a, b, c = (iyy + izz - ixx) / trace, (ixx + izz - iyy) / trace, (ixx + iyy - izz) / trace
    d, e, f = 2.0 * ixy / trace, 2.0 * ixz / trace, 2.0 * iyz / trace
    minor = a * b - d * d
    minors = minor + a * c - e * e + b * c - f * f
    determinant = c * minor - a * f * f - b * e * e - 2.0 * d * e * f
    return minors > least / 2.0 + _ROUNDING and determinant > least * minors + _ROUNDING


def _jacobi(tensor: Tensor, *, with_axes: bool = True) -> tuple[list[float], list[list[float]]]:
    """Eigenvalues and, as rows, unit eigenvectors, by cyclic Jacobi rotations (Golub and Van Loan 2013, 8.5)."""
    largest = max(map(abs, tensor))
    if not all(map(isfinite, tensor)):
        nan = float("nan")
        return [nan, nan, nan], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    # Scaling by a power of two is exact and keeps squares inside the range of floats.
    scale = 2.0 ** (frexp(largest)[1] - 1)
    ixx, iyy, izz, ixy, ixz, iyz = (value / scale for value in tensor)
    d = [ixx, iyy, izz]
    # The off-diagonal element is named by the index that it does not have: a12 -> off[0], a02 -> off[1], a01 -> off[2].
    off = [iyz, ixz, ixy]
    axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for _ in range(_SWEEPS):
        rotated = False
        for p, q, r in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
            element = off[r]
            if element * element <= _NEGLIGIBLE * _NEGLIGIBLE * abs(d[p] * d[q]):
                off[r] = 0.0
                continue
            rotated = True
            theta = (d[q] - d[p]) / (2.0 * element)
            # The smaller root, so that the turn is at most 45°.
            t = (1.0 if theta >= 0.0 else -1.0) / (abs(theta) + sqrt(theta * theta + 1.0))
            c = 1.0 / sqrt(t * t + 1.0)
            s = t * c
            d[p] -= t * element
            d[q] += t * element
            off[r] = 0.0
            # a_rp is off[q] and a_rq is off[p].
            off[q], off[p] = c * off[q] - s * off[p], s * off[q] + c * off[p]
            if not with_axes:
                continue
            u, v = axes[p], axes[q]
            axes[p] = [c * u[0] - s * v[0], c * u[1] - s * v[1], c * u[2] - s * v[2]]
            axes[q] = [s * u[0] + c * v[0], s * u[1] + c * v[1], s * u[2] + c * v[2]]
        if not rotated:
            break
    return [value * scale for value in d], axes


def _nearest_to_identity(moments: Vector3, axes: list[list[float]]) -> PrincipalAxes:
    """The nearest of the 24 proper rotations with these axes as columns, in some order and with some signs."""
    u, v, w = axes
    determinant = (
        u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0])
    )
    best = -4.0
    chosen: tuple[tuple[int, ...], Vector3] = ((0, 1, 2), (1.0, 1.0, 1.0))
    for order in permutations((0, 1, 2)):
        a, b, c = axes[order[0]][0], axes[order[1]][1], axes[order[2]][2]
        is_even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        k = 1.0 if is_even == (determinant > 0.0) else -1.0
        for signs in ((1.0, 1.0, k), (1.0, -1.0, -k), (-1.0, 1.0, -k), (-1.0, -1.0, k)):
            trace = signs[0] * a + signs[1] * b + signs[2] * c
            if trace > best + _EQUALLY_NEAR:
                best = trace
                chosen = (order, signs)
    (i, j, k_), (si, sj, sk) = chosen
    u, v, w = axes[i], axes[j], axes[k_]
    rotation = (
        *(si * u[0] + 0.0, sj * v[0] + 0.0, sk * w[0] + 0.0),
        *(si * u[1] + 0.0, sj * v[1] + 0.0, sk * w[1] + 0.0),
        *(si * u[2] + 0.0, sj * v[2] + 0.0, sk * w[2] + 0.0),
    )
    return PrincipalAxes((moments[i], moments[j], moments[k_]), rotation)


def _least_rotation(axis: list[float]) -> Rotation:
    """The rotation nearest to the identity that has the axis (either way round) as one of its columns.

    From the nearest coordinate axis e to the axis u (Rodrigues 1840): R = 1 + [v]ₓ + [v]ₓ² / (1 + e·u) with v = e × u.
    """
    # A later coordinate axis must be clearly nearer, so that rounding does not decide for (1, 1, 1)/√3.
    k = 0
    for candidate in (1, 2):
        if abs(axis[candidate]) > abs(axis[k]) + _EQUALLY_NEAR:
            k = candidate
    i, j = (k + 1) % 3, (k + 2) % 3
    sign = 1.0 if axis[k] > 0.0 else -1.0
    a, b, c = sign * axis[i] + 0.0, sign * axis[j] + 0.0, sign * axis[k]
    factor = 1.0 / (1.0 + c)
    # In the cyclic order (i, j, k) the rotation from e_k to (a, b, c).
    rows = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    rows[i][i], rows[i][j], rows[i][k] = 1.0 - a * a * factor, 0.0 - a * b * factor, a
    rows[j][i], rows[j][j], rows[j][k] = 0.0 - a * b * factor, 1.0 - b * b * factor, b
    rows[k][i], rows[k][j], rows[k][k] = 0.0 - a, 0.0 - b, c
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    return (xx, xy, xz, yx, yy, yz, zx, zy, zz)


def _moments_along(tensor: Tensor, rotation: Rotation) -> Vector3:
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    a, b, c, d, e, f, g, h, i = rotation
    u, v, w = (
        x * x * ixx + y * y * iyy + z * z * izz + 2.0 * (x * y * ixy + x * z * ixz + y * z * iyz)
        for x, y, z in ((a, d, g), (b, e, h), (c, f, i))
    )
    return u, v, w
