"""What users give for numbers, vectors and tensors, as floats: of Python, of numpy, or an error of ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.rigid_transform import Vector3

# A matrix read from a text is symmetric to the digits that are written.
_SYMMETRIC = 1e-9


def real(value: object) -> float | None:
    """A number of any kind as a float; None for what is no single number, texts among it."""
    if type(value) is float:
        return value
    # Of numpy an array of one number has the method too.
    if not hasattr(type(value), "__float__") or getattr(value, "ndim", 0):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None


def number(value: object, what: str, error: type[SdfInertiaError] = InertiaError) -> float:
    """The number that is given for something.

    Raises:
        SdfInertiaError: of the kind given; it is none.
    """
    found = real(value)
    if found is None:
        raise error(f"{what} must be a number, not {_shown(value)}")
    return found


def numbers(values: object, count: int, what: str, error: type[SdfInertiaError] = InertiaError) -> tuple[float, ...]:
    """So many numbers."""
    given = None if isinstance(values, (str, bytes)) or not isinstance(values, Iterable) else list(values)
    found = [value for value in map(real, given or ()) if value is not None]
    if given is None or len(found) != count or len(given) != count:
        raise error(f"{what} must be {count} numbers, not {_shown(values)}")
    return tuple(found)


def vector(values: object, what: str, error: type[SdfInertiaError] = InertiaError) -> Vector3:
    """Three numbers."""
    x, y, z = numbers(values, 3, what, error)
    return x, y, z


def six_of_tensor(values: Any) -> tuple[float, ...]:
    """The numbers ixx iyy izz ixy ixz iyz, given as these, or as a symmetric matrix of 3 by 3."""
    what = "an inertia tensor"
    try:
        rows = [numbers(row, 3, what) for row in values]
    except (TypeError, SdfInertiaError):
        try:
            return numbers(values, 6, what)
        except SdfInertiaError:
            problem = f"{what} must be ixx iyy izz ixy ixz iyz or a matrix of 3 by 3, not {_shown(values)}"
            raise InertiaError(problem) from None
    if len(rows) != 3:
        raise InertiaError(f"{what} must be a matrix of 3 by 3, not one of {len(rows)} rows")
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    slack = _SYMMETRIC * max(abs(xx), abs(yy), abs(zz))
    if max(abs(xy - yx), abs(xz - zx), abs(yz - zy)) > slack:
        raise InertiaError(f"{what} must be symmetric, and this matrix is not: {_shown(values)}")
    return xx, yy, zz, xy, xz, yz


def _shown(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."
