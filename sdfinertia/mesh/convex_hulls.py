"""The convex hull of points, and the hulls of a convex decomposition."""

from __future__ import annotations

import math
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box, moments
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.mesh import optional_library
from sdfinertia.mesh.kernel import (
    Indices,
    Points,
    lengths,
    longest_sides,
    normals,
    on_used_rows,
    only_used,
    volume_moments,
)
from sdfinertia.mesh.topology import diagonal, disagreeing_faces, edges_of, signed_volumes

_FLAT = "the convex hull encloses no volume: the points lie in one plane"


def convex_hull(vertices: Points) -> tuple[Points, Indices]:
    """`(vertices, faces)` of the points' convex hull, wound outward; a MeshError if the points lie in a plane."""
    # Qhull itself: trimesh (5.2.0) drops faces that are small by an absolute measure.
    from scipy.spatial import ConvexHull, QhullError

    with np.errstate(all="ignore"):
        low, high = bounding_box(vertices) if len(vertices) >= 4 else (np.zeros(3), np.zeros(3))
        size = diagonal(low, high)
        if size == 0:
            raise MeshError(_FLAT)
        scaled = (vertices - (low / 2 + high / 2)) / size
        try:
            hull = ConvexHull(scaled)
        except QhullError:
            # Its message is a page about precision; finite points fail only if they are flat.
            raise MeshError(_FLAT) from None
        corners, faces = on_used_rows(hull.simplices.astype(np.int64), len(vertices))
        faces = _outward(scaled[corners], faces, hull.equations[:, :3])
    return vertices[corners], faces


def _outward(vertices: Points, faces: Indices, facing: Points) -> Indices:
    (a, b, c), (d, e, f) = normals(vertices, faces).T, facing.T
    inward = a * d + b * e + c * f < 0
    outward = np.where(inward[:, None], faces[:, ::-1], faces)
    edges = edges_of(outward)
    if edges.is_manifold:
        return outward
    flipped, _ = disagreeing_faces(len(faces), edges, np.ones(len(faces), np.int64))
    agreeing = np.where(flipped[:, None], outward[:, ::-1], outward)
    if not edges_of(agreeing).is_manifold:
        return outward
    volume, _ = signed_volumes(vertices, agreeing, np.zeros(len(agreeing), np.int64), 1)
    return agreeing if volume[0] > 0 else agreeing[:, ::-1]


# Of <convex_decomposition> in SDFormat 1.11, mesh_shape.sdf.
MAX_CONVEX_HULLS = 16
VOXEL_RESOLUTION = 200_000
# V-HACD takes four seconds for a torus with 200,000, ten seconds and 0.9 GiB with a million.
_MAX_VOXELS = 300_000
# Part of the hull's volume: a surface that lacks less is convex, up to the rounding of float32 coordinates.
_CONVEX = 1e-6
# Part of the whole size: reaching out of the hull by less is rounding; duals need a point as deep inside.
_OUTSIDE = 1e-9
_ROUNDING = 1e-9  # of an uncertainty
_DEEP = 1e-4
# Least area of a triangle that has a plane of its own, over the square of its longest side.
_SLIVER = 1e-9
_MAX_HULLS = 1 << 16  # V-HACD parts a mesh ten times in two: it never makes more than 1024


class Approximation(NamedTuple):
    moments: VolumeMoments
    uncertainty: float  # of the volume, as a part of it; 0 where that is not known
    note: str


