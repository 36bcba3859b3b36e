"""Links with every mistake that is known, beside geometries and relatives of many kinds."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np
from causes.links import BOX, CENTRE, Vector, block, case, mesh, printed, sphere, twin

from sdfinertia.causes.axes import CAD_SIGNS
from sdfinertia.causes.case import Case, FileEvidence, Frame, Relation, Relative
from sdfinertia.causes.habits import Habits
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.solids import ShapeBody
from sdfinertia.robot.link import COLLISION, VISUAL
from sdfinertia.shapes import Bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_FAR = frozenset({"SDI204"})
_OUTSIDE = frozenset({"SDI208"})
_ORIGIN = (0.0, 0.0, 0.0)
# Of the plate with a lug, with digits as CAD programs print them.
_MEASURED = (0.0030127, 0.0042391, 0.0058214, 0.00060718, -0.00040233, 0.00030519)


def simple(six: Sequence[float], volume: float, centre: Vector = _ORIGIN, **more: Any) -> ShapeBody:
    return ShapeBody(COLLISION, "solid", SpatialInertia(1.0, centre, InertiaTensor(*six)), volume)._replace(**more)


def cuboid(x: float, y: float, z: float, centre: Vector = _ORIGIN) -> tuple[ShapeBody, Bounds]:
    six = ((y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)
    a, b, c = centre
    return simple(six, x * y * z, centre), Bounds((a - x / 2, b - y / 2, c - z / 2), (a + x / 2, b + y / 2, c + z / 2))


def _cylinder(radius: float, length: float) -> tuple[ShapeBody, Bounds]:
    across, along = radius**2 / 4 + length**2 / 12, radius**2 / 2
    half = (radius, radius, length / 2)
    box = Bounds(tuple(-each for each in half), half)  # type: ignore[arg-type]
    return simple((across, across, along), pi * radius**2 * length), box


def _beside(shape: tuple[ShapeBody, Bounds], six: str, mass: str = "1", centre: Vector = _ORIGIN, **more: Any) -> Case:
    body, box = shape
    return case(block(six, mass, centre), body, box=box, **{"findings": _FAR, **more})


def plate(six: Any, mass: str = "1", centre: Vector = CENTRE, *, exact: bool = True, **more: Any) -> Case:
    """A link beside the mesh of the plate, about its centre."""
    text = six if isinstance(six, str) else printed(six)
    return case(block(text, mass, centre), mesh(_MEASURED, exact=exact), **{"findings": _FAR, **more})


def bare(six: str, mass: str = "1", centre: Vector = _ORIGIN, **more: Any) -> Case:
    return case(block(six, mass, centre), **more)


def _times(*factors: float, six: Sequence[float] = _MEASURED) -> str:
    return printed([value * factor for value, factor in zip(six, factors, strict=True)])


def _turned(link: Case, rpy: Vector, texts: tuple[str, str, str] = ("", "", "")) -> Case:
    written = replace(link.written, rotation=rotation_from_rpy(*rpy), angle_texts=texts)
    return replace(link, written=written)


def _frame(name: str, place: Vector, rpy: Vector = _ORIGIN) -> Frame:
    return Frame(name, RigidTransform(rotation_from_rpy(*rpy), place))


def _about(point: Vector, six: Sequence[float] = _MEASURED, mass: float = 1.0) -> list[float]:
    """A tensor about a point that is so far from the centre of mass."""
    return list(InertiaTensor(*six).with_point_mass(mass, point))


def file_of(link: Case, *others: Case, habits: bool = False, notes: Sequence[str] = ()) -> Case:
    named = [link, *(replace(other, name=f"link_{k}") for k, other in enumerate(others))]
    blocks = [(each.name, each.written) for each in named]
    return replace(link, file=FileEvidence(blocks, Habits(lambda: named) if habits else None, lambda: notes))


def _sized(size: float, factors: Sequence[float]) -> Case:
    """A plate of another size, hollow, with factors on its numbers."""
    six = [size * value for value in _MEASURED]
    hollow = np.array(six) * (1.3, 1.2, 1.25, 1.4, 1.1, 1.2) * factors
    return case(block(printed(hollow), "1", CENTRE), mesh(six), box=BOX)


def _other(six: str, mass: str = "1", **more: Any) -> Relative:
    return twin(six, mass, Relation.OTHER, **{"has_same_geometry": False, **more})


_RIGHT = printed(_MEASURED)
_Y_UP = [sign * _MEASURED[k] for k, sign in ((0, 1), (2, 1), (1, 1), (4, -1), (3, 1), (5, -1))]
_CUBOID = cuboid(0.3, 0.2, 0.1)
_AWAY = cuboid(0.3, 0.2, 0.1, (0.4, 0.1, -0.2))
_CAN = _cylinder(0.06, 0.25)
_BALL = sphere(0.1)
_ROD = "0.0208333 0 0 0.0208333 0 0"
_COPIED = "0.0312174 0.0021 -0.0033 0.0419382 0.0017 0.0523911"
_BODIES_ON_LINES = [
    printed((y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z), 12)
    for x, y, z in ((0.1, 0.2, -0.1), (0.3, -0.1, 0.2), (0.1, 0.1, 0.4))
]
_LOOK = _frame("the origin of the model", (0.3, -0.2, 0.5), (0.0, 0.0, 0.6))
_SHIFT = _frame("link base", (0.25, 0.1, -0.3))
_SEEN = mesh(_MEASURED)._replace(kind=VISUAL)

# Each is made where it is asked for: what makes it is under test.
LINKS: dict[str, Callable[[], Case]] = {
    # Never filled in.
    "zeros": lambda: plate("0 0 0 0 0 0"),
    "zeros without a geometry": lambda: bare("0 0 0 0 0 0", "2.5"),
    "zeros of a grain": lambda: bare("0 0 0 0 0 0", "0.001"),
    "zeros but for noise": lambda: plate("1e-12 0 0 1e-12 0 1e-12"),
    "zeros rounded to six decimals": lambda: _beside(
        cuboid(0.004, 0.003, 0.002), "0.000000 0.000000 0.000000 0.000000 0.000000 0.000000", "0.02"
    ),
    "zeros beside a twin": lambda: plate("0 0 0 0 0 0", relatives=(twin(_RIGHT, centre=CENTRE),)),
    "one moment of three": lambda: plate("0.003 0 0 0 0 0"),
    "two moments of three": lambda: bare("0.00312 0 0 0.00312 0 0", "0.4"),
    "a moment of zero and its product": lambda: plate("0.0030127 0.0006 0 0 0 0.0058214"),
    "ones": lambda: plate("1 0 0 1 0 1"),
    "ones that nobody wrote": lambda: plate("- - - - - -"),
    "ones on many links": lambda: file_of(bare("1 0 0 1 0 1", "0.3", findings=frozenset({"SDI105"})), *[
        bare("1 0 0 1 0 1", "2")
    ] * 4),
    "a power of ten": lambda: plate("0.001 0 0 0.001 0 0.001", "3"),
    "a power of ten with products": lambda: bare("0.01 0.001 0.001 0.01 0.001 0.01", "7"),
    "a power of ten on many links": lambda: file_of(
        _beside(_CAN, "0.1 0 0 0.1 0 0.1"), *[bare("0.1 0 0 0.1 0 0.1", "2")] * 2
    ),
    "one number": lambda: _beside(_CUBOID, "0.037 0 0 0.037 0 0.037", "2"),
    "one number of a ball": lambda: _beside(_BALL, "0.0371 0 0 0.0371 0 0.0371"),
    "one number on two links": lambda: file_of(
        _beside(_CUBOID, "4e-5 0 0 4e-5 0 4e-5", "0.05"), bare("4e-5 0 0 4e-5 0 4e-5")
    ),
    "one number beside measured products": lambda: plate("0.1 0.00061234 -0.00039876 0.1 0.00030123 0.1"),
    "one number beside other products": lambda: plate("0.1 0.016123 -0.023987 0.1 0.013012 0.1"),
    "two of one digit": lambda: bare("0.2 0 0 0.2 0 0.1831742"),
    "products of one digit": lambda: _beside(_CUBOID, "0.0125 0.001 0.001 0.025 0.001 0.0325", "3"),
    "round numbers": lambda: plate("0.3 0 0 0.4 0 0.5"),
    "round numbers of two digits": lambda: file_of(
        plate("0.13 0 0 0.24 0 0.25"), bare("0.1 0 0 0.2 0 0.2"), bare("1.1 0 0 1.2 0 1.3"), habits=True
    ),
    "round parts of the mass": lambda: _beside(_CUBOID, "0.6 0 0 0.9 0 1.2", "3"),
    "a round number that is the geometry's": lambda: _beside(_CUBOID, "0.2 0 0 0.02501 0 0.2", "3"),
    "rounded away": lambda: _beside(cuboid(0.02, 0.015, 0.01), "1e-06 0.0 0.0 1e-06 0.0 0.0", "0.0161"),
    "rounded away without a geometry": lambda: bare("1e-06 0 0 2e-06 0 0", "0.01"),
    "rounded away in the whole file": lambda: file_of(
        _beside(cuboid(0.02, 0.015, 0.2), "0.00012 0 0 0.00012 0 0", "0.036"),
        bare("0.01 0 0 0.02 0 0.00307"), bare("1.00003 0 0 2 0 1.5"),
    ),
    # Units and masses.
    **{
        f"in {name}": partial(plate, [value * factor for value in _MEASURED])
        for name, factor in (("g mm²", 1e9), ("kg mm²", 1e6), ("g cm²", 1e7), ("lb in²", 3417.172), ("nothing", 0.01))
    },
    "in units beside a hull": lambda: plate([value * 1e4 for value in _MEASURED], exact=False),
    "in pounds and inches": lambda: _beside(_CUBOID, "42.715 0 0 85.429 0 111.06", "6.614"),
    "in grams and millimetres": lambda: plate([3e9 * x for x in _MEASURED], "3000", (20.0, -15.0, 30.0)),
    "a mass in grams": lambda: _beside(_CUBOID, "0.0125 0 0 0.025 0 0.0325", "3000"),
    "another mass": lambda: plate([7.3 * value for value in _MEASURED]),
    "another mass beside a box": lambda: _beside(_CUBOID, "0.0412 0 0 0.0824 0 0.1071", "2"),
    "a default density": lambda: plate([0.4 * value for value in _MEASURED], "2.5"),
    "a default density and a unit": lambda: plate([0.4 * value for value in _MEASURED], "0.0004"),
    "the density of steel beside a box": lambda: _beside(_CUBOID, "0.195 0 0 0.39 0 0.507", "3.1"),
    "a mesh in millimetres": lambda: case(
        block("0.003 0 0 0.0042 0 0.0058"),
        mesh([1e6 * x for x in _MEASURED], (20.0, -15.0, 30.0), 4e5),
        box=Bounds((-150.0, -120.0, -100.0), (150.0, 120.0, 140.0)),
        findings=_FAR,
    ),
    # Signs and axes.
    "signs of CAD": lambda: plate(np.array(_MEASURED) * CAD_SIGNS, findings=frozenset()),
    "signs of CAD beside a hull": lambda: plate(np.array(_MEASURED) * CAD_SIGNS, exact=False),
    "signs of CAD in a file": lambda: file_of(
        _sized(1.0, CAD_SIGNS), *(_sized(1.1 + 0.1 * k, CAD_SIGNS) for k in range(5)), habits=True
    ),
    "one sign": lambda: plate(_times(1, 1, 1, -1, 1, 1)),
    "one sign without a mesh": lambda: bare("0.0102 0.0049 0.0049 0.0102 0.0049 0.0102"),
    "negative moments": lambda: plate(_times(-1, 1, 1, 1, 1, 1)),
    "all negative": lambda: bare(_times(-1, -1, -1, 1, 1, 1)),
    "a moment of noise below zero": lambda: bare("-1e-9 0 0 0.002 0 0.002"),
    "exchanged": lambda: plate([_MEASURED[k] for k in (2, 1, 0, 5, 4, 3)]),
    "exchanged beside a box": lambda: _beside(_CUBOID, "0.0325 0 0 0.025 0 0.0125"),
    "y up": lambda: plate(_Y_UP, "1", (0.02, 0.03, 0.015)),
    "mirrored in x": lambda: plate(_times(1, 1, 1, -1, -1, 1), "1", (-0.02, -0.015, 0.03), findings=frozenset()),
    "mirrored in y": lambda: plate(_times(1, 1, 1, -1, 1, -1), "1", (0.02, 0.015, 0.03)),
    "mirrored in z": lambda: plate(_times(1, 1, 1, 1, -1, -1), "1", (0.02, -0.015, -0.03)),
    "half a turn about z": lambda: plate(_times(1, 1, 1, 1, -1, -1), "1", (-0.02, 0.015, 0.03)),
    "half a turn beside frames": lambda: plate(_times(1, 1, 1, 1, -1, -1), "1", (-0.02, 0.015, 0.03), frames=(_LOOK,)),
    "in the axes of the model": lambda: plate(
        InertiaTensor(*_MEASURED).rotated(rotation_from_rpy(0.0, 0.0, -0.6)), frames=(_LOOK, _SHIFT)
    ),
    "a rotation that is missing": lambda: plate("0.002688 0 0 0.004334 0 0.006052"),
    "a rotation that is inverted": lambda: _turned(
        plate(InertiaTensor(*_MEASURED).rotated(rotation_from_rpy(0.3, -0.4, 0.5))), (0.3, -0.4, 0.5)
    ),
    "a rotation too many": lambda: _turned(plate(_MEASURED), (0.3, -0.4, 1.5)),
    "degrees": lambda: _turned(
        plate(InertiaTensor(*_MEASURED).rotated(rotation_from_rpy(0.0, 0.0, -pi / 2))),
        (0.0, 0.0, 90.0), ("0", "0", "90"),
    ),
    # Points and centres.
    "about the origin": lambda: plate(
        _about((0.3, 0.1, -0.2)), "1", (0.3, 0.1, -0.2), box=Bounds((0.1, -0.1, -0.4), (0.5, 0.3, 0.0))
    ),
    "about the origin beside a box": lambda: _beside(
        _AWAY, printed(_about((0.4, 0.1, -0.2), (0.0041667, 0.0083333, 0.0108333, 0, 0, 0))), centre=(0.4, 0.1, -0.2)
    ),
    "about the origin without a centre": lambda: _beside(
        _AWAY, printed(_about((0.4, 0.1, -0.2), (0.0041667, 0.0083333, 0.0108333, 0, 0, 0)))
    ),
    "about the origin in the mirror": lambda: _beside(
        _AWAY, _times(1, 1, 1, -1, 1, -1, six=_about((0.4, 0.1, -0.2), (0.0041667, 0.0083333, 0.0108333, 0, 0, 0)))
    ),
    "moved the wrong way": lambda: plate(
        _about((0.06, -0.05, 0.09), _about((0.06, -0.05, 0.09))), "1", (0.06, -0.05, 0.09)
    ),
    "about the origin of a link": lambda: plate(
        _about((-0.23, -0.115, 0.33)), frames=(_SHIFT, _frame("link top", _ORIGIN))
    ),
    "taken away twice": lambda: bare("-2.96 2.256 -9.588 -18.72601 -0.816 -14.95", "120.0", (0.94, 0.08, -0.34)),
    "taken away with other signs": lambda: plate(
        _about((0.02, -0.015, 0.03), _MEASURED, -1.0), "1", findings=frozenset({"SDI103"})
    ),
    "a centre in millimetres": lambda: plate(_RIGHT, "1", (20.0, -15.0, 30.0), findings=_OUTSIDE),
    "a centre left out": lambda: _beside(_AWAY, "0.0041667 0 0 0.0083333 0 0.0108333", findings=_OUTSIDE),
    "no centre in the file": lambda: file_of(
        _beside(_AWAY, "0.0041667 0 0 0.0083333 0 0.0108333", findings=_OUTSIDE), bare(_RIGHT), bare(_ROD)
    ),
    "a centre of the other sign": lambda: _beside(
        _AWAY, "0.0041667 0 0 0.0083333 0 0.0108333", centre=(-0.4, 0.1, -0.2), findings=_OUTSIDE
    ),
    "a centre in the model": lambda: plate(
        _RIGHT, "1", (0.02 + 0.25, -0.015 + 0.1, 0.03 - 0.3), findings=_OUTSIDE,
        frames=(_frame("link base", (-0.25, -0.1, 0.3)), _LOOK),
    ),
    "a centre in no frame": lambda: plate(_RIGHT, "1", (2.1, 3.2, -1.7), findings=_OUTSIDE),
    "block and centre in the model": lambda: plate(_RIGHT, "1", (0.5, 0.2, 0.1), frames=(_LOOK, _SHIFT)),
    "a copied centre": lambda: file_of(
        replace(
            plate(_RIGHT, "1", (2.1234, 3.2345, -1.7), findings=_OUTSIDE),
            written=replace(block(_RIGHT, "1", (2.1234, 3.2345, -1.7)), centre_texts=("2.1234", "3.2345", "-1.7")),
        ),
        bare(_ROD, "2", (2.1234, 3.2345, -1.7)),
    ),
    # Formulas.
    "a box of another size": lambda: _beside(_CAN, "0.01042 0 0 0.00542 0 0.00542"),
    "a cylinder of another size": lambda: plate("0.4359375 0 0 0.4359375 0 0.759375", "30"),
    "a ball of another size": lambda: _beside(_CUBOID, "0.00064 0 0 0.00064 0 0.00064", "4"),
    "a box without a twelfth": lambda: _beside(_CUBOID, "0.05 0 0 0.1 0 0.13"),
    "a box without a twelfth, with products": lambda: _beside(_CUBOID, "0.05 -0.06 -0.03 0.1 -0.02 0.13"),
    "a diameter for a radius": lambda: _beside(_CAN, "0.00880833 0 0 0.00880833 0 0.0072"),
    "a diameter of a ball": lambda: _beside(_BALL, "0.016 0 0 0.016 0 0.016"),
    "a rod": lambda: _beside(cuboid(0.05, 0.05, 0.5), _ROD),
    "a rod of one digit": lambda: bare("0.0271834 0 0 0.0271834 0 0.0001"),
    "a rod in a plane": lambda: bare("1 0 0 1 0 0.00333333"),
    "a corner": lambda: _beside(_CUBOID, "0.016667 -0.015 -0.0075 0.033333 -0.005 0.043333"),
    "a corner by its products": lambda: bare(
        "7.95654166667e-05 1.7199e-05 8.75875e-06 2.47088833333e-05 2.413125e-05 7.95654166667e-05", "0.065"
    ),
    "the middle of an edge": lambda: _beside(_AWAY, "0.016667 0 0 0.033333 0 0.0108333"),
    "a unit box": lambda: plate("0.166667 0 0 0.166667 0 0.166667", "1.0"),
    "a unit cylinder": lambda: bare("0.145833 0 0 0.145833 0 0.125", findings=_FAR),
    # Digits and slots.
    "a point": lambda: plate("0.0030127 0.00060718 -0.00040233 0.0042391 0.00030519 0.58214"),
    "a point without a mesh": lambda: bare("2661.9E-6 -31.029E-6 9.34E-6 2302.5E-6 151.466E-6 1676359E-6", "1.559"),
    "a lost point and zero": lambda: bare("0.0002431 0 0 00002166 0 0.0003012", "0.4"),
    "a point of the digits of another": lambda: bare("33.3325 0 0 33.3325 0 0.0333325", "200"),
    "places that others have": lambda: bare("0.00301 0.00061 -0.00040 42.39 0.00031 0.00582"),
    "a point and signs": lambda: plate(_times(1, 1, 1000, -1, -1, -1), findings=frozenset({"SDI103"})),
    "an exponent": lambda: bare("6726.989E-6 -1.6E-6 4.669E-6 1028.143E-3 750.591E-3 6677.994E-3", "1.384"),
    "a run a hundred times": lambda: plate(_times(1, 1, 1, 100, 100, 100)),
    "three moments ten times": lambda: plate(_times(10, 10, 10, 1, 1, 1)),
    "a digit": lambda: plate("0.0030127 0.00060718 -0.00040233 0.0042391 0.00030519 0.0098214"),
    "a digit of equal moments": lambda: bare("0.0312415 0 0 0.0312475 0 0.0712"),
    "last digits": lambda: bare("0.1234 0 0 0.2346 0 0.3581", "10", findings=frozenset({"SDI103"})),
    "last digits with products": lambda: plate("0.00301 0.00061 -0.00040 0.00424 0.00031 0.00727"),
    "a moment left out": lambda: plate("- 0.00060718 -0.00040233 0.0042391 0.00030519 0.0058214"),
    "a one beside small moments": lambda: bare("0.0030127 0.00060718 -0.00040233 1 0.00030519 0.0058214"),
    "by rows": lambda: plate([_MEASURED[k] for k in (0, 4, 2, 3, 1, 5)]),
    "rows first": lambda: plate([_MEASURED[k] for k in (0, 3, 4, 1, 5, 2)]),
    "nine numbers": lambda: bare("0.0030127 0.00060718 -0.00040233 0.00060718 0.0042391 0.00030519"),
    "a repeated product": lambda: plate("0.0030127 0.00060718 -0.00040233 0.00060718 0.00030519 0.0058214"),
    "a product for izz": lambda: plate("0.0030127 0.00060718 -0.00040233 0.0042391 0.00030519 0.00030519"),
    "a negative product for izz": lambda: bare("0.000476 2.9e-05 0.001403 0.009564 1.5e-05 -9e-06", "0.550582"),
    "one entry that fits nothing": lambda: plate("0.0030127 0.00060718 -0.00040233 0.0042391 0.00030519 0.0173"),
    # Other links.
    "a twin that differs in one": lambda: plate(
        "0.0030127 0.00060718 -0.00040233 0.0042391 0.00030519 0.0173", relatives=(twin(_RIGHT, centre=CENTRE),)
    ),
    "a twin that differs in more": lambda: plate(
        "0.0060127 0.00060718 -0.00040233 0.0072391 0.00030519 0.0058214",
        relatives=(twin(_RIGHT, centre=CENTRE), replace(twin(_times(*[1.004] * 6)), name="another")),
    ),
    "a twin against it": lambda: bare(
        "0.0030 0.0006 -0.0004 0.0042 0.0003 00058", relatives=(twin(_times(*[4.0] * 6)),)
    ),
    "a copy": lambda: plate(_COPIED, "2", _ORIGIN, relatives=(_other(_COPIED, "2", centre=(0.1, 0.0, 0.2)),)),
    "a copy times a hundred": lambda: plate(
        _times(*[100.0] * 6, six=(9.7513e-07, 0.000166739, 0.000167633, 0, 0, 0)), "0.05",
        relatives=(_other("9.7513e-07 0 0 0.000166739 0 0.000167633", "0.05"),),
    ),
    "copies of which none is near": lambda: plate(
        _COPIED, "2", _ORIGIN,
        relatives=(
            _other(_COPIED, "3", is_near_geometry=False),
            replace(_other(_COPIED, "2", is_near_geometry=None), name="a third"),
        ),
    ),
    "a copy that is no body": lambda: plate(
        "0.0312174 0.0021 -0.0033 0.0419382 0.0017 0.1523911", "2", _ORIGIN,
        relatives=(_other("0.0312174 0.0021 -0.0033 0.0419382 0.0017 0.1523911", "2"),),
    ),
    "a copy behind what is none": lambda: plate(
        _COPIED, "2", _ORIGIN,
        relatives=(
            replace(_other(_COPIED, "2", has_same_geometry=None), name="a"),
            replace(_other("0 0 0 0 0 0", "2"), name="b"),
            replace(_other(_RIGHT, "2"), name="c"),
            replace(_other(_COPIED, "2", is_near_geometry=None), name="d"),
        ),
    ),
    # The geometry, and how it was measured.
    "the visual agrees": lambda: case(
        block(_RIGHT, centre=CENTRE), simple((0.19, 0.19, 0.38, 0, 0, 0), 0.004, CENTRE), _SEEN, findings=_FAR
    ),
    "a few boxes stand in": lambda: case(
        block(_RIGHT, centre=CENTRE),
        *(simple((0.00016,) * 3, 3e-5), mesh([1.5 * x for x in _MEASURED], exact=False)._replace(kind=VISUAL)),
        findings=_FAR,
    ),
    "measured beside a box": lambda: _beside(_CUBOID, "0.04127 0.00123 0 0.0521 0 0.06512"),
    "identified": lambda: file_of(
        plate(_times(2.1, 3.7, 3.1, 1.5, 1.5, 1.5)), notes=("inertial parameters identified on the robot",)
    ),
    "identified by their border": lambda: file_of(
        plate("0.0131272 0.0017 -0.0009 0.0204711 0.0021 0.0211"),
        *(bare(f"{k}.01 0.001 0.002 {k}.02 0.003 {2 * k}.029") for k in (1, 2, 3)),
    ),
    "on lines": lambda: file_of(
        plate(_BODIES_ON_LINES[0], "1", _ORIGIN), *(bare(six) for six in _BODIES_ON_LINES[1:])
    ),
    "parts without their terms": lambda: plate(_times(0.3, 0.25, 0.28, 0.3, 0.3, 0.3)),
    "right": lambda: plate(_MEASURED, findings=frozenset()),
    "right but found": lambda: plate(_MEASURED),
    "too large": lambda: bare("1e200 0 0 1e200 0 1e200"),
}  # fmt: skip


_SHAPES = (_CUBOID, _AWAY, _CAN, _BALL, (mesh(_MEASURED), BOX), (mesh(_MEASURED, exact=False), BOX), (_SEEN, BOX))
_FACTORS = (1.0, 1.0, 1.0, -1.0, 10.0, 0.1, 1000.0, 1e-3, 1e6, 1.7, 0.45359237, 0.0)
_FINDINGS = ("SDI204", "SDI204", "SDI103", "SDI208", "SDI202", "SDI209", "")


def random_link(seed: int) -> Case:
    """A link with some mistakes, of some digits, beside some of what may be known of it."""
    chance = random.Random(seed)
    body, box = chance.choice(_SHAPES)
    mass, theirs = chance.choice((0.02, 0.5, 1.0, 3.7, 25.0)), np.array(body.inertia.I_BBcm_B)
    six = theirs * mass * [chance.uniform(0.9, 1.3) if chance.random() < 0.4 else 1.0 for _ in range(6)]
    centre = chance.choice((body.inertia.p_BoBcm_B, _ORIGIN, (0.31, -0.12, 0.23)))
    if chance.random() < 0.3:
        six = np.array(InertiaTensor(*six).with_point_mass(mass, centre))
    if chance.random() < 0.3:
        order = chance.sample(range(3), 3)
        six[:3] = six[order]
    changed = six * (chance.choice(_FACTORS) if chance.random() < 0.4 else 1.0)
    for _ in range(chance.randint(0, 2)):
        changed[chance.randrange(6)] *= chance.choice(_FACTORS)
    text = printed(changed, chance.randint(1, 8))
    written = block(text, f"{mass:g}", centre)
    bodies = [body] * chance.randint(0, 2)
    if len(bodies) > 1:
        bodies[1] = body._replace(kind=VISUAL, filling="shell", inertia=body.inertia.scaled_to_mass(1.0))
        bodies.append(_SEEN)
    found = case(written, *bodies, box=box, findings=frozenset({chance.choice(_FINDINGS)}) - {""})
    if chance.random() < 0.3:
        relation = chance.choice((Relation.TWIN, None, Relation.OTHER))
        right = printed(six, chance.randint(3, 7)) if chance.random() < 0.7 else text
        near, same = chance.choice((True, False, None)), chance.choice((True, False))
        if relation is not None:
            other = twin(right, f"{mass:g}", relation, centre=centre, is_near_geometry=near, has_same_geometry=same)
            found = replace(found, relatives=(other,))
    if chance.random() < 0.3:
        found = replace(found, frames=(_LOOK, _SHIFT))
    if chance.random() < 0.2:
        found = _turned(found, (0.3, -0.4, 0.5), ("0.3", "-0.4", "0.5"))
    if chance.random() < 0.3:
        found = file_of(found, *[replace(found, name="copy")] * chance.randint(0, 3), bare("0.1 0 0 0.2 0 0.25"))
    return found
