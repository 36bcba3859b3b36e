from __future__ import annotations

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
