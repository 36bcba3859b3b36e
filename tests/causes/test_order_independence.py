"""What is said does not depend on the order of hypotheses, bodies or relatives."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from causes.links import CENTRE, SIX, block, case, mesh, printed, told, twin

from sdfinertia.causes.case import Case
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.registry import HYPOTHESES
from sdfinertia.robot import VISUAL


def crowded(six: str) -> Case:
    relatives = (
        replace(twin(printed(SIX)), name="b"),
        replace(twin(printed([1.01 * value for value in SIX])), name="a"),
        replace(twin(six, is_twin=False), has_same_geometry=False),
    )
    bodies = (mesh(), mesh([0.9 * value for value in SIX])._replace(kind=VISUAL), mesh((*SIX[:3], 0, 0, 0)))
    return case(block(six, centre=CENTRE), *bodies, relatives=relatives)


@pytest.mark.parametrize(
    "six", ["0.003 0.0006 -0.0004 0.0042 0.0003 5.8", "0.003 -0.0006 0.0004 0.0042 -0.0003 0.0058", "0 0 0 0 0 0"]
)
def test_no_order_changes_what_is_said(six: str) -> None:
    found = told(crowded(six))
    expected = diagnose(found)
    chance = random.Random(3)
    for _ in range(5):
        shuffled = replace(
            found,
            bodies=tuple(chance.sample(found.bodies, len(found.bodies))),
            relatives=tuple(chance.sample(found.relatives, len(found.relatives))),
        )
        assert diagnose(shuffled, chance.sample(HYPOTHESES, len(HYPOTHESES))) == expected
