"""Makes the pages of the reference from what the code declares; mkdocs calls it when it gathers files."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from format_pages import json_page
from option_tables import TOPICS, options_table, parameters_table

from sdfinertia import errors
from sdfinertia.cli import main
from sdfinertia.documents.checking import check
from sdfinertia.options import Options
from sdfinertia.report import FindingsReport
from sdfinertia.report.explanations import fix_words
from sdfinertia.report.text import findings_text
from sdfinertia.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.rules.rule import Rule

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples" / "rules"


def on_files(files: Any, *, config: Any) -> Any:
    """Adds the generated pages to those in docs/."""
    # Tests read the pages where mkdocs is not installed.
    from mkdocs.structure.files import File

    for path, text in pages():
        files.append(File.generated(config, path, content=text))
    return files


def pages() -> Iterator[tuple[str, str]]:
    """Path below docs/ and text of every page of the reference that is made from declarations."""
    yield "reference/options.md", _options_page()
    yield "reference/commands.md", _commands_page()
    yield "reference/errors.md", _errors_page()
    yield "reference/json.md", json_page()
    yield "reference/rules/index.md", _rules_page()
    for rule in RULES:
        yield f"reference/rules/{rule.code}.md", _rule_page(rule)


def _options_page() -> str:
    tables = "\n\n".join(f"## {title}\n\n{options_table(topic)}" for topic, title in TOPICS.items())
    return f"""# Options

What the file says wins over the command line, that over [configuration](../guides/filling.md#configuration), that over
defaults. All options but those of a run can stand in the configuration, by their long names.

{tables}

## Elements of a file

Children of `<auto_inertia_params>` in a link or a collision say how its meshes are taken; any prefix is read.

{parameters_table()}
"""


def _commands_page() -> str:
    parts = ["# Commands\n"]
    above = click.Context(main, info_name="sdfinertia", **main.context_settings)
    for name, command in sorted(main.commands.items()):
        context = click.Context(command, above, name, terminal_width=100)
        parts.append(f"## {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def _errors_page() -> str:
    """Every error of the tree, from the base down."""
    lines = [
        "# Errors",
        "",
        "Bad input ends in one error, `file:line:column: link, collision: what is wrong; what to do`, and status 2.",
        "From Python each is an exception of `sdfinertia.errors`; `SdfInertiaError` is the base of them all.",
        "",
        "| Error | Is a | Means |",
        "|---|---|---|",
    ]
    for error in _tree(errors.SdfInertiaError):
        meaning = " ".join(str(inspect.getdoc(error)).split("\n\n")[0].split())
        lines.append(f"| `{error.__name__}` | `{error.__bases__[0].__name__}` | {meaning} |")
    return "\n".join(lines) + "\n"


def _tree(error: type[errors.SdfInertiaError]) -> Iterator[type[errors.SdfInertiaError]]:
    yield error
    for below in error.__subclasses__():
        yield from _tree(below)


def _rules_page() -> str:
    lines = ["# Rules", "", "| Code | Name | Finds | Default |", "|---|---|---|---|"]
    lines += (
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {_escaped(rule.what)} | {_default(rule)} |" for rule in RULES
    )
    return "\n".join(lines) + "\n"


def _default(rule: Rule) -> str:
    return "on" if rule.is_default else "off"


def _rule_page(rule: Rule) -> str:
    wrong, right = (next((EXAMPLES / rule.code).glob(f"{word}.*")) for word in ("wrong", "right"))
    default = "on" if rule.is_default else f"off; `--select {rule.code}` turns it on"
    return f"""# {rule.code} {rule.name}

{_escaped(rule.what)}

**Level** {rule.level.value} · **Default** {default} · **Fix** {fix_words(rule)}

## Why it matters

{_escaped(rule.why)}

## Wrong

```xml
{wrong.read_text(encoding="utf-8").strip()}
```

`check` says:

``` {{ .text .folded }}
{_said(rule, wrong)}
```

## Right

```xml
{right.read_text(encoding="utf-8").strip()}
```

## What to do

{_escaped(rule.fix)}

## To suppress it

In the link or its `<inertial>`, with the reason: `<!-- sdfinertia: ignore {rule.code} because ... -->`. For a run,
`--ignore {rule.code}`; the name `{rule.name}` stands for the code everywhere.
"""


def _said(rule: Rule, wrong: Path) -> str:
    """What the rule finds in its example, as text, with the example's name in place of the way to it."""
    found = [each for each in check(wrong, Options(select=("ALL",))) if each.code == rule.code]
    assert found, f"the wrong example of {rule.code} is one"
    said = findings_text(FindingsReport(found)).strip()
    return said.replace(str(wrong), wrong.name).replace(os.fspath(wrong.parent) + os.sep, "")


def _escaped(text: str) -> str:
    """Text with its elements as text: Markdown would take them for HTML."""
    return text.replace("<", "&lt;") if "`" not in text else text


__all__ = ["on_files", "pages"]
