"""The inertia of the surfaces of primitives, which MuJoCo gives geoms with shellinertia.

Source: `mjCGeom::GetVolume` and `mjCGeom::SetInertia` of MuJoCo 3.3, user_objects.cc.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_THOMSEN = 1.6075
# MuJoCo grows an ellipsoid by this, and takes the difference for its surface (m).
_GROWTH = 1e-6


def shell(kind: str, dimensions: Sequence[float], density: float) -> SpatialInertia:
    area, moments = _SHELLS[kind](*dimensions)
    mass = density * area
    x, y, z = (mass * moment for moment in moments)
    return SpatialInertia(mass, (0.0, 0.0, 0.0), InertiaTensor(x, y, z))


# The area (m²), and the moments of 1 kg (m²).
_Shell = tuple[float, tuple[float, float, float]]


def _sphere(radius: float) -> _Shell:
    moment = 2.0 / 3.0 * radius * radius
    return 4.0 * pi * radius * radius, (moment, moment, moment)


def _capsule(radius: float, length: float) -> _Shell:
    ball, tube = 4.0 * pi * radius * radius, 2.0 * pi * radius * length
    of_ball = ball / (ball + tube)
    of_tube = 1.0 - of_ball
    half = radius / 2.0
    far = length / 2.0 + half
    axial = of_tube * radius * radius + of_ball * 2.0 / 3.0 * radius * radius
    across = of_tube * (6.0 * radius * radius + length * length) / 12.0
    across += of_ball * (2.0 / 3.0 * radius * radius + far * far - half * half)
    return ball + tube, (across, across, axial)


def _cylinder(radius: float, length: float) -> _Shell:
    disk, tube = pi * radius * radius, 2.0 * pi * radius * length
    area = 2.0 * disk + tube
    of_disks, of_tube = 2.0 * disk / area, tube / area
    axial = of_tube * radius * radius + of_disks * radius * radius / 2.0
    across = of_tube * (6.0 * radius * radius + length * length) / 12.0
    across += of_disks * (radius * radius / 4.0 + length * length / 4.0)
    return area, (across, across, axial)


def _ellipsoid(a: float, b: float, c: float) -> _Shell:
    mean = ((a * b) ** _THOMSEN + (b * c) ** _THOMSEN + (c * a) ** _THOMSEN) / 3.0
    inner, outer = (a, b, c), (a + _GROWTH, b + _GROWTH, c + _GROWTH)
    small, large = a * b * c, outer[0] * outer[1] * outer[2]

    def moment(i: int, j: int) -> float:
        grown = large * (outer[i] * outer[i] + outer[j] * outer[j])
        return (grown - small * (inner[i] * inner[i] + inner[j] * inner[j])) / (5.0 * (large - small))

    return 4.0 * pi * mean ** (1.0 / _THOMSEN), (moment(1, 2), moment(0, 2), moment(0, 1))


def _box(x: float, y: float, z: float) -> _Shell:
    xy, yz, zx = x * y, y * z, z * x
    area = 2.0 * (xy + yz + zx)

    def variance(own: float, first: float, second: float, across: float) -> float:
        """Along an axis of a length, of the faces beside it, and of the two across it."""
        return (2.0 * (first + second) * own * own / 12.0 + 2.0 * across * own * own / 4.0) / area

    xx, yy, zz = variance(x, xy, zx, yz), variance(y, xy, yz, zx), variance(z, yz, zx, xy)
    return area, (yy + zz, xx + zz, xx + yy)


_SHELLS: dict[str, Callable[..., _Shell]] = {
    "sphere": _sphere,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "ellipsoid": _ellipsoid,
    "box": _box,
}
