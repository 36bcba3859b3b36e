"""Unified diffs in a file's own bytes, as `patch` and `git apply` read them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from sdfinertia.documents.filling import ChangedFile

_CONTEXT = 3
# Lines in which the end of a difference is searched; a block has some ten.
_WINDOW = 64
_NO_NEWLINE = b"\n\\ No newline at end of file\n"


class _Change(NamedTuple):
    start: int
    old: list[bytes]
    new: list[bytes]


def result_diff(result: ChangedFile, shown: Callable[[str], str] = str) -> bytes:
    return b"".join(unified_diff(shown(each.path), each.original, each.content) for each in result.files)


def unified_diff(path: str, old: bytes, new: bytes) -> bytes:
    name = _quoted(os.fsencode(os.path.normpath(path).replace(os.sep, "/")))
    if b" " in name and not name.startswith(b'"'):
        # By convention a tab ends a name that has blanks in it.
        name += b"\t"
    lines = _lines(old)
    hunks = b"".join(_hunks(lines, list(_changes(lines, _lines(new)))))
    return b"--- " + name + b"\n+++ " + name + b"\n" + hunks if hunks else b""


def _quoted(name: bytes) -> bytes:
    """A name as git writes it: beyond ASCII only invisible characters are quoted, and those that direct text."""
    text = name.decode("utf-8", "surrogateescape")
    if text.isprintable() and not any(mark in text for mark in '"\\'):
        return name
    plain = (bytes((byte,)) if 0x20 <= byte < 0x7F and byte not in b'"\\' else b"\\%03o" % byte for byte in name)
    return b'"' + b"".join(plain) + b'"'


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _changes(before: list[bytes], after: list[bytes]) -> Iterator[_Change]:
    i = j = 0
    change: _Change | None = None
    while i < len(before) or j < len(after):
        if before[i : i + 1] == after[j : j + 1]:
            if change is not None:
                yield change
                change = None
            i, j = i + 1, j + 1
            continue
        a, b = before[i : i + _WINDOW], after[j : j + _WINDOW]
        removed, added, _ = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()[0]
        start, old, new = change or _Change(i, [], [])
        change = _Change(start, old + a[:removed], new + b[:added])
        i, j = i + removed, j + added
    if change is not None:
        yield change


def _hunks(lines: list[bytes], changes: Sequence[_Change]) -> Iterator[bytes]:
    shift = 0
    group: list[_Change] = []
    for change in [*changes, None]:
        if group and (change is None or change.start - (group[-1].start + len(group[-1].old)) > 2 * _CONTEXT):
            yield _hunk(lines, group, shift)
            shift += sum(len(each.new) - len(each.old) for each in group)
            group = []
        if change is not None:
            group.append(change)


def _hunk(lines: list[bytes], group: list[_Change], shift: int) -> bytes:
    begin = position = max(0, group[0].start - _CONTEXT)
    end = min(len(lines), group[-1].start + len(group[-1].old) + _CONTEXT)
    body: list[bytes] = []
    for start, old, new in group:
        body += (_marked(b" ", line) for line in lines[position:start])
        body += (_marked(b"-", line) for line in old)
        body += (_marked(b"+", line) for line in new)
        position = start + len(old)
    body += (_marked(b" ", line) for line in lines[position:end])
    count, added = end - begin, sum(len(each.new) - len(each.old) for each in group)
    head = (begin + (count > 0), count, begin + shift + (count + added > 0), count + added)
    return b"@@ -%d,%d +%d,%d @@\n" % head + b"".join(body)


def _marked(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + _NO_NEWLINE
