"""Meshes of trimesh and pairs of arrays are judged as files are, wherever a mesh is taken."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sdfinertia
from sdfinertia import Options, SpatialInertia
from sdfinertia.errors import MeshError, OpenMeshError

if TYPE_CHECKING:
    from sdfinertia.calculators import CalculatorMesh

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed")

BRICK = sdfinertia.box((1, 2, 3), 1000.0)


def brick(**how: Any) -> Any:
    return trimesh.creation.box((1, 2, 3), **how)


def open_brick() -> Any:
    mesh = brick()
    mesh.update_faces(mesh.face_normals[:, 2] < 0.5)
    return mesh


def corners(mesh: Any) -> Any:
    return np.asarray(mesh.triangles).reshape(-1, 3)


FORMS = {
    "Trimesh": lambda mesh: mesh,
    "Scene": trimesh.Scene,
    "pair": lambda mesh: (mesh.vertices, mesh.faces),
    "pair of lists": lambda mesh: [mesh.vertices.tolist(), mesh.faces.tolist()],
    "corners": corners,
    "OBJ": lambda mesh: mesh.export(file_type="obj").encode(),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_of_a_mesh_is_the_same_body(form: Any) -> None:
    source = form(brick())
    assert sdfinertia.mesh(source, filename="a.obj").is_close(BRICK, rtol=1e-12)
    assert sdfinertia.mesh_moments(source, filename="a.obj").volume == pytest.approx(6.0, rel=1e-12)
    assert sdfinertia.mesh_is_closed(source, filename="a.obj")


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_an_open_mesh_is_refused_in_every_form_unless_a_policy_takes_it(form: Any) -> None:
    source = form(open_brick())
    assert not sdfinertia.mesh_is_closed(source, filename="a.obj")
    with pytest.raises(OpenMeshError, match="choose open_mesh="):
        sdfinertia.mesh(source, filename="a.obj")
    with pytest.raises(OpenMeshError):
        sdfinertia.mesh_moments(source, filename="a.obj")
    filled = sdfinertia.mesh(source, open_mesh="fill_holes", filename="a.obj")
    assert filled.is_close(BRICK, rtol=1e-12)
    assert filled.method == "fill_holes"


@pytest.mark.parametrize("form", [FORMS["pair"], FORMS["corners"]], ids=["pair", "corners"])
def test_arrays_that_enclose_no_clear_volume_are_read_and_repaired_as_meshes_are(form: Any) -> None:
    inverted = brick()
    inverted.invert()
    assert sdfinertia.mesh_moments(form(inverted)).volume == pytest.approx(6.0, rel=1e-12)
    for angle in np.linspace(0.1, 3.0, 30):
        sheet = brick()
        sheet.apply_scale((1.0, 1.0, 0.0))
        sheet.apply_transform(trimesh.transformations.rotation_matrix(angle, (1, 2, 3)))
        with pytest.raises(MeshError, match="encloses no volume"):
            sdfinertia.mesh_moments(form(sheet))
    spoilt = brick()
    spoilt.vertices[3, 1] = np.nan
    for measure in (sdfinertia.mesh_moments, sdfinertia.mesh_is_closed):
        with pytest.raises(MeshError, match="not finite"):
            measure((np.asarray(spoilt.vertices), np.asarray(spoilt.faces)))
        with pytest.raises(MeshError, match="refers to vertex -1"):
            measure((np.asarray(brick().vertices), [[0, 1, -1]]))


@pytest.mark.parametrize("form", [FORMS["pair"], FORMS["corners"]], ids=["pair", "corners"])
def test_arrays_in_single_precision_are_computed_in_double(form: Any) -> None:
    def single(source: Any) -> Any:
        if isinstance(source, tuple):
            return (np.asarray(source[0], np.float32), np.asarray(source[1]))
        return np.asarray(source, np.float32)

    mesh = brick()
    mesh.apply_transform(trimesh.transformations.rotation_matrix(0.7, (1, 2, 3)))
    mesh.vertices = np.asarray(mesh.vertices, np.float32)
    source = form(mesh)
    assert sdfinertia.mesh_moments(single(source)) == sdfinertia.mesh_moments(source)
    assert sdfinertia.mesh(single(source)) == sdfinertia.mesh(source)
    assert sdfinertia.mesh_is_closed(single(source))
    masked = np.ma.masked_array(single(source)[0] if isinstance(source, tuple) else single(source), mask=True)
    with pytest.raises(MeshError, match="masked"):
        sdfinertia.mesh_moments((masked, source[1]) if isinstance(source, tuple) else masked)


def test_an_inverted_mesh_is_turned_with_a_note_and_left_to_the_caller_as_it_is() -> None:
    mesh = brick()
    mesh.invert()
    body = sdfinertia.mesh(mesh)
    assert body.is_close(BRICK, rtol=1e-12)
    assert body.notes == ("the surface was inside out and flipped",)
    before = mesh.vertices.copy(), mesh.faces.copy()
    body = sdfinertia.mesh(mesh, scale=2.0)
    mesh.apply_scale(3.0)
    assert body.to_trimesh().volume == pytest.approx(48.0)
    np.testing.assert_array_equal(mesh.vertices, before[0] * 3.0)
    np.testing.assert_array_equal(mesh.faces, before[1])


def test_a_scene_counts_each_geometry_where_and_as_often_as_it_is_placed() -> None:
    scene = trimesh.Scene()
    scene.add_geometry(brick(), node_name="left", geom_name="brick")
    mirrored = np.diag([-1.0, 2.0, 1.0, 1.0])
    mirrored[:3, 3] = (4.0, 0.0, 1.0)
    scene.add_geometry(brick(), node_name="right", geom_name="brick", transform=mirrored)
    right = sdfinertia.box((1, 4, 3), 1000.0).shifted((4, 0, 1))
    assert sdfinertia.mesh(scene).is_close(BRICK + right, rtol=1e-12)
    assert sdfinertia.mesh(scene, submesh="right").is_close(right, rtol=1e-12)
    found = sdfinertia.inertials(scene, Options(density=500))
    assert list(found) == ["left", "right"]
    assert found["right"].is_close(right.scaled_to_mass(right.mass / 2), rtol=1e-12)
    dots = trimesh.PointCloud([(9.0, 9.0, 9.0)])
    dots.units = None  # trimesh 4.0 gives points none
    scene.add_geometry(dots, geom_name="dots")
    with_dots = sdfinertia.mesh(scene)
    assert with_dots.is_close(BRICK + right, rtol=1e-12)
    assert "'dots' of the scene is a PointCloud, which has no faces, and is left out" in with_dots.notes


@pytest.mark.parametrize(("units", "factor"), [("mm", 1e-9), ("inches", 0.0254**3), ("meters", 1.0), (None, 1.0)])
def test_units_that_trimesh_knows_are_made_metres(units: str | None, factor: float) -> None:
    mesh = brick()
    if units is not None:
        mesh.units = units
    body = sdfinertia.mesh(mesh)
    assert body.mass == pytest.approx(6000.0 * factor, rel=1e-12)
    assert bool(body.notes) is (factor != 1.0)


# What came of a mesh --------------------------------------------------------------------------------------------------


def test_a_result_is_a_body_that_tells_how_it_was_found() -> None:
    body = sdfinertia.mesh("fixtures/rover/meshes/wheel.obj", density=700)
    assert isinstance(body, SpatialInertia)
    assert (body.name, body.density, body.method) == ("fixtures/rover/meshes/wheel.obj", 700.0, "exact")
    assert body.volume * 700.0 == body.mass
    assert body == SpatialInertia(body.mass, body.p_BoBcm_B, body.I_BBcm_B)
    assert type(body + body) is SpatialInertia
    assert "1.75593 kg at 700 kg/m³" in repr(body)


@pytest.fixture(autouse=True)
def root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])


@pytest.mark.parametrize(
    "how",
    [{}, {"scale": (1, -2, 3)}, {"open_mesh": "fill_holes"}, {"open_mesh": "convex_hull"}, {"method": "convex_hull"}],
)
def test_the_surface_that_was_integrated_has_the_volume_that_was_told(how: dict[str, Any]) -> None:
    body = sdfinertia.mesh(open_brick() if "open_mesh" in how else brick(), **how)
    surface = body.to_trimesh()
    assert surface.is_watertight
    assert surface.volume == pytest.approx(body.volume, rel=1e-12)
    assert surface.center_mass == pytest.approx(body.com, abs=1e-12)
    assert sdfinertia.mesh(surface).is_close(body, rtol=1e-12)


def test_a_shell_has_no_surface_that_was_integrated() -> None:
    with pytest.raises(MeshError, match="the method shell gives no surface"):
        sdfinertia.mesh(brick(), method="shell", thickness=0.01).to_trimesh()


# Calculators ----------------------------------------------------------------------------------------------------------

MODEL = """<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'><auto_inertia_params>
<sdfinertia:calculator>bricks</sdfinertia:calculator></auto_inertia_params></inertial>
<collision name='c'><density>10</density><geometry><mesh><uri>box.obj</uri><scale>2 1 1</scale></mesh></geometry>
</collision></link></model></sdf>"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "box.obj").write_text(open_brick().export(file_type="obj"))
    path = tmp_path / "model.sdf"
    path.write_text(MODEL)
    return path


