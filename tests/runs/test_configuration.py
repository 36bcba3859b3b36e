from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from builders.documents import BOX_FILE as BOX
from builders.meshes import OBJ_TETRAHEDRON

from sdfinertia.mesh.cache import NAME

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run


def write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def table(content: str) -> str:
    return f"[tool.black]\nline-length = 99\n\n[tool.sdfinertia]\n{content}\n"


# Which file counts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "mass"),
    [
        pytest.param({}, "6000", id="none"),
        pytest.param({"sdfinertia.toml": "density = 1"}, "6", id="own file above"),
        pytest.param({"pyproject.toml": table("density = 1")}, "6", id="shared file above"),
        pytest.param({"a/b/sdfinertia.toml": "density = 1"}, "6", id="own file beside"),
        pytest.param({"a/b/pyproject.toml": table("density = 1")}, "6", id="shared file beside"),
        pytest.param({"sdfinertia.toml": "density = 1", "a/sdfinertia.toml": "density = 2"}, "12", id="nearest own"),
        pytest.param(
            {"pyproject.toml": table("density = 1"), "a/pyproject.toml": table("density = 2")},
            "12",
            id="nearest shared",
        ),
        pytest.param(
            {"a/pyproject.toml": table("density = 1"), "a/sdfinertia.toml": "density = 2"}, "12", id="own before shared"
        ),
        pytest.param(
            {"pyproject.toml": table("density = 1"), "a/pyproject.toml": "[tool.black]\nline-length = 9\n"},
            "6",
            id="a nearer shared file without the table is passed over",
        ),
        pytest.param(
            {"pyproject.toml": table("density = 1"), "a/pyproject.toml": "[project]\ndependencies = ['sdfinertia']\n"},
            "6",
            id="a nearer shared file that only mentions the name is passed over",
        ),
        pytest.param({"a/b/c/sdfinertia.toml": "density = 1"}, "6000", id="below does not count"),
        pytest.param(
            {"a/sdfinertia.toml": "", "sdfinertia.toml": "density = 1"}, "6000", id="an empty own file counts"
        ),
        pytest.param({"a/b/sdfinertia.toml/x": "", "sdfinertia.toml": "density = 1"}, "6", id="a directory is no file"),
    ],
)
def test_the_nearest_configuration_counts(command: Run, project: Path, files: dict[str, str], mass: str) -> None:
    write(project / "a/b/m.sdf", BOX)
    for name, content in files.items():
        write(project / name, content)
    outcome = command("fill", "a/b/m.sdf")
    assert outcome.status == 0, outcome.messages
    assert f"<mass>{mass}</mass>" in (project / "a/b/m.sdf").read_text()


# Keys -----------------------------------------------------------------------------------------------------------------


# That each option has its key is held by tests/commands/test_option_declarations.py.
@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        ("link = '*::body'", "<mass>6000</mass>"),
        ("provenance = false", "<inertial>\n        <pose>"),
        ("no-provenance = true", "<inertial>\n        <pose>"),
        ("no-provenance = false", "<!-- sdfinertia:"),
        ("exclude = ['*.sdf']", '<inertial auto="true"/>'),
    ],
)
def test_keys_are_the_names_of_the_long_options(command, project, configuration, expected):
    write(project / "m.sdf", BOX)
    write(project / "sdfinertia.toml", configuration)
    assert command("fill", "m.sdf").status == 0
    assert expected in (project / "m.sdf").read_text()


# Paths ----------------------------------------------------------------------------------------------------------------

# The pose of the body is given relative to a model that only the search path can find.
PLACED = """\
<sdf version="1.12">
  <model name="outer">
    <include><uri>model://part.sdf</uri><name>part</name><pose>0 0 5 0 0 0</pose></include>
    <link name="body">
      <inertial auto="true"/>
      <collision name="c"><pose relative_to="part"/><geometry><box><size>1 1 1</size></box></geometry></collision>
    </link>
  </model>
</sdf>
"""
PART = '<sdf version="1.12"><model name="p"><link name="l"/></model></sdf>'


@pytest.mark.parametrize("directory", ["", "models"])
@pytest.mark.parametrize("parts", ["assets/parts", "{project}/assets/parts"])
def test_paths_are_relative_to_the_configuration_or_absolute(command, project, monkeypatch, directory, parts):
    write(project / "sdfinertia.toml", f"resource-path = ['{parts.format(project=project)}']")
    write(project / "assets/parts/part.sdf", PART)
    write(project / "models/m.sdf", PLACED)
    monkeypatch.chdir(project / directory)
    outcome = command("fill", project / "models/m.sdf")
    assert outcome.status == 0, outcome.messages
    assert "<pose>0 0 5 0 0 0</pose>\n        <mass>" in (project / "models/m.sdf").read_text()


