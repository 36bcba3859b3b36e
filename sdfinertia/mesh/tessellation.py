"""Triangles of primitives and polylines, closed, wound outward; and fewer triangles of meshes, for display."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from sdfinertia.inertia.polyline import nesting_depths
from sdfinertia.mesh import optional_library
from sdfinertia.mesh.kernel import Indices, Points, Surface, distinct_rows, distinct_triangles, only_used

# Sides of a circle: a regular polygon of so many has 0.04 % less area than the circle around it.
SEGMENTS = 128


def _revolved(profile: Sequence[tuple[float, float]]) -> Surface:
    """Around the z axis, of points (radius, z) from the lower end of the axis to the upper; both ends lie on it."""
    ring = [(math.cos(a), math.sin(a)) for a in (2.0 * math.pi * k / SEGMENTS for k in range(SEGMENTS))]
    inner = profile[1:-1]
    vertices = np.zeros((2 + len(inner) * SEGMENTS, 3))
    vertices[0, 2], vertices[-1, 2] = profile[0][1], profile[-1][1]
    radii, heights = np.array(inner, dtype=float).reshape(-1, 2).T
    vertices[1:-1, :2] = (radii[:, None, None] * np.array(ring)).reshape(-1, 2)
    vertices[1:-1, 2] = np.repeat(heights, SEGMENTS)
    k = np.arange(SEGMENTS)
    following = (k + 1) % SEGMENTS
    top = len(vertices) - 1
    faces = [np.stack((np.zeros_like(k), 1 + following, 1 + k), axis=1)]
    for level in range(len(inner) - 1):
        low, high = 1 + level * SEGMENTS, 1 + (level + 1) * SEGMENTS
        faces.append(np.stack((low + k, low + following, high + following), axis=1))
        faces.append(np.stack((low + k, high + following, high + k), axis=1))
    last = 1 + (len(inner) - 1) * SEGMENTS
    faces.append(np.stack((np.full_like(k, top), last + k, last + following), axis=1))
    return vertices, np.concatenate(faces).astype(np.int64)


def _arc(radius: float, z: float, start: float, stop: float) -> list[tuple[float, float]]:
    """Points (radius, z) of an arc about (0, z), between angles (rad) from the plane z = 0 towards the axis."""
    steps = max(2, round(SEGMENTS / (2 * math.pi) * (stop - start)))
    angles = [start + (stop - start) * k / steps for k in range(steps + 1)]
    points = [(radius * math.cos(a), z + radius * math.sin(a)) for a in angles]
    # The poles lie on the axis exactly.
    return [(0.0 if abs(abs(a) - math.pi / 2) < 1e-12 else r, h) for a, (r, h) in zip(angles, points, strict=True)]


def extrusion(loops: Sequence[Sequence[tuple[float, float]]], height: float) -> Surface:
    oriented = []
    for loop, depth in zip(loops, nesting_depths(loops), strict=True):
        twice_area = sum(x * v - u * y for (x, y), (u, v) in zip(loop, [*loop[1:], loop[0]], strict=True))
        is_hole = depth % 2 == 1
        oriented.append(list(reversed(loop)) if (twice_area > 0.0) == is_hole else list(loop))
    flat = np.array([point for loop in oriented for point in loop])
    cap = np.asarray(
        optional_library("manifold3d", "the union of overlaps").triangulate([np.array(loop) for loop in oriented])
    )
    cap = cap.astype(np.int64)
    count = len(flat)
    vertices = np.concatenate((np.c_[flat, np.zeros(count)], np.c_[flat, np.full(count, height)]))
    faces = [cap[:, ::-1], cap + count]
    start = 0
    for loop in oriented:
        k = start + np.arange(len(loop))
        following = start + (np.arange(len(loop)) + 1) % len(loop)
        faces.append(np.stack((k, following, following + count), axis=1))
        faces.append(np.stack((k, following + count, k + count), axis=1))
        start += len(loop)
    return vertices, np.concatenate(faces).astype(np.int64)


def _box(size: Sequence[float]) -> Surface:
    corners = np.array([[x, y, z] for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return corners * np.array(size), np.array(faces, dtype=np.int64)


def _sphere(size: Sequence[float]) -> Surface:
    return _revolved(_arc(size[0], 0.0, -math.pi / 2, math.pi / 2))


def _cylinder(size: Sequence[float]) -> Surface:
    radius, half = size[0], size[1] / 2
    return _revolved([(0.0, -half), (radius, -half), (radius, half), (0.0, half)])


def _capsule(size: Sequence[float]) -> Surface:
    radius, half = size[0], size[1] / 2
    return _revolved([*_arc(radius, -half, -math.pi / 2, 0.0), *_arc(radius, half, 0.0, math.pi / 2)])


def _cone(size: Sequence[float]) -> Surface:
    radius, half = size[0], size[1] / 2
    return _revolved([(0.0, -half), (radius, -half), (0.0, half)])


def _ellipsoid(size: Sequence[float]) -> Surface:
    vertices, faces = _sphere((1.0,))
    return vertices * np.array(size), faces


# Of the dimensions that `shapes.PRIMITIVES` lists, in its frames.
SURFACES: dict[str, Callable[[Sequence[float]], Surface]] = {
    "box": _box,
    "sphere": _sphere,
    "cylinder": _cylinder,
    "capsule": _capsule,
    "cone": _cone,
    "ellipsoid": _ellipsoid,
}


# Coarser meshes, for display: vertices of one cell of a grid become one (Rossignac and Borrel 1993) ------------------

_FINEST = 512  # cells along the longest side of the box round the mesh; finer ones are no longer seen in a picture
_COARSER = (0.5, 0.9)  # by what part the cells become fewer from one grid to the next


def clustered(vertices: Points, faces: Indices, limit: int) -> Surface:
    vertices, faces = only_used(vertices, faces)
    first, number = distinct_rows((vertices + 0.0).view(np.uint64))
    kept = _without_collapsed(number[faces])
    if len(kept) <= limit:
        return vertices[first], number[faces[kept]]
    # In a unit, a power of two, in which sums and quotients of the greatest and the least floats are floats.
    unit = int(np.frexp(np.abs(vertices).max())[1])
    scaled = np.ldexp(vertices, -unit)
    low = scaled.min(axis=0)
    scaled -= low
    size = float(scaled.max()) or 1.0
    side = _FINEST
    while len(kept) > limit:
        x, y, z = np.minimum((scaled / size * side).astype(np.int64), side - 1).T
        number = np.unique((x * side + y) * side + z, return_inverse=True)[1]
        kept = _without_collapsed(number[faces])
        side = int(side * min(max(math.sqrt(limit / max(len(kept), 1)), _COARSER[0]), _COARSER[1]))
    weights = np.bincount(number)
    means = np.stack([np.bincount(number, column) / weights for column in scaled.T], axis=1)
    return np.ldexp(means + low, unit), number[faces[kept]]


def _without_collapsed(faces: Indices) -> Indices:
    a, b, c = faces.T
    proper = np.flatnonzero((a != b) & (b != c) & (c != a))
    return proper[distinct_triangles(faces[proper])[0]]
