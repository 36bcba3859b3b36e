"""SDI900: what keeps a whole file from being judged."""

from __future__ import annotations

from sdfinertia.rules.rule import Level, Mender, Rule

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

RULES = (UNREADABLE,)
