"""Causes of wrong numbers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import one_line
from sdfinertia.report.rules import cause_address
from sdfinertia.robot.inertial import TENSOR_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.causes.case import Explanation
    from sdfinertia.links.written_block import WrittenBlock
    from sdfinertia.rules.rule import Why

# Relative: a proposed number that differs by less is unchanged.
_SAME = 1e-9
# Entries that are named one by one; more are named together.
_MAX_NAMED = 3
UNSURE = "unknown: several mistakes could explain these numbers, and none is above 50 %"


def likeliest(why: Why) -> Explanation | None:
    """The cause that is likelier than not, or None."""
    best = why.explanations[0] if why.explanations else None
    return best if best is not None and best.is_likely else None


def why_words(why: Why, *, lists_all: bool = False) -> str:
    """The cause of wrong numbers on one line: how sure it is, the evidence, and the numbers that would undo it."""
    if not why.explanations:
        return why.unexplained
    best = why.explanations[0]
    if not best.is_likely and not lists_all:
        return UNSURE
    words = str(best)
    proposed = proposal_words(why.written, best)
    address = cause_address(best.cause) if lists_all else None
    return one_line("; ".join(filter(None, (words, proposed, address and f"see {address}"))))


def proposal_words(written: WrittenBlock, explanation: Explanation) -> str:
    """The numbers that would change; "" where it is not known what they were."""
    if explanation.proposal is None:
        return ""
    return changes(written, explanation.proposal)


def changes(written: WrittenBlock, proposal: WrittenBlock) -> str:
    """The numbers that differ between two blocks, each as `izz 1676359E-6 → 1676.359E-6 kg·m²`."""
    return "; ".join(_changes(written, proposal))


def _changes(written: WrittenBlock, proposal: WrittenBlock) -> Iterator[str]:
    if not _are_same(written.mass, proposal.mass):
        yield f"mass {_shown(written.mass_text, written.mass)} → {_shown(proposal.mass_text, proposal.mass)} kg"
    if not all(map(_are_same, written.centre, proposal.centre)):
        before, after = (" ".join(f"{value:.6g}" for value in block.centre) for block in (written, proposal))
        yield f"centre {before} → {after} m"
    if written.rotation != proposal.rotation:
        yield "axes rotated"
    differing = [
        name for name in TENSOR_NAMES if not _are_same(getattr(written.tensor, name), getattr(proposal.tensor, name))
    ]
    if len(differing) <= _MAX_NAMED:
        for name in differing:
            yield f"{name} {entry_text(written, name)} → {entry_text(proposal, name)} kg·m²"
    else:
        yield f"{' '.join(differing)} → {' '.join(entry_text(proposal, name) for name in differing)} kg·m²"


def entry_text(block: WrittenBlock, name: str) -> str:
    """An entry of a tensor, in the digits of the file if known."""
    return _shown(getattr(block.entry_texts, name), getattr(block.tensor, name))


def _shown(text: str, value: float) -> str:
    return text or f"{value:.6g}"


def _are_same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b))
