"""A sphere about its origin."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.shapes.primitive_kind import Dimensions, PrimitiveKind

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface


def _inertia(dimensions: Dimensions, density: float) -> SpatialInertia:
    from sdfinertia.inertia import solids

    (radius,) = dimensions
    return solids.sphere(radius, density)


def _reach(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    (radius,) = dimensions
    return radius, radius


def _surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import arc, revolved

    (radius,) = dimensions
    return revolved(arc(radius, 0.0, -pi / 2, pi / 2))


SPHERE = PrimitiveKind("sphere", (("radius", 1),), _inertia, _reach, _surface)
