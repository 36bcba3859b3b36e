"""Models as scenes: where their links are, what is drawn of them, and what is said where nothing can be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfinertia.documents.filling import fill_document
from sdfinertia.documents.model_scenes import MESH_LIMIT, scenes_of
from sdfinertia.documents.opened import open_document
from sdfinertia.documents.scene import Scene, SceneLink, Standing
from sdfinertia.options import Options

FIXTURES = Path(__file__).parents[2] / "fixtures"
ROVER = FIXTURES / "rover" / "model.sdf"

BOX = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"


def scenes(source: Path | bytes) -> list[Scene]:
    options = Options()
    return scenes_of(open_document(source, options))


def links_of(text: str) -> dict[str, SceneLink]:
    (scene,) = scenes(f"<sdf version='1.11'><model name='m'>{text}</model></sdf>".encode())
    return {link.name: link for link in scene.links}


def test_every_link_of_nested_models_is_there() -> None:
    (scene,) = scenes(ROVER)
    assert scene.model == "rover"
    assert [link.name.split("::")[-1] for link in scene.links][-3:] == ["rear_right_wheel", "pan_link", "tilt_link"]
    assert len(scene.links) == 9


@pytest.mark.parametrize(
    ("link", "position"),
    [
        ("rover::chassis", (0.0, 0.0, 0.0)),
        ("rover::front_left_wheel", (0.19, 0.24, -0.085)),
        ("rover::rear_right_wheel", (-0.19, -0.24, -0.085)),
        # The mast's flange, 0.02 below its frame, sits on the mount at (0.08, 0, 0.13).
        ("rover::pan_tilt_mast::pan_link", (0.08, 0.0, 0.15)),
        ("rover::pan_tilt_mast::tilt_link", (0.08, 0.0, 0.42)),
    ],
)
def test_links_are_placed_in_the_root_model(link: str, position: tuple[float, float, float]) -> None:
    (scene,) = scenes(ROVER)
    (found,) = (each for each in scene.links if each.name == link)
    assert found.X_ML.translation == pytest.approx(position, abs=1e-12)


def test_an_explicit_inertia_is_shown_as_written_and_one_asked_for_is_computed() -> None:
    inertial = "<inertial><pose>0 0 1 0 0 0</pose><mass>5</mass></inertial>"
    links = links_of(
        f"<link name='w'>{inertial}</link><link name='a'><inertial auto='true'/>{BOX}</link><link name='n'>{BOX}</link>"
    )
    written, computed, nothing = links["m::w"], links["m::a"], links["m::n"]
    assert (written.status, computed.status, nothing.status) == (Standing.WRITTEN, Standing.COMPUTED, Standing.NOTHING)
    assert written.inertia is not None
    assert (written.inertia.mass, written.inertia.p_BoBcm_B) == (5.0, (0.0, 0.0, 1.0))
    assert computed.inertia is not None
    assert computed.inertia.mass == pytest.approx(6000.0)
    assert nothing.inertia is None


def test_results_of_a_run_go_before_what_is_written() -> None:
    options = Options()
    document = open_document(ROVER, options)
    result = fill_document(document, options)
    (scene,) = scenes_of(document, result.links)
    by_name = {link.name: link for link in scene.links}
    for link in result.links:
        assert by_name[link.name].inertia is link.inertia
        assert by_name[link.name].status == link.status == "filled"
    assert by_name["rover::imu_link"].status is Standing.WRITTEN


def test_primitives_stay_in_closed_form_and_meshes_become_few_triangles() -> None:
    (scene,) = scenes(ROVER)
    chassis = scene.links[0]
    kinds = {shape.name: shape for shape in chassis.shapes}
    assert kinds["battery_collision"].dimensions == (0.16, 0.20, 0.06)
    assert kinds["battery_collision"].triangles is None
    hull = kinds["hull_collision"].triangles
    assert hull is not None
    assert 0 < len(hull.faces) <= MESH_LIMIT


def test_a_mirrored_scale_mirrors_the_triangles() -> None:
    (scene,) = scenes(ROVER)
    shapes = {shape.name: shape for shape in scene.links[0].shapes}
    left, right = (shapes[f"front_{side}_fender_collision"].triangles for side in ("left", "right"))
    assert left is not None
    assert right is not None
    mirrored = right.vertices * np.array([1.0, -1.0, 1.0])
    assert np.array_equal(np.unique(left.vertices, axis=0), np.unique(mirrored, axis=0))


def test_a_mesh_that_is_not_found_is_left_out_with_a_note() -> None:
    mesh = "<collision name='x'><geometry><mesh><uri>no.stl</uri></mesh></geometry></collision>"
    link = links_of(f"<link name='l'>{BOX}{mesh}</link>")["m::l"]
    assert [shape.name for shape in link.shapes] == ["c"]
    assert any("'x'" in note and "no.stl" in note for note in link.notes)


def test_a_link_in_an_unknown_frame_is_at_the_origin_with_a_note() -> None:
    link = links_of(f"<link name='l'><pose relative_to='nowhere'>1 0 0 0 0 0</pose>{BOX}</link>")["m::l"]
    assert link.X_ML.is_identity
    assert any("origin" in note and "nowhere" in note for note in link.notes)


def test_an_inertia_that_cannot_be_read_is_a_note() -> None:
    link = links_of("<link name='l'><inertial><mass>heavy</mass></inertial></link>")["m::l"]
    assert link.status is Standing.UNKNOWN
    assert link.inertia is None
    assert any("heavy" in note for note in link.notes)


def test_links_of_included_models_stand_where_the_including_model_has_them() -> None:
    (scene,) = scenes(FIXTURES / "arm" / "model.sdf")
    links = {link.name: link for link in scene.links}
    included = {"bench_arm::camera_bracket::bracket", "bench_arm::palm"}
    assert included <= links.keys()
    for name in included:
        assert links[name].shapes
    gripper = links["bench_arm::palm"].X_ML.translation
    forearm = links["bench_arm::forearm"].X_ML.translation
    assert np.linalg.norm(np.subtract(gripper, forearm)) == pytest.approx(0.33, abs=0.1)
    assert scene.notes == ()


def test_what_a_world_includes_is_a_scene_of_its_own_once(tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text(
        f"<sdf version='1.11'><model name='part'><link name='l'>{BOX}</link></model></sdf>"
    )
    (tmp_path / "w.sdf").write_text(
        "<sdf version='1.11'><world name='w'><include><uri>part.sdf</uri></include>"
        "<include><uri>part.sdf</uri><name>again</name></include><include><uri>gone.sdf</uri></include>"
        f"<model name='own'><link name='l'>{BOX}</link></model></world></sdf>"
    )
    found = scenes(tmp_path / "w.sdf")
    assert [(scene.model, len(scene.links), len(scene.notes)) for scene in found] == [
        ("own", 1, 0),
        ("part", 1, 0),
        ("gone.sdf", 0, 1),
    ]


def test_included_models_that_are_missing_or_include_each_other_are_notes(tmp_path: Path) -> None:
    itself = "<include><uri>m.sdf</uri><name>n</name></include>"
    text = f"<link name='l'>{BOX}</link>{itself}<include><uri>no.sdf</uri></include>"
    (tmp_path / "m.sdf").write_text(f"<sdf version='1.11'><model name='m'>{text}</model></sdf>")
    (scene,) = scenes(tmp_path / "m.sdf")
    assert [link.name for link in scene.links] == ["m::l", "m::n::l"]
    assert len(scene.notes) == 2
    assert any("include each other" in note for note in scene.notes)


def test_a_reason_is_given_once() -> None:
    mesh = "<collision name='x'><geometry><mesh><uri>no.stl</uri></mesh></geometry></collision>"
    link = links_of(f"<link name='l'><inertial auto='true'/>{mesh}</link>")["m::l"]
    assert link.status is Standing.UNKNOWN
    assert len([note for note in link.notes if "tried" in note]) == 1
    assert link.notes[-1] == "collision 'x' is not drawn"


def test_a_polyline_that_cannot_be_drawn_is_a_note() -> None:
    polyline = "<collision name='x'><geometry><polyline><height>1</height></polyline></geometry></collision>"
    link = links_of(f"<link name='l'>{BOX}{polyline}</link>")["m::l"]
    assert [shape.name for shape in link.shapes] == ["c"]
    assert link.notes == ("collision 'x' is not drawn: polyline has no points",)


def test_a_primitive_that_the_page_cannot_draw_is_there_as_triangles(monkeypatch: pytest.MonkeyPatch) -> None:
    (shape,) = links_of(f"<link name='l'>{BOX}</link>")["m::l"].shapes
    assert (shape.kind, shape.dimensions, shape.triangles) == ("box", (1.0, 2.0, 3.0), None)
    monkeypatch.setattr("sdfinertia.documents.model_scenes.DRAWN_BY_THE_PAGE", frozenset())
    (shape,) = links_of(f"<link name='l'>{BOX}</link>")["m::l"].shapes
    assert (shape.kind, shape.dimensions) == ("mesh", ())
    assert shape.triangles is not None
    assert shape.triangles.vertices.max(axis=0) == pytest.approx((0.5, 1.0, 1.5))
