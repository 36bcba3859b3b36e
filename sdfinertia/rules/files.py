"""SDI900 and SDI902: what keeps a whole file, or a link, from being judged."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Fault, Level, Mender, Rule


def _unreadable_geometry(facts: LinkFacts) -> Iterator[Fault]:
    """What kept the rules before this one, which is the last by its code, from judging the link."""
    for reason in facts.unjudged:
        if reason.is_finding:
            message = f"cannot be checked against its geometry: {reason.problem}"
            yield Fault(message, reason.remedy, reason.location)


UNREADABLE = Rule(
    code="SDI900",
    name="unreadable-file",
    level=Level.ERROR,
    is_default=True,
    mender=Mender.NONE,
    fails_run=True,
    tags=("reading",),
    what="A file cannot be read as SDF.",
    why="Nothing in it was checked.",
    example="a file cut short",
    fix="Mend what the message names.",
    find=None,
)

UNREADABLE_GEOMETRY = Rule(
    code="SDI902",
    name="unreadable-geometry",
    level=Level.WARNING,
    is_default=True,
    mender=Mender.NONE,
    fails_run=False,
    tags=("reading",),
    what=(
        "A collision or visual of a link with a hand-written inertial exists, and cannot be read or is impossible: a "
        "Git LFS pointer, a truncated mesh, a negative size, text where a number belongs."
    ),
    why=(
        "The rules that compare an inertial with its geometry did not check this link, and its numbers may be wrong. "
        "A file that is not found is counted in the closing line: it may be on another machine."
    ),
    example="<cylinder><radius>abc</radius><length>1</length></cylinder>",
    fix="Correct the geometry, or fetch the file (`git lfs pull`).",
    find=_unreadable_geometry,
)

RULES = (UNREADABLE, UNREADABLE_GEOMETRY)
