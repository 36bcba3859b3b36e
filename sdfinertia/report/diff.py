"""The unified diff between a file as it is and as it would be."""

from __future__ import annotations

import difflib
import os

_NO_NEWLINE = b"\n\\ No newline at end of file\n"


def unified_diff(path: str, original: bytes, content: bytes) -> bytes:
    """A unified diff in the file's own bytes, as `patch` and `git apply` take it."""
    name = os.fsencode(path.replace(os.sep, "/"))
    before, after = _lines(original), _lines(content)
    # Most of a file is the same; leaving its ends out keeps the comparison linear.
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    head, tail = max(0, head - 3), max(0, tail - 3)
    lines = difflib.diff_bytes(
        difflib.unified_diff, before[head : len(before) - tail], after[head : len(after) - tail], name, name
    )
    return b"".join(
        _shifted(line, head) if line.startswith(b"@@") else line if line.endswith(b"\n") else line + _NO_NEWLINE
        for line in lines
    )


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _shifted(header: bytes, offset: int) -> bytes:
    """A hunk header with its line numbers moved by the lines left out before it."""
    _, old, new, _ = header.split(b" ", 3)
    return b"@@ " + b" ".join(_shifted_range(part, offset) for part in (old, new)) + b" @@\n"


def _shifted_range(part: bytes, offset: int) -> bytes:
    start, comma, count = part[1:].partition(b",")
    return part[:1] + str(int(start) + offset).encode() + comma + count
