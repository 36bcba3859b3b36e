"""Moments of walls, and what MuJoCo's compiler makes of the triangles of a mesh as they are.

Source of the latter: `mjCMesh::ComputeVolume`, `ComputeSurfaceArea` and `ComputeInertia` of MuJoCo 3.3, user_mesh.cc.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import corner_products, pairwise_sum, pairwise_sums
from sdfinertia.inertia.volume_moments import SecondMoments, VolumeMoments
from sdfinertia.mesh.kernel import Indices, Points, cross, distinct_rows, lengths

if TYPE_CHECKING:
    from sdfinertia.inertia.rigid_transform import Vector3

ORIGIN: Vector3 = (0.0, 0.0, 0.0)


_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def shell_moments(vertices: Points, faces: Indices, thickness: float) -> VolumeMoments:
    """The moments of a wall that extends half its thickness (m) to either side of the faces.

    Formula: S = A/12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), with s = a + b + c, for a triangle with the corners a, b, c.
    """
    if not (math.isfinite(thickness) and thickness > 0.0):
        raise MeshError(f"the thickness of a shell is {thickness:g} m, not a positive number")
    with np.errstate(all="ignore"):
        once, _ = distinct_rows(np.sort(np.asarray(faces, dtype=np.int64), axis=1).view(np.uint64))
        corners = np.ascontiguousarray(vertices[faces[once]].transpose(1, 2, 0))  # corner, axis, face
        if corners.size == 0:
            raise MeshError("the mesh has no faces")
        low, high = corners.min(axis=(0, 2)), corners.max(axis=(0, 2))
        centre = low / 2 + high / 2
        corners -= centre[:, None]
        a, b, c = corners
        normal = 0.5 * cross((b - a).T, (c - a).T)
        area = lengths(normal)
        total = pairwise_sum(area)
        if not (math.isfinite(total) and total > 0.0):
            raise MeshError(f"the faces have an area of {total:g} m², so there is no shell")
        middle = pairwise_sums(area * (a + b + c)) / (3.0 * total)
        # From the centroid, so that nothing of a wall far from its origin cancels.
        corners -= middle[:, None]
        unit = normal.T / np.where(area > 0, area, 1.0)
        wall = thickness * thickness * thickness / 12.0
        flat = thickness / 12.0 * pairwise_sums(area * corner_products(corners))
        across = [pairwise_sum(area * unit[i] * unit[j]) for i, j in _ENTRIES]
        second = [within + wall * beyond for within, beyond in zip(flat.tolist(), across, strict=True)]
        x, y, z = (centre + middle).tolist()
    xx, yy, zz, xy, xz, yz = second
    entries: SecondMoments = (xx, yy, zz, xy, xz, yz)
    return VolumeMoments(thickness * total, (x, y, z), entries)


Values = npt.NDArray[np.float64]

_LEAST = 1e-15  # mjMINVAL (m² or m³)


def legacy_moments(vertices: Points, faces: Indices) -> VolumeMoments:
    """Tetrahedra from the centroid of the faces, all counted as positive, which overcounts non-convex meshes."""
    corners = _corners(vertices, faces)
    area, centre = _areas(corners)
    middle = _centroid(area, centre)
    volume = _volumes(corners, middle)
    total = pairwise_sum(volume)
    if not total >= _LEAST:
        raise MeshError(f"the mesh encloses a volume of {total:g} m³")
    centroid = pairwise_sums(volume * (0.75 * centre.T + 0.25 * middle[:, None])) / total
    # About its centre of mass the tetrahedra, and so their sum, differ.
    return _moments(corners, centroid, _volumes(corners, centroid), 20.0)


def exact_volume(vertices: Points, faces: Indices) -> float:
    """The volume by "exact": tetrahedra with signs; NaN where MuJoCo refuses faces that disagree or point inward."""
    corners = _corners(vertices, faces)
    area, centre = _areas(corners)
    edges = np.concatenate([faces[area > 0.0][:, [k, (k + 1) % 3]] for k in range(3)]).astype(np.int64)
    if len(np.unique(edges @ np.array([len(vertices), 1]))) < len(edges):
        return np.nan
    a, b, c = corners - _centroid(area, centre)
    volume = pairwise_sum((a * cross(b, c)).sum(axis=1)) / 6.0
    return volume if volume >= _LEAST else np.nan


def surface_moments(vertices: Points, faces: Indices) -> VolumeMoments:
    """The faces without thickness: its volume is the area (m²), so that densities are in kg/m²."""
    corners = _corners(vertices, faces)
    area, centre = _areas(corners)
    return _moments(corners, _centroid(area, centre), area, 12.0)


def _corners(vertices: Points, faces: Indices) -> Values:
    """(3, #F, 3): corner, face, axis."""
    return np.ascontiguousarray(np.asarray(vertices, np.float64)[faces].transpose(1, 0, 2))


def _areas(corners: Values) -> tuple[Values, Values]:
    """The area of each face (#F), and its centre (#F, 3)."""
    a, b, c = corners
    return 0.5 * lengths(cross(b - a, c - a)), (a + b + c) / 3.0


def _centroid(area: Values, centre: Values) -> Values:
    total = pairwise_sum(area)
    if not total >= _LEAST:
        raise MeshError(f"the faces have an area of {total:g} m²")
    middle: Values = pairwise_sums(area * np.ascontiguousarray(centre.T)) / total
    return middle


def _volumes(corners: Values, apex: Values) -> Values:
    a, b, c = corners - apex
    volumes: Values = np.abs((a * cross(b, c)).sum(axis=1)) / 6.0
    return volumes


def _moments(corners: Values, centroid: Values, weight: Values, divisor: float) -> VolumeMoments:
    """Of simplices with the centroid as one corner, or of triangles, by their weights."""
    products = corner_products(np.ascontiguousarray((corners - centroid).transpose(0, 2, 1)))
    xx, yy, zz, xy, xz, yz = (pairwise_sums(weight * products) / divisor).tolist()
    second: SecondMoments = (xx, yy, zz, xy, xz, yz)
    x, y, z = centroid.tolist()
    return VolumeMoments(pairwise_sum(weight), (x, y, z), second)
