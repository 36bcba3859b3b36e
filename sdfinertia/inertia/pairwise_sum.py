"""A sum of many numbers that rounds little, and alike everywhere."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def pairwise_sum(values: npt.NDArray[np.float64]) -> float:
    """The sum of a (k,) array, halves folded onto each other, so that rounding grows with log k only.

    Not `values.sum()`: it groups the elements of long arrays differently from one numpy version to the next, and the
    same mesh must give the same bits.
    """
    if not len(values):
        return 0.0
    while len(values) > 1:
        half = len(values) // 2
        folded = values[:half] + values[half : 2 * half]
        if len(values) % 2:
            folded[0] += values[-1]
        values = folded
    return float(values[0])
