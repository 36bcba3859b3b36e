"""The quantities of an inertia: their names in reports, their units, and their numbers as text.

Those of places and axes are in the frame of the link, or of the mesh.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.rigid_transform import Vector3, rpy_from_rotation
from sdfinertia.inertia.solids import equivalent_box, equivalent_ellipsoid
from sdfinertia.robot.numbers import number, numbers

if TYPE_CHECKING:
    from sdfinertia.inertia.principal_axes import PrincipalAxes
    from sdfinertia.inertia.spatial_inertia import SpatialInertia

MASS, LENGTH, INERTIA, DENSITY, VOLUME, ANGLE = "mass", "length", "inertia", "density", "volume", "angle"
UNITS = {MASS: "kg", LENGTH: "m", INERTIA: "kg·m²", DENSITY: "kg/m³", VOLUME: "m³", ANGLE: "°"}
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
    def unit(self) -> str:
        return UNITS[self.dimension]

    @property
    def number(self) -> str:
        """The numbers as text, zero where they are rounding beside the scale; "" where there are none."""
        if self.values is None:
            return ""
        return numbers(self.values, size=self.scale) if len(self.values) > 1 else number(*self.values)

    @property
    def text(self) -> str:
        return f"{self.number} {self.unit}"


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


def density_of(inertia: SpatialInertia, volume: float) -> Quantity:
    return Quantity("density", DENSITY, (inertia.mass / volume,))


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
        found += [Quantity("volume", VOLUME, (volume,)), density_of(inertia, volume)]
    return found


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
        record |= {
            "principal_rotation": inertia.principal().rotation,
            "equivalent_box": solids and solids.box,
            "equivalent_ellipsoid": solids and solids.ellipsoid,
            "radius_of_gyration": inertia.gyradius,
        }
    return record
