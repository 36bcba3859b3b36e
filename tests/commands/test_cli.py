from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from builders.documents import BOX_FILE

import sdfinertia

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

BOX = BOX_FILE.replace('name="c">', 'name="c"><density>1000</density>')
NOT_SDF = "<launch name='r'/>\n"
PLANE = BOX.replace("<box><size>1 2 3</size></box>", "<plane><normal>0 0 1</normal></plane>")
HAND_WRITTEN = BOX.replace('<inertial auto="true"/>', "<inertial><mass>12</mass></inertial>")
TWO_LINKS = """\
<sdf version="1.12">
  <model name="m">
    <link name="good">
      <inertial auto="true"/>
      <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>
    </link>
    <link name="other">
      <inertial auto="true"/>
      <collision name="c"><geometry>SHAPE</geometry></collision>
    </link>
  </model>
</sdf>
"""
TWO_GOOD = TWO_LINKS.replace("SHAPE", "<sphere><radius>0.5</radius></sphere>")
ONE_FAILS = TWO_LINKS.replace("SHAPE", "<plane/>")


def masses(path: Path) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for link in ElementTree.parse(path).iter("link"):
        text = link.findtext("inertial/mass")
        found[link.attrib["name"]] = None if text is None else float(text)
    return found


# What is written ------------------------------------------------------------------------------------------------------


def test_a_file_is_filled_in_place(command: Run, project: Path) -> None:
    path = project / "m.sdf"
    path.write_text(BOX)
    assert command("fill", "m.sdf").status == 0
    inertial = ElementTree.parse(path).find("model/link/inertial")
    assert "auto" not in inertial.attrib
    assert inertial.findtext("mass") == "6000"
    assert inertial.findtext("pose") == "0 0 0 0 0 0"
    assert [inertial.findtext(f"inertia/{name}") for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")] == [
        "6500", "0", "0", "5000", "0", "2500",
    ]  # fmt: skip


def test_a_second_run_does_not_touch_the_file(command: Run, project: Path) -> None:
    path = project / "m.sdf"
    path.write_text(BOX)
    command("fill", "m.sdf")
    before, content = path.stat(), path.read_bytes()
    outcome = command("fill", "m.sdf")
    after = path.stat()
    assert outcome.status == 0
    assert path.read_bytes() == content
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert "1 file unchanged" in outcome.messages


def test_the_version_is_that_of_the_package(command: Run) -> None:
    outcome = command("--version")
    assert (outcome.status, outcome.output.decode()) == (0, f"sdfinertia {sdfinertia.__version__}\n")


# Standard input and output --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(HAND_WRITTEN.encode(), id="nothing to fill"),
        pytest.param(HAND_WRITTEN.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(b"\xef\xbb\xbf" + HAND_WRITTEN.rstrip().encode(), id="BOM and no final newline"),
        pytest.param(HAND_WRITTEN.replace("m</", "\xb5</").encode("latin-1"), id="latin-1"),
    ],
)
def test_what_needs_no_filling_passes_through_byte_for_byte(process: Run, document: bytes) -> None:
    outcome = process("fill", "-", stdin=document)
    assert (outcome.status, outcome.output) == (0, document)


def test_the_name_of_standard_input_decides_where_uris_resolve(command: Run, project: Path) -> None:
    posed = BOX.replace("<density>", '<pose relative_to="part"/><density>')
    world = posed.replace(
        '  <link name="body">', "<include><uri>part.sdf</uri><pose>0 0 5 0 0 0</pose></include><link name='body'>"
    )
    (project / "models").mkdir()
    (project / "models/part.sdf").write_text('<sdf version="1.12"><model name="part"><link name="l"/></model></sdf>')
    (project / "models/outer.sdf").write_text("kept")
    outcome = command("fill", "-", "--stdin-filename", "models/outer.sdf", stdin=world.encode())
    assert outcome.status == 0, outcome.messages
    assert b"<pose>0 0 5 0 0 0</pose>\n        <mass>" in outcome.output
    assert (project / "models/outer.sdf").read_text() == "kept"
    assert command("fill", "-", stdin=world.encode()).status == 2


# -o -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["m.sdf", "models", "-"], ids=["a file", "a directory of one file", "standard input"])
@pytest.mark.parametrize("document", [BOX, HAND_WRITTEN], ids=["changed", "nothing to change"])
def test_output_is_written_whether_or_not_anything_changed(command, project, document, path):
    (project / "models").mkdir()
    for name in ("m.sdf", "models/m.sdf"):
        (project / name).write_text(document)
    assert command("fill", path, "-o", "out.sdf", stdin=document.encode())[:2] == (0, b"")
    assert (project / "m.sdf").read_text() == document
    assert masses(project / "out.sdf") == {"body": 6000.0 if document is BOX else 12.0}
    assert ((project / "out.sdf").read_text() == document) == (document is HAND_WRITTEN)


# --diff and --check ---------------------------------------------------------------------------------------------------

