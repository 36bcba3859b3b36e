"""What looks like a mistake of one kind and is another, or none: each of these was seen in real files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from causes.links import BOX, CENTRE, SIX, block, case, causes, likeliest, mesh, printed, proposed, six_of, told, twin

from sdfinertia.causes.case import Relation
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.digits import within_last_digits
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.tensor_arrays import ROUNDING, are_bodies, matrices, point_masses, rotated, second_moments
from sdfinertia.links.solids import ShapeBody
from sdfinertia.robot.solid_kinds import COLLISION, VISUAL
from sdfinertia.shapes import Bounds

# 1: barely ------------------------------------------------------------------------------------------------------------


def test_barely_is_claimed_where_last_digits_leave_room_for_a_body() -> None:
    found = likeliest(case(block("0.1234 0 0 0.2346 0 0.3581", "10"), findings=frozenset({"SDI103"})))
    assert found.cause == "rounded-digits"
    assert (np.abs(six_of(proposed(found)) - six_of(block("0.1234 0 0 0.2346 0 0.3581"))) <= 0.5e-4 + 1e-12).all()


def test_a_bare_zero_is_exact() -> None:
    # With ixy of ±0.05 there would be a body; 0 has no last digit to round.
    six = np.array([0.1, 0.1, 0.2001, 0.0, 0.0, 0.0])
    assert within_last_digits(six, np.zeros(6)) is None
    assert within_last_digits(six, np.array([5e-3, 5e-3, 5e-5, 0, 0, 0])) is not None


def test_no_choice_of_last_digits_means_that_none_is_found() -> None:
    chance = np.random.default_rng(7)
    for _ in range(50):
        six = np.concatenate((chance.uniform(0.5, 2.0, 3), chance.uniform(-0.6, 0.6, 3)))
        halves = np.full(6, 0.05)
        found = within_last_digits(six, halves)
        tries = six + chance.uniform(-0.05, 0.05, (2000, 6))
        bodies = np.linalg.eigvalsh(matrices(second_moments(tries)))[:, 0] >= 0.0
        assert found is not None or not bodies.any()
        if found is not None:
            assert (np.abs(found - six) <= halves + 1e-12).all()
            assert np.linalg.eigvalsh(matrices(second_moments(found)))[0] >= -1e-12


# 2: the only power of ten ---------------------------------------------------------------------------------------------


def test_five_entries_ten_times_too_large_beat_the_only_single_power_beside_the_mesh() -> None:
    # rm_models ECO62 link_1: iyy times ten is the only single power of ten that gives a body, ten times too heavy.
    six = InertiaTensor(0.00069, 0.00188, 0.00196, -0.00024, 0.00014, 0.00001)
    body = mesh([value / 1.19575 for value in six], (-0.0382, -0.0055, -0.0025), 4.4e-4)
    box = Bounds((-0.1015, -0.0435, -0.034), (0.031, 0.031, 0.0308))
    written = block("0.01026 0.000561 -0.000395 0.002074 -0.00145 0.02213", "1.19575", (-0.036, -0.01347, -0.00908))
    found = likeliest(case(written, body, box=box))
    assert found.cause == "exponent"
    assert proposed(found).tensor.iyy == 0.002074


def test_the_only_valid_change_is_not_certain_by_itself() -> None:
    # gazebosim/ros_gz, issue 155: nearly a plate of 0.38 m at 0.037 kg.
    found = likeliest(case(block(".00043261 -.00067195 3.147e-5 .0010929 -1.979e-5 .0051879", "0.037")))
    assert found.cause == "decimal-point"
    assert not found.is_certain


# 3: twins -------------------------------------------------------------------------------------------------------------


def test_a_lost_point_is_the_cause_and_the_twin_the_evidence() -> None:
    right = twin("0.003 0.0006 -0.0004 0.0042 0.0003 0.0058")
    found = likeliest(case(block("0.003 0.0006 -0.0004 0.0042 0.0003 5.8"), relatives=(right,)))
    assert (found.cause, found.source) == ("decimal-point", "digits")
    assert any("twin" in sentence for sentence in found.evidence)


@pytest.mark.parametrize(
    "facts", [{"izz": "0.0074"}, {"is_near_geometry": False}, {"mass": "1.01"}], ids=["invalid", "far", "other mass"]
)
def test_a_twin_that_does_not_count_is_no_evidence(facts: dict[str, object]) -> None:
    others = {name: fact for name, fact in facts.items() if name not in ("mass", "izz")}
    mass, izz = str(facts.get("mass", "1")), facts.get("izz", "0.0058")
    right = twin(f"0.0030 0.0006 -0.0004 0.0042 0.0003 {izz}", mass, **others)
    assert "twin-differs" not in causes(case(block("0.0030 0.0006 -0.0004 0.0042 0.0003 0.0173"), relatives=(right,)))


def test_a_mistake_that_twins_share_is_no_evidence_for_it() -> None:
    wrong = InertiaTensor(*SIX[:3], *(-value for value in SIX[3:]))
    shared = twin(printed(wrong))
    found = likeliest(told(case(block(printed(wrong), centre=CENTRE), mesh(), relatives=(shared,))))
    assert found.cause == "products-cad-signs"


# 4: an offset makes almost anything a body ----------------------------------------------------------------------------


def test_a_lever_without_coincidence_or_geometry_is_not_certain() -> None:
    written = block("-0.0013 0.0009 -0.0011 0.0012 0.0008 0.0031", centre=(0.06, 0.07, 0.05))
    assert not any(explanation.is_certain for explanation in diagnose(case(written)).explanations)


@pytest.mark.parametrize("turn", [(0.3, -1.1, 2.0), (1.5707963, 0.0, 0.0)])
def test_no_other_axes_and_no_lever_taken_away_make_a_body_of_what_is_none(turn: tuple[float, float, float]) -> None:
    # What the diagnosis does not even try: the second moments keep their eigenvalues, or lose some.
    chance = np.random.default_rng(3)
    components = np.concatenate((chance.uniform(0.5, 3.0, (300, 3)), chance.uniform(-0.6, 0.6, (300, 3))), axis=1)
    none = components[~are_bodies(components, 2.0 * ROUNDING)]
    assert len(none) > 50
    assert not are_bodies(rotated(none, np.array(rotation_from_rpy(*turn)).reshape(3, 3))).any()
    assert not are_bodies(none - point_masses(np.full(len(none), 0.7), chance.normal(size=(len(none), 3)))).any()


# 5: which sign --------------------------------------------------------------------------------------------------------


def test_one_and_three_signs_look_the_same_to_the_triangle() -> None:
    # With xy·xz·yz of the other sign it is no body; whether one or all three turned cannot be told.
    flat = block("0.0102 0.0049 0.0049 0.0102 0.0049 0.0102")
    found = diagnose(case(flat))
    assert "products-cad-signs" in [explanation.cause for explanation in found.explanations]
    assert not any(explanation.is_certain for explanation in found.explanations)


def test_signs_are_told_by_an_exact_mesh() -> None:
    turned = InertiaTensor(*SIX[:3], *(-value for value in SIX[3:]))
    found = diagnose(case(block(printed(turned), centre=CENTRE), mesh()))
    assert not found.is_finding
    assert found.likeliest is not None
    assert found.likeliest.cause == "products-cad-signs"


# 6: proportional to the mesh ------------------------------------------------------------------------------------------


def test_a_tensor_of_another_mass_is_a_hint_and_not_certain() -> None:
    found = likeliest(told(case(block(printed([7.3 * value for value in SIX]), centre=CENTRE), mesh())))
    assert found.cause == "mass-changed"
    assert not found.is_certain


def test_a_tensor_at_a_default_density_is_certain() -> None:
    # 4e-4 m³ at 1000 kg/m³ weigh 0.4 kg; the mass was written later.
    body = mesh(volume=4e-4)
    found = likeliest(told(case(block(printed([0.4 * value for value in SIX]), "2.5", CENTRE), body)))
    assert (found.cause, found.is_certain) == ("default-density", True)
    assert proposed(found).tensor.ixx == pytest.approx(2.5 * SIX.ixx, rel=1e-4)


# 7: versions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mass", "centre"), [("1.2", CENTRE), ("1", (0.05, 0.0, 0.0))], ids=["mass", "centre"])
def test_another_version_of_a_link_says_nothing(mass: str, centre: tuple[float, float, float]) -> None:
    other = twin(printed(SIX), mass, Relation.SIBLING, centre=centre)
    assert "sibling-differs" not in causes(
        case(block("0.0030 0.0006 -0.0004 0.0042 0.0003 0.0173", centre=CENTRE), relatives=(other,))
    )


def test_the_same_link_of_equal_mass_and_centre_is_evidence() -> None:
    other = twin(printed(SIX), "1", Relation.SIBLING, centre=CENTRE)
    written = block("0.0030 0.0006 -0.0004 0.0042 0.0003 0.0173", centre=CENTRE)
    found = likeliest(case(written, relatives=(other,)))
    assert (found.cause, found.source) == ("sibling-differs", "sibling")


# 8: rounded away ------------------------------------------------------------------------------------------------------


def test_small_multiples_of_a_step_beside_a_grain_are_rounded_away_and_not_unpopulated() -> None:
    # dexhand index_tip_1.
    six = [value / 0.0161 for value in (9.18e-07, 8.23e-07, 2.93e-07, 5e-9, 4e-8, 4e-8)]
    body = mesh(six, (-0.0009, 0.0054, 0.0068), 1.4e-5)
    box = Bounds((-0.006, -0.0014, -0.005), (0.005, 0.0123, 0.0202))
    found = likeliest(case(block("1e-06 0.0 0.0 1e-06 0.0 0.0", "0.0161", (-0.0009, 0.0054, 0.0068)), body, box=box))
    assert found.cause == "rounded-away"


def test_the_same_numbers_on_a_larger_link_were_never_filled_in() -> None:
    found = likeliest(case(block("1e-06 0.0 0.0 1e-06 0.0 0.0", centre=CENTRE), mesh()))
    assert found.cause == "zero-moment"


# 9: boxes prove nothing about products --------------------------------------------------------------------------------


def test_no_slip_is_named_beside_a_box() -> None:
    turned = InertiaTensor(*SIX[:3], *(-value for value in SIX[3:]))
    assert not diagnose(case(block(printed(turned), centre=CENTRE), mesh(exact=False))).explanations


def test_the_visual_decides_where_the_collision_is_a_box() -> None:
    turned = InertiaTensor(*SIX[:3], *(-value for value in SIX[3:]))
    plain = ShapeBody(COLLISION, "solid", SpatialInertia(1.0, CENTRE, InertiaTensor(*SIX[:3])), volume=5e-4)
    visual = mesh()._replace(kind=VISUAL)
    found = diagnose(case(block(printed(turned), centre=CENTRE), plain, visual))
    assert [explanation.cause for explanation in found.explanations][:1] == ["products-cad-signs"]


# 10: exact digits outrank a poor mesh ---------------------------------------------------------------------------------


def test_a_copied_block_is_named_before_what_fits_a_little() -> None:
    other = replace(
        twin("0.0312 0.0021 -0.0033 0.0419 0.0017 0.0523", "2", Relation.OTHER, centre=(0.1, 0.0, 0.2)),
        has_same_geometry=False,
    )
    written = block("0.0312 0.0021 -0.0033 0.0419 0.0017 0.0523", "2")
    small = mesh([value / 30.0 for value in SIX], (0.0, 0.0, 0.0))
    found = likeliest(told(case(written, small, relatives=(other,))))
    assert (found.cause, found.source) == ("copied-link", "geometry")


# What is certain ------------------------------------------------------------------------------------------------------


def test_what_a_twin_contradicts_by_more_than_a_factor_of_three_is_not_certain() -> None:
    lost = block("0.0030 0.0006 -0.0004 0.0042 0.0003 00058")
    assert likeliest(case(lost)).is_certain
    against = twin(printed([4.0 * value for value in SIX]))
    assert not any(one.is_certain for one in diagnose(case(lost, relatives=(against,))).explanations)


@pytest.mark.parametrize("volume", [1e-6, 1.0], ids=["heavier than any metal", "lighter than any foam"])
def test_what_has_no_likely_density_is_not_certain(volume: float) -> None:
    lost = block("0.0030 0.0006 -0.0004 0.0042 0.0003 00058", centre=CENTRE)
    assert likeliest(case(lost, mesh())).is_certain
    assert not likeliest(case(lost, mesh(volume=volume))).is_certain


def test_what_lies_outside_the_box_is_not_certain() -> None:
    lost = block("0.0030 0.0006 -0.0004 0.0042 0.0003 00058")
    small = Bounds((-0.03, -0.03, -0.03), (0.03, 0.03, 0.03))
    assert not likeliest(case(lost, mesh(), box=small)).is_certain


def test_a_right_link_beside_its_mesh_is_left_alone() -> None:
    assert not diagnose(case(block(printed(SIX), centre=CENTRE), mesh(), box=BOX)).explanations
