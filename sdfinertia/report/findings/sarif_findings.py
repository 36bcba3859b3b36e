"""Findings as a SARIF log, which code hosts show as alerts on code.

Static Analysis Results Interchange Format 2.1.0 plus errata 01 (OASIS, 2023); "3.x" below are its sections.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any

import sdfinertia
from sdfinertia.errors import Location, printable
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings import addresses
from sdfinertia.report.findings.line_hashes import LineHashes
from sdfinertia.report.findings.unjudged import reason_sentence
from sdfinertia.report.findings.wording import ended, fix_of, fix_of_rule, json_text, level_of, repository_path
from sdfinertia.rules.facts import Unjudged
from sdfinertia.rules.rule import Finding, Level, Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

# Ours stays the same when the line is edited; GitHub's, which it follows alerts by, when the line moves.
_FINGERPRINT, _LINE_HASH = "sdfinertiaFinding/v1", "primaryLocationLineHash"

# Braces would be placeholders (3.11.5).
_BRACES = str.maketrans({"{": "{{", "}": "}}"})


def render(report: FindingsReport) -> str:
    """See `sarif_log`."""
    return sarif_log(report.findings, report.rules, report.checked, report.content_of, report.unjudged)


def sarif_log(
    findings: Sequence[Finding],
    rules: Sequence[Rule],
    checked: Sequence[str],
    content_of: Callable[[str], bytes | None] = lambda _: None,
    unjudged: Sequence[Unjudged] = (),
) -> str:
    """The log of one run: its rules with their documentation, its files, and a result for each finding.

    Args:
        findings: of the run.
        rules: that are known, whether they were on or not.
        checked: every file that was looked at.
        content_of: the bytes of a file, or None where there are none to be had.
        unjudged: why rules could not judge some links.
    """
    index = {rule.code: position for position, rule in enumerate(rules)}
    prints = _Fingerprints(content_of)
    run = {
        "tool": {
            "driver": {
                "name": "sdfinertia",
                "version": sdfinertia.__version__,
                **({"informationUri": addresses.REPOSITORY} if addresses.REPOSITORY is not None else {}),
                "rules": [_rule(rule) for rule in rules],
            }
        },
        # A `Location` counts characters, not UTF-16 code units.
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": artifact_uri(path)}} for path in dict.fromkeys(checked)],
        "results": [_result(finding, index, prints) for finding in findings],
        **({"invocations": [_invocation(unjudged)]} if unjudged else {}),
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_text(log)


def artifact_uri(path: str) -> str:
    """The path as a URI (RFC 3986): relative to the root of the repository that the file is in, where there is one.

    Without one it is relative to wherever the log is read if the path is, else of scheme file. Standard input keeps its
    name, as no file in a repository.
    """
    # Loaded here, as in the functions around it, so that the other formats start without.
    from urllib.parse import quote

    path = _path_in_repository(path)
    if os.path.isabs(path):
        import pathlib

        return pathlib.Path(os.path.normpath(path)).as_uri()
    # A colon in the first part would read as a scheme, so it is encoded too.
    return quote(os.fsencode(repository_path(path)), safe="/~")


def _path_in_repository(path: str) -> str:
    root = _repository_of(os.path.dirname(os.path.abspath(path))) if os.path.lexists(path) else None
    return os.path.relpath(os.path.abspath(path), root) if root is not None else path


def _repository_of(directory: str) -> str | None:
    """The nearest directory at or above one that holds a `.git`: a directory, or a file in further work trees."""
    if os.path.lexists(os.path.join(directory, ".git")):
        return directory
    parent = os.path.dirname(directory)
    return _repository_of(parent) if parent != directory else None


def pascal_case(name: str) -> str:
    """`mass-not-positive` as `MassNotPositive`, the form that names of rules have in SARIF."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^0-9A-Za-z]+", name))


