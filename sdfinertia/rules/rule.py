"""What a rule is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import Location

if TYPE_CHECKING:
    from sdfinertia.rules.facts import LinkFacts


class Finding(NamedTuple):
    """One thing that is wrong, or may be.

    Attributes:
        code: of the rule, such as SDI102.
        message: one sentence without a full stop.
        location: the opening tag of what it is about.
        link: scoped name of the link, or "" for a file as a whole.
        remedy: the command that mends it, or else what to do.
    """

    code: str
    message: str
    location: Location
    link: str = ""
    remedy: str = ""


class Rule(NamedTuple):
    """A rule of `check`.

    Attributes:
        code: SDI and three digits; it never changes its meaning.
        name: words with dashes.
        is_default: whether it is on when nothing is selected.
        what: it finds, one sentence.
        why: it matters.
        example: a piece of SDF that it finds.
        fix: what to do.
        find: looks at a link, and yields a message and a remedy for each finding; None for rules about files.
        fails_run: whether a finding means that the run could not judge (exit status 2).
    """

    code: str
    name: str
    is_default: bool
    what: str
    why: str
    example: str
    fix: str
    find: Callable[[LinkFacts], Iterator[tuple[str, str]]] | None
    fails_run: bool = False
