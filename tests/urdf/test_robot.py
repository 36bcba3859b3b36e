"""What URDF means: versions, origins, densities, requests, and which links are filled."""

from pathlib import Path

import pytest
from builders.meshes import OBJ_BOX

from sdfinertia.documents import open_document
from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.options import Options
from sdfinertia.robot.robot import Assembly

BOX = '<collision><geometry><box size="1 2 3"/></geometry></collision>'
MISSING = Options(missing=True)


def robot(*links: str, version: str = "") -> str:
    return f'<robot name="r"{version}>{"".join(links)}</robot>'


def link(inside: str = BOX, name: str = "l") -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(parent: str, child: str, kind: str = "fixed", origin: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{parent}-{child}" type="{kind}">{origin}{ends}</joint>'


def filled(text: str, options: Options = MISSING) -> FillResult:
    result = fill(text.encode(), options, filename="r.urdf")
    assert result.errors == ()
    return result


def inertia_of(text: str, options: Options = MISSING) -> SpatialInertia:
    (only,) = filled(text, options).links
    assert only.inertia is not None
    return only.inertia


def notes_of(text: str) -> str:
    result = filled(text)
    return "\n".join((*result.notes, *(note for only in result.links for note in only.notes)))


SHAPES = {
    "box": ('<box size="1 2 3"/>', 6.0),
    "sphere": ('<sphere radius="0.5"/>', 0.5235987755982988),
    "cylinder": ('<cylinder radius="0.5" length="2"/>', 1.5707963267948966),
    # The length is the cylinder's: two half spheres come on top.
    "capsule": ('<capsule radius="0.5" length="2"/>', 2.0943951023931953),
}


@pytest.mark.parametrize(("shape", "volume"), SHAPES.values(), ids=SHAPES)
def test_a_shape_has_its_volume(shape: str, volume: float) -> None:
    text = robot(link(f"<collision><geometry>{shape}</geometry></collision>"))
    assert inertia_of(text).mass == pytest.approx(1000 * volume, rel=1e-14)


def test_every_collision_counts_and_names_may_be_shared_or_lacking() -> None:
    named = BOX.replace("<collision>", '<collision name="c">')
    result = filled(robot(link(BOX + named + named)))
    assert b'<mass value="18000"/>' in result.content
    assert [part.name for part in result.links[0].collisions] == ["#1", "c", "c"]


@pytest.mark.parametrize(
    ("origin", "version", "centre"),
    [
        ('<origin xyz="1 0 0"/>', "", (1, 0, 0)),
        ('<origin rpy="0 0 1.5707963267948966"/>', "", (0, 0, 0)),
        ('<origin xyz="1 2 3" quat_xyzw="0 0 1 0"/>', ' version="1.1"', (1, 2, 3)),
    ],
)
def test_an_origin_moves_the_solid(origin: str, version: str, centre: tuple[float, ...]) -> None:
    inertia = inertia_of(robot(link(BOX.replace("<geometry>", f"{origin}<geometry>")), version=version))
    assert inertia.p_BoBcm_B == pytest.approx(centre)


QUATERNION = BOX.replace("<geometry>", '<origin quat_xyzw="0 1.4 0 1.4"/><geometry>')


@pytest.mark.parametrize(
    ("version", "largest", "is_noted"),
    [("", 0, True), (' version="1.0"', 0, True), (' version="1.1"', 2, False), (' version="1.3"', 2, False)],
)
def test_a_quaternion_counts_from_version_1_1_normalised(version: str, largest: int, is_noted: bool) -> None:
    text = robot(link(QUATERNION), version=version)
    moments = inertia_of(text).I_BBcm_B[:3]
    assert moments.index(max(moments)) == largest
    assert ("quat_xyzw of <origin> is ignored" in notes_of(text)) == is_noted


@pytest.mark.parametrize(("version", "is_noted"), [("", True), (' version="1.1"', False)])
def test_a_capsule_is_noted_below_version_1_1(version: str, is_noted: bool) -> None:
    capsule = '<collision><geometry><capsule radius="1" length="1"/></geometry></collision>'
    assert ("urdfdom drops it" in notes_of(robot(link(capsule), version=version))) == is_noted


def test_a_version_that_is_newer_and_tabs_and_line_breaks_between_numbers_are_read_and_noted() -> None:
    assert "URDF 1.3 is newer than 1.2; read as 1.2" in notes_of(robot(link(), version=' version="1.3"'))
    text = robot(link(BOX.replace("1 2 3", "1\t2\n3")))
    assert inertia_of(text).mass == pytest.approx(6000)
    assert "size of <box>: tabs or line breaks stand between its numbers" in notes_of(text)


# Densities ------------------------------------------------------------------------------------------------------------

OWN = BOX.replace("<geometry>", "<!-- sdfinertia: density=100 --><geometry>")


@pytest.mark.parametrize(
    ("inside", "density", "mass"),
    [
        (BOX, None, 6000),
        (BOX, 10.0, 60),
        (OWN, 10.0, 600),
        (f"<!-- sdfinertia: auto density=20 -->{BOX}", 10.0, 120),
        (f"<!-- sdfinertia: auto density=20 -->{BOX}{OWN}", None, 720),
        (f"<!--sdfinertia:auto\n density=2e1-->{BOX}", None, 120),
        (BOX + OWN.replace("100", "0"), None, 6000),
    ],
)
def test_a_density_is_the_collision_s_else_the_request_s_else_the_option_s(inside, density, mass):
    assert inertia_of(robot(link(inside)), Options(missing=True, density=density)).mass == pytest.approx(mass)


def test_a_comment_in_a_collision_weighs_as_a_density_where_the_mass_is_given() -> None:
    heavy = OWN.replace("<geometry>", '<origin xyz="4 0 0"/><geometry>').replace("100", "3000")
    text = robot(link(f'<inertial><mass value="8"/></inertial>{BOX}{heavy}'))
    inertia = inertia_of(text, Options(all=True))
    assert inertia.mass == 8
    assert inertia.p_BoBcm_B[0] == pytest.approx(3)


# Which links ----------------------------------------------------------------------------------------------------------


def test_a_request_is_filled_without_options_and_stays() -> None:
    text = robot(link(f"<!-- sdfinertia: auto -->{BOX}", "a"), link(BOX, "b"))
    result = filled(text, Options())
    assert [each.name for each in result.links] == ["r::a"]
    assert b"<!-- sdfinertia: auto --><inertial>" in result.content
    assert not filled(result.content.decode(), Options()).links


WORLD = (
    link("", "world"),
    link(BOX, "base"),
    joint("world", "base"),
    link(BOX, "deck"),
    joint("base", "deck"),
    link(BOX, "arm"),
    joint("deck", "arm", "revolute"),
    link(BOX, "hand"),
    joint("arm", "hand"),
)


def test_what_is_fixed_to_the_world_is_not_missing_an_inertial_and_filled_when_it_asks_and_cycles_of_joints_end():
    assert [each.name for each in filled(robot(*WORLD)).links] == ["r::arm", "r::hand"]
    text = robot(*WORLD).replace('"base">', '"base"><!-- sdfinertia: auto -->', 1)
    assert [each.name for each in filled(text, Options()).links] == ["r::base"]
    text = robot(link(BOX, "world"), joint("world", "b"), link(BOX, "b"), joint("b", "world"), link(BOX, "c"))
    assert [each.name for each in filled(text).links] == ["r::c"]


def test_hand_written_links_without_volume_are_left_and_unknown_shapes_passed_over_when_asked_for() -> None:
    block = '<inertial><mass value="1"/></inertial>'
    cone = BOX.replace('<box size="1 2 3"/>', "<cone/>")
    result = filled(robot(link(block, "a"), link(block + cone, "b")), Options(all=True))
    assert [each.status for each in result.links] == ["left", "left"]
    assert not result.changed
    options = Options(missing=True, skip_unsupported=True)
    assert inertia_of(robot(link(BOX + cone)), options).mass == pytest.approx(6000)
    none = BOX.replace('<box size="1 2 3"/>', "")
    assert fill(robot(link(BOX + none)).encode(), options, filename="r.urdf").errors


def test_links_elsewhere_are_not_ours() -> None:
    others = f'<gazebo reference="l"><link name="g">{BOX}</link></gazebo><!-- {link()} --><ros2_control>{link()}'
    text = robot(others + "</ros2_control>", link(BOX, "l"))
    assert [each.name for each in filled(text).links] == ["r::l"]


# The format -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "note"),
    [
        ("r.sdf", robot(link()), "is read as URDF, by its root element"),
        ("r.world", robot(link()), "its name says SDF"),
        ("r.urdf", robot(link()), ""),
        ("r.xml", robot(link()), ""),
        ("r.urdf", "<sdf version='1.11'/>", "is read as SDF, by its root element"),
        ("r.sdf", "<sdf version='1.11'/>", ""),
    ],
)
def test_the_root_element_alone_tells_the_format(name: str, text: str, note: str) -> None:
    notes = open_document(text.encode(), Options(), filename=name).robot.notes
    assert notes == [] if not note else note in notes[0]


