"""Causes in words and as data: what explains the numbers of a link, and what would undo it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sdfinertia.errors import one_line
from sdfinertia.robot.values import TENSOR_NAMES

if TYPE_CHECKING:
    from sdfinertia.causes.case import Explanation, WrittenBlock
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.rules.rule import Finding, Why

UNSURE = "unknown: several mistakes explain these numbers, and none is likelier than not (-v names them)"
# The share below which a cause is no reason.
LIKELY = 0.5
# As a part of a number: one that is proposed and differs by less is the one that stands there.
_SAME = 1e-9
# Entries that are named one by one; more are named together.
_MOST_NAMED = 3


def likeliest(finding: Finding) -> Explanation | None:
    """What explains a finding, likelier than not; None where nothing was asked, or does."""
    best = finding.why.explanations[0] if finding.why is not None and finding.why.explanations else None
    return best if best is not None and best.share >= LIKELY else None


def why_words(why: Why, *, tells_each: bool = False) -> str:
    """What explains the numbers of a link, on one line: cause, how sure it is, what shows it, what would undo it.

    Args:
        tells_each: whether a cause is named that is less likely than not.
    """
    if not why.explanations:
        return why.unexplained
    best = why.explanations[0]
    if best.share < LIKELY and not tells_each:
        return UNSURE
    words = f"{best.cause} ({sureness(best)}): {best.sentence}"
    proposed = proposal_words(why.written, best)
    return one_line(f"{words}; {proposed}" if proposed else words)


def sureness(explanation: Explanation) -> str:
    """How sure an explanation is: certain, or its share in per cent."""
    return "certain" if explanation.is_certain else f"{min(99, round(100 * explanation.share))} %"


def proposal_words(written: WrittenBlock, explanation: Explanation) -> str:
    """What would undo a mistake: the numbers that change, or what is left of one that is lost; "" for neither."""
    if explanation.proposal is None:
        if explanation.interval is None:
            return ""
        entry, low, high = explanation.interval
        return f"{entry} is lost, and between {low:.4g} and {high:.4g}"
    return "; ".join(changes(written, explanation.proposal))


def changes(written: WrittenBlock, proposal: WrittenBlock) -> Iterator[str]:
    """The numbers that differ between two blocks, each as `izz 1676359E-6 → 1676.359E-6`."""
    if not _are_same(written.mass, proposal.mass):
        yield f"mass {_shown(written.mass_text, written.mass)} → {_shown(proposal.mass_text, proposal.mass)}"
    if not all(map(_are_same, written.centre, proposal.centre)):
        yield f"centre {_row(written.centre)} → {_row(proposal.centre)}"
    if written.rotation != proposal.rotation:
        yield "its axes turned"
    differing = [
        name for name in TENSOR_NAMES if not _are_same(getattr(written.tensor, name), getattr(proposal.tensor, name))
    ]
    if len(differing) <= _MOST_NAMED:
        for name in differing:
            yield f"{name} {_entry(written, name)} → {_entry(proposal, name)}"
    else:
        yield f"{' '.join(differing)} → {' '.join(_entry(proposal, name) for name in differing)}"


def why_json(why: Why) -> dict[str, Any]:
    """The same as JSON takes it: what is written, each explanation with its evidence and proposal, what is computed."""
    return {
        "written": _block_json(why.written),
        "computed": _inertia_json(why.computed),
        "explanations": [_explanation_json(each) for each in why.explanations],
    }


def _explanation_json(explanation: Explanation) -> dict[str, Any]:
    interval = explanation.interval
    return {
        "cause": explanation.cause,
        "group": explanation.group,
        "certain": explanation.is_certain,
        "share": explanation.share,
        "sentence": explanation.sentence,
        "evidence": list(explanation.evidence),
        "alternatives": explanation.alternatives,
        "source": explanation.source,
        "proposal": _block_json(explanation.proposal) if explanation.proposal is not None else None,
        "interval": interval._asdict() if interval is not None else None,
    }


def _block_json(block: WrittenBlock) -> dict[str, Any]:
    """Numbers, and in `texts` the digits of those that are known."""
    texts = {name: text for name in TENSOR_NAMES if (text := getattr(block.entry_texts, name))}
    return {
        "mass": block.mass,
        "com": list(block.centre),
        **block.tensor._asdict(),
        "rotation": list(block.rotation),
        "texts": texts,
    }


def _inertia_json(inertia: SpatialInertia | None) -> dict[str, Any] | None:
    if inertia is None:
        return None
    return {"mass": inertia.mass, "com": list(inertia.p_BoBcm_B), **inertia.I_BBcm_B._asdict()}


def _entry(block: WrittenBlock, name: str) -> str:
    return _shown(getattr(block.entry_texts, name), getattr(block.tensor, name))


def _shown(text: str, value: float) -> str:
    return text or f"{value:.6g}"


def _row(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.6g}" for value in values)


def _are_same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b))
