"""What is said of numbers that were zero: a change from nothing has no share of what was there."""

from __future__ import annotations

from sdfinertia.documents.filling import fill
from sdfinertia.documents.link_results import LinkResult
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.inputs import Status
from sdfinertia.report.results import brief_lines, quantities, report_lines

BRICK = SpatialInertia(12.0, (0.0, 0.0, 0.0), InertiaTensor(13.0, 10.0, 5.0))
NOTHING = SpatialInertia(12.0, (0.0, 0.0, 0.0), InertiaTensor(0.0, 0.0, 0.0))
HALF = SpatialInertia(12.0, (0.0, 0.0, 0.0), InertiaTensor(6.5, 5.0, 2.5))


def test_what_was_zero_is_told_as_that_and_a_mass_without_a_share() -> None:
    said = dict(quantities(LinkResult("l", Status.FILLED, 1, inertia=BRICK, before=NOTHING)))
    assert said["principal"] == "13 10 5 kg·m²   was zero"
    said = dict(quantities(LinkResult("l", Status.FILLED, 1, inertia=BRICK, before=HALF)))
    assert said["principal"].endswith("was 6.5 5 2.5 kg·m², tensor changed by 100 % of its largest")
    massless = SpatialInertia(0.0, (0.0, 0.0, 0.0), InertiaTensor(6.5, 5.0, 2.5))
    said = dict(quantities(LinkResult("l", Status.FILLED, 1, inertia=BRICK, before=massless)))
    assert said["mass"] == "12 kg   was 0 kg"


def test_of_what_was_not_computed_or_not_done_nothing_is_said() -> None:
    assert quantities(LinkResult("l", Status.LEFT, 1)) == []
    result = fill(b"<sdf version='1.11'><model name='m'><link name='l'/></model></sdf>")
    assert list(report_lines(result)) == []
    assert list(brief_lines(result)) == []
