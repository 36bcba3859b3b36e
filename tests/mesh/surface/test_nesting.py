import numpy as np
import pytest
from builders.meshes import OCTAHEDRON, OCTAHEDRON_FACES

from sdfinertia.mesh.closed_solid import settled_signs
from sdfinertia.mesh.windings import points_inside, windings


def octahedra(*sizes):
    """Octahedra about the origin, with which body each face is of."""
    vertices = np.concatenate([OCTAHEDRON * size for size in sizes])
    faces = np.concatenate([OCTAHEDRON_FACES + 6 * k for k in range(len(sizes))])
    return vertices, faces, np.repeat(np.arange(len(sizes)), 8)


@pytest.mark.parametrize("seed", range(3))
def test_points_lie_inside_an_octahedron_by_its_equation(seed):
    points = np.random.default_rng(seed).uniform(-1, 1, (19_999, 3))
    vertices, faces, _ = octahedra(1)
    assert np.array_equal(points_inside(vertices, faces, points), np.abs(points).sum(axis=1) < 1)


def test_triangles_of_all_sizes_are_met_exactly():
    sizes = 2.0 ** -np.arange(16)
    vertices, faces, body = octahedra(*sizes)
    points = np.random.default_rng(1).normal(size=(3000, 3)) * 2.0 ** -np.random.default_rng(2).uniform(
        0, 16, (3000, 1)
    )
    found = np.zeros((3000, 16), np.int64)
    point, around, number, unsure = windings(vertices, faces, body, points)
    assert not unsure.any()
    found[point, around] = number
    assert np.array_equal(found, np.abs(points).sum(axis=1)[:, None] < sizes)


def test_points_on_the_surface_cannot_be_told_and_an_inverted_surface_winds_the_other_way():
    vertices, faces, body = octahedra(1)
    on = np.array([(0.2, 0.3, 0.5), (-0.1, 0.6, -0.3), (1, 0, 0), (0.5, 0.5, 0)])
    assert windings(vertices, faces, body, on)[3].tolist() == [True] * 4
    vertices, faces, body = octahedra(1)
    point, _, number, _ = windings(vertices, faces[:, ::-1], body, np.array([(0.1, 0.2, 0.05), (3, 3, 3)]))
    assert (point.tolist(), number.tolist()) == ([0], [-1])


def placed(*octahedra_at):
    """Octahedra of given centres and sizes."""
    vertices = np.concatenate([OCTAHEDRON * size + centre for centre, size in octahedra_at])
    return vertices, *octahedra(*(1 for _ in octahedra_at))[1:]


def settled(vertices, faces, body, signs):
    """The signs that bodies get whose faces look outward for 1 and inward for -1."""
    faces = np.where((np.array(signs) < 0)[body][:, None], faces[:, ::-1], faces)
    return settled_signs(vertices, faces, body, np.array(signs)).tolist()


def settled_by_search(octahedra_at, signs):
    """What the rule says, body by body from the outermost: an octahedron lies in another by the sizes that are left."""
    signs = list(signs)
    about = [
        [j for j, (q, b) in enumerate(octahedra_at) if signs[j] and np.abs(p - q).sum() + a < b]
        for p, a in octahedra_at
    ]
    for i in sorted(range(len(signs)), key=lambda i: len(about[i])):
        if signs[i] < 0 and sum(signs[j] for j in about[i]) < 1:
            for j in range(len(signs)):
                if j == i or i in about[j]:
                    signs[j] *= -1
    return signs


@pytest.mark.parametrize("seed", range(12))
def test_bodies_in_and_beside_one_another_are_settled_as_by_search(seed):
    random = np.random.default_rng(seed)
    octahedra_at = []
    todo = [(np.zeros(3), 1.0, 0)]
    while todo:
        centre, size, depth = todo.pop()
        octahedra_at.append((centre, size))
        if depth < 3:
            for direction in random.permutation(OCTAHEDRON)[: random.integers(0 if depth else 1, 4)]:
                todo.append((centre + 0.55 * size * direction, 0.4 * size * random.uniform(0.6, 1), depth + 1))
    order = random.permutation(len(octahedra_at))
    octahedra_at = [octahedra_at[k] for k in order]
    signs = random.choice([-1, -1, 1, 1, 0], len(octahedra_at))
    signs[:2] = -1, 1
    vertices, faces, body = placed(*octahedra_at)
    mixed = random.permutation(len(faces))
    assert settled(vertices, faces[mixed], body[mixed], signs) == settled_by_search(octahedra_at, signs)


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        pytest.param(((0, 0, 0), 0.5), ((0.2, 0.1, 0), 0.1), [1, -1], id="inside: a cavity"),
        pytest.param(((0, 0, 0), 0.5), ((0, 0, 0), 0.5), [1, 1], id="the same: no cavity"),
        pytest.param(((0, 0, 0), 0.5), ((0.45, 0, 0), 0.1), [1, 1], id="through the corner: no cavity"),
        pytest.param(((0, 0, 0), 0.5), ((0.6, 0, 0), 0.1), [1, 1], id="beside: no cavity"),
        pytest.param(((0, 0, 0), 0.5), ((0, 0, 0), 0.6), [-1, 1], id="about: it is turned, and what is in it"),
    ],
)
def test_what_looks_inward_is_a_cavity_only_inside_another(first, second, found):
    assert settled(*placed(first, second), [1, -1]) == found


def test_a_body_with_a_spike_through_the_wall_is_not_inside_even_where_no_sample_is_on_the_spike():
    vertices, faces, body = placed(((0, 0, 0), 0.5), ((0, 0, 0), 0.2))
    middles = []
    for _ in range(2):  # each face in three, so that most faces are without the corner of the spike
        middles = vertices[faces[8:]].mean(axis=1)
        new = len(vertices) + np.arange(len(middles))
        parts = [np.stack((faces[8:, i], faces[8:, (i + 1) % 3], new), axis=1) for i in range(3)]
        vertices, faces = np.concatenate((vertices, middles)), np.concatenate((faces[:8], *parts))
    body = (np.arange(len(faces)) >= 8).astype(np.int64)
    spike = (faces == 6).any(axis=1)
    assert np.array_equal(spike[:8], np.zeros(8, bool))
    order = np.concatenate((np.arange(8), 8 + np.flatnonzero(~spike[8:]), 8 + np.flatnonzero(spike[8:])))
    faces = faces[order]
    assert settled(vertices, faces, body, [1, -1]) == [1, -1]
    vertices[6] = 0.6, 0.0, 0.0
    assert settled(vertices, faces, body, [1, -1]) == [1, 1]


def test_a_body_where_two_others_overlap_is_two_levels_down_at_once():
    vertices, faces, body = octahedra(1, 1, 0.25)
    vertices[6:12, 0] += 0.25
    vertices[12:, 0] += 0.125
    assert settled(vertices, faces, body, [1, 1, -1]) == [1, 1, -1]
    assert settled(vertices, faces, body, [-1, 1, -1]) == [1, 1, 1]
