from __future__ import annotations

import numpy as np
import pytest

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.volume.convex_decomposition import decomposition_moments

pytest.importorskip("vhacdx", exc_type=ImportError)

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)
SIDES = np.array(
    [
        *[(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5)],  # -x, +x
        *[(0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6)],  # -y, +y
        *[(0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)],  # -z, +z
    ]
)


def prism(outline, centre, height):
    """The prism over an outline that is seen whole from the centre."""
    n = len(outline)
    ring = np.column_stack((outline, np.zeros(n)))
    i = np.arange(n)
    j = (i + 1) % n
    low, high = np.full(n, 2 * n), np.full(n, 2 * n + 1)
    sides = (np.column_stack((i, j, j + n)), np.column_stack((i, j + n, i + n)))
    faces = np.concatenate((*sides, np.column_stack((j, i, low)), np.column_stack((i + n, j + n, high))))
    return np.concatenate((ring, ring + np.array((0, 0, height)), [(*centre, 0), (*centre, height)])), faces


def star(points=5, inner=0.4, height=0.3):
    angle = np.arange(2 * points) * np.pi / points
    radius = np.where(np.arange(2 * points) % 2, inner, 1.0)
    return prism(np.column_stack((radius * np.cos(angle), radius * np.sin(angle))), (0, 0), height)


def l_solid():
    return prism(np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], np.float64), (0.5, 0.5), 1.0)


@pytest.mark.parametrize(("surface", "tolerance"), [(star(), 0.05), (l_solid(), 0.01)], ids=["star", "L"])
@pytest.mark.parametrize("offset", [(0, 0, 0), (1e4, 0, -300)])
def test_a_solid_that_is_not_convex_is_nearly_the_sum_of_its_parts(surface, tolerance, offset):
    vertices, faces = surface
    true = moments(vertices, faces)
    result, hulls = decomposition_moments(vertices + offset, faces)
    assert result.volume == pytest.approx(true.volume, rel=tolerance)
    assert np.array(result.centroid) - offset == pytest.approx(np.array(true.centroid), abs=0.02)
    assert result.second[:3] == pytest.approx(true.second[:3], rel=2 * tolerance)
    assert 2 <= hulls <= 16


@pytest.mark.parametrize("size", [1e-3, 1.0, 300.0])
def test_a_convex_box_is_exact(size):
    result, hulls = decomposition_moments(CORNERS * (1, 2, 3) * size + 5 * size, SIDES)
    assert hulls == 1
    assert result.volume == pytest.approx(6 * size**3, rel=1e-12)
    assert result.second[:3] == pytest.approx([0.5 * size**5, 2 * size**5, 4.5 * size**5], rel=1e-12)


def test_one_hull_is_the_convex_hull():
    result, hulls = decomposition_moments(*l_solid(), max_convex_hulls=1)
    assert (hulls, result.volume) == (1, pytest.approx(3.5))


def test_more_hulls_than_asked_for_are_never_used():
    assert decomposition_moments(*star(), 4, 10_000)[1] <= 4


def test_the_result_is_the_same_every_time():
    first, second = (decomposition_moments(*l_solid(), voxel_resolution=10_000) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("vertices", "faces", "message"),
    [
        (CORNERS, SIDES[:0], "fewer than four faces"),
        (CORNERS, SIDES[:3], "fewer than four faces"),
        (CORNERS * (1, 1, 0), SIDES, "in one plane"),
        (CORNERS * 0, SIDES, "in one plane"),
        (np.where(CORNERS == 1, np.nan, CORNERS), SIDES, "not finite"),
        (np.where(CORNERS == 1, np.inf, CORNERS), SIDES, "not finite"),
    ],
)
def test_what_encloses_nothing_is_refused(vertices, faces, message):
    with pytest.raises(MeshError, match=message):
        decomposition_moments(vertices, faces)


@pytest.mark.parametrize(
    "settings",
    [
        {"max_convex_hulls": 0},
        {"max_convex_hulls": -1},
        {"max_convex_hulls": 2**32},
        {"voxel_resolution": 0},
        {"voxel_resolution": 2**31},
    ],
)
def test_settings_that_the_library_would_not_survive_are_refused(settings):
    with pytest.raises(MeshError, match=r"must be from 1 to"):
        decomposition_moments(CORNERS, SIDES, **settings)
