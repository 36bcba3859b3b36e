"""Findings as services read them: workflow commands of GitHub Actions, a JUnit report, and a SARIF log."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import sdfinertia
from sdfinertia.errors import WARNING_MARK, Location, counted, printable, unicode_text
from sdfinertia.links.unjudged import Unjudged
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report import findings as words
from sdfinertia.report.findings import (
    closing_lines,
    copies_words,
    counting,
    fix_of,
    folded,
    level_of,
    minor_line,
    names_of,
    not_checked_line,
    path_in_repository,
    place_in_repository,
    reason_sentence,
    rule_address,
    sentence,
    why_words,
    words_in_repository,
)
from sdfinertia.report.formats import FindingsReport
from sdfinertia.report.records import json_text, why_record
from sdfinertia.robot.values import LinkKey
from sdfinertia.rules.registry import rank_of
from sdfinertia.rules.rule import Finding, Level, Rule

# As GitHub's own toolkit escapes them (actions/toolkit, packages/core/src/command.ts).
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

# Ours stays the same when the line is edited; GitHub's, which it follows alerts by, when the line moves.
_FINGERPRINT, _LINE_HASH = "sdfinertiaFinding/v1", "primaryLocationLineHash"

# Braces would be placeholders (3.11.5).
_BRACES = str.maketrans({"{": "{{", "}": "}}"})
# Of the hash of a line.
_LENGTH, _FACTOR, _WORD = 100, 37, 1 << 64
# Ends the characters of a file; zeros fill up what is behind it.
_END_OF_FILE = "\uffff"
_BEYOND_16_BITS = re.compile("[\U00010000-\U0010ffff]")


# Of each level and step; GitHub drops more.
_MAX_ANNOTATIONS = 10


def github_commands(report: FindingsReport) -> str:
    """One workflow command for each link, the worst first; those that GitHub would drop are lines of the log."""
    names = names_of(report.rules)
    failing = frozenset(rule.code for rule in report.rules if rule.fails_run)
    by_link: dict[LinkKey, list[Finding]] = {}
    once = folded(report.findings)
    for finding in counting(once):
        by_link.setdefault(finding.key, []).append(finding)
    links = [sorted(found, key=lambda finding: _gravity(finding, failing)) for found in by_link.values()]
    links.sort(key=lambda found: _gravity(found[0], failing))
    shown: dict[str, int] = {}
    commands, others = [], []
    for found in links:
        level = level_of(found[0].code)
        shown[level] = shown.get(level, 0) + 1
        if shown[level] <= _MAX_ANNOTATIONS:
            commands.append(_command(found, names))
        else:
            others.append(found)
    if others:
        limits = f"{_MAX_ANNOTATIONS} errors and {_MAX_ANNOTATIONS} warnings"
        left = f"{counted(len(others), 'more link')} with findings in the log: GitHub shows {limits} per step"
        commands.append(f"::notice title=sdfinertia::{left}\n")
    if minor := minor_line(once, tells_each=True):
        commands.append(f"::notice title=sdfinertia::{minor}\n")
    lines = [
        f"{unicode_text(place_in_repository(each.location))}: {_told(each)}\n" for found in others for each in found
    ]
    if line := not_checked_line(report.not_checked, report.checked, lists_all=True):
        level = "warning" if report.checked else "error"
        commands.insert(0, f"::{level} title=sdfinertia::{unicode_text(line).translate(_IN_MESSAGE)}\n")
    return "".join([*commands, *lines])


def _gravity(finding: Finding, failing: frozenset[str]) -> tuple[int, float]:
    """First what cannot be checked, then errors, then warnings; of each, what matters most."""
    level = 0 if finding.code in failing else 1 if level_of(finding.code) == "error" else 2
    return level, -rank_of(finding)


def _command(findings: Sequence[Finding], names: Mapping[str, str]) -> str:
    worst, *others = findings
    location = worst.location
    title = f"{worst.code} {names.get(worst.code, '')}".rstrip()
    title += f" and {len(others)} more" if others else ""
    lines = [_sentence(worst), *(f"{each.code} {_sentence(each)}" for each in others)]
    return workflow_command(level_of(worst.code), location, title, unicode_text(chr(10).join(lines)))


def workflow_command(level: str, location: Location, title: str, message: str) -> str:
    """An annotation of a line: its lines may be several, each printable."""
    properties = {
        "file": path_in_repository(location.file),
        "line": str(location.line),
        "col": str(location.column),
        "title": title,
    }
    listed = ",".join(f"{key}={_shown(value).translate(_IN_PROPERTY)}" for key, value in properties.items())
    return f"::{level} {listed}::{unicode_text(message).translate(_IN_MESSAGE)}\n"


def _told(finding: Finding) -> str:
    return unicode_text(f"{finding.code} {_sentence(finding)}")


def _sentence(finding: Finding) -> str:
    """The finding on one line, with the path in the repository."""
    return sentence(finding._replace(advice=words_in_repository(finding.remedy, finding.location.file)))


# JUnit ----------------------------------------------------------------------------------------------------------------
# There is no standard; this keeps to what the schema of Jenkins's xUnit plugin (junit-10.xsd) allows.

# The test case of findings outside links.
_WHOLE_FILE = "(file)"


class _Case(NamedTuple):
    """A link, or a file as a whole."""

    findings: list[Finding]
    reasons: list[Unjudged]


def junit_report(report: FindingsReport) -> str:
    """A test case for each link, and for each file without links or with findings outside them.

    One with findings fails, with all of them in one failure, as many services show only the first; what could not be
    read is an error; a link without findings that was not fully checked is skipped.
    """
    cases: dict[str, dict[str, _Case]] = {}
    for file in report.checked:
        cases[file] = {label: _Case([], []) for label in report.links.get(file, ())}
    for finding in counting(report.findings):
        of_file = cases.setdefault(finding.location.file, {})
        of_file.setdefault(finding.key.label if finding.link else _WHOLE_FILE, _Case([], [])).findings.append(finding)
    for reason in report.unjudged:
        cases.setdefault(reason.location.file, {}).setdefault(reason.link, _Case([], [])).reasons.append(reason)
    skipped_files = {each.path: each.why for each in report.not_checked}
    for file in skipped_files:
        cases.setdefault(file, {})
    for of_file in cases.values():
        if not of_file:
            of_file[_WHOLE_FILE] = _Case([], [])
    failing = frozenset(rule.code for rule in report.rules if rule.fails_run)
    everything = [case for of_file in cases.values() for case in of_file.values()]
    errors = sum(any(finding.code in failing for finding in case.findings) for case in everything)
    failures = sum(bool(case.findings) for case in everything) - errors
    skipped = len(skipped_files) + sum(bool(case.reasons) and not case.findings for case in everything)
    counts = {"tests": str(len(everything)), "failures": str(failures), "errors": str(errors)}
    suites = Element("testsuites", {"name": "sdfinertia check", **counts})
    suite = SubElement(suites, "testsuite", {"name": "sdfinertia check", **counts, "skipped": str(skipped)})
    for file, of_file in cases.items():
        owner = _shown(f"sdfinertia.check {path_in_repository(file)}")
        for name, (findings, reasons) in of_file.items():
            case = SubElement(suite, "testcase", {"classname": owner, "name": _shown(name)})
            if findings:
                case.append(_failure(findings, failing))
            elif file in skipped_files:
                SubElement(case, "skipped", {"message": f"not checked: {skipped_files[file]}"})
            elif reasons:
                message = " ".join(closing_lines(reasons, names_first=False))
                text = "\n".join(
                    f"{unicode_text(place_in_repository(each.location))}: {reason_sentence(each)}" for each in reasons
                )
                SubElement(case, "skipped", {"message": _shown(message)}).text = unicode_text(text)
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'


def _failure(findings: Sequence[Finding], failing: frozenset[str]) -> Element:
    codes = sorted({finding.code for finding in findings})
    tag = "error" if not failing.isdisjoint(codes) else "failure"
    message = _shown(f"{findings[0].code} {_sentence(findings[0])}")
    if len(findings) > 1:
        message += f" (and {counted(len(findings) - 1, 'more finding')})"
    failure = Element(tag, {"type": " ".join(codes), "message": message})
    failure.text = "\n".join(
        _shown(f"{place_in_repository(finding.location)}: {_told(finding)}") for finding in findings
    )
    return failure


def _shown(text: str) -> str:
    """Text on one line, of characters that UTF-8 and XML 1.0 allow."""
    return unicode_text(printable(text))


# SARIF ----------------------------------------------------------------------------------------------------------------
# Static Analysis Results Interchange Format 2.1.0 plus errata 01 (OASIS, 2023); "3.x" below are its sections.


def sarif_log(report: FindingsReport) -> str:
    index = {rule.code: position for position, rule in enumerate(report.rules)}
    prints = _Fingerprints(report.content_of)
    addresses = [rule_address(rule.code) for rule in report.rules]
    topics = [list(rule.topics) for rule in report.rules]
    run = {
        "tool": {
            "driver": {
                "name": "sdfinertia",
                "version": sdfinertia.__version__,
                **({"informationUri": words.REPOSITORY} if words.REPOSITORY is not None else {}),
                "rules": list(map(_rule, report.rules, addresses, topics)),
            }
        },
        # A `Location` counts characters, not UTF-16 code units.
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": artifact_uri(path)}} for path in dict.fromkeys(report.checked)],
        "results": [_result(finding, index, prints) for finding in folded(report.findings)],
        **({"invocations": [_invocation(report)]} if report.unjudged or report.notes or report.not_checked else {}),
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def plain_sarif_log(results: Sequence[tuple[str, Location, str, str]]) -> str:
    """A log of what no rule finds: the name of each, its place, the link, and the message."""
    driver = {
        "name": "sdfinertia",
        "version": sdfinertia.__version__,
        "rules": [{"id": name} for name in sorted({name for name, *_ in results})],
    }
    listed = [
        {
            "ruleId": name,
            "level": "warning",
            "message": {"text": _literal(printable(message))},
            "locations": [_location(location, link)],
        }
        for name, location, link, message in results
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": listed}
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def artifact_uri(path: str) -> str:
    """The path as a URI (RFC 3986), relative to the root of its repository.

    Outside a repository an absolute path has the scheme file, and a relative one stays. Standard input keeps its name.
    """
    path = path_in_repository(path)
    if os.path.isabs(path):
        import pathlib

        return pathlib.Path(path).as_uri()
    # A colon in the first part would read as a scheme, so it is encoded too.
    return quote(os.fsencode(path), safe="/~")


def pascal_case(name: str) -> str:
    """`mass-not-positive` as `MassNotPositive`, the form of rule names in SARIF."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^0-9A-Za-z]+", name))


