"""Findings as a page of HTML, below the models that they were found in."""

from __future__ import annotations

from collections.abc import Sequence

from sdfinertia.documents.scene import Scene
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.wording import count_line, names_of, sentence
from sdfinertia.report.pages.html_report import ReportTable, html_report
from sdfinertia.rules.rule import Finding, Rule


def render(report: FindingsReport) -> str:
    """See `findings_page`."""
    return findings_page(report.findings, report.rules, report.checked, report.scenes)


def findings_page(
    findings: Sequence[Finding], rules: Sequence[Rule], checked: Sequence[str], scenes: Sequence[Scene]
) -> str:
    """The page.

    Args:
        rules: all there are, for their names.
        checked: the files that were looked at.
        scenes: the models in them.
    """
    names = names_of(rules)
    rows = tuple((str(f.location), f"{f.code} {names[f.code]}", sentence(f)) for f in findings)
    tables = (ReportTable("Findings", ("Place", "Rule", "Finding"), rows),) if rows else ()
    if any(finding.why is not None for finding in findings):
        # Loaded where something is explained.
        from sdfinertia.report.findings.html_causes import cause_table, with_proposals

        tables = (*tables, cause_table(findings))
        scenes = with_proposals(scenes, findings)
    return html_report("Findings", scenes, tables=tables, notes=(count_line(findings, checked),))
