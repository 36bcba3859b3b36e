"""SDI108 and SDI109: elements that SDFormat does not have, and names that stand for nothing."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Fault, Level, Mender, Rule


def _unknown(facts: LinkFacts) -> Iterator[Fault]:
    return (Fault(*defect) for defect in facts.link.unknown_elements())


LOST_REFERENCE = Rule(
    code="SDI109",
    name="lost-reference",
    level=Level.ERROR,
    is_default=True,
    mender=Mender.NONE,
    fails_run=False,
    tags=("reading",),
    what="A joint's parent or child does not exist, or a pose is relative to nothing, or to itself.",
    why="Simulators refuse the model, or put the link where nobody meant it.",
    example='<joint name="j" type="fixed"><parent>base</parent><child>front_axl</child></joint>',
    fix="Name a link or a frame that there is.",
    find=None,
)

RULES = (
    Rule(
        code="SDI108",
        name="unknown-element",
        level=Level.ERROR,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("reading",),
        what=(
            "A link, inertial, collision or geometry holds an element that SDFormat of the file's version does not "
            "have there."
        ),
        why="Readers pass over it: what it says of mass, density or shape does not count, and nobody is told.",
        example="<colision>...</colision>",
        fix="Write it as the format has it, or give it a namespace if it is another program's.",
        find=_unknown,
    ),
    LOST_REFERENCE,
)
