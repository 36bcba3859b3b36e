"""What may explain a finding: formulas in the digits, what moves centres, the file, other models, the geometry."""

from __future__ import annotations

from dataclasses import replace

import pytest
from causes.links import CENTRE, SIX, block, case, likeliest, mesh, printed, told, twin

from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.solids import ShapeBody
from sdfinertia.robot import COLLISION
from sdfinertia.shapes import Bounds

# What is told removes the finding -------------------------------------------------------------------------------------


def test_a_twin_with_the_same_numbers_explains_nothing() -> None:
    six = "0.0312 0.0021 -0.0033 0.0419 0.0017 0.0523"
    written = case(
        block(six, centre=CENTRE), mesh([value / 30 for value in SIX]), relatives=(twin(six, centre=CENTRE),)
    )
    for one in diagnose(told(written)).explanations:
        assert one.source != "twin"
        assert one.proposal is None or one.proposal.tensor != written.written.tensor


# Units ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "unit", "program"),
    [
        (1e6, "kg·mm²", "Fusion 360"),
        (1e7, "g·cm²", "SolidWorks (CGS)"),
        (1e9, "g·mm²", "SolidWorks"),
        (3417.171898, "lb·in²", "SolidWorks (IPS)"),
        (23.730360, "lb·ft²", "a program set to feet"),
    ],
)
def test_a_unit_names_what_prints_it(factor: float, unit: str, program: str) -> None:
    written = block(printed([factor * value for value in SIX], 8), centre=CENTRE)
    found = likeliest(told(case(written, mesh())))
    assert found.cause == "tensor-units"
    assert f"is in {unit}, as {program} prints it" in found.sentence


# Two mistakes at once -------------------------------------------------------------------------------------------------


def test_axes_exchanged_beside_a_box_are_likely_where_all_digits_say_so() -> None:
    box = Bounds((-0.15, -0.1, -0.05), (0.15, 0.1, 0.05))
    moments = (0.0041667, 0.0083333, 0.0108333)
    own = ShapeBody(COLLISION, "solid", SpatialInertia(1.0, (0.0,) * 3, InertiaTensor(*moments, 0, 0, 0)), 0.006)
    exact = likeliest(told(case(block("0.0108333 0 0 0.0083333 0 0.0041667"), own, box=box)))
    assert (exact.cause, exact.is_likely) == ("axes-exchanged", True)
    # Off by a tenth it is no more than the likeliest.
    near = diagnose(told(case(block("0.0119 0 0 0.0075 0 0.0041667"), own, box=box))).likeliest
    assert near is None or not (near.cause == "axes-exchanged" and near.is_likely)


# Other models and links -----------------------------------------------------------------------------------------------


def test_a_twin_that_holds_the_same_block_is_no_witness() -> None:
    six = "0.0030 0.0006 -0.0004 4.2 0.0003 0.0058"
    alone = case(block(six, centre=CENTRE), mesh(), findings=frozenset({"SDI103"}))
    same = replace(alone, relatives=(twin(six, centre=CENTRE),))
    other = replace(alone, relatives=(twin(printed(SIX), centre=CENTRE),))
    of_none, of_same, of_other = (diagnose(one).explanations for one in (alone, same, other))
    assert of_same == of_none
    assert not any("twin" in each for one in of_same for each in (one.sentence, *one.evidence))
    assert any("twin" in each for one in of_other for each in (one.sentence, *one.evidence))
