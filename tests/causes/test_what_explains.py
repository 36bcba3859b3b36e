"""What may explain a finding: formulas in the digits, what moves centres, the file, other models, the geometry."""

from __future__ import annotations

from dataclasses import replace

import pytest
from causes.links import BOX, CENTRE, SIX, block, case, causes, likeliest, mesh, printed, proposed, sphere, told, twin

from sdfinertia.causes.case import Case, Elsewhere, FileEvidence, Frame, Relation
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.habits import Habits
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.solids import ShapeBody
from sdfinertia.robot.solid_kinds import COLLISION, VISUAL
from sdfinertia.shapes import Bounds

DOOR = Bounds((-0.008, -0.14, -0.4), (0.008, 0.14, 0.4))
# At 1 kg, about its middle.
PLATE = ShapeBody(
    COLLISION, "solid", SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(0.05987, 0.05336, 0.006555)), 0.0036
)
OUTSIDE = frozenset({"SDI208"})


# Formulas -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("six", "mass", "shape"),
    [
        ("0.01042 0 0 0.00542 0 0.00542", "1", "a box of 0.05 × 0.25 × 0.25 m"),
        ("0.4359375 0 0 0.4359375 0 0.759375", "30", "a cylinder of radius 0.225 m and length 0.15 m"),
        ("5.170666666666667e-06 0 0 5.170666666666667e-06 0 4.032e-06", "0.056", "radius 0.012 m and length 0.026 m"),
        ("0.000833333333333 0 0 0.000833333333333 0 0.000833333333333", "2", "a box of 0.05 × 0.05 × 0.05 m"),
    ],
)
def test_a_formula_of_another_shape_is_read_from_the_digits(six: str, mass: str, shape: str) -> None:
    found = likeliest(told(case(block(six, mass), PLATE, box=DOOR)))
    assert found.cause == "shape-of-another-size"
    assert shape in found.sentence


@pytest.mark.parametrize("six", ["0.01042 0 0 0.00537 0 0.00491", "0.0104 0 0 0.0051 0 0.0049"])
def test_digits_that_no_round_shape_gives_back_are_no_formula(six: str) -> None:
    assert "shape-of-another-size" not in causes(told(case(block(six), PLATE, box=DOOR)))


def test_the_links_own_shape_in_another_unit_is_no_other_shape() -> None:
    six = [value * 1e6 for value in (0.0125, 0.025, 0.0325)]
    own = ShapeBody(COLLISION, "solid", SpatialInertia(1.0, (0.0,) * 3, InertiaTensor(*(v / 3e6 for v in six))), 0.006)
    box = Bounds((-0.15, -0.1, -0.05), (0.15, 0.1, 0.05))
    found = diagnose(told(case(block(f"{six[0]} 0 0 {six[1]} 0 {six[2]}", "3"), own, box=box))).explanations
    assert "shape-of-another-size" not in [one.cause for one in found]


def test_a_box_about_its_corner_is_read_from_its_products_though_a_moment_is_written_twice() -> None:
    # The Allegro hand: 0.0196 × 0.0275 × 0.054 m with y and z exchanged, and izz as ixx.
    written = block(
        "7.95654166667e-05 1.7199e-05 8.75875e-06 2.47088833333e-05 2.413125e-05 7.95654166667e-05", "0.065"
    )
    found = likeliest(case(written))
    assert found.cause == "about-corner"
    assert "0.0196 × 0.0275 × 0.054 m" in found.sentence or "0.0196 × 0.054 × 0.0275 m" in found.sentence
    assert "written twice" in found.sentence


def test_products_that_are_no_corners_give_no_box() -> None:
    written = block(
        "7.95654166667e-05 1.7199e-05 8.95875e-06 2.47088833333e-05 2.413125e-05 7.95654166667e-05", "0.065"
    )
    assert "about-corner" not in causes(case(written))


def test_the_rule_of_the_unit_tensor_names_its_cause_beside_a_geometry_that_fits_too() -> None:
    cube = ShapeBody(COLLISION, "solid", SpatialInertia(1.0, (0.0,) * 3, InertiaTensor(0.0067, 0.0067, 0.0067)), 0.008)
    link = case(block("1 0 0 1 0 1", "100"), cube, findings=frozenset({"SDI105"}))
    assert likeliest(link).cause == "unit-tensor"


# Centres --------------------------------------------------------------------------------------------------------------


