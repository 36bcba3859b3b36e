"""What an editor has done to a text is what a command would write, to the byte."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from builders.mjcf import ARM_AND_HAND

pytest.importorskip("pygls", reason="pygls is not installed")

FIXTURES = Path(__file__).parents[2] / "fixtures"
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
    "fill a link without": Case(MISSING, "<link", "Fill l (unsafe", "fill --missing --link m::l"),
    "fill the file": Case(AUTO + "\n", "<link", "Fill every link", "fill"),
    "fix the file": Case(AUTO, "<link", "Apply every safe fix", "check --fix"),
    "fix what is unsafe": Case(MISSING, "<link", "Apply every fix, unsafe", "check --unsafe-fixes"),
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
            ("the file", "<worldbody", "Fill every link", "fill"),
        )
    },
    **{
        what: Case(text, "<inertial", "Fill l", "fill --link m::l")
        for what, text in (
            ("lines of Windows", AUTO.replace("\n", "\r\n")),
            ("lines of old", AUTO.replace("\n", "\r")),
            ("tabs", AUTO.replace("  ", "\t")),
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


@pytest.mark.parametrize("model", ["rover/model.sdf", "arm/model.sdf", "pendulum/pendulum.world", "drone/model.sdf"])
def test_every_action_on_every_link_is_a_command(editor, command: Callable, project: Path, model: str) -> None:
    """What is offered on a link can be done, and leaves a text in which nothing but that link is another."""
    shutil.copytree(FIXTURES / Path(model).parent, project / "models")
    path = project / "models" / Path(model).name
    text = path.read_text()
    editor.open(path)
    for symbol in links_of(editor.ask("document_symbol", path)):
        place = symbol.selection_range.start
        context = editor.lsp.CodeActionContext([], ["quickfix", "refactor"])
        for action in editor.ask("code_action", path, editor.lsp.Range(place, place), context):
            done = editor.run(editor.client.code_action_resolve_async(action))
            if done.edit is None:
                continue
            edited = editor.made(path, done.edit).splitlines()
            lines = text.splitlines()
            start, end = symbol.range.start.line, symbol.range.end.line
            assert edited[:start] == lines[:start], action.title
            assert edited[len(edited) - len(lines) + end + 1 :] == lines[end + 1 :], action.title
    editor.shut(path)


def links_of(symbols) -> Iterator:
    for symbol in symbols or ():
        if symbol.detail == "link":
            yield symbol
        yield from links_of(symbol.children)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("is_on_one_line", [False, True])
def test_a_suppression_stands_in_the_link_and_holds(editor, project: Path, end: str, is_on_one_line: bool) -> None:
    path = project / "model.sdf"
    text = INVALID.replace("\n", "" if is_on_one_line else end)
    assert {each.code for each in editor.open(path, text)} == {"SDI103"}
    edited = editor.chosen(path, "<mass", "Suppress SDI103 in l")
    line = "<!-- sdfinertia: ignore SDI103 -->"
    assert edited == text.replace(
        '<link name="l">', f'<link name="l">{line if is_on_one_line else f"{end}      {line}"}'
    )
    assert "SDI103" not in {each.code for each in editor.change(path, edited)}
    editor.shut(path)


def test_an_action_names_the_findings_that_it_answers(editor, project: Path) -> None:
    path = project / "model.sdf"
    found = editor.open(path, AUTO)
    actions = editor.actions(path, "<inertial", found=found)
    assert [each.code for each in actions["Fill l"].diagnostics] == ["SDI001"]
    assert actions["Fill l"].is_preferred
    assert actions["Apply every safe fix"].diagnostics is None
    assert actions["Apply every safe fix"].kind == "source.fixAll.sdfinertia"


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (["quickfix"], {"quickfix"}),
        (["source.fixAll"], {"source.fixAll.sdfinertia"}),
        (["source"], {"source.fixAll.sdfinertia", "source.fill.sdfinertia", "source.unsafeFixes.sdfinertia"}),
        (["source.organizeImports"], set()),
    ],
)
def test_only_what_is_asked_for_is_offered(editor, project: Path, only: list[str], kinds: set[str]) -> None:
    path = project / "model.sdf"
    editor.open(path, AUTO)
    assert {action.kind for action in editor.actions(path, "<inertial", only=only).values()} == kinds


def test_a_block_that_is_current_is_not_filled_again(editor, command: Callable, project: Path) -> None:
    path = project / "model.sdf"
    path.write_text(AUTO)
    command("fill", path.name)
    editor.open(path)
    assert not [title for title in editor.actions(path, "<mass>") if "Fill l" in title or "Compute" in title]


def test_what_makes_up_a_density_is_marked_unsafe_and_why_nothing_is_done_is_said(editor, project: Path) -> None:
    path = project / "model.sdf"
    editor.open(path, MISSING)
    (title,) = (title for title in editor.actions(path, "<link") if title.startswith("Fill l"))
    assert "unsafe" in title
    assert not editor.actions(path, "<link")[title].is_preferred
    editor.change(path, INVALID)
    action = editor.actions(path, "<link")["Apply every safe fix"]
    assert editor.run(editor.client.code_action_resolve_async(action)).edit is None
    assert editor.messages[-1] == "nothing to fix"


def test_an_editor_that_resolves_nothing_gets_the_edits_at_once(editors, project: Path) -> None:
    editor, path = editors("plain"), project / "model.sdf"
    editor.open(path, AUTO)
    actions = editor.actions(path, "<inertial")
    assert "Fill l" in actions
    assert all(action.edit is not None and action.edit.changes for action in actions.values())
    assert "<mass>3000</mass>" in editor.made(path, actions["Fill l"].edit)


def test_the_lens_over_a_link_that_asks_fills_it(editor, command: Callable, project: Path) -> None:
    path = project / "model.sdf"
    path.write_text(AUTO)
    editor.open(path)
    (lens,) = editor.ask("code_lens", path)
    assert (lens.command.title, lens.range.start.line) == ("auto → fill", 3)
    params = editor.lsp.ExecuteCommandParams(lens.command.command, lens.command.arguments)
    editor.run(editor.client.workspace_execute_command_async(params))
    edited = editor.made(path, editor.applied[-1])
    command("fill", path.name)
    assert edited == path.read_text()
    editor.change(path, edited)
    assert not editor.ask("code_lens", path)


def test_nothing_is_written(editor, project: Path) -> None:
    shutil.copytree(FIXTURES / "rover", project / "rover")
    before = {path: (path.stat().st_mtime_ns, os.listdir(path.parent)) for path in project.rglob("*")}
    path = project / "rover" / "model.sdf"
    editor.open(path)
    for title in ("Fill chassis", "Apply every safe fix", "Fill every link"):
        assert editor.chosen(path, "<inertial", title) != path.read_text()
    assert {path: (path.stat().st_mtime_ns, os.listdir(path.parent)) for path in project.rglob("*")} == before
