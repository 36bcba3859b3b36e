"""What looks like a mistake of one kind and is another, or none: each of these was seen in real files."""

from __future__ import annotations

import numpy as np
import pytest

from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.inertia.tensor_arrays import ROUNDING, are_bodies, point_masses, rotated

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
