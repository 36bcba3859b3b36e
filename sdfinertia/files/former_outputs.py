"""What a file that is to be written to may hold already: nothing, or what was written to it before."""

from __future__ import annotations

import os
import re

# How what this program writes begins, by the suffix of reports.
_REPORTS = {
    ".md": rb"\A(?:### sdfinertia (?:fill|check): |<!-- sdfinertia repair -->)",
    ".json": rb'\A\{\s*"format": [0-9]+,\s*"tool": "sdfinertia ',
    ".sarif": rb'"driver": \{\s*"name": "sdfinertia"',
    ".xml": rb'<testsuites name="sdfinertia ',
    ".html": rb'<meta name="generator" content="sdfinertia ',
}
_BASELINE = rb'\A\s*\{\s*"format":\s*[0-9]+,\s*"findings":'
_BEFORE_THE_ROOT = ((b"<?", b"?>"), (b"<!--", b"-->"))
_ROOT = rb"<(?:sdf|robot)(?=[\s/>])"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_document(head: bytes) -> bool:
    """Whether a file that begins so is SDF or URDF: its first element is the root of one of them."""
    # In UTF-16 every other byte of the names is zero.
    head = head.replace(b"\0", b"").removeprefix(_BYTE_ORDER_MARK).lstrip(b"\xff\xfe")
    at = 0
    while True:
        while head[at : at + 1].isspace():
            at += 1
        closing = next((closing for opening, closing in _BEFORE_THE_ROOT if head.startswith(opening, at)), None)
        if closing is None:
            return re.compile(_ROOT).match(head, at) is not None
        end = head.find(closing, at)
        if end < 0:
            return False
        at = end + len(closing)


def is_baseline(head: bytes) -> bool:
    """Whether a file that begins so is a baseline, as `check --write-baseline` writes it."""
    return re.match(_BASELINE, head) is not None


def is_report(path: str, head: bytes) -> bool:
    """Whether a file that begins so is a former report, of the format that its name asks for."""
    pattern = _REPORTS.get(os.path.splitext(path)[1].lower())
    return pattern is not None and re.search(pattern, head) is not None
