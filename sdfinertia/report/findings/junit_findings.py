"""Findings as a JUnit report, which most services for continuous integration show as tests that failed.

There is no standard; this keeps to what the schema of Jenkins's xUnit plugin (junit-10.xsd) allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sdfinertia.errors import printable, unicode_text
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.unjudged import closing_lines, reason_lines
from sdfinertia.report.findings.wording import counted, sentence
from sdfinertia.rules.facts import Unjudged
from sdfinertia.rules.rule import Finding, Rule


def render(report: FindingsReport) -> str:
    """See `junit_report`."""
    return junit_report(report.findings, report.rules, report.checked, report.unjudged)


def junit_report(
    findings: Sequence[Finding], rules: Sequence[Rule], checked: Sequence[str], unjudged: Sequence[Unjudged] = ()
) -> str:
    """The report: every file is a test case, which keeps its name whether it passes or fails.

    A file with findings fails, with all of them in one failure, as many services show the first one only; a file that
    could not be judged is an error instead, and one without findings of which links could not be judged is skipped.

    Args:
        findings: of the run.
        rules: that were on, to know which findings mean that a file could not be judged.
        checked: every file that was looked at; files with findings that are not among them are added.
        unjudged: why rules could not judge some links.
    """
    of_file: dict[str, list[Finding]] = {file: [] for file in checked}
    for finding in findings:
        of_file.setdefault(finding.location.file, []).append(finding)
    failing = frozenset(rule.code for rule in rules if rule.fails_run)
    reasons_of: dict[str, list[Unjudged]] = {file: [] for file in of_file}
    for reason in unjudged:
        reasons_of.setdefault(reason.location.file, []).append(reason)
    skipped = sum(bool(reasons_of[file]) and not each for file, each in of_file.items())
    errors = sum(any(finding.code in failing for finding in each) for each in of_file.values())
    failures = sum(bool(each) for each in of_file.values()) - errors
    counts = {"tests": str(len(of_file)), "failures": str(failures), "errors": str(errors)}
    suites = Element("testsuites", {"name": "sdfinertia check", **counts})
    suite = SubElement(suites, "testsuite", {"name": "sdfinertia check", **counts, "skipped": str(skipped)})
    for file, each in of_file.items():
        case = SubElement(suite, "testcase", {"classname": "sdfinertia.check", "name": _shown(file)})
        if each:
            case.append(_failure(each, failing))
        elif reasons_of[file]:
            message = " ".join(closing_lines(reasons_of[file], names_first=False))
            text = "\n".join(reason_lines(reasons_of[file]))
            SubElement(case, "skipped", {"message": _shown(message)}).text = unicode_text(text)
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'


def _failure(findings: Sequence[Finding], failing: frozenset[str]) -> Element:
    codes = sorted({finding.code for finding in findings})
    tag = "error" if not failing.isdisjoint(codes) else "failure"
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
