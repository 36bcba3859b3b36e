"""How often surfaces wind round places beside their faces."""

import numpy as np
import pytest
from builders.meshes import L_OUTLINE, ball, box, inverted, joined, prism, turned

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh import MeshTreatment, Method, Overlaps
from sdfinertia.mesh import windings as self_crossing
from sdfinertia.mesh.diagnosis import diagnose
from sdfinertia.mesh.pipeline import Pipeline
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.mesh.windings import sampled_windings

# Lobes of 1 and 9 m² that meet where the outline crosses itself, at the origin.
BOW_TIE = prism([(-1, 1), (-1, -1), (3, 3), (3, -3)])
ANGLES = np.linspace(0, 2 * np.pi, 240, endpoint=False)
RADII = 1 + 2 * np.cos(ANGLES)
LIMACON = prism(np.c_[RADII * np.cos(ANGLES), RADII * np.sin(ANGLES)])


# name: mesh, least and greatest winding number
WINDINGS = {
    "a cube": (box(), 0, 1),
    "a plate of 1 : 10,000": (box((1, 1, 1e-4)), 0, 1),
    "a rod of 1 : 10,000": (box((1e-4, 1e-4, 1)), 0, 1),
    "a cube far away": (box(corner=(1e5, 1e5, 1e5)), 0, 1),
    "an L": (prism(L_OUTLINE, caps=[(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]), 0, 1),
    "a ball of 40,000 faces": (ball(100, 2 * 100), 0, 1),
    "cubes apart": (joined(box(), box(corner=(3, 0, 0))), 0, 1),
    "cubes that share a wall": (joined(box(), box(corner=(1, 0, 0))), 0, 1),
    "a hollow cube": (joined(box((3, 3, 3)), inverted(box(corner=(1, 1, 1)))), 0, 1),
    "cubes that overlap": (joined(box(), box(corner=(0.5, 0.3, 0.1))), 0, 2),
    "a cube in two others": (joined(box((5, 5, 5)), box((3, 3, 3), (1, 1, 1)), box(corner=(2, 2, 2))), 0, 3),
    "a cavity that reaches out of its body": (joined(box((3, 3, 3)), inverted(box(corner=(2.5, 1, 1)))), -1, 1),
    "a bow tie": (inverted(BOW_TIE), -1, 1),
    "a limacon": (LIMACON, 0, 2),
    "a folded ball of 40,000 faces": (joined(ball(100, 2 * 100), ball(100, 2 * 100, 0.3)), 0, 2),
}


@pytest.mark.parametrize("angle", [0.0, 0.7])
@pytest.mark.parametrize("name", WINDINGS)
def test_the_least_and_the_greatest_winding_number_are_met(name, angle):
    mesh, least, greatest = WINDINGS[name]
    sampled = sampled_windings(*turned(mesh, angle))
    assert (sampled.least, sampled.greatest) == (least, greatest)


def test_very_many_long_faces_are_looked_at_only_where_time_is_taken(monkeypatch):
    monkeypatch.setattr(self_crossing, "_FEW_PAIRS", 1 << 12)
    many = np.linspace(0, 2 * np.pi, 1000, endpoint=False)
    rod = turned(prism(np.c_[np.cos(many), np.sin(many)], height=100.0), 0.7)
    assert sampled_windings(*rod) is None
    sampled = sampled_windings(*rod, thorough=True)
    assert (sampled.least, sampled.greatest) == (0, 1)


def solid(mesh, method=Method.EXACT, **settings):
    return Pipeline(TriangleMesh(*mesh)).by(method, MeshTreatment(method, **settings))


def test_a_body_that_winds_backwards_is_refused_with_the_place_and_so_is_a_union_of_one_that_crosses_itself():
    with pytest.raises(MeshError, match=r"crosses itself near \(-") as caught:
        solid(BOW_TIE)
    assert "voxel" in caught.value.remedy
    with pytest.raises(MeshError, match=r"crosses itself near .*, which no union of bodies resolves"):
        solid(LIMACON, overlaps=Overlaps.UNION)


def test_what_winds_twice_is_noted_and_counts_as_often():
    found = solid(LIMACON)
    assert found.moments.volume == pytest.approx(moments(*LIMACON).volume, rel=1e-12)
    assert [note for note in found.notes if "counts twice" in note]
    assert not [note for note in solid(box()).notes if " near (" in note]


def test_a_union_of_bodies_winds_once():
    pytest.importorskip("manifold3d", reason="the extra `robust` is not installed")
    found = solid(joined(box(), box(corner=(0.5, 0, 0))), overlaps=Overlaps.UNION)
    assert found.moments.volume == pytest.approx(1.5, rel=1e-9)
    assert not [note for note in found.notes if " near (" in note]


@pytest.mark.parametrize(
    ("mesh", "least", "greatest"), [(BOW_TIE, -1, 1), (LIMACON, 0, 2), (box(), 0, 1)], ids=["bow", "limacon", "box"]
)
def test_a_diagnosis_tells_the_winding_numbers(mesh, least, greatest):
    diagnosis = diagnose(Pipeline(TriangleMesh(*mesh)))
    assert (diagnosis.min_winding, diagnosis.max_winding) == (least, greatest)
    assert (diagnosis.volume is None) == (least < 0)
    assert bool([note for note in diagnosis.notes if " near (" in note]) == (least < 0 or greatest > 1)
