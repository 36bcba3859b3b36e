"""How often closed surfaces wind round points: which points lie inside which body."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.surface.topology import Indices

Points = npt.NDArray[np.float64]

# Rays go in a direction that no modeller chose, so that they meet edges and vertices only by chance: the fixed
# rotation is from the quaternion (4, 3, 1, 2) / √30.
_ROTATION = np.array([[20.0, -10.0, 20.0], [22.0, 4.0, -20.0], [4.0, 28.0, 10.0]]) / 30.0
_CONTACT = 1e-9  # a point nearer to a face than this part of the whole size may be on either side of it
_LEVELS = 12  # the finest cells of the grid are 2^-12 of the whole size: finer ones would hold next to nothing
_MOST_CANDIDATES = 1 << 28  # some 20 seconds; 10,000 hollow balls of 200 faces need a quarter of it
_BATCH = 1 << 21  # candidates at a time: some 200 MB of temporaries


def windings(
    vertices: Points, faces: Indices, body: Indices, points: Points, group: int
) -> Iterator[tuple[Indices, Indices, Indices, npt.NDArray[np.bool_]]]:
    """Yields `(point, body, winding, unsure)`, (k,) each, of the pairs in which a ray from the point meets the body.

    The winding number of a closed surface about a point is the sum of the signed crossings of any ray from it: 1
    inside a body whose faces look outward. `unsure` tells that the point lies on the body or the ray meets an edge.
    A pair that does not appear has winding number zero. Each point appears in one batch only, in ascending order.

    Args:
        vertices: (n, 3), of which the size is near 1.
        faces: (m, 3).
        body: (m,) the body of each face, each closed.
        points: (p, 3).
        group: as many points in a row always come in one batch; p is a multiple of it.

    Raises:
        MeshError: more than 2^28 pairs would have to be looked at.

    Candidates come from grids of thirteen sizes in the plane across the rays; a triangle is entered once, in the
    finest grid of which a cell is not smaller than it, so work is near linear however sizes are mixed.
    """
    turned = vertices @ _ROTATION.T
    origins = points @ _ROTATION.T
    grid = _Grid(turned, faces)
    bodies = int(body.max()) + 1
    looked_at = 0
    for some, begin, end in grid.ranges(origins, group):
        looked_at += int((end - begin).sum())
        if looked_at > _MOST_CANDIDATES:
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
    """The triangles by the cell of their lower corner in x and y, each in the level that fits its size."""

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
        """Yields `(point, begin, end)`, (k,), (r, k), (r, k): where in the grid's order to look for each point.

        Groups of points come together, as many at a time as have some two million candidates.
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
        """Yields `(point, triangle)` number pairs, all in which the ray towards +z meets the triangle's box."""
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

    def _cell(self, positions: Points, level: npt.NDArray[np.int64] | np.int64) -> Indices:
        # Points far outside stay just outside, where there are no triangles.
        relative = np.clip((positions - self.origin) / self.extent, -2.0, 2.0)
        cell: Indices = np.floor(relative * np.exp2(level)).astype(np.int64)
        return cell

    def _key(self, level: npt.NDArray[np.int64] | np.int64, x: Indices, y: Indices) -> Indices:
        half = 1 << (_LEVELS + 3)
        key: Indices = (level * 2 * half + y + half) * 2 * half + x + half
        return key


def crossings(
    vertices: Points, faces: Indices, points: Points, point: Indices, face: Indices
) -> tuple[Indices, Indices, Points, npt.NDArray[np.bool_]]:
    """The pairs in which the ray from the point towards +z meets the face, with the sign of the crossing.

    A ray beside an edge passes on the same side of it for both faces there: exchanging the ends negates the sum of
    products exactly, so no crossing is lost or counted twice.
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
