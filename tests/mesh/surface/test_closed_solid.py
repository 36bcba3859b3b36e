import pickle

import numpy as np
import pytest
from builders.bodies import rotations, vectors
from builders.meshes import (
    CORNERS,
    SIDES,
    ball,
    cube,
    doubled,
    flipped,
    inverted,
    joined,
    rectangle,
    shuffled,
    signed_volume,
    soup,
    without,
)
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import MeshError, OpenMeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.closed_solid import closed_solid
from sdfinertia.mesh.repair import repaired_surface
from sdfinertia.mesh.topology import edges_of


def klein_bottle(m=6, n=7):
    """A grid closed like a Klein bottle; where its vertices lie does not matter."""
    i, j = (index.reshape(-1) for index in np.meshgrid(np.arange(m), np.arange(n), indexing="ij"))

    def number(u, v):
        return u % m * n + np.where(u >= m, -v, v) % n

    a, b, c, d = number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)
    vertices = np.random.default_rng(5).random((m * n, 3))
    return vertices, np.concatenate((np.stack((a, b, c), 1), np.stack((a, c, d), 1)))


BALL = ball()
BALL_VOLUME = moments(*BALL).volume
BALLS = (ball(radius=4.0), ball(radius=3.0, centre=(0.2, 0.1, 0)), ball(radius=2.0), ball(radius=1.0))
NESTED = [moments(*ball).volume for ball in BALLS]
TURNED = "inside out and flipped"

