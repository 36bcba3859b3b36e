"""The moments of a solid counted in voxels, by winding numbers, which need no closed surface."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.solids import SecondMoments, VolumeMoments
from sdfinertia.mesh.kernel import Flags, Indices, Points, lengths, normals, only_used, rotated
from sdfinertia.mesh.method import optional_library
from sdfinertia.mesh.topology import extent

if TYPE_CHECKING:
    from collections.abc import Callable

    from sdfinertia.inertia.rigid_transform import Vector3

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))

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


class VoxelSolid(NamedTuple):
    moments: VolumeMoments  # of all voxels whose centre is inside
    voxel_size: float  # their edge
    uncertainty: float  # relative, of the volume

    @property
    def note(self) -> str:
        uncertain = f"mass uncertain by about {100 * self.uncertainty:.2g} %"
        return f"voxels of {self.voxel_size:.3g} m are used for the mesh, {uncertain}"


class _Voxelized(NamedTuple):
    half: Points  # the half sides of the box, (3,)
    distances: Callable[[Points], Points]  # of points (p, 3) from the nearest face, (p,)
    windings: Callable[[Points], Points]  # the size of the winding number about points (p, 3), (p,)
    levels: int  # a cube of 2^levels voxels holds the box


def voxel_moments(vertices: Points, faces: Indices, voxel_size: float | None = None) -> VoxelSolid:
    igl = optional_library("igl", "the method voxel")
    vertices, faces = only_used(vertices, faces)
    if not len(faces):
        raise MeshError("the mesh has no faces")
    size = extent(vertices)
    unit = size * size * size * size * size  # of second moments
    if not math.isfinite(unit):
        raise MeshError(f"the mesh is too large to integrate: {size:.3g} across")
    low, high = vertices.min(axis=0), vertices.max(axis=0)
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
    noise = _MIN_NOISE * math.sqrt(area) * (size / h) / fine.volume
    moved = fine.scaled((h, h, h))
    x, y, z = (moved.centroid + middle).tolist()
    return VoxelSolid(VolumeMoments(moved.volume, (x, y, z), moved.second), h, max(*differences, noise))


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

    def distances(points: Points) -> Points:
        squares: Points = tree.squared_distance(vertices, faces, points)[0]
        return np.sqrt(squares)

    def sizes(points: Points) -> Points:
        numbers: Points = windings.winding_number(points)
        return np.abs(numbers)

    return _Voxelized(half, distances, sizes, levels)


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
    ((cx, cy, cz),) = rotated(np.array([(x, y, z)]), _ASKEW).tolist()
    return VolumeMoments(float(total), (cx, cy, cz), _along_mesh_axes(about))


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


def _along_mesh_axes(second: list[float]) -> SecondMoments:
    xx, yy, zz, xy, xz, yz = second
    matrix = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    a, b, c, d, e, f = (
        math.fsum(_ASKEW[i][k] * matrix[k][m] * _ASKEW[j][m] for k in range(3) for m in range(3)) for i, j in _PAIRS
    )
    return a, b, c, d, e, f