def _rule(rule: Rule, address: str | None, topics: list[str]) -> dict[str, Any]:
    what, why, fix = rule.what, rule.why, rule.fix
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
        "properties": {"tags": topics, "precision": _precision(rule), "fix": rule.fixer.fix},
    }


def _precision(rule: Rule) -> str:
    """GitHub's word for how seldom a rule is wrong."""
    if rule.level is Level.ERROR:
        return "very-high"
    return "high" if rule.is_default else "medium"


def _invocation(report: FindingsReport) -> dict[str, Any]:
    """What could not be checked (3.20), and what is to be said of files, as notes."""
    notes: list[dict[str, Any]] = [
        {
            "level": "warning",
            "message": {"text": _literal(f"not checked: {each.why}")},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": artifact_uri(each.path)}}}],
        }
        for each in report.not_checked
    ]
    notes += (
        {
            "level": "note",
            "message": {"text": _literal(reason_sentence(reason))},
            "locations": [_location(reason.location, reason.link)],
        }
        for reason in report.unjudged
    )
    notes += [
        {
            "level": "warning" if note.startswith(WARNING_MARK) else "note",
            "message": {"text": _literal(note.removeprefix(WARNING_MARK))},
            "locations": [_location(Location(file, 1, 1), "")],
        }
        for file, note in report.notes
    ]
    return {"executionSuccessful": True, "toolExecutionNotifications": notes}


