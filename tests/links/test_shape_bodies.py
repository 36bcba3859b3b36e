from math import isnan
from pathlib import Path

import numpy as np
import pytest
from builders.collada import INPUT, document, geometry, source
from builders.documents import collision, link, model, sdf
from builders.meshes import ball, box, obj, torus

from sdfinertia.documents import open_document
from sdfinertia.links.groups import geometry_body
from sdfinertia.links.solids import CLOSED, ShapeBody, parts_of_unit_density, shape_bodies
from sdfinertia.links.surfaces import part_surface
from sdfinertia.options import Options
from sdfinertia.robot import SolidKind

MESH = "<geometry><mesh><uri>part.obj</uri></mesh></geometry>"
VISUAL = f"<visual name='v'><pose>1 0 0 0 0 0</pose>{MESH}</visual>"


def bodies(directory: Path, inside: str, mesh: tuple[np.ndarray, np.ndarray] | None = None) -> dict:
    """The bodies of the link of a model, by kind and filling."""
    if mesh is not None:
        directory.joinpath("part.obj").write_text(obj(mesh))
    opened = open_document(sdf(model(link(inside))), Options(), filename=str(directory / "model.sdf"))
    found = shape_bodies(opened.links()[0], opened.context)
    return {(body.kind, body.filling): body for body in found}


def test_a_box_is_what_it_is(tmp_path: Path) -> None:
    found = bodies(tmp_path, collision())
    assert list(found) == [(SolidKind.COLLISION, "solid")]
    solid: ShapeBody = found[SolidKind.COLLISION, "solid"]
    assert solid.inertia.I_BBcm_B == pytest.approx((13 / 12, 10 / 12, 5 / 12, 0.0, 0.0, 0.0))
    assert solid.volume == pytest.approx(6.0)
    assert not solid.is_exact_mesh


@pytest.mark.parametrize(("faces", "fillings"), [(12, ["solid"]), (11, [])])
def test_an_open_mesh_makes_no_closed_solid(tmp_path: Path, faces: int, fillings: list[str]) -> None:
    vertices, triangles = box((1.0, 2.0, 3.0))
    tmp_path.joinpath("part.obj").write_text(obj((vertices, triangles[:faces])))
    opened = open_document(sdf(model(link(VISUAL))), Options(), filename=str(tmp_path / "model.sdf"))
    found = shape_bodies(opened.links()[0], opened.context, (CLOSED,))
    assert [body.filling for body in found] == fillings


def test_a_mesh_of_a_box_is_a_solid_its_own_hull_and_a_shell(tmp_path: Path) -> None:
    found = bodies(tmp_path, VISUAL, box((1.0, 2.0, 3.0)))
    solid, hull, shell = (found[SolidKind.VISUAL, filling] for filling in ("solid", "hull", "shell"))
    assert solid.inertia.I_BBcm_B == pytest.approx((13 / 12, 10 / 12, 5 / 12, 0.0, 0.0, 0.0))
    assert hull.inertia.I_BBcm_B == pytest.approx(solid.inertia.I_BBcm_B)
    # Two faces each of 6, 3 and 2 m²: of the squares of x these hold 1/4, 1/12 and 1/12.
    x2 = (2 * 6 / 4 + 2 * 3 / 12 + 2 * 2 / 12) / 22
    y2 = (2 * 6 * 4 / 12 + 2 * 3 * 1 + 2 * 2 * 4 / 12) / 22
    assert shell.inertia.I_BBcm_B.izz == pytest.approx(x2 + y2, rel=1e-6)
    assert isnan(shell.volume)
    # A mesh of twelve faces may stand for the part.
    assert not any(body.is_exact_mesh for body in found.values())


