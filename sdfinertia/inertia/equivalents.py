"""Uniform solids that have a given mass and given principal moments: what is drawn to show an inertia."""

from __future__ import annotations

from math import isfinite, sqrt

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.rigid_transform import Vector3

# Five digits leave each number wrong by up to 5e-5 of itself, and so the triangle inequality by that part of the trace;
# products take as much again. A plate or a rod that was merely rounded is still drawn, flat.
ROUNDING = 1e-4


def equivalent_box(mass: float, moments: Vector3) -> Vector3:
    """The edge lengths (m) of the uniform box of this mass and these moments, each along the axis of its moment.

    d1 = sqrt(6/m (I2 + I3 - I1)) and permutations: I1 = m/12 (d2² + d3²) solved for the edges.

    Args:
        mass: (kg).
        moments: principal moments about the centre of mass (kg·m²), in any order.

    Raises:
        InertiaError: no body has this mass and these moments.
    """
    x, y, z = _squared_gyration(mass, moments)
    return (sqrt(12.0 * x), sqrt(12.0 * y), sqrt(12.0 * z))


def equivalent_ellipsoid(mass: float, moments: Vector3) -> Vector3:
    """The radii (m) of the uniform ellipsoid of this mass and these moments, each along the axis of its moment.

    r1 = sqrt(5/(2m) (I2 + I3 - I1)) and permutations: I1 = m/5 (r2² + r3²) solved for the radii.

    Args:
        mass: (kg).
        moments: principal moments about the centre of mass (kg·m²), in any order.

    Raises:
        InertiaError: no body has this mass and these moments.
    """
    x, y, z = _squared_gyration(mass, moments)
    return (sqrt(5.0 * x), sqrt(5.0 * y), sqrt(5.0 * z))


def _squared_gyration(mass: float, moments: Vector3) -> Vector3:
    """The mean squares of the distances from the centre along each axis (m²): (I2 + I3 - I1) / 2m."""
    if not (isfinite(mass) and mass > 0.0):
        raise InertiaError(f"no solid has a mass of {mass:g} kg")
    first, second, third = moments
    trace = first + second + third
    squares = (second - first + third, third - second + first, first - third + second)
    if not (isfinite(trace) and trace >= 0.0 and min(squares) >= -ROUNDING * trace):
        written = " ".join(f"{moment:g}" for moment in moments)
        raise InertiaError(
            f"no solid has the principal moments {written} kg·m²: none may be above the sum of the other two"
        )
    x, y, z = (max(square, 0.0) / (2.0 * mass) for square in squares)
    return (x, y, z)
