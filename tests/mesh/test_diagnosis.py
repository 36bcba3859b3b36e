import numpy as np
import pytest
from builders.meshes import CORNERS, SIDES, cube, flipped, joined, with_faces

from sdfinertia.mesh.diagnosis import diagnose
from sdfinertia.mesh.pipeline import Pipeline
from sdfinertia.mesh.triangle_mesh import TriangleMesh


def diagnosis_of(mesh, notes=()):
    triangles = TriangleMesh(np.asarray(mesh[0], np.float64), np.asarray(mesh[1], np.int64), notes=notes)
    return diagnose(Pipeline(triangles))


OPEN = CORNERS, SIDES[:-2]
FOUR = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])  # a tetrahedron; flat on corners of a square
BOTH = np.concatenate((SIDES, SIDES[:, ::-1]))
CROSSING_BARS = joined(cube((-2, -0.5, -0.5), (4, 1, 1)), cube((-0.5, -2, -0.4), (1, 4, 0.8)))

# What two unit cubes side by side are described by, and what is unknown of open meshes.
TWO = {"faces": 24, "vertices": 16, "bodies": 2, "upper": (3, 1, 1)}
TWO |= {"surface_area": 12, "volume": 2, "hull_volume": 3}
UNKNOWN = dict.fromkeys(("volume", "cavities", "inside_out_bodies"))
RIM = {"open_edges": 4, "boundary_loops": 1, "open_positions": ((0, 0.5, 1), (0.5, 0, 1), (0.5, 1, 1))}

# mesh: what is not as in a unit cube
CASES = {
    "cube": (cube(), {}),
    "cube of separate triangles": ((CORNERS[SIDES].reshape(-1, 3), np.arange(36).reshape(-1, 3)), {}),
    "unused vertices": ((np.concatenate((CORNERS, [(9, 9, 9.0)])), SIDES), {}),
    "inside out": (cube(inverted=True), {"inside_out_bodies": 1}),
    "a face turned": (flipped(cube(), [4]), {"inconsistent_faces": 1}),
    "three faces turned": (flipped(cube(), [0, 5, 9]), {"inconsistent_faces": 3}),
    "a face twice": (with_faces(cube(), SIDES[3]), {"faces": 13, "duplicate_faces": 1}),
    "a face without area": (with_faces(cube(), (0, 0, 1)), {"faces": 13, "degenerate_faces": 1}),
    "double-sided": ((CORNERS, BOTH), {"faces": 24, "double_sided_share": 1.0}),
    "two cubes apart": (joined(cube(), cube((2, 0, 0))), TWO),
    "one of two inside out": (joined(cube(), cube((2, 0, 0), inverted=True)), {**TWO, "inside_out_bodies": 1}),
    "two cubes that touch": (
        joined(cube(), cube((1, 0, 0))),
        TWO
        | {"vertices": 12, "upper": (2, 1, 1), "hull_volume": 2, "non_manifold_edges": 5, "double_sided_share": 1 / 6},
    ),
    "cavity": (
        joined(cube(), cube((0.25, 0.25, 0.25), 0.5, inverted=True)),
        {"faces": 24, "vertices": 16, "cavities": 1, "surface_area": 7.5, "volume": 0.875},
    ),
    "core in a cavity": (
        joined(cube(), cube((0.25,) * 3, 0.5, inverted=True), cube((0.375,) * 3, 0.25)),
        {"faces": 36, "vertices": 24, "bodies": 2, "cavities": 1, "surface_area": 7.875, "volume": 0.890625},
    ),
    "cube in a cube": (
        joined(cube(), cube((0.25, 0.25, 0.25), 0.5)),
        {"faces": 24, "vertices": 16, "bodies": 2, "surface_area": 7.5, "volume": 1.125},
    ),
    "bars that cross without a corner inside": (
        CROSSING_BARS,
        {"faces": 24, "vertices": 16, "bodies": 2, "surface_area": 18 + 16}
        | {"lower": (-2, -2, -0.5), "upper": (2, 2, 0.5), "volume": 7.2, "hull_volume": 10.9},
    ),
    "too large": (
        cube(size=11.0),
        {"upper": (11, 11, 11), "surface_area": 726, "volume": 1331, "hull_volume": 1331, "may_be_millimetres": True},
    ),
    "without a lid": (
        OPEN,
        UNKNOWN | RIM | {"faces": 10, "surface_area": 5},
    ),
    "a lid": (
        (CORNERS, SIDES[-2:]),
        UNKNOWN | RIM | {"faces": 2, "vertices": 4, "lower": (0, 0, 1), "surface_area": 1, "hull_volume": None},
    ),
}
UNIT_CUBE = {
    "faces": 12,
    "vertices": 8,
    "bodies": 1,
    "open_positions": (),
    "lower": (0, 0, 0),
    "upper": (1, 1, 1),
    "surface_area": 6.0,
    "volume": 1.0,
    "hull_volume": 1.0,
    "double_sided_share": 0.0,
    **dict.fromkeys(("degenerate_faces", "duplicate_faces", "inconsistent_faces", "cavities", "inside_out_bodies"), 0),
    **dict.fromkeys(("open_edges", "boundary_loops", "non_manifold_edges"), 0),
    **dict.fromkeys(("one_sided", "may_be_millimetres"), False),
}


