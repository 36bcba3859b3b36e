"""Bodies that fill the same place: parts of an assembly that stand in the file twice, cut into other triangles."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.surface.topology import Flags, Indices

Points = npt.NDArray[np.float64]

# Of the size of the whole: coordinates of one place that were computed in two ways differ by about this (see
# `surface_repair.NEAR`).
_NEAR = 1e-7
# The axes, the diagonals of faces and those of the cube, whose extents tell apart what bounds and moments do not: two
# tetrahedra in one cube.
_DIRECTIONS = np.array(
    [
        *[(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1)],
        *[(1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1)],
    ],
    np.float64,
)
_BOXES = 64  # the widest of them are looked at for what two sides of one body may lie in
_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def surplus_bodies(vertices: Points, faces: Indices, body: Indices, sign: Indices, area: Points) -> Flags:
    """Which bodies fill the same place as another that counts, (b,).

    Bodies coincide where their extents in thirteen directions, volume, centroid and second moments are equal up to
    what a shift of the surface by 1e-7 of the whole size would change. Of those with one sign the first counts. One
    that looks outward and one that looks inward are the two sides of one body, the outward one counts; but where they
    may lie in another body they are a cavity and what fills it, and both count.

    Args:
        vertices: (n, 3), of which the size is near 1.
        faces: (m, 3).
        body: (m,) the body of each face, each closed.
        sign: (b,) of the volume of each body; those with 0 are left out.
        area: (b,) of the surface of each body.

    The time grows as b log b, and with the faces of bodies of equal bounds.
    """
    count = len(sign)
    surplus = np.zeros(count, np.bool_)
    if count < 2:
        return surplus
    by_body = np.argsort(body, kind="stable")
    start = np.searchsorted(body[by_body], np.arange(count))
    group = np.where(sign != 0, 0, np.arange(1, count + 1))
    corners = vertices[faces[by_body]]
    lows = np.minimum.reduceat(corners.min(axis=1), start)
    highs = np.maximum.reduceat(corners.max(axis=1), start)
    for bounds in (*lows.T, *highs.T):
        group = _parted(group, bounds, np.full(count, _NEAR))
    alike = np.bincount(group)[group] > 1
    if not alike.any():
        return surplus
    at = np.flatnonzero(alike)
    chosen = alike[body[by_body]]
    corners, number = corners[chosen], np.searchsorted(at, body[by_body][chosen])
    part = group[at]
    for direction in _DIRECTIONS[3:]:
        along = (corners * direction).sum(axis=2)
        begin = np.searchsorted(number, np.arange(len(at)))
        reach = np.full(len(at), 2 * _NEAR)
        part = _parted(part, np.minimum.reduceat(along.min(axis=1), begin), reach)
        part = _parted(part, np.maximum.reduceat(along.max(axis=1), begin), reach)
    for moment in _moments(corners, number, len(at)):
        part = _parted(part, moment * sign[at], _NEAR * area[at])
    order = np.lexsort((at, -sign[at], part))
    same = part[order[1:]] == part[order[:-1]]
    again = np.zeros(len(at), np.bool_)
    again[order[1:]] = same & ((sign[at][order[1:]] == sign[at][order[:-1]]) | ~_in_a_box(lows, highs, at)[order[1:]])
    surplus[at[again]] = True
    return surplus


def _in_a_box(low: Points, high: Points, at: Indices) -> Flags:
    """Whether the box about each of those bodies lies in a larger one, (k,); of the (b, 3) boxes of all bodies."""
    held = np.zeros(len(at), np.bool_)
    widest = np.argsort(-(high - low).max(axis=1), kind="stable")[:_BOXES]
    for other in widest.tolist():
        within = ((low[other] <= low[at] + _NEAR) & (high[other] >= high[at] - _NEAR)).all(axis=1)
        held |= within & ((high[other] - low[other]) > (high[at] - low[at]) + _NEAR).any(axis=1)
    return held


def _parted(group: Indices, values: Points, tolerance: Points) -> Indices:
    """The groups (k,) parted where their values, in ascending order, leave a gap above the tolerance of the upper."""
    order = np.lexsort((values, group))
    new = np.zeros(len(order), np.int64)
    new[1:] = (np.diff(group[order]) != 0) | ~(np.diff(values[order]) <= tolerance[order[1:]])
    parted = np.empty(len(order), np.int64)
    parted[order] = np.cumsum(new)
    return parted


def _moments(corners: Points, number: Indices, count: int) -> list[Points]:
    """Volume, first and second moments of bodies about the origin, ten of (count,) each.

    Args:
        corners: (m, 3, 3) of each face.
        number: (m,) of its body, ascending.

    Formula: see `polyhedron.moments`.
    """
    a, b, c = corners.transpose(1, 2, 0)
    det = sum(
        a[i] * ((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]))
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    )
    s = a + b + c
    terms = [det / 6, *(det * s[i] / 24 for i in range(3))]
    terms += [det / 120 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]) for i, j in _ENTRIES]
    return [np.asarray(np.bincount(number, term, count), np.float64) for term in terms]
