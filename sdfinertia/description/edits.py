"""Edits of a text: bytes to put in the place of others."""

from __future__ import annotations

from collections.abc import Iterable

from sdfinertia.named_tuple import NamedTuple


class Edit(NamedTuple):
    """Bytes to put in the place of a span of the file."""

    start: int
    stop: int
    replacement: bytes


def splice(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The data with every edit made; edits of an empty span at one place are inserted in the order given.

    Raises:
        ValueError: two edits overlap (a mistake of the caller).
    """
    pieces: list[bytes] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        if edit.start < position:
            raise ValueError(f"edits overlap at byte {edit.start}")
        pieces += (data[position : edit.start], edit.replacement)
        position = edit.stop
    pieces.append(data[position:])
    return b"".join(pieces)
