"""The area of triangles."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.inertia.polyhedron import pairwise_sum
from sdfinertia.mesh.surface.topology import Indices

Points = npt.NDArray[np.float64]


def surface_area(vertices: Points, faces: Indices) -> float:
    """The sum of the areas of the faces, in the square of the vertices' unit; not finite where floats end before it.

    Args:
        vertices: (n, 3).
        faces: (m, 3).
    """
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is found in the result
        a, b, c = (vertices[faces[:, corner]] for corner in range(3))
        return pairwise_sum(lengths(np.cross(b - a, c - a))) / 2


def lengths(vectors: Points) -> Points:
    """The lengths of (k, 3) vectors, (k,)."""
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    result: Points = np.sqrt(x * x + y * y + z * z)
    return result
