"""The judge itself: known numbers, and a product with faults on purpose, which it must find."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh
from builders import rigid_bodies

from harm import bodies
from harm.__main__ import commands, main
from harm.judging import distances, judged
from harm.robots import Inertial, Tree, _Scope, read

ROBOT = """<robot name="cart">
  <link name="base"><inertial><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="cover"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="wheel"><inertial><mass value="3"/>
    <inertia ixx="0.5" iyy="0.5" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <joint name="screws" type="fixed"><parent link="base"/><child link="cover"/></joint>
  <joint name="axle" type="continuous"><parent link="base"/><child link="wheel"/><axis xyz="0 0 1"/></joint>
</robot>
"""
MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
# A product for each fault: its effect on the text of a file, or its output, by the first arguments.
SPOILT = """
import json, pathlib, sys
arguments, fault = sys.argv[2:], sys.argv[1]
path = next(pathlib.Path(word) for word in arguments if word.endswith(".urdf"))
text = path.read_text()
if fault == "missing" and "--missing" in arguments:
    path.write_text(text.replace('<link name="cover">', '<link name="cover">{mass}'))
if fault == "repair" and arguments[0] == "repair":
    path.write_text(text.replace('0.5', '0.05'))
if fault == "fix" and "--fix" in arguments:
    path.write_text(text.replace('"3"/>', '"3"/><origin xyz="0.3 0 0"/>'))
if fault == "remedy" and "--all" in arguments and "cart::wheel" in arguments:
    path.write_text(text.replace('0.5', '5'))
if fault == "good remedy" and "--all" in arguments:
    path.write_text(text.replace('0.1"', '0.33"'))
if arguments[0] == "check" and "json" not in arguments and "remedy" in fault:
    print("    fix: sdfinertia fill --all --link cart::wheel " + str(path))
if arguments[0] == "show" and "--lumped" in arguments:
    lump = dict(name="cart::base + cover", origin="lumped", inertia=dict(mass=1002.0 if fault == "lumps" else 2.0))
    print(json.dumps([dict(path=str(path), bodies=[lump])]))
