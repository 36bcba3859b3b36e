from itertools import permutations, product
from math import inf, isnan, nan, sqrt

import numpy as np
import pytest
from builders.bodies import rotations, tensor_matrix
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.principal_axes import is_clearly_valid, principal_axes, principal_moments
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, rotation_from_rpy

GENERIC = (1.0, 2.0, 2.5)
SPECTRA = [
    GENERIC,
    *[(1.0, 1.0, 1.5), (1.0, 1.7, 1.7), (3.0, 3.0, 3.0), (1e-8, 1.0, 1.0), (1.0, 1.0, 2.0), (2e-9, 3e-9, 4e-9)],
]


@pytest.mark.parametrize(
    "moments", [*permutations(GENERIC), (1.0, 1.0, 2.0), (2.0, 1.0, 1.0), (1.0, 2.0, 1.0), (0.0, 0.0, 0.0)]
)
def test_a_diagonal_tensor_has_the_identity_and_its_moments_in_their_order(moments: tuple[float, float, float]) -> None:
    axes = principal_axes(InertiaTensor(*moments))
    assert axes.moments == moments
    assert axes.rotation is IDENTITY_ROTATION


@pytest.mark.parametrize("moments", SPECTRA)
@given(rotation=rotations)
def test_a_turned_tensor_is_put_together_again(moments: tuple[float, float, float], rotation: tuple) -> None:
    tensor = InertiaTensor(*moments).rotated(rotation)
    axes = principal_axes(tensor)
    R = np.array(axes.rotation).reshape(3, 3)
    assert np.linalg.det(R) == pytest.approx(1.0, abs=1e-14)
    assert np.abs(R @ R.T - np.eye(3)).max() < 1e-14
    assert np.abs(R @ np.diag(axes.moments) @ R.T - tensor_matrix(*tensor)).max() <= 1e-14 * max(moments)
    assert sorted(axes.moments) == pytest.approx(sorted(moments), rel=1e-14, abs=1e-14 * max(moments))


@given(values=st.tuples(*[st.floats(-1.0, 1.0)] * 6))
def test_the_moments_are_the_eigenvalues_of_any_symmetric_matrix(values: tuple) -> None:
    expected = np.linalg.eigvalsh(tensor_matrix(*values))
    assert principal_moments(values) == pytest.approx(expected.tolist(), abs=1e-14)


@given(rotation=rotations)
def test_no_other_order_or_sign_of_the_axes_is_nearer_to_the_identity(rotation: tuple) -> None:
    R = np.array(principal_axes(InertiaTensor(*GENERIC).rotated(rotation)).rotation).reshape(3, 3)
    others = [R[:, order] * signs for order in permutations(range(3)) for signs in product((1.0, -1.0), repeat=3)]
    nearest = max(np.trace(other) for other in others if np.linalg.det(other) > 0)
    assert np.trace(R) >= nearest - 1e-8


@pytest.mark.parametrize(("moments", "axis"), [((1.0, 1.0, 1.5), 2), ((1.5, 1.0, 1.0), 0), ((1.0, 0.2, 1.0), 1)])
@pytest.mark.parametrize("lean", [1e-7, 1e-3, 0.3])
def test_a_leaning_body_of_revolution_is_turned_by_its_lean_only(moments, axis, lean):
    # Lean about another axis after an arbitrary turn about the axis of symmetry, which must not show.
    turn = [0.0, 0.0, 0.0]
    turn[(axis + 1) % 3] = lean
    spin = [0.0, 0.0, 0.0]
    spin[axis] = 1.234
    tensor = InertiaTensor(*moments).rotated(rotation_from_rpy(*spin)).rotated(rotation_from_rpy(*turn))
    assert principal_axes(tensor).rotation == pytest.approx(rotation_from_rpy(*turn), abs=3e-9)


@pytest.mark.parametrize(("moments", "axis"), [((1.0, 1.0, 1.5), 2), ((1.5, 1.0, 1.0), 0), ((1.0, 0.2, 1.0), 1)])
@given(rotation=rotations)
def test_axes_of_a_body_of_revolution_are_turned_as_little_as_its_own_axis(moments, axis, rotation):
    R = np.array(principal_axes(InertiaTensor(*moments).rotated(rotation)).rotation).reshape(3, 3)
    own = np.array(rotation).reshape(3, 3)[:, axis]
    # A turn by the least angle from the nearest coordinate axis to the body's own has the trace 1 + 2 cos(angle).
    assert np.trace(R) == pytest.approx(1.0 + 2.0 * np.abs(own).max(), abs=1e-7)


