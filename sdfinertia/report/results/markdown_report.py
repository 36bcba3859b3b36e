"""What a run of `fill` did as GitHub-flavoured Markdown: the table that a pull request wants, and the notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdfinertia.documents.filling import FillResult
from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.result import LinkResult
from sdfinertia.report.contents import ResultsReport
from sdfinertia.report.findings.markdown_findings import code_span, plain
from sdfinertia.report.findings.wording import counted
from sdfinertia.report.results.text_report import describe_part, quantities

_HEADER = (
    "| File | Link | Status | Mass | Centre of mass | Principal moments | From |",
    "|---|---|---|---|---|---|---|",
)


def render(report: ResultsReport) -> str:
    """See `markdown_report`."""
    return markdown_report(report.results, report.refused)


def markdown_report(results: Sequence[FillResult], refused: Sequence[SdfInertiaError]) -> str:
    """The report: a row for each link that a run looked at, then the notes and the errors."""
    links = [(result.path, link) for result in results for link in result.links]
    lines = [f"### sdfinertia fill: {counted(len(links), 'link')} in {counted(len(results), 'file')}"]
    if links:
        lines += ["", *_HEADER, *(_row(path, link) for path, link in links)]
    notes = [f"* {note}" for note in _notes(results, refused)]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


def _row(path: str, link: LinkResult) -> str:
    # Nothing is known of the mass properties of a link that failed.
    mass, centre, moments = (plain(value) for _, value in quantities(link)) if link.inertia else ("", "", "")
    parts = "<br>".join(plain(describe_part(part)) for part in link.collisions)
    cells = (code_span(f"{path}:{link.line}"), code_span(link.name), plain(link.status), mass, centre, moments, parts)
    return "| " + " | ".join(cells) + " |"


def _notes(results: Sequence[FillResult], refused: Sequence[SdfInertiaError]) -> Iterator[str]:
    for result in results:
        yield from (f"{code_span(result.path)}: {plain(note)}" for note in result.notes)
        for link in result.links:
            yield from (f"{code_span(link.name)}: {plain(note)}" for note in link.remarks)
        yield from (plain(str(error)) for error in result.errors)
    yield from (plain(str(error)) for error in refused)
