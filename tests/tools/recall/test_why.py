"""The harness of causes: mistakes are as named, and are undone to the surviving digits."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from causes.links import CENTRE, SIX, block, case, mesh, printed

from recall.cases import FIXTURES
from recall.mistakes import MISTAKES, Injected
from recall.why import findings, has_right_numbers, lines, report, right_cases, tallies
from sdfinertia.causes.case import Case
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.registry import HYPOTHESES
from sdfinertia.links.solids import ShapeBody
from sdfinertia.robot import COLLISION

RIGHT = case(block(printed(SIX), "1.25", CENTRE), mesh([value / 1.25 for value in SIX]))
OTHER = replace(case(block("0.0312 0.0021 -0.0033 0.0419 0.0017 0.0523", "2", (0.1, 0.0, 0.2)), mesh()), name="other")
PLAIN = replace(RIGHT, bodies=(ShapeBody(COLLISION, "solid", mesh(SIX).inertia, 4e-4),))
# Mistakes of digits and slots, whose numbers are restored exactly.
TO_THE_LETTER = ("decimal point", "products as in CAD", "one product's sign", "moments negated")


def made(name: str, link: Case = RIGHT) -> Injected:
    # A formula is of a link that is drawn with simple shapes.
    for one in (link, PLAIN):
        for seed in range(20):
            found = MISTAKES[name](one, random.Random(seed), [OTHER])
            if found is not None:
                return found
    raise AssertionError(f"{name} cannot be made")


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_changes_the_link_and_its_texts_are_its_numbers(name: str) -> None:
    found = made(name, RIGHT)
    assert found.case != RIGHT
    written = found.case.written
    assert all(float(text) == value for text, value in zip(written.entry_texts, written.tensor, strict=True) if text)


def test_every_hypothesis_has_a_mistake() -> None:
    covered = {cause for name in MISTAKES for cause in made(name, RIGHT).causes}
    # Pairs are made of two, and made-up numbers of one digit are a matter of taste.
    assert {one.name for one in HYPOTHESES} - covered == {
        "round-numbers",
        "thin-rod-formula",
        "copied-from-other-robot",
    }


@pytest.mark.parametrize("name", TO_THE_LETTER)
def test_what_is_named_is_undone_to_the_letter(name: str) -> None:
    undone = 0
    for seed in range(30):
        found = MISTAKES[name](RIGHT, random.Random(seed), [OTHER])
        if found is None:
            continue
        link = replace(found.case, findings=frozenset(findings(found.case)))
        best = diagnose(link).likeliest
        if best is None or best.cause not in found.causes or best.proposal is None or best.alternatives:
            continue
        undone += 1
        proposed = best.proposal.entry_texts
        assert [Fraction(text) for text in proposed] == [Fraction(text) for text in RIGHT.written.entry_texts], seed
    assert undone > 0


def test_a_certain_claim_with_other_numbers_is_wrong() -> None:
    found = made("decimal point")
    best = diagnose(found.case).likeliest
    assert best is not None
    assert best.proposal is not None
    assert has_right_numbers(best, found.right, found.case.written)
    other = replace(best.proposal, tensor=best.proposal.tensor._replace(izz=2.0 * best.proposal.tensor.izz))
    assert not has_right_numbers(replace(best, proposal=other), found.right, found.case.written)


def test_the_same_links_give_the_same_table() -> None:
    first, _ = tallies([RIGHT, OTHER], 2, with_geometry=True)
    second, _ = tallies([OTHER, RIGHT], 2, with_geometry=True)
    assert list(lines(first)) == list(lines(second))


def test_nothing_is_certain_or_a_slip_on_fixtures_that_are_right_and_the_report_has_its_tables() -> None:
    cases = right_cases(FIXTURES)
    assert cases
    assert [diagnose(one).likeliest for one in cases] == [None] * len(cases)
    told = list(report(FIXTURES, 1))
    assert sum("geometry;" in line for line in told) == 2
    assert told[-1].startswith("\non the links as they are: ")
