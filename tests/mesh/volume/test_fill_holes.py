import numpy as np
import pytest
from builders.meshes import MOEBIUS, ball, inverted, joined, prism, soup, without

from sdfinertia.errors import OpenMeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.closed_solid import closed_solid, filled
from sdfinertia.mesh.readers.obj import read_obj
from sdfinertia.mesh.repair import repaired_surface


def circle(radius, n=24):
    angle = 2 * np.pi * np.arange(n) / n
    return radius * np.stack((np.cos(angle), np.sin(angle)), 1)


def solid_of(mesh):
    surface = filled(repaired_surface(*mesh))
    assert len(surface.open_edges) == 0
    solid = closed_solid(surface.vertices, surface.faces)
    return surface, moments(solid.vertices, solid.faces)


SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
STAR = circle(1.0, 10) * np.tile((1.0, 0.3), 5)[:, None]
WALLS = prism(SQUARE, caps=())
BOTTOM = WALLS[0], np.concatenate((WALLS[1], [(0, 2, 1), (0, 3, 2)]))
PIPE = joined(prism(circle(2.0), 5.0, ()), inverted(prism(circle(1.0), 5.0, ())))
SPHERE = ball(24, 32)
BALL = moments(*SPHERE)


def area(outline):
    x, y = np.array(outline, float).T
    return 0.5 * float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


@pytest.mark.parametrize("form", [lambda mesh: mesh, soup, inverted], ids=["as it is", "soup", "inside out"])
@pytest.mark.parametrize(
    ("mesh", "volume", "centroid", "holes"),
    [
        pytest.param(BOTTOM, 1.0, (0.5, 0.5, 0.5), 1, id="open box"),
        pytest.param((BOTTOM[0] + 1000, BOTTOM[1]), 1.0, (1000.5, 1000.5, 1000.5), 1, id="open box far away"),
        pytest.param(WALLS, 1.0, (0.5, 0.5, 0.5), 2, id="box without two sides"),
        pytest.param(prism(circle(1.0), 4.0, ()), 4 * area(circle(1.0)), (0, 0, 2), 2, id="tube without caps"),
        pytest.param(prism(STAR, 2.0, ()), 2 * area(STAR), (0, 0, 1), 2, id="star without caps"),
        pytest.param(PIPE, 5 * (area(circle(2.0)) - area(circle(1.0))), (0, 0, 2.5), 4, id="thick pipe without ends"),
    ],
)
def test_planar_holes_are_closed_exactly(form, mesh, volume, centroid, holes):
    surface, found = solid_of(form(mesh))
    assert found.volume == pytest.approx(volume, rel=1e-12)
    assert found.centroid == pytest.approx(centroid, rel=1e-12, abs=1e-12)
    closed = "planar hole closed by a cap" if holes == 1 else "planar holes closed by caps"
    assert f"{holes} {closed}" in surface.notes


POLE = np.arange(32)  # the faces about the north pole: a planar hole
SIDE = 32 + 2 * 32 * 11  # a face near the equator
AROUND = SIDE + np.array([0, 1, 32, 33, 64, 65, 96, 97])


@pytest.mark.parametrize(
    ("gone", "note"),
    [
        pytest.param([SIDE], "1 planar hole", id="a face"),
        pytest.param([SIDE + 32, SIDE + 1], "1 small hole", id="two neighbours"),
        pytest.param([0, 5, 9, SIDE, SIDE + 3, SIDE + 300], "planar holes", id="six here and there"),
        pytest.param(AROUND, "small hole", id="a patch"),
        pytest.param(POLE, "1 planar hole", id="a cap"),
    ],
)
def test_a_sphere_that_misses_faces_is_within_a_per_cent(gone, note):
    surface, found = solid_of(without(SPHERE, gone))
    assert found.volume == pytest.approx(BALL.volume, rel=0.01)
    assert found.second[:3] == pytest.approx(BALL.second[:3], rel=0.01)
    assert any(note in one for one in surface.notes)


def test_small_holes_say_how_uncertain_they_leave_the_mass():
    surface, found = solid_of(without(SPHERE, AROUND))
    (note,) = surface.notes
    told = float(note.split("up to ")[1].split(" %")[0]) / 100
    assert abs(found.volume - BALL.volume) / BALL.volume <= told <= 0.01


def test_bodies_that_face_opposite_ways_do_not_cancel_in_what_is_said_to_be_uncertain():
    ball = without(SPHERE, AROUND)
    surface, found = solid_of(joined(ball, inverted((ball[0] + 3, ball[1]))))
    (alone,) = filled(repaired_surface(*ball)).notes
    assert found.volume == pytest.approx(2 * BALL.volume, rel=0.01)
    assert alone.split("so the")[1] == surface.notes[0].split("so the")[1]


def test_a_closed_surface_stays_as_it_is_and_one_with_one_side_is_refused():
    surface = repaired_surface(*SPHERE)
    assert filled(surface) is surface
    strip = read_obj(MOEBIUS.encode())
    with pytest.raises(OpenMeshError, match="only one side") as caught:
        filled(repaired_surface(strip.vertices, strip.faces))
    assert caught.value.one_sided


def test_a_large_hole_that_is_not_planar_is_refused_by_its_place_and_size():
    # A quarter of the sphere: the loop is two half circles at right angles.
    middles = SPHERE[0][SPHERE[1]].mean(axis=1)
    quarter = without(SPHERE, np.flatnonzero((middles[:, 0] > 0) & (middles[:, 2] > 0)))
    told = rf"1 hole is neither planar nor small, about \(.*\) of radius 1.1: {16 + 24} edges"
    with pytest.raises(OpenMeshError, match=told) as caught:
        filled(repaired_surface(*quarter))
    assert not caught.value.one_sided
    # So is one of several: a face of two walls that meet in a corner is missing.
    with pytest.raises(OpenMeshError, match="neither planar nor small"):
        filled(repaired_surface(*without(WALLS, [0, 5])))
