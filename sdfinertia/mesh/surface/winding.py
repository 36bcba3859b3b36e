"""Winding numbers of closed surfaces around points: which points lie inside which body."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Indices, Points, boxes_of_groups, points_spread, rotated

# Rays go in a direction that no modeller chose, so that they meet edges and vertices only by chance: the fixed
# rotation is from the quaternion (4, 3, 1, 2) / √30.
_ROTATION = (np.array([[20.0, -10.0, 20.0], [22.0, 4.0, -20.0], [4.0, 28.0, 10.0]]) / 30.0).tolist()
_CONTACT = 1e-9  # a point nearer to a face than this part of the whole size may be on either side of it
_LEVELS = 12  # the finest cells of the grid are 2^-12 of the whole size: finer ones would hold next to nothing
_MAX_CANDIDATES = 1 << 28  # some 20 seconds; 10,000 hollow balls of 200 faces need a quarter of it
_BATCH = 1 << 21  # candidates at a time: some 200 MB of temporaries


def windings(
    vertices: Points, faces: Indices, body: Indices, points: Points, group: int
) -> Iterator[tuple[Indices, Indices, Indices, npt.NDArray[np.bool_]]]:
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
    looked_at = 0
    for some, begin, end in grid.ranges(origins, group):
        looked_at += int((end - begin).sum())
        if looked_at > _MAX_CANDIDATES:
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
        """Yields `(point, begin, end)`, (k,), (r, k), (r, k): where in the grid's order to look for each point."""
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


Signs = npt.NDArray[np.int64]

_SAMPLES = 8  # points of each body that must all lie inside another: extremes would miss those that cross it
_TOUCH = 1e-9  # of the whole size: a cavity may reach its body's wall, up to rounding
_MAX_PAIRS = 1 << 22  # of a body inside another: some 2,900 shells nested in one another


def settled_signs(vertices: Points, faces: Indices, body: Indices, sign: Signs) -> Signs:
    """The sign of each body once those inside out are flipped: 1 for matter, -1 for a cavity, (b,).

    Outermost bodies hold matter. Below them, a body that looks inward is a cavity where there is matter around it (the
    signs of the bodies about it sum to 1 or more), and else it is flipped, with what is nested in it.

    Args:
        vertices: (n, 3), of size near 1.
        sign: (b,) of the volume of each body as it is; 0 for those without, which are left out.
    """
    if not (sign < 0).any():
        return sign
    if not (sign > 0).any():
        return -sign  # each outermost body is turned with all that is in it, so everything is
    inner, outer = _containments(vertices, faces, body, sign)
    return _flipped_signs(sign, inner, outer)


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


def _containments(vertices: Points, faces: Indices, body: Indices, sign: Signs) -> tuple[Indices, Indices]:
    """`(inner, outer)`: every pair of bodies of which the one lies inside the other."""
    count = len(sign)
    solid = (sign != 0)[body]
    faces, body = faces[solid], body[solid]
    low, high = boxes_of_groups(vertices, faces, body, count)
    present = np.flatnonzero(sign)
    samples = sample_points(vertices, faces, body, count).reshape(count, _SAMPLES, 3)[present]
    # Most bodies are shown to lie in no other by one point; only the others need all of theirs looked at.
    suspect = np.unique(_held(vertices, faces, body, samples[:, :1], low, high, present)[0])
    return _held(vertices, faces, body, samples[np.searchsorted(present, suspect)], low, high, suspect)


def _held(
    vertices: Points, faces: Indices, body: Indices, samples: Points, low: Points, high: Points, inner: Indices
) -> tuple[Indices, Indices]:
    """`(inner, outer)`: the pairs in which all samples (k, s, 3) of a body (k,) and its box lie inside another.

    Not inside if all of several samples are on the other's surface.
    """
    count, each = len(low), samples.shape[1]
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    pairs = 0
    for point, around, winding, unsure in windings(vertices, faces, body, samples.reshape(-1, 3), each):
        within = inner[point // each]
        held = (winding != 0) | unsure
        held &= (low[around] <= low[within] + _TOUCH).all(axis=1) & (high[around] >= high[within] - _TOUCH).all(axis=1)
        held &= within != around
        pair, number = np.unique(within[held] * count + around[held], return_inverse=True)
        number = number.reshape(-1)
        complete = np.bincount(number, minlength=len(pair)) == each
        if each > 1:
            complete &= np.bincount(number, ~unsure[held], len(pair)) > 0
        found.append((pair[complete] // count, pair[complete] % count))
        pairs += int(complete.sum())
        if pairs > _MAX_PAIRS:
            raise MeshError("the mesh has more bodies nested in one another than can be told apart")
    return np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found])


def _flipped_signs(sign: Signs, inner: Indices, outer: Indices) -> Signs:
    """By depth, from the outermost inwards; see `settled_signs`."""
    count = len(sign)
    sign = sign.copy()
    depth = np.bincount(inner, minlength=count)
    levels = int(depth.max()) + 1
    by_depth, level_start = _by_depth(depth, levels)
    as_inner, inner_start = _by_depth(depth[inner], levels)
    as_outer, outer_start = _by_depth(depth[outer], levels)  # bodies that overlap may leave out levels
    for level in range(levels):
        bodies = by_depth[level_start[level] : level_start[level + 1]]
        about = as_inner[inner_start[level] : inner_start[level + 1]]
        matter = np.zeros(count)
        np.add.at(matter, inner[about], sign[outer[about]])
        wrong = np.zeros(count, np.bool_)
        wrong[bodies] = (sign[bodies] < 0) & (matter[bodies] < 1)
        sign[wrong] *= -1
        within = as_outer[outer_start[level] : outer_start[level + 1]]
        np.multiply.at(sign, inner[within], np.where(wrong[outer[within]], -1, 1))
    return sign


def _by_depth(depth: Indices, levels: int) -> tuple[Indices, Indices]:
    """The order that sorts by depth, and where each of the levels, and what follows them, starts in it."""
    order = np.argsort(depth, kind="stable")
    return order, np.searchsorted(depth[order], np.arange(levels + 1))


def points_inside(vertices: Points, faces: Indices, points: Points) -> npt.NDArray[np.bool_]:
    """Whether each point (p, 3) lies inside the closed surface of size near 1, or on it, (p,)."""
    inside = np.zeros(len(points), np.bool_)
    for point, _, winding, unsure in windings(vertices, faces, np.zeros(len(faces), np.int64), points, 1):
        inside[point] = (winding != 0) | unsure
    return inside
