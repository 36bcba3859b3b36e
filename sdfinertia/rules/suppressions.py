"""Findings that comments suppress; SDI801 judges these comments.

<!-- sdfinertia: ignore SDI301, stale-block because of the test bench -->
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.robot.problems import Problem
from sdfinertia.rules.rule import Level, Rule
from sdfinertia.withdrawn import instead_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sdfinertia.errors import Location

# Splitting takes time in proportion to the comment, however long and odd; one expression for the whole would not.
_BEGINNING = re.compile(r"\s*sdfinertia:\s*ignore(?!\S)")
_BETWEEN = re.compile(r"[\s,]+")
_REASON = "because"
_UNKNOWN_REMEDY = "`sdfinertia rules` lists them, and a reason begins with the word because"

SUPPRESSION = Rule(
    code="SDI801",
    name="unused-suppression",
    level=Level.WARNING,
    what="A suppression names an unknown rule, or suppresses nothing.",
    why="Readers believe that a finding is known and accepted, and a later one would go unnoticed.",
    example="<!-- sdfinertia: ignore SDI103 --> in a link with a valid tensor",
    fix="Remove the code from the comment, or correct it.",
)


class Suppression(NamedTuple):
    words: tuple[str, ...]
    location: Location


def read_suppression(comment: str) -> tuple[str, ...] | None:
    """The words that a comment suppresses, each once; None if it suppresses nothing."""
    beginning = _BEGINNING.match(comment) if "sdfinertia:" in comment else None
    if beginning is None:
        return None
    words = (word for word in _BETWEEN.split(comment[beginning.end() :]) if word)
    return tuple(dict.fromkeys(takewhile(_REASON.__ne__, words)))


def suppressed_codes(suppressions: Iterable[Suppression], code_of: Callable[[str], str | None]) -> frozenset[str]:
    codes = (code_of(word) for suppression in suppressions for word in suppression.words)
    return frozenset(code for code in codes if code is not None)


def idle_suppressions(
    suppressions: Sequence[Suppression],
    code_of: Callable[[str], str | None],
    is_idle: Callable[[str], bool],
) -> Iterator[Problem]:
    for words, location in suppressions:
        if not words:
            yield Problem(
                "suppresses nothing: it names no rule", "name the rule that is meant, or remove the comment", location
            )
        for word in words:
            code = code_of(word)
            if code is None:
                yield Problem(
                    f"suppresses {word!r}, and no rule has that name", instead_of(word) or _UNKNOWN_REMEDY, location
                )
            elif is_idle(code):
                yield Problem(f"suppresses {word}, which finds nothing here", "remove the comment", location)
