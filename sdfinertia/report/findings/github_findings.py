"""Findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from sdfinertia.errors import printable, unicode_text
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.wording import level_of, names_of, repository_path, sentence
from sdfinertia.rules.rule import Finding, Rule

# As GitHub's own toolkit escapes them (actions/toolkit, packages/core/src/command.ts).
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(report: FindingsReport) -> str:
    """See `workflow_commands`."""
    return workflow_commands(report.findings, report.rules)


def workflow_commands(findings: Sequence[Finding], rules: Sequence[Rule]) -> str:
    """One command for each finding, in the order given; nothing for none.

    Args:
        findings: of the run.
        rules: that were on, for their names.
    """
    names = names_of(rules)
    return "".join(_command(finding, names.get(finding.code, "")) for finding in findings)


def _command(finding: Finding, name: str) -> str:
    location = finding.location
    properties = {
        "file": repository_path(location.file),
        "line": str(location.line),
        "col": str(location.column),
        "title": f"{finding.code} {name}".rstrip(),
    }
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    message = unicode_text(sentence(finding)).translate(_IN_MESSAGE)
    return f"::{level_of(finding.code)} {listed}::{message}\n"


def _property(value: str) -> str:
    return unicode_text(printable(value)).translate(_IN_PROPERTY)
