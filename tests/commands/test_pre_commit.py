"""The hooks of .pre-commit-hooks.yaml, run by pre-commit itself in a repository of their own."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from builders.documents import BOX_FILE

from sdfinertia.mesh.readers import EXTENSIONS
from sdfinertia.robot.names import SUFFIXES, TEMPLATE_SUFFIXES

pytestmark = pytest.mark.slow

pytest.importorskip("pre_commit", reason="the package pre-commit is not installed")
yaml = pytest.importorskip("yaml", reason="the package PyYAML is not installed")

ROOT = Path(__file__).parents[2]
HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}

BOX = BOX_FILE.replace('name="c">', 'name="c"><density>1000</density>')
MESH = BOX.replace("<box><size>1 2 3</size></box>", "<mesh><uri>meshes/part.obj</uri></mesh>")
TETRAHEDRON = "v 0 0 0\nv {0} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


class Done(NamedTuple):
    status: int
    output: str


class Repository(NamedTuple):
    """A git repository whose hooks are ours."""

    root: Path
    run: Callable[..., Done]

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def stage(self) -> None:
        assert self.run("git", "add", "--all").status == 0

    def commit(self) -> None:
        self.stage()
        done = self.run("git", "commit", "--quiet", "--no-verify", "--message", "as it was")
        assert done.status == 0, done.output

    def hooks(self, *arguments: str) -> Done:
        return self.run(sys.executable, "-m", "pre_commit", "run", "--color", "never", *arguments)

    def fill(self) -> None:
        assert self.run(sys.executable, "-m", "sdfinertia", "fill", "-q", ".").status == 0

    def staged(self) -> list[str]:
        return self.run("git", "diff", "--cached", "--name-only").output.split("\n")[:-1]


Hook = Callable[[str], tuple[Done, bool]]


def as_system_hook(hook: dict[str, Any]) -> dict[str, Any]:
    program, *rest = shlex.split(hook["entry"])
    assert program == "sdfinertia"
    entry = shlex.join([sys.executable, "-m", program, *rest])
    # The libraries of an environment of its own are those of this one.
    return {**hook, "language": "system", "entry": entry, "additional_dependencies": []}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    root = tmp_path / "repository"
    root.mkdir()
    (tmp_path / "gitconfig").write_text(
        "[user]\nname = Someone\nemail = someone@example.com\n[init]\ndefaultBranch = main\n"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "SKIP"))}
    environment = {
        **kept,
        "HOME": str(tmp_path),
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
        "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
    }

    def run(*words: str) -> Done:
        done = subprocess.run(
            words, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60
        )
        return Done(done.returncode, done.stdout.decode())

    assert run("git", "init", "--quiet").status == 0
    # A repository without pairs has no hook that compares them.
    hooks = [as_system_hook(hook) for name, hook in HOOKS.items() if name != "sdfinertia-compare"]
    local = {"repo": "local", "hooks": hooks}
    (root / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [local]}), encoding="utf-8")
    return Repository(root, run)


@pytest.fixture
def hook(repository: Repository, command: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Hook:
    """Runs what pre-commit runs for the files that are staged, here; tells whether it changed one of the files."""

    def run(name: str) -> tuple[Done, bool]:
        declared = HOOKS[name]
        _, *words = shlex.split(declared["entry"])
        names = [path for path in repository.staged() if is_for(name, path)]
        monkeypatch.chdir(repository.root)
        monkeypatch.setenv("PRE_COMMIT", "1")
        before = contents(repository.root)
        assert names, "pre-commit would run nothing"
        done = command(*words, *declared.get("args", []), *(names if declared.get("pass_filenames", True) else []))
        return Done(done.status, done.output.decode() + done.messages), contents(repository.root) != before

    return run


def contents(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and ".git" not in path.parts}


# The file -------------------------------------------------------------------------------------------------------------


def test_pre_commit_accepts_the_hooks_file() -> None:
    words = [sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    done = subprocess.run(words, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_hooks_are_those_that_are_documented() -> None:
    assert set(HOOKS) == {"sdfinertia-fill", "sdfinertia-check", "sdfinertia-compare"}
    assert all(hook["language"] == "python" for hook in HOOKS.values())
    for page in ("README.md", "docs/guides/ci-and-editors.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert all(f"id: {name}" in text for name in HOOKS), page


# What pre-commit's `files` is: a regular expression that is searched for in the path from the repository's root.
def is_for(hook: str, path: str) -> bool:
    return re.search(HOOKS[hook]["files"], path) is not None


@pytest.mark.parametrize("suffix", [*SUFFIXES, *EXTENSIONS, ".bin"])
def test_the_check_is_for_every_file_that_can_change_an_inertial_and_fill_for_models(suffix: str) -> None:
    for path in (f"models/a b/part{suffix}", f"models/a b/part{suffix.upper()}"):
        assert is_for("sdfinertia-check", path)
        assert is_for("sdfinertia-fill", path) == (suffix in SUFFIXES)


@pytest.mark.parametrize("path", ["README.md", "sdf", "notes.sdf.txt", "worlds/readme", "mysdf", "a.sdfx", "x.worlds"])
def test_no_hook_is_for_other_files_and_none_fills_templates(path: str) -> None:
    assert not any(is_for(hook, path) for hook in HOOKS)
    assert not any(is_for("sdfinertia-fill", f"model.sdf{suffix}") for suffix in TEMPLATE_SUFFIXES)


# What they do ---------------------------------------------------------------------------------------------------------


def test_a_stale_model_fails_once_and_passes_when_its_repair_is_staged(repository: Repository) -> None:
    repository.write("models/m.sdf", BOX)
    repository.fill()
    repository.commit()
    repository.write("models/m.sdf", repository.read("models/m.sdf").replace("<size>1 2 3<", "<size>1 2 4<"))
    repository.stage()
    first = repository.hooks()
    assert first.status == 1
    assert "files were modified by this hook" in first.output
    assert "<mass>8000</mass>" in repository.read("models/m.sdf")
    repository.stage()
    second = repository.hooks()
    assert second.status == 0, second.output
    assert second.output.count("Passed") == 2


def test_a_changed_mesh_is_found_by_the_check_which_names_the_hook_that_fills(repository, hook: Hook) -> None:
    repository.write("models/m/meshes/part.obj", TETRAHEDRON.format(1))
    repository.write("models/m/model.sdf", MESH)
    repository.fill()
    repository.commit()
    repository.write("models/m/meshes/part.obj", TETRAHEDRON.format(2))
    repository.stage()
    done, is_changed = hook("sdfinertia-check")
    assert (done.status, is_changed) == (1, False)
    assert "models/m/model.sdf" in done.output
    assert "  fix: pre-commit run sdfinertia-fill --all-files\n" in done.output


def test_the_check_names_the_hook_that_mends(repository: Repository, hook: Hook) -> None:
    repository.write("m.sdf", BOX)
    repository.stage()
    done, _ = hook("sdfinertia-check")
    assert done.status == 1
    assert "  fix: pre-commit run sdfinertia-fill --all-files\n" in done.output
    assert "1 fixed by `pre-commit run sdfinertia-fill --all-files`\n" in done.output
    assert re.search("sdfinertia (fill|check) -", done.output) is None


def test_the_check_names_the_command_for_what_the_hook_does_not_mend(repository: Repository, hook: Hook) -> None:
    repository.write("a.sdf", BOX)
    repository.write("b.sdf", BOX.replace('<inertial auto="true"/>', ""))
    repository.stage()
    done, _ = hook("sdfinertia-check")
    assert "1 fixed by `pre-commit run sdfinertia-fill --all-files`, 1 by `sdfinertia fill --missing" in done.output
    assert "check --fix ." not in done.output


def test_the_pairs_of_the_configuration_are_compared(repository: Repository, hook: Hook) -> None:
    numbers = "<mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
    model = f'<sdf version="1.9"><model name="m"><link name="l"><inertial>{numbers}</inertial></link></model></sdf>'
    repository.write("one.sdf", model)
    repository.write("other.sdf", model)
    repository.write("sdfinertia.toml", '[[compare]]\nfirst = "one.sdf"\nsecond = "other.sdf"\n')
    repository.stage()
    assert hook("sdfinertia-compare")[0].status == 0
    repository.write("other.sdf", model.replace("<mass>2<", "<mass>3<"))
    repository.stage()
    done, has_changed = hook("sdfinertia-compare")
    assert (done.status, has_changed) == (1, False)
    assert "mass-changed" in done.output
