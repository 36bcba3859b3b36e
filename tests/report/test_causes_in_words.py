"""What explains numbers, and what would undo it, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sdfinertia.causes.case import Explanation
from sdfinertia.inertia import InertiaTensor
from sdfinertia.links.written_block import EntryTexts, WrittenBlock
from sdfinertia.report.explanations import cause_words, changes, proposal_words
from sdfinertia.rules.rule import Why

WRITTEN = WrittenBlock(
    2.0,
    (0.1, 0.0, 0.0),
    InertiaTensor(0.02, 0.03, 0.04),
    entry_texts=EntryTexts("0.02", "0.03", "0.04", "0", "0", "0"),
    mass_text="2.0",
)
QUARTER_TURN = (0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("proposal", "expected"),
    [
        (WRITTEN, []),
        (replace(WRITTEN, mass=2.0 * (1 + 1e-12)), []),
        (replace(WRITTEN, mass=0.2, mass_text="0.20"), ["mass 2.0 → 0.20 kg"]),
        (replace(WRITTEN, mass=0.25, mass_text=""), ["mass 2.0 → 0.25 kg"]),
        (replace(WRITTEN, centre=(0.0, 0.0, 0.1)), ["centre 0.1 0 0 → 0 0 0.1 m"]),
        (replace(WRITTEN, rotation=QUARTER_TURN), ["axes rotated"]),
        (
            replace(WRITTEN, tensor=InertiaTensor(0.02, 0.03, 0.4), entry_texts=EntryTexts("", "", "", "", "", "")),
            ["izz 0.04 → 0.4 kg·m²"],
        ),
        (
            replace(
                WRITTEN,
                mass=4.0,
                mass_text="4",
                tensor=InertiaTensor(0.2, 0.3, 0.4, 0.01),
                entry_texts=EntryTexts("0.20", "0.30", "0.40", "", "0", "0"),
            ),
            ["mass 2.0 → 4 kg", "ixx ixy iyy izz → 0.20 0.01 0.30 0.40 kg·m²"],
        ),
    ],
)
def test_the_numbers_that_differ_are_named(proposal: WrittenBlock, expected: list[str]) -> None:
    assert changes(WRITTEN, proposal) == "; ".join(expected)


def explained(proposal: WrittenBlock | None, share: float = 0.7) -> Explanation:
    return Explanation("a-cause", "a-group", "something\nhappened", proposal, 0.0, share, share == 1.0, (), 1, "digits")


@pytest.mark.parametrize(
    ("explanation", "words"),
    [
        (None, "no mistake that is known explains these numbers"),
        (explained(None), "something; happened [a-cause (70 %)]"),
        (explained(None, 0.3), "unknown; at best: something; happened [a-cause (30 %)]"),
        (
            explained(replace(WRITTEN, mass=0.2, mass_text="0.2"), 1.0),
            "something; happened; mass 2.0 → 0.2 kg [a-cause (certain)]",
        ),
        # Sure is only what may be written without asking.
        (replace(explained(None, 1.0), is_certain=False), "something; happened [a-cause (99 %)]"),
    ],
)
def test_a_line_says_the_cause_how_sure_it_is_and_what_is_left(explanation: Explanation | None, words: str) -> None:
    assert cause_words(Why(WRITTEN, (explanation,) if explanation is not None else (), None)) == words


def test_what_is_neither_proposed_nor_bounded_has_no_words() -> None:
    assert proposal_words(WRITTEN, explained(None)) == ""
