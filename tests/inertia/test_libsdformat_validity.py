from itertools import permutations, product
from math import inf, nan

import pytest
from builders.bodies import rotations, sizes
from hypothesis import given

from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import closed_form_moments, is_accepted_by_libsdformat
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.inertia.solids import box


@given(size=sizes, rotation=rotations)
def test_boxes_are_accepted_however_they_are_turned(size: tuple, rotation: tuple) -> None:
    body = box(size, 1000.0)
    assert is_accepted_by_libsdformat(body.mass, body.I_BBcm_B.rotated(rotation))


@pytest.mark.parametrize(
    ("mass", "values"),
    [
        *[(0.0, (1.0, 1.0, 1.0)), (-1.0, (1.0, 1.0, 1.0)), (nan, (1.0, 1.0, 1.0)), (1.0, (1.0, 1.0, inf))],
        *[(1.0, (0.0, 1.0, 1.0)), (1.0, (0.0, 0.0, 0.0)), (1.0, (1.0, -1.0, 1.0)), (1.0, (1.0, 1.0, -1.0))],
        *[(1.0, (1.0, 1.0, 1.0, 2.0)), (1.0, (1.0, 1.0, 1.0, 0.0, 0.0, 1.5))],
        *[(1.0, (1.0, 1.0, 3.0)), (1.0, (3.0, 1.0, 1.0))],
        (1.0, (1.0, 1.0, 2.0 + 5e-14)),
    ],
)
def test_impossible_numbers_are_refused(mass: float, values: tuple[float, ...]) -> None:
    assert not is_accepted_by_libsdformat(mass, InertiaTensor(*values))


# Ten machine epsilons of half the trace: 2.2e-15 for a trace of 2.
@pytest.mark.parametrize(
    ("mass", "tensor", "accepted"),
    [
        pytest.param(1.0, (1.0, 1.0, -1e-15), True, id="least moment a little below zero, last"),
        pytest.param(1.0, (-1e-15, 1.0, 1.0), True, id="least moment a little below zero, first"),
        pytest.param(1.0, (1.0, -1e-15, 1.0), True, id="least moment a little below zero, in the middle"),
        pytest.param(1.0, (1.0, 1.0, -3e-15), False, id="least moment below the slack, last"),
        pytest.param(1.0, (-3e-15, 1.0, 1.0), False, id="least moment below the slack, first"),
        pytest.param(1.0, (0.5, 0.5, 1.0 + 1e-15), True, id="triangle a little open"),
        pytest.param(1.0, (0.5, 0.5, 1.0 + 3e-15), False, id="triangle open beyond the slack"),
        pytest.param(1.0, (1e4, 1e4, -1e-12), False, id="the determinant, in larger units, below the slack"),
        pytest.param(1.0, (1e-4, 1e-4, -1e-19), True, id="the determinant, in smaller units, within the slack"),
        pytest.param(1.0, (-1.0, -1.0, 3.0), False, id="two moments below zero"),
        pytest.param(0.0, (1.0, 1.0, 1.0), True, id="no mass"),
        pytest.param(-1.0, (1.0, 1.0, 1.0), False, id="negative mass"),
        pytest.param(inf, (1.0, 1.0, 1.0), False, id="infinite mass"),
        pytest.param(1.0, (1.0, nan, 1.0), False, id="no number"),
        pytest.param(1.0, (0.0, 0.0, 0.0), True, id="a point"),
    ],
)
def test_the_slack_is_ten_epsilons_of_half_the_trace(mass, tensor, accepted):
    assert is_accepted_by_libsdformat(mass, InertiaTensor(*tensor), must_turn=False) is accepted


def along(axis: tuple[float, float, float], about: float, across: float) -> InertiaTensor:
    """A body of revolution about an axis with these moments."""
    x, y, z = axis
    k = across - about
    return InertiaTensor(across - k * x * x, across - k * y * y, across - k * z * z, -k * x * y, -k * x * z, -k * y * z)


@pytest.mark.parametrize("signs", [*product((1, -1), repeat=3)])
@pytest.mark.parametrize("axis", [*permutations((1 / 3, 2 / 3, 2 / 3))])
def test_a_thin_rod_in_any_direction_is_no_rod_to_gz_math_for_sure(axis, signs):
    x, y, z = (sign * value for sign, value in zip(signs, axis, strict=True))
    assert is_accepted_by_libsdformat(1.0, along((x, y, z), 1e-6, 1.0))
    assert not is_accepted_by_libsdformat(1.0, along((x, y, z), 1e-9, 1.0))


