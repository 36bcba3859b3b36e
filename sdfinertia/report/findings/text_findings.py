"""Findings as lines for people and editors: file:line:column, code, message, remedy."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from sdfinertia.errors import printable
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.wording import count_line, counted, is_mendable, is_mended_by_fill, sentence
from sdfinertia.rules.rule import Finding


def render(report: FindingsReport) -> str:
    """See `finding_lines`."""
    return finding_lines(report.findings)


def finding_lines(findings: Sequence[Finding]) -> str:
    """One line for each finding, in the order given; nothing for none. Bytes of names that are no text stay.

    Below it, indented, what explains it, if that was asked for; what explains several findings of a link, below each.
    """
    return "".join(line for finding in findings for line in _lines(finding))


def _lines(finding: Finding) -> Iterator[str]:
    yield f"{finding.location}: {finding.code} {sentence(finding)}\n"
    if finding.why is not None:
        # Loaded where something is explained.
        from sdfinertia.report.findings.causes import why_words

        yield f"    why: {why_words(finding.why)}\n"


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
        command = shlex.join(["sdfinertia", "check", "--fix", *_after_options(paths)])
        lines.append(printable(f"mend {_which(mendable, findings)}: {command}"))
    certain = {finding.link for finding in findings if finding.can_mend and _is_certain(finding)}
    if certain:
        command = shlex.join(["sdfinertia", "repair", "--diff", *_after_options(paths)])
        lines.append(printable(f"certain of {counted(len(certain), 'link')}: {command}"))
    return "\n".join(lines) + "\n"


def _is_certain(finding: Finding) -> bool:
    """Whether what explains it is certain, so that `repair` undoes it."""
    best = finding.why.explanations[0] if finding.why is not None and finding.why.explanations else None
    return best is not None and best.is_certain


def _after_options(paths: Sequence[str]) -> Sequence[str]:
    """Paths as arguments: a name with a dash in front would be an option."""
    return ["--", *paths] if any(path.startswith("-") and path != "-" for path in paths) else paths


def _which(mended: int, findings: Sequence[Finding]) -> str:
    return "it" if len(findings) == 1 else "them all" if mended == len(findings) else f"{mended:,} of them"
