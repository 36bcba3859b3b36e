"""Findings, results and comparisons as GitHub-flavoured Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sdfinertia.documents.link_results import LinkResult
from sdfinertia.errors import SdfInertiaError, counted, noted, printable, unicode_text
from sdfinertia.report import FindingsReport, ResultsReport
from sdfinertia.report.findings import (
    Entry,
    closing_lines,
    count_line,
    counting,
    entries_of,
    level_of,
    minor_line,
    not_checked_line,
    parts_of,
    path_in_repository,
    reason_lines,
    words_in_repository,
)
from sdfinertia.report.results import described_parts, quantities
from sdfinertia.report.text import COMPARED, comparison_cells, links_alone, totals_words, why_words
from sdfinertia.robot.problems import Command
from sdfinertia.rules import RULE_OF_CODE, RULES

if TYPE_CHECKING:
    from sdfinertia.comparing.comparison import Comparison

# Entities where a backslash would not do: a tag, a mention of a user, and the bar that ends a cell.
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", "|": "&#124;"} | {c: f"\\{c}" for c in "\\`*_[]~#"}
_PLAIN = str.maketrans(_ESCAPES)


def plain(text: str) -> str:
    """The text on one line, without any Markdown or HTML markup."""
    return unicode_text(printable(text)).translate(_PLAIN)


def code_span(text: str) -> str:
    if not text:
        return ""
    text = unicode_text(printable(text)).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    # A blank at both ends belongs to the fence and is not shown.
    return f"{fence} {text} {fence}" if longest or text[0] == " " == text[-1] else f"{fence}{text}{fence}"


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for place, cells in enumerate((titles, *rows)):
        yield f"| {' | '.join(cells)} |"
        if place == 0:
            yield "|" + "---|" * len(titles)


def findings_markdown(report: FindingsReport) -> str:
    return "\n".join(_findings_lines(report)) + "\n"


def _findings_lines(report: FindingsReport) -> Iterator[str]:
    yield f"### sdfinertia check: {count_line(report)}"
    if line := not_checked_line(report):
        yield from ("", f"* {plain(line)}")
    if minor := minor_line(report.findings, lists_all=report.lists_all):
        yield from ("", minor)
    if entries := entries_of(report.findings if report.lists_all else counting(report.findings)):
        yield ""
        yield from _table(("Level", "Rule", "Where", "Link", "Finding", "What to do"), map(_finding_row, entries))
        yield ""
        for rule in (rule for rule in RULES if rule.code in {entry.first.code for entry in entries}):
            yield f"* **{plain(rule.code)} {plain(rule.name)}**: {plain(f'{rule.what} {rule.why}')}"
    if report.unjudged:
        yield from ("", *map(plain, closing_lines(report.unjudged, names_first=False)), "")
    for reason in report.unjudged:
        for line in reason_lines([reason]):
            yield f"* {plain(words_in_repository(line, reason.location.file))}"
    if report.notes:
        yield ""
    yield from (f"* {code_span(path_in_repository(file))}: {plain(noted(note))}" for file, note in report.notes)


def _finding_row(entry: Entry) -> tuple[str, ...]:
    finding = entry.first
    what, why, _ = parts_of(finding)
    advice, remedy = finding.advice, words_in_repository(finding.remedy, finding.location.file)
    return (
        level_of(finding.code),
        plain(f"{finding.code} {RULE_OF_CODE[finding.code].name}"),
        code_span(f"{path_in_repository(finding.location.file)}:{finding.location.line}"),
        code_span(finding.link) + entry.others,
        # The reason is on a line of its own in the cell.
        plain(what) + (f"<br>Why: {plain(why)}" if why else ""),
        code_span(remedy) if isinstance(advice, Command) and advice.file else plain(remedy),
    )


_TITLES = ("File", "Link", "Status", "Mass", "Centre of mass", "Principal moments", "From")


def results_markdown(report: ResultsReport) -> str:
    rows = [_link_row(path_in_repository(each.path), link) for each in report.results for link in each.links]
    lines = [f"### sdfinertia {report.verb}: {counted(len(rows), 'link')} in {counted(len(report.results), 'file')}"]
    lines += ["", *_table(_TITLES, rows)] if rows else []
    notes = [f"* {note}" for note in _notes(report)]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


def _link_row(path: str, link: LinkResult) -> tuple[str, ...]:
    # A failed link has no mass properties.
    numbers = [plain(value) for _, value in quantities(link)] or ["", "", ""]
    parts = "<br>".join(map(plain, described_parts(link.collisions, link.inertia)))
    return code_span(f"{path}:{link.line}"), code_span(link.name), plain(link.status), *numbers, parts


def _notes(report: ResultsReport) -> Iterator[str]:
    for result in report.results:
        yield from (f"{code_span(path_in_repository(result.path))}: {plain(note)}" for note in result.notes)
        for link in result.links:
            yield from (f"{code_span(link.name)}: {plain(note)}" for note in link.remarks)
        yield from map(_error, result.errors)
    yield from map(_error, report.refused)


def _error(error: SdfInertiaError) -> str:
    file = error.location.file if error.location is not None else error.file
    return plain(words_in_repository(str(error), file or ""))


def comparison_markdown(comparisons: Sequence[Comparison]) -> str:
    return "\n".join(line for each in comparisons for line in _comparison_lines(each)) + "\n"


def _comparison_lines(comparison: Comparison) -> Iterator[str]:
    files = plain(f"{path_in_repository(comparison.first)} and {path_in_repository(comparison.second)}")
    yield from (f"### sdfinertia compare: {files}", "")
    notes = (comparison.closing, totals_words(comparison), *links_alone(comparison), *comparison.notes)
    yield from (f"* {plain(line)}" for line in notes)
    yield ""
    if comparison.differing:
        rows = ([plain(cell) for cell in (*comparison_cells(link), why_words(link))] for link in comparison.differing)
        yield from (*_table((*COMPARED, "why"), rows), "")