LONG = BOX.replace("</model>", "".join(f"    <!-- line {n} -->\n" for n in range(40)) + "</model>", 1)
FAR_APART = TWO_GOOD.replace("    <link name=", "".join(f"    <!-- {n} -->\n" for n in range(20)) + "    <link name=")
DIFFED = {
    "LF": BOX.encode(),
    "CRLF": BOX.replace("\n", "\r\n").encode(),
    "no final newline": BOX.rstrip().encode(),
    "CRLF without final newline": BOX.replace("\n", "\r\n").rstrip().encode(),
    "one line without newline": b'<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/>'
    b'<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link></model></sdf>',
    "lone CR": BOX.replace("\n", "\r").encode(),
    "latin-1": BOX.replace('"m"', '"\xb5"').encode("latin-1"),
    "changed near the top": LONG.encode(),
    "two hunks": FAR_APART.encode(),
}


def diff_of(process: Run, project: Path, name: str, document: bytes) -> tuple[bytes, bytes]:
    """The diff of a file, which is still as it was, and what filling makes of it."""
    path = project / name
    path.write_bytes(document)
    outcome = process("fill", name, "--diff")
    assert outcome.status == 0, outcome.messages
    assert path.read_bytes() == document
    return outcome.output, process("fill", name, "-o", "-").output


@pytest.mark.skipif(shutil.which("git") is None or shutil.which("patch") is None, reason="needs git and patch")
@pytest.mark.parametrize("tool", ["git", "patch"])
@pytest.mark.parametrize("case", DIFFED)
def test_git_and_patch_apply_the_diff(command: Run, project: Path, tool: str, case: str) -> None:
    diff, filled = diff_of(command, project, "m.sdf", DIFFED[case])
    if tool == "git":
        git_apply(project, diff)
    else:
        subprocess.run(["patch", "--binary", "-p0", "--fuzz=0"], input=diff, check=True, capture_output=True)
    assert (project / "m.sdf").read_bytes() == filled


def git_apply(project: Path, diff: bytes) -> None:
    shutil.rmtree(project / ".git")
    subprocess.run(["git", "init", "-q", "."], check=True, capture_output=True)
    done = subprocess.run(["git", "apply", "-p0", "--whitespace=nowarn"], input=diff, capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("document", "arguments", "status", "shows_diff"),
    [
        (BOX, ("--check",), 1, False),
        (BOX, ("--check", "--diff"), 1, True),
        (BOX, ("--diff",), 0, True),
        (HAND_WRITTEN, ("--check",), 0, False),
        (HAND_WRITTEN, ("--check", "--diff"), 0, False),
        (NOT_SDF, ("--check",), 2, False),
        (ONE_FAILS, ("--check",), 2, False),
        (ONE_FAILS, ("--check", "--diff", "--keep-going"), 2, True),
    ],
)
@pytest.mark.parametrize("stream", [False, True], ids=["file", "stream"])
def test_check_and_diff_write_nothing_and_tell_by_status(
    command: Run, project: Path, document: str, arguments: tuple[str, ...], status: int, shows_diff: bool, stream: bool
) -> None:
    (project / "m.sdf").write_text(document)
    outcome = command("fill", "-" if stream else "m.sdf", *arguments, stdin=document.encode())
    assert (outcome.status, outcome.output != b"") == (status, shows_diff)
    assert (project / "m.sdf").read_text() == document
    assert sorted(os.listdir(project)) == [".git", "m.sdf"]


# Several files, several links -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [NOT_SDF, PLANE, "", None], ids=["not SDF", "failed link", "empty", "missing"])
@pytest.mark.parametrize("by_directory", [False, True], ids=["files", "directory"])
def test_one_bad_file_stops_no_other(command: Run, project: Path, bad: str | None, by_directory: bool) -> None:
    (project / "models").mkdir()
    (project / "models/a.sdf").write_text(BOX)
    (project / "models/c.sdf").write_text(BOX)
    if bad is not None:
        (project / "models/bad.sdf").write_text(bad)
    elif by_directory:
        (project / "models/bad.sdf").mkdir()
    paths = ["models/bad.sdf", "models"] if by_directory else ["models/a.sdf", "models/bad.sdf", "models/c.sdf"]
    outcome = command("fill", *paths)
    assert outcome.status == 2
    assert masses(project / "models/a.sdf") == masses(project / "models/c.sdf") == {"body": 6000.0}
    assert bad is None or (project / "models/bad.sdf").read_text() == bad
    assert "models/bad.sdf" in outcome.messages


def test_nothing_is_written_of_a_file_with_a_failed_link(command: Run, project: Path) -> None:
    (project / "m.sdf").write_text(ONE_FAILS)
    outcome = command("fill", "m.sdf")
    assert outcome.status == 2
    assert "m.sdf:9:7: link 'm::other', collision 'c': " in outcome.messages
    assert "m.sdf: not written, since 1 link failed\n" in outcome.messages
    assert command("fill", "m.sdf", "-o", "out.sdf").status == 2
    assert command("fill", "-", stdin=ONE_FAILS.encode())[:2] == (2, b"")
    assert (project / "m.sdf").read_text() == ONE_FAILS
    assert not (project / "out.sdf").exists()


