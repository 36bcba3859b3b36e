"""Rigid transforms in plain floats, and the rotation conventions of SDF.

`X_AB` is the pose of frame B in frame A: a point known in B is `X_AB.apply(p_B)` in A. Rotations are nine floats, row
by row.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from math import atan2, cos, hypot, isfinite, sin, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import InertiaError, SdfInertiaError

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy.typing as npt

    # Numbers as users pass them: in a row, or in rows.
    Numbers: TypeAlias = Sequence[float] | Sequence[Sequence[float]] | npt.NDArray[Any]

Vector3 = tuple[float, float, float]
Rotation = tuple[float, float, float, float, float, float, float, float, float]

# Error of the entries of R Rᵀ for a rotation in single precision.
_ORTHONORMAL = 1e-5
IDENTITY_ROTATION: Rotation = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class RigidTransform(NamedTuple):
    """The pose `X_AB` of frame B in frame A: `rotation` R_AB (row-major), `translation` p_AoBo_A (m)."""

    rotation: Rotation = IDENTITY_ROTATION
    translation: Vector3 = (0.0, 0.0, 0.0)

    @classmethod
    def from_matrix(cls, matrix: Numbers) -> RigidTransform:
        """The pose of a (4, 4) homogeneous matrix, or of a (3, 3) rotation matrix; else an InertiaError."""
        rows = _rows(matrix)
        if rows is None or (len(rows) == 4 and rows[3] != [0.0, 0.0, 0.0, 1.0]):
            raise InertiaError("a pose is a RigidTransform, a (4, 4) matrix with the last row 0 0 0 1, or a (3, 3) one")
        a, b, c, d, e, f, g, h, i = (value for row in rows[:3] for value in row[:3])
        rotation: Rotation = (a, b, c, d, e, f, g, h, i)
        unit = product(rotation, transpose(rotation))
        determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
        errors = [abs(value - one) for value, one in zip(unit, IDENTITY_ROTATION, strict=True)]
        if not (max(errors) <= _ORTHONORMAL and determinant > 0.0):
            raise InertiaError("the matrix of a pose must only turn and shift: this one scales, shears or mirrors")
        x, y, z = (row[3] for row in rows[:3]) if len(rows) == 4 else (0.0, 0.0, 0.0)
        return cls(rotation, (x, y, z))

    @property
    def is_identity(self) -> bool:
        """True if this is exactly the identity."""
        return self.rotation == IDENTITY_ROTATION and self.translation == (0.0, 0.0, 0.0)

    def __matmul__(self, X_BC: RigidTransform) -> RigidTransform:
        if not isinstance(X_BC, RigidTransform):
            return NotImplemented
        # Composing with the identity changes no bit.
        if self.is_identity:
            return X_BC
        if X_BC.is_identity:
            return self
        return RigidTransform(product(self.rotation, X_BC.rotation), self.apply(X_BC.translation))

    def apply(self, point: Vector3) -> Vector3:
        """The point, given in B, as seen in A (m)."""
        try:
            x, y, z = rotate(self.rotation, point)
            tx, ty, tz = self.translation
            return (x + tx, y + ty, z + tz)
        except (TypeError, ValueError):
            raise InertiaError(f"a point must be 3 numbers, not {quoted(point)}") from None

    def inverse(self) -> RigidTransform:
        """`X_BA`."""
        rotation = transpose(self.rotation)
        x, y, z = rotate(rotation, self.translation)
        # 0.0 - v, not -v: a zero stays a plain zero.
        return RigidTransform(rotation, (0.0 - x, 0.0 - y, 0.0 - z))


IDENTITY = RigidTransform()


def _rows(matrix: Any) -> list[list[float]] | None:
    try:
        rows = [[float(value) for value in row] for row in matrix]
    except (TypeError, ValueError):
        return None
    is_square = len(rows) in (3, 4) and all(len(row) == len(rows) for row in rows)
    return rows if is_square and all(isfinite(value) for row in rows for value in row) else None


def transpose(rotation: Rotation) -> Rotation:
    a, b, c, d, e, f, g, h, i = rotation
    return (a, d, g, b, e, h, c, f, i)


def rotate(rotation: Rotation, vector: Vector3) -> Vector3:
    if rotation == IDENTITY_ROTATION:
        return vector
    a, b, c, d, e, f, g, h, i = rotation
    x, y, z = vector
    return (a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z)


def product(left: Rotation, right: Rotation) -> Rotation:
    if left == IDENTITY_ROTATION:
        return right
    if right == IDENTITY_ROTATION:
        return left
    a, b, c, d, e, f, g, h, i = left
    j, k, m, n, o, p, q, r, s = right
    return (
        a * j + b * n + c * q,
        a * k + b * o + c * r,
        a * m + b * p + c * s,
        d * j + e * n + f * q,
        d * k + e * o + f * r,
        d * m + e * p + f * s,
        g * j + h * n + i * q,
        g * k + h * o + i * r,
        g * m + h * p + i * s,
    )


def signed_permutations() -> Iterator[Rotation]:
    """All motions that lay axes on axes, the identity first, mirrors among them."""
    for order, signs in itertools.product(itertools.permutations(range(3)), itertools.product((1.0, -1.0), repeat=3)):
        a, b, c, d, e, f, g, h, i = (signs[k] * (order[k] == j) + 0.0 for k in range(3) for j in range(3))
        yield (a, b, c, d, e, f, g, h, i)


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> Rotation:
    """The rotation Rz(yaw) Ry(pitch) Rx(roll) about fixed axes (rad), as in SDF's `<pose>`; zeros give the exact
    identity.
    """
    if roll == 0.0 and pitch == 0.0 and yaw == 0.0:
        return IDENTITY_ROTATION
    cr, sr = cos(roll), sin(roll)
    cp, sp = cos(pitch), sin(pitch)
    cy, sy = cos(yaw), sin(yaw)
    # Adding 0.0 turns a negative zero, the product of a zero sine, into a plain one.
    return (
        cy * cp,
        cy * sp * sr - sy * cr + 0.0,
        cy * sp * cr + sy * sr + 0.0,
        sy * cp + 0.0,
        sy * sp * sr + cy * cr,
        sy * sp * cr - cy * sr + 0.0,
        0.0 - sp,
        cp * sr + 0.0,
        cp * cr,
    )


def rotation_from_quaternion(x: float, y: float, z: float, w: float) -> Rotation:
    """The rotation of a quaternion of any length; the zero quaternion is the identity."""
    largest = max(abs(x), abs(y), abs(z), abs(w))
    if largest == 0.0:
        return IDENTITY_ROTATION
    # Scaled first, because squares of very large or very small components leave the range of floats.
    x, y, z, w = x / largest, y / largest, z / largest, w / largest
    norm = sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = x / norm, y / norm, z / norm, w / norm
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z) + 0.0,
        2.0 * (x * z + w * y) + 0.0,
        2.0 * (x * y + w * z) + 0.0,
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x) + 0.0,
        2.0 * (x * z - w * y) + 0.0,
        2.0 * (y * z + w * x) + 0.0,
        1.0 - 2.0 * (x * x + y * y),
    )


def rpy_from_rotation(rotation: Rotation) -> Vector3:
    """The angles (roll, pitch, yaw) in rad with Rz(yaw) Ry(pitch) Rx(roll) equal to the rotation, pitch in [-π/2, π/2].

    Near pitch = ±π/2 roll corrects what yaw gets wrong (R. P. Paul, Robot Manipulators, 1981).
    """
    if rotation == IDENTITY_ROTATION:
        return (0.0, 0.0, 0.0)
    r00, r01, r02, r10, r11, r12, r20, _, _ = rotation
    yaw = atan2(r10, r00)
    c, s = cos(yaw), sin(yaw)
    pitch = atan2(0.0 - r20, c * r00 + s * r10)
    roll = atan2(s * r02 - c * r12 + 0.0, c * r11 - s * r01)
    return (roll, pitch, yaw + 0.0)


# Numbers that users give ----------------------------------------------------------------------------------------------


# Of dimensions (m) and factors of scale: products of four, as in moments of an area, are above 2.2e-308 and exact.
SMALLEST_SIZE = 1e-70


def real(value: object) -> float | None:
    """A number of any kind as a float; None for anything else, such as text."""
    if type(value) is float:
        return value
    # Of numpy an array of one number has the method too.
    if not hasattr(type(value), "__float__") or getattr(value, "ndim", None) or _is_no_quantity(value):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None


def _is_no_quantity(value: object) -> bool:
    """Whether a value of numpy is masked, or a time, which numpy turns into floats."""
    return getattr(value, "mask", False) is not False or getattr(getattr(value, "dtype", None), "kind", "f") in "mM"


def number(value: object, what: str, error: type[SdfInertiaError] = InertiaError) -> float:
    """The value as a float; an error of that kind calls it `what`."""
    found = real(value)
    if found is None:
        raise error(f"{what} must be a number, not {quoted(value)}")
    return found


def numbers(values: object, count: int, what: str, error: type[SdfInertiaError] = InertiaError) -> tuple[float, ...]:
    if type(values) is tuple and len(values) == count and {*map(type, values)} == {float}:
        return values
    # An array without dimensions looks as if it could be iterated.
    is_row = (
        isinstance(values, Iterable) and not isinstance(values, (str, bytes)) and getattr(values, "ndim", None) != 0
    )
    given: list[object] = list(values) if is_row else []  # type: ignore[call-overload]
    found = [value for value in map(real, given) if value is not None]
    if len(found) != count or len(given) != count:
        raise error(f"{what} must be {count} numbers, not {quoted(values)}")
    return tuple(found)


def vector(values: object, what: str, error: type[SdfInertiaError] = InertiaError) -> Vector3:
    x, y, z = numbers(values, 3, what, error)
    return x, y, z


def quoted(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


# MuJoCo's notations of a rotation: quaternion, axis and angle, two axes, one axis, angles in a sequence ---------------

# Below it MuJoCo takes a vector for none (mjEPS).
EPSILON = 1e-14


def rotation_of(kind: str, given: tuple[float, ...], unit: float, sequence: str) -> Rotation:
    if kind == "quat":
        w, x, y, z = given
        return rotation_from_quaternion(x, y, z, w)
    if kind == "axisangle":
        x, y, z = _unit(given[:3])
        half = given[3] * unit / 2
        s = sin(half)
        return rotation_from_quaternion(x * s, y * s, z * s, cos(half))
    if kind == "xyaxes":
        x_axis = _unit(given[:3])
        along = sum(a * b for a, b in zip(x_axis, given[3:], strict=True))
        y_axis = _unit(tuple(b - along * a for a, b in zip(x_axis, given[3:], strict=True)))
        (a, b, c), (d, e, f) = x_axis, y_axis
        return a, d, b * f - c * e, b, e, c * d - a * f, c, f, a * e - b * d
    if kind == "zaxis":
        x, y, z = given
        return onto((x, y, z))
    # Small letters turn about axes that turn along, capitals about fixed ones.
    rotation = IDENTITY_ROTATION
    for letter, angle in zip(sequence, given, strict=True):
        angles = [0.0, 0.0, 0.0]
        angles["xyz".index(letter.lower())] = angle * unit
        turn = rotation_from_rpy(*angles)
        rotation = product(rotation, turn) if letter.islower() else product(turn, rotation)
    return rotation


def quaternion_from_rpy(roll: float, pitch: float, yaw: float) -> tuple[float, float, float, float]:
    """(x, y, z, w) of Rz(yaw) Ry(pitch) Rx(roll)."""
    a, b, c = map(cos, (roll / 2, pitch / 2, yaw / 2))
    d, e, f = map(sin, (roll / 2, pitch / 2, yaw / 2))
    return d * b * c - a * e * f, a * e * c + d * b * f, a * b * f - d * e * c, a * b * c + d * e * f


def onto(direction: Vector3) -> Rotation:
    """The shortest rotation from z to a direction; half a turn about x for the opposite (mjuu_z2quat)."""
    x, y, z = _unit(direction)
    across = hypot(x, y)
    axis = (-y / across, x / across) if across >= 1e-10 else (1.0, 0.0)
    half = atan2(across, z) / 2
    s = sin(half)
    return rotation_from_quaternion(axis[0] * s, axis[1] * s, 0.0, cos(half))


def _unit(vector: tuple[float, ...]) -> Vector3:
    x, y, z = vector
    length = hypot(x, y, z)
    return x / length, y / length, z / length


def turns(kind: str, found: tuple[float, ...]) -> bool:
    if kind == "euler":
        return True
    if kind == "xyaxes":
        (a, b, c), (d, e, f) = found[:3], found[3:]
        across = hypot(b * f - c * e, c * d - a * f, a * e - b * d)
        return hypot(a, b, c) > EPSILON and across > EPSILON * hypot(a, b, c)
    return hypot(*found[: 4 if kind == "quat" else 3]) > EPSILON
