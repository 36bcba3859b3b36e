"""Edits after edits as one round, edits that undo others, and edits on another version of a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from sdfinertia.markup.document import Edit
from sdfinertia.named_tuple import NamedTuple


class _Piece(NamedTuple):
    """A part of an edited text: a span of the original, or new bytes."""

    start: int
    stop: int
    new: bytes | None = None

    @property
    def length(self) -> int:
        return len(self.new) if self.new is not None else self.stop - self.start

    def part(self, start: int, stop: int) -> _Piece:
        if self.new is not None:
            return _Piece(self.start, self.stop, self.new[start:stop])
        return _Piece(self.start + start, self.start + stop)


def composed(original: bytes, first: Iterable[Edit], second: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits equal to two rounds of edits; text that ends unchanged is not edited."""
    pieces = _edited(_edited([_Piece(0, len(original))], first), second)
    edits: list[Edit] = []
    position = 0
    inserted: list[bytes] = []
    for piece in (*pieces, _Piece(len(original), len(original))):
        if piece.new is not None:
            inserted.append(piece.new)
            continue
        edits += _edit(original, position, piece.start, b"".join(inserted))
        inserted, position = [], piece.stop
    return tuple(edits)


def inverted(original: bytes, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits of an edited text that restore the original."""
    undoing: list[Edit] = []
    shift = 0
    for start, stop, replacement in sorted(edits, key=lambda edit: edit.start):
        undoing.append(Edit(start + shift, start + shift + len(replacement), original[start:stop]))
        shift += len(replacement) - (stop - start)
    return tuple(undoing)


def _edited(pieces: list[_Piece], edits: Iterable[Edit]) -> list[_Piece]:
    made: list[_Piece] = []
    pending = list(reversed(pieces))
    offset = 0
    for start, stop, replacement in sorted(edits, key=lambda edit: edit.start):
        for goal, is_kept in ((start, True), (stop, False)):
            while pending and offset < goal:
                piece = pending.pop()
                if piece.length > goal - offset:
                    pending.append(piece.part(goal - offset, piece.length))
                    piece = piece.part(0, goal - offset)
                offset += piece.length
                if is_kept:
                    made.append(piece)
        if replacement:
            made.append(_Piece(0, 0, replacement))
    return made + pending[::-1]


def _edit(original: bytes, start: int, stop: int, new: bytes) -> list[Edit]:
    old = original[start:stop]
    if old == new:
        return []
    same = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start, old, new = start + same, old[same:], new[same:]
    while old and new and old[-1:] == new[-1:]:
        stop, old, new = stop - 1, old[:-1], new[:-1]
    return [Edit(start, stop, new)]


def carried_over(original: bytes, other: bytes, edits: Sequence[Edit]) -> tuple[Edit, ...] | None:
    """The edits applied to another version of the text, compared line by line; None where an edited line differs."""
    old, new = original.split(b"\n"), other.split(b"\n")
    starts_old, starts_new = _starts(old), _starts(new)
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    carried: list[Edit] = []
    for start, stop, replacement in edits:
        for a, b, size in blocks:
            if size and starts_old[a] <= start and stop < starts_old[a + size]:
                shift = starts_new[b] - starts_old[a]
                carried.append(Edit(start + shift, stop + shift, replacement))
                break
        else:
            return None
    return tuple(carried)


def _starts(lines: Sequence[bytes]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return starts
