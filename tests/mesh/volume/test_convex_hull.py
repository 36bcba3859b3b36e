import numpy as np
import pytest
from builders.meshes import CORNERS

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.convex_hulls import convex_hull
from sdfinertia.mesh.topology import edges_of


def test_a_box_is_its_own_hull_whatever_points_are_inside_or_on_its_faces():
    vertices, faces = convex_hull(CORNERS * (1, 2, 3))
    assert np.array_equal(vertices, CORNERS * (1, 2, 3))
    assert faces.shape == (12, 3)
    assert moments(vertices, faces).volume == pytest.approx(6, rel=1e-12)
    inside = np.random.default_rng(0).random((500, 3))
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 6)] * 3), axis=-1).reshape(-1, 3)
    assert moments(*convex_hull(np.concatenate((inside, CORNERS, CORNERS, grid)))).volume == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("offset", [(0, 0, 0), (1e5, 0, 0), (-1e5, 1e5, 3e5)])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e3])
def test_a_cube_far_from_the_origin_keeps_its_volume(offset, scale):
    moved = CORNERS * scale + offset
    side = moved[7] - moved[0]  # as the coordinates could be stored
    assert moments(*convex_hull(moved)).volume == pytest.approx(float(side.prod()), rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_hulls_of_points_on_a_sphere_are_closed_and_look_outward(seed):
    points = np.random.default_rng(seed).normal(size=(300, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    centre = np.array((0, 0, 50))
    vertices, faces = convex_hull(points + centre)
    assert edges_of(faces).is_manifold
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    assert (np.einsum("ij,ij->i", np.cross(b - a, c - a), a - centre) > 0).all()
    assert 0.9 * 4.18879 < moments(vertices, faces).volume < 4.18879


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((0, 3)),
        CORNERS[:3],
        CORNERS[:4],
        np.zeros((20, 3)),
        np.linspace((0, 0, 0), (1, 2, 3), 20),
        CORNERS * (1, 1, 0) + (1e4, 0, 7),
        CORNERS @ [[0.3, 0.1, 0.7], [0.2, 0.9, 0.4], [0.5, 1.0, 1.1]],  # a plane askew, flat but for rounding
    ],
)
def test_flat_points_have_no_hull_with_a_volume(points):
    with pytest.raises(MeshError, match="plane"):
        convex_hull(points)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1.7e308])
def test_coordinates_out_of_range_are_refused(value):
    points = CORNERS.copy()
    points[0] = -1e308
    points[3] = value
    with pytest.raises(MeshError, match="finite"):
        convex_hull(points)
