"""Affine transforms of scene nodes, in plain floats; they may scale, shear and mirror."""

from __future__ import annotations

import math
from collections.abc import Sequence

Row = tuple[float, float, float, float]
Affine = tuple[Row, Row, Row]  # the upper three rows of a 4 by 4 matrix that acts on column vectors

IDENTITY: Affine = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))


def compose(outer: Affine, inner: Affine) -> Affine:
    """Applies `inner` first."""
    first, second, third = inner
    a, b, c = (
        (
            row[0] * first[0] + row[1] * second[0] + row[2] * third[0],
            row[0] * first[1] + row[1] * second[1] + row[2] * third[1],
            row[0] * first[2] + row[1] * second[2] + row[2] * third[2],
            row[0] * first[3] + row[1] * second[3] + row[2] * third[3] + row[3],
        )
        for row in outer
    )
    return a, b, c


def determinant(transform: Affine) -> float:
    """The factor on signed volumes; negative where the transform mirrors."""
    (a, b, c, _), (d, e, f, _), (g, h, i, _) = transform
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def translation(x: float, y: float, z: float) -> Affine:
    return (1.0, 0.0, 0.0, x), (0.0, 1.0, 0.0, y), (0.0, 0.0, 1.0, z)


def scaling(x: float, y: float, z: float) -> Affine:
    return (x, 0.0, 0.0, 0.0), (0.0, y, 0.0, 0.0), (0.0, 0.0, z, 0.0)


def rotation_about(axis: Sequence[float], degrees: float) -> Affine:
    """The rotation about an axis of any length; the identity for length zero.

    Rodrigues' formula (1840): R = c I + s [k] + (1 - c) k kᵀ.
    """
    length = math.hypot(*axis)
    if length == 0.0:
        return IDENTITY
    x, y, z = (component / length for component in axis)
    c, s = _cosine_and_sine(degrees)
    t = 1.0 - c
    return (
        (c + t * x * x, t * x * y - s * z, t * x * z + s * y, 0.0),
        (t * x * y + s * z, c + t * y * y, t * y * z - s * x, 0.0),
        (t * x * z - s * y, t * y * z + s * x, c + t * z * z, 0.0),
    )


def rotation_from_quaternion(x: float, y: float, z: float, w: float) -> Affine:
    """The rotation of a quaternion of any length but zero."""
    # Divided by the largest first, so that no square underflows and equal components become exact ones.
    largest = max(abs(x), abs(y), abs(z), abs(w))
    x, y, z, w = x / largest, y / largest, z / largest, w / largest
    s = 2.0 / (x * x + y * y + z * z + w * w)
    return (
        (1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w), 0.0),
        (s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w), 0.0),
        (s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y), 0.0),
    )


def _cosine_and_sine(degrees: float) -> tuple[float, float]:
    # Quarter turns are exact, so that they leave axis-parallel faces axis-parallel.
    quarter = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}.get(degrees % 360.0)
    angle = math.radians(degrees)
    return quarter or (math.cos(angle), math.sin(angle))
