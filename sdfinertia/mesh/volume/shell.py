"""The moments of a thin wall of which a mesh is the mid-surface."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import pairwise_sum
from sdfinertia.inertia.spatial_inertia import SecondMoments, VolumeMoments
from sdfinertia.mesh.arrays.distinct_rows import distinct_rows
from sdfinertia.mesh.surface.topology import Indices

Points = npt.NDArray[np.float64]

_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def shell_moments(vertices: Points, faces: Indices, thickness: float) -> VolumeMoments:
    """The volume, centroid and second moments of a wall that reaches half its thickness to either side of the faces.

    Each face stands for the right prism over it: with area A, unit normal n and S the integral of r rᵀ over the face,
    the volume is t A and the second moments are t S + t³/12 A n nᵀ. So a flat plate is exact; on a curved wall the
    prisms overlap inside as much as they gape outside, to the order (t/r)². Faces on the same three vertices, however
    wound, are one wall. Windings, holes and crossings of walls make no difference.

    Formula: ∫ r rᵀ dA = A/12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), with s = a + b + c, for a triangle with the corners a, b, c
    (the products of its barycentric coordinates integrate to A/12, the squares to A/6).

    Args:
        vertices: (n, 3) positions (m), no two equal.
        faces: (m, 3), in any winding.
        thickness: of the wall (m).

    Raises:
        MeshError: the thickness is not a positive number, or the faces have no area.
    """
    if not (math.isfinite(thickness) and thickness > 0.0):
        raise MeshError(f"the thickness of a shell is {thickness:g} m, not a positive number")
    with np.errstate(all="ignore"):
        corners = vertices[_each_once(faces)].transpose(1, 2, 0)  # corner, axis, face
        if corners.size == 0:
            raise MeshError("the mesh has no faces")
        low, high = corners.min(axis=(0, 2)), corners.max(axis=(0, 2))
        centre = low / 2 + high / 2
        a, b, c = (np.ascontiguousarray(corner) - centre[:, None] for corner in corners)
        normal = _halved_cross(b - a, c - a)
        area = np.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
        total = pairwise_sum(area)
        if not (math.isfinite(total) and total > 0.0):
            raise MeshError(f"the faces have an area of {total:g} m²: no shell stands on them")
        middle = np.array([pairwise_sum(area * (a[i] + b[i] + c[i])) for i in range(3)]) / (3.0 * total)
        # From the centroid, so that nothing of a wall far from its origin cancels.
        a, b, c = (corner - middle[:, None] for corner in (a, b, c))
        s = a + b + c
        unit = normal / np.where(area > 0, area, 1.0)
        wall = thickness * thickness * thickness / 12.0
        second = [
            thickness / 12.0 * pairwise_sum(area * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]))
            + wall * pairwise_sum(area * unit[i] * unit[j])
            for i, j in _ENTRIES
        ]
        x, y, z = (centre + middle).tolist()
    xx, yy, zz, xy, xz, yz = second
    entries: SecondMoments = (xx, yy, zz, xy, xz, yz)
    return VolumeMoments(thickness * total, (x, y, z), entries)


def _each_once(faces: Indices) -> Indices:
    """The faces (m, 3) without those on three vertices that a face before them has, whichever way round."""
    first, _ = distinct_rows(np.sort(np.asarray(faces, dtype=np.int64), axis=1).view(np.uint64))
    return faces[first]


def _halved_cross(u: Points, v: Points) -> Points:
    """Half the vector products of the columns of two (3, k) arrays."""
    return 0.5 * np.stack((u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]))