def test_a_centre_is_not_explained_by_the_tensor_but_by_a_frame() -> None:
    centre = (0.069, -0.047, 0.107)
    pose = RigidTransform(IDENTITY_ROTATION, (-0.069, 0.047, -0.107))
    small = Bounds((-0.01, -0.01, -0.01), (0.01, 0.01, 0.01))
    body = mesh((4e-5, 4e-5, 4e-5, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 8e-6, exact=False)
    link = case(block("0.001 0 0 0.001 0 0.001", "0.035", centre), body, box=small, findings=OUTSIDE)
    framed = replace(link, frames=(Frame("the origin of the model", pose),))
    found = likeliest(framed)
    assert found.cause == "in-other-frame"
    assert proposed(found).centre == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)
    # Of the same link with a finding in the tensor the number that stands about every axis is the cause.
    assert likeliest(replace(framed, findings=frozenset({"SDI209"}))).cause == "power-of-ten"
    assert "power-of-ten" not in causes(framed)


def test_a_centre_that_was_left_out_is_the_geometrys() -> None:
    away = mesh(SIX, (0.9, 0.0, 0.0))
    box = Bounds((0.75, -0.12, -0.1), (1.05, 0.12, 0.14))
    found = likeliest(case(block(printed(SIX)), away, box=box, findings=OUTSIDE))
    assert (found.cause, found.source) == ("centre-omitted", "geometry")
    assert proposed(found).centre == (0.9, 0.0, 0.0)


def test_a_template_of_a_whole_block_explains_its_centre_too() -> None:
    away = mesh(SIX, (0.9, 0.0, 0.0))
    box = Bounds((0.75, -0.12, -0.1), (1.05, 0.12, 0.14))
    written = block("0.01 0 0 0.01 0 0.01", "2")
    file = FileEvidence([(f"link_{k}", written) for k in range(7)])
    assert likeliest(case(written, away, box=box, findings=OUTSIDE, file=file)).cause == "power-of-ten"


# What is told removes the finding -------------------------------------------------------------------------------------


def test_a_twin_with_the_same_numbers_explains_nothing() -> None:
    six = "0.0312 0.0021 -0.0033 0.0419 0.0017 0.0523"
    written = case(
        block(six, centre=CENTRE), mesh([value / 30 for value in SIX]), relatives=(twin(six, centre=CENTRE),)
    )
    for one in diagnose(told(written)).explanations:
        assert one.source != "twin"
        assert one.proposal is None or one.proposal.tensor != written.written.tensor


# The file -------------------------------------------------------------------------------------------------------------


def about_origin(factor: float) -> Case:
    """A link whose tensor was written about its origin, and another part of the same file with another one."""
    centre = (0.2 * factor, 0.0, 0.1)
    six = InertiaTensor(*(factor * value for value in SIX))
    offset = (0.01, centre[0] ** 2 + 0.01, centre[0] ** 2, 0.0, -0.1 * centre[0], 0.0)
    written = block(printed([a + b for a, b in zip(six, offset, strict=True)]), "1", centre)
    box = Bounds((centre[0] - 0.15, -0.12, -0.1), (centre[0] + 0.15, 0.12, 0.2))
    body = mesh([1.6 * value for value in six], centre, exact=False)
    return replace(case(written, body, box=box), name=f"link_{factor}")


def test_a_mistake_that_the_file_makes_everywhere_counts_for_each_of_its_links() -> None:
    links = [about_origin(0.6 + 0.1 * k) for k in range(8)]
    file = FileEvidence([(one.name, one.written) for one in links], Habits(lambda: links))
    alone, beside = (
        {one.cause: one for one in diagnose(told(replace(links[0], file=each))).explanations} for each in (None, file)
    )
    assert beside["about-link-origin"].score > alone["about-link-origin"].score + 1.0


def test_the_step_of_a_file_is_the_last_decimal_of_all_its_tensors() -> None:
    blocks = [("a", block("0.00012 0 0 0.00012 0 0.00002")), ("b", block("0.01 0 0 0.02 0 0.00300"))]
    assert FileEvidence([*blocks, ("c", block("1 0 0 2 0 1.5"))]).step == 1e-5
    assert FileEvidence(blocks).step is None
    assert FileEvidence([*blocks, ("c", block("1.123456789 0 0 2 0 1.5"))]).step is None


def test_what_is_rounded_to_nothing_by_the_decimals_of_its_block_was_rounded_and_not_left_out() -> None:
    rod = mesh([value / 0.0307 for value in (1.034e-4, 1.04e-4, 1.4e-6, 0.0, 0.0, 0.0)], (0.0, -0.01, -0.07), 4e-5)
    box = Bounds((-0.014, -0.019, -0.17), (0.014, 0.003, 0.014))
    written = block("0.00012 0.00000 0.00000 0.00012 0.00000 0.00000", "0.0307", (0.0, -0.009, -0.089))
    found = likeliest(told(case(written, rod, box=box)))
    assert found.cause == "rounded-away"