"""


def _tried(tmp_path: Path, fault: str) -> int:
    product, tree = tmp_path / "product.py", tmp_path / "tree"
    product.write_text(SPOILT.replace("{mass}", MASS))
    tree.mkdir()
    (tree / "cart.urdf").write_text(ROBOT)
    status = main(["--command", f"{sys.executable} {product} '{fault}'", str(tree)])
    assert (tree / "cart.urdf").read_text() == ROBOT
    return status


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "counted"),
    [
        ("missing", "missing 1, lumps 0, repairs and fixes 0, remedies 0"),
        ("lumps", "missing 0, lumps 1, repairs and fixes 0, remedies 0"),
        ("repair", "missing 0, lumps 0, repairs and fixes 4, remedies 0"),
        ("fix", "missing 0, lumps 0, repairs and fixes 1, remedies 0"),
        ("remedy", "missing 0, lumps 0, repairs and fixes 0, remedies 1 (100.0 %)"),
    ],
)
def test_a_product_that_does_harm_is_found_out(tmp_path, capsys, fault, counted):
    assert _tried(tmp_path, fault) == 1
    printed = capsys.readouterr().out
    assert f"worse: {counted}" in printed
    assert "  worse, " in printed


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "mended"), [("none", 0), ("good remedy", 1)])
def test_a_product_that_does_no_harm_passes(tmp_path, capsys, fault, mended):
    assert _tried(tmp_path, fault) == 0
    assert f"links that repair and remedies mend: {mended}" in capsys.readouterr().out


def test_a_product_that_needs_longer_than_allowed_is_counted_as_late(tmp_path, capsys):
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / "cart.urdf").write_text(ROBOT)
    product = tmp_path / "product.py"
    product.write_text("import time; time.sleep(60)")
    command = f"{sys.executable} {product}"
    assert main(["--seconds", "0", "--command", command, str(tmp_path / "robots")]) == 1
    printed = capsys.readouterr().out
    assert re.search(r"^repair +0 +0( +0){6} +1$", printed, re.MULTILINE)
    assert "there was no time for" in printed


def test_a_command_and_a_directory_that_are_not_there_are_errors(tmp_path, capsys):
    assert main(["--command", "sdfinertia-of-nobody", str(tmp_path / "gone")]) == 2
    assert f"there is no directory {tmp_path / 'gone'}, command sdfinertia-of-nobody" in capsys.readouterr().err


def test_a_command_that_refuses_its_arguments_is_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "cart.urdf").write_text(ROBOT)
    product = tmp_path / "product.py"
    product.write_text("import sys; sys.exit('Usage: otherwise')")
    with pytest.raises(SystemExit, match="cannot be judged"):
        main(["--command", f"{sys.executable} {product}", str(tmp_path)])


def test_the_judge_takes_nothing_from_the_package() -> None:
    modules = [Path(rigid_bodies.__file__), *Path(bodies.__file__).parent.glob("[!t]*.py")]
    for module in modules:
        assert not re.search(r"^\s*(from|import) sdfinertia", module.read_text(), re.MULTILINE)


def test_commands_are_found_in_text_with_their_links() -> None:
    path = Path("/a b/x.urdf")
    text = (
        "1:1: SDI209; sdfinertia fill --all --geometry visual --link r::a --link 'r::b c' '/a b/x.urdf' and more\n"
        "fix: sdfinertia fill --all --link LINK '/a b/x.urdf', for each of these 9 links\n"
        "fix: sdfinertia repair --diff '/a b/x.urdf'\n"
        "sdfinertia check --why '/a b/x.urdf'\n"
    )
    assert list(commands(text, [path])) == [
        (path, ("fill", "--all", "--geometry", "visual"), ("r::a", "r::b c")),
        (path, ("repair",), ()),
    ]


@pytest.mark.parametrize(
    ("solid", "surface"),
    [
        (bodies.primitive("box", 1, 2, 3), trimesh.creation.box([1, 2, 3])),
        (bodies.primitive("ellipsoid", 1, 1, 1), trimesh.creation.icosphere(5)),
        (bodies.primitive("cylinder", 1, 3), trimesh.creation.cylinder(1, 3, 256)),
        (bodies.primitive("capsule", 1, 3), trimesh.creation.capsule(3, 1, count=[128, 128])),
        (bodies.primitive("cone", 1, 3), trimesh.creation.cone(1, 3, 256)),
    ],
)
@pytest.mark.parametrize("suffix", ["stl", "obj", "glb"])
def test_shapes_are_those_of_their_meshes(tmp_path: Path, solid, surface, suffix: str) -> None:
    surface.export(tmp_path / f"part.{suffix}")
    found = bodies.mesh(tmp_path / f"part.{suffix}")
    surface_centre = surface.center_mass  # trimesh stands its cone on the ground
    assert found.is_exact
    assert found.volume == pytest.approx(solid.volume, rel=5e-3)
    assert found.centre == pytest.approx(surface_centre, abs=1e-3)
    assert found.spread == pytest.approx(solid.spread, rel=5e-3, abs=1e-3)


def test_an_open_mesh_is_its_hull_and_bodies_that_touch_at_an_edge_are_closed(tmp_path: Path) -> None:
    surface = trimesh.creation.box([1, 2, 3])
    trimesh.Trimesh(surface.vertices, surface.faces[:-1]).export(tmp_path / "open.stl")
    found = bodies.mesh(tmp_path / "open.stl")
    assert not found.is_exact
    assert found.spread == pytest.approx(bodies.primitive("box", 1, 2, 3).spread)
    boxes = [trimesh.creation.box([1, 1, 1]).apply_translation([at, at, 0]) for at in (0.0, 1.0)]
    trimesh.util.concatenate(boxes).export(tmp_path / "two.stl")
    found = bodies.mesh(tmp_path / "two.stl")
    assert found.is_exact
    assert found.volume == pytest.approx(2.0)


def test_a_collada_scene_is_placed_and_in_metres(tmp_path: Path) -> None:
    surface = trimesh.creation.box([100, 200, 300])
    points, corners = (" ".join(map(str, array.ravel())) for array in (surface.vertices, surface.faces))
    (tmp_path / "part.dae").write_text(
        f"""<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset><unit meter="0.01"/></asset>
        <library_geometries><geometry id="g"><mesh><source id="s"><float_array>{points}</float_array></source>
        <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
        <triangles><input semantic="VERTEX" source="#v" offset="0"/><p>{corners}</p></triangles></mesh></geometry>
        </library_geometries><library_visual_scenes><visual_scene id="a"><node><translate>0 0 500</translate>
        <rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#a"/></scene></COLLADA>"""
    )
    found = bodies.mesh(tmp_path / "part.dae")
    assert found.volume == pytest.approx(6.0)
    assert found.centre == pytest.approx([0, 0, 5])
    assert found.spread == pytest.approx(bodies.primitive("box", 2, 1, 3).spread)


def test_distances_are_zero_for_the_body_itself_and_logarithms_of_ratios() -> None:
    reference = bodies.primitive("box", 1, 2, 3)
    right = 6 * (np.trace(reference.spread) * np.eye(3) - reference.spread)
    axis = (np.array([5.0, 0, 0]), np.array([0, 0, 2.0]))
    assert max(distances(Inertial(6.0, np.zeros(3), right), reference, axis).values()) == pytest.approx(0.0, abs=1e-12)
    twice = distances(Inertial(6.0, np.zeros(3), 2 * right), reference, axis)
    assert twice["moment 1 about the centre"] == pytest.approx(np.log(2))
    assert twice["moment about the joint's axis"] == pytest.approx(
        np.log((2 * right[2, 2] + 150) / (right[2, 2] + 150))
    )
    moved = distances(Inertial(6.0, np.array([0, 0, 1.0]), right), reference, axis)
    assert moved["centre"] == pytest.approx(1 / np.sqrt(14 / 12))
    assert moved["moment about the joint's axis"] == pytest.approx(0.0)


