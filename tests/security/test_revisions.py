"""`compare --since` runs no program that a repository names, and reads of the old tree what --confine allows."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")

SINCE = ("compare", "--since", "HEAD")


def robot(mass: float = 1.0) -> str:
    inertia = "<inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
    link = f'<link name="l"><inertial><mass>{mass}</mass>{inertia}</inertial></link>'
    return f'<sdf version="1.9"><model name="m">{link}</model></sdf>'


def world(uri: str) -> str:
    return f'<sdf version="1.9"><world name="w"><include><uri>{uri}</uri></include></world></sdf>'


def git(*words: str, given: bytes = b"") -> str:
    identity = [
        "-c",
        "user.name=n",
        "-c",
        "user.email=e",
        "-c",
        "core.autocrlf=false",
        "-c",
        "protocol.file.allow=always",
    ]
    return (
        subprocess.run(["git", *identity, *words], check=True, timeout=60, capture_output=True, input=given)
        .stdout.decode()
        .strip()
    )


def commit(*paths: str) -> None:
    git("add", "-f", "--", *(paths or ["."]))
    git("commit", "-qm", "one")


@pytest.fixture
def repository(project: Path) -> Path:
    (project / ".git").rmdir()
    git("init", "-q", "-b", "main")
    return project


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "was_here"


@pytest.fixture
def evil(tmp_path: Path, marker: Path) -> str:
    """A program that leaves a marker, whatever git starts it for."""
    program = tmp_path / "evil.sh"
    program.write_text(f'#!/bin/sh\ntouch "{marker}"\ncat "$1" 2>/dev/null\nexit 0\n')
    program.chmod(0o755)
    return str(program)


def configured(git_directory: Path, evil: str) -> None:
    """Has everything run the program that a configuration can name."""
    places = (
        *(
            "core.fsmonitor",
            "core.pager",
            "core.sshCommand",
            "core.editor",
            "core.gitProxy",
            "core.alternateRefsCommand",
        ),
        *("diff.external", "diff.foo.textconv", "diff.foo.command", "filter.foo.smudge", "filter.foo.clean"),
        *("filter.foo.process", "gpg.program", "pager.show", "pager.cat-file", "credential.helper", "sequence.editor"),
    )
    for place in places:
        git("config", "--file", str(git_directory / "config"), place, evil)
    for name, value in (("log.showSignature", "true"), ("core.hooksPath", str(git_directory / "hooks"))):
        git("config", "--file", str(git_directory / "config"), name, value)
    (git_directory / "info").mkdir(exist_ok=True)
    (git_directory / "info/attributes").write_text("* diff=foo filter=foo\n")
    (git_directory / "hooks").mkdir(exist_ok=True)
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc"):
        shutil.copy(evil, git_directory / "hooks" / hook)


def hostile_directory(directory: Path, evil: str, *, work_tree: str) -> None:
    """A directory that is a git directory, with a robot in it, as a clone brings it."""
    git("init", "-q", "--bare", "-b", "main", str(directory))
    (directory / "robot.sdf").write_text(robot(2))
    at = ("--git-dir", str(directory), "--work-tree", str(directory))
    git(*at, "add", "-f", "robot.sdf")
    git(*at, "commit", "-qm", "one")
    (directory / "robot.sdf").write_text(robot(3))
    git("config", "--file", str(directory / "config"), "core.bare", "false")
    git("config", "--file", str(directory / "config"), "core.worktree", work_tree)
    configured(directory, evil)


def as_gitlink(directory: Path) -> None:
    """Makes the entry for its robot a commit, whose difference from the work tree git would show."""
    at = ("--git-dir", str(directory), "--work-tree", str(directory))
    head = git(*at, "rev-parse", "HEAD")
    git(*at, "update-index", "--cacheinfo", f"160000,{head},robot.sdf")
    git(*at, "commit", "-qm", "two")


@pytest.mark.parametrize(
    ("confined", "work_tree", "is_link"), [((), ".", False), ((), "..", True), (("--confine", "."), ".", True)]
)
def test_a_git_directory_in_the_tree_runs_no_program(
    command: Callable[..., Any],
    repository: Path,
    marker: Path,
    evil: str,
    confined: tuple[str, ...],
    work_tree: str,
    is_link: bool,
) -> None:
    directory = repository / "robot"
    hostile_directory(directory, evil, work_tree=work_tree)
    if is_link:
        as_gitlink(directory)
    marker.unlink(missing_ok=True)
    outcome = command(*SINCE, *confined, "robot/robot.sdf")
    assert not marker.exists()
    assert outcome.status == 2
    assert (
        outcome.messages.startswith("robot/robot.sdf: git says: fatal: ")
        or "itself a git directory" in outcome.messages
    )
    assert len(outcome.messages.splitlines()) == 1


@pytest.mark.parametrize("text", [robot(), world("part.sdf")])
def test_no_program_that_the_repository_itself_names_is_run(
    command: Callable[..., Any], repository: Path, marker: Path, evil: str, text: str
) -> None:
    (repository / "robot.sdf").write_text(text)
    (repository / "part.sdf").write_text(robot())
    (repository / ".gitattributes").write_text("* diff=foo filter=foo\n")
    commit()
    configured(repository / ".git", evil)
    marker.unlink(missing_ok=True)
    outcome = command(*SINCE, "robot.sdf")
    assert outcome.status == 0, outcome.messages
    assert not marker.exists()


@pytest.mark.parametrize(
    ("url", "missing"), [("ext::{evil} x", "robot.sdf"), ("../other", "part.sdf"), ("foo::x", "HEAD")]
)
def test_what_a_partial_clone_lacks_is_one_error_and_not_fetched(
    command: Callable[..., Any],
    repository: Path,
    marker: Path,
    evil: str,
    url: str,
    missing: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (repository / "robot.sdf").write_text(world("part.sdf"))
    (repository / "part.sdf").write_text(robot())
    commit()
    name = git("rev-parse", missing if missing == "HEAD" else f"HEAD:{missing}")
    (repository / ".git/objects" / name[:2] / name[2:]).unlink()
    config = {"promisor": "true", "url": url.format(evil=evil), "uploadpack": evil, "partialclonefilter": "blob:none"}
    for key, value in config.items():
        git("config", f"remote.origin.{key}", value)
    for key in ("protocol.allow", "protocol.ext.allow", "protocol.file.allow", "protocol.foo.allow"):
        git("config", key, "always")
    git("config", "core.repositoryformatversion", "1")
    git("config", "extensions.partialClone", "origin")
    configured(repository / ".git", evil)
    helpers = repository.parent / "helpers"
    helpers.mkdir()
    shutil.copy(evil, helpers / "git-remote-foo")
    monkeypatch.setenv("PATH", f"{helpers}{os.pathsep}{os.environ['PATH']}")
    marker.unlink(missing_ok=True)
    outcome = command(*SINCE, "robot.sdf")
    assert (outcome.status, marker.exists()) == (2, False)
    said = "there is no revision 'HEAD'" if missing == "HEAD" else f"this clone lacks the content of HEAD:{missing}"
    assert said in outcome.messages
    assert len(outcome.messages.splitlines()) == 1


def test_variables_of_git_do_not_lead_elsewhere(
    command: Callable[..., Any], repository: Path, marker: Path, evil: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "robot.sdf").write_text(robot())
    commit()
    for name in ("GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG_GLOBAL", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, str(repository.parent / "nowhere"))
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH", "GIT_ASKPASS"):
        monkeypatch.setenv(name, evil)
    assert command(*SINCE, "robot.sdf").status == 0
    assert not marker.exists()


# Confinement ----------------------------------------------------------------------------------------------------------

XACRO = '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:include filename="{}"/><xacro:l/></robot>'
MACRO = (
    '<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:macro name="l"><link name="l"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></xacro:macro></robot>'
)
MJCF = '<mujoco><include file="{}"/></mujoco>'
MJCF_BODY = '<body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>'
MJCF_PART = f"<mujocoinclude><worldbody>{MJCF_BODY}</worldbody></mujocoinclude>"
FORMATS = {"sdf": (world("{}"), robot()), "xacro": (XACRO, MACRO), "xml": (MJCF, MJCF_PART)}


@pytest.mark.parametrize(
    ("form", "way"), [("sdf", "parent"), ("sdf", "link"), ("sdf", "absolute"), ("xacro", "link"), ("xml", "parent")]
)
@pytest.mark.parametrize("there", [True, False])
def test_nothing_outside_is_read_or_told_of_the_old_tree(
    watched: Callable[..., Any], repository: Path, form: str, there: bool, way: str
) -> None:
    if form == "xacro":
        pytest.importorskip("xacro")
    text, part = FORMATS[form]
    inside, outside = repository / "inside", repository / "outside"
    inside.mkdir()
    outside.mkdir()
    name = {"parent": f"../outside/p.{form}", "link": f"link.{form}", "absolute": f"{outside}/p.{form}"}[way]
    (inside / f"r.{form}").write_text(text.format(name))
    (inside / f"link.{form}").symlink_to(f"../outside/p.{form}")
    if there:
        (outside / f"p.{form}").write_text(part)
    commit()
    (inside / f"link.{form}").unlink()
    (inside / f"p.{form}").write_text(part)
    (inside / f"r.{form}").write_text(text.format(f"p.{form}"))
    assert watched("check", "--confine", "inside", f"inside/r.{form}").status in (0, 1)
    outcome = watched(*SINCE, "--confine", "inside", f"inside/r.{form}")
    assert (outcome.status, outcome.output, len(outcome.messages.splitlines())) == (2, "", 1)
    assert outcome.opened(outside) == []
    assert "/tmp/sdfinertia" not in outcome.messages
    # The same words, whether it is there or not.
    message = outcome.messages
    if there:
        shutil.rmtree(outside)
        git("rm", "-rq", "--cached", "--ignore-unmatch", "outside")
        git("commit", "-qm", "two")
        (inside / f"r.{form}").write_text(text.format(name))
        (inside / f"link.{form}").symlink_to(f"../outside/p.{form}")
        git("add", f"inside/r.{form}", f"inside/link.{form}")
        (inside / f"link.{form}").unlink()
        (inside / f"r.{form}").write_text(text.format(f"p.{form}"))
        assert watched(*SINCE, "--confine", "inside", f"inside/r.{form}").messages == message


@pytest.mark.parametrize("way", ["file", "link", "commondir", "alternates"])
def test_objects_of_a_repository_outside_are_not_read(command: Callable[..., Any], repository: Path, way: str) -> None:
    """As an archive brings it: git itself checks out nothing that is called .git."""
    (repository / "robot.sdf").write_text(robot(2))
    commit()
    inner = repository / "inside"
    inner.mkdir()
    if way == "file":
        (inner / ".git").write_text("gitdir: ../.git\n")
    elif way == "link":
        (inner / ".git").symlink_to("../.git")
    else:
        git("init", "-q", "inside")
        (inner / ".git" / ("commondir" if way == "commondir" else "objects/info/alternates")).write_text(
            f"{repository}/.git\n"
        )
    (inner / "robot.sdf").write_text(robot())
    outcome = command(*SINCE, "--confine", "inside", "inside/robot.sdf")
    assert (outcome.status, outcome.output) == (2, b"")
    assert "leads to another git directory, which --confine forbids to open" in outcome.messages


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_inside_is_read_of_the_old_tree(command: Callable[..., Any], repository: Path, form: str) -> None:
    if form == "xacro":
        pytest.importorskip("xacro")
    text, part = FORMATS[form]
    (repository / "in/parts").mkdir(parents=True)
    (repository / f"in/r.{form}").write_text(text.format(f"parts/p.{form}"))
    (repository / f"in/parts/p.{form}").write_text(part)
    commit()
    (repository / f"in/parts/p.{form}").write_text(part.replace("mass>1.0", "mass>2").replace('"1"', '"2"'))
    outcome = command(*SINCE, "--confine", "in", f"in/r.{form}")
    assert outcome.status == 1, outcome.messages


# What a tree may hold -------------------------------------------------------------------------------------------------


def tree_of(*entries: tuple[str, str, str]) -> None:
    """Commits a tree as it is given: mode, name, and content or object."""
    lines = b""
    for mode, name, content in entries:
        kind = {"040000": "tree", "160000": "commit"}.get(mode, "blob")
        oid = content if kind != "blob" else git("hash-object", "-w", "--stdin", given=content.encode())
        lines += f"{mode} {kind} {oid}\t{name}".encode() + b"\0"
    tree = git("mktree", "-z", "--missing", given=lines)
    git("update-ref", "HEAD", git("commit-tree", "-m", "one", tree))


@pytest.mark.parametrize(
    ("mode", "content", "said"),
    [
        ("120000", "other.sdf", "is a symbolic link in the revision"),
        ("160000", "1" * 40, "is a submodule in the revision"),
        ("040000", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "is a directory in the revision"),
    ],
)
def test_what_was_no_file_is_one_error(
    command: Callable[..., Any], repository: Path, mode: str, content: str, said: str
) -> None:
    tree_of((mode, "robot.sdf", content))
    (repository / "robot.sdf").write_text(robot())
    outcome = command(*SINCE, "robot.sdf")
    assert (outcome.status, outcome.output) == (2, b"")
    assert f"robot.sdf: {said}" in outcome.messages
    assert len(outcome.messages.splitlines()) == 1


def test_names_that_lead_out_of_a_copy_are_passed_over(command: Callable[..., Any], repository: Path) -> None:
    blob = git("hash-object", "-w", "--stdin", given=robot().encode())
    raw = b"".join(f"100644 {name}\0".encode() + bytes.fromhex(blob) for name in ("..", "../../x.sdf"))
    bad = git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", given=raw)
    tree_of(("100644", "robot.sdf", world("../../x.sdf")), ("040000", "sub", bad))
    (repository / "robot.sdf").write_text(robot())
    outcome = command(*SINCE, "robot.sdf")
    assert (outcome.status, len(outcome.messages.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    "reference",
    ["$(find pkg)/config/p.yaml", "${'config/' + 'p' + '.yaml'}"],
)
def test_files_whose_names_are_computed_are_those_of_the_revision(
    command: Callable[..., Any], repository: Path, reference: str
) -> None:
    pytest.importorskip("xacro")
    (repository / "config").mkdir()
    (repository / "package.xml").write_text("<package><name>pkg</name></package>")
    file = repository / ("p.yaml" if reference == "p.yaml" else "config/p.yaml")
    file.write_text("mass: 1\n")
    (repository / "r.xacro").write_text(
        '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:arg name="n" default="p"/>'
        f'<xacro:property name="f" value="{reference}"/><xacro:property name="v" value="${{load_yaml(f)}}"/>'
        '<link name="l"><inertial><mass value="${v[\'mass\']}"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
    )
    commit()
    file.write_text("mass: 2\n")
    outcome = command(*SINCE, "r.xacro")
    assert outcome.status == 1, outcome.messages


@pytest.mark.parametrize("options", [(), ("--resource-path", "models")])
def test_a_model_that_is_included_is_that_of_the_revision(
    command: Callable[..., Any], repository: Path, options: tuple[str, ...]
) -> None:
    model = repository / "models/arm dir"
    model.mkdir(parents=True)
    (model / "model.config").write_text('<model><name>arm</name><sdf version="1.9">own.sdf</sdf></model>')
    (model / "own.sdf").write_text(robot())
    (repository / "w.sdf").write_text(world("model://arm"))
    commit()
    (model / "own.sdf").write_text(robot(2))
    outcome = command(*SINCE, *options, "w.sdf")
    assert outcome.status == 1, outcome.messages
