"""Bodies as users of numpy and notebooks expect them: arrays, equality, sums, pickling, and the texts of programs."""

import pickle

import numpy as np
import pytest
from builders.bodies import bodies, transform_matrix
from hypothesis import given
from hypothesis import strategies as st

import sdfinertia
from sdfinertia import InertiaTensor, RigidTransform, SpatialInertia
from sdfinertia.errors import FrameError, InertiaError, TextError, ValueTextError
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.parametrization import pi_o_from_pi_cm, theta_from_pi_o

X_BC = RigidTransform(rotation_from_rpy(0.3, -1.1, 2.0), (0.4, -0.7, 1.3))
BODY = sdfinertia.box((1, 2, 3), 1000.0).transformed(X_BC)


# Arrays ---------------------------------------------------------------------------------------------------------------


def test_the_matrix_is_about_the_centre_of_mass_in_body_axes_and_of_each_who_asks() -> None:
    rotation = np.reshape(X_BC.rotation, (3, 3))
    np.testing.assert_allclose(BODY.inertia, rotation @ np.diag([6500.0, 5000.0, 2500.0]) @ rotation.T, rtol=1e-12)
    np.testing.assert_array_equal(BODY.com, X_BC.translation)
    assert (BODY.inertia.shape, BODY.com.shape) == ((3, 3), (3,))
    BODY.inertia[0, 0] = 0.0
    BODY.com[0] = 99.0
    assert BODY.com[0] == 0.4
    assert BODY.inertia[0, 0] > 0.0


@given(bodies)
def test_asarray_is_what_parametrizations_take(body: SpatialInertia) -> None:
    np.testing.assert_array_equal(pi_o_from_pi_cm(body), pi_o_from_pi_cm(np.asarray(body)))
    assert SpatialInertia.from_pi_cm(np.asarray(body)).is_close(body, rtol=1e-14)


@pytest.mark.parametrize(("apart", "close"), [(5e-11, True), (2e-10, False)])
def test_places_are_close_by_their_distance_from_the_origin(apart: float, close: bool) -> None:
    near, far = (sdfinertia.box((1, 1, 1), 1.0).shifted((x, 0.0, 0.0)) for x in (100.0, 100.0 + apart))
    assert near.is_close(far, rtol=1e-12) is close


def test_several_bodies_stacked_are_a_row_each_and_a_body_is_made_of_arrays() -> None:
    rows = np.stack([BODY, BODY.shifted((1, 0, 0))])
    assert rows.shape == (2, 10)
    assert theta_from_pi_o(pi_o_from_pi_cm(rows)).shape == (2, 10)
    assert np.asarray(BODY, dtype=np.float32).dtype == np.float32
    assert np.array(BODY, copy=True).shape == (10,)
    again = SpatialInertia(np.float64(BODY.mass), BODY.com, BODY.inertia)
    assert again == BODY
    assert {type(value) for value in (again.mass, *again.p_BoBcm_B, *again.I_BBcm_B)} == {float}
    assert type(again.I_BBcm_B) is InertiaTensor
    assert SpatialInertia(1, [0, 0, 0], [1, 2, 3, 0, 0, 0]).I_BBcm_B == (1, 2, 3, 0, 0, 0)


@given(bodies)
def test_a_pose_is_taken_as_a_matrix(body: SpatialInertia) -> None:
    matrix = transform_matrix(X_BC)
    assert body.transformed(matrix) == body.transformed(X_BC)
    assert body.shifted((1, 2, 3)) == body.transformed(RigidTransform(translation=(1.0, 2.0, 3.0)))
    assert body.transformed(matrix[:3, :3]) == body.transformed(RigidTransform(X_BC.rotation))


# Equality and sums ----------------------------------------------------------------------------------------------------


def test_bodies_of_equal_numbers_are_equal_hash_alike_and_come_back_from_pickles_and_their_text() -> None:
    again = SpatialInertia(BODY.mass, BODY.p_BoBcm_B, BODY.I_BBcm_B)
    assert (again == BODY, hash(again) == hash(BODY), again != BODY.shifted((0, 0, 1e-15))) == (True, True, True)
    assert BODY != 3
    assert len({BODY, again}) == 1
    assert pickle.loads(pickle.dumps(BODY)) == BODY
    names = {"SpatialInertia": SpatialInertia, "InertiaTensor": InertiaTensor}
    assert eval(repr(BODY), names) == BODY


@pytest.mark.parametrize(
    ("other", "rtol"),
    [
        (BODY.scaled_to_mass(BODY.mass * (1 + 1e-6)), 1e-6),
        (BODY.shifted((1e-6, 0, 0)), 1e-6),
        (SpatialInertia(BODY.mass, BODY.p_BoBcm_B, BODY.I_BBcm_B._replace(ixy=BODY.I_BBcm_B.ixy + 1e-3)), 1e-6),
    ],
)
def test_close_is_by_the_size_of_the_body(other: SpatialInertia, rtol: float) -> None:
    assert BODY.is_close(other, rtol=2 * rtol)
    assert other.is_close(BODY, rtol=2 * rtol)
    assert not BODY.is_close(other, rtol=rtol / 10)


