"""A capsule along z, about its origin: a cylinder, whose length it names, with a half sphere on each end."""

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

    radius, length = dimensions
    return solids.capsule(radius, length, density)


def _reach(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    radius, length = dimensions
    reach = abs(direction[2] * length / 2) + radius
    return reach, reach


def _surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import arc, revolved

    radius, length = dimensions
    half = length / 2
    return revolved([*arc(radius, -half, -pi / 2, 0.0), *arc(radius, half, 0.0, pi / 2)])


CAPSULE = PrimitiveKind("capsule", (("radius", 1), ("length", 1)), _inertia, _reach, _surface)
