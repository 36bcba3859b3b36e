"""What every output of findings shares: levels, counts, and text that any format can carry."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from sdfinertia.errors import printable
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import Finding, Mender, Rule

# Halves of characters beyond 16 bits; those from U+DC80 to U+DCFF stand for bytes that are no text instead.
_HALVES = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def level_of(code: str) -> str:
    """How grave the findings of a rule are: `error` or `warning`."""
    return RULE_OF_CODE[code].level.value


def is_mendable(finding: Finding) -> bool:
    """Whether `check --fix` mends it."""
    return finding.can_mend and RULE_OF_CODE[finding.code].mender is not Mender.NONE


def names_of(rules: Sequence[Rule]) -> dict[str, str]:
    """The names of the rules by their codes."""
    return {rule.code: rule.name for rule in rules}


def count_line(findings: Sequence[Finding], checked: Sequence[str]) -> str:
    """How many findings there are, in how many files, and how many files were looked at."""
    looked_at = f"{counted(len(set(checked)), 'file')} checked"
    if not findings:
        return f"no findings ({looked_at})"
    files = {finding.location.file for finding in findings}
    return f"{counted(len(findings), 'finding')} in {counted(len(files), 'file')} ({looked_at})"


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where it is due."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def sentence(finding: Finding) -> str:
    """The finding on one line, without its place and code: its link, what is wrong, and what to do."""
    link = f"link {finding.link!r}: " if finding.link else ""
    remedy = f"; {finding.remedy}" if finding.remedy else ""
    return printable(f"{link}{finding.message}{remedy}")


def unicode_text(text: str) -> str:
    """The text with replacement characters for the bytes in it that are no text, as UTF-8 can carry it."""
    return _HALVES.sub("\ufffd", text).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def ended(text: str) -> str:
    """The sentence with a full stop, if it has no end of its own."""
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def repository_path(file: str) -> str:
    """The path with slashes and without detours, as services compare it with the paths in a repository."""
    return os.path.normpath(file).replace(os.sep, "/")
