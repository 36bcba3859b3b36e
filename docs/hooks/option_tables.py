"""The tables of options in the reference, made from what declares them."""

from __future__ import annotations

import re

import click

from sdfinertia.cli import main
from sdfinertia.options import OPTIONS, PARAMETERS, Option

# The topics of options, each with the heading of its table; "run" has those that are declared for no file.
TOPICS = {
    "links": "Selection",
    "mass": "Density and mass",
    "meshes": "Mesh handling",
    "block": "Output",
    "files": "Files",
    "rules": "Findings",
    "run": "Running",
}

# What the tables add to the help of an option or a parameter.
_MORE = {
    "method": "`convex_decomposition` uses V-HACD.",
    "missing": "Simulators assume 1 kg and a unit tensor there.",
    "link": "The scoped name is `model::nested::link`; a pattern without `::` matches its last part.",
    "voxel_size": "In metres.",
    "thickness": "In metres; the mesh is their mid-surface.",
    "overlaps": "Solids of a link and bodies of a mesh; with `union` shared volume belongs to the first in the file.",
    "accept_size": "Without it such a link is refused.",
    "axes": "Principal axes are written as a rotation in `<pose>`.",
    "provenance": "Without it a block counts as hand-written.",
    "cache": "It holds mass properties by the content of mesh files. With `confine` there is none unless this names "
    "one inside. Configuration files cannot set it.",
    "xacro_arg": "A glob and a blank before it limit it to matching paths. In configuration files it is a table of "
    "names and values, with a table for each glob in it; arguments of the command line are added to these.",
    "trust_xacro": "Otherwise expressions compute with numbers, texts, lists and tables only, and with `--confine` "
    "xacro does not read the environment. It never writes a file or starts a process. Configuration files cannot set "
    "this.",
}


# Where options stand that no command line takes.
_ONLY_CONFIGURED = {"cache": "`SDFINERTIA_CACHE_DIR`, Python"}


def options_table(topic: str) -> str:
    """The table of the options of a topic: how each is written, what it means, which commands take it."""
    rows = (
        [(words, help, names) for (words, help), names in _options_of_runs().items()]
        if topic == "run"
        else [
            (
                _words(option),
                _said(option),
                option.commands.split() or [_ONLY_CONFIGURED.get(option.name, "configuration")],
            )
            for option in OPTIONS.values()
            if option.topic == topic
        ]
    )
    lines = ["| Option | Meaning | Commands |", "|---|---|---|"]
    lines += (f"| {words} | {meaning} | {', '.join(commands)} |" for words, meaning, commands in rows)
    return "\n".join(lines)


def parameters_table() -> str:
    """The table of what a file can say of how its meshes are taken."""
    lines = ["| Child | Meaning |", "|---|---|"]
    lines += (f"| `<sdfinertia:{name}>` | {_said(option)} |" for name, option in PARAMETERS.items())
    return "\n".join(lines)


def _options_of_runs() -> dict[tuple[str, str], list[str]]:
    """The commands that take each option that is not declared for files too, by its words and its help."""
    commands: dict[tuple[str, str], list[str]] = {}
    for name, command in sorted(main.commands.items()):
        for option in command.params:
            declared = OPTIONS.get(option.name or "")
            if isinstance(option, click.Option) and not (declared and name in declared.commands.split()):
                words = ", ".join([*option.opts, *option.secondary_opts])
                metavar = f" {option.metavar}" if option.metavar else ""
                commands.setdefault((f"`{words}{metavar}`", _meaning(option)), []).append(name)
    return commands


def _words(option: Option) -> str:
    if not option.commands:
        return f"`{option.long}`"
    if option.default is True:
        return f"`--{option.long}`, `--no-{option.long}`"
    return f"`--{option.long} {option.metavar}`" if option.metavar else f"`--{option.long}`"


def _said(option: Option) -> str:
    words = [f"`{word}` (default)" if word == option.default else f"`{word}`" for word in option.choices]
    more = f"{', '.join(words)}." if words else ""
    return _quoted(" ".join(filter(None, [option.help, _MORE.get(option.name), more])))


def _meaning(option: click.Option) -> str:
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    return _quoted(" ".join(filter(None, [option.help, ", ".join(f"`{word}`" for word in choices)])))


def _quoted(text: str) -> str:
    """The text with its elements as code: Markdown would take them for its own."""
    return re.sub(r"(?<!`)<[a-z_]+>", r"`\g<0>`", text)
