"""What an editor has done to a text is what a command would write, to the byte."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from builders.mjcf import ARM_AND_HAND

pytest.importorskip("pygls", reason="pygls is not installed")

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from collections.abc import Callable

MISTAKES = Path(__file__).parents[2] / "docs" / "examples" / "mistakes"

BOX = '<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision>'
AUTO = f"""\
<sdf version="1.11">
  <model name="m">
    <link name="l">
      <inertial auto="true"><density>500</density></inertial>
      {BOX}
    </link>
  </model>
</sdf>
"""
MISSING = AUTO.replace('<inertial auto="true"><density>500</density></inertial>', "")
NUMBERS = "<mass>1</mass><inertia><ixx>IXX</ixx><ixy>0</ixy><ixz>0</ixz><iyy>1</iyy><iyz>0</iyz><izz>1</izz></inertia>"
INVALID = AUTO.replace('<inertial auto="true"><density>500</density></inertial>', f"<inertial>{NUMBERS}</inertial>")
INVALID = INVALID.replace("IXX", "5")
ROUNDED = INVALID.replace("<ixx>5<", "<ixx>2.00000000001<")
TWINS = """\
<robot name="r">
  <link name="left_arm">
    <inertial><origin xyz="0 0.1 0"/><mass value="2"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial>
    <collision><geometry><box size="0.3 0.2 0.1"/></geometry></collision>
  </link>
  <link name="right_arm">
    <inertial><origin xyz="0 -0.1 0"/><mass value="2"/>
      <inertia ixx="0.02" ixy="-0.001" ixz="0" iyy="0.03" iyz="0" izz="40"/></inertial>
    <collision><geometry><box size="0.3 0.2 0.1"/></geometry></collision>
  </link>
