"""The shapes of collisions and visuals, as values, with inertia, extent, surface and bounding box.

Each primitive is a function of its name in `sdfinertia.inertia.solids`, and a row of the table here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from itertools import product as combinations
from math import hypot
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from sdfinertia.errors import GeometryError
from sdfinertia.inertia import SpatialInertia, solids
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.mesh import MeshSource

if TYPE_CHECKING:
    from sdfinertia.mesh.kernel import Surface
    from sdfinertia.mesh.store import MeshStore

# The numbers of `PrimitiveKind.dimensions`, one after the other (m).
Dimensions = tuple[float, ...]

# How far a shape reaches from its origin against and along a unit direction in its frame (m); negative beyond it.
Extent = Callable[[Vector3], tuple[float, float]]

# m: a shape with all edges shorter marks a place.
_SMALLEST_PART = 0.005

_AXES: tuple[Vector3, Vector3, Vector3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Primitive(NamedTuple):
    """A solid in closed form, by its name and dimensions (m) in `PRIMITIVES`, as read: they may be negative."""

    kind: str
    dimensions: Dimensions

    @property
    def name(self) -> str:
        return self.kind

    def inertia(self, density: float) -> SpatialInertia:
        """In its own frame, at a density (kg/m³)."""
        dimensions, table = self.dimensions, PRIMITIVES[self.kind].dimensions
        given: Sequence[float | Dimensions] = dimensions
        if len(table) < len(dimensions):
            left = iter(dimensions)
            given = [next(left) if count == 1 else tuple(islice(left, count)) for _, count in table]
        inertia: SpatialInertia = getattr(solids, self.kind)(*given, density)
        return inertia

    def extent(self, direction: Vector3) -> tuple[float, float]:
        return PRIMITIVES[self.kind].extent(self.dimensions, direction)


class Polyline(NamedTuple):
    """Closed loops of points (m), extruded from z = 0 to the height of each."""

    loops: tuple[tuple[tuple[float, float], ...], ...]
    heights: tuple[float, ...]

    @property
    def name(self) -> str:
        return "polyline"

    def inertia(self, density: float) -> SpatialInertia:
        """In its own frame, at a density (kg/m³)."""
        if len(set(self.heights)) > 1:
            raise GeometryError("the polylines of one geometry differ in height")
        from sdfinertia.inertia.polyline import extruded_polyline

        return extruded_polyline(self.loops, self.heights[0], density)

    def extent(self, direction: Vector3) -> tuple[float, float]:
        self.require_points()
        ends = (0.0, max(self.heights))
        return _extent_of_points([(x, y, z) for loop in self.loops for x, y in loop for z in ends], direction)

    def require_points(self) -> None:
        if not self.loops or not all(self.loops):
            raise GeometryError("polyline has no points")


class MeshShape(NamedTuple):
    """A mesh file and which part of it counts."""

    uri: str
    scale: tuple[float, float, float]
    submesh: str | None  # None for the whole file
    center: bool  # that part's bounding box is centred on the origin
    optimization: str  # "", "convex_hull" or "convex_decomposition"
    max_convex_hulls: int | None = None
    voxel_resolution: int | None = None

    @property
    def name(self) -> str:
        return "mesh"

    def source(self, path: str) -> MeshSource:
        return MeshSource(path, self.submesh, self.center)

    def bounds(self, path: str, meshes: MeshStore) -> Bounds:
        lower, upper = meshes.bounds(self.source(path))
        return Bounds(lower, upper).scaled(self.scale)


class Plane(NamedTuple):
    """A plane through the origin with a unit normal, of which a rectangle (m) is drawn."""

    normal: tuple[float, float, float]
    size: tuple[float, float]


class NoVolume(NamedTuple):
    """A geometry that encloses no volume."""

    kind: str  # as the subject of a sentence: "a plane"
    is_unbounded: bool = False
    problem: str = "has no volume"  # the rest of that sentence
    plane: Plane | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.problem}"


Shape = Primitive | Polyline | MeshShape | NoVolume


def assert_never(value: NoReturn) -> NoReturn:
    """`typing.assert_never`, which Python has from 3.11 on only."""
    raise AssertionError(f"a case that nobody handles: {value!r}")


class Bounds(NamedTuple):
    """An axis-aligned box (m)."""

    lower: Vector3
    upper: Vector3

    def __str__(self) -> str:
        return " × ".join(f"{size:.3g}" for size in self.sizes) + " m"

    @property
    def sizes(self) -> Vector3:
        (a, b, c), (d, e, f) = self
        return (d - a, e - b, f - c)

    @property
    def diagonal(self) -> float:
        x, y, z = self.sizes
        return float((x * x + y * y + z * z) ** 0.5)

    @property
    def middle(self) -> Vector3:
        x, y, z = ((low + high) / 2.0 for low, high in zip(self.lower, self.upper, strict=True))
        return (x, y, z)

    def distance_outside(self, point: Vector3) -> float:
        """Along the axis on which it is farthest; 0 inside (m)."""
        return max(max(low - x, x - high, 0.0) for low, x, high in zip(self.lower, point, self.upper, strict=True))

    @property
    def is_marker(self) -> bool:
        return max(self.sizes) < _SMALLEST_PART

    def padded(self, share: float, least: float) -> Bounds:
        x, y, z = (max(share * size, least) for size in self.sizes)
        (a, b, c), (d, e, f) = self.lower, self.upper
        return Bounds((a - x, b - y, c - z), (d + x, e + y, f + z))

    def nearest(self, point: Vector3) -> Vector3:
        x, y, z = (min(max(low, p), high) for low, p, high in zip(self.lower, point, self.upper, strict=True))
        return (x, y, z)

    def variance_limits(self, centre: Vector3) -> Vector3:
        """The largest variance along each axis (m²) of mass in the box with this centre: (hi - c)(c - lo).

        Source: Bhatia and Davis 2000.
        """
        x, y, z = ((high - c) * (c - low) for low, c, high in zip(self.lower, centre, self.upper, strict=True))
        return (x, y, z)

    def scaled(self, factors: Vector3) -> Bounds:
        """The box stretched along the axes from the origin; negative factors mirror it."""
        ends = [
            sorted((factor * low, factor * high))
            for low, high, factor in zip(self.lower, self.upper, factors, strict=True)
        ]
        (a, d), (b, e), (c, f) = ends
        return Bounds((a, b, c), (d, e, f))


def extent_of_box(box: Bounds) -> Extent:
    corners = [(x, y, z) for x, y, z in combinations(*zip(box.lower, box.upper, strict=True))]
    return lambda direction: _extent_of_points(corners, direction)


def _extent_of_points(points: Sequence[Vector3], direction: Vector3) -> tuple[float, float]:
    x, y, z = direction
    along = [x * a + y * b + z * c for a, b, c in points]
    return -min(along), max(along)


def placed_bounds(extent: Extent, X_AG: RigidTransform) -> Bounds:
    """The box, in the axes of frame A, around a shape whose frame G has the pose `X_AG`."""
    # Row i of R_AG is the direction of axis i of A in G.
    rotation, (x, y, z) = X_AG.rotation, X_AG.translation
    (a, d), (b, e), (c, f) = extent(rotation[:3]), extent(rotation[3:6]), extent(rotation[6:])
    return Bounds((x - a, y - b, z - c), (x + d, y + e, z + f))


def bounds_around(boxes: Sequence[Bounds]) -> Bounds:
    if len(boxes) == 1:
        return boxes[0]
    a, b, c = map(min, *(box.lower for box in boxes))
    d, e, f = map(max, *(box.upper for box in boxes))
    return Bounds((a, b, c), (d, e, f))


def largest_dimension(shape: Primitive | Polyline) -> float:
    """The longest edge of the box around a shape in its own frame (m)."""
    (a, d), (b, e), (c, f) = map(shape.extent, _AXES)
    return max(a + d, b + e, c + f)


def surface_of(shape: Primitive | Polyline) -> Surface:
    """Its triangles in its own frame (m), closed, wound outward; all loops of a polyline as high as the highest."""
    from sdfinertia.mesh.tessellation import SURFACES, extrusion

    if isinstance(shape, Primitive):
        return SURFACES[shape.kind](shape.dimensions)
    shape.require_points()
    return extrusion(shape.loops, max(shape.heights))


# The table of primitives ----------------------------------------------------------------------------------------------


class PrimitiveKind(NamedTuple):
    """A kind of solid in closed form, in the frame SDF gives it."""

    name: str
    dimensions: tuple[tuple[str, int], ...]  # the name of each, and how many numbers it has
    extent: Callable[[Dimensions, Vector3], tuple[float, float]]


def _box_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    (x, y, z), (a, b, c) = direction, dimensions
    extent = (abs(x) * a + abs(y) * b + abs(z) * c) / 2
    return extent, extent


def _sphere_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    (radius,) = dimensions
    return radius, radius


def _cylinder_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    radius, length = dimensions
    x, y, z = direction
    extent = abs(z * length / 2) + radius * hypot(x, y)
    return extent, extent


def _capsule_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    radius, length = dimensions
    extent = abs(direction[2] * length / 2) + radius
    return extent, extent


def _cone_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    radius, length = dimensions
    x, y, z = direction
    # The farthest point is the apex, at the upper end, or one of the rim, at the lower.
    rim, end = radius * hypot(x, y), z * length / 2
    return max(-end, end + rim), max(end, rim - end)


def _ellipsoid_extent(dimensions: Dimensions, direction: Vector3) -> tuple[float, float]:
    x, y, z = direction
    extent = hypot(x * dimensions[0], y * dimensions[1], z * dimensions[2])
    return extent, extent


PRIMITIVES: dict[str, PrimitiveKind] = {
    kind.name: kind
    for kind in (
        PrimitiveKind("box", (("size", 3),), _box_extent),
        PrimitiveKind("sphere", (("radius", 1),), _sphere_extent),
        PrimitiveKind("cylinder", (("radius", 1), ("length", 1)), _cylinder_extent),
        PrimitiveKind("capsule", (("radius", 1), ("length", 1)), _capsule_extent),
        PrimitiveKind("cone", (("radius", 1), ("length", 1)), _cone_extent),
        PrimitiveKind("ellipsoid", (("radii", 3),), _ellipsoid_extent),
    )
}
