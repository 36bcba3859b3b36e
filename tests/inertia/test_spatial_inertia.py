from math import inf, isnan, nan, sqrt

import pytest
from builders.bodies import assert_same, bodies, sizes, transforms
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia, join_centres
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.solids import box, cone, sphere

POINT = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(0.0, 0.0, 0.0))


def at(body: SpatialInertia, x: float, y: float = 0.0, z: float = 0.0) -> SpatialInertia:
    return body.transformed(RigidTransform(translation=(x, y, z)))


@given(a=bodies, b=bodies)
def test_addition_is_commutative_to_the_bit(a: SpatialInertia, b: SpatialInertia) -> None:
    assert repr(a + b) == repr(b + a)


@given(size=sizes, cut=st.floats(0.05, 0.95), axis=st.integers(0, 2), X=transforms)
def test_a_box_cut_in_two_is_the_whole_again(size, cut, axis, X):
    halves = []
    for start, stop in ((0.0, cut), (cut, 1.0)):
        part = list(size)
        part[axis] *= stop - start
        offset = [0.0, 0.0, 0.0]
        offset[axis] = size[axis] * (0.5 * (start + stop) - 0.5)
        halves.append(at(box((part[0], part[1], part[2]), 800.0), *offset).transformed(X))
    assert_same(halves[0] + halves[1], box(size, 800.0).transformed(X))


@given(a=bodies, b=bodies, X=transforms)
def test_moving_the_sum_is_the_sum_of_the_moved(a: SpatialInertia, b: SpatialInertia, X: RigidTransform) -> None:
    assert_same((a + b).transformed(X), a.transformed(X) + b.transformed(X))


def test_nothing_is_lost_far_from_the_origin() -> None:
    # About the origin the tensor of this pair is 1e16; the sum of tensors there would keep no digit of 1e-3.
    near = at(box((0.1, 0.1, 0.1), 1000.0), -0.05) + at(box((0.1, 0.1, 0.1), 1000.0), 0.05)
    far = at(box((0.1, 0.1, 0.1), 1000.0), 1e8 - 0.0625) + at(box((0.1, 0.1, 0.1), 1000.0), 1e8 + 0.0625)
    assert far.I_BBcm_B.ixx == pytest.approx(near.I_BBcm_B.ixx, rel=1e-14)
    assert far.I_BBcm_B.iyy == pytest.approx(2 * (1.0 / 600.0 + 0.0625**2), rel=1e-13)


@pytest.mark.parametrize(
    "nothing", [sphere(1.0, 0.0), SpatialInertia(0.0, (9.0, 9.0, 9.0), InertiaTensor(0.0, 0.0, 0.0))]
)
def test_what_has_no_mass_adds_nothing(nothing: SpatialInertia) -> None:
    body = at(box((1.0, 2.0, 3.0), 7.0), 0.1, 0.2, 0.3)
    assert body + nothing is body
    assert nothing + body is body


def test_two_point_masses_turn_as_a_dumbbell_does_and_the_sign_of_a_product_is_of_the_negative_integral() -> None:
    pair = POINT + SpatialInertia(3.0, (0.0, 0.0, 4.0), InertiaTensor(0.0, 0.0, 0.0))
    assert pair.p_BoBcm_B == (0.0, 0.0, 3.0)
    # Reduced mass 3/4 kg at 4 m.
    assert pair.I_BBcm_B == (12.0, 12.0, 0.0, 0.0, 0.0, 0.0)
    assert (at(POINT, 1.0, 1.0) + at(POINT, -1.0, -1.0)).I_BBcm_B.ixy == -2.0


def test_a_shifted_body_is_moved_by_the_offset_and_its_tensor_about_the_origin_by_the_parallel_axis_theorem() -> None:
    body = at(box((1.0, 1.0, 1.0), 6.0), 1.0, 2.0, 3.0)
    assert body.I_BBo_B == pytest.approx((1 + 6 * 13, 1 + 6 * 10, 1 + 6 * 5, -6 * 2, -6 * 3, -6 * 6))
    body = cone(0.5, 2.0, 100.0)
    assert body.shifted((1.0, 2.0, 3.0)).p_BoBcm_B == (1.0, 2.0, 2.5)
    assert body.shifted((1.0, 2.0, 3.0)).mass == body.mass
    assert body.shifted((1.0, 2.0, 3.0)).I_BBcm_B is body.I_BBcm_B
    assert body.shifted((0.0, 0.0, 0.5)).p_BoBcm_B == (0.0, 0.0, 0.0)


def test_scaling_to_a_mass_scales_the_tensor_and_leaves_the_centre() -> None:
    scaled = at(box((1.0, 2.0, 3.0), 1000.0), 0.1).scaled_to_mass(12.0)
    assert scaled == SpatialInertia(12.0, (0.1, 0.0, 0.0), InertiaTensor(13.0, 10.0, 5.0))
    with pytest.raises(InertiaError, match="without mass"):
        sphere(1.0, 0.0).scaled_to_mass(2.0)


