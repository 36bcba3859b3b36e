"""Digits decide on primitives: what one mistake makes of a drawn shape, and what only looks like it."""

from __future__ import annotations

from typing import Any

import pytest
from causes.links import block, case, mesh

from sdfinertia.causes.bits import AHEAD, ENOUGH, Reading
from sdfinertia.causes.case import Drawn, Relative
from sdfinertia.causes.drawn import of_twin, reading_of
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.robot import COLLISION, VISUAL
from sdfinertia.shapes import Bounds, Primitive

BOX = Primitive("box", (0.42, 0.31, 0.18))  # at 15 kg: 0.160625 0.261 0.340625
WHEEL = Primitive("cylinder", (0.049, 0.04))  # at 0.46 kg: 0.000337447 0.000337447 0.00055223
BALL = Primitive("sphere", (0.06,))


def drawn(*shapes: Primitive | None, rpy: tuple[float, float, float] = (0.0, 0.0, 0.0), **where: Any) -> Any:
    pose = RigidTransform(rotation_from_rpy(*rpy), where.get("at", (0.0, 0.0, 0.0)))
    return tuple(Drawn(where.get("kind", COLLISION), shape, pose) for shape in shapes)


TURNED_BOX = drawn(BOX, rpy=(0.3, 0.2, 0.1))  # 0.169344 0.266065 0.326841 -0.01436 0.0357249 -0.0185579


def read(mass: str, six: str, solids: Any, centre: Any = (0.0, 0.0, 0.0), box: Bounds | None = None) -> Reading | None:
    return reading_of(block(six, mass, centre), solids, box)


MISTAKES = {
    "axes": ("15", "0.261 0 0 0.340625 0 0.160625", drawn(BOX), "axes-exchanged"),
    "one entry": ("15", "0.160625 0 0 0.261 0 0.29", drawn(BOX), "one-entry-wrong"),
    "a point": ("15", "0.160625 0 0 2.61 0 0.340625", drawn(BOX), "decimal-point"),
    "a sign": ("15", "0.160625 0 0 0.261 0 -0.340625", drawn(BOX), "negative-moment"),
    "twice a size": ("15", "0.521 0 0 0.261 0 0.700625", drawn(Primitive("box", (0.42, 0.31, 0.18))), None),
    "the origin": ("15", "0.160625 0 0 0.861 0 0.940625", drawn(BOX, at=(0.2, 0, 0)), "about-link-origin"),
    "another mass": ("15", "0.0535417 0 0 0.087 0 0.113542", drawn(BOX), "mass-changed"),
    "no mass": ("15", "0.01070833 0 0 0.0174 0 0.02270833", drawn(BOX), "mass-left-out"),
    "a power of ten": ("15", "16.0625 0 0 26.1 0 34.0625", drawn(BOX), "tensor-units"),
    "a rod for a disc": ("0.46", "6.13333333e-05 0 0 6.13333333e-05 0 0.00055223", drawn(WHEEL), "formula-slip"),
    "half a ball": ("0.4", "0.000576 0 0 0.000576 0 0.000288", drawn(BALL), "formula-slip"),
    "a diameter": ("0.46", "0.001165793 0 0 0.001165793 0 0.00220892", drawn(WHEEL), "diameter-for-radius"),
    "a lost rotation": ("15", "0.160625 0 0 0.261 0 0.340625", TURNED_BOX, "rotation-missing"),
    "all signs": ("15", "0.169344 0.01436 -0.0357249 0.266065 0.0185579 0.326841", TURNED_BOX, "products-cad-signs"),
    "one sign": ("15", "0.169344 -0.01436 -0.0357249 0.266065 -0.0185579 0.326841", TURNED_BOX, "product-sign"),
    "two signs": ("15", "0.169344 0.01436 0.0357249 0.266065 0.0185579 0.326841", TURNED_BOX, "product-sign"),
    "the order": (
        "15",
        "0.169344 0.266065 0.326841 -0.01436 0.0357249 -0.0185579",
        TURNED_BOX,
        "listed-in-other-order",
    ),
    "1 kg/m³": ("15", "0.000250961 0 0 0.000407786 0 0.000532193", drawn(BOX), "default-density"),
    "1000 kg/m³": ("15", "0.250961 0 0 0.407786 0 0.532193", drawn(BOX), "default-density"),
    "a lever taken away": (
        "15",
        "0.160625 0 0 0.111 0 0.190625",
        drawn(BOX, at=(0.1, 0, 0)),
        "parallel-axis-subtracted",
    ),
    "a lever twice": ("15", "0.160625 0 0 0.561 0 0.640625", drawn(BOX, at=(0.1, 0, 0)), "parallel-axis-wrong-way"),
    "of the visual": ("15", "0.261 0 0 0.340625 0 0.160625", drawn(BOX, kind=VISUAL), "axes-exchanged"),
}


