"""What every output of findings shares: levels, counts, and text that any format can carry."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from math import isfinite
from typing import Any, Literal

from sdfinertia.errors import one_line, unicode_text
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import Finding, Mender, Rule

Fix = Literal["safe", "unsafe", "none"]

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
    link = f"link {unicode_text(finding.link)!r}: " if finding.link else ""
    remedy = f"; {finding.remedy}" if finding.remedy else ""
    return one_line(f"{link}{finding.message}{remedy}")


def json_text(document: Any) -> str:
    """A document as JSON on lines of its own; see `json_of`."""
    return json_of(document, indent=2) + "\n"


def json_of(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """A value as JSON, whatever its strings and numbers are.

    Nothing in it can start a line, change the direction of text, or be a command in a log; bytes that are no text are
    replaced. A number that is not finite is null, as JSON has none and null is what is not known elsewhere.
    """
    text = json.dumps(carried(value), ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    # Outside strings JSON has none of what is replaced or escaped, and within them an escape means the same.
    return visible(text)


def carried(value: Any) -> Any:
    """A value as JSON can carry it: text that is Unicode, and null for what no float holds."""
    match value:
        case str():
            return unicode_text(value)
        case float():
            return value if isfinite(value) else None
        case dict():
            return {unicode_text(key): carried(each) for key, each in value.items()}
        case list() | tuple():
            return [carried(each) for each in value]
    return value


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