def _rule(rule: Rule) -> dict[str, Any]:
    """A rule, explained."""
    address = addresses.rule_address(rule.code)
    what, why, fix = ended(rule.what), ended(rule.why), ended(rule.fix)
    example = rule.example.strip()
    text = (
        f"{rule.code} {rule.name}\n\n"
        f"What it finds: {what}\n\n"
        f"Why it matters: {why}\n\n"
        f"Example:\n{example}\n\n"
        f"What to do: {fix}"
    )
    longest = max((len(run) for run in re.findall("`+", rule.example)), default=0)
    fence = "`" * max(3, longest + 1)
    markdown = (
        f"# {rule.code} {rule.name}\n\n"
        f"{what}\n\n"
        f"## Why it matters\n\n{why}\n\n"
        f"## Example\n\n{fence}xml\n{example}\n{fence}\n\n"
        f"## What to do\n\n{fix}"
    )
    return {
        "id": rule.code,
        "name": pascal_case(rule.name),
        "shortDescription": {"text": _literal(what)},
        "fullDescription": {"text": _literal(f"{what} {why}")},
        "help": {"text": _literal(text), "markdown": markdown.translate(_BRACES)},
        **({"helpUri": address} if address is not None else {}),
        "defaultConfiguration": {"level": rule.level.value, "enabled": rule.is_default},
        "properties": {"tags": list(rule.tags), "precision": _precision(rule), "fix": fix_of_rule(rule)},
    }


def _precision(rule: Rule) -> str:
    """How seldom a rule is wrong, in GitHub's words: what is an error is proven, and a rule is on where it is sure."""
    if rule.level is Level.ERROR:
        return "very-high"
    return "high" if rule.is_default else "medium"


def _invocation(unjudged: Sequence[Unjudged]) -> dict[str, Any]:
    """What the run could not judge (3.20): notes, since nothing may be wrong with it."""
    notes = [
        {
            "level": "note",
            "message": {"text": _literal(reason_sentence(reason))},
            "locations": [_location(reason.location, reason.link)],
        }
        for reason in unjudged
    ]
    return {"executionSuccessful": True, "toolExecutionNotifications": notes}


def _result(finding: Finding, index: dict[str, int], prints: _Fingerprints) -> dict[str, Any]:
    message = finding.message + (f"; {finding.remedy}" if finding.remedy else "")
    if finding.why is not None:
        from sdfinertia.report.findings.causes import why_words

        message = f"{message}. Why: {why_words(finding.why)}"
    if finding.link:
        message = f"link {finding.link!r}: {message}"
    rule = {"ruleIndex": index[finding.code]} if finding.code in index else {}
    return {
        "ruleId": finding.code,
        **rule,
        "level": level_of(finding.code),
        "message": {"text": _literal(printable(message))},
        "locations": [_location(finding.location, finding.link)],
        "partialFingerprints": prints.of(finding),
        "properties": {"fix": fix_of(finding), **_why(finding)},
    }


def _why(finding: Finding) -> dict[str, Any]:
    """What explains it, where that was asked for: in the property bag (3.8), of which the format says nothing."""
    if finding.why is None:
        return {}
    from sdfinertia.report.findings.causes import why_json, why_words

    return {"cause": why_words(finding.why), "why": why_json(finding.why)}


def _location(location: Location, link: str) -> dict[str, Any]:
    physical = {
        "artifactLocation": {"uri": artifact_uri(location.file)},
        "region": {"startLine": max(1, location.line), "startColumn": max(1, location.column)},
    }
    if not link:
        return {"physicalLocation": physical}
    named = printable(link)
    logical = {"name": named.rsplit("::", 1)[-1], "fullyQualifiedName": named, "kind": "element"}
    return {"physicalLocation": physical, "logicalLocations": [logical]}


class _Fingerprints:
    """The fingerprints of findings; those of a link that are alike in code are numbered."""

    def __init__(self, content_of: Callable[[str], bytes | None]) -> None:
        self._content_of = content_of
        self._seen: dict[tuple[str, str, str], int] = {}
        self._lines: dict[str, LineHashes | None] = {}

    def of(self, finding: Finding) -> dict[str, str]:
        """Those of a finding, by their names; GitHub's is left out where the file cannot be read."""
        prints = {_FINGERPRINT: self._own(finding)}
        file, line = finding.location.file, finding.location.line
        if file not in self._lines:
            content = self._content_of(file)
            self._lines[file] = LineHashes(content) if content is not None else None
        lines = self._lines[file]
        line_hash = lines.of_line(max(1, line)) if lines is not None else None
        return prints if line_hash is None else {**prints, _LINE_HASH: line_hash}

    def _own(self, finding: Finding) -> str:
        """What stays the same when other parts of the file are edited: no line, no number of the message is in it."""
        import hashlib

        key = (repository_path(_path_in_repository(finding.location.file)), finding.key.label, finding.code)
        number = self._seen[key] = self._seen.get(key, 0) + 1
        digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{digest[:32]}:{number}"


def _literal(text: str) -> str:
    """Text in which nothing is a placeholder (3.11.5) or an embedded link (3.11.6)."""
    return text.translate(_BRACES).replace("](", "\\](")
