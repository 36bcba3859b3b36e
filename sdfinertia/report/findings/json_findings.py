"""Findings as one JSON document."""

from __future__ import annotations

from collections.abc import Sequence

import sdfinertia
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.wording import fix_of, json_text, level_of, names_of
from sdfinertia.rules.facts import Unjudged
from sdfinertia.rules.rule import Finding, Rule

# Raised when a key goes or changes its meaning; new keys may come without.
FORMAT_VERSION = 1


def render(report: FindingsReport) -> str:
    """See `json_findings`."""
    return json_findings(report.findings, report.rules, report.checked, report.unjudged)


def json_findings(
    findings: Sequence[Finding], rules: Sequence[Rule], checked: Sequence[str], unjudged: Sequence[Unjudged] = ()
) -> str:
    """The document: every finding with its rule, level and place, the files that were looked at, and counts.

    Args:
        findings: in the order in which they are listed.
        rules: that were on, for their names.
        checked: every file that was looked at.
        unjudged: why rules could not judge some links.
    """
    names = names_of(rules)
    errors = sum(level_of(finding.code) == "error" for finding in findings)
    document = {
        "format": FORMAT_VERSION,
        "tool": f"sdfinertia {sdfinertia.__version__}",
        "checked": list(checked),
        "counts": {"findings": len(findings), "errors": errors, "warnings": len(findings) - errors},
        "findings": [_finding(finding, names) for finding in findings],
        "unjudged": [_unjudged(reason) for reason in unjudged],
    }
    return json_text(document)


def _finding(finding: Finding, names: dict[str, str]) -> dict[str, object]:
    return {
        "code": finding.code,
        "name": names.get(finding.code, ""),
        "level": level_of(finding.code),
        "file": finding.location.file,
        "line": finding.location.line,
        "column": finding.location.column,
        "link": finding.link,
        "message": finding.message,
        "remedy": finding.remedy,
        "fix": fix_of(finding),
        **_why(finding),
    }


def _unjudged(reason: Unjudged) -> dict[str, object]:
    return {
        "file": reason.location.file,
        "line": reason.location.line,
        "column": reason.location.column,
        "link": reason.link,
        "uri": reason.uri,
        "message": reason.problem,
        "remedy": reason.remedy,
    }


def _why(finding: Finding) -> dict[str, object]:
    """What explains it, where that was asked for."""
    if finding.why is None:
        return {}
    from sdfinertia.report.findings.causes import why_json

    return {"why": why_json(finding.why)}
