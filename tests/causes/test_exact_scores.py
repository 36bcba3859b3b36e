"""What every hypothesis makes of a set of links, number by number, as `scores.txt` has it: weights, order, words.

Whoever changes a weight on purpose writes the file anew and reads the difference:
`SDFINERTIA_WRITE_PAGES=1 .venv/bin/python -m pytest tests/causes/test_exact_scores.py`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from builders.pages import compare, read_pages
from causes.many_links import LINKS as MADE
from causes.many_links import random_link
from causes.seen_links import LINKS as SEEN

from sdfinertia.causes.case import Case, Explanation
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.diagnosis import _asked, _explanations, diagnose, settled
from sdfinertia.causes.registry import HYPOTHESES

_SCORES = Path(__file__).with_name("scores.txt")
# In the 57th a way stands at a threshold where rounding decides, which differs between versions of numpy.
_RANDOM = [seed for seed in range(160) if seed != 56]
LINKS: dict[str, Callable[[], Case]] = {**MADE, **{f"seen: {name}": seen.make for name, seen in SEEN.items()}}


def _total(values: object) -> float:
    """A sum in which each place counts differently; what is far below all that counts is rounding, and cut off."""
    array = np.atleast_1d(np.nan_to_num(np.asarray(values, dtype=float), posinf=0.0, neginf=0.0)).clip(-40.0)
    rows = array.reshape(len(array), -1) if array.size else np.zeros((1, 1))
    return float(np.linspace(1.0, 3.0, rows.shape[0]) @ rows @ np.linspace(1.0, 2.0, rows.shape[1]))


def _said(one: Explanation) -> str:
    proposal = one.proposal
    undone = "nothing"
    if proposal is not None:
        numbers = " ".join(f"{value:.7g}" for value in (proposal.mass, *proposal.centre, *proposal.tensor))
        texts = "|".join((*proposal.entry_texts, proposal.mass_text, *proposal.centre_texts, *proposal.angle_texts))
        undone = f"{numbers} {texts}"
    flags = "".join(
        letter
        for letter, is_set in zip("CDP", (one.is_certain, one.is_proved_by_digits, one.is_placeholder), strict=True)
        if is_set
    )
    interval = f" {one.interval.entry} {one.interval.low:.7g} {one.interval.high:.7g}" if one.interval else ""
    return (
        f"> {one.cause} {one.score:.7g} {one.share:.7g} {flags} {one.source} {one.alternatives}{interval}"
        f" # {'; '.join((one.sentence, *one.evidence))} # {undone}"
    )


def _sums(case: Case) -> str:
    """Over all ways that all hypotheses propose: how many, and what scores, weights, numbers and flags add up to."""
    with np.errstate(all="ignore"):
        _, found, null = _asked(Clues(case), HYPOTHESES)
    ways = [
        (*np.broadcast_arrays(one.scores, each.bonus, each.decisive, each.is_certifiable, each.is_fixed), each.tensors)
        for one in found
        for each in (one.candidates,)
    ]
    sums = [_total([_total(values) for values in column]) for column in zip(*ways, strict=True)]
    best = [one.scores.max() for one in found]
    count = sum(len(one.scores) for one in found)
    return " ".join([str(count), *(f"{number:.7g}" for number in (_total(null), _total(best), *sums))])


def _page(case: Case) -> Iterator[str]:
    """All that is found in a link."""
    found = diagnose(case)
    yield f"finding {found.is_finding}"
    yield from (_said(one) for one in found.explanations if one.share > 1e-6)
    first = settled(case).likeliest
    yield f"settled {first.cause if first is not None else None}"
    if not found.is_finding:
        return
    with np.errstate(all="ignore"):
        more = _explanations(*_asked(Clues(case), HYPOTHESES), most=6)[len(found.explanations) :]
    yield from (_said(one) for one in more if one.share > 1e-6)
    yield _sums(case)


def _names() -> list[str]:
    return [*LINKS, *(f"random {seed}" for seed in _RANDOM)]


def _lines(name: str) -> list[str]:
    kind, _, seed = name.partition(" ")
    return [_sums(random_link(int(seed)))] if kind == "random" else list(_page(LINKS[name]()))


@pytest.fixture(scope="module")
def known() -> dict[str, list[str]]:
    return read_pages(_SCORES, _names(), _lines)


@pytest.mark.parametrize("name", _names())
def test_all_that_is_found_in_a_link_is_what_it_was(name: str, known: dict[str, list[str]]) -> None:
    compare(_lines(name), known[name])


def test_each_mistake_is_told_of_some_link(known: dict[str, list[str]]) -> None:
    assert list(known) == _names()
    lines = [line for page in known.values() for line in page if line.startswith("> ")]
    assert [one.name for one in HYPOTHESES if not any(line.startswith(f"> {one.name} ") for line in lines)] == []
