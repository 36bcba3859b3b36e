"""The changes that can be made to a document, as values.

Links are named by scoped name, `model::nested::link`, the second of a name in a file `model::link#2`. Lengths are in m,
masses in kg, angles in rad, tensors in kg·m² about the centre of mass in link axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import isfinite
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from sdfinertia.errors import ConfigurationError, InertiaError
from sdfinertia.inertia.rigid_transform import Rotation, Vector3, rotate, rotation_from_rpy
from sdfinertia.inertia.solids import equivalent_box, equivalent_ellipsoid, rescaled_to_mass
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.robot.numbers import shorten

NOT_JUDGED = "its numbers overflow or underflow double precision"


class Solid(Enum):
    BOX = "box"
    ELLIPSOID = "ellipsoid"


class SetMass(NamedTuple):
    """Another mass; if linked, the tensor scales with it."""

    link: str
    mass: float
    is_linked: bool = True

    def after(self, body: SpatialInertia) -> SpatialInertia:
        if self.is_linked:
            return rescaled_to_mass(body, self.mass)
        if not (isfinite(self.mass) and self.mass > 0.0):
            raise InertiaError(f"a mass must be a number above zero, not {self.mass:g} kg")
        return SpatialInertia(self.mass, body.p_BoBcm_B, body.I_BBcm_B)


class SetDensity(NamedTuple):
    """The mass of the shapes at a density (kg/m³)."""

    link: str
    density: float
    is_linked: bool = True


class MoveCentre(NamedTuple):
    """Another centre of mass, in the link frame (m)."""

    link: str
    centre: Vector3

    def after(self, body: SpatialInertia) -> SpatialInertia:
        return SpatialInertia(body.mass, self.centre, body.I_BBcm_B)


class SetTensor(NamedTuple):
    """Another tensor: ixx iyy izz ixy ixz iyz."""

    link: str
    tensor: tuple[float, float, float, float, float, float]

    def after(self, body: SpatialInertia) -> SpatialInertia:
        return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(*self.tensor))


class TurnAxes(NamedTuple):
    """Other principal axes, by fixed-axis roll, pitch and yaw from those of the link."""

    link: str
    rpy: Vector3

    def after(self, body: SpatialInertia) -> SpatialInertia:
        return _with_principal(body, body.principal().moments, rotation_from_rpy(*self.rpy))


class SetMoments(NamedTuple):
    """Other principal moments about the same axes."""

    link: str
    moments: Vector3

    def after(self, body: SpatialInertia) -> SpatialInertia:
        return _with_principal(body, self.moments, body.principal().rotation)


class DragFace(NamedTuple):
    """A face of the solid of equal inertia, moved outward.

    Attributes:
        axis: 0, 1 or 2 of the principal axes.
        side: 1 for the face in the direction of the axis, -1 for the other.
        distance: outward (m).
        is_alone: whether the opposite face stays, so that the centre of mass moves by half of it.
        keeps_density: whether the mass grows with the solid.
    """

    link: str
    axis: int
    side: int
    distance: float
    solid: Solid = Solid.BOX
    is_alone: bool = False
    keeps_density: bool = False

    def after(self, body: SpatialInertia) -> SpatialInertia:
        if self.axis not in (0, 1, 2) or self.side not in (-1, 1) or not isfinite(self.distance):
            raise InertiaError("axis must be 0, 1 or 2, side 1 or -1, and distance finite")
        axes = body.principal()
        # I1 = m/12 (d2² + d3²) of a box, m/20 (d2² + d3²) of an ellipsoid, of full sizes d.
        if self.solid is Solid.BOX:
            sizes, part = list(equivalent_box(body.mass, axes.moments)), 12.0
        else:
            sizes, part = [2.0 * radius for radius in equivalent_ellipsoid(body.mass, axes.moments)], 20.0
        old = sizes[self.axis]
        new = sizes[self.axis] = old + self.distance * (1.0 if self.is_alone else 2.0)
        if not new > 0.0:
            raise InertiaError(f"the {self.solid.value} would be {new:g} m thick")
        if self.keeps_density and not old > 0.0:
            raise InertiaError(f"a {self.solid.value} without thickness has no density", remedy="keep the mass")
        mass = body.mass * new / old if self.keeps_density else body.mass
        x, y, z = (size * size for size in sizes)
        part = mass / part
        moments = InertiaTensor(part * (y + z), part * (x + z), part * (x + y))
        centre = body.p_BoBcm_B
        if self.is_alone:
            way = [0.0, 0.0, 0.0]
            way[self.axis] = 0.5 * self.side * self.distance
            dx, dy, dz = rotate(axes.rotation, (way[0], way[1], way[2]))
            centre = (centre[0] + dx, centre[1] + dy, centre[2] + dz)
        return SpatialInertia(mass, centre, moments.rotated(axes.rotation))


class ResizeShape(NamedTuple):
    """Other dimensions of a primitive (m): edges of a box, radius and length of a cylinder, and so on."""

    link: str
    collision: str
    dimensions: tuple[float, ...]


class Compute(NamedTuple):
    """The inertia of the shapes of a link, or of all links with link ""."""

    link: str = ""
    open_mesh: str = ""


class Mirror(NamedTuple):
    """The inertia of link `source`, mirrored across an axis of the model: y for left and right."""

    link: str
    source: str
    axis: str = "y"


Change = (
    SetMass | SetDensity | MoveCentre | SetTensor | TurnAxes | SetMoments | DragFace | ResizeShape | Compute | Mirror
)

# By the names in requests.
CHANGES: dict[str, type[Change]] = {kind.__name__: kind for kind in get_args(Change)}


def why_no_body(body: SpatialInertia) -> str:
    """Why an inertia is physically impossible; "" where it is not."""
    if not body.can_be_judged:
        return NOT_JUDGED
    if body.is_physically_valid():
        return ""
    moments = " ".join(f"{moment:.6g}" for moment in body.principal().moments)
    return f"a mass of {body.mass:.6g} kg with principal moments {moments} kg·m² is physically impossible"


def _with_principal(body: SpatialInertia, moments: Vector3, rotation: Rotation) -> SpatialInertia:
    return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(*moments).rotated(rotation))


def mirrored(body: SpatialInertia, axis: str) -> SpatialInertia:
    """The mirror image across an axis of the body's frame.

    With the reflection S = diag(±1), the centre p becomes S p and the tensor S I S: products with the axis change sign.
    """
    if axis not in ("x", "y", "z"):
        raise InertiaError(f"the axis of a mirror must be x, y or z, not {axis!r}")
    sx, sy, sz = (-1.0 if name == axis else 1.0 for name in "xyz")
    x, y, z = body.p_BoBcm_B
    xx, yy, zz, xy, xz, yz = body.I_BBcm_B
    # 0.0 is added so that a zero stays a plain one.
    centre = (sx * x + 0.0, sy * y + 0.0, sz * z + 0.0)
    tensor = InertiaTensor(xx, yy, zz, sx * sy * xy + 0.0, sx * sz * xz + 0.0, sy * sz * yz + 0.0)
    return SpatialInertia(body.mass, centre, tensor)


def change_of(request: Mapping[str, Any]) -> Change:
    """The change that a page requests."""
    name, values = request.get("change"), request.get("values")
    kind = CHANGES.get(name) if isinstance(name, str) else None
    if kind is None or not isinstance(values, dict):
        raise ConfigurationError(f"there is no change {shorten(repr(name))}")
    hints = get_type_hints(kind)
    try:
        made: Change = kind(**{key: _value(value, hints[key]) for key, value in values.items()})
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ConfigurationError(f"{name} cannot be made of {shorten(repr(values))}") from None
    return made


def _value(value: Any, wanted: Any) -> Any:
    if wanted is float and type(value) in (int, float) and isfinite(value):
        return float(value)
    if wanted is Solid:
        return Solid(value)
    if get_origin(wanted) is tuple and type(value) is list:
        types = get_args(wanted)
        types = types[:1] * len(value) if types[-1] is ... else types
        return tuple(_value(each, kind) for each, kind in zip(value, types, strict=True))
    if wanted in (str, bool, int) and type(value) is wanted:
        return value
    raise ValueError
