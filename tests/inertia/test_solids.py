from math import inf, nan, pi
from typing import Any

import pytest

from sdfinertia.errors import GeometryError, InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.inertia.solids import box, capsule, cone, cylinder, ellipsoid, sphere


def test_the_textbook_box_has_6000_kg_and_one_beyond_floats_raises_nothing() -> None:
    expected = SpatialInertia(6000.0, (0.0, 0.0, 0.0), InertiaTensor(6500.0, 5000.0, 2500.0))
    assert box((1.0, 2.0, 3.0), 1000.0) == expected
    assert not box((1e200, 1e200, 1e200), 1.0).is_physically_valid()
    assert not sphere(1e-55, 1e-100).is_physically_valid()


@pytest.mark.parametrize(
    ("solid", "given", "mass", "centre", "moments"),
    [
        (sphere, (2.0, 3.0), 32 * pi, 0.0, (51.2 * pi, 51.2 * pi, 51.2 * pi)),
        (cylinder, (1.0, 6.0, 2.0), 12 * pi, 0.0, (39 * pi, 39 * pi, 6 * pi)),
        (ellipsoid, ((1.0, 2.0, 3.0), 0.5), 4 * pi, 0.0, (10.4 * pi, 8 * pi, 4 * pi)),
        (cone, (2.0, 4.0, 3.0), 16 * pi, -1.0, (19.2 * pi, 19.2 * pi, 19.2 * pi)),
        # Cylinder 2π kg and caps 4/3 π kg: across 2π 7/12 + 4/3 π (0.4 + 0.75 + 1), along π + 4/3 π 0.4.
        (capsule, (1.0, 2.0, 1.0), 10 / 3 * pi, 0.0, (*[pi * (7 / 6 + 8.6 / 3)] * 2, pi * (1 + 1.6 / 3))),
        # Cylinder 12π kg and caps 32/3 π kg: across 12π 21/12 + 32/3 π (1.6 + 2.25 + 2.25), along 24π + 32/3 π 1.6.
        (capsule, (2.0, 3.0, 1.0), 68 / 3 * pi, 0.0, (*[pi * (21 + 195.2 / 3)] * 2, pi * (24 + 51.2 / 3))),
    ],
    ids=["sphere", "cylinder", "ellipsoid", "cone", "capsule", "thick capsule"],
)
def test_solids_have_the_values_of_the_tables(solid, given, mass, centre, moments):
    body = solid(*given)
    assert body.mass == pytest.approx(mass, rel=1e-15)
    assert body.p_BoBcm_B == (0.0, 0.0, centre)
    assert body.I_BBcm_B == pytest.approx((*moments, 0.0, 0.0, 0.0), rel=1e-14)


def test_an_ellipsoid_with_equal_radii_is_a_sphere_and_a_capsule_one_or_a_cylinder_in_its_limits():
    assert ellipsoid((0.7, 0.7, 0.7), 9.0).I_BBcm_B == pytest.approx(sphere(0.7, 9.0).I_BBcm_B, rel=1e-14)
    assert capsule(0.5, 1e-12, 9.0).I_BBcm_B == pytest.approx(sphere(0.5, 9.0).I_BBcm_B, rel=1e-11)
    slender = capsule(1e-9, 2.0, 9.0).I_BBcm_B
    assert slender.ixx == pytest.approx(cylinder(1e-9, 2.0, 9.0).I_BBcm_B.ixx, rel=1e-8)


def test_a_cone_and_the_frustum_below_it_are_the_whole_cone() -> None:
    # The tip of a cone cut at half its length is a cone of half the size; what is left comes from a table of frusta.
    whole, tip = cone(2.0, 4.0, 1.0), cone(1.0, 2.0, 1.0).transformed(RigidTransform(translation=(0.0, 0.0, 1.0)))
    frustum_mass = pi * 2.0 / 3.0 * (4.0 + 2.0 + 1.0)
    frustum_centre = -2.0 + 2.0 / 4.0 * (4.0 + 2.0 * 2.0 + 3.0 * 1.0) / (4.0 + 2.0 + 1.0)
    assert whole.mass == pytest.approx(tip.mass + frustum_mass)
    assert whole.mass * whole.p_BoBcm_B[2] == pytest.approx(tip.mass * tip.p_BoBcm_B[2] + frustum_mass * frustum_centre)


SOLIDS: dict[str, tuple[Any, dict[str, int]]] = {
    "box": (box, {"size x": 0, "size y": 1, "size z": 2}),
    "ellipsoid": (ellipsoid, {"radii x": 0, "radii y": 1, "radii z": 2}),
    "sphere": (sphere, {"radius": 0}),
    "cylinder": (cylinder, {"radius": 0, "length": 1}),
    "capsule": (capsule, {"radius": 0, "length": 1}),
    "cone": (cone, {"radius": 0, "length": 1}),
}


def made(name, density=1.0, place=0, value=1.0):
    """The solid of that density whose dimensions are all one, but for one of them."""
    solid, dimensions = SOLIDS[name]
    given = [value if place == other else 1.0 for other in range(len(dimensions))]
    return solid(given, density) if solid in (box, ellipsoid) else solid(*given, density)


@pytest.mark.parametrize("value", [0.0, -1.5, inf, nan])
@pytest.mark.parametrize("name", SOLIDS)
def test_a_dimension_that_no_solid_can_have_is_named(name, value):
    for dimension, place in SOLIDS[name][1].items():
        with pytest.raises(GeometryError, match=f"^{name} {dimension} must be positive and finite, found {value!r}$"):
            made(name, place=place, value=value)


@pytest.mark.parametrize("name", SOLIDS)
def test_a_dimension_whose_products_lose_their_digits_is_named(name):
    for dimension, place in SOLIDS[name][1].items():
        assert made(name, place=place, value=1e-70).mass > 0.0
        with pytest.raises(GeometryError, match=f"^{name} {dimension} must be 1e-70 m at least, found 5e-324: "):
            made(name, place=place, value=5e-324)


@pytest.mark.parametrize("name", SOLIDS)
def test_the_density_is_a_factor_and_may_be_zero(name):
    light, heavy, none = made(name), made(name, 1024.0), made(name, 0.0)
    assert (heavy.mass, *heavy.I_BBcm_B) == tuple(1024.0 * value for value in (light.mass, *light.I_BBcm_B))
    assert (none.mass, *none.I_BBcm_B) == (0.0,) * 7


@pytest.mark.parametrize("density", [-1.0, inf, nan])
@pytest.mark.parametrize("name", SOLIDS)
def test_an_impossible_density_is_refused(name, density):
    with pytest.raises(InertiaError, match="density"):
        made(name, density)
