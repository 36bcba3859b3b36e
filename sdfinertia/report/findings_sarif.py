"""Findings as a SARIF log, which code hosts show as alerts on code.

Static Analysis Results Interchange Format 2.1.0 plus errata 01 (OASIS, 2023); "3.x" below are its sections.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

import sdfinertia
from sdfinertia.errors import Location, printable
from sdfinertia.report.findings import ended, json_text, level_of, repository_path, unicode_text
from sdfinertia.rules.rule import Finding, Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

# Not named primaryLocationLineHash: services compute that one from the line's text and object to another.
_FINGERPRINT = "sdfinertiaFinding/v1"

# Braces would be placeholders (3.11.5).
_BRACES = str.maketrans({"{": "{{", "}": "}}"})


def sarif_log(findings: Sequence[Finding], rules: Sequence[Rule], checked: Sequence[str]) -> str:
    """The log of one run: its rules with their documentation, its files, and a result for each finding.

    Args:
        findings: of the run.
        rules: that are known, whether they were on or not.
        checked: every file that was looked at. Relative paths should start where the repository does.
    """
    index = {rule.code: position for position, rule in enumerate(rules)}
    prints = _Fingerprints()
    run = {
        "tool": {
            "driver": {
                "name": "sdfinertia",
                "version": sdfinertia.__version__,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        # A `Location` counts characters, not UTF-16 code units.
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": artifact_uri(path)}} for path in dict.fromkeys(checked)],
        "results": [_result(finding, index, prints) for finding in findings],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_text(log)


def artifact_uri(path: str) -> str:
    """The path as a URI (RFC 3986): relative to wherever the log is read if the path is, else of scheme file."""
    # Loaded here, as in the functions around it, so that the other formats start without.
    from urllib.parse import quote

    if os.path.isabs(path):
        import pathlib

        return pathlib.Path(os.path.normpath(path)).as_uri()
    # A colon in the first part would read as a scheme, so it is encoded too.
    return quote(os.fsencode(repository_path(path)), safe="/~")


def pascal_case(name: str) -> str:
    """`mass-not-positive` as `MassNotPositive`, the form that names of rules have in SARIF."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^0-9A-Za-z]+", name))


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": pascal_case(rule.name),
        "shortDescription": {"text": _literal(ended(rule.what))},
        "fullDescription": {"text": _literal(f"{ended(rule.what)} {ended(rule.why)}")},
        "help": {"text": _literal(_help_text(rule)), "markdown": _help_markdown(rule).translate(_BRACES)},
        "defaultConfiguration": {"level": level_of(rule.code), "enabled": rule.is_default},
    }


def _help_text(rule: Rule) -> str:
    return (
        f"{rule.code} {rule.name}\n\n"
        f"What it finds: {ended(rule.what)}\n\n"
        f"Why it matters: {ended(rule.why)}\n\n"
        f"Example:\n{rule.example.strip()}\n\n"
        f"What to do: {ended(rule.fix)}"
    )


def _help_markdown(rule: Rule) -> str:
    longest = max((len(run) for run in re.findall("`+", rule.example)), default=0)
    fence = "`" * max(3, longest + 1)
    return (
        f"# {rule.code} {rule.name}\n\n"
        f"{ended(rule.what)}\n\n"
        f"## Why it matters\n\n{ended(rule.why)}\n\n"
        f"## Example\n\n{fence}xml\n{rule.example.strip()}\n{fence}\n\n"
        f"## What to do\n\n{ended(rule.fix)}"
    )


def _result(finding: Finding, index: dict[str, int], prints: _Fingerprints) -> dict[str, Any]:
    message = finding.message + (f"; {finding.remedy}" if finding.remedy else "")
    if finding.link:
        message = f"link {finding.link!r}: {message}"
    rule = {"ruleIndex": index[finding.code]} if finding.code in index else {}
    return {
        "ruleId": finding.code,
        **rule,
        "level": level_of(finding.code),
        "message": {"text": _literal(unicode_text(printable(message)))},
        "locations": [_location(finding.location, finding.link)],
        "partialFingerprints": {_FINGERPRINT: prints.of(finding)},
    }


def _location(location: Location, link: str) -> dict[str, Any]:
    physical = {
        "artifactLocation": {"uri": artifact_uri(location.file)},
        "region": {"startLine": max(1, location.line), "startColumn": max(1, location.column)},
    }
    if not link:
        return {"physicalLocation": physical}
    named = unicode_text(printable(link))
    logical = {"name": named.rsplit("::", 1)[-1], "fullyQualifiedName": named, "kind": "element"}
    return {"physicalLocation": physical, "logicalLocations": [logical]}


class _Fingerprints:
    """Numbers findings that are alike in path, link and code, so that each has a fingerprint of its own."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str, str], int] = {}

    def of(self, finding: Finding) -> str:
        """What stays the same when other parts of the file are edited: no line, no number of the message is in it."""
        import hashlib

        key = (repository_path(finding.location.file), finding.link, finding.code)
        number = self._seen[key] = self._seen.get(key, 0) + 1
        digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{digest[:32]}:{number}"


def _literal(text: str) -> str:
    """Text in which nothing is a placeholder (3.11.5) or an embedded link (3.11.6)."""
    return text.translate(_BRACES).replace("](", "\\](")
