"""Findings as one JSON document."""

from __future__ import annotations

from collections.abc import Sequence

import sdfinertia
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.wording import fix_of, json_text, level_of, names_of, unicode_text
from sdfinertia.rules.rule import Finding, Rule

# Raised when a key goes or changes its meaning; new keys may come without.
FORMAT_VERSION = 1


def render(report: FindingsReport) -> str:
    """See `json_findings`."""
    return json_findings(report.findings, report.rules, report.checked)


def json_findings(findings: Sequence[Finding], rules: Sequence[Rule], checked: Sequence[str]) -> str:
    """The document: every finding with its rule, level and place, the files that were looked at, and counts.

    Args:
        findings: in the order in which they are listed.
        rules: that were on, for their names.
        checked: every file that was looked at.
    """
    names = names_of(rules)
    errors = sum(level_of(finding.code) == "error" for finding in findings)
    document = {
        "format": FORMAT_VERSION,
        "tool": f"sdfinertia {sdfinertia.__version__}",
        "checked": [unicode_text(path) for path in checked],
        "counts": {"findings": len(findings), "errors": errors, "warnings": len(findings) - errors},
        "findings": [_finding(finding, names) for finding in findings],
    }
    return json_text(document)


def _finding(finding: Finding, names: dict[str, str]) -> dict[str, object]:
    return {
        "code": finding.code,
        "name": names.get(finding.code, ""),
        "level": level_of(finding.code),
        "file": unicode_text(finding.location.file),
        "line": finding.location.line,
        "column": finding.location.column,
        "link": unicode_text(finding.link),
        "message": unicode_text(finding.message),
        "remedy": unicode_text(finding.remedy),
        "fix": fix_of(finding),
        **_why(finding),
    }


def _why(finding: Finding) -> dict[str, object]:
    """What explains it, where that was asked for."""
    if finding.why is None:
        return {}
    from sdfinertia.report.findings.causes import why_json

    return {"why": why_json(finding.why)}
