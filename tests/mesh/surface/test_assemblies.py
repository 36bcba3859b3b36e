"""When several bodies, sheets and copies in one file are a closed surface, and what they enclose together."""

import numpy as np
import pytest
from builders.meshes import (
    BOTTOM,
    CORNERS,
    OTHER_DIAGONALS,
    SIDES,
    box,
    doubled,
    inverted,
    joined,
    sheet,
    shuffled,
    turned,
    with_faces,
    without,
)

from sdfinertia.errors import OpenMeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.closed_solid import closed_solid
from sdfinertia.mesh.repair import repaired_surface

LOW, TALL, FAR = box(), box((1, 1, 2)), box(corner=(5, 0, 0))
SHEET = sheet((3, 3, 3), (1, 0, 0), (0, 1, 0))


def moved(mesh, vertex, by):
    """The mesh with one vertex moved along x."""
    vertices = mesh[0].copy()
    vertices[vertex, 0] += by
    return vertices, mesh[1]


def cracked(mesh, by):
    """The mesh with the first half of its faces on vertices of their own, moved along x."""
    vertices, faces = mesh
    half = len(faces) // 2
    return joined((vertices + np.array((by, 0, 0)), faces[:half]), (vertices, faces[half:]))


def tetrahedron(mirrored):
    """One of the two tetrahedra on corners of the unit cube: equal bounds, volumes, centroids and second moments."""
    corners = np.array([(0, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)], float)
    faces = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
    mesh = (1 - corners if mirrored else corners), faces
    return mesh if moments(*mesh).volume > 0 else inverted(mesh)


SPLIT = np.concatenate((CORNERS, [(0, 0, 0.5), (0, 1, 0.25), (0, 1, 0.75), (1, 1, 0.1)]))

# name: mesh, volume, bodies, words of the notes, one of each
CLOSED = {
    "boxes that share their bottom": (joined(LOW, TALL), 3, 2, []),
    "boxes that share their bottom, one corner 3e-8 off": (joined(LOW, moved(TALL, 0, 3e-8)), 3, 2, []),
    "the same with a crack of 3e-8": (joined(cracked(LOW, 3e-8), TALL), 3, 2, ["within 1e-07"]),
    "boxes that share their bottom, and a far cube": (joined(LOW, TALL, FAR), 4, 3, []),
    "a far cube twice": (
        joined(LOW, TALL, FAR, FAR),
        4,
        3,
        ["12 faces listed twice"],
    ),
    "a far cube twice, one corner 3e-8 off": (
        *(joined(LOW, moved(TALL, 0, 3e-8), FAR, FAR), 4, 3, ["12 faces listed twice"]),
    ),
    "a far cube five times": (joined(LOW, TALL, *[FAR] * 5), 4, 3, ["48 faces listed twice"]),
    "boxes that share their bottom, both listed twice": (joined(LOW, TALL, LOW, TALL), 3, 2, ["24 faces listed twice"]),
    "two of three faces of a wall listed twice, and a shared bottom": (
        joined(with_faces(LOW, SIDES[4], SIDES[5], SIDES[5]), TALL),
        *(3, 2, ["3 faces listed twice"]),
    ),
    "a cube listed twice that touches another along an edge": (
        joined(FAR, FAR, box(corner=(6, 1, 0))),
        *(2, 2, ["12 faces listed twice"]),
    ),
    "the same cube with other diagonals": (joined(LOW, box(other_diagonals=True)), 1, 1, ["1 body that coincides"]),
    "the same cube with one other diagonal": (
        joined(LOW, (CORNERS, np.concatenate((SIDES[: BOTTOM.start], OTHER_DIAGONALS[BOTTOM], SIDES[BOTTOM.stop :])))),
        *(1, 1, ["1 body that coincides"]),
    ),
    "the same cube thrice, 2e-8 off and with other diagonals": (
        joined(LOW, box(corner=(2e-8, 0, 0)), box(corner=(0, 2e-8, 0), other_diagonals=True)),
        *(1, 1, ["2 bodies that coincide"]),
    ),
    "the same cube seen from inside with other diagonals": (
        joined(LOW, inverted(box(other_diagonals=True))),
        *(1, 1, ["1 body that coincides"]),
    ),
    "a cavity filled by a cube with other diagonals": (
        joined(box((3, 3, 3)), inverted(box(corner=(1, 1, 1))), box(corner=(1, 1, 1), other_diagonals=True)),
        *(27, 2, []),
    ),
    "two tetrahedra in one cube": (joined(tetrahedron(False), tetrahedron(True)), 2 / 3, 2, []),
    "a sheet apart": (joined(LOW, SHEET), 1, 1, ["area 1 of 7", "double-sided"]),
    "a sheet a thousandth away": (
        joined(LOW, sheet((0, 0, 1.001), (1, 0, 0), (0, 1, 0))),
        *(1, 1, ["area 1 of 7", "double-sided"]),
    ),
    "a sheet that crosses the wall": (
        joined(LOW, sheet((0.5, 0.2, 0.3), (1, 0, 0), (0, 0.5, 0))),
        *(1, 1, ["area 0.5 of 6.5", "double-sided"]),
    ),
    "a sheet with other diagonals on its back": (
        joined(LOW, sheet((3, 3, 3), (1, 0, 0), (0, 1, 0), other_diagonal=True)),
        *(1, 1, ["4 faces enclose nothing"]),
    ),
    "a sheet beside a double-sided cube": (joined(doubled(LOW), SHEET), 1, 1, ["area 1 of 7", "double-sided"]),
    "a double-sided box without a lid beside a cube": (
        joined(FAR, doubled(without(LOW, 8, 9))),
        *(1, 1, ["area 5 of 11", "double-sided"]),
    ),
    "a sheet beside a cube with a flipped face": (
        joined((CORNERS, np.concatenate((SIDES[:1, ::-1], SIDES[1:]))), SHEET),
        *(1, 1, ["flipped so", "area 1 of 7", "double-sided"]),
    ),
    "an edge that meets the middle of another": (
        (SPLIT, np.concatenate((SIDES[1:], [(0, 8, 3), (8, 1, 3)]))),
        *(1, 1, ["1 T-junction, where"]),
    ),
    "edges that meet the middles of two others, one of them twice": (
        (
            SPLIT,
            np.concatenate(
                (*(SIDES[:4], [(0, 4, 8), (8, 4, 5), (8, 5, 1)]), *([(2, 9, 7), (9, 10, 7), (10, 3, 7)], SIDES[7:]))
            ),
        ),
        *(1, 1, ["2 T-junctions, where"]),
    ),
}


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("change", [lambda mesh: mesh, lambda mesh: shuffled(mesh, 1), lambda mesh: turned(mesh, 0.7)])
def test_what_is_closed_counts_as_often_as_it_stands_there(name, change):
    mesh, volume, bodies, words = CLOSED[name]
    solid = closed_solid(*change(mesh))
    rounding = 1e-6 if "e-8" in name else 1e-12
    assert moments(solid.vertices, solid.faces).volume == pytest.approx(volume, rel=rounding)
    assert solid.bodies == bodies
    assert len(solid.notes) == len(words), solid.notes
    for note, word in zip(solid.notes, words, strict=True):
        assert word in note


