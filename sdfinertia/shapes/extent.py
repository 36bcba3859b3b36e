"""How far a shape extends in a direction, its bounding box, and its largest dimension."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product as combinations

from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.shapes.primitives import PRIMITIVES
from sdfinertia.shapes.shape import Polyline, Primitive, Solid, assert_never, extrusion_corners

# How far a shape goes from its origin against and along a unit direction in its own frame (m): negative where it lies
# wholly on the other side. This is all that is known of size.
Extent = Callable[[Vector3], tuple[float, float]]

_AXES: tuple[Vector3, Vector3, Vector3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Bounds(NamedTuple):
    """An axis-aligned box (m)."""

    lower: Vector3
    upper: Vector3

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
        """How far a point lies outside along the axis on which it is farthest; 0 inside (m)."""
        return max(max(low - x, x - high, 0.0) for low, x, high in zip(self.lower, point, self.upper, strict=True))

    def padded(self, share: float, least: float) -> Bounds:
        """The box with each edge longer at both ends by a share of itself, at least by `least` (m)."""
        x, y, z = (max(share * size, least) for size in self.sizes)
        (a, b, c), (d, e, f) = self.lower, self.upper
        return Bounds((a - x, b - y, c - z), (d + x, e + y, f + z))

    def nearest(self, point: Vector3) -> Vector3:
        """The point of the box that is nearest to a point."""
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


def extent_of(solid: Solid) -> Extent:
    match solid:
        case Primitive():
            extent, dimensions = PRIMITIVES[solid.kind].extent, solid.dimensions
            return lambda direction: extent(dimensions, direction)
        case Polyline():
            return extent_of_points(extrusion_corners(solid))
        case _:
            assert_never(solid)


def extent_of_points(points: Sequence[Vector3]) -> Extent:
    def extent(direction: Vector3) -> tuple[float, float]:
        x, y, z = direction
        along = [x * a + y * b + z * c for a, b, c in points]
        return -min(along), max(along)

    return extent


def extent_of_box(box: Bounds) -> Extent:
    pairs = zip(box.lower, box.upper, strict=True)
    return extent_of_points([(x, y, z) for x, y, z in combinations(*pairs)])


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


def largest_dimension(extent: Extent) -> float:
    """The longest edge of the box around a shape in its own frame (m)."""
    (a, d), (b, e), (c, f) = map(extent, _AXES)
    return max(a + d, b + e, c + f)
