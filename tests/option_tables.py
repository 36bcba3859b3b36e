"""The tables of options in the README, made from what declares them; `make readme` writes them anew."""

from __future__ import annotations

import re
from pathlib import Path

import click

from sdfinertia.cli import main
from sdfinertia.declaration import Declaration, long_name
from sdfinertia.options import OPTIONS, PARAMETERS

README = Path(__file__).parent.parent / "README.md"
# A table stands between two comments; the first says what of.
_TABLE = re.compile(r"^<!-- (options|parameters)(?:: ([a-z ]+))? -->\n.*?^<!-- /\1 -->$", re.DOTALL | re.MULTILINE)


def with_tables(readme: str) -> str:
    """The text of a README with every table as it is declared."""
    return _TABLE.sub(lambda found: _between(found[1], found[2]), readme)


def topics_of(readme: str) -> list[str]:
    """The topics of the tables of options that a README has, in their order."""
    return [topic for kind, topics in _TABLE.findall(readme) if kind == "options" for topic in topics.split()]


def options_of_runs() -> dict[tuple[str, str], list[str]]:
    """The commands that take each option that is not declared for files too, by its words and its help."""
    takers: dict[tuple[str, str], list[str]] = {}
    for name, command in main.commands.items():
        for option in command.get_params(click.Context(command)):
            if isinstance(option, click.Option) and option.expose_value and option.name != "help":
                words = ", ".join([*option.opts, *option.secondary_opts])
                metavar = f" {option.metavar}" if option.metavar else ""
                takers.setdefault((f"`{words}{metavar}`", _meaning(option)), []).append(name)
    return takers


def _between(kind: str, topics: str | None) -> str:
    if kind == "parameters":
        lines = ["| Child | Meaning |", "|---|---|"]
        lines += (f"| `<sdfinertia:{name}>` | {_said(declared)} |" for name, declared in PARAMETERS.items())
        return "\n".join(["<!-- parameters -->", *lines, "<!-- /parameters -->"])
    lines = ["| Option | Meaning | Commands |", "|---|---|---|"]
    for topic in (topics or "").split():
        if topic == "run":
            lines += (
                f"| {words} | {help} | {', '.join(names)} |" for (words, help), names in options_of_runs().items()
            )
        lines += (
            f"| {_words(name, declared)} | {_said(declared)} | {', '.join(declared.takers)} |"
            for name, declared in OPTIONS.items()
            if declared.topic == topic
        )
    return "\n".join([f"<!-- options: {topics} -->", *lines, "<!-- /options -->"])


def _words(name: str, declared: Declaration) -> str:
    long = long_name(name)
    if declared.default is True:
        return f"`--no-{long}`, `--{long}`"
    return f"`--{long} {declared.metavar}`" if declared.metavar else f"`--{long}`"


def _said(declared: Declaration) -> str:
    words = [f"`{word}` (default)" if word == declared.default else f"`{word}`" for word in declared.choices]
    return _quoted(" ".join(filter(None, [declared.help, declared.more, f"{', '.join(words)}." if words else ""])))


def _meaning(option: click.Option) -> str:
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    return _quoted(" ".join(filter(None, [option.help, ", ".join(f"`{word}`" for word in choices)])))


def _quoted(text: str) -> str:
    """The text with its elements as code: Markdown would take them for its own."""
    return re.sub(r"(?<!`)<[a-z_]+>", r"`\g<0>`", text)


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text(encoding="utf-8")), encoding="utf-8")
