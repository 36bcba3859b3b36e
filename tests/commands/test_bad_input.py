"""Whatever a path or a file turns out to be, the command ends soon, with one clear error and nothing written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders.meshes import OBJ_TETRAHEDRON

if TYPE_CHECKING:
    from builders.commands import Run

SECRET = "hunter2-correct-horse"


def link(content: str = "", name: str = "body", inertial: str = '<inertial auto="true"/>') -> str:
    return f'\n    <link name="{name}">{inertial}{content}</link>'


def collision(shape: str, name: str = "c", pose: str = "") -> str:
    return f'\n      <collision name="{name}">{pose}<geometry>{shape}</geometry></collision>'


def model(*links: str) -> str:
    return f'<sdf version="1.12">\n  <model name="m">{"".join(links)}\n  </model>\n</sdf>\n'


BOX = "<box><size>1 2 3</size></box>"
GOOD = model(link(collision(BOX)))


def mesh(uri: str) -> str:
    return f"<mesh><uri>{uri}</uri></mesh>"


def nested_models(depth: int) -> str:
    opening = "".join(f'<model name="n{level}">' for level in range(depth))
    return f'<sdf version="1.12">{opening}{link(collision(BOX))}{"</model>" * depth}</sdf>'


def snapshot(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


# Of each kind one; tests/sdf/test_document.py has what is not well-formed. Content, place
#  of the error, what the message must say.
CONTENTS = {
    "empty": (b"", "bad.sdf:1:1", "<sdf>"),
    "ELF": (b"\x7fELF\x02\x01\x01\0\0\0", "bad.sdf:1:8", "NUL"),
    "other XML, broken": (f"<settings>\n<a b='{SECRET}'>{SECRET}</c></settings>".encode(), "bad.sdf:2:", ""),
    "launch": (b"<launch name='r'/>", "bad.sdf:1:1", "is a ROS launch file"),
    "HTML": (f"<!DOCTYPE html><html>{SECRET}</html>".encode(), "bad.sdf:1:1", "is a web page (HTML)"),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\n", "bad.sdf:1:1", "is a Git LFS pointer"),
    "ZIP": (b"PK\x03\x04\0", "bad.sdf:1:1", "is a ZIP archive"),
    "a mesh": (b'<COLLADA version="1.4.1"/>', "bad.sdf:1:1", "is a COLLADA mesh"),
    "truncated in a tag": (GOOD[: GOOD.index('"body"')].encode(), "bad.sdf:3:5", "tag"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "where", "said"), CONTENTS.values(), ids=CONTENTS.keys())
def test_a_file_that_is_no_sdf_is_refused_in_one_line(command, project, content, where, said):
    (project / "bad.sdf").write_bytes(content)
    before = snapshot(project)
    outcome = command("fill", "-q", "bad.sdf")
    assert (outcome.status, outcome.output) == (2, b"")
    assert outcome.messages.startswith(where)
    assert re.match(r"bad\.sdf:\d+:\d+: ", outcome.messages)
    assert said in outcome.messages
    assert len(outcome.messages.splitlines()) == 1
    assert len(outcome.messages) < 300
    assert SECRET not in outcome.messages
    assert snapshot(project) == before


# In a process, whose stack is no deeper than a user's.
@pytest.mark.parametrize("depth", [10, 990])
def test_models_nested_as_deep_as_a_file_may_be_end_in_a_result_or_one_error(process, project, depth):
    (project / "m.sdf").write_text(nested_models(depth))
    outcome = process("fill", "-q", "m.sdf")
    assert "Traceback" not in outcome.messages
    if outcome.status == 0:
        assert "<mass>6000</mass>" in (project / "m.sdf").read_text()
    else:
        assert (outcome.status, len(outcome.messages.splitlines())) == (2, 1)
        assert outcome.messages.startswith("m.sdf:")


# What the path is -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["model.sdf.erb", "model.sdf.jinja2", "MODEL.SDF.EM"])
def test_a_template_is_refused_by_name(command: Run, project: Path, name: str) -> None:
    (project / name).write_text(GOOD)
    outcome = command("fill", "-q", name)
    (line,) = outcome.messages.splitlines()
    assert (outcome.status, line.startswith(f"{name}: "), "fill -" in line) == (2, True, True)
    assert (project / name).read_text() == GOOD


PATHS = {
    "missing": ("gone.sdf", "not found"),
    "missing directory": ("gone/m.sdf", "not found"),
    "parent is a file": ("good.sdf/m.sdf", ""),
    "directory without SDF": ("empty", "no SDF"),
    "directory named like a file": ("folder.sdf", "no SDF"),
    "dangling link": ("dangling.sdf", ""),
    "link to itself": ("loop.sdf", ""),
    "name too long": ("x" * 5000 + ".sdf", ""),
    "empty name": ("", ""),
    "name with spaces": ("no such model.sdf", "not found"),
    "name that looks like an option": ("./--density", "not found"),
}


@pytest.mark.parametrize(("path", "said"), PATHS.values(), ids=PATHS.keys())
def test_a_path_that_leads_nowhere_is_refused_in_one_line(command: Run, project: Path, path: str, said: str) -> None:
    (project / "good.sdf").write_text(GOOD)
    for directory in ("empty", "folder.sdf"):
        (project / directory).mkdir()
    (project / "dangling.sdf").symlink_to("nowhere")
    (project / "loop.sdf").symlink_to("loop.sdf")
    before = snapshot(project)
    outcome = command("fill", "-q", path)
    assert (outcome.status, outcome.output) == (2, b"")
    assert outcome.messages.startswith(f"{path}: " if path else "")
    assert said in outcome.messages
    assert len(outcome.messages.splitlines()) == 1
    assert "Traceback" not in outcome.messages
    assert snapshot(project) == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/zero and a limit of memory")
def test_an_endless_device_is_refused_and_not_read(project: Path) -> None:
    limited = 'ulimit -v 1000000; exec "$0" -m sdfinertia fill -q /dev/zero'
    done = subprocess.run(["sh", "-c", limited, sys.executable], capture_output=True, timeout=120)
    assert b"Traceback" not in done.stderr
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize("reason", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_a_file_that_cannot_be_read_is_refused_in_one_line(command, project, monkeypatch, reason):
    real_open = os.open

    def refuse(path: Any, *arguments: Any, **keywords: Any) -> int:
        if str(path).endswith("locked.sdf"):
            raise reason
        return real_open(path, *arguments, **keywords)

    (project / "locked.sdf").write_text(GOOD)
    (project / "good.sdf").write_text(GOOD)
    monkeypatch.setattr(os, "open", refuse)
    outcome = command("fill", "-q", "locked.sdf", "good.sdf")
    assert outcome.status == 2
    assert outcome.messages == f"locked.sdf: cannot be read: {reason.strerror}\n"
    assert b"<mass>" in (project / "good.sdf").read_bytes()


NAMES = [
    pytest.param(name, id=kind)
    for kind, name in {
        "space": b"with space.sdf",
        "newline": b"with\nnewline.sdf",
        "escape": b"with\x1b[31mescape.sdf",
        "quotes": b"with'quote\".sdf",
        "not ASCII": "größe-体.sdf".encode(),
        "no UTF-8": b"no-text-\xff\xfe.sdf",
        "dash": b"-dash.sdf",
        "format": b"%s{0}.sdf",
        "markup": b"[bold]x[.sdf",
    }.items()
]


def write_or_skip(path: bytes, content: bytes) -> None:
    try:
        Path(os.fsdecode(path)).write_bytes(content)
    except OSError:
        pytest.skip("the file system has no such names")


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_any_name_is_filled(command: Run, process: Run, project: Path, name: bytes) -> None:
    path = os.path.join(os.fsencode(project), name)
    write_or_skip(path, GOOD.encode())
    # What is no text goes to the streams that Python makes for a process.
    run = process if b"\xff" in name else command
    outcome = run("fill", "--report", "report.json", "--", os.fsdecode(name))
    assert outcome.status == 0, outcome.messages
    assert b"<mass>6000</mass>" in Path(os.fsdecode(path)).read_bytes()
    assert "\x1b" not in outcome.messages


# What is of another kind ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["fill", "check"])
@pytest.mark.parametrize("file", ["part.obj", "PART.STL"])
def test_a_mesh_is_sent_to_the_command_for_meshes(command: Run, project: Path, name: str, file: str) -> None:
    (project / file).write_text(OBJ_TETRAHEDRON)
    outcome = command(name, "-q", file)
    assert (outcome.status, outcome.output) == (2, b"")
    assert outcome.messages == f"{file}: is a mesh, not SDF; try `sdfinertia mesh {file}`\n"


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
    unplaced = model(link(collision(mesh("meshes/part.obj")))).encode()
    told = command(name, "-", stdin=unplaced)
    assert told.status == 2
    assert "say where the file belongs with --stdin-filename" in told.messages + told.output.decode()
    told = command(name, "-", "--stdin-filename", "arm/m.sdf", stdin=unplaced)
    assert "--stdin-filename" not in told.messages + told.output.decode()
