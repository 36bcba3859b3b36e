from collections.abc import Callable
from math import inf, nan

import pytest
from builders.bodies import assert_same, bodies, rotations, sizes
from builders.bodies import vectors as places
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.inertia.solids import box, ellipsoid, rescaled_in_size, rescaled_to_density, rescaled_to_mass

positive = st.floats(0.1, 5.0)
factors = st.tuples(*3 * [positive | st.floats(-5.0, -0.1)])


@given(body=bodies, factor=positive)
def test_the_tensor_is_linear_in_the_mass(body: SpatialInertia, factor: float) -> None:
    heavier = rescaled_to_mass(body, factor * body.mass)
    assert heavier.mass == factor * body.mass
    assert heavier.p_BoBcm_B == body.p_BoBcm_B
    assert heavier.I_BBcm_B == pytest.approx([factor * entry for entry in body.I_BBcm_B], rel=1e-14, abs=1e-300)


@given(body=bodies, density=positive, factor=positive, volume=positive)
def test_mass_and_tensor_are_linear_in_the_density(body, density, factor, volume):
    once = rescaled_to_density(body, density, volume)
    assert once.mass == pytest.approx(density * volume)
    assert_same(rescaled_to_density(body, factor * density, volume), rescaled_to_mass(once, factor * once.mass))


@given(size=sizes, stretch=factors, place=places)
def test_a_stretched_box_is_the_box_of_the_stretched_edges(size: Vector3, stretch: Vector3, place: Vector3) -> None:
    edges, corner = ([f(a * b) for a, b in zip(c, stretch, strict=True)] for f, c in ((abs, size), (float, place)))
    stretched = rescaled_in_size(box(size, 700.0).transformed(RigidTransform(translation=place)), stretch)
    expected = box((edges[0], edges[1], edges[2]), 700.0)
    assert_same(stretched, expected.transformed(RigidTransform(translation=(corner[0], corner[1], corner[2]))))


@given(turn=rotations, place=places, stretch=factors)
def test_a_turned_ellipsoid_stretches_as_the_ball_that_it_came_from(turn, place, stretch):
    # A ball stays the same when turned, so any turn of it may be stretched in its place; off-diagonal terms and all.
    ball = ellipsoid((1.0, 1.0, 1.0), 500.0).transformed(RigidTransform(turn, place))
    x, y, z = (s * p for s, p in zip(stretch, place, strict=True))
    radii = (abs(stretch[0]), abs(stretch[1]), abs(stretch[2]))
    expected = ellipsoid(radii, 500.0).transformed(RigidTransform(translation=(x, y, z)))
    assert_same(rescaled_in_size(ball, stretch), expected)


def test_a_stretch_by_one_changes_no_bit_and_a_mirrored_body_has_the_products_of_its_axis_turned() -> None:
    body = SpatialInertia(1.1, (0.1, -0.3, 0.7), InertiaTensor(0.3, 0.4, 0.5, 0.01, -0.02, 0.03))
    assert rescaled_in_size(body, (1.0, 1.0, 1.0)) == body
    body = SpatialInertia(1.0, (0.1, 0.2, 0.3), InertiaTensor(0.3, 0.4, 0.5, 0.01, 0.02, 0.03))
    mirrored = SpatialInertia(1.0, (0.1, -0.2, 0.3), InertiaTensor(0.3, 0.4, 0.5, -0.01, 0.02, -0.03))
    assert rescaled_in_size(body, (1.0, -1.0, 1.0)) == mirrored


BODY = box((1.0, 2.0, 3.0), 1000.0)


@pytest.mark.parametrize(
    ("rescale", "said"),
    [
        (lambda: rescaled_to_mass(BODY, 0.0), "a mass must be a number above zero, not 0 kg"),
        (lambda: rescaled_to_mass(BODY, -1.0), "a mass must be a number above zero, not -1 kg"),
        (lambda: rescaled_to_mass(BODY, nan), "a mass must be a number above zero, not nan kg"),
        (
            lambda: rescaled_to_mass(SpatialInertia(0.0, (0.0, 0.0, 0.0), BODY.I_BBcm_B), 1.0),
            "a mass must be a number above zero, not 0 kg",
        ),
        (lambda: rescaled_to_density(BODY, 0.0, 1.0), "a density must be a number above zero, not 0 kg/m³"),
        (lambda: rescaled_to_density(BODY, inf, 1.0), "a density must be a number above zero, not inf kg/m³"),
        (lambda: rescaled_to_density(BODY, 1.0, 0.0), "a volume must be a number above zero, not 0 m³"),
        (lambda: rescaled_in_size(BODY, (1.0, 0.0, 1.0)), "a body cannot be scaled by 1 0 1"),
        (lambda: rescaled_in_size(BODY, (nan, 1.0, 1.0)), "a body cannot be scaled by nan 1 1"),
        (lambda: rescaled_in_size(BODY, (1.0, 1.0, inf)), "a body cannot be scaled by 1 1 inf"),
    ],
)
def test_what_is_no_mass_density_or_size_is_refused(rescale: Callable[[], SpatialInertia], said: str) -> None:
    with pytest.raises(InertiaError, match=f"^{said}$"):
        rescale()
