"""What a run of `fill` did as a page of HTML: the models, what is to be said of them, and the difference."""

from __future__ import annotations

from sdfinertia.report.contents import ResultsReport
from sdfinertia.report.pages.html_report import html_report
from sdfinertia.report.results.diff import unified_diff


def render(report: ResultsReport) -> str:
    """The page."""
    notes = [f"{result.path}: {note}" for result in report.results for note in result.notes]
    diffs = (unified_diff(result.path, result.original, result.edits) for result in report.results if result.changed)
    return html_report(
        "Inertials",
        report.find_scenes(),
        notes=[*notes, *(str(error) for error in report.refused)],
        diff=b"".join(diffs),
    )