def test_gyradii_and_variances_are_known_and_none_without_mass() -> None:
    assert sphere(2.0, 5.0).gyradius == pytest.approx(2.0 * sqrt(3 / 5), rel=1e-15)
    massless = SpatialInertia(0.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 1.0))
    assert all(map(isnan, (massless.gyradius, *massless.variances)))
    assert box((1.0, 2.0, 3.0), 7.0).variances == pytest.approx((1 / 12, 4 / 12, 9 / 12), rel=1e-14)
    assert sum(sphere(2.0, 5.0).variances) == pytest.approx(sphere(2.0, 5.0).gyradius ** 2, rel=1e-14)


@given(size=sizes, X=transforms)
def test_principal_moments_do_not_depend_on_the_frame(size: tuple[float, float, float], X: RigidTransform) -> None:
    body = box(size, 500.0)
    expected = sorted(body.I_BBcm_B[:3])
    assert body.transformed(X).principal_moments() == pytest.approx(expected, rel=1e-13)
    assert sorted(body.transformed(X).principal().moments) == pytest.approx(expected, rel=1e-8)


@given(a=bodies, b=bodies)
def test_real_bodies_and_their_sums_are_valid(a: SpatialInertia, b: SpatialInertia) -> None:
    assert (a + b).is_physically_valid()


@pytest.mark.parametrize("size", [(1.0, 1.0, 1e-5), (1e-5, 1e-5, 1.0), (1e-3, 1e-3, 1e-3), (100.0, 1.0, 1e-4)])
def test_thin_and_small_bodies_are_valid_however_they_are_turned(size: tuple[float, float, float]) -> None:
    turned = box(size, 1000.0).transformed(RigidTransform(rotation_from_rpy(0.3, -0.7, 1.9)))
    assert turned.is_physically_valid()


@pytest.mark.parametrize(
    ("mass", "moments"),
    [
        *[(0.0, (1.0, 1.0, 1.0)), (-1.0, (1.0, 1.0, 1.0)), (nan, (1.0, 1.0, 1.0))],
        *[(inf, (1.0, 1.0, 1.0)), (1.0, (1.0, 1.0, 2.1))],
        (1.0, (1.0, 1.0, 2.0 + 1e-8)),
        *[(1.0, (-1.0, 1.0, 1.0)), (1.0, (-1e-8, 1.0, 1.0)), (1.0, (0.0, 0.0, 0.0)), (1.0, (nan, 1.0, 1.0))],
        *[(1.0, (inf, inf, inf)), (1.0, (1.0, 1.0, 1.0, 1.0, 0.0, 0.5)), (1.0, (-1.0, -1.0, -1.0))],
    ],
)
def test_impossible_numbers_are_not_valid(mass: float, moments: tuple[float, ...]) -> None:
    assert not SpatialInertia(mass, (0.0, 0.0, 0.0), InertiaTensor(*moments)).is_physically_valid()
    assert not SpatialInertia(1.0, (nan, 0.0, 0.0), InertiaTensor(1.0, 1.0, 1.0)).is_physically_valid()


def test_the_tolerance_is_relative_to_the_trace() -> None:
    for scale in (1e-12, 1.0, 1e12):
        body = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(scale, scale, scale * 2.0004))
        assert not body.is_physically_valid()
        assert body.is_physically_valid(rtol=1.01e-4)


@pytest.mark.parametrize(
    ("moments", "valid"),
    [
        pytest.param((1.0, 1.0, 2.0), True, id="a plate"),
        pytest.param((0.0, 1.0, 1.0), False, id="a rod"),
        pytest.param((0.0, 0.0, 0.0), False, id="a point"),
        pytest.param((1e308, 1e308, 1e308), False, id="a trace beyond the range of floats"),
    ],
)
def test_without_tolerance_moments_are_above_zero_and_none_above_the_sum_of_the_others(moments, valid):
    assert SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(*moments)).is_physically_valid(rtol=0.0) is valid


@pytest.mark.parametrize(
    ("masses", "centre", "reduced"),
    [((3.0, 1.0), (1.0, 2.0, -0.5), 0.75), ((2.0, 2.0), (2.0, 4.0, -1.0), 1.0), ((2.0, -2.0), (2.0, 4.0, -1.0), 0.0)],
)
def test_two_masses_have_a_common_centre_or_cancel(masses, centre, reduced):
    offset = (4.0, 8.0, -2.0)
    assert join_centres(masses[0], (0.0, 0.0, 0.0), masses[1], offset) == (centre, offset, reduced)
    found, back, same = join_centres(masses[1], offset, masses[0], (0.0, 0.0, 0.0))
    assert (found, same) == (centre, reduced)
    assert {back} <= {offset, (-4.0, -8.0, 2.0)}
