from __future__ import annotations

import math

import numpy as np
import pytest

from sdfinertia.mesh.affine import (
    IDENTITY,
    Affine,
    compose,
    determinant,
    rotation_about,
    rotation_from_quaternion,
    scaling,
    translation,
)


def square(transform: Affine) -> np.ndarray:
    return np.vstack([np.array(transform), [0, 0, 0, 1]])


def test_composition_and_determinant_are_those_of_matrices() -> None:
    first = compose(translation(1, 2, 3), compose(rotation_about((1, 2, 3), 40), scaling(2, -3, 4)))
    second = compose(scaling(-1, 5, 0.5), translation(4, 5, 6))
    assert np.allclose(square(compose(first, second)), square(first) @ square(second), rtol=1e-14)
    assert determinant(first) == pytest.approx(-24, rel=1e-14)


@pytest.mark.parametrize("degrees", [-90, 0, 90, 180, 270, 450])
def test_quarter_turns_are_exact(degrees: float) -> None:
    turned = rotation_about((0, 0, 1), degrees)
    assert {abs(x) for row in turned for x in row} <= {0.0, 1.0}
    assert turned[1][0] == round(math.sin(math.radians(degrees)))


@pytest.mark.parametrize("size", [1e-200, 0.9, 1e200])
def test_quaternions_of_any_length_rotate_as_the_unit_one(size: float) -> None:
    half = math.radians(50) / 2
    axis = np.array([2, -1, 2]) / 3
    made = rotation_from_quaternion(*(axis * math.sin(half) * size).tolist(), math.cos(half) * size)
    assert np.allclose(made, rotation_about((2, -1, 2), 50), atol=1e-15)
    assert rotation_from_quaternion(0, 0, 0, -3) == IDENTITY
