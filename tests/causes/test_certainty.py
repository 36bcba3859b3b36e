"""What may be written without asking, and what looks as sure and is not: each of these was seen beside real links."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from causes.links import BOX, CENTRE, SIX, block, case, causes, likeliest, mesh, printed, proposed, told, twin

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.score import Results
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.solids import ShapeBody
from sdfinertia.robot.solid_kinds import COLLISION, VISUAL, SolidKind
from sdfinertia.shapes import Bounds


def simple(six: Any, volume: float, kind: SolidKind = COLLISION) -> ShapeBody:
    """A body of boxes and the like, of a centre at the origin and 1 kg."""
    return ShapeBody(kind, "solid", SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(*six)), volume)


def box_of(x: float, y: float, z: float) -> tuple[ShapeBody, Bounds]:
    six = ((y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)
    return simple(six, x * y * z), Bounds((-x / 2, -y / 2, -z / 2), (x / 2, y / 2, z / 2))


# Factors --------------------------------------------------------------------------------------------------------------


def test_a_factor_is_not_certain_where_another_is_within_what_a_geometry_tells() -> None:
    # gazebo_models, quadrotor: in lb and in it is right, and 1000 times too large it is nearer to the mesh.
    moments = [value / 2.9013 for value in (0.03923, 0.0392, 0.07481)]
    body = mesh([*moments, 0.0, 0.0, 0.0], (0.0, 0.0, 0.0), 0.002675)
    box = Bounds((-0.396, -0.396, -0.111), (0.396, 0.396, 0.111))
    found = diagnose(told(case(block("43.7 0 0 43.7 0 74.5", "2.9013"), body, box=box)))
    assert {one.cause for one in found.explanations} >= {"tensor-units", "consistent-units"}
    assert not any(one.is_certain for one in found.explanations)


def test_a_geometry_that_agrees_to_the_digits_tells_two_units_apart() -> None:
    body, box = box_of(2.0, 1.0, 0.5)
    in_pounds = [value * 500.0 / (0.45359237 * 0.0254**2) for value in body.inertia.I_BBcm_B]
    found = likeliest(told(case(block(printed(in_pounds), f"{500 / 0.45359237:.6g}"), body, box=box)))
    assert (found.cause, found.is_certain) == ("consistent-units", True)
    assert "lb and in" in found.sentence


def test_grams_and_millimetres_are_told_from_millimetres_alone_by_the_density() -> None:
    body, box = box_of(0.3, 0.2, 0.1)
    printed_by_cad = [value * 3.0 * 1e9 for value in body.inertia.I_BBcm_B]
    found = likeliest(told(case(block(printed(printed_by_cad), "3000"), body, box=box)))
    assert (found.cause, found.is_certain) == ("consistent-units", True)
    assert proposed(found).mass == pytest.approx(3.0)


def test_a_tensor_at_exactly_a_default_density_is_no_mass_in_tonnes() -> None:
    # vehicle_blue, chassis: 1.14 kg beside the tensor of a cubic metre of water.
    body, box = box_of(2.0, 1.0, 0.5)
    found = likeliest(told(case(block("104.167 0 0 354.167 0 416.667", "1.14395"), body, box=box)))
    assert found.cause == "default-density"
    assert not found.is_certain


def test_one_kilogram_is_a_default_and_no_tonne() -> None:
    body, box = box_of(1.0, 1.0, 1.0)
    found = likeliest(told(case(block("166.67 0 0 166.67 0 166.67", "1.0"), body, box=box)))
    assert not found.is_certain


def test_a_power_of_ten_that_is_the_geometry_in_another_unit_of_mass_was_not_certainly_made_up() -> None:
    ball = simple((0.1, 0.1, 0.1), 0.5236)
    box = Bounds((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    assert not likeliest(told(case(block("0.1 0 0 0.1 0 0.1", "1000"), ball, box=box))).is_certain
    assert likeliest(told(case(block("0.01 0 0 0.01 0 0.01", "730"), ball, box=box))).is_certain


def test_simple_shapes_that_stand_for_a_part_do_not_make_it_too_dense() -> None:
    # csiro atr, nav_imu: two grains in a box of 14 cm; 0.3 kg are in lb, and not 0.66 g in g.
    six = [value / 0.66139 for value in (0.0009591, 0.0009607, 0.001782, -4.937e-06, -1.775e-05, -1.509e-05)]
    box = Bounds((-0.0687, -0.0687, -0.0043), (0.0687, 0.0687, 0.0291))
    written = block("1.59598 -0.00718436 -0.0258357 1.59832 -0.0219627 2.98812", "0.66139", (0.1599, 0.1359, 0.4887))
    explanations = diagnose(told(case(written, simple(six, 2.6e-6), box=box))).explanations
    assert not any(one.is_certain and "g and in" in one.sentence for one in explanations)


# What a mistake changes at least, and how dense a part can be ---------------------------------------------------------


@pytest.mark.parametrize(("part", "is_compared"), [(0.019, False), (0.021, True)])
def test_what_changes_less_than_a_fiftieth_undoes_no_mistake(part: float, is_compared: bool) -> None:
    written = SpatialInertia(1.0, (0.0, 0.0, 0.0), SIX)
    clues = Clues(told(case(block(printed(written.I_BBcm_B)), mesh())))
    changed = [SIX.ixx, SIX.iyy, SIX.izz + part * SIX.izz, *SIX[3:]]
    results = Results(clues, np.array([SIX, changed]), np.ones(2), np.zeros((2, 3)))
    assert results.are_compared.tolist() == [True, is_compared]


@pytest.mark.parametrize(("density", "is_possible"), [(19_900.0, True), (20_100.0, False)])
def test_no_part_is_denser_than_the_densest_metal(density: float, is_possible: bool) -> None:
    volume = 1.0 / density
    clues = Clues(told(case(block(printed(SIX)), mesh(volume=volume))))
    results = Results(clues, np.array([SIX]), np.ones(1), np.zeros((1, 3)))
    assert results.are_possible.tolist() == [is_possible]


# Lost entries ---------------------------------------------------------------------------------------------------------


def test_a_lost_moment_is_that_of_the_body_with_which_the_other_five_agree() -> None:
    far = mesh([1.6 * SIX.ixx, 1.3 * SIX.iyy, *SIX[2:]], volume=3e-4)
    near = ShapeBody(VISUAL, "solid", SpatialInertia(1.0, CENTRE, SIX), 4e-4)
    written = printed(SIX).split()
    found = likeliest(case(block(" ".join(["-", *written[1:]]), centre=CENTRE), far, near))
    assert (found.cause, found.source) == ("entry-omitted", "geometry")
    assert proposed(found).tensor.ixx == pytest.approx(SIX.ixx, rel=1e-4)


def test_one_moment_that_a_twin_has_right_is_the_twins_to_tell() -> None:
    written = case(block("0.0030 0.0006 -0.0004 0.0042 0.0003 0.0173", centre=CENTRE), mesh(), box=BOX)
    assert "one-entry-wrong" in causes(written)
    beside = case(written.written, mesh(), box=BOX, relatives=(twin(printed(SIX), centre=CENTRE),))
    found = diagnose(beside)
    assert "one-entry-wrong" not in [one.cause for one in found.explanations]
    assert found.likeliest is not None
    assert (found.likeliest.cause, found.likeliest.is_certain) == ("twin-differs", True)


# Digits ---------------------------------------------------------------------------------------------------------------


def test_the_digits_of_another_moment_show_that_the_point_was_moved() -> None:
    body, box = box_of(1.0, 1.0, 1.0)
    found = diagnose(told(case(block("33.3325 0 0 33.3325 0 0.0333325", "200"), body, box=box)))
    assert [one.cause for one in found.explanations[:1]] == ["decimal-point"]
    other = diagnose(told(case(block("33.3325 0 0 33.3325 0 0.0333371", "200"), body, box=box)))
    assert found.explanations[0].score > other.explanations[0].score + 2.0


def test_which_of_two_points_was_moved_is_not_certain_without_a_geometry() -> None:
    found = diagnose(case(block("0.0041567 0 0 41.567 0 0.0052", "2")))
    assert not any(one.is_certain for one in found.explanations)
