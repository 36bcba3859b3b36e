"""What every output of findings shares: levels, counts, and text that any format can carry."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import Any, Literal

from sdfinertia.errors import one_line
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import Finding, Mender, Rule

Fix = Literal["safe", "unsafe", "none"]

# Halves of characters beyond 16 bits; those from U+DC80 to U+DCFF stand for bytes that are no text instead.
_HALVES = re.compile("[\ud800-\udc7f\udd00-\udfff]")

# Invisible characters that separate lines or direct text, and the middle of what starts a command in a log.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<=#)#(?=\\[)"
)


def level_of(code: str) -> str:
    """How grave the findings of a rule are: `error` or `warning`."""
    return RULE_OF_CODE[code].level.value


def fix_of(finding: Finding) -> Fix:
    """Which fix it has: `--fix` applies those that are safe, `--unsafe-fixes` all."""
    if not finding.can_mend:
        return "none"
    fix = fix_of_rule(RULE_OF_CODE[finding.code])
    return fix if finding.is_safe or fix == "none" else "unsafe"


def fix_of_rule(rule: Rule) -> Fix:
    """Which fix the findings of a rule have, where nothing stands in its way."""
    if rule.mender is Mender.NONE:
        return "none"
    return "safe" if rule.mender.is_safe else "unsafe"


def is_mendable(finding: Finding) -> bool:
    """Whether `check --unsafe-fixes` mends it."""
    return fix_of(finding) != "none"


def is_mended_by_fill(finding: Finding) -> bool:
    """Whether `fill` mends it, without further options."""
    return finding.can_mend and RULE_OF_CODE[finding.code].mender is Mender.FILL


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


def counted(number: int, noun: str, plural: str = "") -> str:
    """The number with its noun, in the plural where it is due."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def sentence(finding: Finding) -> str:
    """The finding on one line, without its place and code: its link, what is wrong, and what to do."""
    link = f"link {finding.link!r}: " if finding.link else ""
    remedy = f"; {finding.remedy}" if finding.remedy else ""
    return one_line(f"{link}{finding.message}{remedy}")


def unicode_text(text: str) -> str:
    """The text with replacement characters for the bytes in it that are no text, as UTF-8 can carry it."""
    return _HALVES.sub("\ufffd", text).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def json_text(document: Any) -> str:
    """A document as JSON, in which nothing can start a line, change the direction of text, or be a command in a log."""
    # Outside strings JSON has none of these, and within them an escape means the same.
    return visible(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def visible(text: str) -> str:
    """The text with escapes for what separates its lines or directs it unseen, and for commands to a log."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def ended(text: str) -> str:
    """The sentence with a full stop, if it has no end of its own."""
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def repository_path(file: str) -> str:
    """The path with slashes and without detours, as services compare it with the paths in a repository."""
    return os.path.normpath(file).replace(os.sep, "/")
