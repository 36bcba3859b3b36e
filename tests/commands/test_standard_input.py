"""Standard input is read alike by every command: its place, its end, and what goes with it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from builders.documents import inertial, one_link
from builders.meshes import OBJ_TETRAHEDRON

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

MODEL = one_link(inertial(1.0, (2.0, 1.0, 1.0, 0.0, 0.0, 0.0))).decode()
COMMANDS = {
    "fill": ("fill", "-"),
    "check": ("check", "-"),
    "show": ("show", "-"),
    "scale": ("scale", "-", "--link", "m::l", "--mass", "2"),
}
every_command = pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS.keys())


@every_command
def test_every_command_reads_standard_input_by_the_name_that_it_is_given(command, arguments):
    outcome = command(*arguments, stdin=MODEL.encode())
    assert outcome.status == 0, outcome.messages
    assert "not found" not in outcome.messages
    told = [command(*arguments, *name, stdin=b"<sdf") for name in ((), ("--stdin-filename", "arm/x.sdf"))]
    assert [outcome.status for outcome in told] == [2, 2]
    assert "<stdin>:1:" in told[0].messages + told[0].output.decode()
    assert "arm/x.sdf:1:" in told[1].messages + told[1].output.decode()


@pytest.mark.parametrize("name", ["fill", "check", "show", "mesh"])
def test_standard_input_goes_with_no_other_path(command: Run, project: Path, name: str) -> None:
    (project / "m.sdf").write_text(MODEL)
    outcome = command(name, "-", "m.sdf", stdin=MODEL.encode())
    assert outcome.status == 2
    assert "standard input" in outcome.messages


@pytest.mark.parametrize("arguments", [*COMMANDS.values(), ("mesh", "-")], ids=[*COMMANDS, "mesh"])
def test_a_place_without_standard_input_is_misuse(command: Run, project: Path, arguments: tuple[str, ...]) -> None:
    (project / "m.sdf").write_text(MODEL)
    named = ["m.sdf" if argument == "-" else argument for argument in arguments]
    outcome = command(*named, "--stdin-filename", "x.sdf")
    assert outcome.status == 2
    assert outcome.messages == "--stdin-filename needs - as the only path\n"
    assert (project / "m.sdf").read_text() == MODEL


@pytest.mark.parametrize(
    ("arguments", "how"),
    [(arguments, ("<&-", "0> out")[number % 2]) for number, arguments in enumerate(COMMANDS.values())],
    ids=COMMANDS,
)
def test_standard_input_that_cannot_be_read_is_one_error(project: Path, arguments: tuple[str, ...], how: str) -> None:
    script = f'exec "$0" -m sdfinertia "$@" {how}'
    done = subprocess.run(["sh", "-c", script, sys.executable, *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("<stdin>: ")


def test_what_is_excluded_passes_through_or_is_passed_over(command: Run) -> None:
    excluded = ("--stdin-filename", "x.sdf", "--exclude", "x.sdf")
    assert command("fill", "-", *excluded, stdin=b"<sdf").output == b"<sdf"
    outcome = command("check", "-", *excluded, stdin=b"<sdf")
    assert (outcome.status, outcome.output) == (0, b"")


@pytest.mark.parametrize("name", ["mesh", "show"])
def test_a_mesh_is_read_from_standard_input_by_its_suffix(command: Run, project: Path, name: str) -> None:
    (project / "part.obj").write_text(OBJ_TETRAHEDRON)
    there = command(name, "part.obj")
    assert there.status == 0
    os.unlink(project / "part.obj")
    assert command(name, "-", "--stdin-filename", "part.obj", stdin=OBJ_TETRAHEDRON.encode()) == there


def test_a_mesh_without_a_suffix_is_refused_with_the_way_to_give_it_one(command: Run) -> None:
    outcome = command("mesh", "-", stdin=OBJ_TETRAHEDRON.encode())
    assert outcome.status == 2
    assert "--stdin-filename part.stl" in outcome.messages
