"""The names of twins: links that are mirror images of each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

# The words and letters for sides and ends, with what they become across the plane between left and right, or along.
_ACROSS, _ALONG = "left for right", "front for back"
_OTHERS = {
    "left": (("right", _ACROSS),),
    "right": (("left", _ACROSS),),
    "front": (("rear", _ALONG), ("back", _ALONG), ("hind", _ALONG)),
    **dict.fromkeys(("rear", "back", "hind"), (("front", _ALONG),)),
    "l": (("r", _ACROSS),),
    "r": (("l", _ACROSS), ("f", _ALONG)),
    "f": (("r", _ALONG), ("b", _ALONG), ("h", _ALONG)),
    **dict.fromkeys(("b", "h"), (("f", _ALONG),)),
}
# Of two letters one is a side and the other an end: fl, rl, LF, LH, mr; r is right or rear.
_SIDES, _ENDS = "lr", "frhbm"
# The pieces of a name: words of small letters, with a capital before them or none, and runs of capitals.
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+")
_WORDS_INSIDE = re.compile("left|right|front|rear|back|hind", re.IGNORECASE)


class NamedTwin(NamedTuple):
    name: str
    is_across: bool
    is_along: bool


class _Exchange(NamedTuple):
    start: int
    stop: int
    text: str
    kind: str


def twin_names(name: str) -> list[NamedTwin]:
    """The possible names of a link's twins: left for right, front for back, or both; itself and numbers never."""
    exchanges = list(_exchanges(name))
    if not exchanges:
        return []
    across, along = ([each for each in exchanges if each.kind == kind] for kind in (_ACROSS, _ALONG))
    found: dict[str, NamedTwin] = {}
    for those, is_across, is_along in (
        (_alone(across), True, False),
        (product(across, along), True, True),
        (_alone(along), False, True),
    ):
        for written in (_with(name, each) for each in those):
            if written not in (name, ""):
                found.setdefault(written, NamedTwin(written, is_across, is_along))
    return list(found.values())


def _exchanges(name: str) -> Iterator[_Exchange]:
    for match in _WORDS_INSIDE.finditer(name):
        for word, kind in _OTHERS[match[0].lower()]:
            yield _Exchange(match.start(), match.end(), _cased(word, match[0]), kind)
    for match in _PIECES.finditer(name):
        for place, letter, kind in _letters(match[0]):
            start = match.start() + place
            yield _Exchange(start, start + 1, _cased(letter, name[start]), kind)


def _letters(piece: str) -> list[tuple[int, str, str]]:
    lower = piece.lower()
    if len(piece) == 2:
        # A letter is a side if the one beside it can be an end, and an end if that can be a side.
        others = [(place, *each) for place in (0, 1) for each in _OTHERS.get(lower[place], ())]
        corner = [each for each in others if lower[1 - each[0]] in (_ENDS if each[2] == _ACROSS else _SIDES)]
        if corner:
            return corner
    # Also a side before the capital of a word: LShoulder, RW_Flap.
    return [(0, *_OTHERS[lower[0]][0])] if lower[0] in "lr" and (len(piece) == 1 or piece.isupper()) else []


def _alone(exchanges: Sequence[_Exchange]) -> Iterator[Sequence[_Exchange]]:
    """All that do not overlap, and each."""
    if len(exchanges) > 1:
        everywhere: list[_Exchange] = []
        for each in exchanges:
            if all(each.start >= other.stop or each.stop <= other.start for other in everywhere):
                everywhere.append(each)
        yield everywhere
    yield from ([each] for each in exchanges)


def _with(name: str, exchanges: Iterable[_Exchange]) -> str:
    """The name with its exchanges made; "" where they overlap."""
    end = len(name)
    for each in sorted(exchanges, reverse=True):
        if each.stop > end:
            return ""
        name = name[: each.start] + each.text + name[each.stop :]
        end = each.start
    return name


def _cased(word: str, like: str) -> str:
    return word.upper() if like.isupper() and len(like) > 1 else word.capitalize() if like[0].isupper() else word
