"""The result of `compare` as text, Markdown, JSON, workflow commands of GitHub, SARIF and a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sdfinertia
from sdfinertia.errors import Location, counted, printable, unicode_text
from sdfinertia.report.findings import path_in_repository
from sdfinertia.report.github import workflow_command
from sdfinertia.report.html_report import html_report
from sdfinertia.report.json_records import FORMAT_VERSION, Record, json_text
from sdfinertia.report.markdown import plain, table_row
from sdfinertia.report.quantities import inertia_record
from sdfinertia.report.sarif import plain_sarif_log
from sdfinertia.robot.inertial import TENSOR_NAMES
from sdfinertia.robot.numbers import number, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.comparing.comparison import Comparison, LinkComparison
    from sdfinertia.comparing.robots import Total
    from sdfinertia.report import ComparisonReport

_HEADINGS = ("link", "mass ×", "centre mm", "moment ×", "axes °", "cause")
_ALONE = {"only_in_first": "only in the first", "only_in_second": "only in the second"}
# Names of links that a line lists; JSON has all.
_MAX_NAMES = 40


def comparison_text(report: ComparisonReport) -> str:
    return "\n".join(line for each in report.comparisons for line in _text(each)) + "\n"


def _text(comparison: Comparison) -> Iterator[str]:
    yield printable(f"{comparison.first} and {comparison.second}")
    if comparison.differing:
        rows = [_HEADINGS, *(tuple(map(printable, _cells(link))) for link in comparison.differing)]
        widths = [max(len(row[k]) for row in rows) for k in range(len(_HEADINGS) - 1)]
        for row in rows:
            cells = [row[0].ljust(widths[0]), *(row[k].rjust(widths[k]) for k in range(1, len(widths)))]
            yield f"  {'  '.join(cells)}  {row[-1]}"
        for link in comparison.differing:
            yield printable(f"  {link.name}: {sentence(link)}")
    for line in _alone(comparison):
        yield printable(f"  {line}")
    yield f"  {_totals(comparison)}"
    for note in comparison.notes:
        yield printable(f"  note: {note}")
    yield f"{comparison.closing}."


def _cells(link: LinkComparison) -> tuple[str, ...]:
    apart, why = link.difference, link.why
    cause = why.cause if why is not None else ""
    if apart is None:
        return (link.name, "", "", "", "", cause)
    angle = "-" if apart.angle is None else f"{apart.angle:.3g}"
    return (link.name, f"{apart.mass:.6g}", f"{1e3 * apart.centre:.4g}", f"{apart.moment:.4g}", angle, cause)


def sentence(link: LinkComparison) -> str:
    """The explanation of the difference of a link, without a full stop."""
    why = link.why
    if why is None:
        return ""
    words = " - or ".join(each.sentence for each in (why.likeliest, *(r for r in why.reasons if r != why.likeliest)))
    if why.geometry:
        words += f"; its geometry agrees with the {why.geometry}"
    return f"{words} (with {counted(len(link.fixed), 'link')} fixed to it)" if link.fixed else words


def _alone(comparison: Comparison) -> Iterator[str]:
    for status, words in _ALONE.items():
        links = [link.name for link in comparison.unmatched if link.status == status]
        if links:
            more = f" and {len(links) - _MAX_NAMES:,} more" if len(links) > _MAX_NAMES else ""
            yield f"{words}: {', '.join(links[:_MAX_NAMES])}{more}"


def _totals(comparison: Comparison) -> str:
    first, second = comparison.totals
    return f"total: {_total(first)} and {_total(second)}"


def _total(total: Total) -> str:
    centre = f" at {numbers(total.centre, size=1e-3)} m" if total.centre is not None else ""
    return f"{number(total.mass)} kg{centre}"


# Markdown -------------------------------------------------------------------------------------------------------------


def comparison_markdown(report: ComparisonReport) -> str:
    return "\n".join(line for each in report.comparisons for line in _markdown(each)) + "\n"


def _markdown(comparison: Comparison) -> Iterator[str]:
    files = plain(f"{path_in_repository(comparison.first)} and {path_in_repository(comparison.second)}")
    yield from (f"### sdfinertia compare: {files}", "", f"* {plain(comparison.closing)}")
    yield f"* {plain(_totals(comparison))}"
    yield from (f"* {plain(line)}" for line in (*_alone(comparison), *comparison.notes))
    yield ""
    if comparison.differing:
        yield from (table_row((*_HEADINGS, "why")), table_row(["---"] * (len(_HEADINGS) + 1)))
        for link in comparison.differing:
            yield table_row(map(plain, (*_cells(link), sentence(link))))
        yield ""


# JSON -----------------------------------------------------------------------------------------------------------------


def comparison_json(report: ComparisonReport) -> str:
    """One comparison as a document; several, as a configuration has them, in a list under `comparisons`."""
    head = {"format": FORMAT_VERSION, "tool": f"sdfinertia {sdfinertia.__version__}"}
    records = [_record(each) for each in report.comparisons]
    return json_text(head | (records[0] if len(records) == 1 else {"comparisons": records}))


def _record(comparison: Comparison) -> Record:
    return {
        "files": {"first": comparison.first, "second": comparison.second},
        "counts": {
            "same": len(comparison.of("same")),
            "differs": len(comparison.differing),
            "unmatched": len(comparison.unmatched),
        },
        "links": [_link(each) for each in comparison.links],
        "totals": dict(zip(("first", "second"), map(_total_record, comparison.totals), strict=True)),
        "notes": comparison.notes,
    }


def _total_record(total: Total) -> Record:
    return {"mass": total.mass, "com": total.centre}


def _link(link: LinkComparison) -> Record:
    return {
        "name": link.name,
        "status": link.status,
        "fixed": link.fixed,
        "first": inertia_record(link.first, principal=True),
        "second": inertia_record(link.second, principal=True),
        "lines": [place.line if place is not None else None for place in link.locations],
        "difference": _difference(link),
        "why": _why(link),
    }


def _difference(link: LinkComparison) -> Record | None:
    apart = link.difference
    if apart is None:
        return None
    return {
        "parts": sorted(part.value if part.value != "pose" else "com" for part in apart.parts),
        "mass_factor": apart.mass,
        "com_distance": apart.centre,
        "moment_factor": apart.moment,
        "axes_angle": apart.angle,
        **dict(zip(TENSOR_NAMES, apart.entries, strict=True)),
    }


def _why(link: LinkComparison) -> Record | None:
    why = link.why
    if why is None:
        return None
    moved = why.transformation
    return {
        "cause": why.cause,
        "sentence": sentence(link),
        "reasons": [{"cause": each.cause, "side": each.side, "sentence": each.sentence} for each in why.reasons],
        "transformation": {"translation": moved.translation, "rotation": moved.rotation} if moved is not None else None,
        "geometry": why.geometry or None,
    }


# Services, which read the second file ---------------------------------------------------------------------------------


def _messages(comparison: Comparison) -> Iterator[tuple[LinkComparison, Location, str]]:
    for link in (*comparison.differing, *comparison.unmatched):
        place = link.locations[1] or Location(comparison.second, 1, 1)
        if link.status == "differs":
            told = f"differs from that of {comparison.first}: {sentence(link)}"
        else:
            told = f"is in {comparison.second if link.status == 'only_in_second' else comparison.first} alone"
        yield link, place, f"link {link.name!r} {told}"


def comparison_github(report: ComparisonReport) -> str:
    lines = []
    for comparison in report.comparisons:
        for link, place, told in _messages(comparison):
            cause = link.why.cause if link.why is not None else _ALONE[link.status]
            lines.append(workflow_command("warning", place, f"sdfinertia compare: {cause}", told))
        lines.append(
            unicode_text(printable(f"{comparison.first} and {comparison.second}: {comparison.closing}.")) + "\n"
        )
    return "".join(lines)


def comparison_sarif(report: ComparisonReport) -> str:
    results: list[tuple[str, Location, str, str]] = []
    for comparison in report.comparisons:
        for link, place, told in _messages(comparison):
            cause = link.why.cause.partition(",")[0] if link.why is not None else link.status.replace("_", "-")
            results.append((f"compare/{cause}", place, link.name, told))
    return plain_sarif_log(results)


# The page -------------------------------------------------------------------------------------------------------------


def comparison_page(report: ComparisonReport) -> str:
    notes = []
    for comparison in report.comparisons:
        notes += [f"{comparison.first} and {comparison.second}: {comparison.closing}; {_totals(comparison)}"]
        notes += [f"{link.name}: {_brief(link)}" for link in comparison.differing]
        notes += [*_alone(comparison), *comparison.notes]
    return html_report("Comparison", report.find_scenes(), notes=notes, level="warning")


def _brief(link: LinkComparison) -> str:
    _, mass, centre, moment, angle, cause = _cells(link)
    numbers = f"mass × {mass}, centre {centre} mm, moment × {moment}, axes {angle}°; " if mass else ""
    return f"{numbers}{cause}: {sentence(link)}"
