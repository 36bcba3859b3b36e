"""Winding numbers of closed surfaces: which bodies lie in which, and whether a surface crosses itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.mesh.kernel import Flags, Indices, Points, chunks, cross, lengths, ranges
from sdfinertia.mesh.topology import diagonal

# Rays go along (1, -0.38, -0.27), nearly, which no modeller chose, so that they meet edges and vertices only by chance.
_SHEAR = (0.3819660112501051, 0.2720196495140689)
_CONTACT = 1e-9  # a point nearer to a face than this part of the whole size may be on either side of it
_MAX_PAIRS = 1 << 28  # of a ray and a face beside it that are tested: some 20 seconds
_BATCH = 1 << 21  # pairs at a time: some 200 MB of temporaries
_MAX_MET = 1 << 24  # crossings of rays and bodies: some 4,000 shells nested in one another, and 0.5 GB


def windings(
    vertices: Points, faces: Indices, body: Indices, points: Points
) -> tuple[Indices, Indices, Indices, Flags]:
    """`(point, body, winding, unsure)`, (k,) each: winding numbers of closed bodies about points (p, 3)."""
    found = crossings(vertices, faces, points, _MAX_PAIRS)
    if found is None:
        raise MeshError("the mesh has too many bodies, made of too long triangles, to tell which is inside which")
    point, face, sign, unsure = found
    bodies = int(body.max()) + 1
    pair, number = np.unique(point * bodies + body[face], return_inverse=True)
    winding = np.rint(np.bincount(number, sign, len(pair))).astype(np.int64)
    return pair // bodies, pair % bodies, winding, np.bincount(number, unsure, len(pair)) > 0


def crossings(
    vertices: Points, faces: Indices, points: Points, maximum: int
) -> tuple[Indices, Indices, Points, Flags] | None:
    """`(point, face, sign, unsure)`, (k,) each, of the faces that rays from the points (p, 3) cross.

    None where more pairs than the maximum would have to be tested.
    """
    rays, sheared = _sheared(points), _sheared(vertices)
    by_y = np.argsort(rays[0], kind="stable")
    rank_in_z = np.empty(len(points), np.int64)
    rank_in_z[np.argsort(rays[1], kind="stable")] = np.arange(len(points))
    # How many rays lie below each vertex; both numbers in one, so that each corner takes one lookup.
    bits = 31
    below = np.searchsorted(np.sort(rays[0]), sheared[0]) << bits
    below += np.searchsorted(np.sort(rays[1]), sheared[1])
    near = [(np.zeros(0, np.int64),) * 5]
    tested = 0
    for part in chunks(len(faces)):
        a, b, c = (below.take(faces[part, corner]) for corner in range(3))
        at = np.flatnonzero((a != b) | (b != c))
        ranks = np.stack((a[at], b[at], c[at]))
        of_y, of_z = ranks >> bits, ranks & ((1 << bits) - 1)
        first, last = of_y.min(axis=0), of_y.max(axis=0)
        lower, upper = of_z.min(axis=0), of_z.max(axis=0)
        meets = np.flatnonzero((first < last) & (lower < upper))
        count = (last - first)[meets]
        tested += int(count.sum())
        if tested > maximum:
            return None
        near.append((part.start + at[meets], first[meets], count, lower[meets], upper[meets]))
    face, first, count, lower, upper = (np.concatenate(column) for column in zip(*near, strict=True))
    found = [(face[:0], face[:0], np.zeros(0), np.zeros(0, np.bool_))]
    met = 0
    for some in np.split(np.arange(len(face)), np.flatnonzero(np.diff(np.cumsum(count) // _BATCH)) + 1):
        which = np.repeat(some, count[some])
        ray = by_y[ranges(first[some], count[some])]
        rank = rank_in_z[ray]
        within = np.flatnonzero((rank >= lower[which]) & (rank < upper[which]))
        ray, which = ray[within], face[which[within]]
        corners = sheared.take(faces[which].T, axis=1) - rays.take(ray, axis=1)[:, None]
        kept, sign, unsure = _crossed(corners)
        found.append((ray[kept], which[kept], sign, unsure))
        met += len(kept)
        if met > _MAX_MET:
            raise MeshError("the mesh has more bodies nested in one another than can be told apart")
    rays_met, faces_met, signs, are_unsure = (np.concatenate(column) for column in zip(*found, strict=True))
    return rays_met, faces_met, signs, are_unsure


def _crossed(corners: Points) -> tuple[Indices, Points, Flags]:
    """Which triangles (axis, corner, k) the ray from the origin towards +z crosses, and the sign of the crossing."""
    x, y, z = corners
    across = np.stack([x[i] * y[j] - y[i] * x[j] for i, j in ((1, 2), (2, 0), (0, 1))])
    kept = np.flatnonzero((across >= 0).all(axis=0) | (across <= 0).all(axis=0))
    weights, heights = across[:, kept], z[:, kept]
    total = weights.sum(axis=0)
    height = (weights * heights).sum(axis=0) / np.where(total == 0, 1.0, total)
    # Each weight carries the rounding of two products, and the height that of the weights; 1e-15 is some 4 units.
    extent = np.abs(corners[:, :, kept]).max(axis=(0, 1), initial=0.0)
    blur = np.minimum(1.0, 1e-15 * extent**2 / np.maximum(np.abs(total), 1e-300))
    doubt = _CONTACT + np.ptp(heights, axis=0) * blur
    unsure = (weights == 0).any(axis=0) | (np.abs(height) <= doubt)
    counted = unsure | (height > 0)
    sign = np.where(height > 0, np.sign(total), 0.0)
    return kept[counted], sign[counted], unsure[counted]


def _sheared(points: Points) -> Points:
    """The coordinates (3, k) of points (k, 3), the third along the rays; volumes are kept."""
    x, y, z = points.T
    return np.stack((y + _SHEAR[0] * x, z + _SHEAR[1] * x, x))


def _points_spread(corners: Points, number: Indices) -> Points:
    """A point inside each triangle (k, 3, 3), (k, 3), at the place of that number, (k,)."""
    s, t = (0.5 + number * 0.7548776662466927) % 1.0, (0.5 + number * 0.5698402909980532) % 1.0
    s, t = np.where(s + t > 1, 1 - s, s), np.where(s + t > 1, 1 - t, t)
    weights = np.stack((1 - s - t, s, t), axis=1) * 0.9 + 0.1 / 3
    points: Points = (weights[:, :, None] * corners).sum(axis=1)
    return points


SAMPLES = 8  # points of each body that must all lie inside another: extremes would miss those that cross it


def sample_points(vertices: Points, faces: Indices, group: Indices, count: int) -> Points:
    """Eight points on the faces of each group, (count * 8, 3); NaN for a group without faces."""
    by_group = np.argsort(group, kind="stable")
    start = np.searchsorted(group[by_group], np.arange(count + 1))
    size = np.diff(start)
    k = np.arange(SAMPLES)
    face = start[:-1, None] + k * size[:, None] // SAMPLES
    chosen = by_group[np.minimum(face, len(faces) - 1).reshape(-1)]
    points = _points_spread(vertices[faces[chosen]], np.tile(k, count))
    points[np.repeat(size == 0, SAMPLES)] = np.nan
    return points


def points_inside(vertices: Points, faces: Indices, points: Points) -> Flags:
    point, _, winding, unsure = windings(vertices, faces, np.zeros(len(faces), np.int64), points)
    inside = np.zeros(len(points), np.bool_)
    inside[point] = (winding != 0) | unsure
    return inside


# Samples beside faces -------------------------------------------------------------------------------------------------

_PLACES = 192  # samples, for equal parts of the area: they meet a fold of half a per cent of the area
# Faces among which samples are spread by area; of larger meshes these are taken at equal distances in the file.
_LISTED = 1 << 12
# Tested pairs: ten milliseconds, and at most a twentieth of the other work on a large mesh.
_FEW_PAIRS, _PAIRS_A_FACE, _PAIRS_IF_THOROUGH = 1 << 18, 4, 1 << 26
_LEVEL = 1e-3  # of its area that a face must show to the rays: smaller parts do not determine its side


class SampledWindings(NamedTuple):
    """Winding numbers of a closed surface beside its faces, by samples: 0 and 1 where it does not cross itself."""

    least: int  # below 0 the surface bounds a place from inside
    least_at: Vector3  # in the frame of the mesh
    greatest: int  # above 1 the place counts as often
    greatest_at: Vector3

    @property
    def notes(self) -> tuple[str, ...]:
        if self.greatest < 2:
            return ()
        where = _place(self.greatest_at)
        return (f"solids overlap near {where}: the shared volume counts {_times(self.greatest)}",)

    def require_positive(self) -> None:
        if self.least < 0:
            raise MeshError(
                f"the surface crosses itself near {_place(self.least_at)}: volume would be subtracted there",
                remedy="repair it in a modelling program, or choose the method voxel or convex_hull",
            )

    def require_single(self) -> None:
        if self.greatest > 1:
            raise MeshError(
                f"a body of the mesh crosses itself near {_place(self.greatest_at)}, which no union of bodies "
                f"resolves: volume counts {_times(self.greatest)} there",
                remedy="repair it in a modelling program, or choose the method voxel, which counts every place once",
            )


def _place(at: Vector3) -> str:
    return f"({at[0]:.6g}, {at[1]:.6g}, {at[2]:.6g})"


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def sampled_windings(vertices: Points, faces: Indices, *, thorough: bool = False) -> SampledWindings | None:
    """The winding numbers on both sides of places spread over the faces by area, always the same; None if costly."""
    low, high = bounding_box(vertices)
    size = diagonal(low, high)
    scaled = vertices - (low / 2 + high / 2)
    scaled /= size
    listed = np.arange(len(faces)) if len(faces) <= _LISTED else np.arange(_LISTED) * len(faces) // _LISTED
    corners = scaled.take(faces[listed], axis=0)
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.cumsum(lengths(normal))
    at = np.searchsorted(area, (np.arange(_PLACES) + 0.5) / _PLACES * area[-1])
    chosen = listed[np.minimum(at, len(listed) - 1)]
    maximum = _PAIRS_IF_THOROUGH if thorough else max(_FEW_PAIRS, _PAIRS_A_FACE * len(faces))
    points = _points_spread(scaled[faces[chosen]], np.arange(_PLACES))
    found = crossings(scaled, faces, points, maximum)
    if found is None:
        return None
    point, crossed, sign, unsure = found
    others = crossed != chosen[point]
    above = np.rint(np.bincount(point[others], sign[others], _PLACES)).astype(np.int64)
    turned = _sheared(scaled[faces[chosen]].reshape(-1, 3)).T.reshape(-1, 3, 3)
    normal = cross(turned[:, 1] - turned[:, 0], turned[:, 2] - turned[:, 0])
    known = np.bincount(point[others], unsure[others], _PLACES) == 0
    known &= np.abs(normal[:, 2]) > _LEVEL * lengths(normal)
    # A ray from the outer side that goes against the normal crosses the face itself, from outside to inside.
    outer = np.where(known, above - (normal[:, 2] < 0), 0)
    least, greatest = int(outer.argmin()), int(outer.argmax())
    places = _points_spread(vertices[faces[chosen]], np.arange(_PLACES))
    (x, y, z), (u, v, w) = places[least].tolist(), places[greatest].tolist()
    return SampledWindings(int(outer[least]), (x, y, z), int(outer[greatest]) + 1, (u, v, w))
