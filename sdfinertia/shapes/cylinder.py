"""A cylinder along z, about its origin."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.shapes.primitive_kind import Dimensions, PrimitiveKind

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface


def _inertia(dimensions: Dimensions, density: float) -> SpatialInertia:
    from sdfinertia.inertia import solids

    radius, length = dimensions
    return solids.cylinder(radius, length, density)


def _reach(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    radius, length = dimensions
    x, y, z = direction
    reach = abs(z * length / 2) + radius * hypot(x, y)
    return reach, reach


def _surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import revolved

    radius, length = dimensions
    half = length / 2
    return revolved([(0.0, -half), (radius, -half), (radius, half), (0.0, half)])


CYLINDER = PrimitiveKind("cylinder", (("radius", 1), ("length", 1)), _inertia, _reach, _surface)
