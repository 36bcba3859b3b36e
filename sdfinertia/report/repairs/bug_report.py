"""What `repair` found and did as a bug report in Markdown, for whom a file is from: numbers, reasons, patch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sdfinertia.documents.filling import FillResult
from sdfinertia.documents.repairing import Repair, RepairResult
from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.result import Status
from sdfinertia.report.contents import ResultsReport
from sdfinertia.report.findings.causes import UNEXPLAINED, changes, sureness
from sdfinertia.report.findings.markdown_findings import code_span, plain
from sdfinertia.report.findings.wording import counted, ended, repository_path, unicode_text
from sdfinertia.report.results.diff import unified_diff
from sdfinertia.robot.values import TENSOR_NAMES

if TYPE_CHECKING:
    from sdfinertia.causes.case import Explanation, WrittenBlock
    from sdfinertia.rules.rule import Why

# By which a later run knows the file for one of its own; nobody sees it.
_MARK = "<!-- sdfinertia repair -->"
_HEADER = (
    "| | mass | centre | ixx | ixy | ixz | iyy | iyz | izz | principal moments |",
    "|---|---|---|---|---|---|---|---|---|---|",
)
# Other explanations that are worth a word.
_LEAST_SHARE = 0.01


def render(report: ResultsReport) -> str:
    """See `bug_report`."""
    return bug_report(report.results, report.refused)


def bug_report(results: Sequence[FillResult], refused: Sequence[SdfInertiaError]) -> str:
    """The report: for each link the findings, its numbers as written, proposed and computed, why, and the patch."""
    repaired = [result for result in results if isinstance(result, RepairResult) and result.repairs]
    lines = [_MARK, f"# {_title(repaired)}"]
    for result in repaired:
        for repair in result.repairs:
            lines += ["", *_section(result.path, repair)]
    patch = "".join(_text(unified_diff(result.path, result.original, result.edits)) for result in repaired)
    if patch:
        fence = "`" * max(3, max((len(run) + 1 for run in re.findall("`{3,}", patch)), default=0))
        lines += ["", "## Patch", "", "`git apply` takes it.", "", f"{fence}diff", patch.removesuffix("\n"), fence]
    errors = [*(error for result in results for error in result.errors), *refused]
    if errors:
        lines += ["", *(f"* {plain(str(error))}" for error in errors)]
    return "\n".join(lines) + "\n"


def _title(results: Sequence[RepairResult]) -> str:
    repairs = [repair for result in results for repair in result.repairs]
    if not repairs:
        return "No inertial has numbers that a rule finds something in"
    if len(repairs) == 1:
        return f"The inertia of link {code_span(repairs[0].result.name)} is wrong"
    return f"The inertias of {counted(len(repairs), 'link')} are wrong"


def _section(path: str, repair: Repair) -> Iterator[str]:
    result = repair.result
    yield f"## {code_span(result.name)}, {code_span(f'{repository_path(path)}:{result.line}')}"
    yield ""
    for finding in repair.findings:
        yield f"* {plain(f'{finding.code}: {ended(finding.message)}')}"
    yield ""
    if repair.why is not None:
        yield from _HEADER
        yield from _numbers(repair, repair.why)
        yield ""
        yield from _reasons(repair.why)
    if result.status in (Status.REPAIRED, Status.WITHHELD):
        what = (
            "" if repair.why is None or repair.proposal is None else _what_changes(repair.why.written, repair.proposal)
        )
        yield f"**Proposed**: {plain(ended(what or 'the numbers that the geometry gives at the same mass'))}"
        if repair.proposal is None or not _is_from_explanation(repair):
            yield from ("", *(plain(ended(note)) for note in result.notes))
    elif repair.why is not None and repair.why.explanations and repair.why.explanations[0].proposal is not None:
        likely = _what_changes(repair.why.written, repair.why.explanations[0].proposal)
        yield f"**Likely, and not in the patch**: {plain(ended(likely))}"
    else:
        yield f"**Nothing is proposed**: the link {plain(ended('; '.join(result.notes)))}"


def _is_from_explanation(repair: Repair) -> bool:
    return repair.why is not None and any(each.cause == repair.cause for each in repair.why.explanations)


def _what_changes(written: WrittenBlock, proposal: WrittenBlock) -> str:
    return "; ".join(changes(written, proposal))


def _numbers(repair: Repair, why: Why) -> Iterator[str]:
    """Rows of what is written, what is proposed, and what the geometry gives at the same mass."""
    yield _block_row("written", why.written)
    if repair.proposal is not None:
        yield _block_row("proposed", repair.proposal)
    elif repair.result.inertia is not None:
        yield _inertia_row("proposed", repair.result.inertia)
    if why.computed is not None:
        rotation = why.written.rotation
        label = (
            "of the geometry"
            if rotation == (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
            else "of the geometry, link axes"
        )
        yield _inertia_row(label, why.computed)


def _block_row(label: str, block: WrittenBlock) -> str:
    entries = [getattr(block.entry_texts, name) or f"{getattr(block.tensor, name):.6g}" for name in TENSOR_NAMES]
    mass = block.mass_text or f"{block.mass:.6g}"
    return _row(label, mass, block.centre, entries, block.inertia)


def _inertia_row(label: str, inertia: SpatialInertia) -> str:
    entries = [f"{getattr(inertia.I_BBcm_B, name):.4g}" for name in TENSOR_NAMES]
    return _row(label, f"{inertia.mass:.6g}", inertia.p_BoBcm_B, entries, inertia)


def _row(label: str, mass: str, centre: Sequence[float], entries: Sequence[str], inertia: SpatialInertia) -> str:
    moments = " ".join(f"{moment:.4g}" for moment in inertia.principal_moments())
    cells = (label, mass, " ".join(f"{value:.4g}" for value in centre), *entries, moments + _verdict(inertia))
    return "| " + " | ".join(plain(cell) for cell in cells) + " |"


def _verdict(inertia: SpatialInertia) -> str:
    """What the principal moments say of themselves."""
    from sdfinertia.inertia.equivalents import equivalent_box

    low, middle, high = inertia.principal_moments()
    if low <= 0.0:
        return ", not positive"
    if low + middle < high:
        return f", and {low:.3g} + {middle:.3g} < {high:.3g}"
    try:
        sides = equivalent_box(inertia.mass, (low, middle, high))
    except InertiaError:
        return ""
    return ", a box of " + " × ".join(f"{side:.3g}" for side in sides) + " m"


def _reasons(why: Why) -> Iterator[str]:
    if not why.explanations:
        yield f"**Cause**: {ended(UNEXPLAINED)}"
        yield ""
        return
    best, *others = why.explanations
    yield f"**Cause**: {plain(f'{best.cause} ({sureness(best)}): {ended(best.sentence)}')}"
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
    return f"{explanation.cause} ({sureness(explanation)}), {explanation.sentence}"


def _text(patch: bytes) -> str:
    return unicode_text(patch.decode("utf-8", "surrogateescape"))
