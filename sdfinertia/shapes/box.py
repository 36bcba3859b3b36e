"""A box about its origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.shapes.primitive_kind import Dimensions, PrimitiveKind

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface


def _inertia(dimensions: Dimensions, density: float) -> SpatialInertia:
    from sdfinertia.inertia import solids

    x, y, z = dimensions
    return solids.box((x, y, z), density)


def _reach(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    x, y, z = direction
    reach = abs(x) * dimensions[0] / 2 + abs(y) * dimensions[1] / 2 + abs(z) * dimensions[2] / 2
    return reach, reach


def _surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import stretched, unit_cube

    return stretched(unit_cube(), dimensions)


BOX = PrimitiveKind("box", (("size", 3),), _inertia, _reach, _surface)
