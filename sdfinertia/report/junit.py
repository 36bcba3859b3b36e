"""Findings as a JUnit report.

There is no standard; this follows the schema of Jenkins's xUnit plugin (junit-10.xsd).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sdfinertia.errors import counted, unicode_text
from sdfinertia.report.findings import (
    closing_lines,
    counting,
    line_of,
    path_in_repository,
    place_in_repository,
    printed,
    reason_sentence,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.links.study import Unjudged
    from sdfinertia.report import FindingsReport
    from sdfinertia.rules.rule import Finding

# The test case of findings outside links.
_WHOLE_FILE = "(file)"


class _Case(NamedTuple):
    """A link, or a file as a whole."""

    findings: list[Finding]
    reasons: list[Unjudged]


def junit_report(report: FindingsReport) -> str:
    """A test case for each link, and for each file without links or with findings outside them.

    One with findings fails, with all of them in one failure, as many services show only the first; an unreadable file
    is an error; a link without findings that was not fully checked is skipped.
    """
    cases = _cases(report)
    skipped_files = {each.path: each.why for each in report.not_checked}
    failing = frozenset(rule.code for rule in report.rules if rule.fails_run)
    everything = [case for of_file in cases.values() for case in of_file.values()]
    errors = sum(any(finding.code in failing for finding in case.findings) for case in everything)
    failures = sum(bool(case.findings) for case in everything) - errors
    skipped = len(skipped_files) + sum(bool(case.reasons) and not case.findings for case in everything)
    counts = {"tests": str(len(everything)), "failures": str(failures), "errors": str(errors)}
    suites = Element("testsuites", {"name": "sdfinertia check", **counts})
    suite = SubElement(suites, "testsuite", {"name": "sdfinertia check", **counts, "skipped": str(skipped)})
    for file, of_file in cases.items():
        owner = printed(f"sdfinertia.check {path_in_repository(file)}")
        for name, (findings, reasons) in of_file.items():
            case = SubElement(suite, "testcase", {"classname": owner, "name": printed(name)})
            if findings:
                case.append(_failure(findings, failing))
            elif file in skipped_files:
                SubElement(case, "skipped", {"message": f"not checked: {skipped_files[file]}"})
            elif reasons:
                case.append(_skipped(reasons))
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'


def _cases(report: FindingsReport) -> dict[str, dict[str, _Case]]:
    cases: dict[str, dict[str, _Case]] = {}
    for file in report.checked:
        cases[file] = {label: _Case([], []) for label in report.links.get(file, ())}
    for finding in counting(report.findings):
        of_file = cases.setdefault(finding.location.file, {})
        of_file.setdefault(finding.key.label if finding.link else _WHOLE_FILE, _Case([], [])).findings.append(finding)
    for reason in report.unjudged:
        cases.setdefault(reason.location.file, {}).setdefault(reason.link, _Case([], [])).reasons.append(reason)
    for each in report.not_checked:
        cases.setdefault(each.path, {})
    for of_file in cases.values():
        if not of_file:
            of_file[_WHOLE_FILE] = _Case([], [])
    return cases


def _skipped(reasons: Sequence[Unjudged]) -> Element:
    skipped = Element("skipped", {"message": printed(" ".join(closing_lines(reasons, names_first=False)))})
    places = (f"{unicode_text(place_in_repository(each.location))}: {reason_sentence(each)}" for each in reasons)
    skipped.text = unicode_text("\n".join(places))
    return skipped


def _failure(findings: Sequence[Finding], failing: frozenset[str]) -> Element:
    codes = sorted({finding.code for finding in findings})
    tag = "error" if not failing.isdisjoint(codes) else "failure"
    message = printed(line_of(findings[0]))
    if len(findings) > 1:
        message += f" (and {counted(len(findings) - 1, 'more finding')})"
    failure = Element(tag, {"type": " ".join(codes), "message": message})
    failure.text = "\n".join(printed(f"{place_in_repository(each.location)} {line_of(each)}") for each in findings)
    return failure
