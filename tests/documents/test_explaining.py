"""What `repair` writes without being asked how: by what evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sdfinertia.causes.case import Case, Explanation
from sdfinertia.documents.corrections import repair_obstacle
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.solids import FillingName, ShapeBody
from sdfinertia.links.written_block import EntryTexts, WrittenBlock
from sdfinertia.robot import COLLISION, VISUAL, SolidKind

TENSOR = InertiaTensor(0.02, 0.03, 0.04, 0.0, 0.0, 0.0)
WRITTEN = WrittenBlock(
    2.0,
    (0.0, 0.0, 0.0),
    InertiaTensor(0.2, 0.3, 0.4, 0.0, 0.0, 0.0),
    entry_texts=EntryTexts("0.200", "0.3", "40.1e-2", "0", "0", "0"),
)
PROPOSAL = replace(WRITTEN, tensor=TENSOR, entry_texts=EntryTexts())
CERTAIN = Explanation("cause", "group", "it happened", PROPOSAL, 0.0, 1.0, True, (), 0, "digits")


def body(kind: SolidKind, filling: FillingName = "solid", *, is_exact: bool = False, times: float = 1.0) -> ShapeBody:
    tensor = InertiaTensor(*(times * value / 2.0 for value in TENSOR))
    return ShapeBody(kind, filling, SpatialInertia(1.0, (0.0, 0.0, 0.0), tensor), 0.01, is_exact, 20)


CLOSED = body(COLLISION, is_exact=True)
OPEN_OR_BOX = body(COLLISION)
# Hulls and shells are those of meshes alone.
DRAWN_MESH = (body(VISUAL), body(VISUAL, "hull"))
NOT_SHOWN = "it happened; neither the digits nor a mesh confirm it"
EVIDENCE = {
    "a closed collision mesh": ((CLOSED,), ""),
    "an open one, or a box": ((OPEN_OR_BOX,), NOT_SHOWN),
    "the hull of a collision mesh": ((body(COLLISION, "hull"),), NOT_SHOWN),
    "a visual mesh": (DRAWN_MESH, ""),
    "a drawn box": (DRAWN_MESH[:1], NOT_SHOWN),
    "a visual mesh beside a box": ((OPEN_OR_BOX, *DRAWN_MESH), ""),
    "a mesh that is not like it": ((body(COLLISION, is_exact=True, times=4.0),), NOT_SHOWN),
    "nothing": ((), NOT_SHOWN),
}


@pytest.mark.parametrize(("bodies", "obstacle"), EVIDENCE.values(), ids=EVIDENCE)
def test_what_the_digits_do_not_prove_takes_a_mesh(bodies: tuple[ShapeBody, ...], obstacle: str) -> None:
    assert repair_obstacle(Case("l", WRITTEN, bodies=bodies), (CERTAIN,)) == obstacle


def proposing(*texts: str, **others: object) -> Explanation:
    proposal = replace(PROPOSAL, entry_texts=EntryTexts(*texts), **others)  # type: ignore[arg-type]
    return replace(CERTAIN, proposal=proposal)


DIGITS = {
    "another point": (proposing("0.200", "0.3", "0.0401", "0", "0", "0"), True),
    "another exponent": (proposing("0.200", "0.3", "40.1E-3", "0", "0", "0"), True),
    "too few digits to tell": (proposing("0.200", "0.03", "40.1e-2", "0", "0", "0"), False),
    "another digit": (proposing("0.200", "0.3", "41.1e-2", "0", "0", "0"), False),
    "a point, and a number that was computed": (proposing("0.200", "", "0.0401", "0", "0", "0"), False),
    "a point, and another mass": (proposing("0.200", "0.3", "0.0401", "0", "0", "0", mass=3.0), False),
    "nothing in the tensor": (proposing(*WRITTEN.entry_texts, mass=3.0), False),
    "proved": (replace(CERTAIN, is_proved_by_digits=True), True),
}


@pytest.mark.parametrize(("explanation", "is_written"), DIGITS.values(), ids=DIGITS)
def test_digits_prove_what_moves_their_points_alone(explanation: Explanation, is_written: bool) -> None:
    assert (repair_obstacle(Case("l", WRITTEN), (explanation,)) == "") == is_written


@pytest.mark.parametrize(
    ("explanations", "words"),
    [
        ((replace(CERTAIN, is_placeholder=True),), "placeholders are replaced on request only"),
        ((replace(CERTAIN, is_placeholder=True, proposal=None),), "the original number is lost"),
        ((replace(CERTAIN, is_certain=False, share=0.5),), "likely but not certain: cause (50 %)"),
    ],
)
def test_what_is_no_proposal_or_not_certain_is_left_whatever_the_mesh(explanations, words):
    assert words in repair_obstacle(Case("l", WRITTEN, bodies=(CLOSED,)), explanations)
