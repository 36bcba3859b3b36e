"""An ellipsoid about its origin."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.shapes.primitive_kind import Dimensions, PrimitiveKind
from sdfinertia.shapes.sphere import SPHERE

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface


def _inertia(dimensions: Dimensions, density: float) -> SpatialInertia:
    from sdfinertia.inertia import solids

    a, b, c = dimensions
    return solids.ellipsoid((a, b, c), density)


def _reach(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    x, y, z = direction
    reach = hypot(x * dimensions[0], y * dimensions[1], z * dimensions[2])
    return reach, reach


def _surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import stretched

    return stretched(SPHERE.surface((1.0,)), dimensions)


ELLIPSOID = PrimitiveKind("ellipsoid", (("radii", 3),), _inertia, _reach, _surface)
