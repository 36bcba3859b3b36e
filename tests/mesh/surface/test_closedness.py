import numpy as np
from builders.meshes import CORNERS, SIDES, TETRAHEDRON, soup
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.mesh.kernel import is_closed
from sdfinertia.mesh.repair import weld_equal
from sdfinertia.mesh.topology import edges_of, without_repeated_vertex


def is_closed_exactly(vertices: np.ndarray, faces: np.ndarray) -> bool:
    """Whether no edge is open, by merging equal positions and sorting all edges."""
    _, welded = weld_equal(vertices, faces)
    return not len(edges_of(without_repeated_vertex(welded)).open)


@st.composite
def nearly_closed(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Tetrahedra on a few positions, of which faces are taken away, turned, repeated or made degenerate."""
    positions = draw(st.lists(st.tuples(*[st.sampled_from((0.0, 1.0, 0.1))] * 3), min_size=4, max_size=8))
    vertices = np.array(positions)
    count = draw(st.integers(1, 4))
    chosen = [draw(st.permutations(range(len(positions))))[:4] for _ in range(count)]
    faces = np.concatenate([np.array(four)[TETRAHEDRON] for four in chosen])
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(faces) - 1))
        kind = draw(st.sampled_from(("take", "turn", "repeat", "double", "degenerate")))
        if kind == "take" and len(faces) > 1:
            faces = np.delete(faces, at, axis=0)
        elif kind == "turn":
            faces[at] = faces[at][::-1]
        elif kind == "degenerate":
            faces = np.vstack([faces, faces[at][[0, 1, 1]]])
        else:
            faces = np.vstack([faces, faces[at][::-1] if kind == "double" else faces[at]])
    return vertices, faces[draw(st.permutations(range(len(faces))))]


@given(mesh=nearly_closed(), negative=st.integers(0, 2**32 - 1))
def test_the_hash_says_what_sorting_all_edges_says(mesh: tuple[np.ndarray, np.ndarray], negative: int) -> None:
    vertices, faces = mesh
    expected = is_closed_exactly(vertices, faces)
    assert is_closed(vertices, faces) == expected
    triangles = soup((vertices, faces))[0]
    signs = np.random.default_rng(negative).random(triangles.shape) < 0.5
    triangles[(triangles == 0) & signs] = -0.0
    assert is_closed(triangles) == expected
    assert is_closed(triangles.astype(np.float32)) == expected


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=12))
def test_the_hash_agrees_on_any_triangles(faces: list[tuple[int, int, int]]) -> None:
    vertices = np.random.default_rng(0).random((5, 3))
    assert is_closed(vertices, np.array(faces)) == is_closed_exactly(vertices, np.array(faces))


def test_no_triangles_are_closed_and_positions_a_step_of_float_apart_are_not() -> None:
    assert is_closed(np.zeros((0, 3)))
    triangles = soup((CORNERS, SIDES))[0]
    triangles[5, 0] = np.nextafter(triangles[5, 0], 2.0)
    assert not is_closed(triangles)


def test_a_cube_in_any_precision_and_order_is_closed() -> None:
    for dtype in (np.float16, np.float32, np.float64, np.int64):
        for order in ("C", "F"):
            vertices = np.asarray(CORNERS, dtype=dtype, order=order)
            assert is_closed(vertices, SIDES)
            assert is_closed(soup((vertices, SIDES))[0])
            assert not is_closed(vertices, SIDES[1:])