# Computed once with MassMatrix3d::PrincipalMoments of gz-math's main branch (July 2026), by GCC on x86-64.
GZ_MATH = {
    "a block": (
        "5432.09881819 5276.09320422 3291.8079776 630.183815794 -1502.02323862 -79.7880518141",
        "2500.000000002471 5000.000000003533 6500.000000003995",
    ),
    "a rod of 1:1e4": (
        "2.88866418614e-07 6.70839142895e-07 7.06961138492e-07 -2.97443635702e-07 2.62307995727e-07 1.43299511171e-07",
        "1.6666592894086327e-14 8.333333341100721e-07 8.33333349224335e-07",
    ),
    "a rod of 1:1e6": (
        "4.08690274559e-12 8.25355558379e-11 8.00442080835e-11 -7.95116462697e-12 1.61447030263e-11 1.61987348407e-12",
        "1.8677048914270237e-22 8.333333333340161e-11 8.333333333340161e-11",
    ),
    "a plate of 1:1e4": (
        "0.0101598055754 0.00838798793778 0.0147855399868 -0.000315950884098 0.0034328961043 -0.000593836896974",
        "0.008333333204248885 0.008333333629064549 0.016666666666666562",
    ),
    "a plate of 1:1e6": (
        "0.000521426846113 0.000713763668028 0.000431476152526 0.000110967159838 0.000295336828527 -6.13844974266e-06",
        "0.000166666666666743 0.0006666666666668517 0.000833333333333405",
    ),
    "a cube but for a hair": (
        "166.66755708 166.66766339 166.667279535 1.89571385638e-05 -0.000205974695206 3.56303745015e-05",
        "166.66716666706427 166.66766666896788 166.66766666896788",
    ),
    "small": (
        "5.43209881819e-42 5.27609320422e-42 3.2918079776e-42 6.30183815794e-43 -1.50202323862e-42 -7.97880518141e-44",
        "2.500000000002464e-42 5.000000000003554e-42 6.500000000003983e-42",
    ),
    "a rod of 1:1e5, refused": (
        "8.31080117373e-10 7.61545086138e-09 8.22013569125e-09 -2.3207188737e-09 9.21540764535e-10 2.85065963964e-10",
        "1.6698306054682803e-18 8.33333317208417e-09 8.333333496249e-09",
    ),
}


@pytest.mark.parametrize("name", GZ_MATH)
def test_the_closed_form_errs_as_in_gz_math(name):
    entries, values = (tuple(map(float, numbers.split())) for numbers in GZ_MATH[name])
    # Other libraries of powers and cosines differ in the last bit, which the arc cosine makes more of.
    assert closed_form_moments(InertiaTensor(*entries)) == pytest.approx(values, rel=1e-15, abs=1e-9 * max(values))
    assert is_accepted_by_libsdformat(1.0, InertiaTensor(*entries), must_turn=False) is ("refused" not in name)


def test_products_up_to_a_millionth_count_as_none() -> None:
    assert closed_form_moments(InertiaTensor(3.0, 1.0, 2.0, 3e-6, 0.0, -2e-6)) == (3.0, 1.0, 2.0)
    assert closed_form_moments(InertiaTensor(3.0, 1.0, 2.0, 4e-6, 0.0, -2e-6))[2] > 3.0


@pytest.mark.parametrize("scale", [1e-160, 1e-110, 1e110, 1e200])
def test_numbers_whose_cubes_leave_the_range_of_floats_are_refused(scale: float) -> None:
    tensor = InertiaTensor(*(scale * value for value in box((1.0, 2.0, 3.0), 1.0).I_BBcm_B)).rotated(
        rotation_from_rpy(0.3, 0.4, 0.5)
    )
    assert not is_accepted_by_libsdformat(1.0, tensor, must_turn=False)


@pytest.mark.parametrize("moments", [(0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)])
def test_a_body_that_must_turn_has_all_moments_above_zero(moments: tuple[float, float, float]) -> None:
    assert not is_accepted_by_libsdformat(1.0, InertiaTensor(*moments))
    assert is_accepted_by_libsdformat(1.0, InertiaTensor(*moments), must_turn=False)
    assert not is_accepted_by_libsdformat(0.0, InertiaTensor(1.0, 1.0, 1.0))
