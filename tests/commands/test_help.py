"""What the commands say of themselves: headings, examples that run, whole summaries, and words that shells complete."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from builders.commands import Run

from sdfinertia.cli import main
from sdfinertia.commands.help_text import COMPLETIONS, EXAMPLES
from sdfinertia.declaration import TOPICS
from sdfinertia.options import LONG_NAMES, OPTIONS

FIXTURES = Path(__file__).parents[2] / "fixtures"
COMMANDS = sorted(main.every_command())
ROBOT = (
    '<robot name="r"><link name="l"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
)


def sections(text: str) -> dict[str, list[str]]:
    """The lines below each heading of a help."""
    found: dict[str, list[str]] = {}
    title = ""
    for line in text.splitlines():
        if line and not line.startswith(" "):
            title = line.removesuffix(":")
        elif line.strip():
            found.setdefault(title, []).append(line)
    return found


def words_of(lines: list[str]) -> list[str]:
    """The options that stand in front of lines."""
    return [word.rstrip(",") for line in lines if line.startswith("  -") for word in line.split() if word[0] == "-"]


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


# Headings -------------------------------------------------------------------------------------------------------------


def test_the_help_of_fill_is_grouped() -> None:
    command = main.every_command()["fill"]
    found = sections(command.get_help(click.Context(command, info_name="sdfinertia fill")))
    titles = ["Selection", "Density and mass", "Mesh handling", "Output", "Where files are", "Running", "Examples"]
    assert [title for title in found if not title.startswith("Usage")] == titles
    assert "--density KG/M3" in found["Density and mass"][0]
    assert "--open-mesh" in found["Mesh handling"][0]


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_stands_once_under_the_heading_that_is_declared_for_it(name: str) -> None:
    command = main.every_command()[name]
    context = click.Context(command, info_name=f"sdfinertia {name}", max_content_width=100)
    found = sections(command.get_help(context))
    for option in command.get_params(context):
        if not isinstance(option, click.Option):
            continue
        word = (option.secondary_opts or option.opts)[-1]
        places = [title for title, lines in found.items() if title != "Examples" and word in words_of(lines)]
        declared = OPTIONS.get(option.name or "")
        long = LONG_NAMES[option.name or ""] if declared is not None else ""
        own = declared is not None and name in declared.commands and word in (f"--{long}", f"--no-{long}")
        assert len(places) == 1, word
        assert places[0] == TOPICS[declared.topic if own and declared else getattr(option, "topic", "run")]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_nothing_is_cut_short(name: str, columns: int) -> None:
    command = main.every_command()[name]
    text = command.get_help(click.Context(command, info_name=f"sdfinertia {name}", terminal_width=columns))
    assert "..." not in text.replace("PATH...", "")
    for option in command.get_params(click.Context(command)):
        if isinstance(option, click.Option):
            assert "".join((option.help or "").split()) in "".join(text.split())


def test_the_list_of_commands_says_of_each_all_that_it_says_first(command: Run) -> None:
    text = " ".join(command("--help").output.decode().split())
    for name, each in main.every_command().items():
        summary = " ".join((each.help or "").split("\n\n")[0].split())
        assert f"{name} {summary}" in text


# Examples -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_three_examples_in_its_help(command: Run, name: str) -> None:
    assert len(EXAMPLES[name]) == 3
    lines = sections(command(name, "--help").output.decode())["Examples"]
    assert [line.strip() for line in lines] == [
        text for example in EXAMPLES[name] for text in (f"# {example.purpose}", example.command)
    ]
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize(
    "line", [example.command for examples in EXAMPLES.values() for example in examples], ids=lambda line: line[11:]
)
def test_an_example_runs(command: Run, models: Path, line: str) -> None:
    program, name, *arguments = shlex.split(line)
    assert program == "sdfinertia"
    if name in ("edit", "lsp"):
        # It would serve a page, or an editor: that its arguments are understood is what can be known without one.
        assert main.every_command()[name].make_context(name, arguments).params.get("path") == (
            "model.sdf" if name == "edit" else None
        )
        return
    if name in ("scale", "repair"):
        assert command("fill", "model.sdf").status == 0
    if name == "scale":
        # A block that was filled is told to be scaled as any other.
        assert command("fill", "--all", "model.sdf").status == 0
    outcome = command(name, *arguments)
    assert outcome.status == (1 if name == "check" and "--write-baseline" not in arguments else 0), outcome.messages
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


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_script_for_each_shell_and_its_line_in_the_help(command: Run, project: Path, shell: str) -> None:
    (line,) = (line for _, line in COMPLETIONS if f"_SDFINERTIA_COMPLETE={shell}_source" in line)
    assert line in command("--help").output.decode()
    script = asked_by(project, f"{shell}_source")
    assert "_sdfinertia_completion" in script
    assert f"_SDFINERTIA_COMPLETE={shell}_complete" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_line_for_bash_makes_it_complete(project: Path) -> None:
    program = project / "bin" / "sdfinertia"
    program.parent.mkdir()
    start = "from sdfinertia.cli import main; main(prog_name='sdfinertia')"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(start)} "$@"\n')
    program.chmod(0o755)
    (line,) = (line for place, line in COMPLETIONS if place == "~/.bashrc")
    asked = f"{line}; COMP_WORDS=(sdfinertia ch); COMP_CWORD=1; _sdfinertia_completion sdfinertia; echo $COMPREPLY"
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, env=environment, cwd=project)
    assert done.stdout == "check\n", done.stderr