# Joints ---------------------------------------------------------------------------------------------------------------


def lumps(text: str) -> list[list[tuple[str, tuple[float, ...]]]]:
    document = open_document(text.encode(), Options(), filename="r.urdf")
    return [[(part.link.name, part.pose.translation) for part in group.members] for group in document.robot.lumps()]


def test_links_are_lumped_over_fixed_joints_in_the_frame_of_the_first_but_over_none_to_the_world_or_kept() -> None:
    text = robot(
        link("", "c"),
        joint("b", "c", origin='<origin xyz="0 0 1"/>'),
        link("", "a"),
        joint("a", "b", origin='<origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/>'),
        link("", "b"),
        joint("c", "d", "revolute"),
        link("", "d"),
    )
    (first, second) = lumps(text)
    assert [name for name, _ in first] == ["a", "b", "c"]
    assert first[2][1] == pytest.approx((2, 0, 0))
    assert [name for name, _ in second] == ["d"]
    kept = '<gazebo reference="a-b"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'
    text = robot(link("", "world"), joint("world", "a"), link("", "a"), joint("a", "b"), link("", "b"), kept)
    assert [len(parts) for parts in lumps(text)] == [1, 1, 1]


def test_links_are_placed_by_their_joints_for_a_look() -> None:
    text = robot(link("", "a"), link("", "b"), joint("a", "b", "revolute", '<origin xyz="1 2 3"/>'))
    document = open_document(text.encode(), Options(), filename="r.urdf")
    (assembly,) = document.robot.assemblies(document.context)
    assert isinstance(assembly, Assembly)
    poses = [placed.pose for placed in assembly.links]
    assert isinstance(poses[1], RigidTransform)
    assert poses[1].translation == (1, 2, 3)


