"""The rules of `check` in the order of their codes: each is one declaration, of which its documentation is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt

from sdfinertia.errors import ConfigurationError
from sdfinertia.options import Options, instead_of
from sdfinertia.rules import accepted, evidence, inertials, plausibility, reading
from sdfinertia.rules.rule import Finding, Level, Rule

_MODULES = (accepted, evidence, inertials, plausibility, reading)

# The first reports frames of a model that no link needs; the second those that a link needs.
MALFORMED, UNVERIFIABLE = "SDI106", "SDI901"
# One finding for a file in which no link has an inertial.
MISSING = "SDI104"
UNKNOWN_ELEMENT = "SDI108"
STALE = "SDI002"
SLIP = "SDI210"
UNREADABLE_GEOMETRY = "SDI902"

# An unfilled link is not reported where another finding says why it cannot be filled.
EXPLAINED_BY = {"SDI001": (UNVERIFIABLE, "SDI401", "SDI101")}

RULE_OF_CODE: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(each for module in _MODULES for each in vars(module).values() if isinstance(each, Rule))
}
RULES: tuple[Rule, ...] = tuple(RULE_OF_CODE.values())
# Of rules by which a run could not judge.
CANNOT_JUDGE = frozenset(rule.code for rule in RULES if rule.fails_run)
_CODE_OF_NAME: dict[str, str] = {rule.name: rule.code for rule in RULES}

# Share of the mass where the robot's mass is unknown.
_UNKNOWN_SHARE = 0.005


def rank_of(finding: Finding) -> float:
    """From 0 to 100: the geometric mean of the share of the mass and the change.

    Where the change is unknown, errors matter most and warnings least; of a file as a whole too.
    """
    unknown = 1.0 if RULE_OF_CODE[finding.code].level is Level.ERROR else 0.0
    if finding.effect is None:
        return 100.0 * unknown
    share, change = finding.effect
    return 100.0 * sqrt((_UNKNOWN_SHARE if share is None else share) * (unknown if change is None else change))


def worst_first(finding: Finding) -> tuple[object, ...]:
    return -rank_of(finding), finding.location, finding.code


def code_of(word: str) -> str | None:
    return word if word in RULE_OF_CODE else _CODE_OF_NAME.get(word)


def codes_for(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(_CODE_OF_NAME.get(word, word) for word in words)


def chosen_rules(select: Sequence[str], ignore: Sequence[str]) -> list[Rule]:
    """The selected or default rules, less the ignored; words are codes, names, prefixes of codes, or ALL.

    Raises:
        ConfigurationError: a word names no rule, or none is left.
    """
    for word in (*select, *ignore):
        if not any(_has(rule, word) for rule in RULES):
            remedy = instead_of(word) or "`sdfinertia rules` lists them"
            raise ConfigurationError(f"no rule has the code {word!r}", remedy=remedy)
    selected = [rule for rule in RULES if (any(_has(rule, word) for word in select) if select else rule.is_default)]
    chosen = [rule for rule in selected if not any(_has(rule, word) for word in ignore)]
    if not chosen:
        raise ConfigurationError("no rule is left to check", remedy="ignore fewer rules than are selected")
    return chosen


@lru_cache(maxsize=1)
def rules_in_force(options: Options) -> Mapping[str, Rule]:
    """The chosen rules by their codes; without causes SDI210 only where it is selected."""
    chosen = chosen_rules(options.select, options.ignore)
    return {rule.code: rule for rule in chosen if options.why or options.select or rule.code != SLIP}


def _has(rule: Rule, word: str) -> bool:
    return word == "ALL" or code_of(word) == rule.code or (len(word) >= 3 and rule.code.startswith(word))
