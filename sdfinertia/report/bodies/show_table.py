"""Mass properties for people: a table a body."""

from __future__ import annotations

import math
from collections.abc import Iterator

# Loaded with this module alone, which only a person's view needs.
from rich import box
from rich.table import Table
from rich.text import Text

from sdfinertia.documents.showing import Origin, ShownBody
from sdfinertia.errors import InertiaError, printable, unicode_text
from sdfinertia.inertia.rigid_transform import rpy_from_rotation
from sdfinertia.inertia.solids import equivalent_box, equivalent_ellipsoid
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.results.text_report import number, numbers, tensor_change

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


def body_table(body: ShownBody) -> Table:
    """The quantities of a body, each with what `fill` would write below it where that was asked for."""
    title = Text(unicode_text(printable(f"{body.name} ({body.origin})")), style="bold")
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, header_style="")
    table.add_column("", min_width=20, no_wrap=True)
    for axis in "xyz":
        table.add_column(axis, justify="right", min_width=12, no_wrap=True)
    table.add_column("unit", no_wrap=True)
    computed = {row.label: row for row in _rows(body.computed, body.volume)} if body.origin is Origin.WRITTEN else {}
    for row in _rows(body.inertia, body.volume):
        table.add_row(row.label, *_three(row.values), row.unit)
        if row.label in computed:
            table.add_row("  computed", *_three(computed.pop(row.label).values), "", style="dim")
    # What the one that is written does not have.
    for row in computed.values():
        table.add_row(f"{row.label}, computed", *_three(row.values), row.unit, style="dim")
    table.show_header = table.row_count > 0
    return table


def body_notes(body: ShownBody) -> Iterator[str]:
    """What is to be said of a body beside its numbers."""
    if body.inertia is not None and body.computed is not None and body.origin is Origin.WRITTEN:
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