def test_the_confinement_is_relative_to_the_configuration(command, project, monkeypatch):
    write(project / "part.sdf", PART)
    write(project / "models/m.sdf", PLACED)
    write(project / "sdfinertia.toml", "confine = 'models'")
    monkeypatch.chdir(project / "models")
    outcome = command("fill", "m.sdf")
    assert outcome.status == 2
    assert "outside" in outcome.messages
    write(project / "sdfinertia.toml", "confine = '.'")
    assert command("fill", "m.sdf").status == 0


# Precedence -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<collision name="c">', '<collision name="c"><density>3</density>'),
        ('<inertial auto="true"/>', '<inertial auto="true"><density>3</density></inertial>'),
    ],
    ids=["collision", "link"],
)
def test_the_elements_of_the_file_win_over_both(command: Run, project: Path, old: str, new: str) -> None:
    write(project / "m.sdf", BOX.replace(old, new))
    write(project / "sdfinertia.toml", "density = 1")
    command("fill", "m.sdf", "--density", "2")
    assert "<mass>18</mass>" in (project / "m.sdf").read_text()


@pytest.mark.parametrize(
    ("configuration", "arguments", "expected"),
    [
        ("density = 1", ("--density", "2"), "<mass>12</mass>"),
        ("density = 1", (), "<mass>6</mass>"),
        ("digits = 3", ("--digits", "12"), "<mass>6000</mass>"),
        ("no-provenance = true", ("--provenance",), "<!-- sdfinertia:"),
        ("link = 'nothing'", ("--link", "*"), "<mass>6000</mass>"),
        ("exclude = '*'", ("--exclude", "*.world"), "<mass>6000</mass>"),
    ],
)
def test_the_command_line_wins_over_configuration(command, project, configuration, arguments, expected):
    write(project / "m.sdf", BOX)
    write(project / "sdfinertia.toml", configuration)
    assert command("fill", "m.sdf", *arguments).status == 0
    assert expected in (project / "m.sdf").read_text()


# Mistakes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("densty = 1", "unknown key 'densty'; did you mean density?"),
        ("no_refresh = 1", "did you mean no-refresh?"),
        ("colour = 1", "skip-unsupported"),
        ("jobs = 2", "unknown key 'jobs'"),
        ("auto = 'remove'", "the key 'auto' is gone; filling removes the attribute auto"),
        ("max-mesh-bytes = 10", "the key 'max-mesh-bytes' is gone; a mesh may have 1 GiB"),
        ("open-mesh = 'divergence'", "not 'divergence'; choose fill_holes or convex_hull"),
        ("[fill]\ndensity = 1", "fill"),
        ("density = '7'", "density"),
        ("density = true", "density"),
        ("density = nan", "density"),
        pytest.param(f"density = 1{'0' * 400}", "density", id="an integer beyond all floats"),
        pytest.param(f"density = 1{'0' * 5000}", "TOML", id="more digits than Python reads"),
        pytest.param(f"axes = 0x{'f' * 5000}", "thousands of digits", id="more than it writes"),
        pytest.param(f"digits = 1{'0' * 400}", "from 1 to 17", id="a whole number beyond all floats"),
        pytest.param(f"axes = {'[' * 5000}", "TOML", id="arrays nested too deep"),
        ("digits = 3.0", "digits"),
        ("digits = 0", "digits"),
        ("missing = 1", "missing"),
        ("no-refresh = 'yes'", "no-refresh"),
        ("link = [1]", "link"),
        ("axes = 'world'", "axes"),
        ("confine = ['a']", "confine"),
        ("resource-path = {a = 1}", "resource-path"),
        ("density = 1\ndensity = 2", "TOML"),
        ("\x00", "TOML"),
        ("link = '\udcff'", "utf-8"),
    ],
)
def test_a_mistake_is_one_line_that_names_file_and_key(command, project, content, said):
    write(project / "m.sdf", BOX)
    (project / "sdfinertia.toml").write_bytes(content.encode("utf-8", "surrogateescape"))
    outcome = command("fill", "-q", "m.sdf")
    assert (outcome.status, (project / "m.sdf").read_text()) == (2, BOX)
    (line,) = outcome.messages.splitlines()
    assert line.startswith(f"{project / 'sdfinertia.toml'}: ")
    assert said in line
    assert ("did you mean" in line) == ("did you mean" in said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (table("colour = 'red'"), "colour"),
        ("[tool]\nsdfinertia = 5\n", "sdfinertia"),
        ("[[tool.sdfinertia]]\ndensity = 1\n", "sdfinertia"),
        ("tool = ['sdfinertia']\n", ""),
    ],
)
def test_a_mistake_of_a_shared_file_is_one_line_where_its_table_is_concerned(command, project, content, said):
    write(project / "m.sdf", BOX)
    write(project / "pyproject.toml", content)
    outcome = command("fill", "-q", "m.sdf")
    assert (outcome.status, len(outcome.messages.splitlines())) == ((2, 1) if said else (0, 0))
    assert not said or ("pyproject.toml" in outcome.messages and said in outcome.messages)


