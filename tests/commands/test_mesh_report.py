"""The command `mesh` over directories and globs, and the JSON lines that it writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders.meshes import OBJ_BOX, box, cube, joined, obj
from builders.meshes import OBJ_OPEN as OPEN

if TYPE_CHECKING:
    from builders.commands import Run

BOX = OBJ_BOX.replace("f", "o post\nf", 1)
TWO = obj(joined(box((1.0, 2.0, 3.0)), cube((0.0, 0.0, 5.0))))


@pytest.fixture
def tree(project: Path) -> Path:
    (project / "meshes/below").mkdir(parents=True)
    for name, text in (("a/box", BOX), ("open", OPEN), ("below/two", TWO)):
        path = project / f"meshes/{name}.obj"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (project / "meshes/broken.stl").write_bytes(b"solid")
    (project / "meshes/notes.txt").write_text("no mesh")
    (project / "meshes/.hidden").mkdir()
    (project / "meshes/.hidden/box.obj").write_text(BOX)
    (project / "meshes/build").mkdir()
    (project / "meshes/build/box.obj").write_text(BOX)
    return project


def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("t.jsonl").read_text().splitlines()]


FILES = ["meshes/open.obj", "meshes/a/box.obj", "meshes/below/two.obj"]


@pytest.mark.parametrize(
    ("paths", "files"),
    [
        (["meshes"], FILES),
        (["meshes/*.obj"], ["meshes/open.obj"]),
        (["meshes/**/*.obj"], ["meshes/a/box.obj", "meshes/below/two.obj", "meshes/build/box.obj", "meshes/open.obj"]),
        (["meshes/b*"], ["meshes/below/two.obj", "meshes/build/box.obj"]),
        (["meshes/below", "meshes/*.obj"], ["meshes/below/two.obj", "meshes/open.obj"]),
    ],
    ids=" ".join,
)
def test_directories_and_globs_stand_for_their_mesh_files(command, tree, paths, files):
    command("mesh", *paths, "--report", "t.jsonl")
    assert [line["path"] for line in lines()] == files


@pytest.mark.parametrize("jobs", ["1", pytest.param("3", marks=pytest.mark.slow)])
def test_the_lines_are_the_records_that_are_printed_as_json(command: Run, tree: Path, jobs: str) -> None:
    options = ("--density", "10", "--scale", "0.1 0.7 1.3")
    outcome = command("mesh", "meshes", *options, "--report", "t.jsonl", "--jobs", jobs)
    assert (outcome.status, outcome.output) == (2, b"")
    *errors, last = outcome.messages.splitlines()
    assert last == "4 files: 2 weighed, 1 without a mass, 1 refused."
    assert [error.split(":")[0] for error in errors] == ["meshes/broken.stl"]
    printed = command("mesh", "meshes", *options, "--format", "json")
    assert printed.status == 2
    assert lines() == json.loads(printed.output)


def test_a_report_that_cannot_be_written_is_one_error(command: Run, tree: Path) -> None:
    outcome = command("mesh", "meshes/a", "--report", "gone/t.jsonl")
    (line,) = outcome.messages.splitlines()
    assert (outcome.status, line.startswith("gone/t.jsonl: ")) == (2, True)
