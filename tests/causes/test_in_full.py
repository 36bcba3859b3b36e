"""All that is said of links that were seen: causes, how sure they are, sentences, evidence, numbers put right."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from causes.links import block, case
from causes.seen_links import DOUBTFUL, LINKS
from causes.test_drawn import MISTAKES

from sdfinertia.causes.diagnosis import diagnose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sdfinertia.causes.case import Case

# Of each link "## name", and its lines.
_, *SECTIONS = Path(__file__).with_name("in_full.txt").read_text(encoding="utf-8").split("## ")
SAID = {name: lines for name, *lines in map(str.splitlines, SECTIONS)}
SEEN: dict[str, Callable[[], Case]] = {
    **{name: seen.make for name, seen in LINKS.items()},
    **DOUBTFUL,
    **{
        f"drawn: {name}": partial(case, block(six, mass), drawn=solids)
        for name, (mass, six, solids, _) in MISTAKES.items()
    },
}


def in_full(link: Case) -> Iterator[str]:
    for each in diagnose(link).explanations:
        yield str(each)
        yield from (f"  {evidence}" for evidence in each.evidence)
        if (right := each.proposal) is not None:
            numbers = (right.mass, *right.centre, *right.tensor)
            yield "  → " + " ".join(f"{value + 0.0:.4g}" for value in numbers)


@pytest.mark.parametrize("name", SEEN)
def test_all_that_is_said_of_a_link(name: str) -> None:
    assert list(in_full(SEEN[name]())) == SAID[name]
