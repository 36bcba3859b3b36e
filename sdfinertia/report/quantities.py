"""The quantities of an inertia, in the frame of its link or mesh: names, units, numbers as text, tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import InertiaError, printable
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.principal_axes import PrincipalAxes
from sdfinertia.inertia.rigid_transform import Vector3, rpy_from_rotation
from sdfinertia.inertia.solids import equivalent_box, equivalent_ellipsoid
from sdfinertia.report import BOLD, DIM
from sdfinertia.robot.numbers import number, numbers

if TYPE_CHECKING:
    from sdfinertia.documents.showing import ShownBody

MASS, LENGTH, INERTIA, DENSITY, VOLUME, ANGLE = "mass", "length", "inertia", "density", "volume", "angle"
UNITS = {MASS: "kg", LENGTH: "m", INERTIA: "kg·m²", DENSITY: "kg/m³", VOLUME: "m³", ANGLE: "°"}
# Relative: smaller changes are rounding, for written numbers have twelve digits.
SAME = 1e-9
# Beside the scale of its kind, a number this small is rounding.
_NOISE = 1e-12
# The axes of a mesh are known no more precisely.
_ANGLE_DECIMALS = 6


class Quantity(NamedTuple):
    """A quantity in SI units.

    Attributes:
        values: one number, or three; None where a physically impossible inertia has none.
        scale: of the numbers, where that is not the largest of them.
    """

    name: str
    dimension: str
    values: tuple[float, ...] | None
    scale: float = 0.0

    @property
    def number(self) -> str:
        """The numbers as text, zero where they are rounding beside the scale; "" where there are none."""
        if self.values is None:
            return ""
        return numbers(self.values, size=self.scale) if len(self.values) > 1 else number(*self.values)

    @property
    def text(self) -> str:
        return f"{self.number} {UNITS[self.dimension]}"

    @property
    def clean(self) -> list[float]:
        """The numbers with all digits, zero where they are rounding beside the scale."""
        noise = _NOISE * max(self.scale if self.scale > 0.0 else 0.0, *map(abs, self.values or (0.0,)))
        return [value if not abs(value) <= noise else 0.0 for value in self.values or ()]


class Equivalents(NamedTuple):
    """Principal moments and axes, and the box (edges) and ellipsoid (radii) of equal inertia along them (m)."""

    axes: PrincipalAxes
    box: Vector3
    ellipsoid: Vector3


def equivalents_of(inertia: SpatialInertia) -> Equivalents | None:
    """The solids of equal inertia; None for a physically impossible one."""
    axes = inertia.principal()
    try:
        box = equivalent_box(inertia.mass, axes.moments)
        return Equivalents(axes, box, equivalent_ellipsoid(inertia.mass, axes.moments))
    except InertiaError:
        return None


def mass_of(inertia: SpatialInertia) -> Quantity:
    return Quantity("mass", MASS, (inertia.mass,))


def centre_of(inertia: SpatialInertia) -> Quantity:
    return Quantity("centre of mass", LENGTH, inertia.p_BoBcm_B, inertia.gyradius)


def principal_moments_of(inertia: SpatialInertia) -> Quantity:
    """The principal moments, in the order of the axes nearest x, y, z."""
    return Quantity("principal moments", INERTIA, inertia.principal().moments)


def box_of(inertia: SpatialInertia) -> Quantity:
    """The edges of the box of equal inertia, in the same order."""
    solids = equivalents_of(inertia)
    return Quantity("equivalent box", LENGTH, solids and solids.box)


def quantities_of(inertia: SpatialInertia, volume: float | None) -> list[Quantity]:
    tensor, axes, solids = inertia.I_BBcm_B, inertia.principal(), equivalents_of(inertia)
    degrees = tuple(round(math.degrees(angle), _ANGLE_DECIMALS) for angle in rpy_from_rotation(axes.rotation))
    found = [
        mass_of(inertia),
        centre_of(inertia),
        Quantity("moments xx yy zz", INERTIA, tensor[:3]),
        Quantity("products xy xz yz", INERTIA, tensor[3:], max(tensor[:3])),
        principal_moments_of(inertia),
        Quantity("principal axes, rpy", ANGLE, degrees),
        box_of(inertia),
        Quantity("ellipsoid, radii", LENGTH, solids and solids.ellipsoid),
        Quantity("radius of gyration", LENGTH, (inertia.gyradius,)),
    ]
    if volume:
        density = Quantity("density", DENSITY, (inertia.mass / volume,))
        found += [Quantity("volume", VOLUME, (volume,)), density]
    return found


def tensor_change(new: SpatialInertia, old: SpatialInertia) -> float:
    """The largest change of an entry, in per cent of the largest old one; infinite where that is zero."""
    scale = max(abs(value) for value in old.I_BBcm_B)
    if scale == 0.0:
        return math.inf
    return 100.0 * max(abs(a - b) for a, b in zip(new.I_BBcm_B, old.I_BBcm_B, strict=True)) / scale


def inertia_record(
    inertia: SpatialInertia | None, *, principal: bool = False, equivalents: bool = False
) -> dict[str, Any] | None:
    if inertia is None:
        return None
    record: dict[str, Any] = {"mass": inertia.mass, "com": inertia.p_BoBcm_B, **inertia.I_BBcm_B._asdict()}
    if principal or equivalents:
        record["principal_moments"] = inertia.principal().moments
    if equivalents:
        solids = equivalents_of(inertia)
        record["principal_rotation"] = inertia.principal().rotation
        record["equivalent_box"] = solids and solids.box
        record["equivalent_ellipsoid"] = solids and solids.ellipsoid
        record["radius_of_gyration"] = inertia.gyradius
    return record


def body_lines(body: ShownBody) -> Iterator[tuple[str, str]]:
    """The quantities of a body as a table, each above the computed one, with the styles of lines."""
    yield printable(f"{body.name} ({body.origin})"), BOLD
    computed = {each.name: each for each in _known(body.computed, body.volume)} if body.origin == "written" else {}
    rows = []
    for each in _known(body.inertia, body.volume):
        rows.append((_cells(each.name, each), ""))
        if (other := computed.pop(each.name, None)) is not None:
            rows.append((_cells("  computed", other, has_unit=False), DIM))
    # Rows that the written inertia lacks.
    rows += [(_cells(f"{each.name}, computed", each), DIM) for each in computed.values()]
    if not rows:
        return
    rows.insert(0, (("", "x", "y", "z", "unit"), ""))
    columns = zip(*(cells for cells, _ in rows), strict=True)
    widths = [max(least, *map(len, column)) for least, column in zip((20, 12, 12, 12, 4), columns, strict=True)]
    for place, (cells, style) in enumerate(rows):
        aligned = (f"{cell:{side}{width}}" for cell, side, width in zip(cells, "<>>><", widths, strict=True))
        yield f"  {'   '.join(aligned)}".rstrip(), style
        if place == 0:
            yield " " + "─" * (sum(widths) + 3 * len(widths) - 1), ""


def _known(inertia: SpatialInertia | None, volume: float | None) -> list[Quantity]:
    """Those that have values; notes say why others have none."""
    return [each for each in quantities_of(inertia, volume) if each.values is not None] if inertia is not None else []


def _cells(label: str, quantity: Quantity, *, has_unit: bool = True) -> tuple[str, ...]:
    x, y, z, *_ = (*quantity.number.split(" "), "", "")
    return label, x, y, z, UNITS[quantity.dimension] if has_unit else ""


def body_notes(body: ShownBody) -> Iterator[str]:
    if body.inertia is not None and body.computed is not None and body.origin == "written":
        change = tensor_change(body.inertia, body.computed)
        # Rounding to twelve digits is no change.
        if change > 100.0 * SAME:
            yield f"the written tensor differs from the computed one by {change:.3g} % of its largest entry"
    if body.inertia is not None:
        try:
            equivalent_box(body.inertia.mass, body.inertia.principal().moments)
        except InertiaError as error:
            yield f"physically impossible: {error.problem}"
    if body.problem:
        yield body.problem
