"""The SDF files that paths on the command line stand for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.sdf.files import SUFFIXES

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Where colcon, ROS's build tool, and others put copies of what is in the tree.
_PASSED_OVER = ("build", "install")


def source_files(path: str) -> list[str]:
    """The SDF files that a path stands for: itself, or all below a directory, in the order of their names.

    Raises:
        ResourceError: the path does not exist, or is a directory without SDF files.
    """
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise ResourceError("there is no such file or directory", file=path)
        return [path]
    found = list(_walk(path, _ignore_rules_above(path)))
    if not found:
        raise ResourceError("there is no SDF file in this directory", file=path)
    return found


def is_excluded(path: str, patterns: Sequence[str]) -> bool:
    """Whether a glob matches a path, its last part, or a directory that it is in."""
    if not patterns:
        return False
    parts = os.path.normpath(path).replace(os.sep, "/").split("/")
    prefixes = ["/".join(parts[: index + 1]) for index in range(len(parts))]
    candidates = [*prefixes, *parts, os.path.abspath(path)]
    return any(fnmatchcase(candidate, pattern.rstrip("/")) for pattern in patterns for candidate in candidates)


_Rules = list[tuple[str, "GitIgnoreSpec"]]


def _walk(directory: str, rules: _Rules) -> Iterator[str]:
    rules = [*rules, *_ignore_rules_in(directory)]
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError as error:
        raise ResourceError(f"cannot be read: {error.strerror or error}", file=directory) from None
    entries = [entry for entry in entries if not entry.name.startswith(".") and not _is_ignored(entry, rules)]
    superseded = _superseded_files(directory)
    for entry in entries:
        if entry.is_file() and entry.name.lower().endswith(SUFFIXES) and entry.name not in superseded:
            yield entry.path
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and entry.name not in _PASSED_OVER:
            yield from _walk(entry.path, rules)


def _superseded_files(directory: str) -> set[str]:
    """Files that the directory's `model.config` names for older versions than the one it is used at."""
    config = os.path.join(directory, "model.config")
    if not os.path.isfile(config):
        return set()
    from sdfinertia.sdf.document import Document
    from sdfinertia.sdf.files import read_bytes
    from sdfinertia.sdf.resources import model_file_of

    try:
        newest = os.path.basename(model_file_of(directory))
        roots = Document(read_bytes(config), config).roots
    except SdfInertiaError:
        return set()
    return {entry.text() for root in roots for entry in root.children_named("sdf")} - {newest}


def _ignore_rules_above(directory: str) -> _Rules:
    """The rules of the `.gitignore` files between the root of the repository and a directory, itself left out."""
    from sdfinertia.sdf.resources import ancestors_in_repository

    ancestors = ancestors_in_repository(os.path.abspath(directory))
    if not os.path.exists(os.path.join(ancestors[-1], ".git")):
        return []
    return [rule for ancestor in reversed(ancestors[1:]) for rule in _ignore_rules_in(ancestor)]


def _ignore_rules_in(directory: str) -> _Rules:
    try:
        with open(os.path.join(directory, ".gitignore"), encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    # Loaded where there are rules only.
    from pathspec import GitIgnoreSpec

    return [(os.path.abspath(directory), GitIgnoreSpec.from_lines(lines))]


def _is_ignored(entry: os.DirEntry[str], rules: _Rules) -> bool:
    """Whether the nearest rule that speaks of an entry says that git ignores it."""
    path = os.path.abspath(entry.path)
    for root, spec in reversed(rules):
        relative = os.path.relpath(path, root).replace(os.sep, "/")
        verdict = spec.check_file(relative + "/" if entry.is_dir() else relative).include
        if verdict is not None:
            return verdict
    return False
