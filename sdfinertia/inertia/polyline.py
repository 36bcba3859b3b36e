"""Mass properties of an extruded profile: SDF's `<polyline>`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from math import isfinite
from operator import itemgetter
from typing import NamedTuple

from sdfinertia.errors import GeometryError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import numbers
from sdfinertia.inertia.solids import VolumeMoments, require_dimensions


def extruded_polyline(loops: Sequence[Sequence[Point]], height: float, density: float) -> SpatialInertia:
    """The solid over the loops from z = 0 to the height; loops combine by the even-odd rule.

    A loop inside a loop is a hole, a loop inside a hole is solid again. Area, first and second moments are exact.

    Args:
        loops: closed polygons, each a row of (x, y) (m), wound either way; repeated points change nothing.
        height: of the extrusion (m).
        density: (kg/m³), zero allowed.

    Raises:
        GeometryError: a number is not finite, a loop has no area, or loops cross themselves or each other.
        InertiaError: the density is negative or not finite.
    """
    density, height = require_dimensions("polyline", density, ("height", height))
    if isinstance(loops, (str, bytes)) or not isinstance(loops, Iterable):
        raise GeometryError(f"polyline loops must be rows of points, not {loops!r}"[:200])
    loops = [_polygon(loop, number) for number, loop in enumerate(loops, start=1)]
    if not loops:
        raise GeometryError("polyline has no points")
    depths = nesting_depths(loops)
    # From here on all is relative to the middle, so that a profile far from its origin loses no digits.
    cx, cy = _middle_of([point for loop in loops for point in loop])
    unit_prism = VolumeMoments(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    # Holes last: a partial sum with more cut away than added has no valid moments.
    for hole in (False, True):
        for loop, depth in zip(loops, depths, strict=True):
            if (depth % 2 == 1) is hole:
                unit_prism += _flat_moments([(x - cx, y - cy) for x, y in loop], -1.0 if hole else 1.0)
    area = unit_prism.volume
    if not area > 0.0:
        raise GeometryError("the holes of the polyline leave nothing of it")
    for axis, values in zip("xy", zip(*(point for loop in loops for point in loop), strict=True), strict=True):
        require_dimensions("polyline", density, (f"extent along {axis}", max(values) - min(values)))
    x, y, _ = unit_prism.centroid
    xx, yy, _, xy, _, _ = unit_prism.second
    zz = area * (height * height * height) / 12.0
    second = (xx * height, yy * height, zz, xy * height, 0.0, 0.0)
    return VolumeMoments(area * height, (x + cx, y + cy, 0.5 * height), second).spatial_inertia(density)


def _polygon(loop: object, number: int) -> list[Point]:
    what = f"a point of loop {number} of the polyline"
    if isinstance(loop, (str, bytes)) or not isinstance(loop, Iterable):
        raise GeometryError(f"loop {number} of the polyline must be a row of points (x, y)")
    points = [(x, y) for x, y in (numbers(point, 2, what, GeometryError) for point in loop)]
    for x, y in points:
        if not (isfinite(x) and isfinite(y)):
            raise GeometryError(f"loop {number} of the polyline has a point that is not finite: ({x!r}, {y!r})")
    different = len(set(points))
    if different < 3:
        s = "" if different == 1 else "s"
        raise GeometryError(f"loop {number} of the polyline has {different} different point{s}, needs 3")
    return points


def _middle_of(points: Sequence[Point]) -> Point:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    # Halved before they are added, so that two of the largest floats have a middle.
    return (0.5 * min(xs) + 0.5 * max(xs), 0.5 * min(ys) + 0.5 * max(ys))


def _flat_moments(polygon: Sequence[Point], sign: float) -> VolumeMoments:
    """Area, centroid and second moments of the polygon as those of a volume without extent along z.

    Source: C. Steger, On the calculation of arbitrary moments of polygons, 1996. The sign is -1 for a hole.
    """
    mx, my = _middle_of(polygon)
    local = [(x - mx, y - my) for x, y in polygon]
    twice = first_x = first_y = 0.0
    for (ax, ay), (bx, by) in pairwise([*local, local[0]]):
        cross = ax * (by - ay) - (bx - ax) * ay
        twice += cross
        first_x += cross * (ax + bx)
        first_y += cross * (ay + by)
    if twice == 0.0:
        raise GeometryError("a loop of the polyline encloses no area")
    gx, gy = first_x / (3.0 * twice), first_y / (3.0 * twice)

    # Again about the centroid, so that nothing is subtracted.
    xx = yy = xy = 0.0
    central = [(x - gx, y - gy) for x, y in local]
    for (ax, ay), (bx, by) in pairwise([*central, central[0]]):
        cross = ax * (by - ay) - (bx - ax) * ay
        xx += cross * (ax * ax + ax * bx + bx * bx)
        yy += cross * (ay * ay + ay * by + by * by)
        xy += cross * (ax * by + 2.0 * ax * ay + 2.0 * bx * by + bx * ay)
    turn = sign if twice > 0.0 else -sign
    second = (turn * xx / 12.0, turn * yy / 12.0, 0.0, turn * xy / 24.0, 0.0, 0.0)
    return VolumeMoments(0.5 * turn * twice, (gx + mx, gy + my, 0.0), second)


Point = tuple[float, float]

# Part of the profile's extent at which points touch: turned coordinates are rounded by some 1e-16 of it.
_TOUCHING = 1e-12

# The rounding of coordinates that are large beside the extent of the profile: 2⁻⁵³, with a margin for interpolation.
_ROUNDING = 2.0**-50

# Steps of the innermost loops, some five seconds; a thousand holes in a plate take a tenth of it.
_MAX_STEPS = 10_000_000


class _Edge(NamedTuple):
    """From its lower to its upper end; not horizontal."""

    y0: float
    x0: float
    y1: float
    x1: float
    loop: int
    # +1 where the loop passes upwards, -1 downwards.
    winding: int
    # |dy| / (|dx| + |dy|): times a horizontal distance, about the distance square to the edge.
    steepness: float

    def x_at(self, y: float) -> float:
        """Exact at its ends."""
        if y <= self.y0:
            return self.x0
        if y >= self.y1:
            return self.x1
        return self.x0 + (self.x1 - self.x0) * ((y - self.y0) / (self.y1 - self.y0))


def nesting_depths(loops: Sequence[Sequence[Point]]) -> list[int]:
    xs = [x for loop in loops for x, _ in loop]
    ys = [y for loop in loops for _, y in loop]
    extent = max(max(xs) - min(xs), max(ys) - min(ys))
    farthest = max(abs(min(xs)), abs(max(xs)), abs(min(ys)), abs(max(ys)))
    tolerance = max(_TOUCHING * extent, _ROUNDING * farthest)
    # A comb is swept along its back: there each step meets few edges.
    across = [[(y, x) for x, y in loop] for loop in loops]
    swapped = _steps(across) < _steps(loops)
    regions = _regions(across if swapped else loops, tolerance, swapped)

    seen = {loop for region in regions for loop in region}
    for loop in range(len(loops)):
        if loop not in seen:
            raise GeometryError(f"loop {loop + 1} of the polyline encloses no area")
    depths = [0] * len(loops)
    _refuse_many(sum(len(region) ** 2 for region in regions))
    shared = {(i, j): where for region, where in regions.items() for i in region for j in region if i < j}
    _refuse_many(len(shared) * len(regions))
    for (i, j), where in sorted(shared.items()):
        i_alone = any(i in region and j not in region for region in regions)
        j_alone = any(j in region and i not in region for region in regions)
        if i_alone and j_alone:
            raise GeometryError(f"loops {i + 1} and {j + 1} of the polyline overlap near {where}")
        if not i_alone and not j_alone:
            raise GeometryError(f"loops {i + 1} and {j + 1} of the polyline enclose the same area")
        depths[j if i_alone else i] += 1
    if not any(len(region) % 2 for region in regions):
        raise GeometryError("the holes of the polyline leave nothing of it")
    return depths


def _regions(loops: Sequence[Sequence[Point]], tolerance: float, swapped: bool) -> dict[frozenset[int], str]:
    """Each set of loops that share an interior point, with a place where they do.

    The plane is cut at the height of every point: inside a slab edges keep their order unless they cross, and the
    winding number of each loop changes only at its edges.
    """
    edges = sorted(_edges(loops), key=itemgetter(0))
    levels = sorted({y for loop in loops for _, y in loop})
    regions: dict[frozenset[int], str] = {}
    direction: dict[int, int] = {}
    active: list[_Edge] = []
    waiting = steps = 0
    for bottom, top in pairwise(levels):
        active = [edge for edge in active if edge.y1 > bottom]
        while waiting < len(edges) and edges[waiting].y0 <= bottom:
            active.append(edges[waiting])
            waiting += 1
        if top - bottom <= tolerance:
            continue
        # An edge takes some four steps beside those over the loops.
        steps += len(active) * (4 + len({edge.loop for edge in active}))
        _refuse_many(steps)
        middle = 0.5 * bottom + 0.5 * top
        row = sorted(((edge.x_at(middle), edge) for edge in active), key=itemgetter(0))
        inside: dict[int, int] = {}
        for (x, left), (next_x, right) in pairwise(row):
            inside[left.loop] = inside.get(left.loop, 0) + left.winding
            steepness = min(left.steepness, right.steepness)
            for y in (bottom, top):
                if (left.x_at(y) - right.x_at(y)) * steepness > tolerance:
                    raise _crossing(left, right, swapped)
            if (next_x - x) * steepness <= tolerance:
                continue
            region = frozenset(loop for loop, winding in inside.items() if winding)
            where = partial(_place, 0.5 * x + 0.5 * next_x, middle, swapped)
            for loop in region:
                if abs(inside[loop]) > 1 or inside[loop] != direction.setdefault(loop, inside[loop]):
                    raise GeometryError(f"loop {loop + 1} of the polyline crosses or overlaps itself near {where()}")
            if region not in regions:
                regions[region] = where()
    return regions


def _refuse_many(steps: int) -> None:
    if steps > _MAX_STEPS:
        raise GeometryError("the polyline has too many points or loops side by side", remedy="simplify it")


def _edges(loops: Sequence[Sequence[Point]]) -> list[_Edge]:
    edges = []
    for loop, points in enumerate(loops):
        for (ax, ay), (bx, by) in pairwise([*points, points[0]]):
            if ay != by:
                steepness = abs(by - ay) / (abs(bx - ax) + abs(by - ay))
                ends = (ay, ax, by, bx) if ay < by else (by, bx, ay, ax)
                edges.append(_Edge(*ends, loop, 1 if ay < by else -1, steepness))
    return edges


def _steps(loops: Sequence[Sequence[Point]]) -> int:
    levels = sorted({y for loop in loops for _, y in loop})
    count = 0
    for points in loops:
        for (_, a), (_, b) in pairwise([*points, points[0]]):
            count += abs(bisect_left(levels, b) - bisect_left(levels, a))
    return count


def _crossing(one: _Edge, other: _Edge, swapped: bool) -> GeometryError:
    segments = " and ".join(
        f"{_place(edge.x0, edge.y0, swapped)} to {_place(edge.x1, edge.y1, swapped)}" for edge in (one, other)
    )
    if one.loop == other.loop:
        return GeometryError(f"loop {one.loop + 1} of the polyline crosses itself: segments {segments}")
    first, second = sorted((one.loop + 1, other.loop + 1))
    return GeometryError(f"loops {first} and {second} of the polyline cross: segments {segments}")


def _place(x: float, y: float, swapped: bool) -> str:
    return f"({y:.6g}, {x:.6g})" if swapped else f"({x:.6g}, {y:.6g})"
