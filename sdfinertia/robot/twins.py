"""The names of twins: links that are mirror images of each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

# Words for sides, and the mirror between them: across the plane between left and right, or front and back.
_ACROSS, _ALONG = "left for right", "front for back"
_WORDS = {
    "left": (("right", _ACROSS),),
    "right": (("left", _ACROSS),),
    "front": (("rear", _ALONG), ("back", _ALONG), ("hind", _ALONG)),
    "rear": (("front", _ALONG),),
    "back": (("front", _ALONG),),
    "hind": (("front", _ALONG),),
}
_LETTERS = {
    "l": (("r", _ACROSS),),
    "r": (("l", _ACROSS), ("f", _ALONG)),
    "f": (("r", _ALONG), ("b", _ALONG), ("h", _ALONG)),
    "b": (("f", _ALONG),),
    "h": (("f", _ALONG),),
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


def twin_names(name: str) -> list[NamedTwin]:
    """The possible names of a link's twins: left for right, front for back, or both; itself and numbers never."""
    exchanges = list(_exchanges(name))
    found: dict[str, NamedTwin] = {}
    for kinds in ((_ACROSS,), (_ACROSS, _ALONG), (_ALONG,)):
        for written in _exchanged(name, [each for each in exchanges if each.kind in kinds], kinds):
            if written != name:
                found.setdefault(written, NamedTwin(written, _ACROSS in kinds, _ALONG in kinds))
    return list(found.values())


class _Exchange(NamedTuple):
    start: int
    stop: int
    text: str
    kind: str

    def overlaps(self, other: _Exchange) -> bool:
        return self.start < other.stop and other.start < self.stop


def _exchanges(name: str) -> Iterator[_Exchange]:
    for match in _WORDS_INSIDE.finditer(name):
        for word, kind in _WORDS[match[0].lower()]:
            yield _Exchange(match.start(), match.end(), _cased(word, match[0]), kind)
    for match in _PIECES.finditer(name):
        piece, start = match[0], match.start()
        lower = piece.lower()
        if len(piece) == 2 and _is_corner(lower):
            for place, letter in enumerate(lower):
                yield from _letter_exchanges(piece, start, place, letter, lower[1 - place])
        elif len(piece) == 1 and lower in "lr":
            yield _Exchange(start, start + 1, _cased(_LETTERS[lower][0][0], piece), _ACROSS)
        elif piece.isupper() and lower[0] in "lr":
            # A side before the capital of a word: LShoulder, RW_Flap.
            yield _Exchange(start, start + 1, _LETTERS[lower[0]][0][0].upper(), _ACROSS)


def _is_corner(pair: str) -> bool:
    return (pair[0] in _SIDES and pair[1] in _ENDS) or (pair[0] in _ENDS and pair[1] in _SIDES)


def _letter_exchanges(piece: str, start: int, place: int, letter: str, beside: str) -> Iterator[_Exchange]:
    for other, kind in _LETTERS.get(letter, ()):
        # A letter is a side if the one beside it can be an end, and an end if that can be a side.
        if beside in (_ENDS if kind == _ACROSS else _SIDES):
            yield _Exchange(start + place, start + place + 1, _cased(other, piece[place]), kind)


def _exchanged(name: str, exchanges: Sequence[_Exchange], kinds: Sequence[str]) -> Iterator[str]:
    if len(kinds) == 2:
        across, along = ([each for each in exchanges if each.kind == kind] for kind in kinds)
        yield from (_with(name, pair) for pair in product(across, along) if not pair[0].overlaps(pair[1]))
        return
    everywhere: list[_Exchange] = []
    for each in exchanges:
        if not any(map(each.overlaps, everywhere)):
            everywhere.append(each)
    yield from (_with(name, those) for those in (everywhere, *([each] for each in exchanges)) if those)


def _with(name: str, exchanges: Iterable[_Exchange]) -> str:
    for each in sorted(exchanges, reverse=True):
        name = name[: each.start] + each.text + name[each.stop :]
    return name


def _cased(word: str, like: str) -> str:
    return word.upper() if like.isupper() and len(like) > 1 else word.capitalize() if like[0].isupper() else word
