from __future__ import annotations

import numpy as np
import pytest

from sdfinertia.errors import MeshError
from sdfinertia.mesh import nesting, winding
from sdfinertia.mesh.nesting import points_inside, settled_signs
from sdfinertia.mesh.winding import windings

OCTAHEDRON = np.concatenate((np.eye(3), -np.eye(3)))
OUTWARD = np.array([(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)])


def octahedra(*sizes):
    """Octahedra about the origin, with which body each face is of."""
    vertices = np.concatenate([OCTAHEDRON * size for size in sizes])
    faces = np.concatenate([OUTWARD + 6 * k for k in range(len(sizes))])
    return vertices, faces, np.repeat(np.arange(len(sizes)), 8)


@pytest.mark.parametrize("seed", range(3))
def test_points_lie_inside_an_octahedron_by_its_equation(seed):
    points = np.random.default_rng(seed).uniform(-1, 1, (20_000, 3))
    vertices, faces, _ = octahedra(1)
    assert np.array_equal(points_inside(vertices, faces, points), np.abs(points).sum(axis=1) < 1)


def test_triangles_of_all_sizes_are_met_exactly():
    sizes = 2.0 ** -np.arange(16)
    vertices, faces, body = octahedra(*sizes)
    points = np.random.default_rng(1).normal(size=(3000, 3)) * 2.0 ** -np.random.default_rng(2).uniform(
        0, 16, (3000, 1)
    )
    found = np.zeros((3000, 16), np.int64)
    for point, around, number, unsure in windings(vertices, faces, body, points, 3):
        assert not unsure.any()
        found[point, around] = number
    assert np.array_equal(found, np.abs(points).sum(axis=1)[:, None] < sizes)


def test_points_on_the_surface_cannot_be_told():
    vertices, faces, body = octahedra(1)
    on = np.array([(0.2, 0.3, 0.5), (-0.1, 0.6, -0.3), (1, 0, 0), (0.5, 0.5, 0)])
    assert all(unsure.all() and len(unsure) == 4 for _, _, _, unsure in windings(vertices, faces, body, on, 4))


def test_an_inverted_surface_winds_the_other_way():
    vertices, faces, body = octahedra(1)
    [(point, _, number, _)] = windings(vertices, faces[:, ::-1], body, np.array([(0.1, 0.2, 0.05), (3, 3, 3)]), 1)
    assert (point.tolist(), number.tolist()) == ([0], [-1])


@pytest.mark.parametrize(
    ("signs", "settled"),
    [
        ([1, 1, 1], [1, 1, 1]),
        ([1, -1, 1], [1, -1, 1]),
        ([-1, 1, -1], [1, -1, 1]),
        ([-1, -1, -1], [1, 1, 1]),
        ([1, -1, -1], [1, -1, 1]),
        ([-1, 1, 1], [1, -1, 1]),
        ([1, 1, -1], [1, 1, -1]),
        ([1, 0, -1], [1, 0, -1]),
        ([0, -1, 1], [0, 1, -1]),
    ],
)
def test_shells_in_one_another_are_settled_from_outside_inwards(signs, settled):
    vertices, faces, body = octahedra(0.5, 0.4, 0.3)
    faces = np.where((np.array(signs) < 0)[body][:, None], faces[:, ::-1], faces)
    assert settled_signs(vertices, faces, body, np.array(signs)).tolist() == settled


@pytest.mark.parametrize(("module", "limit"), [(winding, "_MOST_CANDIDATES"), (nesting, "_MOST_PAIRS")])
def test_more_work_than_the_limit_is_refused(monkeypatch, module, limit):
    monkeypatch.setattr(module, limit, 2)
    vertices, faces, body = octahedra(0.5, 0.4, 0.3)
    with pytest.raises(MeshError, match=r"to tell which|be told apart"):
        settled_signs(vertices, faces, body, np.array([1, 1, -1]))
