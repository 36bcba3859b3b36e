"""Edits of a text: bytes to put in the place of others."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from sdfinertia.named_tuple import NamedTuple


class Edit(NamedTuple):
    """Bytes to put in the place of a span of the file."""

    start: int
    stop: int
    replacement: bytes


def splice(data: bytes, edits: Iterable[Edit], start: int = 0, stop: int | None = None) -> bytes:
    """The data with every edit made; edits of an empty span at one place are inserted in the order given.

    Args:
        start, stop: the part of the data that is wanted, in which all edits lie; without them the whole.

    Raises:
        ValueError: two edits overlap (a mistake of the caller).
    """
    pieces: list[bytes] = []
    position = start
    for begin, end, replacement in sorted(edits, key=itemgetter(0)):
        if begin < position:
            raise ValueError(f"edits overlap at byte {begin}")
        pieces += (data[position:begin], replacement)
        position = end
    pieces.append(data[position:stop])
    return b"".join(pieces)
