"""Which bodies are cavities and which are inside out, from how they lie inside one another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.surface.topology import Indices
from sdfinertia.mesh.surface.winding import windings

Points = npt.NDArray[np.float64]
Signs = npt.NDArray[np.int64]

_SAMPLES = 8  # points of each body that must all lie inside another: extremes would miss those that cross it
_TOUCH = 1e-9  # of the whole size: a cavity may reach its body's wall, up to rounding
_MOST_PAIRS = 1 << 22  # of a body inside another: some 2,900 shells nested in one another


def settled_signs(vertices: Points, faces: Indices, body: Indices, sign: Signs) -> Signs:
    """The sign of each body once those inside out are turned round: 1 for matter, -1 for a cavity, (b,).

    Outermost bodies hold matter. Below them, a body that looks inward is a cavity where there is matter round it
    (the signs of the bodies about it sum to 1 or more), and else it is inside out. One that is turned takes along
    what is nested in it.

    Args:
        vertices: (n, 3), of which the size is near 1.
        faces: (m, 3).
        body: (m,) the body of each face, each closed.
        sign: (b,) of the volume of each body as it is; 0 for those without, which are left out.

    Raises:
        MeshError: more than 2^22 pairs of bodies lie inside one another.
    """
    if not (sign < 0).any():
        return sign
    if not (sign > 0).any():
        return -sign  # each outermost body is turned with all that is in it, so everything is
    inner, outer = _containments(vertices, faces, body, sign)
    return _turned(sign, inner, outer)


def sample_points(vertices: Points, faces: Indices, group: Indices, count: int) -> Points:
    """Points on the faces of each group, (count * 8, 3), eight per group in order; NaN for a group without faces.

    They lie spread over the group's faces at fixed places that are no midpoints, so that no symmetry of a design puts
    a ray from them through its edges.

    Args:
        vertices: (n, 3).
        faces: (m, 3).
        group: (m,) the group of each face.
        count: how many groups.
    """
    by_group = np.argsort(group, kind="stable")
    start = np.searchsorted(group[by_group], np.arange(count + 1))
    size = np.diff(start)
    k = np.arange(_SAMPLES)
    face = start[:-1, None] + k * size[:, None] // _SAMPLES
    chosen = by_group[np.minimum(face, len(faces) - 1).reshape(-1)]
    # A golden-ratio sequence in the triangle (Roberts 2018) scatters points of one face evenly.
    s, t = np.modf(0.5 + k * 0.7548776662466927)[0], np.modf(0.5 + k * 0.5698402909980532)[0]
    s, t = np.where(s + t > 1, 1 - s, s), np.where(s + t > 1, 1 - t, t)
    weights = np.tile(np.stack((1 - s - t, s, t), axis=1) * 0.9 + 0.1 / 3, (count, 1))
    points: Points = np.einsum("pi,pij->pj", weights, vertices[faces[chosen]])
    points[np.repeat(size == 0, _SAMPLES)] = np.nan
    return points


def _containments(vertices: Points, faces: Indices, body: Indices, sign: Signs) -> tuple[Indices, Indices]:
    """`(inner, outer)`: every pair of bodies of which the one lies inside the other."""
    count = len(sign)
    solid = (sign != 0)[body]
    faces, body = faces[solid], body[solid]
    low, high = _boxes(vertices, faces, body, count)
    present = np.flatnonzero(sign)
    samples = sample_points(vertices, faces, body, count).reshape(count, _SAMPLES, 3)[present]
    # Most bodies are shown to lie in no other by one point; only the others need all of theirs looked at.
    suspect = np.unique(_held(vertices, faces, body, samples[:, :1], low, high, present)[0])
    return _held(vertices, faces, body, samples[np.searchsorted(present, suspect)], low, high, suspect)


def _held(
    vertices: Points, faces: Indices, body: Indices, samples: Points, low: Points, high: Points, inner: Indices
) -> tuple[Indices, Indices]:
    """`(inner, outer)`: the pairs in which all samples (k, s, 3) of a body (k,) and its box lie inside another.

    Samples on the other's surface do not count, unless all of several do: then it is not inside.
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
        if pairs > _MOST_PAIRS:
            raise MeshError("the mesh has more bodies nested in one another than can be told apart")
    return np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found])


def _boxes(vertices: Points, faces: Indices, body: Indices, count: int) -> tuple[Points, Points]:
    """The lower and upper corner of the box about each body, (count, 3) each."""
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    by_body = np.argsort(body, kind="stable")
    present, start = np.unique(body[by_body], return_index=True)
    corners = vertices[faces[by_body]]
    low[present] = np.minimum.reduceat(corners.min(axis=1), start)
    high[present] = np.maximum.reduceat(corners.max(axis=1), start)
    return low, high


def _turned(sign: Signs, inner: Indices, outer: Indices) -> Signs:
    """The signs after going through the bodies from the outermost inwards; see `settled_signs`."""
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
    """Whether each point (p, 3) lies inside the closed surface or so near it that it cannot be told, (p,).

    Args:
        vertices: (n, 3), of which the size is near 1.
        faces: (m, 3), closed.
        points: (p, 3).
    """
    inside = np.zeros(len(points), np.bool_)
    for point, _, winding, unsure in windings(vertices, faces, np.zeros(len(faces), np.int64), points, 1):
        inside[point] = (winding != 0) | unsure
    return inside
