"""Findings for services that run checks: as workflow commands of GitHub Actions, and as a JUnit report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sdfinertia.errors import counted, unicode_text
from sdfinertia.links import Unjudged
from sdfinertia.report import FindingsReport
from sdfinertia.report.findings import (
    closing_lines,
    counting,
    folded,
    level_of,
    line_of,
    lines_of,
    minor_line,
    not_checked_line,
    path_in_repository,
    place_in_repository,
    printed,
    reason_sentence,
)
from sdfinertia.robot import LinkKey
from sdfinertia.rules import CANNOT_JUDGE, RULE_OF_CODE, rank_of
from sdfinertia.rules.rule import Finding

# As GitHub's own toolkit escapes them (actions/toolkit, packages/core/src/command.ts).
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
# Per level and step; GitHub drops more.
_MAX_ANNOTATIONS = 10


def findings_github(report: FindingsReport) -> str:
    """One workflow command for each link, the worst first; those that GitHub would drop are lines of the log."""
    by_link: dict[LinkKey, list[Finding]] = {}
    once = folded(report.findings)
    for finding in sorted(counting(once), key=_gravity):
        by_link.setdefault(finding.key, []).append(finding)
    shown = Counter[str]()
    commands: list[str] = []
    others: list[Finding] = []
    for found in by_link.values():
        level = level_of(found[0].code)
        shown[level] += 1
        if shown[level] <= _MAX_ANNOTATIONS:
            commands.append(_command(found))
        else:
            others += found
    if line := not_checked_line(report):
        level = "warning" if report.checked else "error"
        commands.insert(0, f"::{level} title=sdfinertia::{unicode_text(line).translate(_IN_MESSAGE)}\n")
    if dropped := sum(max(count - _MAX_ANNOTATIONS, 0) for count in shown.values()):
        limits = f"{_MAX_ANNOTATIONS} errors and {_MAX_ANNOTATIONS} warnings"
        left = f"{counted(dropped, 'more link')} with findings in the log: GitHub shows {limits} per step"
        commands.append(f"::notice title=sdfinertia::{left}\n")
    if minor := minor_line(once, lists_all=True):
        commands.append(f"::notice title=sdfinertia::{minor}\n")
    commands += (f"{unicode_text(place_in_repository(each.location))} {line_of(each)}\n" for each in others)
    return "".join(commands)


def _gravity(finding: Finding) -> tuple[int, float]:
    level = 0 if finding.code in CANNOT_JUDGE else 1 if level_of(finding.code) == "error" else 2
    return level, -rank_of(finding)


def _command(findings: Sequence[Finding]) -> str:
    """An annotation of the line of the worst finding."""
    worst, *others = findings
    lines = lines_of(worst)
    for each in others:
        what, *rest = lines_of(each)
        lines += [f"{each.code} {what}", *rest]
    more = f" and {len(others)} more" if others else ""
    properties = {
        "file": path_in_repository(worst.location.file),
        "line": str(worst.location.line),
        "col": str(worst.location.column),
        "title": f"{worst.code} {RULE_OF_CODE[worst.code].name}{more}",
    }
    listed = ",".join(f"{key}={printed(value).translate(_IN_PROPERTY)}" for key, value in properties.items())
    return f"::{level_of(worst.code)} {listed}::{unicode_text(chr(10).join(lines)).translate(_IN_MESSAGE)}\n"


# JUnit has no standard; this follows the schema of Jenkins's xUnit plugin (junit-10.xsd).
# The test case of findings outside links.
_WHOLE_FILE = "(file)"


# A link, or a file as a whole.
_Case = tuple[list["Finding"], list["Unjudged"]]


def findings_junit(report: FindingsReport) -> str:
    """A test case for each link, and for each file without links or with findings outside them.

    One with findings fails, with all of them in one failure, as many services show only the first; an unreadable file
    is an error; a link without findings that was not fully checked is skipped.
    """
    skipped_files = {each.path: each.why for each in report.not_checked}
    suites, suite = Element("testsuites"), Element("testsuite")
    suites.append(suite)
    for file, of_file in _cases(report).items():
        owner = printed(f"sdfinertia.check {path_in_repository(file)}")
        for name, (findings, reasons) in of_file.items():
            case = SubElement(suite, "testcase", {"classname": owner, "name": printed(name)})
            if findings:
                case.append(_failure(findings))
            elif file in skipped_files:
                SubElement(case, "skipped", {"message": f"not checked: {skipped_files[file]}"})
            elif reasons:
                case.append(_skipped(reasons))
    tags = Counter(outcome.tag for case in suite for outcome in case)
    counts = {"tests": str(len(suite)), "failures": str(tags["failure"]), "errors": str(tags["error"])}
    suites.attrib.update({"name": "sdfinertia check", **counts})
    suite.attrib.update({"name": "sdfinertia check", **counts, "skipped": str(tags["skipped"])})
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'


def _cases(report: FindingsReport) -> dict[str, dict[str, _Case]]:
    cases: dict[str, dict[str, _Case]] = {
        file: {label: ([], []) for label in report.links.get(file, ())} for file in report.checked
    }
    for finding in counting(report.findings):
        of_file = cases.setdefault(finding.location.file, {})
        of_file.setdefault(finding.key.label if finding.link else _WHOLE_FILE, ([], []))[0].append(finding)
    for reason in report.unjudged:
        cases.setdefault(reason.location.file, {}).setdefault(reason.link, ([], []))[1].append(reason)
    for each in report.not_checked:
        cases.setdefault(each.path, {})
    return {file: of_file or {_WHOLE_FILE: ([], [])} for file, of_file in cases.items()}


def _skipped(reasons: Sequence[Unjudged]) -> Element:
    skipped = Element("skipped", {"message": printed(" ".join(closing_lines(reasons, names_first=False)))})
    places = (f"{place_in_repository(each.location)}: {reason_sentence(each)}" for each in reasons)
    skipped.text = unicode_text("\n".join(places))
    return skipped


def _failure(findings: Sequence[Finding]) -> Element:
    codes = sorted({finding.code for finding in findings})
    more = f" (and {counted(len(findings) - 1, 'more finding')})" if len(findings) > 1 else ""
    message = printed(line_of(findings[0])) + more
    tag = "failure" if CANNOT_JUDGE.isdisjoint(codes) else "error"
    failure = Element(tag, {"type": " ".join(codes), "message": message})
    failure.text = "\n".join(printed(f"{place_in_repository(each.location)} {line_of(each)}") for each in findings)
    return failure
