"""What looks like a mistake of one kind and is another, or none: each of these was seen in real files."""

from __future__ import annotations

import numpy as np
import pytest

from sdfinertia.causes.digits import within_last_digits
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.inertia.tensor_arrays import ROUNDING, are_bodies, matrices, point_masses, rotated, second_moments

# 1: barely ------------------------------------------------------------------------------------------------------------


def test_a_bare_zero_is_exact() -> None:
    # With ixy of ±0.05 there would be a body; 0 has no last digit to round.
    six = np.array([0.1, 0.1, 0.2001, 0.0, 0.0, 0.0])
    assert within_last_digits(six, np.zeros(6)) is None
    assert within_last_digits(six, np.array([5e-3, 5e-3, 5e-5, 0, 0, 0])) is not None


def test_no_choice_of_last_digits_means_that_none_is_found() -> None:
    chance = np.random.default_rng(7)
    for _ in range(50):
        six = np.concatenate((chance.uniform(0.5, 2.0, 3), chance.uniform(-0.6, 0.6, 3)))
        halves = np.full(6, 0.05)
        found = within_last_digits(six, halves)
        tries = six + chance.uniform(-0.05, 0.05, (2000, 6))
        bodies = np.linalg.eigvalsh(matrices(second_moments(tries)))[:, 0] >= 0.0
        assert found is not None or not bodies.any()
        if found is not None:
            assert (np.abs(found - six) <= halves + 1e-12).all()
            assert np.linalg.eigvalsh(matrices(second_moments(found)))[0] >= -1e-12


# 4: an offset makes almost anything a body ----------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [(0.3, -1.1, 2.0), (1.5707963, 0.0, 0.0)])
def test_no_other_axes_and_no_lever_taken_away_make_a_body_of_what_is_none(turn: tuple[float, float, float]) -> None:
    # What the diagnosis does not even try: the second moments keep their eigenvalues, or lose some.
    chance = np.random.default_rng(3)
    components = np.concatenate((chance.uniform(0.5, 3.0, (300, 3)), chance.uniform(-0.6, 0.6, (300, 3))), axis=1)
    none = components[~are_bodies(components, 2.0 * ROUNDING)]
    assert len(none) > 50
    assert not are_bodies(rotated(none, np.array(rotation_from_rpy(*turn)).reshape(3, 3))).any()
    assert not are_bodies(none - point_masses(np.full(len(none), 0.7), chance.normal(size=(len(none), 3)))).any()
