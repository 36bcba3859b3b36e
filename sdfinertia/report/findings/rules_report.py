"""The documentation of rules, made from their declarations."""

from __future__ import annotations

from sdfinertia.report.findings.addresses import rule_address
from sdfinertia.report.findings.wording import fix_of_rule
from sdfinertia.rules.registry import RULE_OF_CODE, RULES, code_of
from sdfinertia.rules.rule import Rule


def rule_table() -> str:
    """One line a rule: code, name, whether it is on by default, what it finds."""
    width = max(len(rule.name) for rule in RULES)
    return "\n".join(
        f"{rule.code}  {rule.name:<{width}}  {'on ' if rule.is_default else 'off'}  {rule.what}" for rule in RULES
    )


def fix_words(rule: Rule) -> str:
    """Which option of `check` fixes the findings of a rule, whether that is safe, and how."""
    fix = fix_of_rule(rule)
    if fix == "none":
        return f"none: `check` {rule.mender.value}"
    return f"{fix}: `check {'--fix' if fix == 'safe' else '--unsafe-fixes'}` {rule.mender.value}"


def explanation(code: str) -> str:
    """What a rule finds, why it matters, an example, what to do, and the address of its page if it is published.

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
    address = rule_address(known)
    return (
        f"{rule.code} {rule.name} ({default})\n\n{rule.what}\n\nWhy it is bad: {rule.why}\n"
        f"Example: {rule.example}\nWhat to do: {rule.fix}\nFix: {fix_words(rule)}"
        + (f"\nMore: {address}" if address is not None else "")
    )
