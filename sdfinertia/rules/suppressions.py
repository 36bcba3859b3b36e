"""SDI801, and the comments by which a file says that some findings of a link do not count.

    <!-- sdfinertia: ignore SDI301, stale-block because of the test bench -->

Codes and names of rules stand for each other, with commas or blanks between them; the reason is optional.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile

from sdfinertia.errors import Location
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.rules.rule import Fault, Level, Mender, Rule

# Splitting takes time in proportion to the comment, however long and odd; one expression for the whole would not.
_BEGINNING = re.compile(r"\s*sdfinertia:\s*ignore(?!\S)")
_BETWEEN = re.compile(r"[\s,]+")
_REASON = "because"
_UNKNOWN_REMEDY = "`sdfinertia rules` lists them, and a reason begins with the word because"

SUPPRESSION = Rule(
    code="SDI801",
    name="idle-suppression",
    level=Level.WARNING,
    is_default=True,
    mender=Mender.NONE,
    fails_run=False,
    tags=("suppression",),
    what="A suppression names a rule that there is not, or suppresses nothing.",
    why="Who reads it believes that a finding is known and accepted, and a later one would pass unseen.",
    example="<!-- sdfinertia: ignore SDI103 --> in a link with a sound tensor",
    fix="Take the code out of the comment, or write the one that is meant.",
    find=None,
)

RULES = (SUPPRESSION,)


class Suppression(NamedTuple):
    """One comment that suppresses findings of a link.

    Attributes:
        words: the codes and names in it, as written; none where it names no rule.
        location: where the comment begins.
    """

    words: tuple[str, ...]
    location: Location


def read_suppression(comment: str) -> tuple[str, ...] | None:
    """The words that a comment suppresses, each once; None for a comment that is no suppression.

    Args:
        comment: its text, without its marks.
    """
    beginning = _BEGINNING.match(comment) if "sdfinertia:" in comment else None
    if beginning is None:
        return None
    words = (word for word in _BETWEEN.split(comment[beginning.end() :]) if word)
    return tuple(dict.fromkeys(takewhile(_REASON.__ne__, words)))


def suppressed_codes(suppressions: Iterable[Suppression], code_of: Callable[[str], str | None]) -> frozenset[str]:
    """The codes of the rules that comments name.

    Args:
        code_of: the code that a word stands for, or None for a word that stands for none.
    """
    codes = (code_of(word) for suppression in suppressions for word in suppression.words)
    return frozenset(code for code in codes if code is not None)


def idle_suppressions(
    suppressions: Sequence[Suppression],
    code_of: Callable[[str], str | None],
    is_idle: Callable[[str], bool],
) -> Iterator[Fault]:
    """What is wrong with the suppressions of a link, in their order.

    Args:
        code_of: the code that a word stands for, or None for a word that stands for none.
        is_idle: whether a rule, by its code, was asked about the link and found nothing in it.
    """
    for words, location in suppressions:
        if not words:
            yield Fault("suppresses nothing: it names no rule", "name the rule that is meant, or take it out", location)
        for word in words:
            code = code_of(word)
            if code is None:
                yield Fault(f"suppresses {word!r}, and no rule is called so", _UNKNOWN_REMEDY, location)
            elif is_idle(code):
                yield Fault(f"suppresses {word}, and that finds nothing here", "take it out", location)
