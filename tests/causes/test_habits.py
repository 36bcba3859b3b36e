"""Habits of a file: what its links say together beside their meshes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from causes.links import CENTRE, SIX, block, case, mesh, printed, proposed

from sdfinertia.causes.axes import CAD_SIGNS
from sdfinertia.causes.candidates import ELSEWHERE
from sdfinertia.causes.case import Case, Explanation, FileEvidence
from sdfinertia.causes.diagnosis import diagnose, settled
from sdfinertia.causes.habits import Habits, bodies_of_witness

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
    habits = Habits(lambda: file)
    evidence = FileEvidence([(one.name, one.written) for one in file], habits)
    return [diagnose(replace(one, file=evidence)).likeliest for one in file]


def named(file: Sequence[Case]) -> list[str]:
    return [one.cause if one is not None else "" for one in said(file)]


def test_five_links_with_the_signs_of_cad_are_a_habit_and_certain() -> None:
    found = said(links(5, CAD_SIGNS))
    assert [one is not None and (one.cause, one.is_certain) for one in found] == [("products-cad-signs", True)] * 5
    assert all("5 links of the file" in " ".join(one.evidence) for one in found if one is not None)


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


def test_parameters_that_the_file_calls_identified_have_no_proposal() -> None:
    (one,) = links(1, [2.1, 3.7, 3.1, 1.5, 1.5, 1.5])
    notes = ("inertial parameters identified on the robot",)
    file = FileEvidence([(one.name, one.written)], notes=lambda: notes)
    best = diagnose(replace(one, file=file, findings=frozenset({"SDI204"}))).likeliest
    assert best is not None
    assert best.cause == "identified-parameters"
    assert best.proposal is None


def verdict(explanation: Explanation | None) -> tuple[str, bool] | None:
    """What remedies depend on."""
    if explanation is None or not (
        explanation.is_certain or (explanation.is_likely and explanation.source == ELSEWHERE)
    ):
        return None
    return explanation.cause, explanation.is_certain


FILES = {
    "all with the signs of CAD": links(6, CAD_SIGNS),
    "four of them": links(4, CAD_SIGNS),
    "one against": [*links(6, CAD_SIGNS), *links(1, RIGHT, first=6)],
    "right": links(6, RIGHT),
    "about the origin": links(6, RIGHT, exact=True),
    "with a lost moment": [*links(1, [1, 1, 1e-6, 1, 1, 1]), *links(6, CAD_SIGNS, first=1)],
    "with a moved point": [*links(1, [1, 10, 1, 1, 1, 1]), *links(6, RIGHT, first=1, exact=True)],
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("finding", ["SDI204", "SDI101"])
def test_what_is_settled_without_counting_is_what_counting_finds(name: str, finding: str) -> None:
    file = [replace(one, findings=frozenset({finding})) for one in FILES[name]]
    blocks = [(one.name, one.written) for one in file]
    for one in file:
        # Votes of its own for each, so that none is counted for another.
        known = [replace(one, file=FileEvidence(blocks, Habits(lambda: file))) for _ in range(2)]
        assert verdict(settled(known[0]).likeliest) == verdict(diagnose(known[1]).likeliest)


def test_votes_are_counted_until_one_contradicts() -> None:
    read = []

    def witnesses() -> Iterator[Case]:
        for one in [*links(1, CAD_SIGNS), *links(1, RIGHT, first=1), *links(6, CAD_SIGNS, first=2)]:
            read.append(one.name)
            yield one

    (own,) = links(1, CAD_SIGNS)
    assert not Habits(witnesses).may_have(own)
    assert read == ["link_1.0", "link_1.1"]


def test_a_link_that_shows_nothing_asks_no_other() -> None:
    (own,) = links(1, RIGHT)
    assert not Habits(lambda: pytest.fail("it asks")).may_have(own)


def test_a_witness_is_the_same_whatever_else_is_known_of_its_shapes() -> None:
    (one,) = links(1, RIGHT)
    (body,) = one.bodies
    hull, shell = (body._replace(filling=filling, is_exact_mesh=False) for filling in ("hull", "shell"))
    open_mesh = body._replace(is_exact_mesh=False)
    assert bodies_of_witness((body, hull, shell)) == (body,)
    assert bodies_of_witness((open_mesh, hull, shell)) == (open_mesh, hull)
