import numpy as np
import pytest
from builders.meshes import CORNERS, L_OUTLINE, SIDES, prism_round, star, turned

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh import MeshTreatment, Method
from sdfinertia.mesh.convex_hulls import _clipped_moments, convex_hull, decomposed
from sdfinertia.mesh.pipeline import Pipeline
from sdfinertia.mesh.triangle_mesh import TriangleMesh

pytest.importorskip("vhacdx", exc_type=ImportError)

L = prism_round(L_OUTLINE, (0.5, 0.5), 1.0)
COARSE = 20_000  # voxels: a tenth of the seconds


def hulls_in(note):
    return int(note.split(" convex hull")[0])


@pytest.mark.parametrize(
    ("surface", "tolerance", "offset"),
    [(star(), 0.05, (0, 0, 0)), (L, 0.01, (1e4, 0, -300))],
    ids=["star", "L far from the origin"],
)
def test_a_solid_that_is_not_convex_is_nearly_the_sum_of_its_parts(surface, tolerance, offset):
    vertices, faces = surface
    true = moments(vertices, faces)
    result, _, note = decomposed(vertices + offset, faces, voxel_resolution=COARSE)
    assert result.volume == pytest.approx(true.volume, rel=tolerance)
    assert np.array(result.centroid) - offset == pytest.approx(np.array(true.centroid), abs=0.02)
    assert result.second[:3] == pytest.approx(true.second[:3], rel=2 * tolerance)
    assert 2 <= hulls_in(note) <= 16


def test_one_hull_is_the_convex_hull_more_than_asked_for_are_never_used_and_all_is_the_same_every_time():
    result, _, note = decomposed(*L, max_convex_hulls=1, voxel_resolution=COARSE)
    assert (hulls_in(note), result.volume) == (1, pytest.approx(3.5))
    assert hulls_in(decomposed(*star(), 4, 10_000).note) <= 4
    first, second = (decomposed(*L, voxel_resolution=10_000) for _ in range(2))
    assert first == second


ANGLE = np.linspace(0, 2 * np.pi, 64, endpoint=False)
CYLINDER = prism_round(np.column_stack((np.cos(ANGLE), np.sin(ANGLE))), (0, 0), 2.0)
TEETH = np.linspace(0, 2 * np.pi, 48, endpoint=False)
GEAR_RADIUS = np.where(np.arange(48) % 4 < 2, 1.0, 0.8)
GEAR = prism_round(np.column_stack((GEAR_RADIUS * np.cos(TEETH), GEAR_RADIUS * np.sin(TEETH))), (0, 0), 0.3)


@pytest.mark.parametrize(("mesh", "angle"), [(GEAR, 0.7), (star(), 0.0)], ids=["gear", "star"])
def test_the_uncertainty_is_the_error_of_the_volume(mesh, angle):
    vertices, faces = turned(mesh, angle)
    result, uncertainty, _ = decomposed(vertices, faces, voxel_resolution=COARSE)
    exact = moments(vertices, faces).volume
    assert uncertainty == pytest.approx(abs(result.volume - exact) / exact, rel=1e-9)
    assert uncertainty > 0
    assert result.volume <= moments(*convex_hull(vertices)).volume


def test_a_cylinder_is_within_the_tolerance_of_a_simulator():
    # gz-sim's own test of a decomposed cylinder mesh of which Ixx is 4800 allows products of 3.5.
    solid = Pipeline(TriangleMesh(*CYLINDER)).by(Method.CONVEX_DECOMPOSITION, MeshTreatment())
    density = 4800 / solid.spatial_inertia(1.0).I_BBcm_B.ixx
    exact = moments(*CYLINDER).spatial_inertia(density)
    inertia = solid.spatial_inertia(density)
    assert inertia.mass == pytest.approx(exact.mass, rel=1e-12)
    assert inertia.I_BBcm_B[:3] == pytest.approx(exact.I_BBcm_B[:3], rel=1e-12)
    for product in inertia.I_BBcm_B[3:]:
        assert abs(product) <= 3.5


# Half-spaces by their outward normals and offsets, and what is left of a cube of 1 m: its volume and the middle of it.
CUTS = {
    "nothing cut": ([(1, 0, 0, -2)], 1.0, (0.5, 0.5, 0.5)),
    "less than half": ([(1, 0, 0, -0.75)], 0.75, (0.375, 0.5, 0.5)),
    "more than half": ([(1, 0, 0, -0.25)], 0.25, (0.125, 0.5, 0.5)),
    "from two sides": ([(1, 0, 0, -0.75), (0, -1, 0, 0.25), (0, 0, 1, -9)], 0.5625, (0.375, 0.625, 0.5)),
    "all but an edge": ([(0, 2**-0.5, 2**-0.5, -0.1 * 2**-0.5)], 0.005, (0.5, 0.1 / 3, 0.1 / 3)),
    "all": ([(1, 0, 0, 1)], None, None),
}


@pytest.mark.parametrize(("planes", "volume", "centroid"), CUTS.values(), ids=CUTS)
def test_a_part_loses_what_stands_out_of_planes(planes, volume, centroid):
    found = _clipped_moments(CORNERS, np.array(planes, float))
    assert (found is None) == (volume is None)
    if found is not None:
        assert found.volume == pytest.approx(volume, rel=1e-9)
        assert found.centroid == pytest.approx(centroid, rel=1e-9)


@pytest.mark.slow
def test_parts_reach_out_of_the_hull_nowhere():
    # A cube of 1 m with a notch of 2 cm, turned: voxels of its parts stand out of all its walls.
    notched = prism_round(
        np.array([(0, 0), (1, 0), (1, 0.98), (0.98, 0.98), (0.98, 1), (0, 1)], float), (0.5, 0.5), 1.0
    )
    vertices, faces = turned(notched, 0.7)
    settings = MeshTreatment(voxel_resolution=COARSE)
    solid = Pipeline(TriangleMesh(vertices, faces)).by(Method.CONVEX_DECOMPOSITION, settings)
    assert solid.moments.volume <= moments(*convex_hull(vertices)).volume * (1 + 1e-9)
    assert solid.uncertainty < 0.01


@pytest.mark.parametrize(
    ("vertices", "faces", "message"),
    [
        (CORNERS, SIDES[:0], "fewer than four faces"),
        (CORNERS, SIDES[:3], "fewer than four faces"),
        (CORNERS * (1, 1, 0), SIDES, "in one plane"),
        (CORNERS * 0, SIDES, "in one plane"),
        (np.where(CORNERS == 1, np.nan, CORNERS), SIDES, "not finite"),
        (np.where(CORNERS == 1, np.inf, CORNERS), SIDES, "not finite"),
    ],
)
def test_what_encloses_nothing_is_refused(vertices, faces, message):
    with pytest.raises(MeshError, match=message):
        decomposed(vertices, faces)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        *(("max_convex_hulls", value) for value in (0, -1, 2**32)),
        *(("voxel_resolution", value) for value in (0, 2**31)),
    ],
)
def test_settings_that_the_library_would_not_survive_are_refused(setting, value):
    with pytest.raises(MeshError, match=r"must be from 1 to"):
        decomposed(CORNERS, SIDES, **{setting: value})


def test_a_decomposition_into_nothing_is_refused(monkeypatch):
    import vhacdx

    monkeypatch.setattr(vhacdx, "compute_vhacd", lambda *_, **__: [(CORNERS * (1, 1, 0), SIDES)])
    with pytest.raises(MeshError, match="the convex decomposition is empty"):
        decomposed(*star())
