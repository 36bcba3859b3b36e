"""The axis-aligned box about many points."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

# Points side by side in one row: minima go over rows of this length at once, where those over rows of three numbers
# would spend ten times as long on the ends of loops.
_ABREAST = 256


def bounding_box(points: npt.NDArray[np.floating[Any]]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """`(lower, upper)` corner of the box about points, (3,) each, NaN where a coordinate is NaN.

    Args:
        points: (n, 3), n > 0, in one block of memory or not.
    """
    abreast = len(points) // _ABREAST * _ABREAST
    if not abreast:
        return points.min(axis=0).astype(np.float64), points.max(axis=0).astype(np.float64)
    rest = points[abreast:]
    rows = points[:abreast].reshape(-1, 3 * _ABREAST)
    lows = [rows.min(axis=0).reshape(_ABREAST, 3).min(axis=0)]
    highs = [rows.max(axis=0).reshape(_ABREAST, 3).max(axis=0)]
    if len(rest):
        lows.append(rest.min(axis=0))
        highs.append(rest.max(axis=0))
    lower: npt.NDArray[np.float64] = np.min(lows, axis=0).astype(np.float64)
    upper: npt.NDArray[np.float64] = np.max(highs, axis=0).astype(np.float64)
    return lower, upper
