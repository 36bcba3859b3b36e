"""Which loops of a profile lie inside which, and whether they cross.

The even-odd rule is plain as long as loops do not cross. What is allowed, since areas and moments by Green's theorem
are exact for it:

* a loop goes round its inside exactly once, in either direction. It may touch itself at points or along edges (a slit
  that leads to a hole, there and back);
* of any two loops either one lies inside the other or they share no area. They may touch at points or along edges.

All else is refused: what the author of such a profile meant cannot be known.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter

from sdfinertia.errors import GeometryError
from sdfinertia.named_tuple import NamedTuple

Point = tuple[float, float]

# What lies nearer together than this part of the profile's extent counts as touching: coordinates of turned or shifted
# profiles are rounded by some 1e-16 of it, and what is neglected is far below the digits anyone writes.
_TOUCHING = 1e-12

# The rounding of coordinates that are large beside the extent of the profile: 2⁻⁵³, with a margin for interpolation.
_ROUNDING = 2.0**-50

# Steps of the innermost loops that a profile may take, some five seconds. A thousand holes in a plate take a tenth of
# it; only a profile made to hurt, whose every slab meets most of its edges, takes more.
_MOST_STEPS = 10_000_000


class _Edge(NamedTuple):
    """An edge that is not horizontal, from its lower to its upper end."""

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
        """The x of the edge at a height within its own, exact at its ends."""
        if y <= self.y0:
            return self.x0
        if y >= self.y1:
            return self.x1
        return self.x0 + (self.x1 - self.x0) * ((y - self.y0) / (self.y1 - self.y0))


def nesting_depths(loops: Sequence[Sequence[Point]]) -> list[int]:
    """For each loop the number of loops that it lies inside of; odd ones are holes.

    Args:
        loops: polygons, each a row of (x, y) (m); sides without length change nothing.

    Raises:
        GeometryError: a loop encloses nothing, crosses itself or another, or equals another; holes leave nothing; or
            there are too many loops or points side by side to tell in bounded time.
    """
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
    _refuse_endless(sum(len(region) ** 2 for region in regions))
    shared = {(i, j): where for region, where in regions.items() for i in region for j in region if i < j}
    _refuse_endless(len(shared) * len(regions))
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
    """Each set of loops that some part of the plane lies inside of, with a place where that is so.

    The plane is cut at the height of every point. Inside such a slab edges keep their order from left to right, unless
    they cross; and the winding number of each loop changes only at its edges.
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
        _refuse_endless(steps)
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
            for loop in region:
                if abs(inside[loop]) > 1 or inside[loop] != direction.setdefault(loop, inside[loop]):
                    where = _place(0.5 * x + 0.5 * next_x, middle, swapped)
                    raise GeometryError(f"loop {loop + 1} of the polyline crosses or overlaps itself near {where}")
            if region not in regions:
                regions[region] = _place(0.5 * x + 0.5 * next_x, middle, swapped)
    return regions


def _refuse_endless(steps: int) -> None:
    if steps > _MOST_STEPS:
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
    """How many times the sweep along y would meet an edge."""
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
