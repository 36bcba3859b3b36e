from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdfinertia.mesh.arrays.hash_places import mixed_bits
from sdfinertia.mesh.surface import topology
from sdfinertia.mesh.surface.edge_matching import _CHUNK, matched
from sdfinertia.mesh.surface.topology import Edges, edges_of


def two_bits(keys):
    return mixed_bits(keys) & np.uint64(3 << 62)


def one_hash(keys):
    return np.zeros(len(keys), np.uint64)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 1000, _CHUNK - 1, _CHUNK, _CHUNK + 1, 3 * _CHUNK + 5])
def test_keys_in_another_order_are_found(count: int) -> None:
    random = np.random.default_rng(count)
    forward = random.permutation(5 * count)[:count]
    order = random.permutation(count)
    match = matched(forward, forward[order])
    assert match is not None
    assert (order[match] == np.arange(count)).all()


@pytest.mark.parametrize("hash_keys", [mixed_bits, two_bits, one_hash])
@settings(max_examples=150, deadline=None)
@given(
    forward=st.lists(st.integers(0, 9), max_size=12),
    backward=st.lists(st.integers(0, 9), max_size=12),
    alike=st.booleans(),
)
def test_a_match_is_one_to_one_or_there_is_none(hash_keys, forward: list, backward: list, alike: bool) -> None:
    backward = forward[::-1] if alike else backward
    match = matched(np.array(forward, np.int64), np.array(backward, np.int64), hash_keys)
    one_to_one = Counter(forward) == Counter(backward) and len(set(forward)) == len(forward)
    if match is not None:
        assert one_to_one
        assert [backward[number] for number in match] == forward
    elif hash_keys is mixed_bits:
        assert not one_to_one


def torus(u: int, v: int) -> np.ndarray:
    """2 u v triangles that close."""
    i, j = np.divmod(np.arange(u * v), v)
    corner = [(i + di) % u * v + (j + dj) % v for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return np.concatenate([np.stack([corner[k] for k in three], axis=1) for three in ((0, 1, 2), (0, 2, 3))])


def as_sets(edges: Edges) -> dict[tuple[int, int], list[tuple[int, bool]]]:
    """The sides of each edge by its ends."""
    sides = {}
    for number, (low, high) in enumerate(edges.ends.tolist()):
        part = slice(edges.start[number], edges.start[number + 1])
        sides[low, high] = list(zip(edges.face[part].tolist(), edges.forward[part].tolist(), strict=True))
    return sides


def opened(faces: np.ndarray) -> np.ndarray:
    return faces[1:]


def turned(faces: np.ndarray) -> np.ndarray:
    return np.vstack([faces[:1, ::-1], faces[1:]])


def repeated(faces: np.ndarray) -> np.ndarray:
    return np.vstack([faces, faces[:1]])


def doubled(faces: np.ndarray) -> np.ndarray:
    return np.vstack([faces, faces])


def finned(faces: np.ndarray) -> np.ndarray:
    return np.vstack([faces, faces[:1], faces[:1, ::-1]])


def shuffled(faces: np.ndarray) -> np.ndarray:
    return np.random.default_rng(5).permutation(faces)


@pytest.mark.parametrize("change", [shuffled, opened, turned, repeated, doubled, finned])
def test_edges_by_table_are_those_by_sorting(change, monkeypatch: pytest.MonkeyPatch) -> None:
    faces = change(torus(9, 7))
    by_sorting = edges_of(faces)
    monkeypatch.setattr(topology, "_MANY", 0)
    by_table = edges_of(faces)
    assert as_sets(by_table) == as_sets(by_sorting)
    assert by_table.is_manifold() == by_sorting.is_manifold() == (change is shuffled)
    assert len(by_table.open) == len(by_sorting.open)
    pieces = [topology.components(len(faces), *edges.pairs()[:2]).tolist() for edges in (by_table, by_sorting)]
    assert pieces[0] == pieces[1]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.permutations(range(5)), min_size=1, max_size=10))
def test_any_faces_have_the_same_edges_either_way(chosen: list) -> None:
    faces = np.array(chosen)[:, :3]
    by_table = topology._matched_edges(faces, 5)
    by_sorting = topology._sorted_edges(faces, 5)
    assert (by_table is not None) == by_sorting.is_manifold()
    if by_table is not None:
        assert as_sets(by_table) == as_sets(by_sorting)
