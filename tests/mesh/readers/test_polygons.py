from __future__ import annotations

import math

import numpy as np
import pytest

from sdfinertia.mesh.readers.polygons import triangulated

L_SHAPE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
U_SHAPE = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
RADII = [3, 1] * 7
STAR = [(r * math.cos(k * math.pi / 7), r * math.sin(k * math.pi / 7)) for k, r in enumerate(RADII)]
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
WITH_STRAIGHT_CORNERS = [(0, 0), (1, 0), (2, 0), (2, 2), (1, 2), (1, 1), (0, 1)]


def areas(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a) / 2


def turned(points: list[tuple[float, float]]) -> np.ndarray:
    """The points in a plane that is parallel to no axis."""
    flat = np.array([(x, y, 0.0) for x, y in points])
    one, other = np.array([2, 1, 2]) / 3, np.array([-2, 2, 1]) / 3
    return flat[:, :1] * one + flat[:, 1:2] * other + 5.0


def shoelace(points: list[tuple[float, float]]) -> float:
    return sum(x * v - u * y for (x, y), (u, v) in zip(points, [*points[1:], points[0]], strict=True)) / 2


@pytest.mark.parametrize("polygon", [L_SHAPE, U_SHAPE, STAR, SQUARE, WITH_STRAIGHT_CORNERS])
@pytest.mark.parametrize("shift", range(4))
@pytest.mark.parametrize("is_reversed", [False, True])
def test_triangles_cover_a_polygon_once(polygon: list[tuple[float, float]], shift: int, is_reversed: bool) -> None:
    loop = polygon[shift:] + polygon[:shift]
    loop = loop[::-1] if is_reversed else loop
    points = turned(loop)
    faces = triangulated(points, np.arange(len(loop)), np.array([len(loop)]))
    covered = areas(points, faces)
    assert len(faces) == len(loop) - 2
    assert np.linalg.norm(covered, axis=1).sum() == pytest.approx(abs(shoelace(loop)), rel=1e-12)
    assert np.linalg.norm(covered.sum(axis=0)) == pytest.approx(abs(shoelace(loop)), rel=1e-12)


def test_polygons_keep_their_order() -> None:
    points = np.array([(x, y, 0.0) for x, y in [*SQUARE, *L_SHAPE, *SQUARE]])
    faces = triangulated(points, np.arange(14), np.array([4, 6, 4]))
    assert (faces[:2] < 4).all()
    assert (faces[2:6] >= 4).all()
    assert (faces[2:6] < 10).all()
    assert (faces[6:] >= 10).all()


def test_a_polygon_that_crosses_itself_keeps_its_fan() -> None:
    points = np.array([(0, 0, 0), (1, 1, 0), (1, 0, 0), (0, 1, 0)], dtype=float)
    assert len(triangulated(points, np.arange(4), np.array([4]))) == 2
