"""Models as scenes: where their links are, what is drawn of them, and what is said where nothing can be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from builders.documents import collision

from sdfinertia.documents import open_document
from sdfinertia.documents.filling import fill_document
from sdfinertia.documents.scene import MESH_LIMIT, DrawnLink, Scene, scenes_of, total_of
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.links.inputs import Status
from sdfinertia.options import Options

FIXTURES = Path(__file__).parents[2] / "fixtures"
ROVER = FIXTURES / "rover" / "model.sdf"

BOX = collision()


def scenes(source: Path | bytes) -> list[Scene]:
    options = Options()
    return scenes_of(open_document(source, options))


def links_of(text: str) -> dict[str, DrawnLink]:
    (scene,) = scenes(f"<sdf version='1.11'><model name='m'>{text}</model></sdf>".encode())
    return {link.name: link for link in scene.links}


def test_every_link_of_nested_models_is_placed_in_the_root_model() -> None:
    (scene,) = scenes(ROVER)
    assert (scene.model, len(scene.links)) == ("rover", 9)
    assert [link.name.split("::")[-1] for link in scene.links][-3:] == ["rear_right_wheel", "pan_link", "tilt_link"]
    places = {link.name: link.X_ML.translation for link in scene.links}
    assert places["rover::chassis"] == pytest.approx((0.0, 0.0, 0.0))
    assert places["rover::front_left_wheel"] == pytest.approx((0.19, 0.24, -0.085))
    assert places["rover::rear_right_wheel"] == pytest.approx((-0.19, -0.24, -0.085))
    # The mast's flange, 0.02 below its frame, sits on the mount at (0.08, 0, 0.13).
    assert places["rover::pan_tilt_mast::pan_link"] == pytest.approx((0.08, 0.0, 0.15))
    assert places["rover::pan_tilt_mast::tilt_link"] == pytest.approx((0.08, 0.0, 0.42))


def test_an_explicit_inertia_is_shown_as_written_and_one_asked_for_is_computed() -> None:
    inertial = "<inertial><pose>0 0 1 0 0 0</pose><mass>5</mass></inertial>"
    links = links_of(
        f"<link name='w'>{inertial}</link><link name='a'><inertial auto='true'/>{BOX}</link><link name='n'>{BOX}</link>"
    )
    written, computed, nothing = links["m::w"], links["m::a"], links["m::n"]
    assert (written.result.status, computed.result.status, nothing.result.status) == (
        Status.WRITTEN,
        Status.WOULD_BE_FILLED,
        Status.NOTHING,
    )
    assert (written.inertia.mass, written.inertia.p_BoBcm_B) == (5.0, (0.0, 0.0, 1.0))
    assert computed.inertia.mass == pytest.approx(6000.0)
    assert nothing.inertia is None


def test_results_of_a_run_go_before_what_is_written() -> None:
    options = Options()
    document = open_document(ROVER, options)
    result = fill_document(document, options)
    (scene,) = scenes_of(document, result.links, is_written=True)
    by_name = {link.name: link for link in scene.links}
    for link in result.links:
        assert by_name[link.name].inertia is by_name[link.name].result.inertia is link.inertia
        assert by_name[link.name].result.status == Status.FILLED
    assert by_name["rover::imu_link"].result.status == Status.WRITTEN


def test_primitives_stay_in_closed_form_and_meshes_become_few_triangles_that_a_scale_may_mirror() -> None:
    (scene,) = scenes(ROVER)
    shapes = {shape.name: shape for shape in scene.links[0].shapes}
    assert shapes["battery_collision"].dimensions == (0.16, 0.20, 0.06)
    assert shapes["battery_collision"].triangles is None
    hull = shapes["hull_collision"].triangles
    assert 0 < len(hull.faces) <= MESH_LIMIT
    assert not hull.is_coarser
    left, right = (shapes[f"front_{side}_fender_collision"].triangles for side in ("left", "right"))
    mirrored = right.vertices * np.array([1.0, -1.0, 1.0])
    assert np.array_equal(np.unique(left.vertices, axis=0), np.unique(mirrored, axis=0))


def test_a_mesh_that_is_not_found_is_left_out_with_a_note() -> None:
    mesh = "<collision name='x'><geometry><mesh><uri>no.stl</uri></mesh></geometry></collision>"
    link = links_of(f"<link name='l'>{BOX}{mesh}</link>")["m::l"]
    assert [shape.name for shape in link.shapes] == ["c"]
    assert any("'x'" in note and "no.stl" in note for note in link.result.notes)


def test_a_link_in_an_unknown_frame_is_at_the_origin_with_a_note() -> None:
    link = links_of(f"<link name='l'><pose relative_to='nowhere'>1 0 0 0 0 0</pose>{BOX}</link>")["m::l"]
    assert link.X_ML.is_identity
    assert any("origin" in note and "nowhere" in note for note in link.result.notes)


def test_an_inertia_that_cannot_be_read_is_a_note() -> None:
    link = links_of("<link name='l'><inertial><mass>heavy</mass></inertial></link>")["m::l"]
    assert link.result.status == Status.UNREADABLE
    assert link.inertia is None
    assert any("heavy" in note for note in link.result.notes)


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


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A world with a model of its own, one that is included twice and one that is not there."""
    (tmp_path / "part.sdf").write_text(
        f"<sdf version='1.11'><model name='part'><link name='l'><pose>0 0 1 0 0 0</pose>{BOX}</link></model></sdf>"
    )
    path = tmp_path / "w.sdf"
    path.write_text(
        "<sdf version='1.11'><world name='w'><include><uri>part.sdf</uri><pose>5 0 0 0 0 0</pose></include>"
        "<include><uri>part.sdf</uri><name>again</name><pose relative_to='own'>0 7 0 0 0 0</pose></include>"
        "<include><uri>gone.sdf</uri><name>lost</name></include>"
        f"<model name='own'><pose relative_to='world'>1 0 0 0 0 0</pose><link name='l'>{BOX}</link></model>"
        "</world></sdf>"
    )
    return path


