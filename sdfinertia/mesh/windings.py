"""Winding numbers of closed surfaces: which bodies lie in which, whether a surface crosses itself, which overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.mesh.kernel import Flags, Indices, Points, cross, lengths, points_spread, ranges, rotated
from sdfinertia.mesh.topology import diagonal, signed_volumes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.inertia.rigid_transform import Vector3

# Rays go in a direction that no modeller chose, so that they meet edges and vertices only by chance: the fixed
# rotation is from the quaternion (4, 3, 1, 2) / √30.
_ROTATION = (np.array([[20.0, -10.0, 20.0], [22.0, 4.0, -20.0], [4.0, 28.0, 10.0]]) / 30.0).tolist()
_CONTACT = 1e-9  # a point nearer to a face than this part of the whole size may be on either side of it
_LEVELS = 12  # the finest cells of the grid are 2^-12 of the whole size: finer ones would hold next to nothing
_MAX_CANDIDATES = 1 << 28  # some 20 seconds; 10,000 hollow balls of 200 faces need a quarter of it
_BATCH = 1 << 21  # candidates at a time: some 200 MB of temporaries


def windings(
    vertices: Points, faces: Indices, body: Indices, points: Points, group: int
) -> Iterator[tuple[Indices, Indices, Indices, Flags]]:
    """Yields `(point, body, winding, unsure)`, (k,) each, of the pairs in which a ray from the point meets the body.

    Args:
        vertices: (n, 3), of size near 1.
        body: (m,) the body of each face, each closed.
    """
    turned, origins = rotated(vertices, _ROTATION), rotated(points, _ROTATION)
    grid = _Grid(turned, faces)
    bodies = int(body.max()) + 1
    tested = 0
    for some, begin, end in grid.ranges(origins, group):
        tested += int((end - begin).sum())
        if tested > _MAX_CANDIDATES:
            raise MeshError("the mesh has too many bodies, made of too long triangles, to tell which is inside which")
        found = [crossings(turned, faces, origins, *batch) for batch in grid.candidates(origins, some, begin, end)]
        point, face, sign, unsure = (np.concatenate(column) for column in zip(*found, strict=True))
        pair, number = np.unique(point * bodies + body[face], return_inverse=True)
        number = number.reshape(-1)
        yield (
            pair // bodies,
            pair % bodies,
            np.rint(np.bincount(number, sign, len(pair))).astype(np.int64),
            np.bincount(number, unsure, len(pair)) > 0,
        )


class _Grid:
    """The triangles by the cell of their lower corner, in the finest of thirteen grids whose cells are not smaller."""

    def __init__(self, vertices: Points, faces: Indices) -> None:
        a, b, c = (vertices[faces[:, corner]] for corner in range(3))
        low, high = np.minimum(np.minimum(a, b), c)[:, :2], np.maximum(np.maximum(a, b), c)
        self.origin = low.min(axis=0)
        self.extent = float((high[:, :2].max(axis=0) - self.origin).max()) * (1 + 1e-9)
        with np.errstate(divide="ignore"):
            finest = np.floor(-np.log2((high[:, :2] - low).max(axis=1) / self.extent))
        level = np.clip(finest, 0, _LEVELS).astype(np.int64)
        self.levels = np.unique(level)
        cell = self._cell(low, level[:, None])
        keys = self._key(level, cell[:, 0], cell[:, 1])
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]
        # Column by column in the order of the keys, since candidates come in ranges of it; a face that ends at the
        # very height of a point may touch it.
        self.low = np.ascontiguousarray(low[self.order].T)
        self.high = np.ascontiguousarray((high[self.order] + (0.0, 0.0, _CONTACT)).T)

    def ranges(self, points: Points, group: int) -> Iterator[tuple[Indices, Indices, Indices]]:
        """Yields `(point, begin, end)`, (k,), (r, k), (r, k): where in the order of the grid faces near a point are."""
        for first in range(0, len(points), 512 * group):
            some = np.arange(first, min(first + 512 * group, len(points)))
            begin, end = [], []
            for level in self.levels:
                cell = self._cell(points[some, :2], level)
                for y in (cell[:, 1] - 1, cell[:, 1]):
                    begin.append(np.searchsorted(self.keys, self._key(level, cell[:, 0] - 1, y), "left"))
                    end.append(np.searchsorted(self.keys, self._key(level, cell[:, 0], y), "right"))
            begins, ends = np.stack(begin), np.stack(end)
            together = np.cumsum((ends - begins).sum(axis=0).reshape(-1, group).sum(axis=1)) // _BATCH
            cuts = (np.flatnonzero(np.diff(together)) + 1) * group
            for part in np.split(np.arange(len(some)), cuts):
                yield some[part], begins[:, part], ends[:, part]

    def candidates(
        self, points: Points, some: Indices, begins: Indices, ends: Indices
    ) -> Iterator[tuple[Indices, Indices]]:
        """Yields `(point, triangle)` pairs in which the ray towards +z meets the triangle's box."""
        none = np.zeros(0, np.int64)
        yield none, none
        for begin, end in zip(begins, ends, strict=True):
            total = np.concatenate(([0], np.cumsum(end - begin)))
            for first in range(0, int(total[-1]), _BATCH):
                flat = np.arange(first, min(first + _BATCH, int(total[-1])))
                row = np.searchsorted(total, flat, "right") - 1
                place, point = begin[row] + flat - total[row], some[row]
                for axis in (2, 0, 1):
                    met = self.high[axis, place] >= points[point, axis]
                    if axis < 2:
                        met &= self.low[axis, place] <= points[point, axis]
                    place, point = place[met], point[met]
                yield point, self.order[place]

    def _cell(self, positions: Points, level: Indices | np.int64) -> Indices:
        # Points far outside stay just outside, where there are no triangles.
        relative = np.clip((positions - self.origin) / self.extent, -2.0, 2.0)
        cell: Indices = np.floor(relative * np.exp2(level)).astype(np.int64)
        return cell

    def _key(self, level: Indices | np.int64, x: Indices, y: Indices) -> Indices:
        half = 1 << (_LEVELS + 3)
        key: Indices = (level * 2 * half + y + half) * 2 * half + x + half
        return key


