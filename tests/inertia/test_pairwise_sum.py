from __future__ import annotations

from math import fsum

import numpy as np
import pytest

from sdfinertia.inertia.polyhedron import pairwise_sum, pairwise_sums


@pytest.mark.parametrize("count", [*range(18), 1000, 4097])
def test_whole_numbers_are_summed_exactly(count: int) -> None:
    values = np.arange(1.0, count + 1) ** 2
    assert pairwise_sum(values) == count * (count + 1) * (2 * count + 1) // 6


def test_rounding_does_not_grow_with_the_count() -> None:
    values = np.random.default_rng(0).uniform(0, 1, 1 << 18)
    assert pairwise_sum(values) == pytest.approx(fsum(values), rel=4e-16)
    assert abs(float(np.add.accumulate(values)[-1]) / fsum(values) - 1) > 4e-16, "one after the other is not as good"


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_rows_are_summed_each_for_itself_and_left_as_they_are(count: int) -> None:
    rows = np.random.default_rng(0).normal(size=(4, count))
    before = rows.copy()
    sums = pairwise_sums(rows)
    assert sums.tolist() == [pairwise_sum(row) for row in rows]
    assert np.array_equal(rows, before)


def test_halves_are_folded_onto_each_other_in_a_fixed_order() -> None:
    tiny = 2.0**-53
    # ((1 + tiny) + (tiny + tiny)) and the odd one to the first.
    assert pairwise_sum(np.array([1.0, tiny, tiny, tiny])) == (1.0 + tiny) + (tiny + tiny)
    assert pairwise_sum(np.array([1.0, tiny, tiny, tiny, 2 * tiny])) == ((1.0 + tiny) + 2 * tiny) + (tiny + tiny)
    assert pairwise_sum(np.array([tiny, 1.0, tiny, tiny])) == (tiny + tiny) + (1.0 + tiny)
