"""Mistakes that people make with inertials, as functions from right numbers to wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, pi, sin
from typing import NamedTuple

from recall.injected import Numbers
from sdfinertia.inertia.rigid_transform import RigidTransform, Rotation
from sdfinertia.inertia.spatial_inertia import InertiaTensor

POUND, INCH = 0.45359237, 0.0254
UNIT = InertiaTensor(1.0, 1.0, 1.0)


class Body(NamedTuple):
    """A link that is right, and what a mistake may draw on."""

    numbers: Numbers
    sizes: tuple[float, float, float]
    pose: RigidTransform | None
    others: tuple[Numbers, ...]
    has_mesh: bool
    choice: int


Fault = Callable[[Body], "Numbers | None"]


def times(mass: float = 1.0, tensor: float = 1.0, centre: float = 1.0) -> Fault:
    """Numbers in other units."""

    def fault(body: Body) -> Numbers:
        right = body.numbers
        x, y, z = right.centre
        moments = InertiaTensor(*(tensor * value for value in right.tensor))
        return replace(right, mass=mass * right.mass, tensor=moments, centre=(centre * x, centre * y, centre * z))

    return fault


def every_axis(moment: float) -> Fault:
    """A placeholder."""
    return lambda body: replace(body.numbers, tensor=InertiaTensor(moment, moment, moment))


def turned(R: Rotation) -> Fault:
    """A tensor in other axes than those of the link."""
    return lambda body: replace(body.numbers, tensor=body.numbers.tensor.rotated(R))


def about(x: float, y: float, z: float) -> Rotation:
    """A rotation by roll, pitch and yaw (rad)."""
    (a, b), (c, d), (e, f) = ((cos(angle), sin(angle)) for angle in (x, y, z))
    return (e * c, e * d * b - f * a, e * d * a + f * b, f * c, f * d * b + e * a, f * d * a - e * b, -d, c * b, c * a)


def transposed(R: Rotation) -> Rotation:
    a, b, c, d, e, f, g, h, i = R
    return (a, d, g, b, e, h, c, f, i)


def axes_exchanged(body: Body) -> Numbers:
    xx, yy, zz, xy, xz, yz = body.numbers.tensor
    # Of x and z, or each passed on to the next.
    exchanged = (zz, yy, xx, yz, xz, xy) if body.choice % 2 else (zz, xx, yy, xz, yz, xy)
    return replace(body.numbers, tensor=InertiaTensor(*exchanged))


def ball_for_rod(body: Body) -> Numbers | None:
    shortest, _, longest = sorted(body.sizes)
    moment = body.numbers.tensor.trace / 3.0
    return every_axis(moment)(body) if longest >= 1.5 * shortest else None


def centre_in_model(body: Body) -> Numbers | None:
    return replace(body.numbers, centre=body.pose.apply(body.numbers.centre)) if body.pose is not None else None


def of_another_link(body: Body) -> Numbers | None:
    return body.others[body.choice % len(body.others)] if body.others else None


def products_turned(body: Body) -> Numbers:
    xx, yy, zz, xy, xz, yz = body.numbers.tensor
    return replace(body.numbers, tensor=InertiaTensor(xx, yy, zz, -xy, -xz, -yz))


def products_missing(body: Body) -> Numbers:
    return replace(body.numbers, tensor=InertiaTensor(*body.numbers.tensor[:3]))


def parallel_axes(sign: float) -> Fault:
    """The tensor about the origin of the link, or as if it had been."""

    def fault(body: Body) -> Numbers:
        right = body.numbers
        return replace(right, tensor=right.tensor.with_point_mass(sign * right.mass, right.centre))

    return fault


def one_entry(change: Callable[[float], float]) -> Fault:
    """One of the moments written wrongly."""

    def fault(body: Body) -> Numbers:
        entries = list(body.numbers.tensor)
        entries[body.choice % 3] = change(entries[body.choice % 3])
        return replace(body.numbers, tensor=InertiaTensor(*entries))

    return fault


def beyond_triangle(body: Body) -> Numbers:
    entries = list(body.numbers.tensor)
    axis = body.choice % 3
    entries[axis] = 1.2 * (sum(entries[:3]) - entries[axis])
    return replace(body.numbers, tensor=InertiaTensor(*entries))


def mesh_in_millimetres(body: Body) -> Numbers | None:
    return replace(body.numbers, scale=1000.0) if body.has_mesh else None


# As an exporter turns a part; the one that a model was given in degrees.
_TURN = about(0.6, -0.4, 0.9)
_QUARTER = about(0.0, 0.0, pi / 2)
_QUARTER_IN_DEGREES = about(0.0, 0.0, 90.0)


def _quarter_in_degrees(body: Body) -> Numbers:
    right = body.numbers.tensor.rotated(transposed(_QUARTER))
    return replace(body.numbers, tensor=right.rotated(_QUARTER_IN_DEGREES))


def _turned_backwards(body: Body) -> Numbers | None:
    once = turned(transposed(_TURN))(body)
    assert once is not None
    return turned(transposed(_TURN))(Body(once, *body[1:]))


FAULTS: dict[str, Fault] = {
    "mass x1000, tensor right": times(mass=1e3),
    "mass and tensor x1000 (g)": times(mass=1e3, tensor=1e3),
    "tensor / 1e6 (mm for m)": times(tensor=1e-6),
    "tensor x4": times(tensor=4.0),
    "placeholder 0.1": every_axis(0.1),
    "placeholder 0.01": every_axis(0.01),
    "placeholder 0.001": every_axis(1e-3),
    "placeholder 1e-6": every_axis(1e-6),
    "unit tensor": every_axis(1.0),
    "axes exchanged": axes_exchanged,
    "a ball for a rod": ball_for_rod,
    "centre in mm": times(centre=1e3),
    "centre in the model's frame": centre_in_model,
    "another link's inertial": of_another_link,
    "products' signs": products_turned,
    "about the link's origin": parallel_axes(1.0),
    "parallel axes subtracted": parallel_axes(-1.0),
    "products missing": products_missing,
    "mass zero": times(mass=0.0),
    "a moment negative": one_entry(lambda moment: -moment),
    "triangle violated": beyond_triangle,
    "rotation missing": turned(transposed(_TURN)),
    "rotation transposed": _turned_backwards,
    "degrees for radians": _quarter_in_degrees,
    "g and mm": times(mass=1e3, tensor=1e9, centre=1e3),
    "tensor in g mm2": times(tensor=1e9),
    "lb and in": times(mass=1.0 / POUND, tensor=1.0 / (POUND * INCH**2), centre=1.0 / INCH),
    "point of an entry lost": one_entry(lambda moment: 1e3 * moment),
    "an entry x10": one_entry(lambda moment: 10.0 * moment),
    "an entry omitted": one_entry(lambda moment: 1.0),
    "no tensor": lambda body: replace(body.numbers, tensor=UNIT, has_tensor=False),
    "no mass (1 kg)": lambda body: replace(body.numbers, mass=1.0),
    "mesh in mm": mesh_in_millimetres,
}


def is_told(right: Numbers, wrong: Numbers, diagonal: float) -> bool:
    """Whether numbers differ by enough to be a mistake: a tenth of the largest moment, of the mass or of the size."""
    largest = max(right.tensor[:3])
    return (
        max(abs(a - b) for a, b in zip(right.tensor, wrong.tensor, strict=True)) > 0.1 * largest
        or abs(wrong.mass - right.mass) > 0.1 * right.mass
        or max(abs(a - b) for a, b in zip(right.centre, wrong.centre, strict=True)) > 0.1 * diagonal
        or wrong.scale != right.scale
        or wrong.has_tensor != right.has_tensor
    )
