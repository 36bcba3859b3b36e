from __future__ import annotations

import numpy as np
import pytest

from sdfinertia.inertia.polyhedron import bounding_box


@pytest.mark.parametrize("count", [1, 255, 256, 257, 512, 1000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_box_is_about_every_point_wherever_it_stands(count: int, dtype: type[np.floating]) -> None:
    inside = np.random.default_rng(count).uniform(-1, 1, (count, 3)).astype(dtype)
    for place in {0, count // 2, count - 1}:
        for axis in range(3):
            for value in (-3.0, 3.0):
                points = inside.copy()
                points[place, axis] = value
                lower, upper = bounding_box(points)
                assert (lower.dtype, upper.dtype, lower.shape, upper.shape) == (np.float64, np.float64, (3,), (3,))
                assert np.array_equal(lower, points.min(axis=0))
                assert np.array_equal(upper, points.max(axis=0))


@pytest.mark.parametrize("count", [10, 300])
def test_points_need_not_lie_in_one_block_of_memory(count: int) -> None:
    points = np.random.default_rng(0).normal(size=(2 * count, 4))[::2, :3]
    lower, upper = bounding_box(points)
    assert np.array_equal(lower, points.min(axis=0))
    assert np.array_equal(upper, points.max(axis=0))


@pytest.mark.parametrize("place", [0, 255, 256, 299])
def test_what_is_no_number_is_told_by_its_axis(place: int) -> None:
    points = np.zeros((300, 3))
    points[place, 1] = np.nan
    for corner in bounding_box(points):
        assert np.array_equal(np.isnan(corner), [False, True, False])
