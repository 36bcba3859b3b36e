"""The git repository that a directory is in."""

from __future__ import annotations

import os


def ancestors_in_repository(directory: str) -> list[str]:
    """The directory and its ancestors up to the root of the repository, or of the file system if there is none."""
    ancestors = [directory]
    while not os.path.exists(os.path.join(ancestors[-1], ".git")):
        parent = os.path.dirname(ancestors[-1])
        if parent == ancestors[-1]:
            break
        ancestors.append(parent)
    return ancestors


def repository_of(directory: str) -> str | None:
    """The root of the repository that a directory is in, or None."""
    top = ancestors_in_repository(directory)[-1]
    return top if os.path.exists(os.path.join(top, ".git")) else None
