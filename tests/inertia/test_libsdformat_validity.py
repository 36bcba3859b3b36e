from __future__ import annotations

from itertools import permutations, product
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.inertia.libsdformat_validity import is_accepted_by_libsdformat
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.inertia.solids import box
from sdfinertia.inertia.spatial_inertia import InertiaTensor

angles = st.floats(-3.2, 3.2)
lengths = st.floats(0.1, 3.0)


@given(size=st.tuples(lengths, lengths, lengths), rpy=st.tuples(angles, angles, angles))
def test_boxes_are_accepted_however_they_are_turned(size: tuple, rpy: tuple) -> None:
    body = box(size, 1000.0)
    assert is_accepted_by_libsdformat(body.mass, body.I_BBcm_B.rotated(rotation_from_rpy(*rpy)))


@pytest.mark.parametrize(
    ("mass", "values"),
    [
        (0.0, (1.0, 1.0, 1.0)),
        (-1.0, (1.0, 1.0, 1.0)),
        (nan, (1.0, 1.0, 1.0)),
        (1.0, (1.0, 1.0, inf)),
        (1.0, (0.0, 1.0, 1.0)),
        (1.0, (0.0, 0.0, 0.0)),
        (1.0, (1.0, -1.0, 1.0)),
        (1.0, (1.0, 1.0, -1.0)),
        (1.0, (1.0, 1.0, 1.0, 2.0)),
        (1.0, (1.0, 1.0, 1.0, 0.0, 0.0, 1.5)),
        (1.0, (1.0, 1.0, 3.0)),
        (1.0, (3.0, 1.0, 1.0)),
        (1.0, (1.0, 1.0, 2.0 + 5e-14)),
    ],
)
def test_impossible_numbers_are_refused(mass: float, values: tuple[float, ...]) -> None:
    assert not is_accepted_by_libsdformat(mass, InertiaTensor(*values))


@pytest.mark.parametrize(("excess", "accepted"), [(0.0, True), (8.0, True), (60.0, False)])
def test_the_triangle_inequality_may_be_missed_by_ten_epsilons_of_half_the_trace(excess: float, accepted: bool) -> None:
    # Half the trace is 2, so the limit is 20 units of 2⁻⁵².
    assert is_accepted_by_libsdformat(1.0, InertiaTensor(1.0, 1.0, 2.0 + excess * 2.0**-52)) is accepted


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
def test_the_slack_is_ten_epsilons_of_half_the_trace(
    mass: float, tensor: tuple[float, float, float], accepted: bool
) -> None:
    assert is_accepted_by_libsdformat(mass, InertiaTensor(*tensor), must_turn=False) is accepted


@pytest.mark.parametrize("signs", [*product((1, -1), repeat=3)])
@pytest.mark.parametrize("axis", [*permutations((1 / 3, 2 / 3, 2 / 3))])
def test_a_rod_in_any_direction_loads_but_cannot_turn_about_itself(
    axis: tuple[float, float, float], signs: tuple[int, int, int]
) -> None:
    x, y, z = (sign * value for sign, value in zip(signs, axis, strict=True))
    rod = InertiaTensor(1 - x * x, 1 - y * y, 1 - z * z, -x * y, -x * z, -y * z)
    assert is_accepted_by_libsdformat(1.0, rod, must_turn=False)


@pytest.mark.parametrize("moments", [(0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)])
def test_a_body_that_must_turn_has_all_moments_above_zero(moments: tuple[float, float, float]) -> None:
    assert not is_accepted_by_libsdformat(1.0, InertiaTensor(*moments))
    assert is_accepted_by_libsdformat(1.0, InertiaTensor(*moments), must_turn=False)
    assert not is_accepted_by_libsdformat(0.0, InertiaTensor(1.0, 1.0, 1.0))
