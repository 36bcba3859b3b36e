import pytest
from builders.bodies import sizes, vectors
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.inertia.solids import VolumeMoments, box


def block(size: tuple[float, float, float], centre: tuple[float, float, float]) -> VolumeMoments:
    x, y, z = size
    volume = x * y * z
    return VolumeMoments(volume, centre, (volume * x * x / 12, volume * y * y / 12, volume * z * z / 12, 0.0, 0.0, 0.0))


blocks = st.builds(block, sizes, vectors)


@given(size=sizes, centre=vectors, density=st.floats(0.0, 5000.0))
def test_a_block_filled_with_a_density_is_a_box(size: tuple, centre: tuple, density: float) -> None:
    body, expected = block(size, centre).spatial_inertia(density), box(size, density)
    assert body.mass == pytest.approx(expected.mass, rel=1e-14)
    assert body.p_BoBcm_B == centre
    assert body.I_BBcm_B == pytest.approx(expected.I_BBcm_B, rel=1e-14)


def test_products_of_inertia_are_negative_second_moments_and_a_mirror_turns_the_sign_of_two_only() -> None:
    moments = VolumeMoments(2.0, (0.0, 0.0, 0.0), (1.0, 2.0, 3.0, 0.1, 0.2, 0.3))
    assert moments.spatial_inertia(10.0).I_BBcm_B == (50.0, 40.0, 30.0, -1.0, -2.0, -3.0)
    moments = VolumeMoments(2.0, (1.0, 2.0, 3.0), (1.0, 2.0, 3.0, 0.1, 0.2, 0.3))
    expected = VolumeMoments(2.0, (-1.0, 2.0, 3.0), (1.0, 2.0, 3.0, -0.1, -0.2, 0.3))
    assert moments.scaled((-1.0, 1.0, 1.0)) == expected


@given(a=blocks, b=blocks)
def test_addition_is_commutative_to_the_bit(a: VolumeMoments, b: VolumeMoments) -> None:
    assert repr(a + b) == repr(b + a)


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
