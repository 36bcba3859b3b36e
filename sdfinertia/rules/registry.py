"""All rules, in the order of their codes. Each stands in the RULES of a module; a new module is one more line here."""

from __future__ import annotations

from collections.abc import Sequence

from sdfinertia.errors import ConfigurationError
from sdfinertia.options import Options
from sdfinertia.rules import (
    elements,
    evidence,
    files,
    filled_blocks,
    meshes,
    physics,
    plausibility,
    slips,
    suppressions,
    units,
)
from sdfinertia.rules.elements import LOST_REFERENCE
from sdfinertia.rules.files import UNREADABLE, UNREADABLE_GEOMETRY
from sdfinertia.rules.rule import Rule
from sdfinertia.rules.slips import SLIP

_MODULES = (
    elements,
    evidence,
    files,
    filled_blocks,
    meshes,
    physics,
    plausibility,
    slips,
    suppressions,
    units,
)

# Frames of a model that no link needs are judged by this rule; what a link needs of them is told by that.
MALFORMED, UNVERIFIABLE = "SDI106", "SDI901"

# What was not filled is no news where another finding says why it cannot be.
EXPLAINED_BY = {"SDI001": (UNVERIFIABLE, "SDI401", "SDI101")}

RULES: tuple[Rule, ...] = tuple(
    sorted((rule for module in _MODULES for rule in module.RULES), key=lambda rule: rule.code)
)

RULE_OF_CODE: dict[str, Rule] = {rule.code: rule for rule in RULES}
_CODE_OF_NAME: dict[str, str] = {rule.name: rule.code for rule in RULES}

__all__ = [
    "EXPLAINED_BY",
    "LOST_REFERENCE",
    "MALFORMED",
    "RULES",
    "RULE_OF_CODE",
    "UNREADABLE",
    "UNREADABLE_GEOMETRY",
    "UNVERIFIABLE",
    "chosen_rules",
    "code_of",
    "codes_for",
    "rules_in_force",
]


def code_of(word: str) -> str | None:
    """The code of the rule that a code or a name stands for; None where there is no such rule."""
    return word if word in RULE_OF_CODE else _CODE_OF_NAME.get(word)


def codes_for(words: Sequence[str]) -> tuple[str, ...]:
    """The words with codes in place of the names of rules; beginnings of codes, and what is unknown, stay."""
    return tuple(_CODE_OF_NAME.get(word, word) for word in words)


def chosen_rules(select: Sequence[str], ignore: Sequence[str]) -> list[Rule]:
    """The rules that are on: those selected, else the default ones, less those ignored.

    Args:
        select, ignore: codes, names, or beginnings of codes such as SDI1; ALL stands for every rule.

    Raises:
        ConfigurationError: no rule has such a code.
    """
    for word in (*select, *ignore):
        if not any(_has(rule, word) for rule in RULES):
            raise ConfigurationError(f"no rule has the code {word!r}", remedy="`sdfinertia rules` lists them")
    return [
        rule
        for rule in RULES
        if (any(_has(rule, word) for word in select) if select else rule.is_default)
        and not any(_has(rule, word) for word in ignore)
    ]


def rules_in_force(options: Options) -> list[Rule]:
    """The rules that are on under some options: those chosen, and where somebody asks why, what only that needs.

    Raises:
        ConfigurationError: a rule that is selected or ignored does not exist.
    """
    chosen = chosen_rules(options.select, options.ignore)
    asked = chosen_rules([SLIP.code], options.ignore) if options.why and not options.select else []
    # In the order of codes: the last one tells what the others could not judge.
    return sorted([*chosen, *(rule for rule in asked if rule not in chosen)], key=lambda rule: rule.code)


def _has(rule: Rule, word: str) -> bool:
    return word in ("ALL", rule.name) or (len(word) >= 3 and rule.code.startswith(word))
