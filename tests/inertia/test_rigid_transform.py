from itertools import product as combinations
from math import cos, pi, sin, sqrt

import pytest
from builders.bodies import transforms, vectors
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.rigid_transform import (
    IDENTITY_ROTATION,
    RigidTransform,
    product,
    rotation_from_quaternion,
    rotation_from_rpy,
    rpy_from_rotation,
)

angles = st.floats(-4.0, 4.0)


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zero_angles_give_the_identity_exactly(zero: float) -> None:
    assert repr(rotation_from_rpy(zero, zero, zero)) == repr(IDENTITY_ROTATION)


@pytest.mark.parametrize(
    ("rpy", "expected"),
    [
        ((0.3, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, cos(0.3), -sin(0.3), 0.0, sin(0.3), cos(0.3))),
        ((0.0, 0.3, 0.0), (cos(0.3), 0.0, sin(0.3), 0.0, 1.0, 0.0, -sin(0.3), 0.0, cos(0.3))),
        ((0.0, 2.0, 0.0), (cos(2.0), 0.0, sin(2.0), 0.0, 1.0, 0.0, -sin(2.0), 0.0, cos(2.0))),
        ((0.0, 0.0, -0.3), (cos(0.3), sin(0.3), 0.0, -sin(0.3), cos(0.3), 0.0, 0.0, 0.0, 1.0)),
    ],
)
def test_a_turn_about_one_axis_has_exact_zeros_without_sign(rpy, expected):
    assert repr(rotation_from_rpy(*rpy)) == repr(expected)


@given(roll=angles, pitch=angles, yaw=angles)
def test_roll_comes_first_and_yaw_last_about_fixed_axes(roll: float, pitch: float, yaw: float) -> None:
    about_x, about_y, about_z = (
        rotation_from_rpy(roll, 0, 0),
        rotation_from_rpy(0, pitch, 0),
        rotation_from_rpy(0, 0, yaw),
    )
    expected = product(about_z, product(about_y, about_x))
    assert rotation_from_rpy(roll, pitch, yaw) == pytest.approx(expected, abs=4e-16)


@pytest.mark.parametrize(
    ("quaternion", "expected"),
    [
        ((0.0, 0.0, 0.0, 0.0), IDENTITY_ROTATION),
        ((0.0, 0.0, 0.0, -3.0), IDENTITY_ROTATION),
        ((1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0)),
        ((0.0, 0.0, 0.7071, 0.7071), rotation_from_rpy(0.0, 0.0, pi / 2)),
        ((0.0, 1e200, 0.0, 1e200), rotation_from_rpy(0.0, pi / 2, 0.0)),
        ((1e-200, 0.0, 0.0, 1e-200), rotation_from_rpy(pi / 2, 0.0, 0.0)),
        ((1e200, 1.0, 1.0, 1.0), rotation_from_rpy(pi, 0.0, 0.0)),
        ((1.0, 1e200, 1.0, 1.0), rotation_from_rpy(0.0, pi, 0.0)),
        ((1.0, 1.0, 1e200, 1.0), rotation_from_rpy(0.0, 0.0, pi)),
        ((1.0, 1.0, 1.0, 1e200), IDENTITY_ROTATION),
    ],
)
def test_quaternions_of_any_length_are_normalised(quaternion, expected):
    assert rotation_from_quaternion(*quaternion) == pytest.approx(expected, abs=4e-16)


@given(roll=angles, pitch=angles, yaw=angles)
def test_quaternions_and_angles_agree(roll: float, pitch: float, yaw: float) -> None:
    cr, sr, cp, sp, cy, sy = (f(a / 2) for a in (roll, pitch, yaw) for f in (cos, sin))
    quaternion = (
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    )
    assert rotation_from_quaternion(*quaternion) == pytest.approx(rotation_from_rpy(roll, pitch, yaw), abs=2e-15)


@given(
    roll=angles, pitch=st.one_of(angles, st.sampled_from([pi / 2, -pi / 2, pi / 2 - 1e-9, 1e-12 - pi / 2])), yaw=angles
)
def test_angles_read_back_give_the_same_rotation_in_gimbal_lock_too(roll: float, pitch: float, yaw: float) -> None:
    rotation = rotation_from_rpy(roll, pitch, yaw)
    angles_back = rpy_from_rotation(rotation)
    assert abs(angles_back[1]) <= pi / 2
    assert rotation_from_rpy(*angles_back) == pytest.approx(rotation, abs=2e-15)


