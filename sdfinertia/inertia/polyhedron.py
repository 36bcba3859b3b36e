"""Exact moments of a solid bounded by triangles."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.solids import SecondMoments, VolumeMoments

Positions = npt.NDArray[np.floating[Any]]
Faces = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]

# Faces handled at once: some thirty arrays of this length fit a processor's second-level cache.
_CHUNK = 8192

# Part of the sum of the unsigned tetrahedra below which a volume is rounding (2⁻⁵² times a margin): it is nothing.
_NO_VOLUME = 1e-14
# Above this part it is certainly a body's: real plates and rods have more than a thousandth.
_SURE_VOLUME = 1e-9

# By this factor moving to the centroid may shrink second moments (two bits); beyond it they are summed anew about it.
_LOST = 4.0


def moments(vertices: Positions, faces: Faces | None = None, apex: Vector3 | None = None) -> VolumeMoments:
    """The volume, centroid and second moments enclosed by a closed, consistently wound triangle surface.

    Sums the signed tetrahedra between the faces and the centre of the bounding box, or the centroid: neither distance
    nor thinness costs digits. The volume is positive where faces are counter-clockwise seen from outside. If nothing is
    enclosed, the centroid is the centre of the bounding box. Beyond 1e60 m there are infinities and NaN.

    Source: F. Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor in terms of its vertex coordinates,
    2004: ∫ r rᵀ dV = (a aᵀ + b bᵀ + c cᵀ + s sᵀ) det(a, b, c) / 120, with s = a + b + c and one corner at the origin.

    Args:
        vertices: (n, 3) positions (m), of any precision; all arithmetic is in float64.
        faces: (m, 3) indices into vertices; None where every three vertices are a triangle.
        apex: the point to take all tetrahedra from (m). An open surface then counts as the solid that it makes with the
            cone from its boundary to the apex.
    """
    return _moments(vertices, faces, apex)[0]


def moments_if_solid(vertices: Positions, faces: Faces | None = None) -> VolumeMoments | None:
    """The `moments` where the volume is positive and finite beyond doubt, else None."""
    found, unsigned = _moments(vertices, faces, None)
    # Each comparison is false for NaN.
    if not (
        _SURE_VOLUME * unsigned < found.volume < math.inf and all(0.0 < each < math.inf for each in found.second[:3])
    ):
        return None
    # The tetrahedra of a flat sheet are rounding themselves: only beside its size does its volume show as nothing.
    size = math.sqrt(sum(found.second[:3]) / found.volume)
    return found if found.volume > _SURE_VOLUME * size * size * size else None


def _moments(vertices: Positions, faces: Faces | None, apex: Vector3 | None) -> tuple[VolumeMoments, float]:
    if not (len(vertices) if faces is None else len(faces)):
        return VolumeMoments(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)), 0.0
    with np.errstate(all="ignore"):
        if apex is None:
            used = np.ones(len(vertices), np.bool_) if faces is None else np.zeros(len(vertices), np.bool_)
            if faces is not None:
                used[faces.reshape(-1)] = True
            lower, upper = bounding_box(vertices if used.all() else vertices[used])
            # Halved before they are added, so that two of the largest floats have a middle.
            centre = 0.5 * lower + 0.5 * upper
        else:
            centre = np.array(apex, dtype=np.float64)
        volume, unsigned, first, around = _integrals(vertices, faces, centre, np.zeros(3))
        # Not `volume == 0`: also false for NaN, which then spreads to every result.
        offset = np.zeros(3) if abs(volume) <= _NO_VOLUME * unsigned else first / volume
        second = _moved(around, volume, offset)
        # Not `>`: NaN counts as lost.
        if apex is None and not all(
            abs(far) <= _LOST * abs(near) for far, near in zip(around[:3], second[:3], strict=True)
        ):
            second = _integrals(vertices, faces, centre, offset)[3]
        x, y, z = (centre + offset).tolist()
    return VolumeMoments(volume, (x, y, z), second), unsigned


def _integrals(
    vertices: Positions, faces: Faces | None, centre: Floats, offset: Floats
) -> tuple[float, float, Floats, SecondMoments]:
    sums = []
    for corners, det in _tetrahedra(vertices, faces, centre, offset):
        products, total = corner_products(corners)
        terms = np.empty((11, len(det)))
        terms[0], terms[1] = det, np.abs(det)
        np.multiply(total, det, out=terms[2:5])
        np.multiply(products, det, out=terms[5:])
        sums.append(pairwise_sums(terms))
    volume, unsigned, x, y, z, *second = pairwise_sums(np.array(sums).T).tolist()
    xx, yy, zz, xy, xz, yz = (entry / 120.0 for entry in second)
    return volume / 6.0, unsigned / 6.0, np.array((x, y, z)) / 24.0, (xx, yy, zz, xy, xz, yz)


def _moved(second: SecondMoments, volume: float, offset: Floats) -> SecondMoments:
    dx, dy, dz = offset.tolist()
    xx, yy, zz, xy, xz, yz = second
    return (
        *(xx - volume * (dx * dx), yy - volume * (dy * dy), zz - volume * (dz * dz)),
        *(xy - volume * (dx * dy), xz - volume * (dx * dz), yz - volume * (dy * dz)),
    )


def corner_products(corners: Floats) -> tuple[Floats, Floats]:
    """The sums a aᵀ + b bᵀ + c cᵀ + s sᵀ, (6, k) as xx yy zz xy xz yz, and s = a + b + c, of corners (3, 3, k).

    Times A/12 of a triangle, or det/120 of the tetrahedron over it, these are the integrals of r rᵀ.
    """
    a, b, c = corners
    s = a + b
    s += c
    found = np.empty((6, corners.shape[2]))
    for term, (i, j) in zip(found, ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)), strict=True):
        np.multiply(a[i], a[j], out=term)
        for corner in (b, c, s):
            term += corner[i] * corner[j]
    return found, s


def _tetrahedra(
    vertices: Positions, faces: Faces | None, centre: Floats, offset: Floats
) -> Iterator[tuple[Floats, Floats]]:
    """The tetrahedra between the faces and centre + offset, a chunk at a time.

    Corners (3, 3, k) from the point: corner, axis, face; and their triple products (k,), six times the signed volumes.
    """
    for start in range(0, len(vertices) // 3 if faces is None else len(faces), _CHUNK):
        stop = start + _CHUNK
        if faces is None:
            triangles = vertices[3 * start : 3 * stop].reshape(-1, 3, 3)
        else:
            triangles = vertices.take(faces[start:stop], axis=0)
        corners = np.subtract(triangles.transpose(1, 2, 0), centre[:, np.newaxis], order="C")
        if offset.any():
            # Taken off after the centre: together they could round to the spacing of floats far from zero.
            corners -= offset[:, np.newaxis]
        a, b, c = corners
        u, v = b - a, c - a
        # a · b × c, as a · (b - a) × (c - a): the same, and it cancels less on small faces.
        det = (u[1] * v[2] - u[2] * v[1]) * a[0]
        det += (u[2] * v[0] - u[0] * v[2]) * a[1]
        det += (u[0] * v[1] - u[1] * v[0]) * a[2]
        yield corners, det


def bounding_box(points: npt.NDArray[np.floating[Any]]) -> tuple[Floats, Floats]:
    """`(lower, upper)` corner of the box about points (n, 3), n > 0; NaN where a coordinate is NaN."""
    columns = [points[:, axis] for axis in range(3)]
    return np.array([x.min() for x in columns], np.float64), np.array([x.max() for x in columns], np.float64)


def pairwise_sum(values: Floats) -> float:
    """The sum of a (k,) array by folding halves: `values.sum()` groups terms differently in each numpy version."""
    return float(pairwise_sums(values[np.newaxis])[0])


def pairwise_sums(values: Floats) -> Floats:
    """The `pairwise_sum` of each row of a (q, k) array, (q,)."""
    if not values.shape[1]:
        return np.zeros(len(values))
    while (length := values.shape[1]) > 1:
        half = length // 2
        folded = values[:, :half] + values[:, half : 2 * half]
        if length % 2:
            folded[:, 0] += values[:, -1]
        values = folded
    return values[:, 0]
