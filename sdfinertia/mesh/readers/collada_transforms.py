"""The transform elements of COLLADA nodes, each as an affine transform (COLLADA 1.4.1 specification, chapter 5)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from sdfinertia.mesh.readers.affine import Affine, rotation_about, scaling, translation

Vector = tuple[float, float, float]


def transform(kind: str, values: Sequence[float]) -> Affine:
    """The affine transform of one element.

    Args:
        kind: one of `TRANSFORMS`.
        values: the element's numbers, in the document's units and in degrees.

    Raises:
        ValueError: wrong count of numbers, or numbers that give no transform.
    """
    count, function = TRANSFORMS[kind]
    if len(values) != count:
        raise ValueError(f"needs {count} numbers, found {len(values)}")
    return function(values)


def _matrix(m: Sequence[float]) -> Affine:
    if tuple(m[12:]) != (0.0, 0.0, 0.0, 1.0):
        raise ValueError("is not affine: its last row is not 0 0 0 1")
    return (m[0], m[1], m[2], m[3]), (m[4], m[5], m[6], m[7]), (m[8], m[9], m[10], m[11])


def _translate(v: Sequence[float]) -> Affine:
    return translation(v[0], v[1], v[2])


def _rotate(v: Sequence[float]) -> Affine:
    return rotation_about(v[:3], v[3])


def _scale(v: Sequence[float]) -> Affine:
    return scaling(v[0], v[1], v[2])


def _skew(v: Sequence[float]) -> Affine:
    """Shifts along axis b, so that axis a turns by the angle towards b (RiSkew, The RenderMan Interface 3.2)."""
    a, b = _unit(v[1:4]), _unit(v[4:7])
    along = _dot(a, b)
    across = (a[0] - along * b[0], a[1] - along * b[1], a[2] - along * b[2])
    height = math.hypot(*across)
    between = math.atan2(height, along)
    turned = between - math.radians(v[0])
    if height == 0.0 or not 0.0 < turned < math.pi:
        raise ValueError("turns its axis onto or beyond the axis it shifts along")
    # In the plane of a and b, with n = across / height: a = (height, along), and after the skew it has the same
    # height and stands at the angle `turned` from b.
    factor = (math.cos(turned) / math.sin(turned) - along / height) / height
    rows = [tuple(float(i == j) + factor * b[i] * across[j] for j in range(3)) for i in range(3)]
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    return (xx, xy, xz, 0.0), (yx, yy, yz, 0.0), (zx, zy, zz, 0.0)


def _lookat(v: Sequence[float]) -> Affine:
    """An object at the eye whose -z axis points to the interest and whose y axis leans to the up direction."""
    eye = (v[0], v[1], v[2])
    back = _unit((v[0] - v[3], v[1] - v[4], v[2] - v[5]))
    right = _unit(_cross((v[6], v[7], v[8]), back))
    up = _cross(back, right)
    x, y, z = ((right[i], up[i], back[i], eye[i]) for i in range(3))
    return x, y, z


# Numbers each element has, and what they mean.
TRANSFORMS: dict[str, tuple[int, Callable[[Sequence[float]], Affine]]] = {
    "matrix": (16, _matrix),
    "translate": (3, _translate),
    "rotate": (4, _rotate),
    "scale": (3, _scale),
    "skew": (7, _skew),
    "lookat": (9, _lookat),
}


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _unit(v: Sequence[float]) -> Vector:
    length = math.hypot(*v)
    if not 0.0 < length < math.inf:
        raise ValueError("has an axis without direction")
    return v[0] / length, v[1] / length, v[2] / length
