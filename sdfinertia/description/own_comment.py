"""Comments that begin with `sdfinertia:`, by which a file speaks to this tool and this tool to itself."""

from __future__ import annotations

import re

_FILLED = r"\s*sdfinertia:((?:\s+[a-z][a-z-]*=[^\s=]+)+)\s*"
_REPAIRED = r"\s*sdfinertia:\s+repaired=([a-z][a-z0-9-]*)\s*"
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


def repair_comment(cause: str) -> str:
    """The comment that says of a block, which stays its author's, what was repaired in it.

    Args:
        cause: name of the mistake that was undone, or of what stands in its place: lower case, with dashes.
    """
    return f"<!-- sdfinertia: repaired={cause} -->"


def repaired_cause(comment: str) -> str | None:
    """What a comment says was repaired; None for any other comment.

    Args:
        comment: the text inside it.
    """
    match = re.fullmatch(_REPAIRED, comment) if OWN_MARK in comment else None
    return match[1] if match is not None else None
