"""Nothing is written outside the repository of what is given, or outside what is given where there is none."""

from pathlib import Path

import pytest

import sdfinertia
from sdfinertia.editing.changes import Compute, SetMass
from sdfinertia.errors import WriteError
from sdfinertia.options import Options

PART = (
    '<mujocoinclude><worldbody>\n<body name="arm">\n<!-- sdfinertia: auto -->\n'
    '<geom type="box" size="0.5 1 1.5" mass="12"/><freejoint/></body></worldbody></mujocoinclude>\n'
)
HEAVY = PART.replace("<!-- sdfinertia: auto -->", '<inertial pos="0 0 0" mass="12" diaginertia="13 10 5"/>')
INCLUDES = ["../../outside/part.xml", "{outside}/part.xml", "folder/part.xml", "link.xml"]
MODEL = (
    '<sdf version="1.9"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry><box>'
    "<size>1 1 1</size></box></geometry></collision></link></model></sdf>"
)


@pytest.fixture
def outside(project: Path) -> Path:
    """A directory beside the project, with links to it in the project."""
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / "part.xml").write_text(PART)
    (outside / "model.sdf").write_text(MODEL)
    (project / "in").mkdir()
    (project / "in/folder").symlink_to(outside)
    (project / "in/link.xml").symlink_to(outside / "part.xml")
    return outside


def model(include: str, outside: Path) -> Path:
    path = Path("in/m.xml")
    path.write_text(f'<mujoco model="m"><include file="{include.format(outside=outside)}"/></mujoco>')
    return path


@pytest.mark.parametrize("include", INCLUDES)
@pytest.mark.parametrize(
    ("arguments", "hook"),
    [
        (("fill",), "0"),
        (("fill", "--check"), "0"),
        (("fill", "--diff"), "0"),
        (("check", "--fix"), "0"),
        (("fill",), "1"),
    ],
)
def test_a_part_outside_the_repository_is_named_and_left(
    command, project, outside, monkeypatch, include, arguments, hook
):
    monkeypatch.setenv("PRE_COMMIT", hook)
    outcome = command(*arguments, model(include, outside))
    assert outcome.status == 2
    assert b"+<inertial" not in outcome.output
    problem = f":2:1: link 'm::arm': not written: {outside / 'part.xml'} is outside {project}; copy the file there"
    assert outcome.messages.count(problem) == 1
    assert (outside / "part.xml").read_text() == PART


@pytest.mark.parametrize("given", ["in/m.xml", "in", "."])
def test_without_a_repository_only_what_is_given_is_written(command, project: Path, outside: Path, given: str) -> None:
    (project / ".git").rmdir()
    (project / "parts").mkdir()
    (project / "parts/part.xml").write_text(PART)
    model("../parts/part.xml", outside)
    outcome = command("fill", given)
    is_given = given == "."
    assert outcome.status == (0 if is_given else 2)
    assert ("<inertial" in (project / "parts/part.xml").read_text()) is is_given
    assert ("part.xml is outside" in outcome.messages) is not is_given


def test_other_blocks_are_written_on_request(command, project: Path, outside: Path) -> None:
    path = model("link.xml", outside)
    own = '<worldbody><body name="own"><!-- sdfinertia: auto --><geom size="1"/></body></worldbody></mujoco>'
    path.write_text(path.read_text().replace("</mujoco>", own))
    assert command("fill", path).status == 2
    assert "<inertial" not in path.read_text()
    assert command("fill", "--keep-going", path).status == 2
    assert "<inertial" in path.read_text()
    assert (outside / "part.xml").read_text() == PART


def test_what_an_include_leads_to_is_not_filled_recursively(command, project: Path, outside: Path) -> None:
    Path("w.sdf").write_text(
        f'<sdf version="1.9"><model name="w"><include><uri>{outside}/model.sdf</uri></include></model></sdf>'
    )
    outcome = command("fill", "--recursive", "w.sdf")
    assert outcome.status == 2
    assert f"link 'm::l': not written: {outside / 'model.sdf'} is outside {project}" in outcome.messages
    assert (outside / "model.sdf").read_text() == MODEL


def test_a_link_that_a_walk_finds_is_not_followed_outside_but_one_that_is_named_is(command, project, outside):
    Path("robots").mkdir()
    Path("robots/model.sdf").symlink_to(outside / "model.sdf")
    outcome = command("fill", "robots")
    assert outcome.status == 2
    assert f"model.sdf is outside {project}" in outcome.messages
    [result] = sdfinertia.fill_many(["robots"])
    assert result.result is not None
    assert "is outside" in str(result.result.errors[0])
    assert (outside / "model.sdf").read_text() == MODEL
    assert command("fill", "robots/model.sdf").status == 0
    assert (outside / "model.sdf").read_text() != MODEL


def test_nor_by_repair_scale_python_or_the_page(command, project: Path, outside: Path) -> None:
    path = model("link.xml", outside)
    broken = HEAVY.replace("13 10 5", "1 1 50")
    (outside / "part.xml").write_text(broken)
    outcome = command("repair", "--by", "nearest", path)
    assert outcome.status == 2
    assert "is outside" in outcome.messages
    (outside / "part.xml").write_text(HEAVY)
    outcome = command("scale", path, "--link", "m::arm", "--mass", "4")
    assert outcome.status == 2
    assert "is outside" in outcome.messages
    draft = sdfinertia.open_draft(path)
    for change in (SetMass("m::arm", 4.0), Compute("m::arm")):
        with pytest.raises(WriteError, match="is outside"):
            draft.changed(change)
    result = sdfinertia.fill(path, Options(all=True, density=1.0))
    assert "is outside" in str(result.errors[0])
    result.write()
    assert (outside / "part.xml").read_text() == HEAVY
