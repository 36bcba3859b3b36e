"""No file brings in code: calculators come from installed packages alone, and a tree cannot shadow a module."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from builders.meshes import OBJ_TETRAHEDRON

STARTS = ("os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen")
EVIL = "import pathlib\npathlib.Path({!r}).write_text('was here')\ndef evil(*_):\n    pass\n"

NAMES = {
    "module": "evil",
    "function of a module": "evil:evil",
    "dotted": "evil.evil",
    "path": "./evil.py",
    "absolute path": "{folder}/evil.py",
    "uri": "file://{folder}/evil.py",
    "entry point of the tree": "registered_by_the_tree",
    "built-in": "builtins:exec",
    "system": "os.system",
    "expression": "__import__('evil')",
    "template": "{{ evil }}",
    "shell": "$(touch here)",
    "pickle": "cos\nsystem\n(S'touch here'\ntR.",
}


@pytest.fixture
def trap(project: Path) -> Path:
    """A tree with modules that would leave a mark if they ran; the mark's path."""
    mark = project / "here"
    for name in ("evil", "numpy", "scipy", "lxml", "json", "tomllib", "rich", "sitecustomize", "site"):
        (project / f"{name}.py").write_text(EVIL.format(str(mark)))
    registered = project / "evil-1.0.dist-info"
    registered.mkdir()
    (registered / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (registered / "entry_points.txt").write_text("[sdfinertia.calculators]\nregistered_by_the_tree = evil:evil\n")
    (project / "a.obj").write_text(OBJ_TETRAHEDRON)
    return mark


def document(calculator: str) -> str:
    return (
        '<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"><auto_inertia_params>'
        f"<sdfinertia:calculator>{calculator}</sdfinertia:calculator></auto_inertia_params></inertial>"
        '<collision name="c"><geometry><mesh><uri>a.obj</uri></mesh></geometry></collision></link></model></sdf>'
    )


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_a_calculator_that_no_package_installs_is_refused(watched, project, trap, name):
    (project / "m.sdf").write_text(document(name.replace("{folder}", str(project))))
    (project / "sdfinertia.toml").write_text("density = 1000")
    outcome = watched("fill", "m.sdf")
    assert outcome.status == 2
    assert re.search("no calculator is named|is a xacro template", outcome.messages)
    assert not trap.exists()
    assert [event for event, _ in outcome.events if event in STARTS] == []


WAYS = {"module": [sys.executable, "-m", "sdfinertia"], "command": [str(Path(sys.executable).with_name("sdfinertia"))]}


@pytest.mark.parametrize(
    ("way", "arguments"),
    [
        (WAYS["module"], ["fill", "-q", "--diff", "."]),
        (WAYS["command"], ["check", "--select", "SDI", "."]),
    ],
)
def test_modules_in_the_tree_do_not_take_the_place_of_installed_ones(project, trap, way, arguments):
    if not Path(way[0]).exists():
        pytest.skip("the command is not installed beside this Python")
    (project / "m.sdf").write_text(document("x").replace("calculator>", "unknown>"))
    (project / ".gitignore").write_text("nothing\n")
    (project / "sdfinertia.toml").write_text("density = 1000")
    for name in ("site.py", "sitecustomize.py"):
        # Python itself looks for these, before it runs anything of ours.
        (project / name).unlink()
    done = subprocess.run([*way, *arguments], cwd=project, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    assert not trap.exists()


def test_no_process_is_started(watched, project: Path, trap: Path) -> None:
    (project / "m.sdf").write_text(document("x").replace("calculator>", "unknown>"))
    for arguments in (["fill", "--report", "a.html"], ["check"], ["show"]):
        outcome = watched(*arguments, "m.sdf")
        assert outcome.status in (0, 1)
        assert [event for event, _ in outcome.events if event in STARTS] == []
    assert not trap.exists()
