import itertools

import numpy as np
import pytest
from builders.meshes import TETRAHEDRON
from hypothesis import example, given
from hypothesis import strategies as st

from sdfinertia.mesh import kernel
from sdfinertia.mesh.kernel import distinct_triangles, row_hashes
from sdfinertia.mesh.repair import weld_equal, weld_near
from sdfinertia.mesh.topology import (
    components,
    disagreeing_faces,
    edges_of,
    surface_of,
    without_repeated_vertex,
)


def _one_hash(rows):
    return np.zeros(len(rows), np.uint64)


@pytest.mark.parametrize("hash_rows", [row_hashes, _one_hash])
def test_negative_zero_welds_with_zero_but_the_next_float_does_not(hash_rows, monkeypatch):
    monkeypatch.setattr(kernel, "row_hashes", hash_rows)
    vertices = np.array([[0.0, 1, 2], [-0.0, 1, 2], [np.nextafter(0, 1), 1, 2]])
    welded, faces = weld_equal(vertices, np.array([[0, 1, 2]]))
    assert faces.tolist() == [[0, 0, 1]]
    assert welded.tolist() == [vertices[0].tolist(), vertices[2].tolist()]


@pytest.mark.parametrize(("gap", "merged"), [(0.0, 1), (0.4, 1), (0.99, 1), (1.01, 0), (1.9, 0)])
@pytest.mark.parametrize("direction", list(itertools.product((-1, 0, 1), repeat=3))[14:])
def test_points_nearer_than_the_tolerance_in_each_coordinate_merge_in_every_direction(gap, merged, direction):
    base = np.array([5.3, 7.9, 2.2])
    vertices = np.array([[0, 0, 0], base, base + gap * np.array(direction), [90, 90, 90]])
    faces, count = weld_near(vertices, np.array([[1, 2, 3]]), np.arange(4), 1.0)
    assert count == merged
    assert faces.tolist() == ([[1, 1, 3]] if merged else [[1, 2, 3]])


def test_only_candidates_are_merged_and_chains_become_their_first():
    vertices = np.zeros((6, 3))
    vertices[:, 1] = [0.5, 0.4, 1.2, 2.0, 2.8, 9.0]
    faces, count = weld_near(vertices, np.array([[0, 1, 2], [3, 4, 5]]), np.arange(1, 6), 0.9)
    assert count == 3
    assert faces.tolist() == [[0, 1, 1], [1, 1, 5]]


def test_a_crowd_within_the_tolerance_merges_without_comparing_all_pairs():
    vertices = np.random.default_rng(0).random((200_000, 3))
    faces = np.array([[0, 1, 199_999]])
    welded, count = weld_near(vertices, faces, np.arange(len(vertices)), 0.7)
    assert count == len(vertices) - 1
    assert not welded.any()


@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=40))
def test_components_are_those_of_a_search(pairs):
    neighbours = {i: {i} for i in range(20)}
    for u, v in pairs:
        neighbours[u].add(v)
        neighbours[v].add(u)
    number = [-1] * 20
    found = 0
    for i in range(20):
        if number[i] < 0:
            reached = [i]
            for node in reached:
                if number[node] < 0:
                    number[node] = found
                    reached.extend(neighbours[node])
            found += 1
    u, v = np.array(pairs, np.int64).reshape(-1, 2).T
    assert components(20, u, v).tolist() == number


FACES = st.lists(st.permutations(range(6)).map(lambda numbers: numbers[:3]), max_size=12)


@given(FACES)
def test_faces_on_the_same_three_vertices_are_noticed(faces):
    array = np.array(faces, np.int64).reshape(-1, 3)
    distinct = {frozenset(face) for face in faces}
    assert surface_of(np.zeros((9, 3)), array, ()).has_coincident_faces == (len(distinct) < len(faces))


@given(st.one_of(FACES, FACES.map(lambda faces: [*faces, *(face[::-1] for face in faces)])))
@example(TETRAHEDRON.tolist())
def test_the_edges_of_any_faces_are_those_of_a_dictionary_of_their_sides(chosen):
    sides = {}
    for number, face in enumerate(chosen):
        for tail, head in zip(face, [*face[1:], face[0]], strict=True):
            sides.setdefault((min(tail, head), max(tail, head)), []).append((tail < head, number))
    edges = edges_of(np.array(chosen, np.int64).reshape(-1, 3))
    found = [list(zip(edges.forward[a:b], edges.face[a:b], strict=True)) for a, b in itertools.pairwise(edges.start)]
    assert edges.count == len(sides)
    assert list(map(tuple, edges.ends.tolist())) == sorted(sides)
    assert [sorted(each) for each in found] == [sorted(sides[ends]) for ends in sorted(sides)]
    assert edges.sizes.tolist() == [len(sides[ends]) for ends in sorted(sides)]
    excess = [sum(1 if forward else -1 for forward, _ in sides[ends]) for ends in sorted(sides)]
    assert edges.excess.tolist() == excess
    assert edges.open.tolist() == np.flatnonzero(excess).tolist()
    assert edges.is_manifold == all(sorted(way for way, _ in each) == [False, True] for each in found)


def test_faces_on_the_same_vertices_share_a_number_and_their_windings_are_told_apart():
    faces = np.array([[0, 5, 3], [7, 1, 2], [5, 3, 0], [3, 0, 5], [3, 5, 0]])
    first, number, ascending = distinct_triangles(faces)
    assert (first.tolist(), number.tolist()) == ([0, 1], [0, 1, 0, 0, 0])
    assert ascending.tolist() == [False, True, False, False, True]


def test_faces_that_repeat_a_vertex_go():
    faces = np.array([[0, 0, 1], [0, 1, 2], [1, 0, 1], [2, 1, 1]])
    assert without_repeated_vertex(faces).tolist() == [[0, 1, 2]]
    assert without_repeated_vertex(TETRAHEDRON) is TETRAHEDRON


def test_the_fewest_faces_are_turned_or_those_of_the_least_weight():
    faces = TETRAHEDRON.copy()
    faces[2] = faces[2, ::-1]
    turned, one_sided = disagreeing_faces(4, edges_of(faces), np.ones(4, np.int64))
    assert (turned.tolist(), one_sided) == ([False, False, True, False], False)
    turned, _ = disagreeing_faces(4, edges_of(faces), np.array([0, 0, 1, 0]))
    assert turned.tolist() == [True, True, False, True]
