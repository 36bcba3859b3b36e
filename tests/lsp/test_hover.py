"""What is told of the place that a person points at, what a document consists of, and where its names lead."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

FIXTURES = Path(__file__).parents[2] / "fixtures"
MISTAKES = Path(__file__).parents[2] / "docs" / "examples" / "mistakes"

WRITTEN = """\
<sdf version="1.9">
  <model name="m">
    <link name="l">
      <inertial>
        <pose>0 0 0.5 0 0 0</pose>
        <mass>12</mass>
        <inertia><ixx>13</ixx><ixy>0</ixy><ixz>0</ixz><iyy>10</iyy><iyz>0</iyz><izz>5</izz></inertia>
      </inertial>
      <collision name="c">
        <density>500</density>
        <geometry><box><size>1 2 3</size></box></geometry>
      </collision>
      <collision name="d">
        <density>500</density>
        <geometry><sphere><radius>1</radius></sphere></geometry>
      </collision>
    </link>
    <link name="bare"/>
  </model>
</sdf>
"""


@pytest.fixture
def rover(editor, project: Path):
    shutil.copytree(FIXTURES / "rover", project / "rover")
    path = project / "rover" / "model.sdf"
    editor.open(path)
    yield path
    editor.shut(path)


@pytest.fixture
def model(editor, project: Path):
    """Opens a text in the place of a model."""

    def opened(text: str = WRITTEN) -> Path:
        editor.open(project / "model.sdf", text)
        return project / "model.sdf"

    return opened


def rows(text: str) -> dict[str, list[str]]:
    """The rows of a table of Markdown by their first cells."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
    ]
    return {first: others for first, *others in cells}


@pytest.mark.parametrize("words", ["<inertial>", "<mass>", "<inertia>", "<pose>", "iyy", '<link name="l"'])
def test_a_link_is_told_as_written_beside_computed(editor, model, words: str) -> None:
    path = model()
    told = rows(editor.hover(path, words))
    assert told[""] == ["written", "computed"]
    assert told["mass"] == ["12 kg", "12 kg"]
    assert told["centre"][0] == "0 0 0.5 m"
    assert told["principal moments"][0] == "13 10 5 kg·m²"
    assert told["equivalent box"][0] == "1 2 3 m"
    assert told["density"][0] == told["density"][1] == "1.17776 kg/m³"


@pytest.mark.parametrize(("name", "mass"), [("c", "3000 kg"), ("d", "2094.4 kg")])
def test_a_collision_is_told_by_itself(editor, model, name: str, mass: str) -> None:
    path = model()
    told = editor.hover(path, f'name="{name}"')
    assert f"**m::l / {name}**" in told
    assert rows(told)["mass"] == [mass]


def test_a_collision_that_weighs_nothing_says_so(editor, model) -> None:
    path = model(WRITTEN.replace('"d">\n        <density>500', '"d">\n        <density>0'))
    assert "does not count" in editor.hover(path, 'name="d"')


def test_why_something_is_wrong_is_told(editor, project: Path) -> None:
    path = project / "arm.urdf"
    editor.open(path, (MISTAKES / "forearm.urdf").read_text())
    told = editor.hover(path, "<mass")
    assert "**SDI103** physically impossible" in told
    assert "Why: decimal-point (certain): the decimal point of izz 1364126E-6 is 3 places too far right" in told
    assert told.count("Why:") == 1


def test_why_nothing_is_computed_is_told(editor, model) -> None:
    path = model(WRITTEN.replace("<radius>1<", "<radius>-1<"))
    told = editor.hover(path, "<inertial>")
    assert rows(told)[""] == ["written"]
    assert "-1" in told


def test_a_mesh_is_told_as_the_command_does(editor, rover: Path, command) -> None:
    told = editor.hover(rover, "wheel.obj")
    expected = command("mesh", rover.parent / "meshes" / "wheel.obj").output.decode()
    for line in expected.splitlines()[1:]:
        assert line.strip() in told
    assert "wheel.obj" in told


def test_a_mesh_that_is_not_found_says_so(editor, model) -> None:
    mesh = "<mesh><uri>part.stl</uri></mesh>"
    path = model(WRITTEN.replace("<sphere><radius>1</radius></sphere>", mesh))
    assert "not found" in editor.hover(path, "part.stl")


@pytest.mark.parametrize("words", ["<sdf", "<model", "<visual"])
def test_nothing_is_told_of_other_places(editor, model, words: str) -> None:
    path = model(WRITTEN.replace("</link>", "<visual name='v'/></link>"))
    assert editor.hover(path, words) == ""


def test_nothing_is_told_of_a_text_that_cannot_be_parsed(editor, model) -> None:
    path = model(WRITTEN.replace("</model>", ""))
    assert editor.hover(path, "<mass>") == ""
    assert not editor.ask("document_symbol", path)
    assert not editor.ask("code_lens", path)
    assert not editor.actions(path, "<mass>")


# What it consists of --------------------------------------------------------------------------------------------------


def outline(symbols, depth: int = 0) -> list[tuple[int, str, str]]:
    found = []
    for symbol in symbols or ():
        found.append((depth, symbol.detail, symbol.name))
        found += outline(symbol.children, depth + 1)
    return found


def test_symbols_are_those_of_models_worlds_and_robots(editor, rover, project):
    found = outline(editor.ask("document_symbol", rover))
    assert found[:3] == [(0, "model", "rover"), (1, "link", "chassis"), (1, "link", "imu_link")]
    assert (1, "joint", "imu_joint") in found
    assert (1, "model", "pan_tilt_mast") in found
    assert (2, "link", "pan_link") in found
    path = project / "arm.urdf"
    editor.open(path, (MISTAKES / "forearm.urdf").read_text())
    assert outline(editor.ask("document_symbol", path)) == [(0, "robot", "arm"), (1, "link", "forearm")]
    world = FIXTURES / "pendulum" / "pendulum.world"
    editor.open(world)
    assert outline(editor.ask("document_symbol", world))[0][1] == "world"


def test_a_mesh_leads_to_its_file(editor, rover: Path) -> None:
    place = editor.place(rover, "wheel.obj")
    found = editor.ask("definition", rover, place)
    assert found.uri == (rover.parent / "meshes" / "wheel.obj").as_uri()
    links = editor.ask("document_link", rover)
    (target,) = (each.target for each in links if each.range.start.line == place.line)
    assert target == found.uri


def test_an_include_leads_to_the_model(editor, project: Path) -> None:
    shutil.copytree(FIXTURES / "rover", project / "rover")
    path = project / "w.world"
    include = "<include><uri>model://rover</uri></include>"
    editor.open(path, f'<sdf version="1.9"><world name="w">{include}</world></sdf>')
    found = editor.ask("definition", path, editor.place(path, "model://rover"))
    assert found.uri == (project / "rover" / "model.sdf").as_uri()


@pytest.mark.parametrize("name", ["part.stl", "package://none/part.stl"])
def test_what_is_not_found_leads_nowhere(editor, project: Path, name: str) -> None:
    path = project / "robot.urdf"
    mesh = f'<collision><geometry><mesh filename="{name}"/></geometry></collision>'
    editor.open(path, f'<robot name="r"><link name="l">{mesh}</link></robot>')
    assert editor.ask("definition", path, editor.place(path, name)) is None
    assert not editor.ask("document_link", path)
