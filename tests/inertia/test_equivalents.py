from collections.abc import Callable
from math import inf, nan

import pytest
from builders.bodies import rotations, sizes
from builders.bodies import vectors as places
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.inertia.solids import box, cylinder, ellipsoid, equivalent_box, equivalent_ellipsoid

Draw = Callable[[float, Vector3], Vector3]


@given(size=sizes, density=st.floats(1.0, 10_000.0))
def test_the_box_of_a_box_is_itself_and_the_ellipsoid_of_an_ellipsoid(size: Vector3, density: float) -> None:
    for solid, equivalent in ((box, equivalent_box), (ellipsoid, equivalent_ellipsoid)):
        body = solid(size, density)
        assert equivalent(body.mass, body.principal().moments) == pytest.approx(size, rel=1e-12)


def drawn(body: SpatialInertia, draw: Draw) -> SpatialInertia:
    """The solid that is drawn for a body: at its centre of mass, along its principal axes, of its mass."""
    axes = body.principal()
    dimensions = draw(body.mass, axes.moments)
    solid = box(dimensions, 1.0) if draw is equivalent_box else ellipsoid(dimensions, 1.0)
    return solid.scaled_to_mass(body.mass).transformed(RigidTransform(axes.rotation, body.p_BoBcm_B))


@pytest.mark.parametrize("draw", [equivalent_box, equivalent_ellipsoid])
@given(size=sizes, first=rotations, place=places, radius=st.floats(0.1, 1.0), second=rotations)
def test_what_is_drawn_for_a_turned_compound_has_its_tensor(draw, size, first, place, radius, second):
    compound = box(size, 1000.0).transformed(RigidTransform(first, place))
    compound += cylinder(radius, 2.0, 3000.0).transformed(RigidTransform(second, (0.3, 0.1, -0.2)))
    solid = drawn(compound, draw)
    assert solid.mass == compound.mass
    assert solid.p_BoBcm_B == compound.p_BoBcm_B
    # Where two moments coincide to 1e-9 the axes are chosen, not found, so the tensor is met to that.
    assert solid.I_BBcm_B == pytest.approx(compound.I_BBcm_B, abs=2e-9 * compound.I_BBcm_B.trace)


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((1.0, 1.0, 2.0), (12**0.5, 12**0.5, 0.0)),
        ((1.0, 1.0, 2.0 + 1e-15), (12**0.5, 12**0.5, 0.0)),
        ((1.0, 1.0, 0.0), (0.0, 0.0, 12**0.5)),
        ((1.0, 1.0, -1e-17), (0.0, 0.0, 12**0.5)),
        ((0.083333, 0.083333, 0.16667), (1.0, 1.0, 0.0)),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ],
    ids=["plate", "rounded plate", "rod", "rounded rod", "plate of five digits", "point"],
)
def test_what_has_no_thickness_but_for_rounding_is_drawn_flat(moments: Vector3, expected: Vector3) -> None:
    assert equivalent_box(1.0, moments) == pytest.approx(expected, rel=5e-5, abs=0.0)


@pytest.mark.parametrize("draw", [equivalent_box, equivalent_ellipsoid])
@pytest.mark.parametrize(
    ("mass", "moments", "message"),
    [
        (1.0, (1.0, 1.0, 2.1), "principal moments 1 1 2.1"),
        (1.0, (3.0, 1.0, 1.0), "principal moments"),
        (1.0, (-1.0, 1.0, 1.0), "principal moments"),
        (1.0, (-1.0, -1.0, -1.0), "principal moments"),
        (1.0, (nan, 1.0, 1.0), "principal moments"),
        (1.0, (1.0, inf, inf), "principal moments"),
        (0.0, (1.0, 1.0, 1.0), "mass of 0 kg"),
        (-1.0, (1.0, 1.0, 1.0), "mass of -1 kg"),
        (nan, (1.0, 1.0, 1.0), "mass of nan kg"),
    ],
)
def test_what_no_body_can_have_is_refused(draw: Draw, mass: float, moments: Vector3, message: str) -> None:
    with pytest.raises(InertiaError, match=message):
        draw(mass, moments)
