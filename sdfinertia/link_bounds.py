"""The bounding box of a link: of its collisions and visuals together, in link axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product as combinations
from typing import NamedTuple

from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.link_inputs import placement_of
from sdfinertia.mesh.store import MeshSource
from sdfinertia.sdf.geometry import MeshShape, NoVolume, Polyline, Primitive, Shape, read_shape
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.pose_path import product
from sdfinertia.surroundings import Surroundings


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


def link_bounds(link: Link, surroundings: Surroundings) -> Bounds | None:
    """The box round all shapes of a link that have a size; None if there is none, or one has no end (a plane).

    Raises:
        SdfInertiaError: a shape, its mesh or its frame cannot be found or read.
    """
    boxes: list[Bounds] = []
    for solid in (*link.collisions(), *link.visuals()):
        shape = read_shape(solid.element)
        if isinstance(shape, NoVolume):
            if shape.kind in ("a plane", "a heightmap"):
                return None
            continue
        transform = product(placement_of(solid, surroundings))
        corners = _corners(shape, solid.element.document.path, surroundings)
        boxes.append(_box_round([transform.apply(corner) for corner in corners]))
    if not boxes:
        return None
    return _box_round([corner for box in boxes for corner in (box.lower, box.upper)])


def _corners(shape: Shape, containing_file: str, surroundings: Surroundings) -> Iterator[Vector3]:
    """Points whose box is the shape's, in the frame of the geometry."""
    lower, upper = _own_box(shape, containing_file, surroundings)
    yield from ((x, y, z) for x, y, z in combinations(*zip(lower, upper, strict=True)))


def _own_box(shape: Shape, containing_file: str, surroundings: Surroundings) -> Bounds:
    if isinstance(shape, Primitive):
        x, y, z = _half_extents(shape)
        return Bounds((-x, -y, -z), (x, y, z))
    if isinstance(shape, Polyline):
        points = [(x, y, 0.0) for loop in shape.loops for x, y in loop]
        flat = _box_round(points)
        return Bounds(flat.lower, (flat.upper[0], flat.upper[1], max(shape.heights)))
    assert isinstance(shape, MeshShape), "what has no volume has no box"
    path = surroundings.resources.find(shape.uri, containing_file)
    low, high = surroundings.meshes.bounds(MeshSource(path, shape.submesh, shape.center))
    scaled = [
        tuple(value * factor for value, factor in zip(corner, shape.scale, strict=True)) for corner in (low, high)
    ]
    return _box_round([(x, y, z) for x, y, z in scaled])


def _half_extents(shape: Primitive) -> Vector3:
    sizes = shape.dimensions
    if shape.kind == "box":
        return sizes[0] / 2, sizes[1] / 2, sizes[2] / 2
    if shape.kind == "ellipsoid":
        return sizes[0], sizes[1], sizes[2]
    if shape.kind == "sphere":
        return sizes[0], sizes[0], sizes[0]
    radius, length = sizes
    return radius, radius, length / 2 + (radius if shape.kind == "capsule" else 0.0)


def _box_round(points: Sequence[Vector3]) -> Bounds:
    xs, ys, zs = zip(*points, strict=True)
    return Bounds((min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs)))