# name: mesh, volume, bodies, cavities, words in the notes (one for each note, in order)
SOLIDS = {
    "cube": (cube(), 1, 1, 0, []),
    "ball of separate triangles": (soup(BALL), BALL_VOLUME, 1, 0, []),
    "unused vertices": ((np.concatenate((CORNERS, [(9e9, 9e9, 9e9)])), SIDES), 1, 1, 0, []),
    "split at a seam": (joined((CORNERS, SIDES[:5]), (CORNERS, SIDES[5:])), 1, 1, 0, []),
    "negative zeros at a seam": (joined((CORNERS, SIDES[:5]), (CORNERS * 1.0 - 0.0 * CORNERS, SIDES[5:])), 1, 1, 0, []),
    "plate of a hundred-thousandth": ((CORNERS * (1, 1, 1e-5), SIDES), 1e-5, 1, 0, []),
    "cube far away": (cube((1e5, 2e5, -1e5)), 1, 1, 0, []),
    "one face flipped": (flipped(cube(), [3]), 1, 1, 0, ["1 face flipped so"]),
    "half of the faces flipped": (flipped(BALL, slice(1, None, 2)), BALL_VOLUME, 1, 0, ["faces flipped so"]),
    "all flipped": (inverted(cube()), 1, 1, 0, ["the surface was " + TURNED]),
    "all but one flipped": (flipped(inverted(cube()), [0]), 1, 1, 0, ["1 face flipped so", TURNED]),
    "two cubes apart": (joined(cube(), cube((3, 0, 0))), 2, 2, 0, []),
    "two cubes apart, one inverted": (
        joined(cube(), inverted(cube((3, 0, 0), 2))),
        *(9, 2, 0, ["1 of 2 shells was " + TURNED]),
    ),
    "two cubes overlapping, one inverted": (joined(cube(), inverted(cube((0.9, 0.9, 0.9)))), 2, 2, 0, [TURNED]),
    "cavity": (joined(cube(size=3), inverted(cube((1, 1, 1)))), 26, 1, 1, []),
    "cavity that touches the wall": (joined(cube(size=3), inverted(cube((1, 1, 0)))), 26, 1, 1, []),
    "cavity in the middle of a diagonal": (joined(cube(size=4), inverted(cube((1, 1, 1), 2))), 56, 1, 1, []),
    "hollow inverted whole": (joined(inverted(cube(size=3)), cube((1, 1, 1))), 26, 1, 1, ["2 of 2 shells were"]),
    "solid in a solid": (joined(cube(size=3), cube((1, 1, 1))), 28, 2, 0, []),
    "solid in a solid, inverted": (joined(inverted(cube(size=3)), inverted(cube((1, 1, 1)))), *(28, 2, 0, [TURNED])),
    "solid in a cavity in a solid": (
        joined(BALLS[0], inverted(BALLS[1]), BALLS[2]),
        *(NESTED[0] - NESTED[1] + NESTED[2], 2, 1, []),
    ),
    "the same all inverted": (
        joined(inverted(BALLS[0]), BALLS[1], inverted(BALLS[2])),
        *(NESTED[0] - NESTED[1] + NESTED[2], 2, 1, ["3 of 3 shells were"]),
    ),
    "the innermost inverted": (
        joined(BALLS[0], inverted(BALLS[1]), inverted(BALLS[2])),
        *(NESTED[0] - NESTED[1] + NESTED[2], 2, 1, ["1 of 3 shells was"]),
    ),
    "four deep, the cavities right": (
        joined(BALLS[3], inverted(BALLS[2]), BALLS[1], inverted(BALLS[0])),
        *(NESTED[0] - NESTED[1] + NESTED[2] - NESTED[3], 2, 2, ["4 of 4 shells were"]),
    ),
    "cubes sharing a face": (joined(cube(), cube((1, 0, 0))), 2, 2, 0, []),
    "cubes sharing a face cut along the other diagonal": (
        joined(cube(), (cube((1, 0, 0))[0], np.concatenate((SIDES[2:], [(0, 1, 2), (1, 3, 2)])))),
        *(2, 2, 0, []),
    ),
    "cubes sharing an edge": (joined(cube(), cube((1, 1, 0))), 2, 2, 0, []),
    "cubes sharing a vertex": (joined(cube(), cube((1, 1, 1))), 2, 2, 0, []),
    "cubes sharing a face, one inverted": (joined(cube(), inverted(cube((1, 0, 0)))), 2, 2, 0, [TURNED]),
    "cubes sharing an edge, one inverted": (joined(cube(), inverted(cube((1, 1, 0)))), 2, 2, 0, [TURNED]),
    "cubes sharing a vertex, one inverted": (joined(cube(), inverted(cube((1, 1, 1)))), 2, 2, 0, [TURNED]),
    "cubes sharing an edge, one face flipped": (
        flipped(joined(cube(), cube((1, 1, 0))), [2]),
        *(2, 2, 0, ["1 face flipped so"]),
    ),
    "eight cubes filling a larger": (
        joined(*(cube((x, y, z)) for x in (0, 1) for y in (0, 1) for z in (0, 1))),
        *(8, 8, 0, []),
    ),
    "double-sided cube": (doubled(cube()), 1, 1, 0, ["12 faces of a double-sided"]),
    "double-sided inverted ball": (doubled(inverted(BALL)), BALL_VOLUME, 1, 0, ["double-sided"]),
    "double-sided and flipped at random": (
        flipped(doubled(BALL), np.random.default_rng(2).random(2 * len(BALL[1])) < 0.5),
        *(BALL_VOLUME, 1, 0, ["listed twice", "flipped so", "double-sided"]),
    ),
    "half double-sided": (doubled(cube(), slice(0, 6)), 1, 1, 0, ["6 faces of a double-sided"]),
    "half double-sided, those inverted first": (
        (CORNERS, np.concatenate((SIDES[:6, ::-1], SIDES))),
        *(1, 1, 0, ["6 faces of a double-sided"]),
    ),
    "double-sided beside one-sided": (joined(doubled(cube()), cube((3, 0, 0))), 2, 2, 0, ["double-sided"]),
    "double-sided cubes sharing an edge": (joined(doubled(cube()), doubled(cube((1, 1, 0)))), 2, 2, 0, ["24 faces"]),
    "double-sided fin on a cube": (
        joined(cube(), doubled(rectangle((0, 0, 1), (1, 1, 0), (0, 0, 0.5)))),
        *(1, 1, 0, ["4 faces enclose nothing"]),
    ),
    "double-sided fin on an edge": (
        joined(cube(), doubled(rectangle((1, 0, 1), (0, 1, 0), (1, 0, 1)))),
        *(1, 1, 0, ["4 faces enclose nothing"]),
    ),
    "double-sided fin on the edge of a cube with a flipped face": (
        flipped(joined(cube(), doubled(rectangle((1, 0, 1), (0, 1, 0), (1, 0, 1)))), [6]),
        *(1, 1, 0, ["flipped so", "double-sided", "enclose nothing"]),
    ),
    "double-sided sheet inside a cube": (
        joined(cube(), doubled(rectangle((0.3, 0.3, 0.5), (0.4, 0, 0), (0, 0.4, 0)))),
        *(1, 1, 0, ["2 faces of double-sided sheets that enclose nothing", "double-sided"]),
    ),
    "flat double triangle beside a cube": (
        joined(cube(), (CORNERS[:3] + 5, np.array([(0, 1, 2), (0, 2, 1)]))),
        *(1, 1, 0, ["2 faces enclose nothing"]),
    ),
    "every face listed nine times, turned in itself": (
        (CORNERS, np.concatenate([np.roll(SIDES, k, axis=1) for k in range(9)])),
        *(1, 1, 0, ["96 faces listed twice"]),
    ),
    "one face listed twice": ((CORNERS, np.concatenate((SIDES, SIDES[4:5]))), 1, 1, 0, ["1 face listed twice"]),
    "degenerate faces": (
        (np.concatenate((CORNERS, CORNERS)), np.concatenate((SIDES, [(3, 3, 5), (1, 9, 2), (0, 0, 0)]))),
        *(1, 1, 0, ["3 degenerate faces dropped"]),
    ),
    "a face without area on an edge": (
        (np.concatenate((CORNERS, [(0, 0, 0.5)])), np.concatenate((SIDES, [(0, 1, 8)]))),
        *(1, 1, 0, ["1 face without area"]),
    ),
    "a strip of faces without area": (
        (
            np.concatenate((CORNERS, [(0, 0, z) for z in (0.2, 0.4, 0.6)])),
            np.concatenate((SIDES, [(0, 1, 8), (8, 1, 9), (9, 1, 10)])),
        ),
        *(1, 1, 0, ["3 faces without area"]),
    ),
    "a sliver that closes a junction": (
        (np.concatenate((CORNERS, [(0, 0, 0.5)])), np.concatenate((SIDES[1:], [(0, 8, 3), (8, 1, 3), (0, 1, 8)]))),
        *(1, 1, 0, []),
    ),
    "a sliver that closes a junction and one that does not": (
        (
            np.concatenate((CORNERS, [(0, 0, 0.5), (1, 1, 0.25)])),
            np.concatenate((SIDES[1:], [(0, 8, 3), (8, 1, 3), (0, 1, 8), (6, 9, 7)])),
        ),
        *(1, 1, 0, ["1 face without area"]),
    ),
    "a crack of 1e-8": (
        joined((CORNERS, SIDES[:6]), (CORNERS + 1e-8, SIDES[6:])),
        *(1, 1, 0, ["8 vertices within 1e-07"]),
    ),
    "a crack of 1e-8, one half inverted": (
        joined((CORNERS, SIDES[:6]), (CORNERS + 1e-8, SIDES[6:, ::-1])),
        *(1, 1, 0, ["within 1e-07", "flipped so"]),
    ),
    "a crack of 1e-8 in a double-sided cube": (
        joined(doubled((CORNERS, SIDES[:6])), doubled((CORNERS + 1e-8, SIDES[6:]))),
        *(1, 1, 0, ["double-sided", "within 1e-07"]),
    ),
    "a crack of 1e-8 and a sliver across it": (
        joined(
            (np.concatenate((CORNERS, [(1e-8, 1e-8, 1e-8)])), np.concatenate((SIDES[:6], [(0, 8, 1)]))),
            (CORNERS + 1e-8, SIDES[6:]),
        ),
        *(1, 1, 0, ["within 1e-07", "degenerate"]),
    ),
}