def filled_hull(density: float, mesh: CalculatorMesh, parameters: object) -> Any:
    return mesh.to_trimesh().convex_hull


GIVEN = {
    "a function that gives a Trimesh": filled_hull,
    "a Trimesh": brick(),
    "a Scene": trimesh.Scene(brick()),
    "a pair": (brick().vertices, brick().faces),
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_a_surface_stands_for_the_mesh_of_a_file_with_its_scale(model: Path, given: Any) -> None:
    (link,) = sdfinertia.fill(model, calculators={"bricks": given}).links
    assert link.inertia.is_close(sdfinertia.box((2, 2, 3), 10.0), rtol=1e-12)
    assert any("computed by the calculator 'bricks'" in note for note in link.collisions[0].notes)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (open_brick(), "is not closed"),
        (lambda *_: open_brick(), "is not closed"),
        (lambda *_: "box", "gives neither an inertia nor a mesh: str is not a mesh"),
        (3, "gives neither an inertia nor a mesh: int is not a mesh"),
    ],
)
def test_a_surface_that_is_no_solid_is_an_error_of_the_collision(model: Path, given: Any, problem: str) -> None:
    (error,) = sdfinertia.fill(model, calculators={"bricks": given}).errors
    assert problem in str(error)
    assert error.collision == "c"
