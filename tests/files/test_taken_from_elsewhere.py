"""A mesh that is taken from another place than the one named is said, with both paths."""

import json
from pathlib import Path

import pytest
from builders.meshes import box, obj

NAMESAKE = "warning: arm/meshes/namesake.obj is read, not robots/arm/meshes/namesake.obj"


@pytest.fixture
def tree(project: Path) -> Path:
    for place in ("arm/meshes/namesake.obj", "robots/arm/meshes/own.obj", "robots/other/meshes/far.obj"):
        (project / place).parent.mkdir(parents=True, exist_ok=True)
        (project / place).write_text(obj(box()))
    (project / "robots/arm/package.xml").write_text("<package><name>arm</name></package>")
    (project / "robots/arm/urdf").mkdir()
    return project


def write(tree: Path, *uris: str) -> str:
    solids = "".join(f"<collision><geometry><mesh filename='{uri}'/></geometry></collision>" for uri in uris)
    block = "<inertial><mass value='1000'/><inertia ixx='160' iyy='165' izz='170' ixy='0' ixz='0' iyz='0'/></inertial>"
    path = tree / "robots/arm/urdf/arm.urdf"
    path.write_text(f"<robot name='r'><link name='l'>{block}{solids}</link></robot>")
    return "robots/arm/urdf/arm.urdf"


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("package://arm/meshes/own.obj", ""),
        ("../meshes/own.obj", ""),
        ("meshes/own.obj", "note: robots/arm/meshes/own.obj is read, not robots/arm/urdf/meshes/own.obj"),
        ("package://other/meshes/far.obj", ""),
        ("package://arm/meshes/namesake.obj", NAMESAKE),
        ("model://arm/meshes/namesake.obj", NAMESAKE),
    ],
)
def test_what_is_read_in_place_of_what_is_named_is_said(command, tree: Path, uri: str, said: str) -> None:
    path = write(tree, uri)
    outcome = command("check", path)
    assert (f"{path}: {said}" in outcome.messages) if said else ("is read, not" not in outcome.messages)


def test_it_is_in_every_report_and_said_by_fill(command, tree: Path) -> None:
    path = write(tree, "package://arm/meshes/namesake.obj")
    document = json.loads(command("check", "--format", "json", path).output)
    assert document["notes"] == [{"file": path, "message": NAMESAKE}]
    reports = ("report.md", "report.html")
    command("check", *(word for report in reports for word in ("--report", report)), path)
    for report in reports:
        assert "namesake.obj is read, not" in (tree / report).read_text()
    assert "namesake.obj is read, not" in command("check", "--format", "sarif", path).output.decode()
    assert NAMESAKE in command("fill", "--all", "--diff", path).messages


def test_meshes_from_one_place_are_one_note(command, tree: Path) -> None:
    (tree / "arm/meshes/second.obj").write_text(obj(box()))
    path = write(tree, "package://arm/meshes/namesake.obj", "package://arm/meshes/second.obj")
    assert command("check", path).messages.count("is read, not") == 1
    assert ", and 1 more from there" in command("check", path).messages
