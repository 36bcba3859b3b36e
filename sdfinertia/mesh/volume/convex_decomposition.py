"""A solid as the sum of convex hulls, as simulators take it for collisions."""

from __future__ import annotations

import math
from functools import reduce
from operator import add

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.mesh.optional_library import optional_library
from sdfinertia.mesh.surface.repaired_surface import extent, only_used
from sdfinertia.mesh.surface.topology import Indices
from sdfinertia.mesh.volume.convex_hull import convex_hull

Points = npt.NDArray[np.float64]

# Of <convex_decomposition> in SDFormat 1.11, mesh_shape.sdf.
MAX_CONVEX_HULLS = 16
VOXEL_RESOLUTION = 200_000
# Ten times more, and V-HACD needs 3 GiB and most of a minute for a torus.
_MOST_VOXELS = 1_000_000
_MOST_HULLS = 1 << 16  # V-HACD parts a mesh ten times in two: it never makes more than 1024


def decomposition_moments(
    vertices: Points, faces: Indices, max_convex_hulls: int | None = None, voxel_resolution: int | None = None
) -> tuple[VolumeMoments, int]:
    """`(moments, hulls)`: the summed exact moments of the hulls of a convex decomposition, and how many there are.

    Hollows are filled, as they are where V-HACD makes collision shapes. A surface that is not closed comes out as
    its walls, a voxel thick.

    Args:
        vertices: (n, 3), any unit.
        faces: (m, 3).
        max_convex_hulls: at most so many hulls; 16 by default.
        voxel_resolution: how many voxels the bounding box is cut into; 200,000 by default, of which V-HACD
            takes at least 10,000.

    Raises:
        MeshError: a setting is out of range, the vertices lie in one plane or are not finite, or vhacdx is not
            installed.

    Source: V-HACD 4 (Khaled Mamou), run in one thread so that the result is always the same.
    """
    hulls = MAX_CONVEX_HULLS if max_convex_hulls is None else max_convex_hulls
    resolution = VOXEL_RESOLUTION if voxel_resolution is None else voxel_resolution
    if not 1 <= hulls <= _MOST_HULLS:
        raise MeshError(f"max_convex_hulls must be from 1 to {_MOST_HULLS:,}, not {hulls:,}")
    if not 1 <= resolution <= _MOST_VOXELS:
        raise MeshError(f"voxel_resolution must be from 1 to {_MOST_VOXELS:,}, not {resolution:,}")
    # Called directly: trimesh, which wraps it too, only passes the arguments on, and takes half a second to load.
    vhacdx = optional_library("vhacdx", "the convex decomposition")
    vertices, faces = only_used(vertices, faces)
    if len(faces) < 4:
        raise MeshError("the mesh has fewer than four faces: it encloses no volume")
    convex_hull(vertices)  # V-HACD gives even a flat surface a thickness, and no error
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle = low / 2 + high / 2
    # A power of two: no digit is lost.
    size = 2.0 ** math.ceil(math.log2(extent(vertices)))
    counted = np.column_stack((np.full(len(faces), 3), faces)).astype(np.uint32)
    pieces = vhacdx.compute_vhacd(
        np.ascontiguousarray((vertices - middle) / size),
        np.ascontiguousarray(counted.reshape(-1)),
        maxConvexHulls=hulls,
        resolution=resolution,
        asyncACD=False,
    )
    parts = [part for corners, _ in pieces if (part := _hull_moments(corners)) is not None]
    if not parts:
        raise MeshError("the convex decomposition is empty: the mesh encloses no volume that its voxels could tell")
    total = reduce(add, parts).scaled((size, size, size))
    x, y, z = (total.centroid + middle).tolist()
    return VolumeMoments(total.volume, (x, y, z), total.second), len(parts)


def _hull_moments(corners: Points) -> VolumeMoments | None:
    """The moments of the hull of the points (k, 3); None of those in one plane, as splinters are."""
    try:
        return moments(*convex_hull(corners))
    except MeshError:
        return None