def test_a_world_is_one_scene_with_every_instance_at_its_pose_and_what_is_missing(world: Path) -> None:
    (scene,) = scenes(world)
    assert (scene.model, scene.is_world) == ("w", True)
    assert {link.name: link.X_ML.translation for link in scene.links} == {
        "part::l": (5.0, 0.0, 1.0),
        "again::l": (1.0, 7.0, 1.0),
        "own::l": (1.0, 0.0, 0.0),
    }
    assert [(link.result.name, link.is_own) for link in scene.links] == [
        ("part::l", False),
        ("part::l", False),
        ("own::l", True),
    ]
    ((name, reason),) = scene.missing
    assert name == "lost"
    assert "gone.sdf" in reason
    assert len(scene.notes) == 1


def test_two_models_of_one_name_in_a_world_are_both_there(tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text(
        f"<sdf version='1.11'><model name='part'><link name='l'><pose>0 0 1 0 0 0</pose>{BOX}</link></model></sdf>"
    )
    path = tmp_path / "w.sdf"
    include = "<include><uri>part.sdf</uri><pose>{} 0 0 0 0 0</pose></include>"
    path.write_text(f"<sdf version='1.11'><world name='w'>{include.format(5)}{include.format(8)}</world></sdf>")
    (scene,) = scenes(path)
    assert {link.name: link.X_ML.translation for link in scene.links} == {
        "part::l": (5.0, 0.0, 1.0),
        "part (2)::l": (8.0, 0.0, 1.0),
    }


def test_a_plane_is_a_rectangle_across_its_normal() -> None:
    plane = "<plane><normal>1 0 0</normal><size>4 6</size></plane>"
    (shape,) = links_of(f"<link name='l'><collision name='c'><geometry>{plane}</geometry></collision></link>")[
        "m::l"
    ].shapes
    assert (shape.kind, shape.dimensions) == ("plane", (4.0, 6.0))
    assert shape.X_LG.apply((0.0, 0.0, 1.0)) == pytest.approx((1.0, 0.0, 0.0))


def test_joints_have_their_places_ends_and_axes() -> None:
    joint = (
        "<joint name='j' type='revolute'><parent>a</parent><child>b</child>"
        "<axis><xyz expressed_in='__model__'>0 0 2</xyz></axis></joint>"
    )
    text = f"<link name='a'/><link name='b'><pose>1 2 3 1.5707963267948966 0 0</pose></link>{joint}"
    (scene,) = scenes(f"<sdf version='1.11'><model name='m'>{text}</model></sdf>".encode())
    (found,) = scene.joints
    assert (found.name, found.kind, found.parent, found.child) == ("m::j", "revolute", "a", "b")
    assert found.pose.translation == (1.0, 2.0, 3.0)
    assert found.axis == pytest.approx((0.0, 1.0, 0.0))


def test_visuals_have_the_colour_of_their_material() -> None:
    material = "<material><diffuse>1 0.5 0 0.25</diffuse></material>"
    geometry = "<geometry><box><size>1 2 3</size></box></geometry>"
    visuals = f"<visual name='v'>{geometry}{material}</visual><visual name='w'>{geometry}</visual>"
    coloured, plain = links_of(f"<link name='l'>{visuals}</link>")["m::l"].visuals
    assert coloured.colour == (1.0, 0.5, 0.0, 0.25)
    assert plain.colour is None


def test_the_state_of_a_block_that_was_filled_is_told() -> None:
    link = f"<link name='{{}}'><inertial auto='true'/>{BOX}</link>"
    text = f"<sdf version='1.11'><model name='m'>{''.join(map(link.format, 'abc'))}</model></sdf>"
    filled = fill_document(open_document(text.encode(), Options()), Options()).content.decode()
    parts = filled.split("</link>")
    parts[1] = parts[1].replace("<size>1 2 3<", "<size>1 2 4<")
    parts[2] = parts[2].replace("<ixx>6500<", "<ixx>6400<")
    (scene,) = scenes("</link>".join(parts).encode())
    assert [link.result.status for link in scene.links] == [Status.CLEAN, Status.STALE, Status.EDITED]
    stale = scene.links[1]
    assert (stale.inertia, stale.drawn, stale.ghost) == (stale.result.before, stale.result.inertia, stale.result.before)
    assert (stale.result.before.mass, stale.result.inertia.mass) == (6000.0, 8000.0)


def test_a_block_is_stale_or_not_whatever_all_would_compute() -> None:
    text = f"<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'/>{BOX}</link></model></sdf>"
    filled = fill_document(open_document(text.encode(), Options()), Options()).content
    document = open_document(filled, Options(all=True, density=500.0))
    (scene,) = scenes_of(document, with_computed=True)
    (link,) = scene.links
    assert link.result.status == Status.CLEAN
    assert link.result.inertia.mass == pytest.approx(3000.0)


def test_what_is_written_and_what_is_computed_stand_side_by_side_where_asked_for() -> None:
    inertial = "<inertial><mass>5</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
    text = f"<sdf version='1.11'><model name='m'><link name='l'>{inertial}{BOX}</link><link name='n'>{BOX}</link>"
    document = open_document(f"{text}</model></sdf>".encode(), Options())
    plain, without = scenes_of(document)[0].links
    assert plain.result.inertia is without.result.inertia is None
    both, missing = scenes_of(document, with_computed=True)[0].links
    assert (both.result.status, missing.result.status) == (Status.WRITTEN, Status.NOTHING)
    assert both.inertia is both.ghost is both.result.before
    assert both.result.inertia.mass == pytest.approx(5.0)
    assert missing.result.inertia is not None
    assert missing.inertia is None


def test_links_that_a_run_refused_or_withheld_say_so() -> None:
    text = f"<link name='l'><inertial auto='true'/>{BOX}</link><link name='bad'><inertial auto='true'/></link>"
    document = open_document(f"<sdf version='1.11'><model name='m'>{text}</model></sdf>".encode(), Options())
    result = fill_document(document, Options())
    links = scenes_of(document, result.links, is_written=True)[0].links
    assert [link.result.status for link in links] == [Status.WITHHELD, Status.FAILED]


def test_the_total_of_links_is_in_the_frame_of_the_scene(world: Path) -> None:
    text = world.read_text().replace(BOX, f"<inertial><mass>3</mass></inertial>{BOX}")
    world.write_text(text)
    part = world.parent / "part.sdf"
    part.write_text(part.read_text().replace(BOX, f"<inertial><mass>1</mass></inertial>{BOX}"))
    total = total_of(list(scenes(world)[0].links))
    assert total.mass == 5.0
    assert total.p_BoBcm_B == pytest.approx(((5 + 1 + 3) / 5, 7 / 5, 2 / 5))


def test_included_models_that_are_missing_or_include_each_other_are_notes(tmp_path: Path) -> None:
    itself = "<include><uri>m.sdf</uri><name>n</name></include>"
    text = f"<link name='l'>{BOX}</link>{itself}<include><uri>no.sdf</uri></include>"
    (tmp_path / "m.sdf").write_text(f"<sdf version='1.11'><model name='m'>{text}</model></sdf>")
    (scene,) = scenes(tmp_path / "m.sdf")
    assert [link.name for link in scene.links] == ["m::l", "m::n::l"]
    assert len(scene.notes) == 2
    assert any("include each other" in note for note in scene.notes)


def test_a_polyline_that_cannot_be_drawn_is_a_note() -> None:
    polyline = "<collision name='x'><geometry><polyline><height>1</height></polyline></geometry></collision>"
    link = links_of(f"<link name='l'>{BOX}{polyline}</link>")["m::l"]
    assert [shape.name for shape in link.shapes] == ["c"]
    assert link.result.notes == ("collision 'x' is not drawn: polyline has no points",)


def test_the_pose_of_a_link_of_a_world_is_known_in_its_model_too() -> None:
    model = f"<model name='m'><pose>4 0 0 0 0 1</pose><link name='l'><pose>1 2 3 0 0 0</pose>{BOX}</link></model>"
    document = open_document(f"<sdf version='1.11'><world name='w'>{model}</world></sdf>".encode(), Options())
    (assembly,) = document.robot.assemblies(document.context)
    (placed,) = assembly.links
    assert isinstance(placed.pose_in_model, RigidTransform)
    assert placed.pose_in_model.translation == pytest.approx((1.0, 2.0, 3.0))
