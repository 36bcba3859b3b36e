"""What a walk over directories leaves out: what git ignores, what is excluded by name, and copies that tools make."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sdfinertia.files.repository import ancestors_in_repository, repository_of

if TYPE_CHECKING:
    from sdfinertia.files.ignore_rules import IgnoreRules

# Where colcon, ROS's build tool, and others put copies of what is in the tree.
PASSED_OVER = ("build", "install")
# Bytes of a `.gitignore` that are read.
_MOST_RULES = 1 << 20

# The directories of `.gitignore` files, outer ones first, with what these say.
Ignored = list[tuple[str, "IgnoreRules"]]


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


def ignore_rules_above(directory: str) -> Ignored:
    """The rules of the `.gitignore` files between the root of the repository and a directory, itself left out."""
    if repository_of(os.path.abspath(directory)) is None:
        return []
    ancestors = ancestors_in_repository(os.path.abspath(directory))
    return [rule for ancestor in reversed(ancestors[1:]) for rule in ignore_rules_in(ancestor)]


def ignore_rules_in(directory: str) -> Ignored:
    """The rules of the `.gitignore` file in a directory, as a list of one, or of none."""
    path = os.path.join(directory, ".gitignore")
    # A pipe of that name would be waited for; and git follows no link here either.
    if os.path.islink(path) or not os.path.isfile(path):
        return []
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_RULES)
    except OSError:
        return []
    # Loaded where there are rules only.
    from sdfinertia.files.ignore_rules import IgnoreRules

    return [(os.path.abspath(directory), IgnoreRules(content))]


def is_ignored(entry: os.DirEntry[str], rules: Ignored) -> bool:
    """Whether the nearest rule that speaks of an entry says that git ignores it."""
    path = os.path.abspath(entry.path)
    for root, spec in reversed(rules):
        # Rules come from above a path only.
        relative = path[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        verdict = spec.verdict(relative, is_directory=entry.is_dir(follow_symlinks=False))
        if verdict is not None:
            return verdict
    return False
