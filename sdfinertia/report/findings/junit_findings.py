"""Findings as a JUnit report, which most services for continuous integration show as tests that failed.

There is no standard; this keeps to what the schema of Jenkins's xUnit plugin (junit-10.xsd) allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sdfinertia.errors import printable, unicode_text
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.wording import counted, sentence
from sdfinertia.rules.rule import Finding, Rule


def render(report: FindingsReport) -> str:
    """See `junit_report`."""
    return junit_report(report.findings, report.rules, report.checked)


def junit_report(findings: Sequence[Finding], rules: Sequence[Rule], checked: Sequence[str]) -> str:
    """The report: every file is a test case, which keeps its name whether it passes or fails.

    A file with findings fails, with all of them in one failure, as many services show the first one only; a file that
    could not be judged is an error instead.

    Args:
        findings: of the run.
        rules: that were on, to know which findings mean that a file could not be judged.
        checked: every file that was looked at; files with findings that are not among them are added.
    """
    of_file: dict[str, list[Finding]] = {file: [] for file in checked}
    for finding in findings:
        of_file.setdefault(finding.location.file, []).append(finding)
    unjudged = frozenset(rule.code for rule in rules if rule.fails_run)
    errors = sum(any(finding.code in unjudged for finding in each) for each in of_file.values())
    failures = sum(bool(each) for each in of_file.values()) - errors
    counts = {"tests": str(len(of_file)), "failures": str(failures), "errors": str(errors)}
    suites = Element("testsuites", {"name": "sdfinertia check", **counts})
    suite = SubElement(suites, "testsuite", {"name": "sdfinertia check", **counts, "skipped": "0"})
    for file, each in of_file.items():
        case = SubElement(suite, "testcase", {"classname": "sdfinertia.check", "name": _shown(file)})
        if each:
            case.append(_failure(each, unjudged))
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'


def _failure(findings: Sequence[Finding], unjudged: frozenset[str]) -> Element:
    codes = sorted({finding.code for finding in findings})
    tag = "error" if not unjudged.isdisjoint(codes) else "failure"
    message = _shown(f"{findings[0].code} {sentence(findings[0])}")
    if len(findings) > 1:
        message += f" (and {counted(len(findings) - 1, 'more finding')})"
    failure = Element(tag, {"type": " ".join(codes), "message": message})
    failure.text = "\n".join(_shown(f"{finding.location}: {finding.code} {sentence(finding)}") for finding in findings)
    return failure


def _shown(text: str) -> str:
    """Text of characters that XML 1.0 allows, which the library does not look after.

    Control characters are written as escapes, and bytes that are no text are replaced.
    """
    return unicode_text(printable(text))