@pytest.mark.parametrize("order", ["as listed", "shuffled"])
@pytest.mark.parametrize("name", SOLIDS)
def test_solid(name, order):
    mesh, expected, bodies, cavities, words = SOLIDS[name]
    solid = closed_solid(*(mesh if order == "as listed" else shuffled(mesh, len(name))))
    assert signed_volume(solid) == pytest.approx(expected, rel=1e-7 if "crack" in name else 1e-12)
    assert (solid.bodies, solid.cavities) == (bodies, cavities)
    # Of as many faces that look either way, the first are right.
    if order == "as listed":
        assert len(solid.notes) == len(words), solid.notes
        assert all(word in note for note, word in zip(solid.notes, words, strict=True))
    assert edges_of(solid.faces).open.size == 0
    assert np.array_equal(np.unique(solid.faces), np.arange(len(solid.vertices)))
    assert len(np.unique(solid.vertices, axis=0)) == len(solid.vertices)


# name: mesh, open edges, all edges
OPEN = {
    "box without a face": (without(cube(), 4, 5), 4, 17),
    "one triangle missing": (without(cube(), 7), 3, 18),
    "one triangle missing, one flipped": (without(flipped(cube(), [3]), 7), 3, 18),
    "a single triangle": ((CORNERS[:3], np.array([(0, 1, 2)])), 3, 3),
    "a crack of 1e-5": (joined((CORNERS, SIDES[:6]), (CORNERS + 1e-5, SIDES[6:])), 16, 26),
    "double-sided open sheet": (doubled(rectangle((0, 0, 0), (1, 0, 0), (0, 1, 0))), 4, 5),
    "double-sided open box": (doubled(without(cube(), 4, 5)), 4, 17),
    "one-sided sheet inside a cube": (joined(cube(), rectangle((0.3, 0.3, 0.5), (0.4, 0, 0), (0, 0.4, 0))), 4, 23),
}


