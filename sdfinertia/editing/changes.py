"""The changes that can be made to a document, as values.

Links are named by scoped name, `model::nested::link`, the second of a name in a file `model::link#2`. Lengths are in m,
masses in kg, angles in rad, tensors in kg·m² about the centre of mass in link axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import isfinite
from typing import Any, get_args, get_origin, get_type_hints

from sdfinertia.errors import ConfigurationError, InertiaError
from sdfinertia.inertia.principal_axes import PrincipalAxes
from sdfinertia.inertia.rigid_transform import Rotation, Vector3, rotate
from sdfinertia.inertia.solids import equivalent_box, equivalent_ellipsoid, rescaled_to_mass
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.numbers import finite, shorten

Six = tuple[float, float, float, float, float, float]


class Solid(Enum):
    BOX = "box"
    ELLIPSOID = "ellipsoid"


class SetMass(NamedTuple):
    """Another mass; if linked, the tensor scales with it."""

    link: str
    mass: float
    is_linked: bool = True


class SetDensity(NamedTuple):
    """The mass of the shapes at a density (kg/m³)."""

    link: str
    density: float
    is_linked: bool = True


class MoveCentre(NamedTuple):
    """Another centre of mass, in the link frame (m)."""

    link: str
    centre: Vector3


class SetTensor(NamedTuple):
    """Another tensor: ixx iyy izz ixy ixz iyz."""

    link: str
    tensor: Six


class TurnAxes(NamedTuple):
    """Other principal axes, by fixed-axis roll, pitch and yaw from those of the link."""

    link: str
    rpy: Vector3


class SetMoments(NamedTuple):
    """Other principal moments about the same axes."""

    link: str
    moments: Vector3


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

NOT_JUDGED = "its numbers overflow or underflow double precision"

# I1 = m/12 (d2² + d3²) of a box of edges d, m/5 (r2² + r3²) of an ellipsoid of radii r.
_PARTS = {Solid.BOX: 12.0, Solid.ELLIPSOID: 5.0}


def why_no_body(body: SpatialInertia) -> str:
    """Why an inertia is physically impossible; "" where it is not."""
    if not body.can_be_judged:
        return NOT_JUDGED
    if body.is_physically_valid():
        return ""
    moments = " ".join(f"{moment:.6g}" for moment in body.principal().moments)
    return f"a mass of {body.mass:.6g} kg with principal moments {moments} kg·m² is physically impossible"


def with_mass(body: SpatialInertia, mass: float, *, is_linked: bool) -> SpatialInertia:
    if is_linked:
        return rescaled_to_mass(body, mass)
    if not (isfinite(mass) and mass > 0.0):
        raise InertiaError(f"a mass must be a number above zero, not {mass:g} kg")
    return SpatialInertia(mass, body.p_BoBcm_B, body.I_BBcm_B)


def with_principal(body: SpatialInertia, moments: Vector3, rotation: Rotation) -> SpatialInertia:
    """The body with other principal moments, or other axes of them, about the same centre."""
    return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(*moments).rotated(rotation))


def solid_sizes(body: SpatialInertia, solid: Solid) -> tuple[PrincipalAxes, Vector3]:
    """The principal axes, and the full sizes along them of the solid of equal inertia (m)."""
    axes = body.principal()
    if solid is Solid.BOX:
        return axes, equivalent_box(body.mass, axes.moments)
    x, y, z = equivalent_ellipsoid(body.mass, axes.moments)
    return axes, (2.0 * x, 2.0 * y, 2.0 * z)


def with_face_moved(body: SpatialInertia, drag: DragFace) -> SpatialInertia:
    if drag.axis not in (0, 1, 2) or drag.side not in (-1, 1) or not isfinite(drag.distance):
        raise InertiaError("axis must be 0, 1 or 2, side 1 or -1, and distance finite")
    axes, sizes = solid_sizes(body, drag.solid)
    old = sizes[drag.axis]
    new = old + drag.distance * (1.0 if drag.is_alone else 2.0)
    if not new > 0.0:
        raise InertiaError(f"the {drag.solid.value} would be {new:g} m thick")
    mass = body.mass
    if drag.keeps_density:
        if not old > 0.0:
            raise InertiaError(f"a {drag.solid.value} without thickness has no density", remedy="keep the mass")
        mass = body.mass * new / old
    squares = [size * size for size in sizes]
    squares[drag.axis] = new * new
    if drag.solid is Solid.ELLIPSOID:
        squares = [square / 4.0 for square in squares]
    x, y, z = squares
    part = mass / _PARTS[drag.solid]
    moments = InertiaTensor(part * (y + z), part * (x + z), part * (x + y))
    centre = body.p_BoBcm_B
    if drag.is_alone:
        direction = [0.0, 0.0, 0.0]
        direction[drag.axis] = 0.5 * drag.side * drag.distance
        dx, dy, dz = rotate(axes.rotation, (direction[0], direction[1], direction[2]))
        centre = (centre[0] + dx, centre[1] + dy, centre[2] + dz)
    return SpatialInertia(mass, centre, moments.rotated(axes.rotation))


def mirrored(body: SpatialInertia, axis: str) -> SpatialInertia:
    """The mirror image across an axis of the body's frame.

    With the reflection S = diag(±1), the centre p becomes S p and the tensor S I S: products with the axis change sign.
    """
    if axis not in ("x", "y", "z"):
        raise InertiaError(f"the axis of a mirror must be x, y or z, not {axis!r}")
    signs = tuple(-1.0 if name == axis else 1.0 for name in "xyz")
    x, y, z = body.p_BoBcm_B
    xx, yy, zz, xy, xz, yz = body.I_BBcm_B
    sx, sy, sz = signs
    # 0.0 is added so that a zero stays a plain one.
    centre = (sx * x + 0.0, sy * y + 0.0, sz * z + 0.0)
    tensor = InertiaTensor(xx, yy, zz, sx * sy * xy + 0.0, sx * sz * xz + 0.0, sy * sz * yz + 0.0)
    return SpatialInertia(body.mass, centre, tensor)


def change_of(request: Mapping[str, Any]) -> Change:
    name, values = request.get("change"), request.get("values")
    kind = CHANGES.get(name) if isinstance(name, str) else None
    if kind is None or not isinstance(values, Mapping):
        raise ConfigurationError(f"there is no change {name!r}")
    hints = get_type_hints(kind)
    unknown = sorted(map(str, values.keys() - hints.keys()))
    if unknown:
        raise ConfigurationError(f"{name} has no {', '.join(unknown)}")
    missing = hints.keys() - values.keys() - kind._field_defaults.keys()
    if missing:
        raise ConfigurationError(f"{name} needs {', '.join(sorted(missing))}")
    made: Change = kind(**{key: _value(f"{name}.{key}", value, hints[key]) for key, value in values.items()})
    return made


def _value(what: str, value: object, wanted: Any) -> Any:
    if wanted is float and isinstance(value, int | float) and not isinstance(value, bool):
        number = finite(value)
        if number is not None:
            return number
    if wanted in (str, bool, int) and type(value) is wanted:
        return value
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        for member in wanted:
            if member.value == value:
                return member
    if get_origin(wanted) is tuple and isinstance(value, list):
        types = get_args(wanted)
        if types[-1] is ...:
            types = (types[0],) * len(value)
        if len(types) == len(value):
            return tuple(_value(what, each, kind) for each, kind in zip(value, types, strict=True))
    raise ConfigurationError(f"{what} cannot be {shorten(repr(value))}")