def crossings(
    vertices: Points, faces: Indices, points: Points, point: Indices, face: Indices
) -> tuple[Indices, Indices, Points, Flags]:
    """The pairs in which the ray from the point towards +z meets the face, with the sign of the crossing."""
    p = points[point]
    a, b, c = (vertices[faces[face, corner]] - p for corner in range(3))
    across_a = b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]
    across_b = c[:, 0] * a[:, 1] - c[:, 1] * a[:, 0]
    across_c = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    inside = ((across_a >= 0) & (across_b >= 0) & (across_c >= 0)) | (
        (across_a <= 0) & (across_b <= 0) & (across_c <= 0)
    )
    kept = np.flatnonzero(inside)
    a, b, c = a[kept], b[kept], c[kept]
    weights = np.stack((across_a[kept], across_b[kept], across_c[kept]), axis=1)
    of_a, of_b, of_c = a[:, 2], b[:, 2], c[:, 2]
    heights = np.stack((of_a, of_b, of_c), axis=1)
    height_range = np.maximum(np.maximum(of_a, of_b), of_c) - np.minimum(np.minimum(of_a, of_b), of_c)
    total = weights.sum(axis=1)
    on_edge = (weights == 0).any(axis=1)
    height = (weights * heights).sum(axis=1) / np.where(total == 0, 1.0, total)
    # Each weight carries the rounding of two products, and the height that of the weights; 1e-15 is some 4 units.
    x, y, z = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c)).T
    extent = np.maximum(np.maximum(x, y), z)
    blur = np.minimum(1.0, 1e-15 * extent**2 / np.maximum(np.abs(total), 1e-300))
    doubt = _CONTACT + height_range * blur
    unsure = (on_edge) | (np.abs(height) <= doubt)
    counted = unsure | (height > 0)
    sign = np.where(height > 0, np.sign(total), 0.0)
    return point[kept][counted], face[kept][counted], sign[counted], unsure[counted]


_SAMPLES = 8  # points of each body that must all lie inside another: extremes would miss those that cross it