@pytest.mark.parametrize("moments", [(1.0, 1.0, 1.5), (1.5, 1.0, 1.0), (1.0, 0.2, 1.0), GENERIC, (2.5, 1.0, 2.0)])
@pytest.mark.parametrize("turn", [*permutations((0.0, 0.0, 0.3)), *permutations((0.0, 0.0, -2.0)), (0.0, -0.3, 2.0)])
def test_zeros_of_a_turn_about_one_axis_have_no_sign(moments, turn):
    assert "-0.0" not in map(repr, principal_axes(InertiaTensor(*moments).rotated(rotation_from_rpy(*turn))).rotation)


def test_moments_that_coincide_in_all_three_or_are_no_numbers_leave_the_frame_alone() -> None:
    tensor = InertiaTensor(1.0, 1.0 + 1e-12, 1.0 - 1e-12, 1e-12, -1e-12, 1e-13)
    assert principal_axes(tensor) == ((1.0, 1.0 + 1e-12, 1.0 - 1e-12), IDENTITY_ROTATION)
    axes = principal_axes((1.0, 1.0, nan, 0.1, 0.0, 0.0))
    assert all(isnan(moment) for moment in axes.moments)
    assert axes.rotation == IDENTITY_ROTATION


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
def test_very_small_and_very_large_tensors_keep_their_digits(scale: float) -> None:
    tensor = InertiaTensor(*GENERIC).rotated(rotation_from_rpy(0.3, 0.4, 0.5))
    scaled = InertiaTensor(*(value * scale for value in tensor))
    assert principal_moments(scaled) == pytest.approx([value * scale for value in GENERIC], rel=1e-14)


def test_an_axis_as_far_from_x_as_from_y_and_z_gives_a_rotation_and_a_thin_rod_its_small_moment() -> None:
    tensor = InertiaTensor(1e-12, 1.0, 1.0).rotated(rotation_from_rpy(0.0, 0.0, 1e-6))
    assert principal_moments(tensor)[0] == pytest.approx(1e-12, rel=1e-3)
    u = 1 / sqrt(3)
    tensor = (1 + u * u, 1 + u * u, 1 + u * u, u * u, u * u, u * u)
    axes = principal_axes(tensor)
    assert axes.moments == pytest.approx((2.0, 1.0, 1.0), abs=1e-15)
    assert axes.rotation[0::3] == pytest.approx((u, u, u), abs=1e-15)


@given(
    moments=st.tuples(*[st.floats(1e-7, 1.0)] * 3),
    rpy=st.tuples(*[st.floats(-3.2, 3.2)] * 3),
    size=st.sampled_from([1e-150, 1e-9, 1.0, 1e9, 1e150]),
)
def test_what_is_clearly_of_a_solid_has_moments_that_one_can_have(moments: tuple, rpy: tuple, size: float) -> None:
    tensor = InertiaTensor(*(size * moment for moment in moments)).rotated(rotation_from_rpy(*rpy))
    low, middle, high = principal_moments(tensor)
    if is_clearly_valid(tensor, 0.0):
        assert low > 0.0
        assert low + middle > high
    if not is_clearly_valid(tensor):
        # Of the second moments, which are what a pair of moments has above the third, one is small.
        assert low + middle - high < 1e-2 * (low + middle + high)


@pytest.mark.parametrize(
    "values",
    [
        (1.0, 1.0, 2.0 + 1e-5),
        *[(1.0, 1.0, 2.0), (3.0, 1.0, 1.0), (1.0, 3.0, 1.0), (1.0, 1.0, 1.0, 0.6, 0.0, 0.0)],
        *[(1.0, 1.0, 1.0, 0.0, 0.6, 0.0), (1.0, 1.0, 1.0, 0.0, 0.0, 0.6), (1.0, 1.0, 1.0, 0.3, 0.3, 0.3)],
        *[(0.0, 0.0, 0.0), (-1.0, -1.0, -1.0), (inf, inf, inf), (nan, 1.0, 1.0), (1.0, 1.0, 1.0, nan)],
    ],
)
def test_what_no_solid_has_is_not_clearly_of_one(values: tuple[float, ...]) -> None:
    assert not is_clearly_valid(InertiaTensor(*values))