@pytest.mark.parametrize("bad", ["a", "z"])
@pytest.mark.parametrize("by_directory", [True, False], ids=["directory", "files"])
def test_a_mistake_in_one_directory_is_said_once_and_stops_no_other(command, project, bad, by_directory):
    names = [f"{directory}/{file}.sdf" for directory in ("a", "m", "z") for file in "xy"]
    for name in names:
        write(project / name, BOX)
    write(project / bad / "sdfinertia.toml", "densty = 1")
    outcome = command("fill", *(["."] if by_directory else names))
    assert (outcome.status, outcome.messages.count("densty")) == (2, 1)
    filled = [name for name in names if "<mass>" in (project / name).read_text()]
    assert filled == [name for name in names if not name.startswith(bad)]


# What a tree may not do -----------------------------------------------------------------------------------------------

MESH = BOX.replace("<box><size>1 2 3</size></box>", "<mesh><uri>m.obj</uri></mesh>")


@pytest.mark.parametrize("is_in_repository", [True, False])
@pytest.mark.parametrize(
    ("name", "content"), [("sdfinertia.toml", "cache = '{}'"), ("pyproject.toml", table("cache = '{}'"))]
)
@pytest.mark.parametrize("cache", ["c", "{absolute}"])
def test_masses_that_a_tree_brings_are_not_believed(
    command, project, monkeypatch, is_in_repository, name, content, cache
):
    write(project / "m.sdf", MESH)
    write(project / "m.obj", OBJ_TETRAHEDRON)
    monkeypatch.setenv("SDFINERTIA_CACHE_DIR", "c")
    assert command("mesh", "m.obj").status == 0
    monkeypatch.delenv("SDFINERTIA_CACHE_DIR")
    with closing(sqlite3.connect(project / "c" / NAME)) as connection:
        rows = connection.execute("SELECT mesh, fact, value FROM facts").fetchall()
        ((mesh, fact, entry),) = [row for row in rows if '"moments"' in row[2]]
        lie = entry.replace('"moments": [0.1', '"moments": [7.1')
        assert lie != entry
        digest = sha256(mesh + fact.encode() + lie.encode()).digest()
        connection.execute("UPDATE facts SET value = ?, digest = ? WHERE fact = ?", (lie, digest, fact))
        connection.commit()
    write(project / name, content.format(cache.format(absolute=project / "c")))
    if not is_in_repository:
        (project / ".git").rmdir()
    for words in (("fill", "m.sdf"), ("check", "m.sdf")):
        outcome = command(*words)
        assert outcome.status == 2
        assert f"{name}: cache cannot be set in a configuration file" in outcome.messages
    assert (project / "m.sdf").read_text() == MESH
    (project / name).unlink()
    assert command("fill", "m.sdf").status == 0
    assert "<mass>166.6" in (project / "m.sdf").read_text()


@pytest.mark.parametrize("name", ["sdfinertia.toml", "pyproject.toml"])
def test_a_configuration_file_of_gigabytes_is_not_read(command: Run, project: Path, name: str) -> None:
    write(project / "m.sdf", BOX)
    (project / name).touch()
    os.truncate(project / name, 6 << 30)
    outcome = command("fill", "m.sdf")
    assert outcome.status == 2
    assert f"{name}: is 6,442,450,944 bytes long, and the limit is 1,048,576" in outcome.messages


@pytest.mark.parametrize(
    ("name", "content"), [("sdfinertia.toml", "density = 1"), ("pyproject.toml", table("density = 1"))]
)
def test_a_configuration_that_is_a_link_out_of_the_confinement_is_not_opened(command, project, name, content):
    write(project / "tree/m.sdf", BOX)
    write(project / name, content)
    # Above the confinement it is the user's own.
    assert command("fill", "tree/m.sdf", "--confine", "tree").status == 0
    assert "<mass>6</mass>" in (project / "tree/m.sdf").read_text()
    (project / "tree" / name).symlink_to(project / name)
    outcome = command("check", "tree/m.sdf", "--confine", "tree")
    assert outcome.status == 2
    assert f"{name}: is outside {project / 'tree'}, and not opened" in outcome.messages