def sample_points(vertices: Points, faces: Indices, group: Indices, count: int) -> Points:
    """Eight points on the faces of each group, (count * 8, 3); NaN for a group without faces."""
    by_group = np.argsort(group, kind="stable")
    start = np.searchsorted(group[by_group], np.arange(count + 1))
    size = np.diff(start)
    k = np.arange(_SAMPLES)
    face = start[:-1, None] + k * size[:, None] // _SAMPLES
    chosen = by_group[np.minimum(face, len(faces) - 1).reshape(-1)]
    points = points_spread(vertices[faces[chosen]], np.tile(k, count))
    points[np.repeat(size == 0, _SAMPLES)] = np.nan
    return points


def points_inside(vertices: Points, faces: Indices, points: Points) -> Flags:
    """Whether each point (p, 3) lies inside the closed surface of size near 1, or on it, (p,)."""
    inside = np.zeros(len(points), np.bool_)
    for point, _, winding, unsure in windings(vertices, faces, np.zeros(len(faces), np.int64), points, 1):
        inside[point] = (winding != 0) | unsure
    return inside


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
    """The winding numbers on both sides of places spread over the faces by area, always the same."""
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


_SAMPLED_GROUPS = 4096  # of faces, eight points each: enough to meet overlaps of a per cent, few enough to be quick
_MANY = 128  # bodies from which on each group has two points: there are groups enough
_NO_VOLUME = 1e-12  # part of area times size: the overlaps of a body as thin weigh nothing
# Pairs of a point and a body round it that are tested: half a second. Where n bodies nest in one another there are
# n for each point, and n² in all.
_MAX_MET = 1 << 17


def overlapping_bodies(
    vertices: Points, faces: Indices, body: Indices, bodies: int
) -> tuple[int | None, tuple[str, ...]]:
    """`(count, notes)`: how many bodies have a point of their surface in others; None if it cannot be found."""
    if bodies < 2:
        return 0, ()
    low, high = bounding_box(vertices)
    scaled = (vertices - (low / 2 + high / 2)) / diagonal(low, high)
    volume, area = signed_volumes(scaled, faces, body, int(body.max()) + 1)
    samples, owner = _samples_of_groups(scaled, faces, body, volume > _NO_VOLUME * area)
    each = samples.shape[1]
    inside = np.zeros(len(samples) * each, np.int64)
    met, done = 0, len(samples)
    try:
        for point, around, winding, unsure in windings(scaled, faces, body, samples.reshape(-1, 3), each):
            # A sum over the other bodies: in the hollow of one there is no matter.
            other = around != owner[point // each]
            np.add.at(inside, point[other], np.where(unsure, -len(volume), winding)[other])
            met += len(point)
            if met >= _MAX_MET:
                done = int(point[-1]) // each + 1
                break
    except MeshError as error:
        return None, (f"overlaps were not looked for: {error.problem}",)
    count = len(np.unique(owner[(inside.reshape(-1, each) > 0).any(axis=1)]))
    missing = len(np.unique(owner)) - len(np.unique(owner[:done]))
    if missing:
        return count, (f"overlaps were not looked for on {missing:,} nested bodies",)
    return count, ()


def _samples_of_groups(vertices: Points, faces: Indices, body: Indices, matter: Flags) -> tuple[Points, Indices]:
    """`(points, owner)`: points on each group of faces of bodies of matter, (g, 8 or 2, 3), and its body, (g,)."""
    # Runs of neighbouring faces of one body: large bodies are sampled in more places.
    by_body = np.argsort(body, kind="stable")
    run = np.arange(len(faces)) // -(-len(faces) // _SAMPLED_GROUPS)
    first = np.diff(body[by_body], prepend=-1) != 0
    new = first | (np.diff(run, prepend=-1) != 0)
    group = np.empty(len(faces), np.int64)
    group[by_body] = np.cumsum(new) - 1
    owner = body[by_body[new]]
    points = sample_points(vertices, faces, group, len(owner)).reshape(len(owner), -1, 3)
    at = np.arange(len(owner))
    turn = at - np.maximum.accumulate(np.where(first[new], at, 0))
    order = np.argsort(turn, kind="stable")
    order = order[matter[owner[order]]]
    return points[order, : 2 if matter.sum() > _MANY else None], owner[order]
