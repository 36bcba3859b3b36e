import math

import numpy as np
import pytest
from builders.meshes import CORNERS, L_OUTLINE, SIDES, ball, prism, star
from builders.thoroughness import trials

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh import solid_moments
from sdfinertia.mesh.kernel import surface_area
from sdfinertia.mesh.repair import repaired_surface
from sdfinertia.mesh.solid_moments import _counted, _surface, voxel_moments

igl = pytest.importorskip("igl", exc_type=ImportError)

NO_LID = SIDES[:-2]


def box(x, y, z):
    return CORNERS * (x, y, z), SIDES


def twisted(surface):
    """The same solid, turned and moved so that nothing lies along an axis."""
    vertices, faces = surface
    turn, _ = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))
    return vertices @ (turn * np.sign(np.linalg.det(turn))) + (0.3, -7.0, 2.0), faces


SOLIDS = {
    "sphere": ball(),
    "L": prism(np.roll(L_OUTLINE, 3, axis=0)),
    "turned plate": twisted(box(1, 1, 0.01)),
    "far cube": (box(1, 1, 1)[0] + 1e5, SIDES),
    "small cube": box(1e-4, 1e-4, 1e-4),
}


def relative_error(result, true):
    return result.moments.volume / true.volume - 1


@pytest.mark.parametrize("name", SOLIDS)
def test_the_default_gives_a_hundredth_of_mass_and_of_every_second_moment(name):
    true = moments(*SOLIDS[name])
    result = voxel_moments(*SOLIDS[name])
    assert abs(relative_error(result, true)) < 3e-3
    assert abs(relative_error(result, true)) <= result.uncertainty < 1e-2
    assert result.moments.second[:3] == pytest.approx(true.second[:3], rel=1e-2)
    size = math.sqrt(sum(true.second[:3]) / true.volume)
    assert np.array(result.moments.centroid) == pytest.approx(np.array(true.centroid), abs=1e-3 * size)
    assert np.array(result.moments.second[3:]) == pytest.approx(true.second[3:], abs=3e-3 * sum(true.second[:3]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sphere", "L"])
def test_the_error_falls_with_the_voxel_size_wherever_the_grid_stands(name):
    vertices, faces = SOLIDS[name]
    true = moments(vertices, faces).volume
    size = math.sqrt(surface_area(vertices, faces) / 4e4)  # the default
    middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
    surface = _surface(igl, (vertices - middle) / size, faces)
    offsets = np.random.default_rng(7).random((trials(2, 20), 3))
    errors = []
    for level in (4, 3, 2, 1):
        volumes = [_counted(surface, level, tuple(offset * 2**level)).volume for offset in offsets]
        errors.append(np.sqrt(np.mean((np.array(volumes) * size**3 / true - 1) ** 2)))
    at_default = [_counted(surface, 0, tuple(offset)).volume for offset in offsets]
    errors.append(np.sqrt(np.mean((np.array(at_default) * size**3 / true - 1) ** 2)))
    assert errors == sorted(errors, reverse=True)
    assert errors[0] < 0.05
    assert errors[-1] < 5e-4


@pytest.mark.parametrize(
    ("surface", "volume"),
    [
        ((ball()[0], ball()[1][1:]), moments(*ball()).volume),
        ((ball(4, 6)[0], ball(4, 6)[1][1:]), moments(*ball(4, 6)).volume),
        ((CORNERS, NO_LID), 1.0),
        ((CORNERS, np.concatenate((SIDES, SIDES[:, ::-1]))), 1.0),
        ((CORNERS, np.concatenate((NO_LID, NO_LID[:, ::-1]))), 1.0),
        ((CORNERS, SIDES[:, ::-1]), 1.0),
        ((CORNERS, np.where(np.isin(np.arange(12), (1, 4, 7))[:, None], SIDES[:, ::-1], SIDES)), 1.0),
        ((np.concatenate((CORNERS, CORNERS + 0.5)), np.concatenate((SIDES, SIDES + 8))), 1.875),
        ((np.concatenate((CORNERS, CORNERS * 0.5 + 0.25)), np.concatenate((SIDES, SIDES[:, ::-1] + 8))), 0.875),
        ((np.concatenate((CORNERS, CORNERS * 0.5 + 0.25)), np.concatenate((SIDES, SIDES + 8))), 1.0),
        ((np.concatenate((CORNERS, CORNERS + 3)), np.concatenate((SIDES, SIDES[:, ::-1] + 8))), 2.0),
    ],
    ids=[
        *["sphere without a face", "coarse sphere without a face", "box without a lid", "double-sided"],
        *["double-sided box without a lid", "inside out", "some faces flipped", "overlapping", "cavity", "nested"],
        "one of two inside out",
    ],
)
def test_a_surface_that_is_not_a_clean_solid_has_the_volume_it_winds_about(surface, volume, monkeypatch):
    monkeypatch.setattr(solid_moments, "_DEFAULT_COVER", 4e3)
    repaired = repaired_surface(*surface)
    assert voxel_moments(repaired.vertices, repaired.faces).moments.volume == pytest.approx(volume, rel=1e-2)


def test_sides_that_do_not_quite_meet_make_a_cube_not_thickened_by_voxels_nor_by_what_lies_outside():
    outward = np.repeat([(-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)], 2, axis=0)
    soup = CORNERS[SIDES] + 1e-3 * outward[:, None, :]
    result = voxel_moments(soup.reshape(-1, 3), np.arange(36).reshape(-1, 3))
    assert result.moments.volume == pytest.approx(1.0, rel=1e-2)
    # Forty boxes without lids in one place wind more than once about points well above them.
    bowls = np.concatenate([NO_LID] * 40)
    result = voxel_moments(CORNERS, bowls, 0.05)
    assert result.moments.volume == pytest.approx(1.0, rel=2e-2)
    plate = box(1, 1, 0.01)
    result = voxel_moments(*plate, 0.01)
    assert result.moments.second[2] == pytest.approx(moments(*plate).second[2], rel=0.05)


def test_the_voxel_size_given_is_the_one_used_and_the_result_the_same_every_time():
    first, second = (voxel_moments(*star(), 0.04) for _ in range(2))
    assert first == second
    result = voxel_moments(*box(1, 2, 3), 0.1)
    assert result.note.startswith("voxels of 0.1 m are used")
    assert result.moments.volume / 0.1**3 == pytest.approx(round(result.moments.volume / 0.1**3), abs=1e-6)


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_the_size_of_the_unit_changes_no_uncertainty(scale):
    vertices, faces = twisted(star())
    one, other = voxel_moments(vertices, faces, 0.05), voxel_moments(vertices * scale, faces, 0.05 * scale)
    assert other.uncertainty == pytest.approx(one.uncertainty, rel=1e-6)
    assert other.moments.volume == pytest.approx(one.moments.volume * scale**3, rel=1e-6)


# A square of 500 by 500 voxels covers as much as is counted: the six faces of a cube of 1 m at 4.9 mm.
def test_voxels_that_are_too_many_are_refused_with_a_size_that_will_do():
    with pytest.raises(MeshError) as caught:
        voxel_moments(*box(1, 1, 1), 4.8e-3)
    problem = "voxels of 0.0048 are too many for a mesh 1.73 across: 260,417 would cover its surface"
    assert str(caught.value).startswith(f"{problem}, and the limit is 250,000")
    assert caught.value.remedy == "choose a voxel size of 0.0051 or more"
    assert voxel_moments(*box(1, 1, 1), 4.9e-3).moments.volume == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize(
    ("surface", "voxel_size", "message"),
    [
        (box(1, 1, 1), 0.0, "positive and finite"),
        (box(1, 1, 1), -1.0, "positive and finite"),
        (box(1, 1, 1), math.nan, "positive and finite"),
        (box(1, 1, 1), math.inf, "positive and finite"),
        (box(1, 1, 1), 1e-9, "too many"),
        (box(1, 1, 1), 5.0, "no voxel of 5 lies inside"),
        ((CORNERS, SIDES[:2]), None, "no voxel"),
        ((CORNERS, SIDES[:0]), None, "no faces"),
        ((np.zeros((3, 3)), np.array([(0, 1, 2)])), None, "no area"),
        ((CORNERS * 1e200, SIDES), None, "too large"),
        ((CORNERS * 1e-200, SIDES), None, "too small"),
        ((np.where(CORNERS == 1, np.nan, CORNERS), SIDES), None, "not finite"),
    ],
)
def test_what_cannot_be_counted_is_refused(surface, voxel_size, message):
    with pytest.raises(MeshError, match=message):
        voxel_moments(*surface, voxel_size)
