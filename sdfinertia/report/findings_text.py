"""Findings as lines for people and editors: file:line:column, code, message, remedy."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sdfinertia.errors import printable
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings import count_line, is_mendable, is_mended_by_fill, sentence
from sdfinertia.rules.rule import Finding


def render(report: FindingsReport) -> str:
    """See `finding_lines`."""
    return finding_lines(report.findings)


def finding_lines(findings: Sequence[Finding]) -> str:
    """One line for each finding, in the order given; nothing for none. Bytes of names that are no text stay."""
    return "".join(f"{finding.location}: {finding.code} {sentence(finding)}\n" for finding in findings)


def summary_lines(
    findings: Sequence[Finding], checked: Sequence[str], paths: Sequence[str], fill_hook: str | None = None
) -> str:
    """The counts, and where something can be mended the command that does it.

    Args:
        findings: of the run.
        checked: every file that was looked at.
        paths: what the user named on the command line.
        fill_hook: the command that runs the hook of pre-commit that fills, in a hook.
    """
    lines = [count_line(findings, checked)]
    mendable = sum(map(is_mendable, findings))
    filled = sum(map(is_mended_by_fill, findings)) if fill_hook else 0
    if filled:
        lines.append(f"mend {_which(filled, findings)}: {fill_hook}")
    if mendable > filled:
        # A name with a dash in front would be an option.
        named = ["--", *paths] if any(path.startswith("-") and path != "-" for path in paths) else paths
        command = shlex.join(["sdfinertia", "check", "--fix", *named])
        lines.append(printable(f"mend {_which(mendable, findings)}: {command}"))
    return "\n".join(lines) + "\n"


def _which(mended: int, findings: Sequence[Finding]) -> str:
    return "it" if len(findings) == 1 else "them all" if mended == len(findings) else f"{mended:,} of them"
