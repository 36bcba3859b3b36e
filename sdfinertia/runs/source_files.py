"""The SDF and URDF files that paths on the command line stand for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.confinement import is_inside
from sdfinertia.files.regular_file import reason_of
from sdfinertia.sdf.file_names import SUFFIXES

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Where colcon, ROS's build tool, and others put copies of what is in the tree.
_PASSED_OVER = ("build", "install")
# What pathspec raises for a line without meaning; the latter for ranges that run backwards, as in [b-a].
_NO_PATTERN = (ValueError, re.error)


def _raise(error: SdfInertiaError) -> None:
    raise error


def source_files(
    path: str, refuse: Callable[[SdfInertiaError], None] = _raise, confine: str | None = None
) -> list[str]:
    """The SDF and URDF files that a path stands for: itself, or all below a directory, in the order of their names.

    Args:
        refuse: is told of directories that cannot be read; by default they are an error.
        confine: a directory outside which nothing is opened or listed.

    Raises:
        ResourceError: the path does not exist, or is a directory without any.
    """
    if not os.path.isdir(path):
        if not os.path.lexists(path):
            raise ResourceError("there is no such file or directory", file=path)
        return [path]
    if confine is not None and not is_inside(path, confine):
        raise ResourceError(f"is outside {os.path.abspath(confine)}, and not opened", file=path)
    found = list(_walk(path, _ignore_rules_above(path), refuse, confine))
    if not found:
        raise ResourceError("there is no SDF or URDF file in this directory", file=path)
    return found


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


_Rules = list[tuple[str, "GitIgnoreSpec"]]


def _walk(
    directory: str, rules: _Rules, refuse: Callable[[SdfInertiaError], None], confine: str | None
) -> Iterator[str]:
    rules = [*rules, *_ignore_rules_in(directory)]
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError as error:
        refuse(ResourceError(f"cannot be read: {reason_of(error)}", file=directory))
        return
    entries = [entry for entry in entries if not entry.name.startswith(".") and not _is_ignored(entry, rules)]
    newest, superseded = _named_by_model_config(directory, confine)
    for entry in entries:
        is_source = entry.name == newest or (entry.name.lower().endswith(SUFFIXES) and entry.name not in superseded)
        if is_source and _is_file(entry):
            yield entry.path
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and entry.name not in _PASSED_OVER:
            yield from _walk(entry.path, rules, refuse, confine)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        # A symbolic link that leads to itself.
        return False


def _named_by_model_config(directory: str, confine: str | None) -> tuple[str | None, set[str]]:
    """The file that a directory's `model.config` names, and those it names for older versions."""
    config = os.path.join(directory, "model.config")
    if not os.path.isfile(config):
        return None, set()
    # Loaded where there is a model.config.
    from sdfinertia.files.regular_file import read_regular_file
    from sdfinertia.sdf.document import Document
    from sdfinertia.sdf.resources import model_file_of

    try:
        newest = os.path.relpath(model_file_of(directory, confine), directory)
        roots = Document(read_regular_file(config), config).roots
    except SdfInertiaError:
        return None, set()
    return newest, {entry.text() for root in roots for entry in root.children_named("sdf")} - {newest}


def _ignore_rules_above(directory: str) -> _Rules:
    """The rules of the `.gitignore` files between the root of the repository and a directory, itself left out."""
    from sdfinertia.sdf.resources import ancestors_in_repository

    ancestors = ancestors_in_repository(os.path.abspath(directory))
    if not os.path.exists(os.path.join(ancestors[-1], ".git")):
        return []
    return [rule for ancestor in reversed(ancestors[1:]) for rule in _ignore_rules_in(ancestor)]


def _ignore_rules_in(directory: str) -> _Rules:
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


def _is_ignored(entry: os.DirEntry[str], rules: _Rules) -> bool:
    """Whether the nearest rule that speaks of an entry says that git ignores it."""
    path = os.path.abspath(entry.path)
    for root, spec in reversed(rules):
        relative = os.path.relpath(path, root).replace(os.sep, "/")
        verdict = spec.check_file(relative + "/" if entry.is_dir(follow_symlinks=False) else relative).include
        if verdict is not None:
            return verdict
    return False
