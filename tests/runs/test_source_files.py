from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from sdfinertia.errors import SdfInertiaError
from sdfinertia.runs.source_files import source_files

if TYPE_CHECKING:
    from pathlib import Path


MODEL = '<sdf version="1.12"><model name="m"/></sdf>'


def lay_out(directory: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def walked(directory: str = ".") -> list[str]:
    return [os.path.normpath(path).replace(os.sep, "/") for path in source_files(directory)]


def config(*entries: tuple[str, str]) -> str:
    listed = "".join(f"<sdf version='{version}'>{name}</sdf>" for version, name in entries)
    return f"<?xml version='1.0'?><model><name>m</name>{listed}</model>"


def test_what_is_named_is_taken_whatever_its_name_and_what_lies_above_it(project: Path) -> None:
    lay_out(project, {"m.xml": MODEL})
    assert source_files("m.xml") == ["m.xml"]
    lay_out(project, {"build/.hidden/models/a.sdf": MODEL})
    assert walked(str(project / "build/.hidden/models")) == [str(project / "build/.hidden/models/a.sdf")]


def test_a_walk_finds_loose_models_and_worlds(project: Path) -> None:
    lay_out(
        project, dict.fromkeys(["a.sdf", "b.world", "sub/c.sdf", "sub/deep/D.SDF", "e.xml", "f.sdfx", "sdf"], MODEL)
    )
    assert sorted(walked()) == ["a.sdf", "b.world", "sub/c.sdf", "sub/deep/D.SDF"]


@pytest.mark.parametrize(
    "passed_over",
    [
        ".hidden.sdf",
        ".hidden/a.sdf",
        "sub/.cache/deep/a.sdf",
        "build/a.sdf",
        "install/a.sdf",
        "sub/build/deep/a.sdf",
        "sub/install/a.sdf",
        "a.sdf.erb",
        "a.sdf.jinja",
        "a.world.em",
        "a.sdf.bak",
        "a.sdf~",
    ],
)
def test_a_walk_passes_over(project: Path, passed_over: str) -> None:
    lay_out(project, {"kept.sdf": MODEL, passed_over: MODEL})
    assert walked() == ["kept.sdf"]


@pytest.mark.parametrize("name", ["build", ".hidden", "install"])
def test_a_directory_that_is_named_is_walked_whatever_its_name(project: Path, name: str) -> None:
    lay_out(project, {f"{name}/sub/a.sdf": MODEL})
    assert walked(name) == [f"{name}/sub/a.sdf"]


def test_a_link_to_a_directory_is_not_followed_round_and_round(project: Path) -> None:
    lay_out(project, {"sub/a.sdf": MODEL})
    (project / "sub" / "loop").symlink_to(project, target_is_directory=True)
    assert walked() == ["sub/a.sdf"]


@pytest.mark.parametrize("files", [{}, {"a.xml": MODEL}, {".git/a.sdf": MODEL}, {"a.sdf.erb": MODEL}])
def test_a_directory_without_models_is_an_error_that_names_it(project: Path, files: dict[str, str]) -> None:
    (project / "models").mkdir()
    lay_out(project / "models", files)
    with pytest.raises(SdfInertiaError) as caught:
        source_files("models")
    assert caught.value.file == "models"


@pytest.mark.parametrize("target", ["nowhere.sdf", "x.sdf", None], ids=["dangling", "to itself", "a pipe"])
def test_broken_links_and_named_pipes_are_passed_over(project: Path, target: str | None) -> None:
    lay_out(project, {"a.sdf": MODEL})
    if target is not None:
        (project / "x.sdf").symlink_to(target)
    elif hasattr(os, "mkfifo"):
        os.mkfifo(project / "x.sdf")
    assert walked() == ["a.sdf"]


# model.config ---------------------------------------------------------------------------------------------------------


def test_a_walk_takes_the_file_that_model_config_names(project: Path) -> None:
    lay_out(
        project, {"m/a.sdf": MODEL, "m/b.sdf": MODEL, "m/model.config": config(("1.9", "a.sdf"), ("1.10", "b.sdf"))}
    )
    assert walked("m") == walked() == ["m/b.sdf"]


def test_files_that_model_config_does_not_name_are_loose_and_found(project: Path) -> None:
    files = {"m/a.sdf": MODEL, "m/old.sdf": MODEL, "m/demo.world": MODEL}
    lay_out(project, {**files, "m/model.config": config(("1.5", "old.sdf"), ("1.6", "a.sdf"))})
    assert sorted(walked()) == ["m/a.sdf", "m/demo.world"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "<model>",
        "\x00\x01",
        config(),
        config(("1.6", "missing.sdf")),
        config(("1.13", "a.sdf")),
        config(("", "a.sdf")),
        pytest.param(config(("1." + "9" * 5000, "b.sdf"), ("1.6", "a.sdf")), id="endless version"),
    ],
)
def test_a_model_config_that_names_nothing_hides_nothing(project: Path, content: str) -> None:
    lay_out(project, {"m/a.sdf": MODEL, "m/model.config": content})
    assert walked() == ["m/a.sdf"]