def test_one_number_on_many_links_is_likelier_made_up_than_on_one() -> None:
    written = block("4e-5 0 0 4e-5 0 4e-5", "0.05")
    files = [FileEvidence([(f"link_{k}", written) for k in range(count)]) for count in (1, 9)]
    one, many = (likeliest(told(case(written, PLATE, box=DOOR, file=file))) for file in files)
    assert one.cause == many.cause == "one-number"
    assert many.score > one.score + 2.0


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


def test_one_number_of_a_ball_says_that_it_is_a_ball() -> None:
    ball, box = sphere(0.1)
    for bodies, bounds, what in (
        ((ball,), box, "a ball of another size"),
        ((mesh(),), BOX, "a link that is not a ball"),
    ):
        found = diagnose(told(case(block("0.0371 0 0 0.0371 0 0.0371"), *bodies, box=bounds))).explanations
        assert [what in one.sentence for one in found if one.cause == "one-number"] == [True]


# Two mistakes at once -------------------------------------------------------------------------------------------------


def test_a_block_half_a_turn_away_is_told_from_one_with_signs_of_cad_by_its_centre() -> None:
    half_turn = [*SIX[:3], SIX.ixy, -SIX.ixz, -SIX.iyz]
    x, y, z = CENTRE
    found = likeliest(told(case(block(printed(half_turn), centre=(-x, -y, z)), mesh())))
    assert found.cause == "in-other-axes"
    assert found.proposal is not None
    assert found.proposal.centre == pytest.approx(CENTRE)
    assert found.proposal.tensor == pytest.approx(SIX)
    # The centre of a part stays where it is when its products have the signs of positive integrals.
    signs = [*SIX[:3], *(-value for value in SIX[3:])]
    assert likeliest(told(case(block(printed(signs), centre=CENTRE), mesh()))).cause == "products-cad-signs"


def test_a_mirror_image_about_the_origin_without_its_centre_is_both() -> None:
    far = (0.0, 0.4, 0.0)
    six = [SIX.ixx + 0.16, SIX.iyy, SIX.izz + 0.16, -SIX.ixy, -SIX.ixz, SIX.iyz]
    box = Bounds((-0.15, 0.25, -0.1), (0.15, 0.55, 0.14))
    found = likeliest(told(case(block(printed(six)), mesh(SIX, far), box=box)))
    assert found.cause == "about-link-origin"
    assert found.proposal is not None
    assert found.proposal.centre == far


def test_axes_exchanged_beside_a_box_are_likely_where_all_digits_say_so() -> None:
    box = Bounds((-0.15, -0.1, -0.05), (0.15, 0.1, 0.05))
    moments = (0.0041667, 0.0083333, 0.0108333)
    own = ShapeBody(COLLISION, "solid", SpatialInertia(1.0, (0.0,) * 3, InertiaTensor(*moments, 0, 0, 0)), 0.006)
    exact = likeliest(told(case(block("0.0108333 0 0 0.0083333 0 0.0041667"), own, box=box)))
    assert (exact.cause, exact.is_likely) == ("axes-exchanged", True)
    # Off by a tenth it is no more than the likeliest.
    near = likeliest(told(case(block("0.0119 0 0 0.0075 0 0.0041667"), own, box=box)))
    assert not (near.cause == "axes-exchanged" and near.is_likely)


# Other models and links -----------------------------------------------------------------------------------------------


def test_a_block_that_stands_in_other_models_was_copied() -> None:
    written = block("0.197563 0 0 0.1458929 0 0.1477")
    link = told(case(written, mesh(), box=BOX))
    assert likeliest(link).cause != "copied-link"
    found = likeliest(replace(link, elsewhere=(Elsewhere("../plane/plane.sdf base_link", 1.0),)))
    assert found.cause == "copied-link"
    assert "../plane/plane.sdf base_link" in found.sentence


@pytest.mark.parametrize("relation", [Relation.SIBLING, Relation.TWIN])
def test_a_link_that_holds_the_same_block_is_no_witness(relation: Relation) -> None:
    six = "0.0030 0.0006 -0.0004 4.2 0.0003 0.0058"
    alone = case(block(six, centre=CENTRE), mesh(), findings=frozenset({"SDI103"}))
    same = replace(alone, relatives=(twin(six, relation=relation, centre=CENTRE),))
    other = replace(alone, relatives=(twin(printed(SIX), relation=relation, centre=CENTRE),))
    of_none, of_same, of_other = (diagnose(one).explanations for one in (alone, same, other))
    assert of_same == of_none
    assert not any(relation.value in each for one in of_same for each in (one.sentence, *one.evidence))
    assert any(relation.value in each for one in of_other for each in (one.sentence, *one.evidence))


