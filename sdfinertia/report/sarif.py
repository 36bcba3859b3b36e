"""Findings as a SARIF log.

Static Analysis Results Interchange Format 2.1.0 plus errata 01 (OASIS, 2023); "3.x" below are its sections.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import re
from collections import Counter
from typing import Any
from urllib.parse import quote

import sdfinertia
from sdfinertia.errors import WARNING_MARK, Location, printable
from sdfinertia.report import FindingsReport
from sdfinertia.report.explanations import cause_words
from sdfinertia.report.findings import (
    copies_words,
    fix_of,
    folded,
    level_of,
    parts_of,
    path_in_repository,
    reason_sentence,
    what_words,
)
from sdfinertia.report.json_records import json_text, why_record
from sdfinertia.rules import RULES, rank_of
from sdfinertia.rules.rule import Finding, Level, Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

# Ours stays the same when the line is edited; GitHub's, which it follows alerts by, when the line moves.
_FINGERPRINT = "sdfinertiaFinding/v1"

_INDEX = {rule.code: position for position, rule in enumerate(RULES)}
# Braces would be placeholders (3.11.5).
_BRACES = str.maketrans({"{": "{{", "}": "}}"})


def findings_sarif(report: FindingsReport) -> str:
    seen = Counter[tuple[str, str, str]]()
    run = {
        "tool": {"driver": {"name": "sdfinertia", "version": sdfinertia.__version__, "rules": list(map(_rule, RULES))}},
        # A `Location` counts characters, not UTF-16 code units.
        "columnKind": "unicodeCodePoints",
        # Repositories that one run checks may have files of one path.
        "artifacts": [{"location": {"uri": uri}} for uri in dict.fromkeys(map(artifact_uri, report.checked))],
        "results": [_result(finding, seen) for finding in folded(report.findings)],
        **({"invocations": [_invocation(report)]} if report.unjudged or report.notes or report.not_checked else {}),
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def artifact_uri(path: str) -> str:
    """The path as a URI (RFC 3986), relative to the root of its repository.

    Outside a repository an absolute path has the scheme file, and a relative one stays. Standard input keeps its name.
    """
    path = path_in_repository(path)
    if os.path.isabs(path):
        return pathlib.Path(path).as_uri()
    # A colon in the first part would read as a scheme, so it is encoded too.
    return quote(os.fsencode(path), safe="/~")


def _rule(rule: Rule) -> dict[str, Any]:
    what, example = rule.what, rule.example.strip()
    longest = max((len(run) for run in re.findall("`+", example)), default=0)
    fence = "`" * max(3, longest + 1)
    text = (
        f"{rule.code} {rule.name}\n\nWhat it finds: {what}\n\nWhy it matters: {rule.why}\n\n"
        f"Example:\n{example}\n\nWhat to do: {rule.fix}"
    )
    markdown = (
        f"# {rule.code} {rule.name}\n\n{what}\n\n## Why it matters\n\n{rule.why}\n\n"
        f"## Example\n\n{fence}xml\n{example}\n{fence}\n\n## What to do\n\n{rule.fix}"
    )
    precision = "very-high" if rule.level is Level.ERROR else "high" if rule.is_default else "medium"
    return {
        "id": rule.code,
        "name": "".join(word[:1].upper() + word[1:] for word in re.split(r"[^0-9A-Za-z]+", rule.name)),
        "shortDescription": {"text": _literal(what)},
        "fullDescription": {"text": _literal(f"{what} {rule.why}")},
        "help": {"text": _literal(text), "markdown": markdown.translate(_BRACES)},
        "defaultConfiguration": {"level": rule.level.value, "enabled": rule.is_default},
        "properties": {"tags": list(rule.topics), "precision": precision, "fix": rule.fixer.fix},
    }


def _invocation(report: FindingsReport) -> dict[str, Any]:
    notes = [_notification("warning", f"not checked: {each.why}", _artifact(each.path)) for each in report.not_checked]
    for reason in report.unjudged:
        notes.append(_notification("note", reason_sentence(reason), _location(reason.location, reason.link)))
    for file, note in report.notes:
        level = "warning" if note.startswith(WARNING_MARK) else "note"
        notes.append(_notification(level, note.removeprefix(WARNING_MARK), _location(Location(file, 1, 1), "")))
    return {"executionSuccessful": True, "toolExecutionNotifications": notes}


def _notification(level: str, text: str, location: dict[str, Any]) -> dict[str, Any]:
    return {"level": level, "message": {"text": _literal(text)}, "locations": [location]}


def _result(finding: Finding, seen: Counter[tuple[str, str, str]]) -> dict[str, Any]:
    message = what_words(finding) + copies_words(finding) + (f"; {finding.remedy}" if finding.remedy else "")
    why: dict[str, Any] = {}
    if finding.why is not None:
        # In the property bag (3.8), whose content is free.
        why = {"cause": cause_words(finding.why), "why": why_record(finding.why)}
        message = f"{message}. Why: {why['cause']}"
    if finding.link:
        message = f"link {finding.link!r}: {message}"
    return {
        "ruleId": finding.code,
        "ruleIndex": _INDEX[finding.code],
        # A note fails nothing.
        "level": "note" if finding.is_minor else level_of(finding.code),
        # From 0 to 100 (3.27.25).
        "rank": rank_of(finding),
        "message": {"text": _literal(printable(message))},
        "locations": [_location(finding.location, finding.link)],
        **({"relatedLocations": [_location(place, "") for place in finding.copies]} if finding.copies else {}),
        "partialFingerprints": {_FINGERPRINT: _fingerprint(finding, seen)},
        "properties": {"text": parts_of(finding)._asdict(), "fix": fix_of(finding), **why},
    }


def _artifact(file: str, **region: Any) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": artifact_uri(file)}, **region}}


def _location(location: Location, link: str) -> dict[str, Any]:
    region = {"startLine": max(1, location.line), "startColumn": max(1, location.column)}
    physical = _artifact(location.file, region=region)
    if not link:
        return physical
    named = printable(link)
    logical = {"name": named.rsplit("::", 1)[-1], "fullyQualifiedName": named, "kind": "element"}
    return {**physical, "logicalLocations": [logical]}


def _fingerprint(finding: Finding, seen: Counter[tuple[str, str, str]]) -> str:
    """Findings of one rule in one link are numbered."""
    key = (path_in_repository(finding.location.file), finding.key.label, finding.code)
    seen[key] += 1
    digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{digest[:32]}:{seen[key]}"


def _literal(text: str) -> str:
    return text.translate(_BRACES).replace("](", "\\](")