OPEN = {
    "two sheets": joined(sheet((0, 0, 0), (1, 0, 0), (0, 1, 0)), sheet((0, 0, 3), (1, 0, 0), (0, 1, 0))),
    "a sheet beside a box without a lid": joined(without(LOW, 8, 9), SHEET),
    "a crack that gapes": (
        np.concatenate((CORNERS, [(0.0, -0.001, 0.5)])),
        np.concatenate((SIDES[1:], [(0, 8, 3), (8, 1, 3)])),
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_what_is_not_closed_by_any_repair_is_refused(name):
    with pytest.raises(OpenMeshError, match="the mesh is not closed"):
        closed_solid(*OPEN[name])


def test_a_face_with_cracks_along_all_its_sides_is_closed_crack_by_crack():
    # A tetrahedron of which one face is whole while its neighbours have the middles of its sides.
    corners = np.array([(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 3), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float)
    faces = [(0, 2, 1), (0, 4, 3), (4, 1, 3), (1, 5, 3), (5, 2, 3), (2, 6, 3), (6, 0, 3)]
    solid = closed_solid(corners, np.array(faces))
    assert moments(solid.vertices, solid.faces).volume == pytest.approx(2, rel=1e-12)
    assert solid.notes == ("3 T-junctions, where edges meet the middle of others, closed",)


@pytest.mark.parametrize(("mesh", "open_edges"), [(LOW, 0), (without(LOW, 8, 9), 4)], ids=["closed", "open"])
def test_a_lone_flat_face_goes_with_the_crack_about_it(mesh, open_edges):
    # Twice as high as what is taken for a line, and of less area than a crack has.
    flat = np.array([(5, 0, 0), (7, 0, 0), (6, 1.4e-6, 0)], float), np.array([(0, 1, 2)])
    surface = repaired_surface(*joined(mesh, flat))
    assert len(surface.open_edges) == open_edges
    assert (len(surface.vertices), len(surface.faces)) == (8, len(mesh[1]))
    assert "1 flat face whose reverse would close a T-junction dropped" in surface.notes
    again = repaired_surface(surface.vertices, surface.faces)
    assert (len(again.open_edges), again.notes) == (open_edges, ())
