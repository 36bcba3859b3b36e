import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.inertia.rigid_fit import RigidFit, least_squares_motion, rigid_fits
from sdfinertia.inertia.rigid_transform import rotation_from_rpy

angles = st.floats(-3.1, 3.1)
MIRRORS = {"y": np.diag([1.0, -1.0, 1.0]), "x": np.diag([-1.0, 1.0, 1.0]), "none": np.eye(3)}


def cloud() -> np.ndarray:
    """Points that no turn and no mirror lays on themselves."""
    generator = np.random.default_rng(7)
    points = generator.uniform(-1.0, 1.0, (300, 3)) * [0.30, 0.12, 0.05]
    return np.vstack([points, points[points[:, 0] > 0.1] * [1.0, 0.5, 2.0]])


def matrix_of(rpy: tuple[float, float, float]) -> np.ndarray:
    return np.array(rotation_from_rpy(*rpy)).reshape(3, 3)


def mirrors(fit: RigidFit) -> bool:
    return float(np.linalg.det(np.array(fit.matrix).reshape(3, 3))) < 0.0


@given(rpy=st.tuples(angles, angles, angles), mirror=st.sampled_from(sorted(MIRRORS)))
def test_points_in_their_order_give_the_motion_that_moved_them(rpy: tuple, mirror: str) -> None:
    matrix = matrix_of(rpy) @ MIRRORS[mirror]
    points = cloud()
    fit = least_squares_motion(points, points @ matrix.T + [0.1, -0.2, 0.3])
    assert np.allclose(np.array(fit.matrix).reshape(3, 3), matrix, atol=1e-12)
    assert fit.translation == pytest.approx((0.1, -0.2, 0.3), abs=1e-12)
    assert mirrors(fit) is (mirror != "none")


@pytest.mark.parametrize("mirror", sorted(MIRRORS))
@pytest.mark.parametrize("rpy", [(0.0, 0.0, 0.0), (0.3, -1.2, 2.0), (0.0, 0.0, 1.5707963267948966)])
def test_points_in_another_order_are_laid_on_each_other(mirror: str, rpy: tuple) -> None:
    matrix = matrix_of(rpy) @ MIRRORS[mirror]
    points = cloud()
    moved = (points @ matrix.T + [0.1, 0.0, 0.5])[np.random.default_rng(1).permutation(len(points))]
    fits = rigid_fits(points, moved)
    assert len(fits) == 1
    assert np.allclose(np.array(fits[0].matrix).reshape(3, 3), matrix, atol=1e-6)


def test_a_symmetrical_part_is_laid_on_itself_in_every_way_there_is() -> None:
    half = cloud()
    points = np.vstack([half, half * [1.0, -1.0, 1.0]])
    fits = rigid_fits(points, points[::-1])
    assert len(fits) == 2
    assert not mirrors(fits[0])
    assert mirrors(fits[1])


@pytest.mark.parametrize("factor", [[1.1, 1.0, 1.0], [1.0, 1.0, 2.0]])
def test_another_part_is_not_laid_on_it(factor: list[float]) -> None:
    points = cloud()
    assert rigid_fits(points, (points * factor)[::-1]) == []


def test_axes_that_nearly_agree_are_taken_for_the_same() -> None:
    points = cloud()
    fits = rigid_fits(points, np.round(points * [1.0, -1.0, 1.0], 4))
    assert fits[0].matrix == (1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0)
