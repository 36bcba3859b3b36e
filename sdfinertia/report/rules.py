"""Rules in words: their table, their explanations, and their pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sdfinertia.rules.registry import RULE_OF_CODE, RULES, code_of

if TYPE_CHECKING:
    from sdfinertia.rules.rule import Rule

# The address of the published project, without a slash at the end, in this place alone; pyproject.toml has that of the
# repository too. None until it is published: reports then name no address.
REPOSITORY: str | None = None
DOCUMENTATION: str | None = None


def rule_address(code: str) -> str | None:
    """The page that explains a rule; None where nothing is published."""
    return f"{DOCUMENTATION}/reference/rules/{code}.html" if DOCUMENTATION is not None else None


def cause_address(name: str) -> str | None:
    """The section that explains a cause; None where nothing is published."""
    anchor = re.sub(r"[^a-z]+", "-", name)
    return f"{DOCUMENTATION}/reference/causes.html#{anchor}" if DOCUMENTATION is not None else None


def rule_table() -> str:
    width = max(len(rule.name) for rule in RULES)
    return "\n".join(
        f"{rule.code}  {rule.name:<{width}}  {'on ' if rule.is_default else 'off'}  {rule.what}" for rule in RULES
    )


def fix_words(rule: Rule) -> str:
    option = " --fix" if rule.fixer.fix == "safe" else ""
    return f"{rule.fixer.fix}: `check{option}` {rule.fixer.does}"


def explanation(word: str) -> str:
    """The explanation of a rule by code or name; LookupError if there is none."""
    code = code_of(word.upper()) or code_of(word.lower())
    if code is None:
        raise LookupError(word)
    rule = RULE_OF_CODE[code]
    default = "on" if rule.is_default else f"off; enable it with --select {code}"
    address = rule_address(code)
    return (
        f"{code} {rule.name} ({default})\n\n{rule.what}\n\nWhy it matters: {rule.why}\n"
        f"Example: {rule.example}\nWhat to do: {rule.fix}\nFix: {fix_words(rule)}"
        + (f"\nMore: {address}" if address is not None else "")
    )