def test_keep_going_writes_the_links_that_succeed(command: Run, project: Path) -> None:
    (project / "m.sdf").write_text(ONE_FAILS)
    outcome = command("fill", "m.sdf", "--keep-going")
    assert outcome.status == 2
    assert masses(project / "m.sdf") == {"good": 1000.0, "other": None}
    assert '<inertial auto="true"/>' in (project / "m.sdf").read_text()


# --recursive ----------------------------------------------------------------------------------------------------------


def including(*uris: str) -> str:
    includes = "".join(f"<include><uri>{uri}</uri></include>" for uri in uris)
    return f'<sdf version="1.12"><world name="w">{includes}</world></sdf>'


@pytest.mark.parametrize(
    ("arguments", "filled"),
    [((), []), (("--recursive",), ["part", "deep"]), (("--recursive", "--exclude", "deep"), ["part"])],
)
def test_recursive_fills_included_files_and_those_they_include(command, project, arguments, filled):
    nested = BOX.replace("</model>", "<include><uri>model://deep</uri></include></model>")
    for name, text in (("part", nested), ("deep", BOX)):
        (project / name).mkdir()
        (project / name / "model.config").write_text("<model><sdf version='1.12'>model.sdf</sdf></model>")
        (project / name / "model.sdf").write_text(text)
    (project / "w.sdf").write_text(including("model://part"))
    outcome = command("fill", "w.sdf", *arguments)
    assert outcome.status == 0, outcome.messages
    assert [name for name in ("part", "deep") if masses(project / name / "model.sdf") == {"body": 6000.0}] == filled


def test_recursive_passes_over_what_comes_from_the_network(command, project, monkeypatch):
    cached = project.parent / "fuel" / "fuel.gazebosim.org" / "o" / "models" / "thing" / "1"
    cached.mkdir(parents=True)
    (cached / "model.config").write_text("<model><sdf version='1.12'>model.sdf</sdf></model>")
    (cached / "model.sdf").write_text(BOX)
    monkeypatch.setenv("GZ_FUEL_CACHE_PATH", str(project.parent / "fuel"))
    fuel = "https://fuel.gazebosim.org/1.0"
    (project / "w.sdf").write_text(including(f"{fuel}/O/models/Thing", f"{fuel}/openrobotics/models/ground plane"))
    outcome = command("fill", "w.sdf", "--recursive")
    assert outcome.status == 0, outcome.messages
    assert (cached / "model.sdf").read_text() == BOX


# --exclude ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern",
    ["old", "old/", "models/old", "models/old/*", "*/old/*.sdf", "m.sdf", "*.sdf", "models", "{project}/models"],
)
def test_exclude_holds_for_walked_and_for_named_files(command: Run, project: Path, pattern: str) -> None:
    (project / "models" / "old").mkdir(parents=True)
    path = project / "models" / "old" / "m.sdf"
    path.write_text(BOX)
    for named in ("models/old/m.sdf", "models", "."):
        assert command("fill", named, "--exclude", pattern.format(project=project)).status == 0
    assert path.read_text() == BOX


# What is said ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", [BOX_FILE, HAND_WRITTEN, TWO_GOOD.replace(' version="1.12"', "")])
@pytest.mark.parametrize("arguments", [(), ("--diff",), ("--check",), ("-o", "out.sdf"), ("-o", "-")])
def test_quiet_says_nothing_on_success(command: Run, project: Path, document: str, arguments: tuple[str, ...]) -> None:
    (project / "m.sdf").write_text(document)
    assert command("fill", "-q", "m.sdf", *arguments).messages == ""


def test_an_edited_block_is_reported_and_left(command: Run, project: Path) -> None:
    (project / "m.sdf").write_text(BOX)
    command("fill", "m.sdf")
    edited = (project / "m.sdf").read_text().replace("<ixx>6500<", "<ixx>6501<")
    (project / "m.sdf").write_text(edited)
    outcome = command("fill", "m.sdf")
    assert outcome.status == 0
    assert (project / "m.sdf").read_text() == edited
    assert "m::body" in outcome.messages
    assert "--overwrite-edited" in outcome.messages
    command("fill", "m.sdf", "--overwrite-edited")
    assert "<ixx>6500<" in (project / "m.sdf").read_text()


def test_a_write_that_fails_is_not_counted_as_done(command, project, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    (project / "m.sdf").write_text(BOX)
    monkeypatch.setattr(os, "replace", refuse)
    outcome = command("fill", "m.sdf")
    assert outcome.status == 2
    assert "No space left on device" in outcome.messages
    assert "filled in 1 file" not in outcome.messages