def _result(finding: Finding, index: dict[str, int], prints: _Fingerprints) -> dict[str, Any]:
    message = finding.message + copies_words(finding) + (f"; {finding.remedy}" if finding.remedy else "")
    why: dict[str, Any] = {}
    if finding.why is not None:
        # In the property bag (3.8), of which the format says nothing.
        why = {"cause": why_words(finding.why), "why": why_record(finding.why)}
        message = f"{message}. Why: {why['cause']}"
    if finding.link:
        message = f"link {finding.link!r}: {message}"
    rule = {"ruleIndex": index[finding.code]} if finding.code in index else {}
    return {
        "ruleId": finding.code,
        **rule,
        # A note fails nothing.
        "level": "note" if finding.is_minor else level_of(finding.code),
        # From 0 to 100 (3.27.25).
        "rank": rank_of(finding),
        "message": {"text": _literal(printable(message))},
        "locations": [_location(finding.location, finding.link)],
        **({"relatedLocations": [_location(place, "") for place in finding.copies]} if finding.copies else {}),
        "partialFingerprints": prints.of(finding),
        "properties": {"fix": fix_of(finding), **why},
    }


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
    def __init__(self, content_of: Callable[[str], bytes | None]) -> None:
        self._content_of = content_of
        self._seen: dict[tuple[str, str, str], int] = {}
        self._lines: dict[str, LineHashes | None] = {}

    def of(self, finding: Finding) -> dict[str, str]:
        prints = {_FINGERPRINT: self._own(finding)}
        file, line = finding.location.file, finding.location.line
        if file not in self._lines:
            content = self._content_of(file)
            self._lines[file] = LineHashes(content) if content is not None else None
        lines = self._lines[file]
        line_hash = lines.of_line(max(1, line)) if lines is not None else None
        return prints if line_hash is None else {**prints, _LINE_HASH: line_hash}

    def _own(self, finding: Finding) -> str:
        """Independent of line numbers and of numbers in the message."""
        import hashlib

        key = (path_in_repository(finding.location.file), finding.key.label, finding.code)
        number = self._seen[key] = self._seen.get(key, 0) + 1
        digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{digest[:32]}:{number}"