@pytest.mark.parametrize("name", CASES)
def test_a_mesh_is_described(name):
    mesh, differences = CASES[name]
    diagnosis = diagnosis_of(mesh)
    for field, expected in {**UNIT_CUBE, **differences}.items():
        if field == "open_positions":
            expected = tuple(pytest.approx(position) for position in expected)
        elif isinstance(expected, float | int | tuple) and not isinstance(expected, bool):
            expected = pytest.approx(expected, rel=1e-12)
        assert getattr(diagnosis, field) == expected, field


@pytest.mark.parametrize(
    ("mesh", "note"),
    [
        (with_faces(cube(), (0, 0, 1)), "1 degenerate face dropped"),
        (cube(inverted=True), "inside out"),
        ((np.zeros((3, 3)), np.array([(0, 1, 2)])), "only degenerate faces"),
        ((CORNERS[:4], FOUR), "closed but encloses no volume"),
        (cube(size=1e200), "too large to integrate"),
        ((np.where(CORNERS == 1, np.nan, CORNERS), SIDES), "not finite"),
        ((np.where(CORNERS == 1, np.inf, CORNERS), SIDES), "not finite"),
        ((np.where(CORNERS == 1, 1.7e308, -1.7e308), SIDES), "not finite, or too large"),
    ],
    ids=["degenerate", "inside out", "a point", "flat", "huge", "NaN", "infinite", "end of floats"],
)
def test_what_is_wrong_stands_in_the_notes_after_those_of_the_reader(mesh, note):
    of_reader, *others = diagnosis_of(mesh, ("read otherwise",)).notes
    assert of_reader == "read otherwise"
    assert any(note in one for one in others)


@pytest.mark.parametrize("seed", range(12))
def test_any_triangles_have_a_diagnosis(seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(3, 30))
    vertices = random.random((count, 3)).round(int(random.integers(0, 3)))
    faces = random.integers(0, count, (int(random.integers(1, 80)), 3))
    diagnosis = diagnosis_of((vertices, faces))
    assert diagnosis.faces == len(faces)
    assert (diagnosis.volume is None) or diagnosis.open_edges == 0
    assert (diagnosis.open_edges > 0) == (diagnosis.boundary_loops > 0)


def test_a_strip_with_one_side_is_told():
    turn = np.arange(5) * 2 * np.pi / 5
    vertices = np.stack((np.cos(turn), np.sin(turn), 0.1 * np.arange(5)), 1)
    faces = np.array([(i, (i + 1) % 5, (i + 2) % 5) for i in range(5)])  # the least Möbius strip
    diagnosis = diagnosis_of((vertices, faces))
    assert diagnosis.one_sided
    assert diagnosis.boundary_loops >= 1


def test_pieces_of_an_open_mesh_are_counted():
    diagnosis = diagnosis_of(joined(OPEN, (cube((3, 0, 0))[0], SIDES[:-2]), cube((6, 0, 0))))
    assert (diagnosis.bodies, diagnosis.boundary_loops, diagnosis.open_edges) == (3, 2, 8)