SDF = """<sdf version="1.9"><model name="m"><pose>9 9 9 0 0 0</pose>
  <link name="base"><inertial><mass>1</mass></inertial></link>
  <frame name="mount" attached_to="base"><pose>1 0 0 0 0 1.5707963267948966</pose></frame>
  <model name="tool" placement_frame="grip"><pose relative_to="mount">0 2 0 0 0 0</pose>
    <link name="hand"><pose>0 0 3 0 0 0</pose>
      <inertial><mass>2</mass><pose>0 0 1 0 0 0</pose></inertial>
      <visual name="v"><pose relative_to="__model__">0 0 3 0 0 0</pose>
        <geometry><box><size>1 1 1</size></box></geometry></visual></link>
    <frame name="grip"><pose>0 0 5 0 0 0</pose></frame></model>
  <joint name="glue" type="fixed"><parent>mount</parent><child>tool::hand</child></joint>
  {more}</model></sdf>"""


def test_frames_of_nested_models_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(SDF.replace("{more}", ""))
    robot = read(path)
    assert [link.name for link in robot.links] == ["m::base", "m::tool::hand"]
    assert robot.group(1) == {0, 1}
    assert robot.is_complete
    solid = Tree(tmp_path).solid(robot.links[1], "visual", path)
    assert solid is not None
    assert solid.centre == pytest.approx([0, 0, 0])
    scope = _Scope(ElementTree.parse(path).getroot().find("model"))
    # The mount turns +y into -x; the tool stands with its grip there, 5 m above its origin.
    assert scope.pose("tool::hand")[:3, 3] == pytest.approx([-1, 0, -2])


def test_joints_to_what_is_included_are_not_read_as_groups(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    joint = '<joint name="j" type="fixed"><parent>base</parent><child>gone::link</child></joint>'
    path.write_text(SDF.replace("{more}", '<include merge="true"><uri>model://gone</uri></include>' + joint))
    assert not read(path).is_complete


def test_the_axis_of_a_group_is_that_of_the_joint_above_it(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    ends = '<parent link="{}"/><child link="{}"/>'
    joints = f'<joint name="{{}}" type="{{}}">{ends}<origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>'
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    fixed, hinge = joints.format("f", "fixed", "b", "c"), joints.format("h", "revolute", "a", "b")
    path.write_text(f'<robot name="arm">{links}{hinge}{fixed}</robot>')
    robot = read(path)
    assert robot.axis(0) is None
    axis = robot.axis(2)
    assert axis is not None
    point, direction = axis
    assert point == pytest.approx([-1, 0, 0])
    assert direction == pytest.approx([0, 0, 1])


def test_a_visual_that_cannot_be_read_is_never_fine(tmp_path: Path) -> None:
    before, after = tmp_path / "before.urdf", tmp_path / "after.urdf"
    text = ROBOT.replace('<box size="1 1 1"/>', '<mesh filename="package://gone/part.stl"/>')
    before.write_text(text)
    after.write_text(text.replace("0.5", "0.7"))
    found = judged(read(before), read(after), Tree(tmp_path), before)
    assert [(one.link, one.verdict, one.why) for one in found] == [("cart::wheel", "not read", "mesh: not found")]


@pytest.mark.parametrize(
    ("mass", "volume"), [(1.0, 0.001), (100.0, 1.0)], ids=["the visual", "the collision, where no metal is so dense"]
)
def test_the_reference_is_what_the_mass_fits_into(tmp_path: Path, mass: float, volume: float) -> None:
    path = tmp_path / "cart.urdf"
    drawn = '<visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual>'
    path.write_text(f'<robot name="r"><link name="l">{drawn}<collision><geometry><box size="1 1 1"/></geometry>'
                    f"</collision></link></robot>")  # fmt: skip
    link, tree = read(path).links[0], Tree(tmp_path)
    found = tree.reference(link, mass, path)
    assert found is not None
    assert found.volume == pytest.approx(volume)
    with pytest.raises(bodies.UnreadError, match="too small for its mass"):
        tree.reference(link, 1e5, path)


def test_prefixes_need_no_declaration_and_packages_are_found_by_the_name_that_they_declare(tmp_path: Path) -> None:
    path = tmp_path / "cart.urdf"
    path.write_text(ROBOT.replace("<mass", "<!-- sdfinertia: auto --><drake:mesh a:b='1'></drake:mesh><mass", 1))
    assert [link.asks for link in read(path).links] == [True, False, False]
    package = tmp_path / "clone-of-it"
    package.mkdir()
    (package / "package.xml").write_text("<package><name>parts</name></package>")
    (package / "part.stl").write_text("")
    assert Tree(tmp_path).file("package://parts/part.stl", tmp_path / "a" / "b.urdf") == package / "part.stl"
