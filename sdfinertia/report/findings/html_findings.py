"""Findings as a page of HTML, beside the models that they were found in."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sdfinertia.documents.scene import Scene
from sdfinertia.errors import one_line
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.unjudged import closing_lines, reason_lines
from sdfinertia.report.findings.wording import count_line, level_of, names_of
from sdfinertia.report.pages.findings_list import PageFinding
from sdfinertia.report.pages.html_report import ReportTable, html_report
from sdfinertia.rules.facts import Unjudged
from sdfinertia.rules.registry import RULES
from sdfinertia.rules.rule import Finding, Rule


def render(report: FindingsReport) -> str:
    """See `findings_page`."""
    return findings_page(report.findings, report.rules, report.checked, report.scenes, report.unjudged)


def findings_page(
    findings: Sequence[Finding],
    rules: Sequence[Rule],
    checked: Sequence[str],
    scenes: Sequence[Scene],
    unjudged: Sequence[Unjudged] = (),
) -> str:
    """The page.

    Args:
        rules: all there are, for their names.
        checked: the files that were looked at.
        scenes: the models in them.
        unjudged: why rules could not judge some links.
    """
    listed = listed_findings(findings, rules)
    tables: tuple[ReportTable, ...] = ()
    if any(finding.why is not None for finding in findings):
        # Loaded where something is explained.
        from sdfinertia.report.findings.html_causes import cause_table, with_proposals

        tables = (cause_table(findings),)
        scenes = with_proposals(scenes, findings)
    notes = (count_line(findings, checked), *closing_lines(unjudged, names_first=False), *reason_lines(unjudged))
    return html_report("Findings", scenes, findings=listed, tables=tables, notes=notes)


def listed_findings(findings: Sequence[Finding], rules: Sequence[Rule] = RULES) -> list[PageFinding]:
    """Findings as pages tell them.

    Args:
        rules: all there are, for their names.
    """
    names = names_of(rules)
    return [_listed(finding, names[finding.code]) for finding in findings]


def _listed(finding: Finding, name: str) -> PageFinding:
    command, remedy = _command_in(finding)
    return PageFinding(
        level_of(finding.code),
        finding.code,
        name,
        str(finding.location),
        finding.location.file,
        finding.link,
        one_line(finding.message),
        one_line(remedy),
        one_line(command),
        number=finding.number,
    )


def _command_in(finding: Finding) -> tuple[str, str]:
    """The command that a remedy begins with, "" where it is none, and what is said beyond it.

    A command about a link ends with its file; what is said of it comes behind.
    """
    if not finding.remedy.startswith("sdfinertia "):
        return "", finding.remedy
    before, path, after = finding.remedy.partition(f" {shlex.quote(finding.location.file)}")
    return before + path, after.strip()
