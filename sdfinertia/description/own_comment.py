"""Comments that begin with `sdfinertia:`, by which a file speaks to this tool and this tool to itself."""

from __future__ import annotations

import re

_FILLED = r"\s*sdfinertia:((?:\s+[a-z][a-z-]*=[^\s=]+)+)\s*"
# What they all begin with.
OWN_MARK = "sdfinertia:"


def own_words(comment: str) -> list[str] | None:
    """The words of a comment that is meant for this tool, after its name; None for any other comment."""
    before, mark, words = comment.partition(OWN_MARK)
    return words.split() if mark and not before.strip() else None


def filled_entries(comment: str) -> dict[str, str] | None:
    """The entries of a comment that says how its block was filled; None for any other comment.

    Args:
        comment: the text inside it.
    """
    match = re.fullmatch(_FILLED, comment) if OWN_MARK in comment else None
    if match is None:
        return None
    entries = dict(entry.split("=") for entry in match[1].split())
    return entries if entries.get("inputs") and entries.get("values") else None
