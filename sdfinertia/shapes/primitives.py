"""The table of primitives. Each is a function of its name in `sdfinertia.inertia.solids`, and a row here."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, pi
from typing import TYPE_CHECKING

from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface

# The numbers of `PrimitiveKind.dimensions`, one after the other (m).
Dimensions = tuple[float, ...]


class PrimitiveKind(NamedTuple):
    """A kind of solid in closed form, in the frame SDF gives it.

    Attributes:
        dimensions: name of each, and how many numbers it has.
        extent: of (dimensions, direction): how far the solid extends from its origin against and along a unit
            direction.
        surface: of (dimensions): its triangles, wound outward; loads numpy when it is called.
    """

    name: str
    dimensions: tuple[tuple[str, int], ...]
    extent: Callable[[Dimensions, Vector3], tuple[float, float]]
    surface: Callable[[Dimensions], Surface]

    def inertia(self, dimensions: Dimensions, density: float) -> SpatialInertia:
        # Loaded when it is called: digests show that most blocks are clean by their dimensions alone.
        from sdfinertia.inertia import solids

        left = iter(dimensions)
        given = [next(left) if n == 1 else tuple(next(left) for _ in range(n)) for _, n in self.dimensions]
        inertia: SpatialInertia = getattr(solids, self.name)(*given, density)
        return inertia


def _box_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    x, y, z = direction
    extent = abs(x) * dimensions[0] / 2 + abs(y) * dimensions[1] / 2 + abs(z) * dimensions[2] / 2
    return extent, extent


def _box_surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import stretched, unit_cube

    return stretched(unit_cube(), dimensions)


def _sphere_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    (radius,) = dimensions
    return radius, radius


def _sphere_surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import arc, revolved

    (radius,) = dimensions
    return revolved(arc(radius, 0.0, -pi / 2, pi / 2))


def _cylinder_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    radius, length = dimensions
    x, y, z = direction
    extent = abs(z * length / 2) + radius * hypot(x, y)
    return extent, extent


def _cylinder_surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import revolved

    radius, length = dimensions
    half = length / 2
    return revolved([(0.0, -half), (radius, -half), (radius, half), (0.0, half)])


def _capsule_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    radius, length = dimensions
    extent = abs(direction[2] * length / 2) + radius
    return extent, extent


def _capsule_surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import arc, revolved

    radius, length = dimensions
    half = length / 2
    return revolved([*arc(radius, -half, -pi / 2, 0.0), *arc(radius, half, 0.0, pi / 2)])


def _cone_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    radius, length = dimensions
    x, y, z = direction
    # The farthest point is the apex, at the upper end, or one of the rim, at the lower.
    rim, end = radius * hypot(x, y), z * length / 2
    return max(-end, end + rim), max(end, rim - end)


def _cone_surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import revolved

    radius, length = dimensions
    half = length / 2
    return revolved([(0.0, -half), (radius, -half), (0.0, half)])


def _ellipsoid_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    x, y, z = direction
    extent = hypot(x * dimensions[0], y * dimensions[1], z * dimensions[2])
    return extent, extent


def _ellipsoid_surface(dimensions: Dimensions) -> Surface:
    from sdfinertia.mesh.surface.tessellation import stretched

    return stretched(_sphere_surface((1.0,)), dimensions)


PRIMITIVES: dict[str, PrimitiveKind] = {
    kind.name: kind
    for kind in (
        PrimitiveKind("box", (("size", 3),), _box_extent, _box_surface),
        PrimitiveKind("sphere", (("radius", 1),), _sphere_extent, _sphere_surface),
        PrimitiveKind("cylinder", (("radius", 1), ("length", 1)), _cylinder_extent, _cylinder_surface),
        PrimitiveKind("capsule", (("radius", 1), ("length", 1)), _capsule_extent, _capsule_surface),
        PrimitiveKind("cone", (("radius", 1), ("length", 1)), _cone_extent, _cone_surface),
        PrimitiveKind("ellipsoid", (("radii", 3),), _ellipsoid_extent, _ellipsoid_surface),
    )
}
