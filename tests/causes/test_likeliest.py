"""What is named first of links that were seen, what is not named, and what is not certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from causes.links import CENTRE, SIX, block, case, causes, likeliest, mesh, printed
from causes.seen_links import DOUBTFUL, LINKS, LOST, UNNAMED, Seen, bare

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.operations import axes_exchanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from sdfinertia.causes.case import Case


@pytest.mark.parametrize("seen", LINKS.values(), ids=LINKS)
def test_the_likeliest_mistake_is_named_first(seen: Seen) -> None:
    link = seen.make()
    if not seen.cause:
        assert not diagnose(link).explanations
        return
    found = likeliest(link)
    assert found.cause == seen.cause
    assert seen.is_certain in (None, found.is_certain)
    assert seen.words in found.sentence


@pytest.mark.parametrize(("make", "cause"), UNNAMED.values(), ids=UNNAMED)
def test_a_mistake_is_not_named_where_nothing_tells_of_it(make: Callable[[], Case], cause: str) -> None:
    assert cause not in causes(make())


@pytest.mark.parametrize("make", DOUBTFUL.values(), ids=DOUBTFUL)
def test_what_may_be_otherwise_is_not_certain(make: Callable[[], Case]) -> None:
    assert not any(one.is_certain for one in diagnose(make()).explanations)


def test_a_lost_point_is_certain_where_nothing_speaks_against_it() -> None:
    written = bare(LOST, "1", (0.02, -0.015, 0.03))
    assert likeliest(written).is_certain
    assert likeliest(case(written.written, mesh())).is_certain


def test_axes_that_are_only_turned_are_not_called_exchanged() -> None:
    found = axes_exchanged(Clues(case(block(printed(SIX), "1", CENTRE), mesh())))
    assert found is not None
    turned, exchanged = (found.telling(k).sentence for k in (0, 3))
    assert turned.startswith("the axes are turned by half a turn about z: turned back the tensor is")
    assert exchanged.startswith("the axes are exchanged: what is written for x z y belongs to x y z")
