"""Moments of triangles that need not be closed: of walls, by MuJoCo, in voxels; and what must hold of any."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sdfinertia.errors import MeshError, ThicknessError
from sdfinertia.inertia.polyhedron import bounding_box, corner_products, moments, pairwise_sum, pairwise_sums
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.mesh import MeshTreatment, Method, optional_library
from sdfinertia.mesh.convex_hulls import Approximation, decomposed
from sdfinertia.mesh.kernel import (
    Flags,
    Indices,
    Points,
    cross,
    distinct_triangles,
    lengths,
    normals,
    only_used,
    rotated,
    volume_moments,
)
from sdfinertia.mesh.topology import extent

_ORIGIN: Vector3 = (0.0, 0.0, 0.0)
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


# MuJoCo's methods, of the faces as they are; those of the solid where the surface is closed; those below its hull.
BY_MUJOCO = (Method.LEGACY, Method.SURFACE)
OF_A_SOLID = (Method.VOXEL, Method.CONVEX_DECOMPOSITION)
INSIDE_HULL = (*OF_A_SOLID, Method.SHELL)


def approximated(method: Method, treatment: MeshTreatment, vertices: Points, faces: Indices) -> Approximation:
    """By a method for which the surface need not be closed."""
    if method is Method.LEGACY:
        note = "the volume is overcounted, as MuJoCo's legacy inertia is"
        return Approximation(legacy_moments(vertices, faces), 0.0, note)
    if method is Method.SURFACE:
        note = "the faces have the mass, as in MuJoCo's shell inertia"
        return Approximation(surface_moments(vertices, faces), 0.0, note)
    if method is Method.DIVERGENCE:
        note = "the open surface is integrated from its origin"
        return Approximation(moments(vertices, faces, _ORIGIN), 0.0, note)
    if method is Method.SHELL:
        wall = shell_moments(vertices, faces, treatment.thickness)
        return Approximation(wall, 0.0, f"the mesh is taken for a wall {treatment.thickness:g} m thick")
    if method is Method.VOXEL:
        return voxel_moments(vertices, faces, treatment.voxel_size)
    return decomposed(vertices, faces, treatment.max_convex_hulls, treatment.voxel_resolution)


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
        once, _, _ = distinct_triangles(faces)
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
        return volume_moments(thickness * total, centre + middle, flat + wall * np.array(across))


# `mjCMesh::ComputeVolume`, `ComputeSurfaceArea` and `ComputeInertia` of MuJoCo 3.3, user_mesh.cc ----------------------

_LEAST = 1e-15  # mjMINVAL (m² or m³)


def legacy_moments(vertices: Points, faces: Indices) -> VolumeMoments:
    """Tetrahedra from the centroid of the faces, all counted as positive, which overcounts non-convex meshes."""
    corners, _, centre, middle = _measured(vertices, faces)
    volume = _volumes(corners, middle)
    total = pairwise_sum(volume)
    if not total >= _LEAST:
        raise MeshError(f"the mesh encloses a volume of {total:g} m³")
    centroid = pairwise_sums(volume * (0.75 * centre.T + 0.25 * middle[:, None])) / total
    # About its centre of mass the tetrahedra, and so their sum, differ.
    return _moments(corners, centroid, _volumes(corners, centroid), 20.0)


def exact_volume(vertices: Points, faces: Indices) -> float:
    """The volume by "exact": tetrahedra with signs; NaN where MuJoCo refuses faces that disagree or point inward."""
    corners, area, _, middle = _measured(vertices, faces)
    edges = np.concatenate([faces[area > 0.0][:, [k, (k + 1) % 3]] for k in range(3)]).astype(np.int64)
    if len(np.unique(edges @ np.array([len(vertices), 1]))) < len(edges):
        return np.nan
    a, b, c = corners - middle
    volume = pairwise_sum((a * cross(b, c)).sum(axis=1)) / 6.0
    return volume if volume >= _LEAST else np.nan


def surface_moments(vertices: Points, faces: Indices) -> VolumeMoments:
    """The faces without thickness: its volume is the area (m²), so that densities are in kg/m²."""
    corners, area, _, middle = _measured(vertices, faces)
    return _moments(corners, middle, area, 12.0)


def _measured(vertices: Points, faces: Indices) -> tuple[Points, Points, Points, Points]:
    """The corners (3, m, 3) of the faces, their areas (m,) and centres (m, 3), and the centroid of all (3,)."""
    corners = np.ascontiguousarray(np.asarray(vertices, np.float64)[faces].transpose(1, 0, 2))
    a, b, c = corners
    area, centre = 0.5 * lengths(cross(b - a, c - a)), (a + b + c) / 3.0
    total = pairwise_sum(area)
    if not total >= _LEAST:
        raise MeshError(f"the faces have an area of {total:g} m²")
    return corners, area, centre, pairwise_sums(area * np.ascontiguousarray(centre.T)) / total


def _volumes(corners: Points, apex: Points) -> Points:
    a, b, c = corners - apex
    volumes: Points = np.abs((a * cross(b, c)).sum(axis=1)) / 6.0
    return volumes


def _moments(corners: Points, centroid: Points, weight: Points, divisor: float) -> VolumeMoments:
    products, _ = corner_products(np.ascontiguousarray((corners - centroid).transpose(0, 2, 1)))
    return volume_moments(pairwise_sum(weight), centroid, pairwise_sums(weight * products) / divisor)


# Voxels ---------------------------------------------------------------------------------------------------------------

# Generalized winding numbers (Jacobson et al. 2013, Barill et al. 2018) in an octree askew to the axes: a grid along a
# plate would hold one layer too many or too few.

# Of the area / h² voxels at the surface, 0.3 h³ √(area / h²) at most by measure; a tenth of that where all is flat.
_MIN_NOISE = 0.1
# Faces of voxels that cover the surface: noise of 0.2 % for a plate of 1 : 100.
_DEFAULT_COVER = 4e4
# 1.3 s for a dozen faces, 4 s for thousands, and a sixth of the noise.
_MAX_COVER = 250_000
# Voxels along the mesh: float32, in which libigl computes winding numbers, resolves no more places.
_MAX_ACROSS = 2.0**16
# Cubes at a time: their parts take 25 MB, and sums of products of their coordinates fit 64 bits.
_BATCH = 1 << 17
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.int64)
# From grid to mesh by the quaternion (√7, 1, √2, √3) / √13: no axis or diagonal lies along a short vector of the grid.
_ASKEW = (
    ((7 + 1 - 2 - 3) / 13, 2 * (math.sqrt(2) - math.sqrt(21)) / 13, 2 * (math.sqrt(3) + math.sqrt(14)) / 13),
    (2 * (math.sqrt(2) + math.sqrt(21)) / 13, (7 - 1 + 2 - 3) / 13, 2 * (math.sqrt(6) - math.sqrt(7)) / 13),
    (2 * (math.sqrt(3) - math.sqrt(14)) / 13, 2 * (math.sqrt(6) + math.sqrt(7)) / 13, (7 - 1 - 2 + 3) / 13),
)
# Offsets of the two coarser grids from the middle of the mesh, in voxels, without a common plane.
_COARSE_OFFSETS = ((0.61, 0.27, 0.93), (1.37, 1.79, 0.41))


class _Voxelized(NamedTuple):
    half: Points  # the half sides of the box, (3,)
    distances: Callable[[Points], Points]  # of points (p, 3) from the nearest face, (p,)
    windings: Callable[[Points], Points]  # the size of the winding number about points (p, 3), (p,)
    levels: int  # a cube of 2^levels voxels holds the box


def voxel_moments(vertices: Points, faces: Indices, voxel_size: float | None = None) -> Approximation:
    igl = optional_library("igl", "the method voxel")
    vertices, faces = only_used(vertices, faces)
    if not len(faces):
        raise MeshError("the mesh has no faces")
    size = extent(vertices)
    unit = size * size * size * size * size  # of second moments
    if not math.isfinite(unit):
        raise MeshError(f"the mesh is too large to integrate: {size:.3g} across")
    low, high = bounding_box(vertices)
    middle = low / 2 + high / 2
    scaled = (vertices - middle) / (size or 1.0)
    # Exact: a default made from it is the same everywhere.
    area = math.fsum(lengths(normals(scaled, faces)).tolist()) / 2
    if not area > 0:
        raise MeshError("the mesh encloses nothing: its faces have no area")
    if not unit > 0:
        raise MeshError(f"the mesh is too small to integrate: {size:.3g} across")
    h = _feasible_size(voxel_size, area, size)
    surface = _surface(igl, scaled * (size / h), faces)
    fine = _counted(surface, 0, (0.0, 0.0, 0.0))
    if fine is None:
        raise MeshError(
            f"no voxel of {h:g} lies inside the mesh", remedy="it encloses nothing, or needs smaller voxels"
        )
    coarse = [_counted(surface, 1, offset) for offset in _COARSE_OFFSETS]
    differences = [abs((one.volume if one else 0.0) / fine.volume - 1) for one in coarse]
    uncertainty = max(*differences, _MIN_NOISE * math.sqrt(area) * (size / h) / fine.volume)
    moved = fine.scaled((h, h, h))
    note = f"voxels of {h:.3g} m are used for the mesh, mass uncertain by about {100 * uncertainty:.2g} %"
    return Approximation(volume_moments(moved.volume, moved.centroid + middle, moved.second), uncertainty, note)


def _feasible_size(voxel_size: float | None, area: float, size: float) -> float:
    """The requested voxel size if it is possible, else the default; `area` is that at size 1."""
    least = size * max(math.sqrt(area / _MAX_COVER), 1 / _MAX_ACROSS)
    if voxel_size is None:
        return float(f"{max(size * math.sqrt(area / _DEFAULT_COVER), least):.1e}")
    if not (math.isfinite(voxel_size) and voxel_size > 0):
        raise MeshError(f"the voxel size must be positive and finite, not {voxel_size:g}")
    if voxel_size < least:
        covers = (size / voxel_size) * (size / voxel_size) * area
        count = f"{covers:,.0f}" if covers < 1e15 else f"{covers:.3g}"
        raise MeshError(
            f"voxels of {voxel_size:g} are too many for a mesh {size:.3g} across: {count} would cover its surface, and"
            f" the limit is {size / least * size / least * area:,.0f}",
            remedy=f"choose a voxel size of {least * 1.05:.2g} or more",  # so that the rounded number will do
        )
    return voxel_size


def _surface(igl: Any, vertices: Points, faces: Indices) -> _Voxelized:
    tree, windings = igl.AABB(), igl.FastWindingNumberBVH()
    tree.init(vertices, faces)
    windings.init(vertices, faces)
    half = np.abs(vertices).max(axis=0)
    # The root holds the box however it is turned, and moved by up to two voxels along each axis.
    levels = max(1, math.ceil(math.log2(2 * math.sqrt(float(half @ half)) + 8)))

    return _Voxelized(
        half,
        distances=lambda points: np.sqrt(tree.squared_distance(vertices, faces, points)[0]),
        windings=lambda points: np.abs(windings.winding_number(points)),
        levels=levels,
    )


def _counted(surface: _Voxelized, finest: int, offset: Vector3) -> VolumeMoments | None:
    """The moments, in voxels from the middle of the surface's box, of the cubes inside; None if there are none."""
    total, first, second = 0, [0, 0, 0], [0] * 6
    waiting = [(surface.levels, np.zeros((1, 3), np.int64))]
    while waiting:
        level, centres = waiting.pop()
        if len(centres) > _BATCH:
            waiting.append((level, centres[_BATCH:]))
            centres = centres[:_BATCH]
        inside, split = _sides(surface, rotated(centres / 2 + offset, _ASKEW), level, level == finest)
        if split.any():
            parts = centres[split][:, None, :] + (_CORNERS << (level - 1))
            waiting.append((level - 1, parts.reshape(-1, 3)))
        p = centres[inside]
        volume = 8**level
        total += volume * len(p)
        for i in range(3):
            first[i] += volume * int(p[:, i].sum())
        for k, (i, j) in enumerate(_PAIRS):
            # Thrice, for a row of n points a step s apart has n (n² - 1) s² / 12 of its own about its middle.
            own = len(p) * (4**level - 4**finest) if i == j else 0
            second[k] += volume * (3 * int((p[:, i] * p[:, j]).sum()) + own)
    if not total:
        return None
    x, y, z = (f / (2 * total) + o for f, o in zip(first, offset, strict=True))
    # Quotients of whole numbers: rounded once.
    about = [(second[k] * total - 3 * first[i] * first[j]) / (12 * total) for k, (i, j) in enumerate(_PAIRS)]
    (centroid,) = rotated(np.array([(x, y, z)]), _ASKEW)
    return volume_moments(float(total), centroid, _along_mesh_axes(about))


