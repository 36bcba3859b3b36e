"""All rules, in the order of their codes."""

from __future__ import annotations

from collections.abc import Sequence

from sdfinertia.errors import ConfigurationError
from sdfinertia.rules import filled_blocks, meshes, physics, plausibility
from sdfinertia.rules.rule import Rule

UNREADABLE = Rule(
    "SDI900",
    "unreadable-file",
    True,
    "A file cannot be read as SDF.",
    "Nothing in it was checked.",
    "a file cut short",
    "Mend what the message names.",
    None,
    fails_run=True,
)

# Frames of a model that no link needs are judged by this rule; what a link needs of them is told by that.
MALFORMED, UNVERIFIABLE = "SDI106", "SDI901"

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (*filled_blocks.RULES, *physics.RULES, *plausibility.RULES, *meshes.RULES, UNREADABLE),
        key=lambda rule: rule.code,
    )
)


def chosen_rules(select: Sequence[str], ignore: Sequence[str]) -> list[Rule]:
    """The rules that are on: those selected, else the default ones, less those ignored.

    Args:
        select, ignore: codes, or beginnings of codes such as SDI1; ALL stands for every rule.

    Raises:
        ConfigurationError: no rule has such a code.
    """
    for prefix in (*select, *ignore):
        if not any(_has(rule, prefix) for rule in RULES):
            raise ConfigurationError(f"no rule has the code {prefix!r}", remedy="`sdfinertia rules` lists them")
    return [
        rule
        for rule in RULES
        if (any(_has(rule, prefix) for prefix in select) if select else rule.is_default)
        and not any(_has(rule, prefix) for prefix in ignore)
    ]


def _has(rule: Rule, prefix: str) -> bool:
    return prefix == "ALL" or (len(prefix) >= 3 and rule.code.startswith(prefix))
