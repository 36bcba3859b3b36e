"""Closed surfaces of any number of triangles, irregular enough that nothing about them is special."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_RING, _TUBE = 0.7, 0.25  # radii of the torus (m)
_OFFSET = (0.3, -0.2, 0.5)  # of its centre from the origin (m): parts are seldom drawn about their middle
_JITTER = 0.2  # of the spacing of the grid: neighbours keep their order, so that triangles keep their side
_SEED = 6


@dataclass(frozen=True, eq=False)
class Surface:
    """A closed triangle surface."""

    vertices: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int64]

    def face_normals(self) -> npt.NDArray[np.float64]:
        """The unit normal of each face, (m, 3)."""
        return _unit(self._doubled_areas())

    def vertex_normals(self) -> npt.NDArray[np.float64]:
        """The unit normal at each vertex, (n, 3): the mean of its faces', weighted by their areas."""
        areas, total = self._doubled_areas(), np.zeros_like(self.vertices)
        for corner in range(3):
            for axis in range(3):
                total[:, axis] += np.bincount(self.faces[:, corner], areas[:, axis], len(self.vertices))
        return _unit(total)

    def _doubled_areas(self) -> npt.NDArray[np.float64]:
        a, b, c = (self.vertices[self.faces[:, corner]] for corner in range(3))
        return np.cross(b - a, c - a)


def bumpy_torus(triangles: int) -> Surface:
    """A torus with bumps, jittered vertices and diagonals at random; the same one for the same number."""
    tube, ring = _grid(triangles // 2)
    random = np.random.default_rng(_SEED)
    steps = np.indices((ring, tube)) + random.uniform(-_JITTER, _JITTER, (2, ring, tube))
    u, v = steps[0] * (2 * math.pi / ring), steps[1] * (2 * math.pi / tube)
    radius = _TUBE * (1 + 0.15 * np.sin(5 * u + 2 * v) + 0.08 * np.sin(11 * u - 3 * v))
    out = _RING + radius * np.cos(v)
    vertices = np.stack((out * np.cos(u), out * np.sin(u), radius * np.sin(v)), axis=-1).reshape(-1, 3) + _OFFSET

    numbers = np.arange(ring * tube).reshape(ring, tube)
    a, b = numbers, np.roll(numbers, -1, axis=0)
    d, c = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    one = np.stack((a, b, c, a, c, d), axis=-1)
    other = np.stack((a, b, d, b, c, d), axis=-1)
    faces = np.where(random.random((ring, tube, 1)) < 0.5, one, other).reshape(-1, 3)
    return Surface(vertices, faces)


def _grid(quadrilaterals: int) -> tuple[int, int]:
    """Two factors of the number, the second about twice the first."""
    for factor in range(math.isqrt(quadrilaterals // 2), 2, -1):
        if quadrilaterals % factor == 0:
            return factor, quadrilaterals // factor
    raise ValueError(f"{2 * quadrilaterals} triangles make no grid")


def _unit(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
