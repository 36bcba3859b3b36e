import numpy as np
import pytest
from builders.meshes import CORNERS, SIDES, cube, joined

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.boolean_union import united, without_those_before
from sdfinertia.mesh.closed_solid import closed_solid
from sdfinertia.mesh.topology import edges_of

pytest.importorskip("manifold3d", exc_type=ImportError)

TURN, _ = np.linalg.qr(np.random.default_rng(11).normal(size=(3, 3)))
TURN *= np.sign(np.linalg.det(TURN))
PLACES = {
    "here": (np.eye(3), (0, 0, 0)),
    "turned": (TURN, (0, 0, 0)),
    "far": (np.eye(3), (1e5, -1e5, 0)),
    "turned and far": (TURN, (0, 3000, 0)),
    "tiny": (np.eye(3) * 1e-6, (0, 0, 0)),
}


def placed(mesh, place):
    turn, offset = PLACES[place]
    return mesh[0] @ np.transpose(turn) + offset, mesh[1]


def without(solid, others):
    *_, rest = without_those_before([*others, solid])
    return solid if rest is None else rest


def volume(surface):
    assert not len(edges_of(surface[1]).open)
    return moments(*surface).volume


@pytest.mark.parametrize(
    ("offset", "together", "rest"),
    [
        *[((0.5, 0.5, 0.5), 1.875, 0.875), ((0.5, 0, 0), 1.5, 0.5), ((1, 0, 0), 2, 1), ((1, 1, 0), 2, 1)],
        *[((1, 1, 1), 2, 1), ((0, 0, 0), 1, 0), ((3, 0, 0), 2, 1)],
        ((1 / 3, 0.1, 0), 2 - 0.6, 0.4),
    ],
    ids=["corner", "along a side", "touching face", "touching edge", "touching corner", "identical", "apart", "slid"],
)
@pytest.mark.parametrize("place", PLACES)
def test_two_cubes_share_what_they_share(offset, together, rest, place):
    one, other = placed(cube(), place), placed(cube(offset), place)
    unit = abs(np.linalg.det(PLACES[place][0]))
    # A far corner is rounded to its floats before anything is united.
    tolerance = 1e-9 * unit if not place.endswith("far") else 1e-10 * max(np.abs(PLACES[place][1])) ** 0.5
    assert volume(united([one, other])) == pytest.approx(together * unit, abs=tolerance)
    remaining = without(one, [other])
    assert (volume(remaining) if len(remaining[1]) else 0.0) == pytest.approx(rest * unit, abs=tolerance)


def test_the_union_has_its_own_centre_and_second_moments_the_same_every_time():
    slab = moments(*united([cube(), cube((0.5, 0, 0))]))
    box = moments(CORNERS * (1.5, 1, 1), SIDES)
    assert slab.centroid == pytest.approx(box.centroid, abs=1e-12)
    assert slab.second == pytest.approx(box.second, abs=1e-12)
    turned = placed(cube((0.3, 0.2, 0.1)), "turned")
    first, second = united([cube(), turned]), united([cube(), turned])
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1], second[1])


@pytest.mark.parametrize(
    ("meshes", "expected"),
    [
        ([cube(), cube((0.5, 0.5, 0.5))], 1.875),
        ([cube(), cube((0.25, 0.25, 0.25), 0.5)], 1),
        ([cube(), cube()], 1),
        ([cube(), cube((1, 1, 0))], 2),
        ([cube(), cube((1, 0, 0))], 2),
        ([cube(), cube((0.25, 0.25, 0.25), 0.5, inverted=True)], 0.875),
        # A ball in a hollow: matter, cavity, matter.
        ([cube(), cube((0.25,) * 3, 0.5, inverted=True), cube((0.375,) * 3, 0.25)], 0.875 + 1 / 64),
        # A hollow body through which another reaches into its cavity.
        ([cube(), cube((0.25,) * 3, 0.5, inverted=True), cube((0.5, 0.3, 0.3), 0.4)], 0.875 + 0.25 * 0.4 * 0.4),
        # Two hollow bodies side by side that overlap where both are massive.
        (
            [
                *(cube(), cube((0.25,) * 3, 0.5, inverted=True)),
                *(cube((0.9, 0, 0)), cube((1.15, 0.25, 0.25), 0.5, inverted=True)),
            ],
            2 * 0.875 - 0.1,
        ),
        ([cube((float(i) / 2, 0, 0)) for i in range(9)], 5),
    ],
    ids=[
        *["overlapping", "nested", "identical", "touching edge", "touching face", "cavity", "body in a cavity"],
        *["body reaching into a cavity", "two hollow bodies", "a row"],
    ],
)
@pytest.mark.parametrize("place", ["here", "turned"])
def test_bodies_of_one_mesh_count_once_and_cavities_stay(meshes, expected, place):
    solid = closed_solid(*placed(joined(*meshes), place))
    assert volume(united([(solid.vertices, solid.faces)])) == pytest.approx(expected, rel=1e-9)


def test_a_hollow_solid_is_cut_as_one():
    hollow = joined(cube(), cube((0.25,) * 3, 0.5, inverted=True))
    assert volume(without(cube(), [hollow])) == pytest.approx(0.125, rel=1e-9)
    assert volume(without(hollow, [cube((0.5, -1, -1), 3)])) == pytest.approx(0.875 / 2, rel=1e-9)


@pytest.mark.parametrize(
    ("meshes", "message"),
    [
        ([cube(), (CORNERS, SIDES[1:])], "3 open edges"),
        ([cube(inverted=True)], "inside out"),
        ([cube(), cube((0.5, 0.5, 0.5), inverted=True)], "inside out"),
    ],
)
def test_surfaces_that_bound_no_matter_are_refused(meshes, message):
    with pytest.raises(MeshError, match=message):
        united(meshes)


@pytest.mark.parametrize("meshes", [[], [(CORNERS, SIDES[:0])], [(CORNERS * (1, 1, 0), SIDES)]])
def test_nothing_united_is_nothing(meshes):
    vertices, faces = united(meshes)
    assert (vertices.shape, faces.shape) == ((0, 3), (0, 3))
    assert len(without(cube(), meshes)[1]) == 12
