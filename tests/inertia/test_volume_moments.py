from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.inertia.solids import box
from sdfinertia.inertia.volume_moments import VolumeMoments

lengths = st.floats(0.1, 3.0)
coordinates = st.floats(-5.0, 5.0)
triples = st.tuples(coordinates, coordinates, coordinates)


def block(size: tuple[float, float, float], centre: tuple[float, float, float]) -> VolumeMoments:
    x, y, z = size
    volume = x * y * z
    return VolumeMoments(volume, centre, (volume * x * x / 12, volume * y * y / 12, volume * z * z / 12, 0.0, 0.0, 0.0))


blocks = st.builds(block, st.tuples(lengths, lengths, lengths), triples)


def assert_same(one: VolumeMoments, other: VolumeMoments) -> None:
    scale = max(abs(value) for value in other.second)
    assert one.volume == pytest.approx(other.volume, rel=1e-12)
    assert one.centroid == pytest.approx(other.centroid, abs=1e-11)
    assert one.second == pytest.approx(other.second, abs=1e-12 * scale)


@given(size=st.tuples(lengths, lengths, lengths), centre=triples, density=st.floats(0.0, 5000.0))
def test_a_block_filled_with_a_density_is_a_box(size: tuple, centre: tuple, density: float) -> None:
    body, expected = block(size, centre).spatial_inertia(density), box(size, density)
    assert body.mass == pytest.approx(expected.mass, rel=1e-14)
    assert body.p_BoBcm_B == centre
    assert body.I_BBcm_B == pytest.approx(expected.I_BBcm_B, rel=1e-14)


def test_products_of_inertia_are_negative_second_moments() -> None:
    moments = VolumeMoments(2.0, (0.0, 0.0, 0.0), (1.0, 2.0, 3.0, 0.1, 0.2, 0.3))
    assert moments.spatial_inertia(10.0).I_BBcm_B == (50.0, 40.0, 30.0, -1.0, -2.0, -3.0)


@given(a=blocks, b=blocks)
def test_addition_is_commutative_to_the_bit(a: VolumeMoments, b: VolumeMoments) -> None:
    assert repr(a + b) == repr(b + a)


@given(a=blocks, b=blocks)
def test_addition_agrees_with_that_of_the_bodies(a: VolumeMoments, b: VolumeMoments) -> None:
    one, other = (a + b).spatial_inertia(7.0), a.spatial_inertia(7.0) + b.spatial_inertia(7.0)
    assert one.p_BoBcm_B == pytest.approx(other.p_BoBcm_B, abs=1e-14)
    assert one.I_BBcm_B == pytest.approx(other.I_BBcm_B, abs=1e-13 * other.I_BBcm_B.trace)


@given(a=blocks, b=blocks)
def test_a_cavity_of_negative_volume_is_cut_away(a: VolumeMoments, b: VolumeMoments) -> None:
    xx, yy, zz, xy, xz, yz = b.second
    cavity = VolumeMoments(-b.volume, b.centroid, (-xx, -yy, -zz, -xy, -xz, -yz))
    assert_same((a + b) + cavity + b, a + b)


@given(a=blocks, b=blocks, factors=st.tuples(*[st.floats(0.5, 2.0)] * 3), mirrored=st.tuples(*[st.booleans()] * 3))
def test_stretching_the_sum_is_the_sum_of_the_stretched(a, b, factors, mirrored):
    fx, fy, fz = (-factor if flip else factor for factor, flip in zip(factors, mirrored, strict=True))
    assert_same((a + b).scaled((fx, fy, fz)), a.scaled((fx, fy, fz)) + b.scaled((fx, fy, fz)))


@given(a=blocks, b=blocks, factor=st.floats(0.1, 10.0))
def test_volume_grows_with_the_third_and_second_moments_with_the_fifth_power(a, b, factor):
    scaled = (a + b).scaled((factor, factor, factor))
    assert scaled.volume == pytest.approx((a + b).volume * factor**3, rel=1e-13)
    assert scaled.second == pytest.approx([value * factor**5 for value in (a + b).second], rel=1e-13)


def test_a_mirror_turns_the_sign_of_two_products_only() -> None:
    moments = VolumeMoments(2.0, (1.0, 2.0, 3.0), (1.0, 2.0, 3.0, 0.1, 0.2, 0.3))
    expected = VolumeMoments(2.0, (-1.0, 2.0, 3.0), (1.0, 2.0, 3.0, -0.1, -0.2, 0.3))
    assert moments.scaled((-1.0, 1.0, 1.0)) == expected


def test_what_has_no_volume_adds_nothing() -> None:
    a = block((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    nothing = VolumeMoments(0.0, (9.0, 9.0, 9.0), (0.0,) * 6)
    assert a + nothing is a
    assert nothing + a is a
    assert (nothing + nothing).volume == 0.0


def test_all_ten_moments_of_both_solids_add_about_the_common_centroid() -> None:
    one = VolumeMoments(3.0, (0.0, 0.0, 0.0), (1.0, 2.0, 4.0, 8.0, 16.0, 32.0))
    other = VolumeMoments(1.0, (4.0, 8.0, -2.0), (64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0))
    # 3/4 times the products of (4, 8, -2).
    apart = (12.0, 48.0, 3.0, 24.0, -6.0, -12.0)
    second = tuple(a + b + c for a, b, c in zip(one.second, other.second, apart, strict=True))
    assert one + other == VolumeMoments(4.0, (1.0, 2.0, -0.5), second)
    assert other + one == one + other
