"""A file of the wrong kind, or a document without a place, is refused with what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
MODEL = (
    '<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry>'
    "<mesh><uri>meshes/part.obj</uri></mesh></geometry></collision></link></model></sdf>\n"
)


@pytest.mark.parametrize("name", ["fill", "check"])
@pytest.mark.parametrize("file", ["part.obj", "PART.STL"])
def test_a_mesh_is_sent_to_the_command_for_meshes(command: Run, project: Path, name: str, file: str) -> None:
    (project / file).write_text(TETRAHEDRON)
    outcome = command(name, "-q", file)
    assert (outcome.status, outcome.output) == (2, b"")
    assert outcome.messages == f"{file}: is a mesh, not SDF; try `sdfinertia mesh {file}`\n"


def test_a_model_with_the_name_of_a_mesh_is_a_model(command: Run, project: Path) -> None:
    (project / "m.obj").write_text(
        MODEL.replace("<mesh><uri>meshes/part.obj</uri></mesh>", "<sphere><radius>1</radius></sphere>")
    )
    assert command("fill", "-q", "m.obj").status == 0


@pytest.mark.parametrize("name", ["fill", "check", "show"])
@pytest.mark.parametrize(("file", "directory"), [("model.config", "."), ("arm/model.config", "arm")])
def test_a_model_config_is_sent_to_its_directory(command, project, name, file, directory):
    (project / "arm").mkdir()
    (project / file).write_text("<model><sdf version='1.12'>m.sdf</sdf></model>")
    outcome = command(name, file)
    assert outcome.status == 2
    assert outcome.messages.startswith(f"{file}: refers to a model, and is not one; give its directory: {directory}\n")


@pytest.mark.parametrize("name", ["fill", "check"])
def test_standard_input_whose_files_are_not_found_is_told_how_to_get_a_place(command, project, name):
    told = command(name, "-", stdin=MODEL.encode())
    assert told.status == 2
    assert "say where the file belongs with --stdin-filename" in told.messages + told.output.decode()
    told = command(name, "-", "--stdin-filename", "arm/m.sdf", stdin=MODEL.encode())
    assert "--stdin-filename" not in told.messages + told.output.decode()


# Nothing to look at ---------------------------------------------------------------------------------------------------
