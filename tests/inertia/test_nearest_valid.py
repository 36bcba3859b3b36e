from math import inf, nan

import numpy as np
import pytest
from builders.bodies import rotations, tensor_matrix
from hypothesis import example, given, reject
from hypothesis import strategies as st
from scipy.optimize import nnls

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.inertial_text import is_accepted_by_libsdformat
from sdfinertia.inertia.nearest_valid import MARGIN, nearest_moments, nearest_valid_tensor
from sdfinertia.inertia.principal_axes import principal_moments

# Powers of what is smaller leave the range of floats.
moments = st.floats(-2.0, 3.0).map(lambda moment: moment if abs(moment) > 1e-9 else 0.0)
scales = st.integers(-9, 6).map(lambda power: 10.0**power)


@st.composite
def tensors(draw: st.DrawFn) -> InertiaTensor:
    """Of bodies and of none, in any axes and of any size."""
    scale = draw(scales)
    diagonal = [scale * draw(moments) for _ in range(3)]
    return InertiaTensor(*diagonal).rotated(draw(rotations))


def nearest_to(tensor: InertiaTensor) -> InertiaTensor:
    try:
        return nearest_valid_tensor(1.0, tensor).tensor
    except InertiaError:
        reject()


@given(tensor=tensors())
# A rod that libsdformat accepts as it is, and whose moments are rounded by their last digit.
@example(tensor=InertiaTensor(1.2499999999999865, 1.249999999999996, 1.8e-14, -7.4e-15, -1.3077e-07, -7.144e-08))
def test_the_nearest_tensor_is_one_that_a_body_can_have(tensor: InertiaTensor) -> None:
    nearest = nearest_to(tensor)
    assert is_accepted_by_libsdformat(1.0, nearest)
    rounding = 4 * np.finfo(float).eps if nearest == tensor else 0.0
    assert SpatialInertia(1.0, (0.0, 0.0, 0.0), nearest).is_physically_valid(rtol=rounding)
    assert nearest_valid_tensor(1.0, nearest)[:1] == (nearest,)
    assert nearest_valid_tensor(1.0, nearest).moved == 0.0


@given(tensor=tensors())
@example(tensor=InertiaTensor(-0.7080734182735712, 0.0078125, -0.2919265817264289, 0.0, -0.4546487134128409, 0.0))
@example(tensor=InertiaTensor(-0.7080704990077539, -0.2919195009922461, 0.0, 0.454653259899975, 0.0, 0.0))
def test_a_tensor_keeps_its_axes(tensor: InertiaTensor) -> None:
    nearest = nearest_to(tensor)
    before, after = tensor_matrix(*tensor), tensor_matrix(*nearest)
    # Matrices with the same axes are those that commute; each product rounds by the size of its factors, and what is
    # added to a tensor by the size of that, however little is left.
    large, left = np.abs(before).max(), np.abs(after).max()
    rounding = (1e-12 * left + 8 * np.finfo(float).eps * large) * large + 1e-300
    assert np.allclose(before @ after, after @ before, rtol=0.0, atol=rounding)


@given(low=moments, middle=moments, high=moments)
def test_a_solver_of_quadratic_programs_finds_no_moments_that_are_nearer(low, middle, high):
    given_moments = tuple(sorted((low, middle, high)))
    found = nearest_moments(given_moments)
    best = by_nonnegative_least_squares(given_moments)
    if found is None:
        assert np.linalg.norm(best) <= 1e-9
        return
    assert np.allclose(found, best, rtol=0.0, atol=1e-9 * (1.0 + max(map(abs, given_moments))))


def by_nonnegative_least_squares(point: tuple[float, ...]) -> np.ndarray:
    """The nearest point of the cone that its three edges span: an active-set solver's (Lawson and Hanson 1974)."""
    small = 2.0 * MARGIN / (1.0 - MARGIN)
    edges = np.array([[small, 1.0, 1.0], [1.0, small, 1.0], [1.0, 1.0, small]]).T
    weights, _ = nnls(edges, np.array(point))
    return edges @ weights


@pytest.mark.parametrize(
    ("point", "nearest"),
    [
        pytest.param((1.0, 2.0, 2.5), (1.0, 2.0, 2.5), id="inside"),
        pytest.param((1.0, 1.0, 3.0), (4 / 3, 4 / 3, 8 / 3), id="on a face"),
        pytest.param((0.0, 0.0, 108.5602), (36.186733, 36.186733, 72.373467), id="one moment alone"),
        pytest.param((-1.0, 2.0, 2.0), (0.0, 2.0, 2.0), id="on an edge"),
        pytest.param((-3.0, 1.0, 3.0), (0.0, 2.0, 2.0), id="on an edge, two moments made equal"),
    ],
)
def test_moments_are_projected_on_the_cone(point: tuple[float, ...], nearest: tuple[float, ...]) -> None:
    found = nearest_moments((point[0], point[1], point[2]))
    assert found == pytest.approx(nearest, abs=1e-5 * max(map(abs, point)))


def test_how_far_a_tensor_moved_is_the_distance_of_its_entries_and_one_that_a_body_has_does_not_move() -> None:
    tensor = InertiaTensor(1.0, 1.0, 3.0, 0.1, 0.0, 0.2)
    found = nearest_valid_tensor(1.0, tensor)
    distance = float(np.linalg.norm(tensor_matrix(*found.tensor) - tensor_matrix(*tensor)))
    assert found.moved == pytest.approx(distance, rel=1e-12)
    assert found.share == pytest.approx(distance / float(np.linalg.norm(tensor_matrix(*tensor))), rel=1e-12)
    assert found.before == pytest.approx(principal_moments(tensor))
    assert found.after == pytest.approx(principal_moments(found.tensor))
    tensor = InertiaTensor(1.0, 2.0, 2.5, 0.1, -0.2, 0.3)
    found = nearest_valid_tensor(2.0, tensor)
    assert found.tensor is tensor
    assert (found.moved, found.share) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("mass", "entries"),
    [
        pytest.param(1.0, (0.0, 0.0, 0.0), id="zeros"),
        pytest.param(1.0, (-1.0, -2.0, -3.0), id="all negative"),
        pytest.param(1.0, (-2.0, -2.0, 1.0), id="nothing but the tip is near"),
        pytest.param(0.0, (1.0, 1.0, 1.0), id="no mass"),
        pytest.param(1.0, (1e-125, 1e-125, 3e-125, 1e-126), id="moments whose powers no number holds"),
        pytest.param(1.0, (1.0, inf, 1.0), id="an infinite moment"),
        pytest.param(1.0, (1.0, 1.0, 1.0, nan), id="a product that is no number"),
    ],
)
def test_nothing_is_made_up_where_no_body_is_near(mass: float, entries: tuple[float, ...]) -> None:
    with pytest.raises(InertiaError):
        nearest_valid_tensor(mass, InertiaTensor(*entries))
