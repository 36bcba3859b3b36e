"""A cone along z with its apex towards +z and its origin at half its length."""

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
    return solids.cone(radius, length, density)


def _reach(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    radius, length = dimensions
    x, y, z = direction
    # The farthest point is the apex, at the upper end, or one of the rim, at the lower.
    rim, end = radius * hypot(x, y), z * length / 2
    return max(-end, end + rim), max(end, rim - end)


def _surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import revolved

    radius, length = dimensions
    half = length / 2
    return revolved([(0.0, -half), (radius, -half), (0.0, half)])


CONE = PrimitiveKind("cone", (("radius", 1), ("length", 1)), _inertia, _reach, _surface)
