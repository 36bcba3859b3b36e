import numpy as np
import pytest
from builders.meshes import OCTAHEDRON, OCTAHEDRON_FACES

from sdfinertia.errors import MeshError
from sdfinertia.mesh import windings as winding
from sdfinertia.mesh.windings import windings

TRIANGLE = np.array([(0.0, 0.0, 1.0), (4.0, 0.0, 1.0), (0.0, 4.0, 1.0)])


def scattered_octahedra(count, seed):
    """Octahedra of sizes over four decades, some in others, far from the origin; with centres and sizes."""
    random = np.random.default_rng(seed)
    centres = random.uniform(-0.5, 0.5, (count, 3)) + np.array((5.0, -7.0, 0.3))
    sizes = 10.0 ** random.uniform(-4, -0.3, count)
    vertices = (OCTAHEDRON[None] * sizes[:, None, None] + centres[:, None]).reshape(-1, 3)
    faces = (OCTAHEDRON_FACES[None] + 6 * np.arange(count)[:, None, None]).reshape(-1, 3)
    return vertices, faces, np.repeat(np.arange(count), 8), centres, sizes


@pytest.mark.parametrize("batch", [50, 1000, 1 << 21])
def test_the_size_of_batches_makes_no_difference(monkeypatch, batch):
    monkeypatch.setattr(winding, "_BATCH", batch)
    vertices, faces, body, centres, sizes = scattered_octahedra(40, 0)
    random = np.random.default_rng(1)
    points = centres[np.arange(1600) % 40] + sizes[np.arange(1600) % 40, None] * random.uniform(-1, 1, (1600, 3))
    points[::50] += (30.0, 0.0, 0.0)
    points[1::50] -= (0.0, 30.0, 0.0)
    mixed = random.permutation(len(faces))
    found = np.zeros((1600, 40), np.int64)
    point, around, number, unsure = windings(vertices, faces[mixed], body[mixed], points)
    assert not unsure.any()
    assert (np.diff(point * 40 + around) > 0).all(), "each pair once, and points in ascending order"
    found[point, around] = number
    assert np.array_equal(found, np.abs(points[:, None] - centres).sum(axis=2) < sizes)


def test_work_and_memory_have_limits(monkeypatch):
    vertices, faces, body, centres, _ = scattered_octahedra(40, 0)
    points = np.repeat(centres, 5, axis=0)
    monkeypatch.setattr(winding, "_MAX_MET", 100)
    monkeypatch.setattr(winding, "_BATCH", 50)
    with pytest.raises(MeshError, match="more bodies nested in one another than"):
        windings(vertices, faces, body, points)
    monkeypatch.setattr(winding, "_MAX_PAIRS", 1000)
    with pytest.raises(MeshError, match="to tell which is inside which"):
        windings(vertices, faces, body, points)


def test_pairs_of_rays_and_faces_are_counted_over_all_faces():
    faces = np.tile([(0, 1, 2)], (100_000, 1))
    upright, point = np.roll(TRIANGLE, 1, axis=1), np.array([(0.0, 2.0, 2.0)])
    assert winding.crossings(upright, faces, point, 99_999) is None
    _, met, sign, unsure = winding.crossings(upright, faces, point, 100_000)
    assert (len(np.unique(met)), sign.sum(), unsure.any()) == (100_000, 100_000, False)


def crossings(vertices, faces, points, point, face):
    kept, sign, unsure = winding._crossed((vertices[faces[face]] - points[point][:, None]).T)
    return point[kept], face[kept], sign, unsure


@pytest.mark.parametrize(
    ("point", "sign", "unsure"),
    [
        pytest.param((1, 1, 0), 1, False, id="below"),
        pytest.param((1, 1, 2), None, None, id="above"),
        pytest.param((3, 3, 0), None, None, id="beside"),
        pytest.param((-1, 1, 0), None, None, id="on the other side"),
        pytest.param((1, 1, 1), 0, True, id="on the face"),
        pytest.param((1, 1, 1 - 1e-10), 1, True, id="next to the face, below"),
        pytest.param((1, 1, 1 + 1e-10), 0, True, id="next to the face, above"),
        pytest.param((1, 1, 1 - 1e-8), 1, False, id="clear of the face, below"),
        pytest.param((1, 1, 1 + 1e-8), None, None, id="clear of the face, above"),
        pytest.param((0, 1, 0), 1, True, id="below the first edge"),
        pytest.param((1, 0, 0), 1, True, id="below the second edge"),
        pytest.param((2, 2, 0), 1, True, id="below the third edge"),
        pytest.param((0, 0, 0), 1, True, id="below the first corner"),
        pytest.param((4, 0, 0), 1, True, id="below the second corner"),
        pytest.param((0, 4, 0), 1, True, id="below the third corner"),
        pytest.param((0, 1, 2), 0, True, id="above an edge: it cannot be told, and nothing is crossed"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_ray_crosses_a_face_upwards_or_downwards(point, sign, unsure, turned):
    faces = np.array([(0, 2, 1) if turned else (0, 1, 2)])
    zero = np.zeros(1, np.int64)
    points, crossed, signs, doubts = crossings(TRIANGLE, faces, np.array([point], float), zero, zero)
    if sign is None:
        assert (len(points), len(crossed), len(signs), len(doubts)) == (0, 0, 0, 0)
    else:
        assert (signs.tolist(), doubts.tolist()) == ([-sign if turned else sign], [unsure])


@pytest.mark.parametrize("height", [0.5, 1.5, 2.5])
def test_a_ray_in_the_plane_of_a_face_cannot_be_told(height):
    upright = np.array([(0.0, 0.0, 1.0), (4.0, 0.0, 1.0), (2.0, 0.0, 2.0)])
    zero = np.zeros(1, np.int64)
    _, _, signs, doubts = crossings(upright, np.array([(0, 1, 2)]), np.array([(2.0, 0.0, height)]), zero, zero)
    assert (signs.tolist(), doubts.tolist()) == ([0.0], [True])