@pytest.mark.parametrize(("mass", "six", "solids", "cause"), MISTAKES.values(), ids=MISTAKES)
def test_one_mistake_that_gives_all_digits_is_found(mass: str, six: str, solids: Any, cause: str | None) -> None:
    found = read(mass, six, solids)
    assert (found.cause if found is not None and found.bits >= ENOUGH else None) == cause


@pytest.mark.parametrize(
    ("mass", "six", "solids"),
    [
        ("15", "0.160625 0 0 0.261 0 0.340625", drawn(BOX)),
        ("15", "0.16 0 0 0.26 0 0.34", drawn(BOX)),
        ("0.4", "0.00096 0 0 0.00096 0 0.00096", drawn(BALL)),  # hollow
        ("0.3", "0.000185625 0 0 0.000185625 0 0.00032625", drawn(Primitive("cylinder", (0.033, 0.018)))),  # a ring
        ("0.46", "0.000276115 0 0 0.000276115 0 0.00055223", drawn(WHEEL)),  # a thin disc
        ("0.46", "0.000475506 0 0 0.000475506 0 0.000828345", drawn(WHEEL)),  # half the section is hollow
    ],
    ids=["solid", "rounded", "a hollow ball", "a tyre", "a thin disc", "a pipe"],
)
def test_an_honest_body_of_the_shape_is_no_mistake(mass: str, six: str, solids: Any) -> None:
    assert read(mass, six, solids) is None


def test_the_box_round_all_shapes_is_honest() -> None:
    # PX4, lidar_2d_v2: base, middle and top in the box of the whole.
    solids = drawn(Primitive("box", (0.06, 0.06, 0.041)), Primitive("cylinder", (0.025, 0.028)))
    six, box = "0.0003443775 0 0 0.0003443775 0 0.000222", Bounds((-0.03, -0.03, 0.0), (0.03, 0.03, 0.087))
    assert read("0.37", six, solids, box=box) is None


@pytest.mark.parametrize(
    ("mass", "six", "solids"),
    [
        # A bare 0 among numbers of 1e-6 is rounded.
        ("0.02", "2e-06 0 0 1e-06 0 0", drawn(Primitive("box", (0.01, 0.03, 0.02)))),
        # Round numbers, copied from another robot.
        ("1", "0.01 0 0 0.02 0 0.01", drawn(Primitive("box", (0.3, 0.2, 0.3)))),
        ("1", "0.001 0 0 0.001 0 0.001", drawn(BOX)),
        # Sums of shapes that overlap come near anything at a mass that is fitted.
        (
            "2",
            "0.0214167 0 0 0.0348 0 0.0454167",
            drawn(*[Primitive("box", (0.42, 0.31, 0.18 - 0.01 * k)) for k in range(6)]),
        ),
    ],
)
def test_chance_is_not_enough(mass: str, six: str, solids: Any) -> None:
    found = read(mass, six, solids)
    assert found is None or found.bits < ENOUGH


def test_what_two_groups_explain_is_not_certain() -> None:
    # About the origin at half its length, or a box of twice the length.
    solids = drawn(Primitive("box", (0.4, 0.06, 0.06)), at=(0.2, 0.0, 0.0))
    found = read("2", "0.0012 0 0 0.107266667 0 0.107266667", solids, (0.2, 0.0, 0.0))
    assert found is not None
    assert found.cause == "about-link-origin"
    assert not found.is_certain
    assert AHEAD == 3.0