@given(st.lists(bodies, min_size=1, max_size=5))
def test_a_sum_is_all_bodies_welded(parts: list[SpatialInertia]) -> None:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert sum(parts) == total


@pytest.mark.parametrize("other", [1, 0.5, None, "a", (1, 2)])
def test_nothing_but_a_body_is_added(other) -> None:
    with pytest.raises(TypeError):
        BODY + other  # type: ignore[operator]
    with pytest.raises(TypeError):
        other + BODY  # type: ignore[operator]


# Notations ------------------------------------------------------------------------------------------------------------


@given(bodies)
def test_every_notation_comes_back(body: SpatialInertia) -> None:
    assert SpatialInertia.from_sdf(body.as_sdf(17)).is_close(body, rtol=1e-13)
    assert SpatialInertia.from_urdf(body.as_urdf(17)).is_close(body, rtol=1e-13)
    assert SpatialInertia.from_mjcf(body.as_mjcf(17)).is_close(body, rtol=1e-13)
    assert SpatialInertia.from_pi_o(pi_o_from_pi_cm(body)).is_close(body, rtol=1e-10)


def test_for_what_is_absent_in_sdf_stands_its_default() -> None:
    assert SpatialInertia.from_sdf("<inertial/>") == SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 1.0))
    partly = SpatialInertia.from_sdf("<inertial><inertia><iyy>5</iyy></inertia></inertial>")
    assert partly.I_BBcm_B == InertiaTensor(1.0, 5.0, 1.0)


ONE_KG = '<mass value="1"/>'
ENTRIES = 'ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"'


@pytest.mark.parametrize(
    ("read", "text", "error", "problem"),
    [
        (SpatialInertia.from_sdf, '<inertial auto="true"/>', ValueTextError, "computed by `fill`"),
        (SpatialInertia.from_sdf, '<inertial><pose relative_to="a"/></inertial>', FrameError, "relative to 'a'"),
        (SpatialInertia.from_sdf, "<inertial><mass>1 kg</mass></inertial>", ValueTextError, "is '1 kg', not a number"),
        (SpatialInertia.from_sdf, "<inertial><mass>1_0</mass></inertial>", ValueTextError, "write a number"),
        (SpatialInertia.from_sdf, "<inertial><mass>nan</mass></inertial>", ValueTextError, "is 'nan': write a number"),
        (SpatialInertia.from_sdf, "<inertial><mass>1</mass><mass/></inertial>", ValueTextError, "<mass> twice"),
        (SpatialInertia.from_sdf, "<inertial><pose>0 0 0</pose></inertial>", ValueTextError, "write 6 numbers"),
        (SpatialInertia.from_urdf, f"<inertial><inertia {ENTRIES}/></inertial>", ValueTextError, "has no <mass>"),
        (SpatialInertia.from_urdf, '<inertial><mass value="1"/></inertial>', ValueTextError, "has no <inertia>"),
        (SpatialInertia.from_urdf, f"<inertial>{ONE_KG}<inertia ixx='1'/></inertial>", ValueTextError, "has no ixy"),
        (SpatialInertia.from_sdf, '<inertial auto="True"/>', ValueTextError, "computed by `fill`"),
        (SpatialInertia.from_sdf, '<inertial Auto="1"/>', ValueTextError, "the case of letters counts"),
        (SpatialInertia.from_sdf, "<inertial><inertia><ixX>1</ixX></inertia></inertial>", ValueTextError, "<ixX>"),
        (SpatialInertia.from_sdf, "<inertial/><inertial/>", TextError, "found 2 elements"),
        (SpatialInertia.from_sdf, "1 kg", TextError, "found 0 elements"),
        (SpatialInertia.from_sdf, "<inertial>", TextError, "is not closed|before <inertial> is closed|before a tag"),
        (SpatialInertia.from_urdf, "<robot/>", TextError, "found <robot>"),
        (SpatialInertia.from_mjcf, '<inertial mass="1"/>', ValueTextError, "<inertial> has no pos"),
        (SpatialInertia.from_mjcf, '<inertial pos="0 0 0" mass="1" euler="0 0 1"/>', ValueTextError, "<compiler>"),
        (
            SpatialInertia.from_mjcf,
            '<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" quat="1 0 0 0"/>',
            ValueTextError,
            "gives both fullinertia and quat",
        ),
        (
            SpatialInertia.from_mjcf,
            '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1" xyaxes="1 0 0 2 0 0"/>',
            ValueTextError,
            "xyaxes of <inertial> gives no direction",
        ),
        (SpatialInertia.from_pi_o, [0.0] * 10, InertiaError, "without a mass"),
    ],
)  # fmt: skip
def test_what_says_too_little_or_too_much_is_refused(read, text, error, problem):
    with pytest.raises(error, match=problem):
        read(text)
