"""The unified diff between a file as it is and as it would be, made from the edits themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from sdfinertia.markup.document import Edit, splice
from sdfinertia.named_tuple import NamedTuple

_CONTEXT = 3
_NO_NEWLINE = b"\n\\ No newline at end of file\n"


class _Change(NamedTuple):
    """Lines from `start` on, and what stands in their place."""

    start: int
    old: list[bytes]
    new: list[bytes]


def unified_diff(path: str, original: bytes, edits: Sequence[Edit]) -> bytes:
    """A unified diff in the file's own bytes, as `patch` and `git apply` take it; linear in the file's size."""
    name = _quoted(os.fsencode(os.path.normpath(path).replace(os.sep, "/")))
    if b" " in name and not name.startswith(b'"'):
        # By convention a tab ends a name that has blanks in it.
        name += b"\t"
    lines = _lines(original)
    changes = list(_changes(original, lines, edits))
    if not changes:
        return b""
    return b"--- " + name + b"\n+++ " + name + b"\n" + b"".join(_hunks(lines, changes))


def _quoted(name: bytes) -> bytes:
    """A name as git writes it in a diff: in quotes, with octal escapes, if any of its bytes needs one."""
    # Of what is not ASCII only what cannot be seen, or directs text, is quoted: other names stay as they can be read.
    text = name.decode("utf-8", "surrogateescape")
    if text.isprintable() and not any(mark in text for mark in '"\\'):
        return name
    plain = (bytes((byte,)) if 0x20 <= byte < 0x7F and byte not in b'"\\' else b"\\%03o" % byte for byte in name)
    return b'"' + b"".join(plain) + b'"'


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _changes(original: bytes, lines: list[bytes], edits: Sequence[Edit]) -> Iterator[_Change]:
    """The lines that change, in order; edits of one line are one change."""
    ordered = sorted(edits, key=lambda edit: edit.start)
    line, offset, index = 0, 0, 0
    while index < len(ordered):
        while line < len(lines) and offset + len(lines[line]) <= ordered[index].start:
            offset += len(lines[line])
            line += 1
        first, begin = line, offset
        of_these: list[Edit] = []
        # An edit belongs to the lines it touches, and so do those that begin in these.
        while index < len(ordered) and (not of_these or ordered[index].start < offset):
            of_these.append(ordered[index])
            while line < len(lines) and offset < max(ordered[index].stop, ordered[index].start + 1):
                offset += len(lines[line])
                line += 1
            index += 1
        moved = [Edit(edit.start - begin, edit.stop - begin, edit.replacement) for edit in of_these]
        new = _lines(splice(original[begin:offset], moved))
        yield _trimmed(_Change(first, lines[first:line], new))


def _trimmed(change: _Change) -> _Change:
    """The change without lines that are the same at its ends."""
    start, old, new = change
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return _Change(start + head, old[head : len(old) - tail], new[head : len(new) - tail])


def _hunks(lines: list[bytes], changes: list[_Change]) -> Iterator[bytes]:
    """Changes with their context; those whose contexts meet stand in one hunk."""
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
    begin = max(0, group[0].start - _CONTEXT)
    end = min(len(lines), group[-1].start + len(group[-1].old) + _CONTEXT)
    body: list[bytes] = []
    position = begin
    added = 0
    for change in group:
        body += (_shown(b" ", line) for line in lines[position : change.start])
        body += (_shown(b"-", line) for line in change.old)
        body += (_shown(b"+", line) for line in change.new)
        position = change.start + len(change.old)
        added += len(change.new) - len(change.old)
    body += (_shown(b" ", line) for line in lines[position:end])
    count = end - begin
    old = b"%d,%d" % (begin + (count > 0), count)
    new = b"%d,%d" % (begin + shift + (count + added > 0), count + added)
    return b"@@ -" + old + b" +" + new + b" @@\n" + b"".join(body)


def _shown(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + _NO_NEWLINE
