"""With --confine nothing outside the directory is opened, listed, told of or written, however a file names it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from builders import gltf
from builders.documents import AUTO, asking, asking_mesh, collision, one_link
from builders.meshes import OBJ_TETRAHEDRON

if TYPE_CHECKING:
    from pathlib import Path

BUFFER = bytes.fromhex("0000000000000000000000000000803f0000000000000000000000000000803f00000000")
BUFFER += bytes.fromhex("00000000000000000000803f") + bytes([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])
PART = '<sdf version="1.12"><model name="part"><link name="base"><pose>1 0 0 0 0 0</pose></link></model></sdf>'
FILLABLE = one_link(AUTO, collision()).decode()


def gltf_with(uri: str) -> str:
    return json.dumps(gltf.asset(component=gltf.UBYTE, buffers=[{"byteLength": 60, "uri": uri}]))


def include(uri: str) -> str:
    more = f"<include><name>i</name><uri>{uri}</uri></include>"
    return asking("<box><size>1 2 3</size></box>", more, '<pose relative_to="i::base"/>')


# By what each means; {outside} is the directory, which every one of these names leads into.
ESCAPES = {
    "parent": asking_mesh("../outside/m.obj"),
    "parent, after a detour": asking_mesh("meshes/../../outside/m.obj"),
    "parent, as a file": asking_mesh("file://../outside/m.obj"),
    "absolute": asking_mesh("{outside}/m.obj"),
    "absolute, as a file": asking_mesh("file://{outside}/m.obj"),
    "absolute, with slashes": asking_mesh("file:////{outside}//m.obj"),
    "model": asking_mesh("model://../outside/m.obj"),
    "model of the environment": asking_mesh("model://other/m.obj"),
    "package": asking_mesh("package://robot/../../outside/m.obj"),
    "package of the environment": asking_mesh("package://outside_package/m.obj"),
    "package of the environment, by its directory": asking_mesh("package://other/m.obj"),
    "fuel": asking_mesh("https://fuel.gazebosim.org/1.0/o/models/m/1/files/m.obj"),
    "fuel, parents": asking_mesh("https://fuel.gazebosim.org/1.0/o/models/m/1/files/../../../../../../m.obj"),
    "fuel, parents in percents": asking_mesh("https://fuel.gazebosim.org/1.0/o/models/m/1/files/%2e%2e/%2e%2e%2fm.obj"),
    "fuel, server": asking_mesh("https://../1.0/o/models/m/1/files/m.obj"),
    "linked file": asking_mesh("linked.obj"),
    "linked directory": asking_mesh("linked/m.obj"),
    "linked directory and back": asking_mesh("linked/../outside/m.obj"),
    "link of a link": asking_mesh("twice.obj"),
    "percents": asking_mesh("%2e%2e/outside/m.obj"),
    "other case": asking_mesh("../OUTSIDE/m.obj"),
    "other case of a link": asking_mesh("Linked/m.obj"),
    "other case of a scheme": asking_mesh("FILE://{outside}/m.obj"),
    "other case of a name": asking_mesh("../outside/M.OBJ"),
    "backslashes": asking_mesh("..\\outside\\m.obj"),
    "glTF, linked buffer": asking_mesh("linked.gltf"),
    "glTF, linked directory of the buffer": asking_mesh("below.gltf"),
    "glTF, buffer in the parent": asking_mesh("parent.gltf"),
    "glTF, buffer in the parent in percents": asking_mesh("percents.gltf"),
    "glTF, absolute buffer": asking_mesh("absolute.gltf"),
    "glTF, buffer as a file": asking_mesh("file.gltf"),
    "include in the parent": include("../outside/part.sdf"),
    "include, absolute": include("file://{outside}/part.sdf"),
    "include, model of the environment": include("model://other"),
    "include, linked": include("linked.sdf"),
    "include, linked directory": include("model://linked"),
    "include, named by model.config": include("model://named"),
    "include, linked model.config": include("model://configured"),
}


@pytest.fixture
def outside(project: Path) -> Path:
    """What the project must not reach, and the ways that lead from the project to it."""
    outside = project.parent / "outside"
    models = outside / "models/other"
    fuel = outside / "fuel/fuel.gazebosim.org/o/models/m/1"
    for directory in (models, fuel, project / "named", project / "configured"):
        directory.mkdir(parents=True)
    for directory in (outside, models, fuel, outside / "fuel"):
        (directory / "m.obj").write_text(OBJ_TETRAHEDRON)
        (directory / "m.bin").write_bytes(BUFFER)
        (directory / "part.sdf").write_text(PART)
        (directory / "model.config").write_text('<model><sdf version="1.12">part.sdf</sdf></model>')
    (models / "package.xml").write_text("<package><name>outside_package</name></package>")
    (project / "linked.obj").symlink_to(outside / "m.obj")
    (project / "linked.bin").symlink_to(outside / "m.bin")
    (project / "linked.sdf").symlink_to("../outside/part.sdf")
    (project / "linked").symlink_to(outside, target_is_directory=True)
    (project / "twice.obj").symlink_to("linked.obj")
    (project / "package.xml").write_text("<package><name>robot</name></package>")
    uris = {
        "linked": "linked.bin",
        "below": "linked/m.bin",
        "parent": "../outside/m.bin",
        "percents": "%2e%2e/outside/m.bin",
        "absolute": f"{outside}/m.bin",
        "file": f"file://{outside}/m.bin",
    }
    for name, uri in uris.items():
        (project / f"{name}.gltf").write_text(gltf_with(uri))
    (project / "named/model.config").write_text('<model><sdf version="1.12">../../outside/part.sdf</sdf></model>')
    (project / "configured/model.config").symlink_to(outside / "model.config")
    (project / "configured/part.sdf").write_text(PART)
    return outside


def environment(outside: Path) -> dict[str, str]:
    return {
        "GZ_SIM_RESOURCE_PATH": str(outside / "models"),
        "ROS_PACKAGE_PATH": str(outside / "models"),
        "GZ_FUEL_CACHE_PATH": str(outside / "fuel"),
    }


@pytest.mark.parametrize("name", ["fill", "check"])
@pytest.mark.parametrize("text", ESCAPES.values(), ids=ESCAPES.keys())
def test_nothing_outside_is_opened_or_listed(watched, project, outside, text, name):
    text = text.replace("{outside}", str(outside))
    (project / "m.sdf").write_text(text)
    outcome = watched(name, "--confine", ".", "m.sdf", **environment(outside))
    assert "Traceback" not in outcome.messages
    assert outcome.status == 2
    assert outcome.opened(outside) == []
    assert (project / "m.sdf").read_text() == text


@pytest.mark.parametrize(
    "name", ["parent", "absolute", "fuel", "linked file", "glTF, linked buffer", "include, linked"]
)
def test_without_the_confinement_the_same_is_found(watched, project, outside, name):
    """So that what is refused above is refused because it is outside."""
    (project / "m.sdf").write_text(ESCAPES[name].replace("{outside}", str(outside)))
    outcome = watched("fill", "m.sdf", **environment(outside))
    assert outcome.status == 0, outcome.messages
    assert outcome.opened(outside)


@pytest.mark.parametrize("there", [True, False])
def test_whether_something_is_outside_cannot_be_told(command, project, outside, there):
    (project / "m.sdf").write_text(asking_mesh("../outside/M.obj"))
    if there:
        (outside / "M.obj").write_text(OBJ_TETRAHEDRON)
    outcome = command("fill", "-q", "--confine", ".", "m.sdf")
    assert outcome.messages == (
        "m.sdf:1:75: link 'm::l', collision 'c': not found: ../outside/M.obj (tried "
        f"{outside}/M.obj (outside {project}, not searched)); "
        "move it inside, or give a wider directory with --confine\n"
    )


@pytest.mark.parametrize("named", [["."], ["linked"], ["escape.sdf"], ["linked/x.sdf"], ["../outside/x.sdf"]])
@pytest.mark.parametrize("name", ["fill", "check", "show", "repair"])
def test_a_file_outside_is_neither_read_nor_written(watched, project, outside, name, named):
    (outside / "x.sdf").write_text(FILLABLE)
    (project / "escape.sdf").symlink_to(outside / "x.sdf")
    (project / "inside.sdf").write_text(FILLABLE)
    outcome = watched(name, "--confine", ".", *named)
    assert outcome.status == 2
    assert f"outside {project}" in outcome.messages
    assert (outside / "x.sdf").read_text() == FILLABLE
    assert [path for path in outcome.opened(outside) if not os.path.isdir(path)] == []
    if name == "fill":
        assert ("<mass>" in (project / "inside.sdf").read_text()) == (named == ["."])


@pytest.mark.parametrize("there", [True, False])
def test_a_baseline_does_not_tell_what_is_outside(watched, project, outside, there):
    (project / "inside.sdf").write_text(FILLABLE)
    paths = ["../outside/secret", "linked/secret", str(outside / "secret"), "gone.sdf"]
    found = [{"path": path, "link": "", "code": "SDI101"} for path in paths]
    (project / "known.json").write_text(json.dumps({"format": 1, "findings": found}))
    if there:
        (outside / "secret").write_text("")
    outcome = watched("check", "inside.sdf", "--baseline", "known.json", "-v", "--confine", ".")
    assert [line for line in outcome.messages.splitlines() if "gone" in line] == [
        "fixed since the baseline: gone.sdf  SDI101"
    ]
    assert outcome.opened(outside) == []


@pytest.mark.parametrize("name", ["../outside/known.json", "link.json"])
def test_a_baseline_outside_is_not_opened(watched, project: Path, outside: Path, name: str) -> None:
    (project / "inside.sdf").write_text(FILLABLE)
    (outside / "known.json").write_text('{"format": 1, "findings": []}')
    (project / "link.json").symlink_to(outside / "known.json")
    outcome = watched("check", "inside.sdf", "--baseline", name, "--confine", ".")
    assert outcome.status == 2
    assert f"{name}: is outside {project}, and not opened" in outcome.messages
    assert outcome.opened(outside) == []


def test_recursion_does_not_lead_outside(watched, project: Path, outside: Path) -> None:
    (outside / "x.sdf").write_text(FILLABLE)
    (project / "m.sdf").write_text(FILLABLE.replace("<link", "<include><uri>../outside/x.sdf</uri></include><link"))
    outcome = watched("fill", "--recursive", "--confine", ".", "m.sdf")
    assert outcome.status == 2
    assert (outside / "x.sdf").read_text() == FILLABLE
    assert outcome.opened(outside) == []


def test_what_is_inside_is_found_by_every_way(watched, project: Path) -> None:
    (project / "robot/meshes").mkdir(parents=True)
    (project / "robot/package.xml").write_text("<package><name>robot_description</name></package>")
    (project / "robot/meshes/m.obj").write_text(OBJ_TETRAHEDRON)
    (project / "robot/meshes/m.gltf").write_text(gltf_with("deeper/m.bin"))
    (project / "robot/meshes/deeper").mkdir()
    (project / "robot/meshes/real.bin").write_bytes(BUFFER)
    (project / "robot/meshes/deeper/m.bin").symlink_to("../real.bin")
    uris = ["robot/meshes/m.obj", "model://robot/meshes/m.obj", "package://robot_description/meshes/m.obj"]
    uris += [f"file://{project}/robot/meshes/m.obj", "sub/../robot/meshes/m.obj", "robot/meshes/m.gltf"]
    for number, uri in enumerate(uris):
        (project / f"{number}.sdf").write_text(asking_mesh(uri))
    outcome = watched("fill", "-q", "--confine", ".", ".")
    assert (outcome.status, outcome.messages) == (0, "")