def test_meshes_are_found_in_the_package_that_package_xml_names(tmp_path: Path) -> None:
    (tmp_path / "arm_v2" / "meshes").mkdir(parents=True)
    (tmp_path / "arm_v2" / "package.xml").write_text("<package><name>arm</name></package>")
    (tmp_path / "arm_v2" / "meshes" / "a b.obj").write_text(OBJ_BOX)
    path = tmp_path / "r.urdf"
    for scheme in ("package", "model"):
        mesh = f'<mesh filename="{scheme}://arm/meshes/a b.obj" scale="0.5 1 -1"/>'
        path.write_text(robot(link(f"<collision><geometry>{mesh}</geometry></collision>")))
        result = fill(path, Options(missing=True, resource_path=(str(tmp_path),)))
        assert result.errors == ()
        assert b'<mass value="3000"/>' in result.content
        assert b'xyz="0.25 1 -1.5"' in result.content


def mesh_collision(uri: str) -> str:
    return f'<collision><geometry><mesh filename="{uri}"/></geometry></collision>'


@pytest.mark.parametrize("uri", ["package://parts/a.obj", "package:///parts/a.obj", "model:///parts/a.obj"])
@pytest.mark.parametrize("place", ["beside it", "elsewhere in the repository", "in a resource path"])
def test_a_package_is_found_by_its_name_however_many_slashes_stand_before_it(tmp_path, uri, place):
    places = {"beside it": "robots", "elsewhere in the repository": "lib/meshes", "in a resource path": "outside"}
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / "robots").mkdir()
    above = tmp_path if place == "in a resource path" else repository
    mesh = above / places[place] / "parts" / "a.obj"
    mesh.parent.mkdir(parents=True)
    mesh.write_text(OBJ_BOX)
    text = robot(link(mesh_collision(uri)))
    options = Options(missing=True, resource_path=(str(tmp_path / "outside"),))
    result = fill(text.encode(), options, filename=str(repository / "robots" / "r.urdf"))
    assert not result.errors, result.errors[0]
    assert result.links[0].inertia.mass == pytest.approx(6000)


@pytest.mark.parametrize(
    ("inside", "problem", "remedy"),
    [
        ("<!-- sdfinertia: auto --><visual/>", "no collisions", ""),
        (
            mesh_collision("package:///parts/a.obj"),
            "package:///parts/a.obj",
            "give the directory that holds 'parts' with --resource-path or in ROS_PACKAGE_PATH",
        ),
    ],
)
def test_what_is_lacking_is_an_error(inside, problem, remedy):
    (error,) = fill(robot(link(inside)).encode(), MISSING, filename="/nowhere/r.urdf").errors
    assert problem in str(error)
    assert remedy in error.remedy
