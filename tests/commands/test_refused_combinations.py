"""Command lines that cannot be meant are refused in one line, before any work: with status 2, and nothing written."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from builders.documents import collision, inertial, link, model, sdf
from builders.meshes import OBJ_TETRAHEDRON

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

# Words of the command line, and what is said of them.
REFUSED = {
    "scale m.sdf --link l": "one of --mass, --density and --size, not 0",
    "scale m.sdf --link l --mass 1 --size 2": "not 2",
    "scale m.sdf --link l --mass 0": "--mass must be a number above zero, not 0",
    "scale m.sdf --link l --mass nan": "--mass must be a number above zero, not nan",
    "scale m.sdf --link l --density -1": "--density must be a number above zero, not -1",
    "scale m.sdf --link l --density inf": "--density must be a number above zero, not inf",
    "scale m.sdf --link l --size 0": "--size takes",
    "scale m.sdf --link l --size '1 2'": "--size takes",
    "scale m.sdf --link l --size ''": "--size takes",
    "scale m.sdf --link l --size '1 nan 1'": "--size takes",
    "mesh t.obj --submesh x --list": "'x'",
    # Outputs.
    "fill m.sdf -o out.sdf --check": "-o",
    "fill m.sdf -o out.sdf --diff": "-o",
    "fill m.sdf -o out.sdf --recursive": "-o",
    "fill m.sdf --report report.txt": "report.txt",
    "fill m.sdf --report report": "report",
    "fill m.sdf --report report.json.gz": "report.json.gz",
    "check m.sdf --report findings.txt": "findings.txt",
    "show m.sdf --report page.md": "name it .html",
    "scale m.sdf --link l --mass 1 -o x --diff": "--diff writes none",
    "mesh t.obj --report t.txt": "name it .jsonl",
    "mesh t.obj --report t.jsonl.gz": "name it .jsonl",
    "check --diff m.sdf": "--diff needs --fix",
    "check --fix --diff --format json m.sdf": "--diff cannot be combined with --format json",
    "check --fix -": "--fix cannot be combined with -, for it writes to files",
    # Rules.
    "check m.sdf --select SDI999": "SDI999",
    "check m.sdf --ignore F401": "F401",
    "check m.sdf --select ''": "''",
    "check m.sdf --baseline gone.json": "gone.json",
    "check --select SDI1 --ignore SDI1 m.sdf": "no rule is left to check",
    "check --ignore ALL m.sdf": "no rule is left to check",
}
# What click refuses, below the usage of the command.
NOT_PARSED = {
    "fill": "PATH",
    "check": "PATH",
    "repair m.sdf --by magic": "magic",
    "rules SDI999": "there is no rule SDI999; `sdfinertia rules` lists them",
    "rules SDI1": "no rule",
    "rules ''": "no rule",
    "fill m.sdf --auto false": "--auto is gone: filling removes",
    "check m.sdf --unsafe-fixes": "--unsafe-fixes is gone: use `sdfinertia fill --missing`",
    "check --statistics --watch m.sdf": "--statistics is gone",
    "check --explain SDI101": "--explain is gone: use `sdfinertia rules CODE`",
    "mesh m.stl --json": "--json is gone: use --format json",
    "mesh t.obj --max-mesh-bytes 9": "--max-mesh-bytes is gone: a mesh may have 1 GiB",
    "fill m.sdf --density -1": "density must be a number above zero, not -1",
    "fill m.sdf --density inf": "density must be",
    "fill m.sdf --total-mass 0": "total-mass must be",
    "fill m.sdf --digits 18": "digits must be from 1 to 17, not 18",
    "fill m.sdf --digits 30": "digits must be",
    "fill m.sdf --cache d": "--cache is gone: set the environment variable SDFINERTIA_CACHE_DIR",
    "check m.sdf --spin 1": "--spin is not an option here: set spin in sdfinertia.toml",
    "edit m.sdf --voxel-size 1": "--voxel-size is not an option here: set voxel-size in sdfinertia.toml",
    "lsp --select ALL": "--select is not an option here: set select in sdfinertia.toml",
    "fill m.sdf --no-refresh": "--no-refresh is not an option here: set no-refresh in sdfinertia.toml",
    "fill m.sdf --densty 1": "--densty",
    "fill m.sdf --density heavy": "heavy",
    "fill m.sdf --digits 1.5": "1.5",
    "fill m.sdf --axes world": "world",
    "fill m.sdf --jobs 0": "--jobs",
    "check m.sdf --jobs two": "--jobs",
    "show m.sdf --density 0": "must be ",
    "check m.sdf --format yaml": "yaml",
    "check m.sdf --fixx": "--fixx",
    "mesh t.obj --scale 0": "--scale",
    "mesh t.obj --scale '1 2'": "--scale",
    "mesh t.obj --scale nan": "--scale",
    "mesh t.obj --scale 1,2,3": "--scale",
    "mesh t.obj --scale '1 0 1'": "--scale",
    "mesh t.obj --density -1": "density",
    "mesh t.obj --as urdf --format json": "--as",
    "mesh t.obj --as urdf --list": "--as",
    "mesh t.obj --as urdf --report t.jsonl": "--as",
    "mesh t.obj --report t.jsonl --format json": "--report",
    "mesh t.obj --report t.jsonl --list": "--list",
    "mesh t.obj --jobs 2": "--report",
}


@pytest.fixture
def files(project: Path) -> dict[str, bytes]:
    (project / "m.sdf").write_bytes(sdf(model(link(inertial(1.0, (1.0, 1.0, 1.0)), collision()))))
    (project / "t.obj").write_text("o t\n" + OBJ_TETRAHEDRON)
    return contents(project)


def contents(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in project.iterdir() if path.is_file()}


@pytest.mark.parametrize(("words", "problem"), REFUSED.items(), ids=REFUSED)
def test_what_cannot_be_meant_is_one_line(command, project, files, words, problem):
    outcome = command(*shlex.split(words))
    assert (outcome.status, outcome.output) == (2, b"")
    assert problem in outcome.messages
    assert len(outcome.messages.splitlines()) == 1
    assert contents(project) == files


@pytest.mark.parametrize(("words", "problem"), NOT_PARSED.items(), ids=NOT_PARSED)
def test_what_does_not_parse_comes_with_the_usage(command, project, files, words, problem):
    outcome = command(*shlex.split(words))
    assert (outcome.status, outcome.output) == (2, b"")
    assert outcome.messages.startswith(f"Usage: sdfinertia {words.split(maxsplit=1)[0]} ")
    assert problem in outcome.messages
    assert contents(project) == files


def test_a_rule_that_the_configuration_ignores_is_not_all_that_is_selected(command, project, files):
    (project / "sdfinertia.toml").write_text('ignore = ["SDI105"]\n')
    outcome = command("check", "--select", "SDI105", "m.sdf")
    assert (outcome.status, "no rule is left to check" in outcome.messages) == (2, True)


@pytest.mark.parametrize("name", ["theta", "pi_o"])
def test_the_largest_densities_have_a_notation(command: Run, files: dict[str, bytes], name: str) -> None:
    outcome = command("mesh", "t.obj", "--density", "1.797e308", "--as", name)
    assert (outcome.status, outcome.messages) == (0, "")
    assert b"inf" not in outcome.output
    assert b"nan" not in outcome.output


def test_the_names_of_a_submesh_are_its_own(command: Run, files: dict[str, bytes]) -> None:
    assert command("mesh", "t.obj", "--submesh", "t", "--list").output.decode() == "t.obj\n  t  4 faces\n"
