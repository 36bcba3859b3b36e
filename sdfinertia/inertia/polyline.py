"""Mass properties of an extruded profile: SDF's `<polyline>`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite

from sdfinertia.errors import GeometryError
from sdfinertia.inertia.loop_nesting import Point, nesting_depths
from sdfinertia.inertia.solids import require_density, require_dimension
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.named_tuple import NamedTuple


class _Bounds(NamedTuple):
    low_x: float
    high_x: float
    low_y: float
    high_y: float

    @property
    def middle(self) -> Point:
        # Halved before they are added, so that two of the largest floats have a middle.
        return (0.5 * self.low_x + 0.5 * self.high_x, 0.5 * self.low_y + 0.5 * self.high_y)


def extruded_polyline(loops: Sequence[Sequence[Point]], height: float, density: float) -> SpatialInertia:
    """The solid over the loops from z = 0 to the height; loops combine by the even-odd rule.

    A loop inside a loop is a hole, a loop inside a hole is solid again; what loops may touch is said in `loop_nesting`.
    Area, first and second moments are exact.

    Args:
        loops: closed polygons, each a row of (x, y) (m), wound either way. A point may repeat the one before it, and
            the last the first: sides without length change nothing.
        height: of the extrusion (m).
        density: (kg/m³), zero allowed.

    Raises:
        GeometryError: the height is not positive and finite, a coordinate is not finite, a loop has fewer than three
            different points or no area, or loops cross themselves or each other.
        InertiaError: the density is negative or not finite.
    """
    require_dimension("polyline", "height", height)
    require_density(density)
    if not loops:
        raise GeometryError("polyline has no points")
    for number, loop in enumerate(loops, start=1):
        _require_polygon(loop, number)
    depths = nesting_depths(loops)
    # From here on all is relative to the middle, so that a profile far from its origin loses no digits.
    cx, cy = _bounds([point for loop in loops for point in loop]).middle
    unit_prism = VolumeMoments(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    # Holes last, since moments cannot be held while what is there and what is cut away cancel.
    for hole in (False, True):
        for loop, depth in zip(loops, depths, strict=True):
            if (depth % 2 == 1) is hole:
                unit_prism += _flat_moments([(x - cx, y - cy) for x, y in loop], -1.0 if hole else 1.0)
    area = unit_prism.volume
    if not area > 0.0:
        raise GeometryError("the holes of the polyline leave nothing of it")
    x, y, _ = unit_prism.centroid
    xx, yy, _, xy, _, _ = unit_prism.second
    zz = area * (height * height * height) / 12.0
    second = (xx * height, yy * height, zz, xy * height, 0.0, 0.0)
    return VolumeMoments(area * height, (x + cx, y + cy, 0.5 * height), second).spatial_inertia(density)


def _require_polygon(loop: Sequence[Point], number: int) -> None:
    """Nothing, if the points of a loop are finite and three of them differ."""
    for x, y in loop:
        if not (isfinite(x) and isfinite(y)):
            raise GeometryError(f"loop {number} of the polyline has a point that is not finite: ({x!r}, {y!r})")
    different = len(set(loop))
    if different < 3:
        raise GeometryError(
            f"loop {number} of the polyline has {different} different point{'' if different == 1 else 's'}, needs 3"
        )


def _bounds(points: Sequence[Point]) -> _Bounds:
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    return _Bounds(min(xs), max(xs), min(ys), max(ys))


def _flat_moments(polygon: Sequence[Point], sign: float) -> VolumeMoments:
    """Area, centroid and second moments of the polygon as those of a volume without extent along z.

    By Green's theorem, about the centroid (C. Steger, On the calculation of arbitrary moments of polygons, 1996). The
    direction it is wound in does not matter; the sign says whether it is cut away.
    """
    mx, my = _bounds(polygon).middle
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

    # Once more about the centroid, which leaves nothing to subtract.
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
