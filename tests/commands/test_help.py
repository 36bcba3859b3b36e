"""What the commands say of themselves: options, examples that run, and words that shells complete."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from sdfinertia.cli import main

if TYPE_CHECKING:
    from builders.commands import Run

ROOT = Path(__file__).parents[2]
FIXTURES, DOCS = ROOT / "fixtures", ROOT / "docs" / "guides"
COMMANDS = sorted(main.commands)
ROBOT = (
    '<robot name="r"><link name="l"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
)


@pytest.fixture
def models(project: Path) -> Path:
    """What the examples name: a tree of models, a model with numbers, and a mesh."""
    shutil.copytree(FIXTURES / "rover", project / "models" / "rover")
    shutil.copytree(FIXTURES / "rover" / "meshes", project / "meshes")
    shutil.copy(FIXTURES / "rover" / "model.sdf", project / "model.sdf")
    shutil.copy(FIXTURES / "rover" / "meshes" / "wheel.obj", project / "wheel.obj")
    # The same robot in two formats, and a commit.
    (project / "robot.urdf").write_text(ROBOT)
    shutil.copy(project / "robot.urdf", project / "robot.sdf")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "m"]):
        subprocess.run(["git", *words], cwd=project, check=True, timeout=60)
    return project


# Help -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_screen_and_says_each_option_in_a_line_or_two(command: Run, name: str) -> None:
    text = command(name, "--help").output.decode()
    assert command(name, "-h").output.decode() == text
    assert len(text.splitlines()) <= 50
    for option in main.commands[name].params:
        if isinstance(option, click.Option) and not option.hidden:
            assert all(word in text for word in (*option.opts, *option.secondary_opts))
            assert " ".join((option.help or "").split()) in " ".join(text.split())


# Examples -------------------------------------------------------------------------------------------------------------

EXAMPLES = [line.strip() for name in COMMANDS for line in (main.commands[name].epilog or "").splitlines()[1:]]


def test_each_command_has_an_example() -> None:
    assert sorted({line.split()[1] for line in EXAMPLES}) == COMMANDS
    assert all(len(line) <= 108 for line in EXAMPLES)


@pytest.mark.parametrize("line", EXAMPLES, ids=lambda line: line[11:50].strip())
def test_an_example_runs(command: Run, models: Path, line: str) -> None:
    program, name, *arguments = shlex.split(line, comments=True)
    assert program == "sdfinertia"
    if name in ("edit", "lsp"):
        # It would serve a page, or an editor: that its arguments are understood is what can be known without one.
        assert (
            main.commands[name]
            .make_context(name, arguments, click.Context(main, **main.context_settings))
            .params.get("path", "model.sdf")
            == "model.sdf"
        )
        return
    if name in ("scale", "repair"):
        assert command("fill", "--all", "model.sdf").status == 0
    outcome = command(name, *arguments)
    assert outcome.status == (1 if name == "check" else 0), outcome.messages
    assert "nothing to do" not in outcome.messages


# Completion -----------------------------------------------------------------------------------------------------------


def asked_by(project: Path, shell: str, **variables: str) -> str:
    """What the command prints for a shell that completes words."""
    program = "from sdfinertia.cli import main; main(prog_name='sdfinertia')"
    environment = {**os.environ, "_SDFINERTIA_COMPLETE": shell, **variables}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=project, env=environment, text=True)
    return done.stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("che", "plain,check"),
        ("fill --total", "plain,--total-mass"),
        ("check --exit", "plain,--exit-zero"),
        ("fill --open-mesh fi", "plain,fill_holes"),
        ("fill mod", "file,mod"),
        ("fill m.sdf -o o", "file,o"),
        ("fill --confine d", "dir,d"),
    ],
)
def test_words_are_completed(project: Path, words: str, expected: str) -> None:
    typed = {"COMP_WORDS": f"sdfinertia {words}", "COMP_CWORD": str(len(words.split(" ")))}
    assert asked_by(project, "bash_complete", **typed).split() == [expected]
