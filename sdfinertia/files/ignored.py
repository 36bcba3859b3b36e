"""What a walk over directories leaves out: what git ignores, what is excluded by name, and copies that tools make."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sdfinertia.files.repository import ancestors_in_repository, repository_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Where colcon, ROS's build tool, and others put copies of what is in the tree.
PASSED_OVER = ("build", "install")
# What pathspec raises for a line without meaning; the latter for ranges that run backwards, as in [b-a].
_NO_PATTERN = (ValueError, re.error)

# The directories of `.gitignore` files, outer ones first, with what these say.
IgnoreRules = list[tuple[str, "GitIgnoreSpec"]]


def is_excluded(path: str, patterns: Sequence[str]) -> bool:
    """Whether a glob matches a path, one of its parts, or a directory that it is in."""
    if not patterns:
        return False
    parts = _parts(os.path.normpath(path))
    candidates = {*_prefixes(parts), *_prefixes(_parts(os.path.abspath(path))), *parts}
    return any(fnmatchcase(candidate, pattern.rstrip("/")) for pattern in patterns for candidate in candidates)


def _parts(path: str) -> list[str]:
    return path.replace(os.sep, "/").split("/")


def _prefixes(parts: list[str]) -> list[str]:
    return ["/".join(parts[: index + 1]) for index in range(len(parts))]


def ignore_rules_above(directory: str) -> IgnoreRules:
    """The rules of the `.gitignore` files between the root of the repository and a directory, itself left out."""
    if repository_of(os.path.abspath(directory)) is None:
        return []
    ancestors = ancestors_in_repository(os.path.abspath(directory))
    return [rule for ancestor in reversed(ancestors[1:]) for rule in ignore_rules_in(ancestor)]


def ignore_rules_in(directory: str) -> IgnoreRules:
    """The rules of the `.gitignore` file in a directory, as a list of one, or of none."""
    path = os.path.join(directory, ".gitignore")
    # A pipe of that name would be waited for; and git follows no link here either.
    if os.path.islink(path) or not os.path.isfile(path):
        return []
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    try:
        spec = _specification(lines)
    except _NO_PATTERN:
        spec = _specification([line for line in lines if _is_pattern(line)])
    return [(os.path.abspath(directory), spec)]


def _specification(lines: list[str]) -> GitIgnoreSpec:
    # Loaded where there are rules only.
    from warnings import catch_warnings, simplefilter

    from pathspec import GitIgnoreSpec

    with catch_warnings():
        # What Python may come to think of ranges such as `[[a]` is nothing that the user could change.
        simplefilter("ignore", FutureWarning)
        return GitIgnoreSpec.from_lines(lines)


def _is_pattern(line: str) -> bool:
    """Whether a line is one that git would not pass over as meaningless."""
    try:
        _specification([line])
    except _NO_PATTERN:
        return False
    return True


def is_ignored(entry: os.DirEntry[str], rules: IgnoreRules) -> bool:
    """Whether the nearest rule that speaks of an entry says that git ignores it."""
    path = os.path.abspath(entry.path)
    for root, spec in reversed(rules):
        # Rules come from above a path only.
        relative = path[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        verdict = spec.check_file(relative + "/" if entry.is_dir(follow_symlinks=False) else relative).include
        if verdict is not None:
            return verdict
    return False
