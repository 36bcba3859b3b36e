"""Findings and results as GitHub-flavoured Markdown, for a pull request or a job summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sdfinertia.errors import printable, unicode_text
from sdfinertia.links.result import LinkResult
from sdfinertia.report.findings import (
    closing_lines,
    count_line,
    level_of,
    names_of,
    reason_lines,
    rule_address,
    why_words,
)
from sdfinertia.report.formats import FindingsReport, ResultsReport
from sdfinertia.report.results import describe_part, quantities
from sdfinertia.report.wording import counted, ended
from sdfinertia.rules.rule import Finding, Rule

# Entities where a backslash would not do: a tag, a mention of a user, and the bar that ends a cell.
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", "|": "&#124;"} | {c: f"\\{c}" for c in "\\`*_[]~#"}
_PLAIN = str.maketrans(_ESCAPES)


def table_row(cells: Iterable[str]) -> str:
    """A row of a table."""
    return "| " + " | ".join(cells) + " |"


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


# Findings -------------------------------------------------------------------------------------------------------------


def findings_markdown(report: FindingsReport) -> str:
    """The counts, a table with a row for each finding, and what the rules that found something mean."""
    lines = [f"### sdfinertia check: {count_line(report.findings, report.checked)}"]
    if report.findings:
        names = names_of(report.rules)
        lines += ["", "| Level | Rule | Where | Link | Finding | What to do |", "|---|---|---|---|---|---|"]
        lines += [_finding_row(finding, names.get(finding.code, "")) for finding in report.findings]
        found = {finding.code for finding in report.findings}
        reasons = [_reason(rule) for rule in report.rules if rule.code in found]
        lines += ["", *reasons] if reasons else []
    if report.unjudged:
        lines += ["", *map(plain, closing_lines(report.unjudged, names_first=False)), ""]
        lines += [f"* {plain(line)}" for line in reason_lines(report.unjudged)]
    return "\n".join(lines) + "\n"


def _finding_row(finding: Finding, name: str) -> str:
    # On a line of its own in the cell.
    why = f"<br>Why: {plain(why_words(finding.why))}" if finding.why is not None else ""
    cells = (
        level_of(finding.code),
        plain(f"{finding.code} {name}".rstrip()),
        code_span(f"{finding.location.file}:{finding.location.line}"),
        code_span(finding.link),
        plain(finding.message) + why,
        code_span(finding.remedy) if finding.remedy.startswith("sdfinertia ") else plain(finding.remedy),
    )
    return table_row(cells)


def _reason(rule: Rule) -> str:
    reason = " ".join(f"{ended(rule.what)} {ended(rule.why)}".split())
    name, address = f"{plain(rule.code)} {plain(rule.name)}", rule_address(rule.code)
    return f"* **{name if address is None else f'[{name}]({address})'}**: {plain(reason)}"


# Results --------------------------------------------------------------------------------------------------------------

_HEADER = (
    "| File | Link | Status | Mass | Centre of mass | Principal moments | From |",
    "|---|---|---|---|---|---|---|",
)


def results_markdown(report: ResultsReport) -> str:
    """A row for each link that a run looked at, then the notes and the errors."""
    links = [(result.path, link) for result in report.results for link in result.links]
    lines = [f"### sdfinertia fill: {counted(len(links), 'link')} in {counted(len(report.results), 'file')}"]
    if links:
        lines += ["", *_HEADER, *(_link_row(path, link) for path, link in links)]
    notes = [f"* {note}" for note in _notes(report)]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


def _link_row(path: str, link: LinkResult) -> str:
    # Nothing is known of the mass properties of a link that failed.
    mass, centre, moments = (plain(value) for _, value in quantities(link)) if link.inertia else ("", "", "")
    parts = "<br>".join(plain(describe_part(part)) for part in link.collisions)
    return table_row(
        (code_span(f"{path}:{link.line}"), code_span(link.name), plain(link.status), mass, centre, moments, parts)
    )


def _notes(report: ResultsReport) -> Iterator[str]:
    for result in report.results:
        yield from (f"{code_span(result.path)}: {plain(note)}" for note in result.notes)
        for link in result.links:
            yield from (f"{code_span(link.name)}: {plain(note)}" for note in link.remarks)
        yield from (plain(str(error)) for error in result.errors)
    yield from (plain(str(error)) for error in report.refused)
