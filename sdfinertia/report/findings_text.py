"""Findings as lines for people and editors: file:line:column, code, message, remedy."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sdfinertia.errors import printable
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings import count_line, is_mendable, sentence
from sdfinertia.rules.rule import Finding


def render(report: FindingsReport) -> str:
    """See `finding_lines`."""
    return finding_lines(report.findings)


def finding_lines(findings: Sequence[Finding]) -> str:
    """One line for each finding, in the order given; nothing for none. Bytes of names that are no text stay."""
    return "".join(f"{finding.location}: {finding.code} {sentence(finding)}\n" for finding in findings)


def summary_lines(findings: Sequence[Finding], checked: Sequence[str], paths: Sequence[str]) -> str:
    """The counts, and where something can be mended the command that does it.

    Args:
        findings: of the run.
        checked: every file that was looked at.
        paths: what the user named on the command line.
    """
    lines = [count_line(findings, checked)]
    mendable = sum(map(is_mendable, findings))
    if mendable:
        # A name with a dash in front would be an option.
        named = ["--", *paths] if any(path.startswith("-") and path != "-" for path in paths) else paths
        which = "it" if len(findings) == 1 else "them all" if mendable == len(findings) else f"{mendable:,} of them"
        lines.append(printable(f"mend {which}: {shlex.join(['sdfinertia', 'check', '--fix', *named])}"))
    return "\n".join(lines) + "\n"
