"""Winding numbers of closed surfaces around points: which points lie inside which body."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Flags, Indices, Points, points_spread, rotated

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

    Winding numbers are 1 inside a body whose faces look outward, 0 for pairs that do not appear. `unsure`: the point
    lies on the body or the ray meets an edge. Each point appears in one batch only, in ascending order.

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
        """Yields `(point, begin, end)`, (k,), (r, k), (r, k): where in the grid's order the faces near each point
        are.
        """
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
    """The pairs in which the ray from the point towards +z meets the face, with the sign of the crossing.

    Exchanging the ends of an edge negates the sum of products exactly, so no crossing is lost or counted twice.
    """
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
