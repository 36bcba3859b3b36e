"""Diagnostics and hovers are what `check` and `show` say of the open text."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.mjcf import ARM_AND_HAND

pytest.importorskip("pygls", reason="pygls is not installed")

from lsprotocol.types import DiagnosticSeverity, DiagnosticTag, Position, Range

FIXTURES = Path(__file__).parents[2] / "fixtures"
MISTAKES = Path(__file__).parents[2] / "docs" / "examples" / "mistakes"
RIGHT = """\
<sdf version="1.9">
  <model name="m">
    <link name="l">
      <inertial>
        <mass>2</mass>
        <inertia><ixx>0.1</ixx><ixy>0</ixy><ixz>0</ixz><iyy>0.1</iyy><iyz>0</iyz><izz>0.1</izz></inertia>
      </inertial>
    </link>
  </model>
</sdf>
"""
WRONG = RIGHT.replace("<mass>2</mass>", "<mass>-2</mass>")
SUPPRESSION = "<!-- sdfinertia: ignore SDI103 -->"
MISSING = RIGHT.replace(
    "</inertial>",
    '</inertial><collision name="c"><geometry><mesh><uri>gone.stl</uri></mesh></geometry></collision>',
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path / "model.sdf"


def codes(found) -> list[str]:
    return [each.code for each in found]


def test_the_open_text_counts_and_not_the_file(editor, path: Path) -> None:
    path.write_text(WRONG)
    assert editor.open(path, RIGHT) == []
    (found,) = editor.change(path, WRONG)
    assert (found.code, found.severity, found.source) == ("SDI101", DiagnosticSeverity.Error, "sdfinertia")
    assert found.range == Range(Position(4, 8), Position(4, 14))
    editor.shut(path)
    editor.numbers[path.as_uri()] = None
    assert editor.diagnostics(path) == []


def test_only_the_last_of_several_changes_is_checked(editor, path: Path) -> None:
    editor.open(path, RIGHT)
    for _ in range(9):
        editor.change(path, WRONG, waits=False)
    assert codes(editor.change(path, WRONG)) == ["SDI101"]
    assert [each.version for each in editor.published[path.as_uri()]] == [1, 11]


@pytest.mark.parametrize("file", ["rover/model.sdf", "arm/model.sdf", "pendulum/pendulum.world", "drone/model.sdf"])
def test_they_are_the_findings_of_check(editor, command, file: str) -> None:
    found = [each for each in editor.open(FIXTURES / file) if each.code]
    said = command("check", "-v", FIXTURES / file).output.decode()
    for each in found:
        assert f"{file}:{each.range.start.line + 1}:{each.range.start.character + 1} " in said


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("model.sdf", RIGHT.replace("</sdf>", ""), ["SDI900"]),
        ("model.sdf", RIGHT.replace("<inertial>", f"{SUPPRESSION}<inertial>"), ["SDI801"]),
        ("model.sdf", WRONG.replace("<inertial>", f"{SUPPRESSION.replace('103', '101')}<inertial>"), []),
        ("model.sdf", MISSING, [None]),
        ("robot.xml", ARM_AND_HAND, ["SDI001"]),
        ("robot.xml", ARM_AND_HAND.replace("</worldbody>", ""), ["SDI900"]),
        ("other.xml", "<?xml version='1.0'?><!-- <sdf> --><launch><include/></launch>\n", []),
        ("other.xml", "<project>\n<unclosed></project>\n", []),
    ],
)
def test_robots_are_checked_and_other_xml_is_left_alone(editor, path: Path, name, text, expected) -> None:
    found = editor.open(path.with_name(name), text)
    assert codes(found) == expected
    assert [each.tags for each in found if each.code == "SDI801"] in ([], [(DiagnosticTag.Unnecessary,)])
    assert not any("`sdfinertia" in each.message for each in found)


@pytest.mark.parametrize(("units", "character"), [("utf-16", 15), ("utf-8", 17)])
def test_positions_are_counted_as_the_editor_counts(editors, path: Path, units: str, character: int) -> None:
    editor = editors(units=units)
    assert editor.result.capabilities.position_encoding == units
    (found,) = editor.open(path, WRONG.replace("        <mass>", "<!-- 🤖 --><mass>".rjust(14)))
    assert found.range.start.character == character - 4


def test_configuration_holds_and_is_read_again(editor, path: Path) -> None:
    configuration = path.with_name("sdfinertia.toml")
    configuration.write_text('ignore = ["SDI101"]\n')
    assert editor.open(path, WRONG) == []
    for text, expected in (("", ["SDI101"]), ("ignored = 1\n", [None]), (f'exclude = ["{path.name}"]\n', [])):
        configuration.write_text(text)
        count = len(editor.published[path.as_uri()])
        editor.changed_on_disk(configuration)
        assert codes(editor.diagnostics(path, beyond=count)) == expected


def test_options_and_baselines_hold(editors, command, path: Path) -> None:
    path.write_text(WRONG)
    known, confined = path.with_name("known.json"), path.parent / "confined"
    command("check", "--write-baseline", known, path)
    assert editors("--baseline", str(known)).open(path) == []
    (found,) = editors("--confine", str(confined)).open(path)
    assert found.code is None
    assert "outside" in found.message
    assert editors("--confine", str(confined)).hover(path, "<mass>") == ""


# xacro ----------------------------------------------------------------------------------------------------------------

MACRO = """\
<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="arm" params="name">
    <link name="${name}">
      <inertial><mass value="-2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1.5"/></inertial>
    </link>
  </xacro:macro>