# git-ignored ----------------------------------------------------------------------------------------------------------

TREE = [
    "a.sdf",
    "gen/a.sdf",
    "gen/keep/a.sdf",
    "models/a.sdf",
    "models/b.sdf",
    "models/gen/a.sdf",
    "models/deep/gen.sdf",
    "models/deep/tmp/a.sdf",
]
RULES = [
    pytest.param({".gitignore": "gen\n"}, id="name at any depth"),
    pytest.param({".gitignore": "/gen/\n"}, id="anchored directory"),
    pytest.param({".gitignore": "models/**/a.sdf\n"}, id="double star"),
    pytest.param({".gitignore": "*.sdf\n!a.sdf\n"}, id="negation"),
    pytest.param({".gitignore": "gen/\n!gen/keep/\n"}, id="a parent that is ignored cannot be entered again"),
    pytest.param({".gitignore": "*.sdf\n", "models/.gitignore": "!*.sdf\n"}, id="a nearer file allows again"),
]


@pytest.mark.skipif(shutil.which("git") is None, reason="git itself is the reference")
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("directory", [".", "models"])
def test_a_walk_passes_over_what_git_ignores(project: Path, rules: dict[str, str], directory: str) -> None:
    lay_out(project, {**dict.fromkeys(TREE, MODEL), **rules})
    shutil.rmtree(project / ".git")
    subprocess.run(["git", "init", "-q", "."], check=True, capture_output=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard", "--", directory], check=True, capture_output=True
    )
    expected = [name for name in listed.stdout.decode().split("\0") if name.endswith(".sdf")]
    assert sorted(walked(directory)) == sorted(expected)


def test_rules_above_the_repository_do_not_hold_nor_any_for_what_is_named(project: Path) -> None:
    lay_out(project, {"../.gitignore": "*.sdf\n", "a.sdf": MODEL})
    assert walked() == ["a.sdf"]
    lay_out(project, {".gitignore": "*.sdf\n"})
    assert source_files("a.sdf") == ["a.sdf"]


# Directories that cannot be read --------------------------------------------------------------------------------------


def test_a_directory_that_cannot_be_read_stops_no_other(command, project, monkeypatch):
    box = '<link name="l"><inertial auto="true"/><collision name="c"><geometry><sphere><radius>1</radius></sphere>'
    model = MODEL.replace("/></sdf>", f">{box}</geometry></collision></link></model></sdf>")
    lay_out(project, {"a.sdf": model, "locked/b.sdf": model, "open/c.sdf": model})
    scan = os.scandir

    def refuse(path: Any = ".") -> Any:
        if os.path.basename(os.fspath(path)) == "locked":
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    outcome = command("fill", ".")
    assert outcome.status == 2
    assert "locked" in outcome.messages
    assert "<mass>" in (project / "a.sdf").read_text()
    assert "<mass>" in (project / "open/c.sdf").read_text()
