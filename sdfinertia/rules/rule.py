"""Rules and findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sdfinertia.errors import Location, one_line, printable
from sdfinertia.inertia import SpatialInertia
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.robot import LinkKey
from sdfinertia.robot.problems import Command, Problem

if TYPE_CHECKING:
    from sdfinertia.causes.case import Explanation
    from sdfinertia.links import Study

# Findings in the numbers of an inertial, the strongest first: impossible, off by size, by geometry, the mistake alone.
TELLING = (
    *("SDI102", "SDI103", "SDI105", "SDI203", "SDI208", "SDI209"),
    *("SDI202", "SDI205", "SDI207", "SDI204", "SDI210", "SDI201"),
)
# SDI107 is about digits, and has a fix of its own.
ABOUT_NUMBERS = frozenset({*TELLING, "SDI107"})
COMPUTE_IT = "Compute it with `sdfinertia fill --all` where its collisions have its shape, else take it from CAD."


class Level(Enum):
    """The values are the words of reports."""

    # Certainly wrong in every simulator: not filled, not as filled, not physical, not readable.
    ERROR = "error"
    # Depends on a threshold of size or distance, or harms no number.
    WARNING = "warning"


# As JSON and SARIF name it: `--fix` makes safe fixes, which are of links that ask or are stale, and of rounding.
Fix = Literal["safe", "repair", "none"]


class Fixer(Enum):
    NONE = "none", "leaves them to people"
    FILL = "safe", "fills the link"
    NUDGE = "safe", "moves the last digits of the tensor"

    def __init__(self, fix: Fix, does: str) -> None:
        self.fix = fix
        self.does = does


class Why(NamedTuple):
    """The explanation of the numbers of a link.

    Attributes:
        explanations: the likeliest first; none where no known mistake explains them.
        computed: from the geometry, at the same mass.
        obstacle: why `repair` does not undo the likeliest mistake; "" where it does.
    """

    written: WrittenBlock
    explanations: tuple[Explanation, ...]
    computed: SpatialInertia | None
    obstacle: str = ""

    def __str__(self) -> str:
        return str(self.explanations[0]) if self.explanations else self.unexplained

    @property
    def likeliest(self) -> Explanation | None:
        """The cause that is likelier than not."""
        return next((each for each in self.explanations[:1] if each.is_likely), None)

    @property
    def unexplained(self) -> str:
        if self.written.is_judged:
            return "no mistake that is known explains these numbers"
        return "these numbers are too large or too small for a cause to be judged in double precision"


class Effect(NamedTuple):
    """How much the numbers of a link matter to its robot; None where unknown.

    Attributes:
        share: of the robot's mass, from 0 to 1.
        change: of the inertia of all links behind the joint above the link, about that joint, between the written
            numbers and the proposed ones or those of its geometry, as a part of the larger of the two.
    """

    share: float | None = None
    change: float | None = None


class Finding(NamedTuple):
    """A problem, or a likely one.

    Attributes:
        link: scoped name, or "" for a file as a whole, which has no effect either.
        advice: the command that fixes it, or else what to do; `remedy` is its text.
        is_fixable: False where the fix of the rule would fail here.
        number: of its link among those of that name in the file, from 1.
        is_minor: counted, and fails no run.
        also: codes of the other rules that the same numbers break.
        numbers: of its block, by which copies in other files are recognised; `copies` are their places.
        trace: behind the message, where it comes from: other links, macros, variants.
    """

    code: str
    message: str
    location: Location
    link: str = ""
    advice: str | Command = ""
    is_fixable: bool = True
    why: Why | None = None
    number: int = 1
    effect: Effect | None = None
    is_minor: bool = False
    also: tuple[str, ...] = ()
    numbers: tuple[float, ...] | None = None
    copies: tuple[Location, ...] = ()
    trace: str = ""

    @property
    def codes(self) -> tuple[str, ...]:
        """Of all rules that the same numbers break."""
        return self.code, *self.also

    @property
    def key(self) -> LinkKey:
        """The key of its link."""
        return LinkKey(self.location.file, self.link, self.number)

    @property
    def remedy(self) -> str:
        """What to do, in words."""
        return str(self.advice)

    def __str__(self) -> str:
        link = f"{self.link}: " if self.link else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return one_line(f"{self.location} {self.code} {link}{self.message}{self.trace}{remedy}")

    def __repr__(self) -> str:
        return printable(f"Finding({self.location}: {self.code} {self.link}: {self.message})")


class Rule(NamedTuple):
    """A rule of `check`; called with the study of a link it yields problems.

    Attributes:
        code: SDI and three digits; it never changes its meaning.
        name: words with dashes, which users may write for the code.
        example: a piece of SDF that it finds.
        find: None for rules about files and comments.
        fails_run: a finding means that the run could not judge (exit status 2).
    """

    code: str
    name: str
    level: Level
    topics: tuple[str, ...]
    what: str
    why: str
    example: str
    fix: str
    find: Callable[[Study], Iterator[Problem]] | None
    is_default: bool = True
    fixer: Fixer = Fixer.NONE
    fails_run: bool = False

    def __call__(self, study: Study) -> Iterator[Problem]:
        return self.find(study) if self.find is not None else iter(())

    def finds(self, study: Study) -> bool:
        return any(True for _ in self(study))


# By the first digit of a code, the level and the topic of its rules.
_KINDS = {
    "0": (Level.ERROR, "provenance"),
    "1": (Level.ERROR, "physics"),
    "2": (Level.WARNING, "plausibility"),
    "3": (Level.WARNING, "simulation"),
    "4": (Level.WARNING, "mesh"),
    "8": (Level.WARNING, "suppression"),
    "9": (Level.ERROR, "reading"),
}


def declared(
    code: str,
    name: str,
    find: Callable[[Study], Iterator[Problem]] | None = None,
    *,
    level: Level | None = None,
    topic: str = "",
    **others: Any,
) -> Rule:
    usual, own = _KINDS[code[3]]
    return Rule(code, name, level or usual, (topic or own,), find=find, **others)


def rule(code: str, **others: Any) -> Callable[[Callable[[Study], Iterator[Problem]]], Rule]:
    """Declares a function, whose name is that of the rule, as the rule of a code."""
    return lambda find: declared(code, find.__name__.replace("_", "-"), find, **others)
