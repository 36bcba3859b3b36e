"""Moments of triangles that need not be closed, of walls and by MuJoCo's compiler, and what must hold of any."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.errors import MeshError, ThicknessError
from sdfinertia.inertia.polyhedron import corner_products, moments, pairwise_sum, pairwise_sums
from sdfinertia.inertia.solids import SecondMoments, VolumeMoments
from sdfinertia.mesh.kernel import Indices, Points, cross, distinct_rows, lengths, normals
from sdfinertia.mesh.method import Method

if TYPE_CHECKING:
    from sdfinertia.inertia.rigid_transform import Vector3

ORIGIN: Vector3 = (0.0, 0.0, 0.0)
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def shell_moments(vertices: Points, faces: Indices, thickness: float | None) -> VolumeMoments:
    """The moments of a wall that extends half its thickness (m) to either side of the faces; None is refused.

    Formula: S = A/12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), with s = a + b + c, for a triangle with the corners a, b, c.
    """
    if thickness is None:
        remedy = "give <sdfinertia:thickness> in <auto_inertia_params>, or --thickness"
        raise ThicknessError("a shell needs a thickness", remedy=remedy)
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
        flat = thickness / 12.0 * pairwise_sums(area * corner_products(corners)[0])
        across = [pairwise_sum(area * unit[i] * unit[j]) for i, j in _PAIRS]
        second = [within + wall * beyond for within, beyond in zip(flat.tolist(), across, strict=True)]
        x, y, z = (centre + middle).tolist()
    xx, yy, zz, xy, xz, yz = second
    entries: SecondMoments = (xx, yy, zz, xy, xz, yz)
    return VolumeMoments(thickness * total, (x, y, z), entries)


# Thickness below which a wall has no body, as a part of its size.
_THIN = 1e-6


def unit_shell_moments(vertices: Points, faces: Indices) -> VolumeMoments:
    """The moments of a thin wall along the faces, for a thickness of 1: its volume is the area (m²)."""
    thickness = _THIN * float(abs(vertices - vertices.mean(axis=0)).max())
    wall = shell_moments(vertices, faces, thickness)
    xx, yy, zz, xy, xz, yz = (moment / thickness for moment in wall.second)
    return VolumeMoments(wall.volume / thickness, wall.centroid, (xx, yy, zz, xy, xz, yz))


# `mjCMesh::ComputeVolume`, `ComputeSurfaceArea` and `ComputeInertia` of MuJoCo 3.3, user_mesh.cc ----------------------

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


BY_MUJOCO = {
    Method.LEGACY: (legacy_moments, "the volume is overcounted, as MuJoCo's legacy inertia is"),
    Method.SURFACE: (surface_moments, "the faces have the mass, as in MuJoCo's shell inertia"),
}


def _corners(vertices: Points, faces: Indices) -> Points:
    return np.ascontiguousarray(np.asarray(vertices, np.float64)[faces].transpose(1, 0, 2))


def _areas(corners: Points) -> tuple[Points, Points]:
    a, b, c = corners
    return 0.5 * lengths(cross(b - a, c - a)), (a + b + c) / 3.0


def _centroid(area: Points, centre: Points) -> Points:
    total = pairwise_sum(area)
    if not total >= _LEAST:
        raise MeshError(f"the faces have an area of {total:g} m²")
    middle: Points = pairwise_sums(area * np.ascontiguousarray(centre.T)) / total
    return middle


def _volumes(corners: Points, apex: Points) -> Points:
    a, b, c = corners - apex
    volumes: Points = np.abs((a * cross(b, c)).sum(axis=1)) / 6.0
    return volumes


def _moments(corners: Points, centroid: Points, weight: Points, divisor: float) -> VolumeMoments:
    products, _ = corner_products(np.ascontiguousarray((corners - centroid).transpose(0, 2, 1)))
    xx, yy, zz, xy, xz, yz = (pairwise_sums(weight * products) / divisor).tolist()
    second: SecondMoments = (xx, yy, zz, xy, xz, yz)
    x, y, z = centroid.tolist()
    return VolumeMoments(pairwise_sum(weight), (x, y, z), second)


# Sanity ---------------------------------------------------------------------------------------------------------------

_ROUNDING = 1e-9  # relative


def require_sane(found: VolumeMoments, lower: Points, upper: Points) -> None:
    """Requires a positive volume in a box between two corners, (3,) each."""
    finite = np.isfinite([found.volume, *found.centroid, *found.second]).all()
    if not finite or found.volume <= 0.0:
        raise MeshError(f"the mesh encloses a volume of {found.volume:g} m³")
    corner = np.maximum(np.abs(lower - found.centroid), np.abs(upper - found.centroid))
    # The mean square distance from the centroid is at most that of the farthest corner.
    if sum(found.second[:3]) / found.volume > float(corner @ corner) * (1 + _ROUNDING):
        raise MeshError("the mesh gives a radius of gyration above its bounding radius: its surface crosses itself")


def require_inside(found: VolumeMoments, vertices: Points, faces: Indices, thickness: float) -> None:
    """Requires the centroid and the volume to be those of something inside a hull, but for half a wall (m)."""
    normal = normals(vertices, faces)
    doubled = lengths(normal)
    away = ((np.array(found.centroid) - vertices[faces[:, 0]]) * normal).sum(axis=1) / np.maximum(doubled, 1e-300)
    if away.max() > float(np.linalg.norm(np.ptp(vertices, axis=0))) * _ROUNDING + thickness / 2:
        raise MeshError("the approximation has its centre of mass outside the convex hull of the mesh")
    allowed = moments(vertices, faces).volume + thickness / 2 * float(doubled.sum()) / 2
    # Cells of voxels at the surface reach out of it; on the whole they cancel, to a per cent.
    if found.volume > allowed * 1.01:
        what = f"the approximation has a volume of {found.volume:g} m³, more than the {allowed:g} m³ of the convex hull"
        raise MeshError(what)