@pytest.mark.parametrize("name", OPEN)
def test_open(name):
    (vertices, faces), open_edges, edges = OPEN[name]
    with pytest.raises(OpenMeshError, match=f"the mesh is not closed: {open_edges} open edges of {edges}, at"):
        closed_solid(vertices, faces)
    assert len(repaired_surface(vertices, faces).open_edges) == open_edges


def test_the_message_counts_open_edges_and_says_where_they_are_in_other_processes_too():
    told = "the mesh is not closed: 4 open edges of 17, at (0, 0, 0.5), (0.5, 0, 0), (0.5, 0, 1), ..."
    with pytest.raises(OpenMeshError) as caught:
        closed_solid(*without(cube(), 4, 5))
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (error.problem, error.one_sided) == (told, False)


def test_a_klein_bottle_has_only_one_side():
    with pytest.raises(OpenMeshError, match="only one side") as caught:
        closed_solid(*klein_bottle())
    assert caught.value.one_sided


@pytest.mark.parametrize(
    ("vertices", "faces", "words"),
    [
        (CORNERS, SIDES[:0], "no faces"),
        (CORNERS[:0], SIDES[:0], "no faces"),
        (CORNERS, np.zeros((5, 3), np.int64), "degenerate"),
        (CORNERS * 0, SIDES, "degenerate"),
        (CORNERS * (1, 1, 0), SIDES, "encloses no volume|not closed"),
        (CORNERS[:3], np.array([(0, 1, 2), (0, 2, 1)]), "encloses no volume"),
        (CORNERS @ [[0.3, 0.1, 0.7], [0.2, 0.9, 0.4], [0.5, 1.0, 1.1]], SIDES, "encloses no volume"),
        (CORNERS @ [[0.3, 0.1, 0.7], [0.2, 0.9, 0.4], [0.5, 1.0, 1.1]] + 1e5, SIDES, "encloses no volume"),
        (CORNERS * 1e70, SIDES, "too large"),
        ((CORNERS * 2 - 1) * 1.7e308, SIDES, "finite"),
        (CORNERS * 1e-200, SIDES, "encloses no volume"),
        (np.where(CORNERS == 1, np.nan, CORNERS), SIDES, "finite"),
        (np.where(CORNERS == 1, np.inf, CORNERS), SIDES, "finite"),
    ],
)
def test_what_encloses_nothing_is_refused(vertices, faces, words):
    with pytest.raises(MeshError, match=words):
        closed_solid(vertices, faces)


