"""What may be written without asking, and what looks as sure and is not: each of these was seen beside real links."""

from __future__ import annotations

import numpy as np
import pytest
from causes.links import SIX, block, case, likeliest, mesh, printed, simple, told
from causes.seen_links import in_box

from sdfinertia.causes.clues import Candidates, Clues
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.evidence import Results
from sdfinertia.inertia import SpatialInertia
from sdfinertia.shapes import Bounds

# Factors --------------------------------------------------------------------------------------------------------------


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
    results = Results(clues, [Candidates(np.array([changed]), "")])
    assert results.are_compared.tolist() == [True, is_compared]


@pytest.mark.parametrize(("density", "is_possible"), [(19_900.0, True), (20_100.0, False)])
def test_no_part_is_denser_than_the_densest_metal(density: float, is_possible: bool) -> None:
    volume = 1.0 / density
    clues = Clues(told(case(block(printed(SIX)), mesh(volume=volume))))
    results = Results(clues, [])
    assert results.are_possible.tolist() == [is_possible]


# Digits ---------------------------------------------------------------------------------------------------------------


def test_the_digits_of_another_moment_show_that_the_point_was_moved() -> None:
    moments = ("33.3325 0 0 33.3325 0 0.0333325", "33.3325 0 0 33.3325 0 0.0333371")
    same, other = (likeliest(in_box(1, 1, 1, six, "200")) for six in moments)
    assert (same.cause, other.cause) == ("decimal-point", "thin-rod-formula")
