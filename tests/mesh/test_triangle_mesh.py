import numpy as np
import pytest

from sdfinertia.errors import MeshError
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh, fans, strip

VERTICES = np.array([[9, 9, 9], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [5, 0, 0]], dtype=np.float64)
FACES = np.array([[1, 2, 3], [1, 2, 4], [2, 3, 5]])
PARTS = (MeshPart(("arm", "left"), 0, 1), MeshPart(("arm", "right"), 1, 2), MeshPart(("base",), 2, 3))
MESH = TriangleMesh(VERTICES, FACES, PARTS, ("a note",))


@pytest.mark.parametrize(
    ("name", "triangles", "names"),
    [("left", [FACES[0]], [("arm", "left")]), ("arm", FACES[:2], [("arm", "left"), ("arm", "right")])],
)
def test_submesh_takes_all_parts_that_bear_the_name(name: str, triangles: list, names: list) -> None:
    chosen = MESH.submesh(name)
    assert np.array_equal(chosen.vertices[chosen.faces], VERTICES[np.array(triangles)])
    assert [part.names for part in chosen.parts] == names
    assert [(part.start, part.stop) for part in chosen.parts] == [(i, i + 1) for i in range(len(names))]
    assert chosen.notes == ("a note",)
    assert len(MESH.submesh("base").vertices) == 3, "of those that it uses"


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (PARTS, "no submesh is named 'leg'; its names are 'arm', 'left', 'right', 'base'"),
        (tuple(MeshPart((f"p{i}",), 0, 1) for i in range(25)), "'p19' and 5 more"),
        ((), "names no parts"),
    ],
)
def test_an_unknown_submesh_is_an_error_that_lists_the_names(parts: tuple[MeshPart, ...], said: str) -> None:
    with pytest.raises(MeshError, match=said):
        TriangleMesh(VERTICES, FACES, parts).submesh("leg")


def test_centered_moves_the_box_of_what_faces_use_and_a_scale_is_refused_that_makes_it_infinite() -> None:
    centered = MESH.centered()
    used = centered.vertices[np.unique(centered.faces)]
    assert np.allclose(used.min(axis=0), -used.max(axis=0))
    assert np.allclose(centered.vertices - VERTICES, [-2.5, -0.5, -0.5])
    far = TriangleMesh(np.array([(0, 0, 0), (1, 0, 0), (0, 1e300, 0), (0, 0, 1e300)], float), np.array([(0, 1, 2)]))
    assert np.isposinf(far.scaled((1, 1, 1e9)).vertices[3, 2])
    with pytest.raises(MeshError, match="scale"):
        far.scaled((1, 1e9, 1))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([3], [[0, 1, 2]]),
        ([4, 3], [[0, 1, 2], [0, 2, 3], [4, 5, 6]]),
        ([2, 5, 0, 1], [[2, 3, 4], [2, 4, 5], [2, 5, 6]]),
        ([], []),
    ],
)
def test_fans_start_at_the_first_corner_of_each_polygon(counts: list[int], expected: list) -> None:
    made = fans(np.arange(sum(counts)), np.array(counts, dtype=np.int64))
    assert made.tolist() == expected


@pytest.mark.parametrize(
    ("length", "expected"), [(5, [[0, 1, 2], [2, 1, 3], [2, 3, 4]]), (3, [[0, 1, 2]]), (2, []), (0, [])]
)
def test_every_second_triangle_of_a_strip_is_turned(length: int, expected: list) -> None:
    assert strip(np.arange(length)).tolist() == expected