def _sides(surface: _Voxelized, points: Points, level: int, last: bool) -> tuple[Flags, Flags]:
    """`(inside, split)`: which cubes with these centres are inside as a whole, and which are to be split."""
    margin = np.min(surface.half - np.abs(points), axis=1)
    if last:
        return (surface.windings(points) > 0.5) & (margin > 0), np.zeros(len(points), np.bool_)
    extent = math.sqrt(3) / 2 * 2.0**level
    distance = surface.distances(points)
    apart = (distance > extent) & (margin > -extent)
    winding = np.zeros(len(points))
    winding[apart] = surface.windings(points[apart])
    doubtful = np.abs(winding - 0.5) * distance < 0.5 * extent
    straddling = (winding > 0.5) & (margin < extent)
    split = (distance <= extent) | (apart & (doubtful | straddling))
    return apart & (winding > 0.5) & ~split, split


def _along_mesh_axes(second: list[float]) -> Points:
    xx, yy, zz, xy, xz, yz = second
    matrix = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    places = [(k, m) for k in range(3) for m in range(3)]
    return np.array([math.fsum(_ASKEW[i][k] * matrix[k][m] * _ASKEW[j][m] for k, m in places) for i, j in _PAIRS])


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
    if away.max() > extent(vertices) * _ROUNDING + thickness / 2:
        raise MeshError("the approximation has its centre of mass outside the convex hull of the mesh")
    allowed = moments(vertices, faces).volume + thickness / 2 * float(doubled.sum()) / 2
    # Cells of voxels at the surface reach out of it; on the whole they cancel, to a per cent.
    if found.volume > allowed * 1.01:
        what = f"the approximation has a volume of {found.volume:g} m³, more than the {allowed:g} m³ of the convex hull"
        raise MeshError(what)
