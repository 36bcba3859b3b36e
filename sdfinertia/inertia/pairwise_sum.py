"""A sum of many numbers that rounds little, and alike everywhere."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def pairwise_sum(values: npt.NDArray[np.float64]) -> float:
    """The sum of a (k,) array, halves folded onto each other, so that rounding grows with log k only.

    Not `values.sum()`: it groups the elements of long arrays differently from one numpy version to the next, and the
    same mesh must give the same bits.
    """
    return float(pairwise_sums(values[np.newaxis])[0])


def pairwise_sums(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The sums of the rows of a (q, k) array, (q,), each as `pairwise_sum` adds it; the array is left as it is."""
    if not values.shape[1]:
        return np.zeros(len(values))
    while (length := values.shape[1]) > 1:
        half = length // 2
        folded = values[:, :half] + values[:, half : 2 * half]
        if length % 2:
            folded[:, 0] += values[:, -1]
        values = folded
    return values[:, 0]
