import numpy as np
import pytest
from builders.meshes import TETRAHEDRON

from sdfinertia.mesh.boundary_loops import boundary_loops, loop_shapes, with_caps
from sdfinertia.mesh.topology import edges_of


def grid(n):
    """The n by n squares of a plane, two triangles each, as (n, n, 2, 3) faces on (n + 1)² vertices."""
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    a, b, c, d = i * (n + 1) + j, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1, i * (n + 1) + j + 1
    x, y = np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0), indexing="ij")
    vertices = np.stack((x, y, 0 * x), -1).reshape(-1, 3)
    return vertices, np.stack((np.stack((a, b, c), -1), np.stack((a, c, d), -1)), axis=2)


def grid_without(n, *squares):
    vertices, faces = grid(n)
    kept = np.ones((n, n), bool)
    for square in squares:
        kept[square] = False
    return vertices, faces[kept].reshape(-1, 3)


def simple_and_closed(loops):
    """Whether each loop leaves each of its vertices once, and enters the same."""
    for begin, end in zip(loops.start[:-1], loops.start[1:], strict=True):
        tails, heads = loops.tail[begin:end], loops.head[begin:end]
        if len(set(tails.tolist())) != len(tails) or sorted(tails.tolist()) != sorted(heads.tolist()):
            return False
    return True


@pytest.mark.parametrize(
    ("faces", "sizes"),
    [
        (TETRAHEDRON, []),
        (TETRAHEDRON[1:], [3]),
        (TETRAHEDRON[2:], [4]),
        (grid_without(3)[1], [12]),
        (grid_without(3, (1, 1))[1], [4, 12]),
        (grid_without(4, (1, 1), (2, 2))[1], [4, 4, 16]),  # holes that touch at a vertex
        (grid_without(3, (0, 0), (1, 1))[1], [4, 12]),  # a hole that touches the rim
        (np.array([(0, 1, 2), (0, 1, 3), (0, 1, 4)]), [3, 3, 3]),  # three faces on one edge, all one way
        (np.array([(0, 1, 2), (1, 0, 3), (0, 1, 4)]), [3, 4]),  # a fin on an edge
    ],
    ids=["closed", "face", "two faces", "rim", "rim and hole", "touching", "at rim", "book", "fin"],
)
def test_loops_are_simple_and_of_the_sizes_expected(faces, sizes):
    loops = boundary_loops(edges_of(faces))
    assert simple_and_closed(loops)
    assert sorted(loops.sizes.tolist()) == sizes


@pytest.mark.parametrize("seed", range(8))
def test_lids_close_what_is_left_of_any_triangles(seed):
    random = np.random.default_rng(seed)
    vertices = random.random((12, 3))
    faces = np.array([random.choice(12, 3, replace=False) for _ in range(random.integers(1, 60))])
    loops = boundary_loops(edges_of(faces))
    assert simple_and_closed(loops)
    _, closed = with_caps(vertices, faces, loops, loop_shapes(vertices, loops).centre)
    assert np.array_equal(closed[: len(faces)], faces)
    assert len(edges_of(closed).open) == 0


def test_the_centre_of_a_loop_is_that_of_the_wire_and_one_whose_vector_area_cancels_has_no_plane():
    outline = np.array([(0, 0, 0), (4, 0, 0), (4, 2, 0), (3, 2, 0), (2, 2, 0), (1, 2, 0), (0, 2, 0.0)])
    faces = np.array([(0, k, k + 1) for k in range(1, 6)])
    shapes = loop_shapes(outline, boundary_loops(edges_of(faces)))
    assert shapes.centre[0] == pytest.approx((2, 1, 0))
    assert shapes.area[0] == pytest.approx(8)
    # Round a sloping square one way, and back the other.
    square = np.array([(0, 0, 0), (2, 0, 1), (2, 2, 1), (0, 2, 0)])
    there_and_back = np.concatenate((square, square[[0, 3, 2, 1]] + (0, 0, 1e-9)))
    faces = np.array([(0, k, k + 1) for k in range(1, 7)])
    shapes = loop_shapes(there_and_back, boundary_loops(edges_of(faces)))
    assert shapes.height[0] == shapes.radius[0]
