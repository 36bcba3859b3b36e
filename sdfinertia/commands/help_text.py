"""What `--help` says beside what options say of themselves: headings, examples, and how shells complete words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from sdfinertia.declaration import TOPICS, Topic
from sdfinertia.named_tuple import NamedTuple


class Example(NamedTuple):
    """A command line, and what it is for."""

    purpose: str
    command: str


# Of each command; tests run them.
EXAMPLES: Mapping[str, tuple[Example, ...]] = {
    "fill": (
        Example("what would change; nothing is written", "sdfinertia fill --diff models"),
        Example("links without <inertial> too, in aluminium", "sdfinertia fill --missing --density 2700 model.sdf"),
        Example(
            "open meshes as their hulls, and a page to look at",
            "sdfinertia fill --open-mesh convex_hull --report page.html models",
        ),
    ),
    "check": (
        Example("what is wrong, and the mistake that explains it", "sdfinertia check --why models"),
        Example("how what can be mended would be; without --diff it is", "sdfinertia check --fix --diff models"),
        Example(
            "take all there is for known; --baseline known.json then tells what is new",
            "sdfinertia check --write-baseline known.json models",
        ),
    ),
    "repair": (
        Example("what would undo the mistakes that are certain", "sdfinertia repair --diff models"),
        Example("the nearest numbers that a body can have", "sdfinertia repair --by nearest --link '*wheel' model.sdf"),
        Example("a bug report for whom the file is from", "sdfinertia repair --diff --report issue.md model.sdf"),
    ),
    "show": (
        Example("what is written beside what is computed", "sdfinertia show --computed model.sdf"),
        Example("a mesh as MuJoCo takes it", "sdfinertia show --as mjcf --density 700 wheel.obj"),
        Example("a page with the models in 3-D", "sdfinertia show --report page.html models"),
    ),
    "edit": (
        Example("change it in the browser", "sdfinertia edit model.sdf"),
        Example("over SSH, with the port forwarded", "sdfinertia edit --port 8000 --no-browser model.sdf"),
        Example("computed with open meshes as their hulls", "sdfinertia edit --open-mesh convex_hull model.sdf"),
    ),
    "lsp": (
        Example("what an editor starts", "sdfinertia lsp"),
        Example("with models and meshes from elsewhere", "sdfinertia lsp --resource-path ../models"),
        Example("with every rule that there is", "sdfinertia lsp --select ALL"),
    ),
    "scale": (
        Example("to the mass on the scales", "sdfinertia scale model.sdf --link '*chassis' --mass 12"),
        Example("to another material", "sdfinertia scale model.sdf --link '*wheel' --density 1200"),
        Example("twice as high, and only the diff", "sdfinertia scale model.sdf --link '*' --size '1 1 2' --diff"),
    ),
    "rules": (
        Example("all of them", "sdfinertia rules"),
        Example("one, by its code", "sdfinertia rules SDI103"),
        Example("or by its name", "sdfinertia rules open-mesh"),
    ),
    "mesh": (
        Example("is it closed, and what does it weigh", "sdfinertia mesh wheel.obj"),
        Example("in millimetres, of steel", "sdfinertia mesh --scale 0.001 --density 7850 wheel.obj"),
        Example("a table of all that are there", "sdfinertia mesh --report meshes.csv models"),
    ),
}

# Where each shell reads it from, and what makes it complete: click's own way.
COMPLETIONS = (
    ("~/.bashrc", 'eval "$(_SDFINERTIA_COMPLETE=bash_source sdfinertia)"'),
    ("~/.zshrc", 'eval "$(_SDFINERTIA_COMPLETE=zsh_source sdfinertia)"'),
    ("~/.config/fish/completions/sdfinertia.fish", "_SDFINERTIA_COMPLETE=fish_source sdfinertia | source"),
)


def write_options(params: Sequence[click.Parameter], context: click.Context, formatter: click.HelpFormatter) -> None:
    """The options under the headings of their topics, those without one under the last."""
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
    """The examples of a command, as a shell takes them."""
    with formatter.section("Examples"):
        for example in EXAMPLES.get(name, ()):
            _write_lines(formatter, f"# {example.purpose}", example.command)


def write_commands(group: click.Group, context: click.Context, formatter: click.HelpFormatter) -> None:
    """The commands below one, each with the whole first sentence of its help."""
    commands = ((name, group.get_command(context, name)) for name in group.list_commands(context))
    with formatter.section("Commands"):
        formatter.write_dl([(name, _summary(command)) for name, command in commands if command is not None])


def _summary(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def write_completion(formatter: click.HelpFormatter) -> None:
    """What to put where, for shells to complete commands, options and files."""
    with formatter.section("Completion in a shell, by a line in one of these files"):
        for place, line in COMPLETIONS:
            _write_lines(formatter, f"# {place}", line)


def _write_lines(formatter: click.HelpFormatter, *lines: str) -> None:
    for line in lines:
        formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