def test_masses_on_a_line_are_those_of_a_file() -> None:
    lines = [(0.1, 0.2, -0.1), (0.3, -0.1, 0.2), (0.1, 0.1, 0.4)]
    blocks = [
        (f"link_{k}", block(printed((y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z), 12)))
        for k, (x, y, z) in enumerate(lines)
    ]
    found = likeliest(told(case(blocks[0][1], mesh(), file=FileEvidence(blocks))))
    assert found.cause == "file-wide-line-mass"
    few = diagnose(told(case(blocks[0][1], mesh(), file=FileEvidence(blocks[:2])))).explanations
    assert "file-wide-line-mass" not in [one.cause for one in few]


def test_one_number_is_no_fingerprint() -> None:
    assert not block("1.1e-9 0 0 1.1e-9 0 1.1e-9").is_fingerprint
    assert block("9.75e-07 0 0 0.000166704 0 0.000167604").is_fingerprint


def test_links_of_the_same_shape_do_not_copy_each_other() -> None:
    six = "0.0312 0 0 0.0419 0 0.0523"
    other = twin(six, relation=Relation.OTHER, has_same_geometry=True)
    assert "copied-link" not in causes(told(case(block(six), mesh(), relatives=(other,))))


def test_a_block_times_a_power_of_ten_is_a_copy() -> None:
    other = twin("9.7513e-07 0 0 0.000166739 0 0.000167633", "0.05", Relation.OTHER, has_same_geometry=False)
    found = likeliest(told(case(block("9.7513e-05 0 0 0.0166739 0 0.0167633", "0.05"), mesh(), relatives=(other,))))
    assert found.cause == "copied-link"
    assert "times 100" in found.sentence


# The geometry ---------------------------------------------------------------------------------------------------------


def test_numbers_that_agree_with_what_is_seen_and_not_with_what_collides_are_right() -> None:
    seen = mesh()._replace(kind=VISUAL)
    plate = PLATE._replace(inertia=SpatialInertia(1.0, CENTRE, InertiaTensor(0.19, 0.19, 0.38)))
    found = likeliest(told(case(block(printed(SIX), centre=CENTRE), plate, seen)))
    assert (found.cause, found.source, found.proposal) == ("geometry-is-the-bogus-one", "elsewhere", None)


def test_simple_shapes_stand_in_for_a_mesh_that_is_like_what_was_measured() -> None:
    seen = mesh([1.5 * value for value in SIX], exact=False)._replace(kind=VISUAL)
    ball, _ = sphere(0.02)
    measured = block("0.003013 0.000612 -0.000418 0.004227 0.000309 0.005812", centre=CENTRE)
    assert likeliest(told(case(measured, ball, seen))).cause == "geometry-is-the-bogus-one"
    # What was made up is like a mesh by chance, and a mesh that is no nearer than the ball says nothing.
    rough = diagnose(told(case(block("0.003 0 0 0.004 0 0.006"), ball, seen))).explanations
    far = diagnose(told(case(measured, ball, mesh([9.0 * value for value in SIX])._replace(kind=VISUAL)))).explanations
    assert "geometry-is-the-bogus-one" not in [one.cause for one in (*rough, *far)]


def test_a_tensor_about_the_origin_whose_centre_was_left_out_is_seen_beside_the_geometry() -> None:
    far = (0.0, 0.4, 0.0)
    body = mesh(SIX, far)
    six = [*(a + b for a, b in zip(SIX[:3], (0.16, 0.0, 0.16), strict=True)), *SIX[3:]]
    box = Bounds((-0.15, 0.25, -0.1), (0.15, 0.55, 0.14))
    found = likeliest(told(case(block(printed(six)), body, box=box)))
    assert found.cause == "about-link-origin"
    assert proposed(found).centre == far


# Shares ---------------------------------------------------------------------------------------------------------------


def test_on_geometry_alone_nothing_is_likelier_than_not() -> None:
    written = block(printed([100.0 * value for value in SIX]), centre=CENTRE)
    body = mesh([1.4 * SIX.ixx, 0.9 * SIX.iyy, *SIX[2:]], exact=False)
    found = likeliest(told(case(written, body)))
    assert (found.cause, found.is_certain) == ("tensor-units", False)
    assert found.share <= 0.45
