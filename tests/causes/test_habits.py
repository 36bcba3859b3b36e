"""Habits of a file: what its links say together beside their meshes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from causes.links import CENTRE, SIX, block, case, mesh, printed, proposed

from sdfinertia.causes.case import Case, Explanation
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.evidence import Habits
from sdfinertia.causes.operations import CAD_SIGNS

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUGH = np.array([1.3, 1.2, 1.25, 1.4, 1.1, 1.2])  # as tensors of hollow parts are beside their meshes
RIGHT = np.ones(6)


def links(count: int, factors: Sequence[float], *, first: int = 0, exact: bool = False) -> list[Case]:
    """Links of several sizes, with the tensors of their meshes times factors."""
    found = []
    for size in 1.0 + 0.1 * np.arange(first, first + count):
        six = [size * value for value in SIX]
        hollow = ROUGH if not exact else RIGHT
        written = block(printed(np.array(six) * hollow * factors), "1", CENTRE)
        found.append(replace(case(written, mesh(six)), name=f"link_{size:.1f}"))
    return found


def said(file: Sequence[Case]) -> list[Explanation | None]:
    witnesses = {(one.name, one.written): partial(replace, one) for one in file}
    evidence = Habits([one.written for one in file], witnesses)
    return [diagnose(replace(one, file=evidence)).likeliest for one in file]


def named(file: Sequence[Case]) -> list[str]:
    return [one.cause if one is not None else "" for one in said(file)]


def test_five_links_with_the_signs_of_cad_are_a_habit_and_certain() -> None:
    found = said(links(5, CAD_SIGNS))
    assert [one is not None and (one.cause, one.is_certain) for one in found] == [("products-cad-signs", True)] * 5
    assert all("5 links of the file" in " ".join(one.evidence) for one in found if one is not None)


def test_a_link_votes_by_the_same_bodies_whoever_asks_first() -> None:
    file = links(5, CAD_SIGNS)
    habits = Habits([one.written for one in file], {(one.name, one.written): partial(replace, one) for one in file})
    # With a finding a link has hulls and shells too, which agree with anything.
    full = [replace(one, bodies=(*one.bodies, mesh(one.written.tensor)), file=habits) for one in file]
    found = [diagnose(replace(one, findings=frozenset({"SDI204"}))).likeliest for one in full]
    assert [one is not None and (one.cause, one.is_certain) for one in found] == [("products-cad-signs", True)] * 5


def test_four_are_none() -> None:
    assert named(links(4, CAD_SIGNS)) == [""] * 4


def test_one_link_that_contradicts_silences_all() -> None:
    assert named([*links(8, CAD_SIGNS), *links(1, RIGHT, first=8)]) == [""] * 9


def test_a_file_that_is_right_is_silent() -> None:
    assert named(links(8, RIGHT)) == [""] * 8


def test_copies_of_one_link_are_one_vote() -> None:
    (one,) = links(1, CAD_SIGNS)
    assert named([replace(one, name=f"copy_{k}") for k in range(6)]) == [""] * 6


@pytest.mark.parametrize("count", [1, 6])
def test_the_tensor_of_a_mesh_at_1000_is_found_in_any_number_of_links_and_scaled_to_the_mass(count: int) -> None:
    file = []
    for one in links(6, RIGHT, exact=True):
        body = one.bodies[0]
        is_wrong = len(file) < count
        mass = 1000.0 * body.volume if is_wrong else 1.0
        six = [mass * value for value in body.inertia.I_BBcm_B]
        file.append(replace(one, written=block(printed(six), "1", body.inertia.p_BoBcm_B)))
    found = said(file)
    assert [one is not None for one in found] == [k < count for k in range(6)]
    for one, explanation in zip(file[:count], found, strict=False):
        assert explanation is not None
        assert explanation.cause == "default-density"
        assert explanation.is_certain
        assert proposed(explanation).tensor == pytest.approx(one.bodies[0].inertia.I_BBcm_B, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize(
    ("densities", "cause"), [([7860.0] * 6, "solid-steel"), ([2700.0] * 6, ""), ([7860.0] * 5 + [900.0], "")]
)
def test_a_whole_robot_of_solid_steel_is_no_robot(densities: list[float], cause: str) -> None:
    file = []
    for one, density in zip(links(6, RIGHT, exact=True), densities, strict=True):
        body = one.bodies[0]._replace(is_closed=True, volume=one.written.mass / density)
        file.append(replace(one, bodies=(body,)))
    assert named(file) == [cause] * 6


def test_a_point_that_may_have_moved_by_any_place_is_not_certain_of_one_digit() -> None:
    one = case(block("0.000469609 0 0 0.000469609 0 1e-6", "0.162"), mesh((0.0029, 0.0029, 0.0005, 0, 0, 0)))
    best = diagnose(replace(one, findings=frozenset({"SDI204"}))).likeliest
    assert best is None or not best.is_certain
