"""Many tensors at once say what one does."""

from __future__ import annotations

import numpy as np
import pytest

from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.nearest_valid import relative_moments
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.inertia.tensor_arrays import (
    are_bodies,
    components_of,
    eigenvalues,
    has_all_moments,
    is_body,
    largest_ratios,
    matrices,
    point_masses,
    rotated,
    second_moments,
    whitenings,
)


def bodies(count: int, seed: int = 1) -> np.ndarray:
    """Tensors of bodies of all shapes, (count, 6)."""
    chance = np.random.default_rng(seed)
    points = chance.normal(size=(count, 3, 5)) * chance.uniform(0.05, 2.0, size=(count, 3, 1))
    moments = points @ np.swapaxes(points, -1, -2)
    return components_of(np.trace(moments, axis1=1, axis2=2)[:, None, None] * np.eye(3) - moments)


def test_matrices_and_sixes_are_the_same() -> None:
    components = bodies(20)
    assert (components_of(matrices(components)) == components).all()
    assert (matrices(components) == np.swapaxes(matrices(components), -1, -2)).all()


def test_eigenvalues_are_those_of_lapack() -> None:
    components = bodies(200)
    assert eigenvalues(components) == pytest.approx(
        np.linalg.eigvalsh(matrices(components))[:, ::-1], rel=1e-7, abs=1e-9
    )


def test_equal_moments_have_equal_eigenvalues() -> None:
    assert eigenvalues(np.array([2.0, 2.0, 2.0, 0.0, 0.0, 0.0])) == pytest.approx([2.0, 2.0, 2.0])


def test_a_rotation_is_that_of_one_tensor() -> None:
    turns = [rotation_from_rpy(0.3, -1.1, 0.2 * k) for k in range(10)]
    expected = [InertiaTensor(*six).rotated(R) for six, R in zip(bodies(10), turns, strict=True)]
    assert rotated(bodies(10), np.array(turns).reshape(10, 3, 3)) == pytest.approx(np.array(expected))
    for k, R in enumerate(turns):
        assert rotated(bodies(10)[k], np.array(R).reshape(3, 3)) == pytest.approx(np.array(expected[k]))


def test_point_masses_are_the_parallel_axis_term() -> None:
    term = point_masses(np.array(2.5), np.array([0.1, -0.2, 0.3]))
    assert term == pytest.approx(np.array(InertiaTensor(0, 0, 0).with_point_mass(2.5, (0.1, -0.2, 0.3))))


def test_bodies_are_told_from_what_is_none() -> None:
    components = np.concatenate((bodies(100), bodies(100, 2) * np.array([1, 1, 4.0, 1, 1, 1])))
    expected = [
        SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(*six)).is_physically_valid(1e-4) for six in components
    ]
    clear = np.abs(np.linalg.eigvalsh(matrices(second_moments(components)))[:, 0]) > 1e-3 * components[:, :3].sum(1)
    assert (are_bodies(components) == expected)[clear].all()
    assert not all(expected)


def test_one_tensor_is_judged_as_many_are() -> None:
    components = np.concatenate((bodies(100), bodies(100, 2) * np.array([1, 1, 4.0, 1, 1, 1])))
    assert [is_body(InertiaTensor(*six)) for six in components.tolist()] == are_bodies(components).tolist()


def test_a_rod_is_told_by_its_least_moment() -> None:
    assert all(has_all_moments(InertiaTensor(*six), 1e-7) for six in bodies(100).tolist())
    assert has_all_moments(InertiaTensor(1.0, 1.0, 1e-6), 1e-7)
    assert not has_all_moments(InertiaTensor(1.0, 1.0, 1e-9), 1e-7)


def test_ratios_are_generalized_eigenvalues() -> None:
    tensors, references = bodies(20), bodies(3, 5)
    found = largest_ratios(tensors, whitenings(references))
    for n, tensor in enumerate(tensors):
        for k, reference in enumerate(references):
            low, _, high = relative_moments(InertiaTensor(*tensor), InertiaTensor(*reference))
            assert found[n, k] == pytest.approx(max(-np.log(low), np.log(high)), rel=1e-5)