@pytest.mark.parametrize("size", [1e-60, 3e38, 1e60])
@pytest.mark.parametrize("inside_out", [False, True])
def test_any_size_that_has_a_volume_is_taken(size, inside_out):
    solid = closed_solid(*cube(size=size, inverted=inside_out))
    assert signed_volume(solid) == pytest.approx(size**3, rel=1e-12)


def test_the_input_is_left_as_it_is_and_no_face_turned_where_that_closes_no_edge():
    vertices, faces = joined(doubled(cube()), inverted(cube((3, 0, 0))), soup(flipped(cube((6, 0, 0)), [1])))
    vertices.flags.writeable = faces.flags.writeable = False
    assert closed_solid(vertices, faces).bodies == 3
    vertices = np.array([(1, 0, 1), (1, 1, 0), (0, 2, 2), (2, 2, 2), (0, 0, 2), (2, 1, 2)], float)
    faces = np.array([(2, 1, 3), (5, 3, 2), (0, 2, 3), (5, 3, 1), (4, 2, 3)])
    surface = repaired_surface(vertices, faces)
    assert (len(surface.open_edges), surface.notes) == (8, ())


COMPOUND = joined(
    *(BALLS[0], inverted(BALLS[1]), BALLS[2], cube((5, 0, 0)), cube((6, 0, 0)), cube((7, 1, 0)), cube((9, 9, 9)))
)
COMPOUND_VOLUME = NESTED[0] - NESTED[1] + NESTED[2] + 4


@given(rotations, vectors, st.sampled_from([1e-3, 1.0, 1e3]))
def test_where_and_how_large_a_mesh_is_does_not_matter(rotation, translation, scale):
    vertices, faces = COMPOUND
    placed = vertices @ np.reshape(rotation, (3, 3)).T + 200 * np.array(translation)
    solid = closed_solid(placed * scale, faces)
    assert signed_volume(solid) == pytest.approx(COMPOUND_VOLUME * scale**3, rel=1e-9)
    assert (solid.cavities, solid.notes) == (1, ())


@given(st.lists(st.booleans(), min_size=len(BALL[1]), max_size=len(BALL[1])), st.booleans())
def test_any_faces_may_be_flipped_and_double(flips, twice):
    mesh = flipped(BALL, np.array(flips))
    solid = closed_solid(*(doubled(mesh, np.array(flips)) if twice else mesh))
    assert signed_volume(solid) == pytest.approx(BALL_VOLUME, rel=1e-12)
    assert (solid.bodies, solid.cavities) == (1, 0)


@given(st.integers(0, 2**32 - 1), st.integers(1, 60))
def test_any_triangles_give_a_solid_or_a_mesh_error(seed, count):
    rng = np.random.default_rng(seed)
    vertices = rng.integers(0, 3, (12, 3)) * rng.choice([1e-9, 1.0, 1e150], (1, 3))
    faces = rng.integers(0, 12, (count, 3))
    try:
        solid = closed_solid(vertices, faces)
    except MeshError:
        return
    assert signed_volume(solid) > 0
    assert edges_of(solid.faces).open.size == 0
