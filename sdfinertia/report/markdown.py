"""Findings and results as GitHub-flavoured Markdown, and repairs as a bug report with a patch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from sdfinertia.errors import SdfInertiaError, counted, noted, printable, unicode_text
from sdfinertia.links.provenance import Status
from sdfinertia.report.explanations import changes, rule_address
from sdfinertia.report.findings import (
    Entry,
    closing_lines,
    count_line,
    counting,
    entries_of,
    level_of,
    minor_line,
    names_of,
    not_checked_line,
    parts_of,
    path_in_repository,
    reason_lines,
    words_in_repository,
)
from sdfinertia.report.results import described_parts, quantities, result_diff
from sdfinertia.robot.problems import Command

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sdfinertia.causes.case import Explanation
    from sdfinertia.documents.repairing import Repair, RepairResult
    from sdfinertia.links.filling import LinkResult
    from sdfinertia.report import FindingsReport, ResultsReport
    from sdfinertia.rules.rule import Rule, Why

# Entities where a backslash would not do: a tag, a mention of a user, and the bar that ends a cell.
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", "|": "&#124;"} | {c: f"\\{c}" for c in "\\`*_[]~#"}
_PLAIN = str.maketrans(_ESCAPES)


def table_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def plain(text: str) -> str:
    """The text on one line, without any Markdown or HTML markup."""
    return unicode_text(printable(text)).translate(_PLAIN)


def ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def code_span(text: str) -> str:
    if not text:
        return ""
    text = unicode_text(printable(text)).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    # A blank at both ends belongs to the fence and is not shown.
    return f"{fence} {text} {fence}" if longest or text[0] == " " == text[-1] else f"{fence}{text}{fence}"


# Findings -------------------------------------------------------------------------------------------------------------


def findings_markdown(report: FindingsReport) -> str:
    entries = entries_of(report.findings if report.lists_all else counting(report.findings))
    lines = [f"### sdfinertia check: {count_line(report.findings, report.checked)}"]
    if line := not_checked_line(report.not_checked, report.checked, lists_all=True):
        lines += ["", f"* {plain(line)}"]
    if minor := minor_line(report.findings, lists_all=report.lists_all):
        lines += ["", minor]
    if entries:
        names = names_of(report.rules)
        lines += ["", "| Level | Rule | Where | Link | Finding | What to do |", "|---|---|---|---|---|---|"]
        lines += [_finding_row(entry, names.get(entry.first.code, "")) for entry in entries]
        found = {entry.first.code for entry in entries}
        reasons = [_reason(rule) for rule in report.rules if rule.code in found]
        lines += ["", *reasons] if reasons else []
    if report.unjudged:
        lines += ["", *map(plain, closing_lines(report.unjudged, names_first=False)), ""]
        for reason in report.unjudged:
            lines += [f"* {plain(words_in_repository(line, reason.location.file))}" for line in reason_lines([reason])]
    if report.notes:
        lines += [
            "",
            *(f"* {code_span(path_in_repository(file))}: {plain(noted(note))}" for file, note in report.notes),
        ]
    return "\n".join(lines) + "\n"


def _finding_row(entry: Entry, name: str) -> str:
    finding = entry.first
    what, why, _ = parts_of(finding)
    advice, remedy = finding.advice, words_in_repository(finding.remedy, finding.location.file)
    cells = (
        level_of(finding.code),
        plain(f"{finding.code} {name}".rstrip()),
        code_span(f"{path_in_repository(finding.location.file)}:{finding.location.line}"),
        code_span(finding.link) + entry.others,
        # The reason is on a line of its own in the cell.
        plain(what) + (f"<br>Why: {plain(why)}" if why else ""),
        code_span(remedy) if isinstance(advice, Command) and advice.file else plain(remedy),
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
    links = [(path_in_repository(result.path), link) for result in report.results for link in result.links]
    lines = [f"### sdfinertia fill: {counted(len(links), 'link')} in {counted(len(report.results), 'file')}"]
    if links:
        lines += ["", *_HEADER, *(_link_row(path, link) for path, link in links)]
    notes = [f"* {note}" for note in _notes(report)]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


def _link_row(path: str, link: LinkResult) -> str:
    # A failed link has no mass properties.
    mass, centre, moments = (plain(value) for _, value in quantities(link)) if link.inertia else ("", "", "")
    parts = "<br>".join(map(plain, described_parts(link.collisions, link.inertia)))
    return table_row(
        (code_span(f"{path}:{link.line}"), code_span(link.name), plain(link.status), mass, centre, moments, parts)
    )


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


# Repairs --------------------------------------------------------------------------------------------------------------

# Invisible mark by which a later run recognises its own report.
_MARK = "<!-- sdfinertia repair -->"
# Share from which other explanations are mentioned.
_LEAST_SHARE = 0.01


def repairs_markdown(report: ResultsReport) -> str:
    repaired = [result for result in cast("Sequence[RepairResult]", report.results) if result.repairs]
    lines = [_MARK, f"# {_title(repaired)}"]
    for result in repaired:
        for repair in result.repairs:
            lines += ["", *_section(result.path, repair)]
    patch = "".join(_text(result_diff(result, path_in_repository)) for result in repaired)
    if patch:
        fence = "`" * max(3, max((len(run) + 1 for run in re.findall("`{3,}", patch)), default=0))
        lines += ["", "## Patch", "", "`git apply` takes it.", "", f"{fence}diff", patch.removesuffix("\n"), fence]
    errors = [*(error for result in report.results for error in result.errors), *report.refused]
    if errors:
        lines += ["", *(f"* {_error(error)}" for error in errors)]
    return "\n".join(lines) + "\n"


def _title(results: Sequence[RepairResult]) -> str:
    repairs = [repair for result in results for repair in result.repairs]
    if not repairs:
        return "No wrong inertial was found"
    if len(repairs) == 1:
        return f"The inertia of link {code_span(repairs[0].result.name)} is wrong"
    return f"The inertias of {counted(len(repairs), 'link')} are wrong"


def _section(path: str, repair: Repair) -> Iterator[str]:
    result, why = repair.result, repair.why
    yield from (f"## {code_span(result.name)}, {code_span(f'{path_in_repository(path)}:{result.line}')}", "")
    yield from (f"* {plain(f'{finding.code}: {ended(finding.message)}')}" for finding in repair.findings)
    yield ""
    if why is not None:
        yield from _reasons(why)
    best = why.explanations[0] if why is not None and why.explanations else None
    if result.status in (Status.REPAIRED, Status.WITHHELD):
        what = "" if why is None or repair.proposal is None else changes(why.written, repair.proposal)
        yield f"**Proposed**: {plain(ended(what or 'the inertia of the geometry at the same mass'))}"
        if repair.proposal is None or why is None or all(each.cause != repair.cause for each in why.explanations):
            yield from ("", *(f"* {plain(ended(note))}" for note in result.notes))
    elif why is not None and best is not None and best.proposal is not None:
        yield f"**Likely, and not in the patch**: {plain(ended(changes(why.written, best.proposal)))}"
    else:
        left = "; ".join(note.removeprefix("not repaired: ") for note in result.notes)
        yield f"**Nothing is proposed**: {plain(ended(left))}"


def _reasons(why: Why) -> Iterator[str]:
    if not why.explanations:
        yield f"**Cause**: {ended(why.unexplained)}"
        yield ""
        return
    best, *others = why.explanations
    lead = "Cause" if best.is_likely else "Cause unknown; the likeliest"
    yield f"**{lead}**: {plain(f'{best.cause} ({best.sureness}): {ended(best.sentence)}')}"
    yield ""
    for evidence in best.evidence:
        yield f"* {plain(ended(evidence))}"
    if best.evidence:
        yield ""
    worth_a_word = [other for other in others if other.share >= _LEAST_SHARE]
    if worth_a_word:
        yield "Less likely: " + "; ".join(plain(_in_brief(other)) for other in worth_a_word) + "."
        yield ""


def _in_brief(explanation: Explanation) -> str:
    return f"{explanation.cause} ({explanation.sureness}), {explanation.sentence}"


def _text(patch: bytes) -> str:
    return unicode_text(patch.decode("utf-8", "surrogateescape"))
