"""What a run left behind, and the differences between what two runs did."""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from same.masks import Mask, masked

ABSENT = "absent"
# Longer lines (of reports in HTML) are cut in what is printed, never in what is compared.
_WIDTH = 200


class Entry(NamedTuple):
    """A file or directory: its kind and mode as `ls` writes them, and its bytes (a link's: where it leads)."""

    mode: str
    content: bytes


class Outcome(NamedTuple):
    """What the processes of a run gave."""

    streams: Mapping[str, bytes]
    tree: Mapping[str, Entry]


class Difference(NamedTuple):
    """Something that the two sides do not have in common."""

    what: str
    modes: tuple[str, str]
    lines: tuple[str, ...]


def tree_of(directory: Path) -> dict[str, Entry]:
    """Every entry below a directory, by its path from there; links are not followed."""
    entries = {}
    for place, directories, files in os.walk(directory):
        for name in (*directories, *files):
            path = Path(place, name)
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                content = os.readlink(path).encode()
            else:
                content = path.read_bytes() if stat.S_ISREG(mode) else b""
            entries[path.relative_to(directory).as_posix()] = Entry(stat.filemode(mode), content)
    return entries


def differences(base: Outcome, head: Outcome, masks: Sequence[Mask], lines: int) -> Iterator[Difference]:
    """What differs, streams first, then files by path."""
    stream = "stream"
    for name in sorted({*base.streams, *head.streams}):
        sides = (_entry(base.streams, name, stream), _entry(head.streams, name, stream))
        yield from _difference(name, *sides, masks, lines)
    for path in sorted({*base.tree, *head.tree}):
        yield from _difference(path, base.tree.get(path), head.tree.get(path), masks, lines)


def _entry(streams: Mapping[str, bytes], name: str, mode: str) -> Entry | None:
    return Entry(mode, streams[name]) if name in streams else None


def _difference(
    what: str, base: Entry | None, head: Entry | None, masks: Sequence[Mask], lines: int
) -> Iterator[Difference]:
    if base == head:
        return
    old, new = (b"" if entry is None else masked(entry.content, masks) for entry in (base, head))
    modes = (ABSENT if base is None else base.mode, ABSENT if head is None else head.mode)
    if old != new or modes[0] != modes[1]:
        yield Difference(what, modes, tuple(islice(_unified(old, new), lines)))


def _unified(old: bytes, new: bytes) -> Iterator[str]:
    # Only at "\n": other line ends are content. Every byte is a letter, so that one of another encoding is seen too.
    before, after = (content.decode("utf-8", "backslashreplace").split("\n") for content in (old, new))
    for line in islice(difflib.unified_diff(before, after, "base", "head", n=1, lineterm=""), 2, None):
        shown = repr(line)[1:-1]
        yield shown if len(shown) <= _WIDTH else f"{shown[:_WIDTH]} ..."
