"""`--geometry visual`: the visuals of links that have no collisions, never both."""

from __future__ import annotations

import pytest

from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.options import Options

BOX = "<geometry><box><size>1 2 3</size></box></geometry>"
SPHERE = "<geometry><sphere><radius>1</radius></sphere></geometry>"
VISUALS = Options(geometry="visual")


def run(inside: str, options: Options = VISUALS) -> FillResult:
    text = f"<sdf version='1.11'><model name='m'><link name='l'>{inside}</link></model></sdf>"
    return fill(text.encode(), options)


def test_a_link_without_collisions_takes_its_visuals_and_says_so() -> None:
    result = run(f"<inertial auto='true'/><visual name='v'><pose>1 0 0 0 0 0</pose>{BOX}</visual>")
    (link,) = result.links
    assert link.inertia is not None
    assert link.inertia.mass == pytest.approx(6000)
    assert link.inertia.p_BoBcm_B == (1.0, 0.0, 0.0)
    assert any("visuals are used" in note for note in link.notes)
    assert b"geometry=visual" in result.content


def test_a_link_with_collisions_takes_them_alone() -> None:
    result = run(f"<inertial auto='true'/><collision name='c'>{BOX}</collision><visual name='v'>{SPHERE}</visual>")
    (link,) = result.links
    assert [part.name for part in link.collisions] == ["c"]
    assert b"geometry" not in result.content.split(b"</inertial>")[0].replace(b"<geometry>", b"")


def test_without_the_option_visuals_are_not_looked_at() -> None:
    (link,) = run(f"<inertial auto='true'/><visual name='v'>{BOX}</visual>", Options()).links
    assert "no collisions" in str(link.error)


def test_a_link_without_both_is_an_error() -> None:
    (link,) = run("<inertial auto='true'/>").links
    assert "no collisions and no visuals" in str(link.error)


def test_a_second_run_needs_no_option_and_sees_changes_of_the_visual() -> None:
    filled = run(f"<inertial auto='true'/><visual name='v'>{BOX}</visual>").content
    assert not fill(filled).changed
    (link,) = fill(filled.replace(b"1 2 3", b"1 2 4")).links
    assert link.status == "refilled"


def test_missing_takes_links_that_have_visuals_only() -> None:
    result = run(f"<visual name='v'>{BOX}</visual>", Options(geometry="visual", missing=True))
    assert b"<mass>6000</mass>" in result.content
    assert not run(f"<visual name='v'>{BOX}</visual>", Options(missing=True)).changed
