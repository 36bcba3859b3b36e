"""Mistakes put into whole documents: what `repair` writes by cause is what stood there, to the digits that survived."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import exp
from typing import TYPE_CHECKING

import pytest
from builders.robots import ENTRIES, Written, sdf, urdf
from recall.mistakes import MISTAKES

from sdfinertia.documents import open_document
from sdfinertia.documents.corrections import Explainer
from sdfinertia.documents.repairing import repair
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.inertia.solids import box
from sdfinertia.options import Options

if TYPE_CHECKING:
    from sdfinertia.causes.case import Case
    from sdfinertia.links.written_block import WrittenBlock

Format = Callable[..., bytes]
LINKS = 6
# Of the largest moment: what the digits leave open.
SURVIVED = 1e-3
# Those that need no other link or frame, and change nothing but numbers that stand in a block.
NAMES = (
    "decimal point",
    "point lost, zeros first",
    "moments listed first",
    "products as in CAD",
    "one product's sign",
    "moments negated",
    "about the link's origin",
    "moved the wrong way",
    "axes exchanged",
    "tensor in other units",
    "mass in g",
    "centre in mm",
    "g and mm",
    "zeros",
    "unit tensor",
)


def sound_link(chance: random.Random) -> Written:
    """A link of few digits whose box has nearly its tensor: it is hollow here and there."""
    size = tuple(0.03 * exp(chance.uniform(0.0, 2.0)) for _ in range(3))
    body = box((size[0], size[1], size[2]), chance.uniform(500.0, 3000.0))
    angles = tuple(chance.uniform(-0.6, 0.6) for _ in range(3))
    shape = body.I_BBcm_B.rotated(rotation_from_rpy(*angles))
    factor = chance.uniform(0.8, 1.2)
    texts = [f"{getattr(shape, name) * factor:.5g}" for name in ENTRIES]
    centre = " ".join(f"{chance.uniform(-0.1, 0.1):.4f}" for _ in range(3))
    return Written("part", f"{body.mass:.5g}", texts, tuple(getattr(shape, name) for name in ENTRIES), centre)


def case_of(content: bytes) -> Case:
    document = open_document(content, Options())
    case = Explainer(document).case(document.links()[0])
    assert case is not None
    return case


def with_block(link: Written, block: WrittenBlock) -> Written:
    texts = tuple(getattr(block.entry_texts, name) for name in ENTRIES)
    mass = block.mass_text if block.mass_text and float(block.mass_text) == block.mass else repr(block.mass)
    return link._replace(mass=mass, tensor=texts, centre=" ".join(map(repr, block.centre)))


@pytest.mark.parametrize("written_as", [urdf, sdf], ids=["URDF", "SDF"])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_by_cause_is_what_stood_there(written_as: Format, name: str) -> None:
    chance = random.Random(name)
    for _ in range(LINKS):
        link = sound_link(chance)
        case = case_of(written_as(link))
        injected = MISTAKES[name](case, chance, [])
        if injected is None:
            continue
        wrong = with_block(link, injected.case.written)
        # The box stays where it was, whatever became of the numbers.
        content = written_as(wrong._replace(mass=link.mass, centre=link.centre)).replace(
            *_swapped(written_as, link, wrong), 1
        )
        result = repair(content)
        for each in result.links:
            best = each.why.explanations[0] if each.why is not None and each.why.explanations else None
            if each.status != "repaired" or best is None or best.source != "digits" or injected.right is None:
                continue
            after, right = each.inertia, injected.right.inertia
            assert after.mass == pytest.approx(right.mass, rel=SURVIVED)
            assert after.p_BoBcm_B == pytest.approx(right.p_BoBcm_B, rel=SURVIVED, abs=1e-9)
            largest = max(right.I_BBcm_B[:3])
            assert after.I_BBcm_B == pytest.approx(right.I_BBcm_B, rel=SURVIVED, abs=SURVIVED * largest)
            assert_kept(injected.case.written, each.proposal)


def _swapped(written_as: Format, link: Written, wrong: Written) -> tuple[bytes, bytes]:
    """The lines of mass and centre of the block alone: as they are right, and as they are wrong."""
    if written_as is urdf:
        lines = '<origin xyz="{}" rpy="0 0 0"/>\n      <mass value="{}"/>'
    else:
        lines = "<pose>{} 0 0 0</pose>\n        <mass>{}</mass>"
    return lines.format(link.centre, link.mass).encode(), lines.format(wrong.centre, wrong.mass).encode()


def assert_kept(wrong: WrittenBlock, proposal: WrittenBlock | None) -> None:
    """Holds an entry that is not changed to the text that it had."""
    for name in InertiaTensor._fields:
        if getattr(wrong.tensor, name) == getattr(proposal.tensor, name) and getattr(proposal.entry_texts, name):
            assert getattr(proposal.entry_texts, name) == getattr(wrong.entry_texts, name)


def test_enough_is_certain_for_the_others_to_say_something() -> None:
    repaired = 0
    chance = random.Random(1)
    for _ in range(4 * LINKS):
        link = sound_link(chance)
        injected = MISTAKES["decimal point"](case_of(urdf(link)), chance, [])
        repaired += repair(urdf(with_block(link, injected.case.written))).changed
    assert repaired > 0
