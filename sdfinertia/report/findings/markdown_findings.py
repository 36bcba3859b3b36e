"""Findings as GitHub-flavoured Markdown, for a pull request or a job summary."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sdfinertia.errors import printable, unicode_text
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.addresses import rule_address
from sdfinertia.report.findings.unjudged import closing_lines, reason_lines
from sdfinertia.report.findings.wording import count_line, ended, level_of, names_of
from sdfinertia.rules.rule import Finding, Rule, Unjudged

# Entities where a backslash would not do: a tag, a mention of a user, and the bar that ends a cell.
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", "|": "&#124;"} | {c: f"\\{c}" for c in "\\`*_[]~#"}
_PLAIN = str.maketrans(_ESCAPES)


def render(report: FindingsReport) -> str:
    """See `markdown_report`."""
    return markdown_report(report.findings, report.rules, report.checked, report.unjudged)


def markdown_report(
    findings: Sequence[Finding], rules: Sequence[Rule], checked: Sequence[str], unjudged: Sequence[Unjudged] = ()
) -> str:
    """The report: the counts, a table with a row for each finding, and what the rules that found something mean.

    Args:
        findings: in the order of the rows.
        rules: that were on, for their names and reasons.
        checked: every file that was looked at.
        unjudged: why rules could not judge some links.
    """
    lines = [f"### sdfinertia check: {count_line(findings, checked)}"]
    if findings:
        names = names_of(rules)
        lines += ["", "| Level | Rule | Where | Link | Finding | What to do |", "|---|---|---|---|---|---|"]
        told: set[tuple[str, str, str]] = set()
        for finding in findings:
            why = (finding.location.file, finding.link, _why(finding))
            lines.append(_row(finding, names.get(finding.code, ""), "" if why in told else why[2]))
            told.add(why)
        found = {finding.code for finding in findings}
        reasons = [_reason(rule) for rule in rules if rule.code in found]
        lines += ["", *reasons] if reasons else []
    if unjudged:
        lines += ["", *map(plain, closing_lines(unjudged, names_first=False)), ""]
        lines += [f"* {plain(line)}" for line in reason_lines(unjudged)]
    return "\n".join(lines) + "\n"


def _row(finding: Finding, name: str, why: str) -> str:
    cells = (
        level_of(finding.code),
        plain(f"{finding.code} {name}".rstrip()),
        code_span(f"{finding.location.file}:{finding.location.line}"),
        code_span(finding.link),
        plain(finding.message) + why,
        code_span(finding.remedy) if finding.remedy.startswith("sdfinertia ") else plain(finding.remedy),
    )
    return "| " + " | ".join(cells) + " |"


def _why(finding: Finding) -> str:
    """What explains it, on a line of its own in the cell, where that was asked for."""
    if finding.why is None:
        return ""
    from sdfinertia.report.findings.causes import why_words

    return f"<br>Why: {plain(why_words(finding.why))}"


def _reason(rule: Rule) -> str:
    reason = " ".join(f"{ended(rule.what)} {ended(rule.why)}".split())
    name, address = f"{plain(rule.code)} {plain(rule.name)}", rule_address(rule.code)
    return f"* **{name if address is None else f'[{name}]({address})'}**: {plain(reason)}"


def plain(text: str) -> str:
    """The text on one line, with nothing in it that Markdown or HTML would read as markup."""
    return unicode_text(printable(text)).translate(_PLAIN)


def code_span(text: str) -> str:
    """The text as code in a cell of a table; nothing for nothing."""
    if not text:
        return ""
    text = unicode_text(printable(text)).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    # A blank at both ends belongs to the fence and is not shown.
    return f"{fence} {text} {fence}" if longest or text[0] == " " == text[-1] else f"{fence}{text}{fence}"
