"""The bounding box of a link: of its collisions and visuals together, in link axes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product as combinations
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.description.facts import COLLISION, VISUAL
from sdfinertia.description.pose_path import product
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.store import MeshSource
from sdfinertia.sdf.geometry import MeshShape, NoVolume, Polyline, Primitive, Shape

if TYPE_CHECKING:
    from sdfinertia.description.protocols import LinkDescription


class Bounds(NamedTuple):
    """An axis-aligned box (m)."""

    lower: Vector3
    upper: Vector3

    @property
    def diagonal(self) -> float:
        """Its diagonal (m)."""
        x, y, z = (high - low for low, high in zip(self.lower, self.upper, strict=True))
        return float((x * x + y * y + z * z) ** 0.5)

    def distance_outside(self, point: Vector3) -> float:
        """How far a point lies outside, along the axis on which it is farthest; 0 inside (m)."""
        return max(max(low - x, x - high, 0.0) for low, x, high in zip(self.lower, point, self.upper, strict=True))


def link_bounds(link: LinkDescription, surroundings: Surroundings) -> Bounds | None:
    """The box round all shapes of a link that have a size; None if there is none, or one has no end (a plane).

    Raises:
        SdfInertiaError: a shape, its mesh or its frame cannot be found or read.
    """
    boxes: list[Bounds] = []
    for solid in (*link.solids(COLLISION), *link.solids(VISUAL)):
        shape = solid.shape()
        if isinstance(shape, NoVolume):
            if shape.kind in ("a plane", "a heightmap"):
                return None
            continue
        X_LG = product(solid.placement(surroundings))
        boxes.append(_placed_box(shape, X_LG, solid.file, surroundings))
    if not boxes:
        return None
    return _box_round([corner for box in boxes for corner in (box.lower, box.upper)])


def _placed_box(shape: Shape, X_LG: RigidTransform, containing_file: str, surroundings: Surroundings) -> Bounds:
    """The box of a shape in link axes; that of a mesh is the box round its own box."""
    if isinstance(shape, Primitive):
        return _primitive_box(shape, X_LG)
    if isinstance(shape, Polyline):
        heights = (0.0, max(shape.heights))
        return _box_round([X_LG.apply((x, y, z)) for loop in shape.loops for x, y in loop for z in heights])
    assert isinstance(shape, MeshShape), "what has no volume has no box"
    path = surroundings.resources.find(shape.uri, containing_file)
    lower, upper = surroundings.meshes.bounds(MeshSource(path, shape.submesh, shape.center))
    scaled = [
        tuple(factor * value for value in pair)
        for pair, factor in zip(zip(lower, upper, strict=True), shape.scale, strict=True)
    ]
    return _box_round([X_LG.apply((x, y, z)) for x, y, z in combinations(*scaled)])


def _primitive_box(shape: Primitive, X_LG: RigidTransform) -> Bounds:
    """The box of a solid whose extent along a direction has a closed form (its support function)."""
    lower, upper = [], []
    for axis, centre in enumerate(X_LG.translation):
        x, y, z = X_LG.rotation[3 * axis : 3 * axis + 3]
        below, above = _extent(shape, (x, y, z))
        lower.append(centre - below)
        upper.append(centre + above)
    return Bounds((lower[0], lower[1], lower[2]), (upper[0], upper[1], upper[2]))


def _extent(shape: Primitive, direction: Vector3) -> tuple[float, float]:
    """How far a solid reaches from its origin against and along a unit direction in its own frame."""
    x, y, z = direction
    sizes = shape.dimensions
    if shape.kind == "box":
        reach = abs(x) * sizes[0] / 2 + abs(y) * sizes[1] / 2 + abs(z) * sizes[2] / 2
    elif shape.kind == "ellipsoid":
        reach = hypot(x * sizes[0], y * sizes[1], z * sizes[2])
    elif shape.kind == "sphere":
        reach = sizes[0]
    else:
        radius, length = sizes
        rim, end = radius * hypot(x, y), z * length / 2
        if shape.kind == "cone":
            # The rim is at the lower end, the tip at the upper.
            return max(-end, end + rim), max(end, rim - end)
        reach = abs(end) + (radius if shape.kind == "capsule" else rim)
    return reach, reach


def _box_round(points: Sequence[Vector3]) -> Bounds:
    xs, ys, zs = zip(*points, strict=True)
    return Bounds((min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs)))
