"""Draws what becomes of a mesh that is not closed: sections through a long part whose lid is missing.

The section of a prism is a polygon, so that each policy is here what it is in space: its hull, its winding number, its
walls. `python docs/hooks/pictures.py` writes docs/pictures/open_meshes.svg; a
test holds it to this.
"""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Point = tuple[float, float]

PICTURE = Path(__file__).parents[1] / "pictures" / "open_meshes.svg"
# The section, in metres, from one side of the missing lid round to the other; the origin of the mesh lies at (0, 0).
SECTION: tuple[Point, ...] = ((0.6, 2.7), (0.6, 0.4), (3.8, 0.4), (3.8, 1.5), (2.2, 1.5), (2.2, 2.7))
THICKNESS = 0.16
VOXEL = 0.21

_SCALE, _WIDTH, _HEIGHT = 44.0, 4.4, 3.5
_PANEL = (_WIDTH * _SCALE, _HEIGHT * _SCALE + 22)
_MATTER, _LINE, _PAPER = "#b0bec5", "#263238", "#ffffff"


def picture() -> str:
    """The panels as one SVG."""
    panels = (
        ("error: refused, open at the red", _opening()),
        ("fill_holes", _polygon(SECTION, _MATTER)),
        ("convex_hull", _polygon(hull(SECTION), _MATTER)),
        (f"voxel, {VOXEL:g} m", "".join(_voxel(corner) for corner in voxels(SECTION, VOXEL))),
        (f"shell, thickness {THICKNESS:g} m", _walls()),
    )
    width, height = 3 * _PANEL[0], 2 * _PANEL[1]
    drawn = "".join(_panel(number, title, inside) for number, (title, inside) in enumerate(panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="13" role="img" '
        f'aria-label="What each policy takes for the solid of an open mesh">\n'
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>\n{drawn}</svg>\n'
    )


def hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the convex hull, counterclockwise (Andrew 1979)."""
    ordered = sorted(points)
    halves = []
    for way in (ordered, ordered[::-1]):
        half: list[Point] = []
        for point in way:
            while len(half) > 1 and _cross(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves += half[:-1]
    return halves


def winding(section: Sequence[Point], place: Point) -> float:
    """How often an open line winds round a place: the angles under which its edges are seen, in turns."""
    seen = [math.atan2(y - place[1], x - place[0]) for x, y in section]
    turns = ((b - a + math.pi) % (2 * math.pi) - math.pi for a, b in pairwise(seen))
    return sum(turns) / (2 * math.pi)


def voxels(section: Sequence[Point], edge: float) -> Iterator[Point]:
    """The lower corners of the squares of a grid whose middles the line winds round by more than half."""
    columns, rows = (math.ceil(most / edge) for most in (_WIDTH, _HEIGHT))
    for column in range(columns):
        for row in range(rows):
            if winding(section, ((column + 0.5) * edge, (row + 0.5) * edge)) > 0.5:
                yield column * edge, row * edge


def _cross(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# Drawing --------------------------------------------------------------------------------------------------------------


def _panel(number: int, title: str, inside: str) -> str:
    x, y = (number % 3) * _PANEL[0], (number // 3) * _PANEL[1]
    surface = f'<path d="{_path(SECTION)}" fill="none" stroke="{_LINE}" stroke-width="2"/>'
    return (
        f'<g transform="translate({x:g} {y:g})">{inside}{surface}'
        f'<text x="{0.6 * _SCALE:g}" y="{_HEIGHT * _SCALE + 8:g}" fill="{_LINE}">{title}</text></g>\n'
    )


def _opening() -> str:
    (x0, y0), (x1, y1) = _drawn(SECTION[0]), _drawn(SECTION[-1])
    return f'<path d="M{x0:g} {y0:g}L{x1:g} {y1:g}" stroke="#c62828" stroke-width="3" stroke-dasharray="5 4"/>'


def _walls() -> str:
    width = THICKNESS * _SCALE
    return f'<path d="{_path(SECTION)}" fill="none" stroke="{_MATTER}" stroke-width="{width:g}"/>'


def _voxel(corner: Point) -> str:
    x, y = _drawn((corner[0], corner[1] + VOXEL))
    size = VOXEL * _SCALE
    return (
        f'<rect x="{x:.5g}" y="{y:.5g}" width="{size:g}" height="{size:g}" fill="{_MATTER}" '
        f'stroke="{_PAPER}" stroke-width="0.5"/>'
    )


def _polygon(points: Sequence[Point], colour: str, more: str = "") -> str:
    return f'<path d="{_path(points)}Z" fill="{colour}" {more}/>'


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.5g} {y:.5g}" for x, y in map(_drawn, points))


def _drawn(point: Point) -> Point:
    """Where a point of the section lies in its panel, whose y runs down."""
    return point[0] * _SCALE, (_HEIGHT - 0.3 - point[1]) * _SCALE


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
