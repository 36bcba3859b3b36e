"""Whether a closed surface crosses itself: winding numbers on both sides of sampled places on its faces."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.mesh.kernel import Indices, Points, cross, lengths, points_spread, ranges
from sdfinertia.mesh.surface.topology import diagonal
from sdfinertia.mesh.surface.winding import crossings

# Samples, for equal parts of the area: they meet a fold of half a per cent of the area.
_PLACES = 192
# Faces among which samples are spread by area; of larger meshes these are taken at equal distances in the file.
_LISTED = 1 << 12
# Rays go along (1, -0.38, -0.27), nearly, which no modeller chose, so that they meet edges and vertices only by chance.
_SHEAR = (0.3819660112501051, 0.2720196495140689)
_CHUNK = 1 << 14  # faces at a time: their temporaries stay in a processor's cache
# Tested pairs of a ray and a face beside it: some ten milliseconds of a run that takes three hundred, and at most a
# twentieth of the other work on a large mesh. Only meshes of very many long faces have more.
_MAX_PAIRS = 1 << 18
_MAX_PAIRS_A_FACE = 4
_MAX_PAIRS_IF_THOROUGH = 1 << 26
_LEVEL = 1e-3  # of its area that a face must show to the rays: smaller parts do not determine its side


class SampledWindings(NamedTuple):
    """Winding numbers of a closed surface beside its faces, by samples: 0 and 1 where it does not cross itself.

    Attributes:
        least: below 0 the surface bounds a place from inside.
        least_at, greatest_at: where, in the frame of the mesh.
        greatest: above 1 the place counts as often.
    """

    least: int
    least_at: Vector3
    greatest: int
    greatest_at: Vector3

    @property
    def notes(self) -> tuple[str, ...]:
        if self.greatest < 2:
            return ()
        x, y, z = self.greatest_at
        return (f"solids overlap near ({x:.6g}, {y:.6g}, {z:.6g}): the shared volume counts {_times(self.greatest)}",)

    def require_positive(self) -> None:
        if self.least < 0:
            x, y, z = self.least_at
            raise MeshError(
                f"the surface crosses itself near ({x:.6g}, {y:.6g}, {z:.6g}): volume would be subtracted there",
                remedy="repair it in a modelling program, or choose the method voxel or convex_hull",
            )

    def require_single(self) -> None:
        if self.greatest > 1:
            x, y, z = self.greatest_at
            raise MeshError(
                f"a body of the mesh crosses itself near ({x:.6g}, {y:.6g}, {z:.6g}), which no union of bodies "
                f"resolves: volume counts {_times(self.greatest)} there",
                remedy="repair it in a modelling program, or choose the method voxel, which counts every place once",
            )


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


_UNCROSSED = SampledWindings(0, (0.0, 0.0, 0.0), 1, (0.0, 0.0, 0.0))


def sampled_windings(vertices: Points, faces: Indices, *, thorough: bool = False) -> SampledWindings | None:
    """The winding numbers on both sides of places spread over the faces by area, always the same.

    The outer number sums the signed crossings of a ray with all other faces. None if many long faces would take too
    long. Faces whose corners lie between the same rays meet none: a third of the time of the grid of `windings`.
    """
    low, high = bounding_box(vertices)
    size = diagonal(low, high)
    middle = low / 2 + high / 2
    chosen = _chosen_by_area(vertices, faces, size)
    triangles = vertices[faces[chosen]]
    places = points_spread(triangles, np.arange(_PLACES))
    turned = _sheared((triangles.reshape(-1, 3) - middle) / size).reshape(-1, 3, 3)
    rays = _sheared((places - middle) / size)
    y, z = ((vertices[:, axis] - middle[axis] + _SHEAR[axis - 1] * (vertices[:, 0] - middle[0])) for axis in (1, 2))
    maximum = _MAX_PAIRS_IF_THOROUGH if thorough else max(_MAX_PAIRS, _MAX_PAIRS_A_FACE * len(faces))
    near = _near_pairs(y / size, z / size, faces, rays, maximum)
    if near is None:
        return None
    ray, face = near
    at, local = np.unique(face, return_inverse=True)
    near_corners = _sheared((vertices[faces[at]].reshape(-1, 3) - middle) / size)
    soup = np.arange(len(near_corners)).reshape(-1, 3)
    point, crossed, sign, unsure = crossings(near_corners, soup, rays, ray, local.reshape(-1))
    own = at[crossed] == chosen[point]
    above = np.rint(np.bincount(point[~own], sign[~own], len(rays))).astype(np.int64)
    known = np.bincount(point[~own], unsure[~own], len(rays)) == 0
    normal = cross(turned[:, 1] - turned[:, 0], turned[:, 2] - turned[:, 0])
    known &= np.abs(normal[:, 2]) > _LEVEL * lengths(normal)
    if not known.any():
        return _UNCROSSED
    # A ray from the outer side that goes against the normal crosses the face itself, from outside to inside.
    outer = np.where(known, above - (normal[:, 2] < 0), 0)
    least, greatest = int(outer.argmin()), int(outer.argmax())
    (x, y_, z_), (u, v, w) = places[least].tolist(), places[greatest].tolist()
    return SampledWindings(int(outer[least]), (x, y_, z_), int(outer[greatest]) + 1, (u, v, w))


def _chosen_by_area(vertices: Points, faces: Indices, size: float) -> Indices:
    """The numbers of faces by their share of the area, (_PLACES,)."""
    listed = np.arange(len(faces)) if len(faces) <= _LISTED else np.arange(_LISTED) * len(faces) // _LISTED
    corners = vertices[faces[listed]]
    normal = cross((corners[:, 1] - corners[:, 0]) / size, (corners[:, 2] - corners[:, 0]) / size)
    area = np.cumsum(lengths(normal))
    place = np.searchsorted(area, (np.arange(_PLACES) + 0.5) / _PLACES * area[-1])
    chosen: Indices = listed[np.minimum(place, len(listed) - 1)]
    return chosen


def _sheared(points: Points) -> Points:
    """The points (k, 3) with the third coordinate along the rays; volumes are kept."""
    x, y, z = points.T
    return np.stack((y + _SHEAR[0] * x, z + _SHEAR[1] * x, x), axis=1)


def _near_pairs(y: Points, z: Points, faces: Indices, rays: Points, maximum: int) -> tuple[Indices, Indices] | None:
    """`(ray, face)`: every pair in which the ray meets the face's box across the rays, (k,) each; None if too many."""
    by_y = np.argsort(rays[:, 0], kind="stable")
    rank_in_z = np.empty(len(rays), np.int64)
    rank_in_z[np.argsort(rays[:, 1], kind="stable")] = np.arange(len(rays))
    # How many rays lie below each vertex; both numbers in one, so that each corner takes one lookup.
    below = np.searchsorted(np.sort(rays[:, 0]), y).astype(np.int32)
    below <<= 16
    below += np.searchsorted(np.sort(rays[:, 1]), z).astype(np.int32)
    found: list[tuple[Indices, Indices]] = []
    tested = 0
    for start in range(0, len(faces), _CHUNK):
        a, b, c = (below.take(faces[start : start + _CHUNK, corner]) for corner in range(3))
        at = np.flatnonzero((a != b) | (b != c))
        ranks = np.stack((a[at], b[at], c[at]))
        of_y, of_z = ranks >> 16, ranks & 0xFFFF
        first, last = of_y.min(axis=0), of_y.max(axis=0)
        lower, upper = of_z.min(axis=0), of_z.max(axis=0)
        meets = np.flatnonzero((first < last) & (lower < upper))
        if not len(meets):
            continue
        count = (last - first)[meets].astype(np.int64)
        tested += int(count.sum())
        if tested > maximum:
            return None
        which = np.repeat(meets, count)
        ray = by_y[ranges(first[meets], count)]
        rank = rank_in_z[ray]
        within = (rank >= lower[which]) & (rank < upper[which])
        found.append((ray[within], start + at[which[within]]))
    none = np.zeros(0, np.int64)
    rays_met, faces_met = zip(*found, strict=True) if found else ((none,), (none,))
    return np.concatenate(rays_met), np.concatenate(faces_met)