</robot>
"""


LATIN_1 = '<?xml version="1.0" encoding="ISO-8859-1"?>\n'


class Case(NamedTuple):
    """A text, where an action is taken in it, how its title begins, and the command that writes the same."""

    text: str
    words: str
    title: str
    command: str
    name: str = "model.sdf"


CASES = {
    "fill a link that asks": Case(AUTO, "<inertial", "Fill l", "fill --link m::l"),
    "fill a link without": Case(MISSING, "<link", "Fill l (its density", "fill --missing --link m::l"),
    "fill the file": Case(AUTO + "\n", "<link", "Fill every link", "fill"),
    "fix the file": Case(AUTO, "<link", "Apply all fixes", "check --fix"),
    "nudge": Case(ROUNDED, "<mass", "Fix the rounding of l", "check --fix --link m::l"),
    "nearest": Case(
        INVALID.replace("1 2 3", "0.5 4.8 4.8"), "<mass", "Repair l: the nearest", "repair --by nearest --link m::l"
    ),
    "geometry": Case(INVALID, "<mass", "Repair l: from its geometry", "repair --by geometry --link m::l"),
    "twin": Case(
        *(TWINS, 'izz="40"', "Repair right_arm: as its twin r::left_arm", "repair --by twin --link r::right_arm"),
        "r.urdf",
    ),
    "cause": Case(
        (MISTAKES / "forearm.urdf").read_text(),
        "<mass",
        "Repair forearm: decimal-point, izz 1364126E-6 → 1364.126E-6",
        "repair --link arm::forearm",
        "arm.urdf",
    ),
    "compute anew": Case(
        INVALID.replace("<ixx>5<", "<ixx>1.1<"),
        "<mass",
        "Compute l from its geometry, its mass kept",
        "fill --all --link m::l",
    ),
    **{
        f"MJCF: {what}": Case(ARM_AND_HAND, words, title, command, "robot.xml")
        for what, words, title, command in (
            ("a body that asks", "<!-- sdfinertia", "Fill hand", "fill --link m::hand"),
            ("a body without", 'name="bare"', "Fill bare", "fill --missing --link m::bare"),
            ("a body anew", 'mass="12"', "Compute arm from its geometry", "fill --all --link m::arm"),
        )
    },
    **{
        what: Case(text, "<inertial", "Fill l", "fill --link m::l")
        for what, text in (
            ("lines of Windows", AUTO.replace("\n", "\r\n")),
            ("one line", AUTO.replace("\n", "")),
            ("beyond 16 bits", AUTO.replace("      <inertial", "  <!-- 🤖\u2028é --><inertial")),
            ("another encoding", LATIN_1 + AUTO.replace("      <inertial", "<!-- é --><inertial")),
        )
    },
}


def encoded(text: str) -> bytes:
    return text.encode("latin-1" if "ISO-8859-1" in text else "utf-8")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_action_is_the_edit_of_a_command(editor, command: Callable, project: Path, case: Case) -> None:
    path = project / case.name
    path.write_bytes(encoded(case.text))
    editor.open(path, case.text)
    edited = editor.chosen(path, case.words, case.title)
    assert path.read_bytes() == encoded(case.text), "nothing is written"
    command(*case.command.split(), path.name)
    assert encoded(edited) == path.read_bytes()
    assert edited != case.text
    editor.shut(path)


@pytest.mark.parametrize(
    ("old", "new", "title", "flags"),
    [
        ("2 3</size>", "2 4</size>", "Fill l", ()),
        ("<mass>", "<mass>1", "Fill l again, replacing numbers edited by hand", ("--overwrite-edited",)),
    ],
    ids=["stale", "edited"],
)
def test_a_block_that_was_filled_is_filled_anew(editor, command, project, old, new, title, flags):
    path = project / "model.sdf"
    path.write_text(AUTO)
    command("fill", path.name)
    text = path.read_text().replace(old, new)
    path.write_text(text)
    editor.open(path)
    edited = editor.chosen(path, "<mass>", title)
    command("fill", *flags, "--link", "m::l", path.name)
    assert edited == path.read_text() != text


def test_an_action_names_the_findings_that_it_removes(editor, project: Path) -> None:
    path = project / "model.sdf"
    found = editor.open(path, AUTO)
    actions = editor.actions(path, "<inertial", found=found)
    assert [each.code for each in actions["Fill l"].diagnostics] == ["SDI001"]
    assert actions["Apply all fixes"].diagnostics is None


def test_an_action_that_changes_nothing_says_why(editor, project: Path) -> None:
    path = project / "model.sdf"
    editor.open(path, INVALID)
    assert editor.resolve(editor.actions(path, "<link")["Apply all fixes"]).edit is None
    assert editor.messages[-1] == "nothing to fix"


def test_an_action_on_another_version_of_the_text_is_refused(editor, project: Path) -> None:
    path = project / "model.sdf"
    editor.open(path, AUTO)
    action = editor.actions(path, "<inertial")["Fill l"]
    editor.change(path, AUTO + "\n")
    with pytest.raises(JsonRpcException, match="the text has changed") as caught:
        editor.resolve(action)
    assert caught.value.code == types.LSPErrorCodes.ContentModified
    editor.shut(path)
    with pytest.raises(JsonRpcException, match="closed"):
        editor.resolve(action)


@pytest.mark.parametrize("data", [None, {}, {"uri": "file:///m.sdf", "version": 1, "action": [1, 2, 3, 4]}])
def test_an_action_of_another_server_is_refused(editor, data: object) -> None:
    assert editor.resolve(types.CodeAction("Fill l", data=data)).edit is None
    assert editor.messages[-1] == "this is not the data of an action of this server"


@pytest.mark.parametrize("action", [["fill", "m::gone", ""], ["melt", "", ""], ["repair", "m::l", "magic"]])
def test_an_impossible_action_says_why(editor, project: Path, action: list[str]) -> None:
    path = project / "model.sdf"
    editor.open(path, AUTO)
    data = {"uri": path.as_uri(), "version": 1, "action": action}
    assert editor.resolve(types.CodeAction("An action", data=data)).edit is None
    assert editor.messages[-1].startswith("there is no ")