def test_a_closed_mesh_with_more_faces_than_a_box_is_exact_and_an_open_one_is_not(tmp_path: Path) -> None:
    found = bodies(tmp_path, VISUAL, ball())
    assert {key for key, body in found.items() if body.is_exact_mesh} == {(SolidKind.VISUAL, "solid")}
    solid: ShapeBody = found[SolidKind.VISUAL, "solid"]
    assert solid.inertia.mass == 1.0
    assert solid.inertia.p_BoBcm_B == pytest.approx((1.0, 0.0, 0.0))
    assert solid.faces == len(ball()[1])
    vertices, faces = torus(0.3)
    found = bodies(tmp_path, VISUAL, (vertices, faces[1:]))
    assert sorted(filling for _, filling in found) == ["hull", "shell", "solid"]
    assert not any(body.is_exact_mesh for body in found.values())


def test_what_cannot_be_found_or_is_malformed_hides_nothing_else(tmp_path: Path) -> None:
    assert {kind for kind, _ in bodies(tmp_path, collision() + VISUAL)} == {SolidKind.COLLISION}
    short = collision("<geometry><box><size>1 2</size></box></geometry>")
    assert list(bodies(tmp_path, short + collision().replace("collision", "visual"))) == [(SolidKind.VISUAL, "solid")]


def test_the_surface_of_a_link_is_that_of_its_shapes_at_their_places(tmp_path: Path) -> None:
    tmp_path.joinpath("part.obj").write_text(obj(box((1.0, 2.0, 3.0))))
    opened = open_document(sdf(model(link(VISUAL))), Options(), filename=str(tmp_path / "model.sdf"))
    parts = parts_of_unit_density(opened.links()[0], SolidKind.VISUAL, opened.context)
    points = np.concatenate([part_surface(part, "exact", opened.context)[0] for part in parts])
    assert points.min(axis=0) == pytest.approx([1.0, 0.0, 0.0])
    assert points.max(axis=0) == pytest.approx([2.0, 2.0, 3.0])


def write_collada(path: Path, up: str, mesh: tuple[np.ndarray, np.ndarray]) -> None:
    vertices, faces = mesh
    numbers, corners = (" ".join(map(repr, array.ravel().tolist())) for array in mesh)
    positions = source(numbers, f'<accessor source="#a" count="{len(vertices)}" stride="3"/>')
    triangles = f'<triangles count="{len(faces)}">{INPUT}<p>{corners}</p></triangles>'
    asset = f"<up_axis>{up}</up_axis>"
    path.write_bytes(document(geometries=geometry(triangles, positions=positions), asset=asset))


@pytest.mark.parametrize(("up", "is_exact"), [("Z_UP", True), ("Y_UP", False)])
def test_a_mesh_whose_axes_readers_take_otherwise_proves_nothing(tmp_path: Path, up: str, is_exact: bool) -> None:
    write_collada(tmp_path / "part.dae", up, ball())
    found = bodies(tmp_path, VISUAL.replace("part.obj", "part.dae"))
    assert found[SolidKind.VISUAL, "solid"].is_exact_mesh is is_exact


@pytest.mark.parametrize(
    ("up", "is_open", "filling"), [("Z_UP", 0, "solid"), ("Y_UP", 0, "solid"), ("Z_UP", 1, "hull")]
)
def test_a_link_is_compared_with_a_closed_mesh_in_whatever_axes_and_else_with_its_hull(tmp_path, up, is_open, filling):
    vertices, faces = torus(0.3)
    write_collada(tmp_path / "part.dae", up, (vertices, faces[is_open:]))
    inside = VISUAL.replace("part.obj", "part.dae")
    opened = open_document(sdf(model(link(inside))), Options(), filename=str(tmp_path / "model.sdf"))
    body = geometry_body(opened.study(opened.links()[0]), 1.0)
    assert body.filling == filling


def test_what_has_no_volume_adds_nothing(tmp_path: Path) -> None:
    plane = collision("<geometry><plane/></geometry>", name="d")
    alone, beside = (bodies(tmp_path, inside) for inside in (collision(), plane + collision()))
    assert alone.keys() == beside.keys()
    key = SolidKind.COLLISION, "solid"
    assert alone[key].inertia == beside[key].inertia
