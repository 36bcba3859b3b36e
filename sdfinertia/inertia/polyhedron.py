"""Exact moments of a solid bounded by triangles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from sdfinertia.inertia.pairwise_sum import pairwise_sum as _pairwise_sum
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.volume_moments import VolumeMoments

# Faces handled at once: some ten arrays of this length fit a processor's cache, whatever the size of the mesh.
_CHUNK = 65536

# A volume below this part of the sum of the unsigned tetrahedra is rounding (2⁻⁵² times a margin): the surface
# encloses nothing, and dividing by it would throw the centroid anywhere.
_NO_VOLUME = 1e-14


def moments(
    vertices: npt.NDArray[np.float64], faces: npt.NDArray[np.integer[Any]], apex: Vector3 | None = None
) -> VolumeMoments:
    """The volume, centroid and second moments enclosed by a closed, consistently wound triangle surface.

    The signed tetrahedra between each face and one point are summed (divergence theorem), first from the centre of the
    bounding box, then, for the second moments, from the centroid: neither a mesh far from its origin nor a thin plate
    loses digits. The volume is positive where faces are counter-clockwise seen from outside. A surface that encloses
    nothing has the centre of its bounding box as centroid. Coordinates beyond 1e60 can give infinities and NaN.

    A surface that is not closed has no volume of its own. With an apex the result is that of the solid it makes
    together with the cone from its boundary to the apex.

    Formulas: F. Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor in terms of its vertex
    coordinates, 2004: ∫ r rᵀ dV = (a aᵀ + b bᵀ + c cᵀ + s sᵀ) det(a, b, c) / 120, with s = a + b + c and one corner at
    the origin.

    Args:
        vertices: (n, 3) positions (m).
        faces: (m, 3) indices into vertices.
        apex: the point to take all tetrahedra from (m), in place of those above.
    """
    if len(faces) == 0:
        return VolumeMoments(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    with np.errstate(all="ignore"):
        used = np.zeros(len(vertices), dtype=bool)
        used[faces.reshape(-1)] = True
        corners = vertices[used]
        # Halved before they are added, so that two of the largest floats have a middle.
        middle = 0.5 * corners.min(axis=0) + 0.5 * corners.max(axis=0)
        centre = middle if apex is None else np.array(apex, dtype=np.float64)
        volume, unsigned, first = _volume_and_first(vertices, faces, centre)
        # Not `volume == 0`: also false for NaN, which then stands in every result.
        offset = np.zeros(3) if abs(volume) <= _NO_VOLUME * unsigned else first / volume
        if apex is None:
            second = _second(vertices, faces, centre, offset)
        else:
            dx, dy, dz = offset.tolist()
            xx, yy, zz, xy, xz, yz = _second(vertices, faces, centre, np.zeros(3))
            second = (
                *(xx - volume * (dx * dx), yy - volume * (dy * dy), zz - volume * (dz * dz)),
                *(xy - volume * (dx * dy), xz - volume * (dx * dz), yz - volume * (dy * dz)),
            )
        x, y, z = (centre + offset).tolist()
    return VolumeMoments(volume, (x, y, z), second)


def _volume_and_first(
    vertices: npt.NDArray[np.float64], faces: npt.NDArray[np.integer[Any]], centre: npt.NDArray[np.float64]
) -> tuple[float, float, npt.NDArray[np.float64]]:
    """Signed volume, sum of the unsigned tetrahedra, and integral of r dV, all about the centre."""
    volume = unsigned = 0.0
    first = np.zeros(3)
    for a, b, c in _corner_chunks(vertices, faces, centre):
        det = _determinants(a, b, c)
        volume += _pairwise_sum(det)
        unsigned += _pairwise_sum(np.abs(det))
        first += [_pairwise_sum(det * (a[i] + b[i] + c[i])) for i in range(3)]
    return volume / 6.0, unsigned / 6.0, first / 24.0


def _second(
    vertices: npt.NDArray[np.float64],
    faces: npt.NDArray[np.integer[Any]],
    centre: npt.NDArray[np.float64],
    offset: npt.NDArray[np.float64],
) -> tuple[float, float, float, float, float, float]:
    """Integrals of (x x, y y, z z, x y, x z, y z) dV about the point centre + offset."""
    total = [0.0] * 6
    for a, b, c in _corner_chunks(vertices, faces, centre):
        # The offset is taken off after the centre: together they could round to the spacing of floats far from zero.
        for corner in (a, b, c):
            corner -= offset[:, np.newaxis]
        det = _determinants(a, b, c)
        s = a + b + c
        for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
            total[k] += _pairwise_sum(det * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]))
    xx, yy, zz, xy, xz, yz = (value / 120.0 for value in total)
    return (xx, yy, zz, xy, xz, yz)


def _corner_chunks(
    vertices: npt.NDArray[np.float64], faces: npt.NDArray[np.integer[Any]], centre: npt.NDArray[np.float64]
) -> Iterator[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    """The three corners of the faces from the centre, each (3, k) with contiguous rows."""
    for start in range(0, len(faces), _CHUNK):
        chunk = faces[start : start + _CHUNK]
        a, b, c = (np.ascontiguousarray((vertices[chunk[:, corner]] - centre).T) for corner in range(3))
        yield a, b, c


def _determinants(
    a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], c: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The triple products a · b × c, as a · (b - a) × (c - a): the same, and it cancels less on small faces."""
    u, v = b - a, c - a
    determinants: npt.NDArray[np.float64] = (
        a[0] * (u[1] * v[2] - u[2] * v[1]) + a[1] * (u[2] * v[0] - u[0] * v[2]) + a[2] * (u[0] * v[1] - u[1] * v[0])
    )
    return determinants
