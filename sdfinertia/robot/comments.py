"""Comments that begin with `sdfinertia:`: requests of users, and notes of this tool for later runs."""

from __future__ import annotations

import re

OWN_MARK = "sdfinertia:"
_FILLED = re.compile(r"\s*sdfinertia:((?:\s+[a-z][a-z-]*=[^\s=]+)+)\s*")
_REPAIRED = r"\s*sdfinertia:\s+repaired=([a-z][a-z0-9-]*)\s*"


def own_words(comment: str) -> list[str] | None:
    """The words after our name in a comment for this tool."""
    before, mark, words = comment.partition(OWN_MARK)
    return words.split() if mark and not before.strip() else None


def filled_entries(comment: str) -> dict[str, str] | None:
    match = _FILLED.fullmatch(comment) if OWN_MARK in comment else None
    if match is None:
        return None
    entries = dict(entry.split("=") for entry in match[1].split())
    return entries if entries.get("inputs") and entries.get("values") else None


def repair_comment(cause: str) -> str:
    """The comment on a repaired block, which names the cause."""
    return f"<!-- sdfinertia: repaired={cause} -->"


def repaired_cause(comment: str) -> str | None:
    match = re.fullmatch(_REPAIRED, comment) if OWN_MARK in comment else None
    return match[1] if match is not None else None
