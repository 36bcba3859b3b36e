"""Whatever stands in a file, a diagnosis comes of it, and what is certain is a body."""

from __future__ import annotations

import random
from dataclasses import replace
from math import inf, isfinite, isnan, nan
from typing import TYPE_CHECKING

import pytest
from builders.thoroughness import trials
from causes.links import BOX, CENTRE, SIX, block, case, mesh, printed, twin

from sdfinertia.causes.case import Case
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.links.written_block import EntryTexts, WrittenBlock
from sdfinertia.shapes import Bounds

if TYPE_CHECKING:
    from sdfinertia.links.solids import ShapeBody

VALUES = (0.0, -0.0, 1.0, -1.0, 0.003, -0.0004, 1e-6, 1e60, -1e60, 1e-60, 1000.0)
# What double precision cannot judge; of products, those that are as good as none are no trouble.
TOO_LARGE, TOO_SMALL = (1e61, -1e300, inf, -inf, nan), (1e-61, -1e-300, 5e-324)
MASSES = (0.0, -1.0, 1.0, 0.25, 1e-9, 1e60, 1e-60)
TEXTS = (
    "",
    "0",
    "1",
    "0.003",
    "-.5e-3",
    "00012",
    "1e-06",
    "NaN",
    "${ixx}",
    "0,5",
    "1.0E+2",
    "1e-" + 5000 * "9",
    "0e99999",
    "+" + 5000 * "0" + "9",
)
FLAT = Bounds((-0.1, -0.1, 0.0), (0.1, 0.1, 0.0))


def strange(seed: int) -> Case:
    chance = random.Random(seed)
    six = InertiaTensor(*(chance.choice(VALUES if k < 3 else VALUES + TOO_SMALL) for k in range(6)))
    texts = EntryTexts(*(chance.choice(TEXTS) for _ in range(6))) if chance.random() < 0.5 else EntryTexts()
    centre = tuple(chance.choice((0.0, 0.02, -0.3, 1e3)) for _ in range(3))
    rotation = rotation_from_rpy(*(chance.choice((0.0, 0.7)) for _ in range(3)))
    written = WrittenBlock(chance.choice(MASSES), centre, six, rotation, texts)  # type: ignore[arg-type]
    rod = mesh()._replace(inertia=SpatialInertia(1.0, CENTRE, InertiaTensor(0.0, 0.01, 0.01)))
    none = mesh()._replace(inertia=SpatialInertia(1.0, CENTRE, InertiaTensor(nan, 1.0, 1.0)), volume=0.0)
    bodies: list[ShapeBody] = chance.sample([mesh(), mesh(exact=False), rod, none], chance.randint(0, 4))
    relatives = (
        replace(twin("0 0 0 0.01 0 0.01", "1"), name="rod"),
        twin(printed(SIX), "1"),
        replace(twin(printed(SIX), "1", False), has_same_geometry=None),
    )
    return Case(
        "link",
        written,
        chance.choice((None, BOX, FLAT)),
        tuple(bodies),
        relatives if chance.random() < 0.5 else (),
        frozenset(chance.sample(["SDI103", "SDI204"], chance.randint(0, 2))),
    )


@pytest.mark.filterwarnings("error")
def test_no_numbers_are_too_strange() -> None:
    for seed in range(trials(100, 4000)):
        found = diagnose(strange(seed))
        for one in found.explanations:
            assert isfinite(one.score), seed
            assert 0.0 <= one.share <= 1.0, seed
            if one.is_certain and one.proposal is not None:
                assert one.proposal.inertia.is_physically_valid(1e-3), seed


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [*TOO_LARGE, *TOO_SMALL])
def test_what_double_precision_cannot_judge_has_no_cause(value: float) -> None:
    sound = strange(0).written
    blocks = [
        replace(sound, mass=value),
        *(replace(sound, tensor=sound.tensor._replace(**{name: value})) for name in ("ixx", "iyy", "izz")),
    ]
    if value in TOO_LARGE or isnan(value):
        blocks += [replace(sound, centre=(0.0, value, 0.0)), replace(sound, tensor=sound.tensor._replace(ixz=value))]
    for written in blocks:
        assert not written.is_judged
        strange_case = replace(strange(1), written=written, findings=frozenset({"SDI103"}))
        assert not diagnose(strange_case).explanations


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mass", ["0", "-1.5"])
def test_a_mass_that_is_none_leaves_no_certain_tensor(mass: str) -> None:
    found = diagnose(case(block(printed(SIX), mass, CENTRE), mesh()))
    assert found.is_finding
    assert not any(one.is_certain for one in found.explanations)


def test_an_unknown_text_is_taken_for_the_number_that_it_means() -> None:
    written = replace(block(printed(SIX), centre=CENTRE), entry_texts=EntryTexts())
    assert not diagnose(case(written, mesh())).explanations