@pytest.mark.parametrize("name", ["axes", "one entry", "a point", "a sign", "the origin"])
def test_what_is_put_right_is_the_shape_with_the_digits_of_the_file(name: str) -> None:
    mass, six, solids, _ = MISTAKES[name]
    written = block(six, mass, (0.0, 0.0, 0.0))
    found = reading_of(written, solids, None)
    assert found is not None
    right = found.put_right(written)
    assert right is not None
    assert right.tensor == pytest.approx((0.160625, 0.261, 0.340625, 0.0, 0.0, 0.0), rel=1e-6)
    if name == "axes":
        assert right.entry_texts[:3] == ("0.160625", "0.261", "0.340625")
    if name == "the origin":
        assert right.centre == (0.2, 0.0, 0.0)


@pytest.mark.parametrize("name", ["another mass", "a power of ten", "no mass"])
def test_of_a_factor_nothing_is_put_right(name: str) -> None:
    mass, six, solids, _ = MISTAKES[name]
    found = read(mass, six, solids)
    assert found is not None
    assert found.right is None
    assert "mass" in found.sentence


def test_the_shape_of_the_visual_counts_too_and_costs_a_bit() -> None:
    six = "0.261 0 0 0.340625 0 0.160625"
    one, both = read("15", six, drawn(BOX)), read("15", six, drawn(BOX) + drawn(WHEEL, kind=VISUAL))
    assert one is not None
    assert both is not None
    assert one.bits - both.bits == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("centre", "cause"),
    [
        ((0.0, 0.0, 0.0), "centre-omitted"),
        ((-0.2, 0.0, 0.0), "centre-sign"),
        ((0.19, 0.0, 0.0), None),
        ((0.1, 0, 0), None),
    ],
)
def test_a_centre_is_wrong_where_the_tensor_is_that_of_all_that_is_drawn(centre: Any, cause: str | None) -> None:
    six, solids = "0.160625 0 0 0.261 0 0.340625", drawn(BOX, at=(0.2, 0.0, 0.0))
    found = read("15", six, solids, centre)
    assert (found.cause if found is not None else None) == cause
    if found is not None:
        assert found.centre == (0.2, 0.0, 0.0)
        assert not found.is_certain


# Beside the twin ------------------------------------------------------------------------------------------------------

SIX, TURNED = "0.003 0.0006 -0.0004 0.0042 0.0003 0.0058", "0.003 -0.0006 -0.0004 0.0042 -0.0003 0.0058"


@pytest.mark.parametrize(
    ("six", "centre", "theirs", "shapes", "is_found"),
    [
        (SIX, (0.02, -0.04, 0.03), (0.02, 0.04, 0.03), (), True),
        # Of both, the one that its own shapes contradict.
        (SIX, (0.02, -0.04, 0.03), (0.02, 0.04, 0.03), [0.003, 0.0042, 0.0058, -0.0006, -0.0004, -0.0003], True),
        (SIX, (0.02, -0.04, 0.03), (0.02, 0.04, 0.03), [0.003, 0.0042, 0.0058, 0.0006, -0.0004, 0.0003], False),
        # The image of the tensor too, the same place, and half a turn about z.
        (TURNED, (0.02, -0.04, 0.03), (0.02, 0.04, 0.03), (), False),
        (SIX, (0.02, -0.04, 0.03), (0.02, -0.04, 0.03), (), False),
        ("0.003 0.0006 0 0.0042 0 0.0058", (0.0, -0.04, 0.03), (0.0, 0.04, 0.03), (), False),
    ],
)
def test_a_tensor_that_was_not_mirrored_with_its_centre_is_told(six, centre, theirs, shapes, is_found):
    other = block(SIX if "0.0003" in six else six, centre=theirs)
    bodies = (mesh(shapes, centre),) if shapes else ()
    twin = Relative("other", True, other, other)
    found = of_twin(case(block(six, centre=centre), *bodies, relatives=(twin,)))
    assert (found is not None and found.cause == "tensor-not-mirrored") == is_found
    if found is not None:
        assert found.right == (0.003, 0.0042, 0.0058, -0.0006, -0.0004, -0.0003)
