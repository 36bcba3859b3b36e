"""The documentation of rules, made from their declarations."""

from __future__ import annotations

from sdfinertia.rules.registry import RULE_OF_CODE, RULES, code_of


def rule_table() -> str:
    """One line a rule: code, name, whether it is on by default, what it finds."""
    width = max(len(rule.name) for rule in RULES)
    return "\n".join(
        f"{rule.code}  {rule.name:<{width}}  {'on ' if rule.is_default else 'off'}  {rule.what}" for rule in RULES
    )


def markdown_table() -> str:
    """The rules as the table in the README."""
    lines = ["| Code | Name | Finds | Default |", "|---|---|---|---|"]
    lines += (f"| {rule.code} | {rule.name} | {rule.what} | {'on' if rule.is_default else 'off'} |" for rule in RULES)
    return "\n".join(lines)


def explanation(code: str) -> str:
    """What a rule finds, why it matters, an example and what to do.

    Args:
        code: its code or its name, in letters of any size.

    Raises:
        LookupError: there is no such rule.
    """
    known = code_of(code.upper()) or code_of(code.lower())
    if known is None:
        raise LookupError(code)
    rule = RULE_OF_CODE[known]
    default = "on" if rule.is_default else "off, turned on by --select " + rule.code
    return (
        f"{rule.code} {rule.name} ({default})\n\n{rule.what}\n\nWhy it is bad: {rule.why}\n"
        f"Example: {rule.example}\nWhat to do: {rule.fix}"
    )