</robot>
"""
ROBOT = """\
<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="arm.xacro"/>
  <xacro:arm name="left"/>
</robot>
"""


def test_a_finding_in_a_macro_is_in_its_file_and_at_its_call(editor, path: Path) -> None:
    pytest.importorskip("xacro", reason="xacro is not installed")
    robot, macro = path.with_name("robot.urdf.xacro"), path.with_name("arm.xacro")
    robot.write_text(ROBOT)
    macro.write_text(MACRO.replace("-2", "2"))
    # The open text counts, also for the robots that use it.
    assert [(each.code, each.range.start.line) for each in editor.open(macro, MACRO)] == [("SDI101", 3)]
    assert editor.change(macro, MACRO.replace("-2", "2")) == []
    macro.write_text(MACRO)
    (found,) = editor.open(robot)
    assert (found.code, found.range.start.line) == ("SDI101", 2)
    (related,) = found.related_information
    assert (related.location.uri, related.location.range.start.line) == (macro.as_uri(), 3)
    assert editor.actions(robot, "<xacro:arm") == {}


# Hovers ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (RIGHT, "<inertia>", ["m::l (written)", "mass", " 2 "]),
        (RIGHT, '<link name="l"', ["m::l (written)"]),
        (RIGHT, "<model", []),
        (RIGHT.replace("</model>", ""), "<mass>", []),
        (MISSING, "<mass>", ["m::l (written)", "gone.stl"]),
        (ARM_AND_HAND, 'mass="12"', ["m::arm (written)", "computed"]),
        (
            (MISTAKES / "forearm.urdf").read_text(),
            "<mass",
            ["**SDI103** physically impossible", "(certain)"],
        ),
    ],
)
def test_a_hover_shows_the_mass_properties(editor, path: Path, text: str, words: str, expected: list[str]) -> None:
    path = path.with_suffix(".sdf" if "<sdf" in text else ".xml" if "<mujoco" in text else ".urdf")
    editor.open(path, text)
    told = editor.hover(path, words)
    assert all(each in told for each in expected)
    assert bool(told) == bool(expected)


def test_a_hover_is_what_show_prints(editor, command) -> None:
    path = FIXTURES / "rover" / "model.sdf"
    editor.open(path)
    said = command("show", "--computed", path).output.decode()
    for words in ('<link name="chassis"', '<collision name="battery_collision"'):
        _, table, _ = editor.hover(path, words).split("```")
        assert table.removeprefix("text\n") in said
