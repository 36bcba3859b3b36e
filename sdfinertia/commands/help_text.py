"""The text of `--help` beside that of the options: headings, examples, and completion in shells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click

from sdfinertia.declaration import TOPICS, Topic


class Example(NamedTuple):
    purpose: str
    command: str


# Examples of each command; tests run them.
EXAMPLES: Mapping[str, tuple[Example, ...]] = {
    "fill": (
        Example("show what would change, and write nothing", "sdfinertia fill --diff models"),
        Example("also links without <inertial>, as aluminium", "sdfinertia fill --missing --density 2700 model.sdf"),
        Example(
            "take open meshes as their convex hulls, and write a page to look at",
            "sdfinertia fill --open-mesh convex_hull --report page.html models",
        ),
    ),
    "check": (
        Example("show what is wrong, and the likely mistake", "sdfinertia check models"),
        Example("show the safe fixes; without --diff they are written", "sdfinertia check --fix --diff models"),
        Example(
            "accept all present findings; --baseline known.json then shows new ones",
            "sdfinertia check --write-baseline known.json models",
        ),
    ),
    "repair": (
        Example("show the repairs that are certain", "sdfinertia repair --diff models"),
        Example("write the nearest valid tensor", "sdfinertia repair --by nearest --link '*wheel' model.sdf"),
        Example(
            "write a bug report for the author of the file", "sdfinertia repair --diff --report issue.md model.sdf"
        ),
    ),
    "show": (
        Example("show written numbers beside computed ones", "sdfinertia show --computed model.sdf"),
        Example("print a mesh as an MJCF inertial", "sdfinertia show --as mjcf --density 700 wheel.obj"),
        Example("write a page with the models in 3-D", "sdfinertia show --report page.html models"),
    ),
    "compare": (
        Example("what a converter made of a robot", "sdfinertia compare robot.urdf robot.sdf"),
        Example("what changed since a revision of git", "sdfinertia compare --since HEAD model.sdf"),
        Example("side by side in 3-D", "sdfinertia compare --report page.html robot.urdf robot.sdf"),
    ),
    "edit": (
        Example("edit in the browser", "sdfinertia edit model.sdf"),
        Example("edit over SSH, with the port forwarded", "sdfinertia edit --port 8000 --no-browser model.sdf"),
        Example("take open meshes as their convex hulls", "sdfinertia edit --open-mesh convex_hull model.sdf"),
    ),
    "lsp": (
        Example("the command that an editor runs", "sdfinertia lsp"),
        Example("with models and meshes in another directory", "sdfinertia lsp --resource-path ../models"),
        Example("with all rules", "sdfinertia lsp --select ALL"),
    ),
    "scale": (
        Example("scale to a measured mass", "sdfinertia scale model.sdf --link '*chassis' --mass 12"),
        Example("scale to another material", "sdfinertia scale model.sdf --link '*wheel' --density 1200"),
        Example(
            "make twice as high, and print the diff only", "sdfinertia scale model.sdf --link '*' --size '1 1 2' --diff"
        ),
    ),
    "rules": (
        Example("list all rules", "sdfinertia rules"),
        Example("explain one, by its code", "sdfinertia rules SDI103"),
        Example("explain one, by its name", "sdfinertia rules open-mesh"),
    ),
    "mesh": (
        Example("is it watertight, and what is its mass", "sdfinertia mesh wheel.obj"),
        Example("a file in millimetres, as steel", "sdfinertia mesh --scale 0.001 --density 7850 wheel.obj"),
        Example("write a line for each mesh", "sdfinertia mesh --report meshes.jsonl models"),
    ),
}

# For each shell the file that it reads, and click's line for completion.
COMPLETIONS = (
    ("~/.bashrc", 'eval "$(_SDFINERTIA_COMPLETE=bash_source sdfinertia)"'),
    ("~/.zshrc", 'eval "$(_SDFINERTIA_COMPLETE=zsh_source sdfinertia)"'),
    ("~/.config/fish/completions/sdfinertia.fish", "_SDFINERTIA_COMPLETE=fish_source sdfinertia | source"),
)


def write_options(params: Sequence[click.Parameter], context: click.Context, formatter: click.HelpFormatter) -> None:
    rows: dict[Topic, list[tuple[str, str]]] = {topic: [] for topic in TOPICS}
    for param in params:
        # Newer versions of click have records of arguments, which the usage shows already.
        record = param.get_help_record(context) if isinstance(param, click.Option) else None
        if record is not None:
            rows[getattr(param, "topic", "run")].append(record)
    for topic, title in TOPICS.items():
        if rows[topic]:
            with formatter.section(title):
                formatter.write_dl(rows[topic])


def write_examples(name: str, formatter: click.HelpFormatter) -> None:
    with formatter.section("Examples"):
        for example in EXAMPLES.get(name, ()):
            _write_lines(formatter, f"# {example.purpose}", example.command)


def write_commands(group: click.Group, context: click.Context, formatter: click.HelpFormatter) -> None:
    commands = ((name, group.get_command(context, name)) for name in group.list_commands(context))
    with formatter.section("Commands"):
        formatter.write_dl([(name, _summary(command)) for name, command in commands if command is not None])


def _summary(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def write_completion(formatter: click.HelpFormatter) -> None:
    with formatter.section("Shell completion: add the line to the file named above it"):
        for place, line in COMPLETIONS:
            _write_lines(formatter, f"# {place}", line)


def _write_lines(formatter: click.HelpFormatter, *lines: str) -> None:
    for line in lines:
        formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