def _literal(text: str) -> str:
    """Text without placeholders (3.11.5) and embedded links (3.11.6)."""
    return text.translate(_BRACES).replace("](", "\\](")


class LineHashes:
    """The fingerprints of lines by which GitHub's code scanning follows an alert while a file is edited.

    GitHub's upload action adds the same where a log lacks it (github/codeql-action, `src/fingerprints.ts`): a
    polynomial hash of the characters from the start of the line, without blanks. The content is taken as UTF-8 whatever
    it declares.
    """

    def __init__(self, content: bytes) -> None:
        text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        text = _BEYOND_16_BITS.sub(_halves, text.replace(" ", "").replace("\t", "")) + _END_OF_FILE
        # Lines that are hashed alike are numbered; only those that are asked for need the hash itself.
        self._numbered: list[tuple[str, int]] = []
        met: dict[str, int] = {}
        start = 0
        while start < len(text):
            window = text[start : start + _LENGTH]
            met[window] = met.get(window, 0) + 1
            self._numbered.append((window, met[window]))
            start = text.find("\n", start) + 1 or len(text)

    def of_line(self, line: int) -> str | None:
        if not 1 <= line <= len(self._numbered):
            return None
        window, number = self._numbered[line - 1]
        value = 0
        for character in window.ljust(_LENGTH, "\0"):
            value = (value * _FACTOR + ord(character)) % _WORD
        return f"{value:x}:{number}"


def _halves(found: re.Match[str]) -> str:
    """A character beyond 16 bits as its two UTF-16 halves."""
    offset = ord(found[0]) - 0x10000
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))