def decomposed(
    vertices: Points, faces: Indices, max_convex_hulls: int | None = None, voxel_resolution: int | None = None
) -> Approximation:
    maximum = MAX_CONVEX_HULLS if max_convex_hulls is None else max_convex_hulls
    resolution = VOXEL_RESOLUTION if voxel_resolution is None else voxel_resolution
    if not 1 <= maximum <= _MAX_HULLS:
        raise MeshError(f"max_convex_hulls must be from 1 to {_MAX_HULLS:,}, not {maximum:,}")
    if not 1 <= resolution <= _MAX_VOXELS:
        raise MeshError(f"voxel_resolution must be from 1 to {_MAX_VOXELS:,}, not {resolution:,}")
    # Called directly: trimesh, which wraps it too, only passes the arguments on, and takes half a second to load.
    vhacdx = optional_library("vhacdx", "the convex decomposition")
    vertices, faces = only_used(vertices, faces)
    if len(faces) < 4:
        raise MeshError("the mesh has fewer than four faces: it encloses no volume")
    low, high = bounding_box(vertices)
    middle = low / 2 + high / 2
    # A power of two: no digit is lost.
    size = 2.0 ** math.ceil(math.log2(diagonal(low, high) or 1.0))
    scaled = (vertices - middle) / size
    hull = convex_hull(scaled)  # V-HACD gives even a flat surface a thickness, and no error
    whole = moments(*hull)
    exact = None if len(edges_of(faces).open) else moments(scaled, faces).volume
    if exact is not None and abs(exact - whole.volume) <= _CONVEX * whole.volume:
        total, count, uncertainty = whole, 1, abs(whole.volume - exact) / whole.volume
    else:
        parts = _parts(vhacdx, scaled, faces, maximum, resolution, hull)
        total, count = reduce(add, parts), len(parts)
        if total.volume > whole.volume:
            total, count = whole, 1
        uncertainty = abs(total.volume - exact) / exact if exact is not None and exact > 0 else 0.0
    moved = total.scaled((size, size, size))
    what = "convex hull is used" if count == 1 else "convex hulls of a decomposition are used"
    off = f", volume {100 * uncertainty:.2g} % off" if uncertainty > _ROUNDING else ""
    found = volume_moments(moved.volume, moved.centroid + middle, moved.second)
    return Approximation(found, uncertainty, f"{count} {what} for the mesh{off}")


def _parts(
    vhacdx: Any, vertices: Points, faces: Indices, maximum: int, resolution: int, hull: tuple[Points, Indices]
) -> list[VolumeMoments]:
    counted = np.column_stack((np.full(len(faces), 3), faces)).astype(np.uint32)
    pieces = vhacdx.compute_vhacd(
        np.ascontiguousarray(vertices),
        np.ascontiguousarray(counted.reshape(-1)),
        maxConvexHulls=maximum,
        resolution=resolution,
        asyncACD=False,
    )
    planes = _planes(*hull)
    parts = [part for corners, _ in pieces if (part := _clipped_moments(np.asarray(corners), planes)) is not None]
    if not parts:
        raise MeshError("the convex decomposition is empty: the mesh encloses no volume at this resolution")
    return parts


def _clipped_moments(corners: Points, planes: Points) -> VolumeMoments | None:
    try:
        hull = convex_hull(corners)
    except MeshError:
        return None
    whole = moments(*hull)
    beyond = _heights(planes, hull[0]).max(axis=1) > _OUTSIDE
    if not beyond.any():
        return whole
    from scipy.spatial import HalfspaceIntersection, QhullError

    both = np.concatenate((planes[beyond], _planes(*hull)))
    middle = _deepest(both, np.array(whole.centroid))
    if middle is None:
        return None
    try:
        common = HalfspaceIntersection(both, middle).intersections
        return moments(*convex_hull(common[np.isfinite(common).all(axis=1)]))
    except (QhullError, MeshError):
        return None


def _deepest(planes: Points, guess: Points) -> Points | None:
    """A point well inside the half-spaces (h, 4): the guess, or the middle of the largest ball in them."""
    if (_heights(planes, guess[None])[:, 0] < -_DEEP).all():
        return guess
    from scipy.optimize import linprog

    found = linprog(
        (0.0, 0.0, 0.0, -1.0),
        A_ub=np.column_stack((planes[:, :3], np.ones(len(planes)))),
        b_ub=-planes[:, 3],
        bounds=[(None, None)] * 3 + [(0.0, None)],
    )
    return np.asarray(found.x[:3]) if found.success and found.x[3] > _OUTSIDE else None


def _planes(vertices: Points, faces: Indices) -> Points:
    normal, longest = normals(vertices, faces), longest_sides(vertices, faces)
    length = lengths(normal)
    sound = length > _SLIVER * longest * longest
    normal = normal[sound] / length[sound][:, None]
    offset = -(normal * vertices[faces[sound, 0]]).sum(axis=1)
    return np.column_stack((normal, offset))


def _heights(planes: Points, points: Points) -> Points:
    """How far each point (k, 3) lies outside each half-space (h, 4), (h, k)."""
    x, y, z = points.T
    result: Points = planes[:, :1] * x + planes[:, 1:2] * y + planes[:, 2:3] * z + planes[:, 3:]
    return result