@pytest.mark.parametrize(("diagonal", "rpy"), [((1, -1, -1), (pi, 0, 0)), ((-1, -1, 1), (0, 0, pi))])
def test_half_turns_are_positive_whatever_the_signs_of_zeros(diagonal, rpy):
    xx, yy, zz = map(float, diagonal)
    for zeros in combinations((-0.0, 0.0), repeat=6):
        a, b, c, d, e, f = zeros
        angles_back = rpy_from_rotation((xx, a, b, 0.0 if xx < 0.0 else c, yy, d, e, f, zz))
        assert angles_back == rpy, zeros
        assert "-0.0" not in map(repr, angles_back), zeros


@given(roll=st.floats(-3.1, 3.1), pitch=st.floats(-1.5, 1.5), yaw=st.floats(-3.1, 3.1))
def test_angles_away_from_gimbal_lock_come_back(roll: float, pitch: float, yaw: float) -> None:
    assert rpy_from_rotation(rotation_from_rpy(roll, pitch, yaw)) == pytest.approx((roll, pitch, yaw), abs=2e-14)


@given(X_AB=transforms, X_BC=transforms, point=vectors)
def test_composing_is_applying_one_after_the_other(X_AB: RigidTransform, X_BC: RigidTransform, point: tuple) -> None:
    assert (X_AB @ X_BC).apply(point) == pytest.approx(X_AB.apply(X_BC.apply(point)), abs=1e-13)


@given(X_AB=transforms)
def test_a_transform_and_its_inverse_cancel(X_AB: RigidTransform) -> None:
    rotation, translation = X_AB @ X_AB.inverse()
    assert rotation == pytest.approx(IDENTITY_ROTATION, abs=1e-15)
    assert translation == pytest.approx((0.0, 0.0, 0.0), abs=1e-14)


def test_a_known_pose_moves_a_point_as_drawn_and_a_pure_translation_is_not_the_identity() -> None:
    assert not RigidTransform(translation=(0.0, 0.0, 1e-300)).is_identity
    # A quarter turn about z, then 1 m along x: (1, 0, 0) goes to (1, 1, 0).
    X_AB = RigidTransform(rotation_from_quaternion(0.0, 0.0, sqrt(0.5), sqrt(0.5)), (1.0, 0.0, 0.0))
    assert X_AB.apply((1.0, 0.0, 0.0)) == pytest.approx((1.0, 1.0, 0.0), abs=1e-15)


# Matrices -------------------------------------------------------------------------------------------------------------


def rows_of(X_AB: RigidTransform) -> list[list[float]]:
    R, p = X_AB.rotation, X_AB.translation
    return [[*R[3 * row : 3 * row + 3], p[row]] for row in range(3)] + [[0.0, 0.0, 0.0, 1.0]]


@given(transforms)
def test_a_pose_is_read_from_its_matrix(X_AB: RigidTransform) -> None:
    rows = rows_of(X_AB)
    assert RigidTransform.from_matrix(rows) == X_AB
    assert RigidTransform.from_matrix([row[:3] for row in rows[:3]]) == RigidTransform(X_AB.rotation, (0.0, 0.0, 0.0))


@given(transforms, st.integers(0, 2))
def test_a_matrix_that_mirrors_scales_or_shears_is_no_pose(X_AB: RigidTransform, axis: int) -> None:
    mirrored, scaled, sheared = rows_of(X_AB), rows_of(X_AB), rows_of(X_AB)
    for row in range(3):
        mirrored[row][axis] *= -1.0
        scaled[row][axis] *= 1.001
        sheared[row][axis] += 0.001 * sheared[row][(axis + 1) % 3]
    for rows in (mirrored, scaled, sheared):
        with pytest.raises(InertiaError, match="must only turn and shift"):
            RigidTransform.from_matrix(rows)


@pytest.mark.parametrize(
    "given_rows",
    [
        [[1, 0], [0, 1]],
        [[1, 0, 0], [0, 1, 0]],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]],
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]],
        "pose",
        None,
    ],
)
def test_a_matrix_of_another_form_is_no_pose(given_rows) -> None:
    with pytest.raises(InertiaError, match="a pose is a RigidTransform"):
        RigidTransform.from_matrix(given_rows)  # type: ignore[arg-type]
