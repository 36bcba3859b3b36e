"""Mass properties for people: a table a body."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sdfinertia.documents.showing import ShownBody
from sdfinertia.errors import InertiaError, printable
from sdfinertia.inertia.equivalents import equivalent_box, equivalent_ellipsoid
from sdfinertia.inertia.rigid_transform import rpy_from_rotation
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.results.text_report import number, numbers, tensor_change
from sdfinertia.report.terminal import BOLD, DIM

# The columns, and how wide they are at least.
_HEADER = ("", "x", "y", "z", "unit")
_WIDTHS = (20, 12, 12, 12, 4)
# The axes of a mesh are known to no more.
_ANGLE_DECIMALS = 6
# Beside the moments, a product this much smaller is rounding.
_NOISE = 1e-12

# A change below this is none.
_SAME = 1e-9


class _Row(NamedTuple):
    """A quantity: its name, its one number or its three, and their unit."""

    label: str
    values: tuple[str, ...]
    unit: str


def body_lines(body: ShownBody) -> Iterator[tuple[str, str]]:
    """The quantities of a body, each with what `fill` would write below it where that was asked for; in their styles.

    Aligned here, since a table of rich takes some milliseconds, and a file may have thousands of bodies.
    """
    yield printable(f"{body.name} ({body.origin})"), BOLD
    computed = {row.label: row for row in _rows(body.computed, body.volume)} if body.origin == "written" else {}
    rows = []
    for row in _rows(body.inertia, body.volume):
        rows.append((row, ""))
        if row.label in computed:
            rows.append((_Row("  computed", computed.pop(row.label).values, ""), DIM))
    # What the one that is written does not have.
    rows += [(row._replace(label=f"{row.label}, computed"), DIM) for row in computed.values()]
    if not rows:
        return
    cells = [(*_HEADER, ""), *((row.label, *_three(row.values), row.unit, style) for row, style in rows)]
    widths = [max(least, *map(len, column)) for least, column in zip(_WIDTHS, zip(*cells, strict=True), strict=False)]
    for place, (label, x, y, z, unit, style) in enumerate(cells):
        numbers_of_row = "   ".join(cell.rjust(width) for cell, width in zip((x, y, z), widths[1:4], strict=True))
        yield f"  {label.ljust(widths[0])}   {numbers_of_row}   {unit}".rstrip(), style
        if place == 0:
            yield " " + "─" * (sum(widths) + 3 * len(widths) - 1), ""


def body_notes(body: ShownBody) -> Iterator[str]:
    """What is to be said of a body beside its numbers."""
    if body.inertia is not None and body.computed is not None and body.origin == "written":
        change = tensor_change(body.inertia, body.computed)
        # What rounding to twelve digits leaves is no difference.
        if change > 100.0 * _SAME:
            yield f"the tensor that is written differs by {change:.3g} %"
    if body.inertia is not None:
        try:
            equivalent_box(body.inertia.mass, body.inertia.principal().moments)
        except InertiaError as error:
            yield f"no body has it: {error.problem}"
    if body.problem:
        yield body.problem


def _rows(inertia: SpatialInertia | None, volume: float | None) -> Iterator[_Row]:
    if inertia is None:
        return
    tensor, axes = inertia.I_BBcm_B, inertia.principal()
    degrees = tuple(round(math.degrees(angle), _ANGLE_DECIMALS) for angle in rpy_from_rotation(axes.rotation))
    products = tuple(value if abs(value) > _NOISE * max(tensor[:3]) else 0.0 for value in tensor[3:])
    yield _Row("mass", (number(inertia.mass),), "kg")
    yield _triple("centre of mass", inertia.p_BoBcm_B, "m")
    yield _triple("moments xx yy zz", tensor[:3], "kg·m²")
    yield _triple("products xy xz yz", products, "kg·m²")
    yield _triple("principal moments", axes.moments, "kg·m²")
    yield _triple("principal axes, rpy", degrees, "°")
    try:
        yield _triple("equivalent box", equivalent_box(inertia.mass, axes.moments), "m")
        yield _triple("ellipsoid, radii", equivalent_ellipsoid(inertia.mass, axes.moments), "m")
    except InertiaError:
        # Said in the notes.
        pass
    yield _Row("gyradius", (number(inertia.gyradius),), "m")
    if volume:
        yield _Row("volume", (number(volume),), "m³")
        yield _Row("density", (number(inertia.mass / volume),), "kg/m³")


def _triple(label: str, values: tuple[float, ...], unit: str) -> _Row:
    return _Row(label, tuple(numbers(values).split(" ")), unit)


def _three(values: tuple[str, ...]) -> tuple[str, ...]:
    """Cells under x, y and z; a single number stands under x."""
    return (*values, "", "")[:3]
