"""Meshes made coarser for a picture."""

import numpy as np
import pytest

from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.tessellation import SURFACES, clustered


@pytest.mark.parametrize("limit", [12, 200, 2000, 8000])
def test_no_more_triangles_than_the_limit_are_left(limit: int) -> None:
    vertices, faces = clustered(*SURFACES["sphere"]((0.3,)), limit)
    assert 0 < len(faces) <= limit
    assert faces.max() < len(vertices)


def test_a_coarse_sphere_still_has_nearly_its_size() -> None:
    vertices, faces = clustered(*SURFACES["sphere"]((0.3,)), 2000)
    assert len(faces) > 1000
    assert np.linalg.norm(vertices, axis=1) == pytest.approx(0.3, rel=0.02)
    assert moments(vertices, faces).volume == pytest.approx(4 / 3 * np.pi * 0.3**3, rel=0.03)


@pytest.mark.parametrize("size", [1e-310, 1e-307, 1.7e308])
def test_what_is_nearly_too_large_or_too_small_for_floats_is_made_coarser_too(size: float) -> None:
    # Whose extent overflows, or the cells in a unit of it, for ever had as many triangles.
    shape, faces = SURFACES["sphere"]((1.0,))
    expected, coarse = clustered(shape, faces, 1000)
    vertices, same = clustered(shape * size, faces, 1000)
    assert np.array_equal(same, coarse)
    assert vertices / size == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_small_mesh_keeps_its_shape_and_loses_repeated_vertices() -> None:
    vertices, faces = SURFACES["box"]((1.0, 2.0, 3.0))
    soup = vertices[faces.reshape(-1)]
    merged, kept = clustered(soup, np.arange(len(soup)).reshape(-1, 3), 100)
    assert len(merged) == 8
    assert len(kept) == 12
    assert np.array_equal(merged[kept], vertices[faces])


def test_triangles_without_extent_are_dropped_and_vertices_that_nothing_uses_change_nothing() -> None:
    vertices = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    _, faces = clustered(vertices, np.array([[0, 1, 2], [0, 1, 3], [1, 1, 1]]), 100)
    assert len(faces) == 1
    vertices, faces = clustered(np.zeros((3, 3)), np.zeros((0, 3), np.int64), 10)
    assert len(vertices) == len(faces) == 0
    vertices, faces = SURFACES["sphere"]((0.3,))
    more = np.concatenate((vertices, [(1e6, 1e6, 1e6)]))
    for one, other in zip(clustered(vertices, faces, 500), clustered(more, faces, 500), strict=True):
        assert np.array_equal(one, other)


def test_a_grid_that_is_nearly_empty_keeps_what_is_in_it() -> None:
    """Small spheres in a row, nearly all of whose box is empty."""
    vertices, faces = SURFACES["sphere"]((0.3,))
    row = np.arange(8)[:, None, None]
    apart = (vertices + row * (10.0, 0.0, 0.0)).reshape(-1, 3), (faces + row * len(vertices)).reshape(-1, 3)
    points, left = clustered(*apart, 4000)
    assert 1000 < len(left) <= 4000
    centres = np.round(points / 10.0) * (10.0, 0.0, 0.0)
    assert np.linalg.norm(points - centres, axis=1) == pytest.approx(0.3, rel=0.2)
