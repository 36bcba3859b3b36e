"""The walk over directories that looks for models, meshes and packages, and what it leaves out."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.regular_file import reason_of

if TYPE_CHECKING:
    from sdfinertia.files.ignore_rules import IgnoreRules

# Where colcon, ROS's build tool, and others put copies of what is in the tree.
_COPIES = ("build", "install")
# Bytes of a `.gitignore` that are read.
_MOST_RULES = 1 << 20
_GITIGNORE = ".gitignore"

# The directories of `.gitignore` files, outer ones first, with what these say.
_Rules = list[tuple[str, "IgnoreRules"]]


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


def steps_between(directory: str, other: str) -> int:
    """How many directories one goes up and down from one to another."""
    way, other_way = directory.split(os.sep), other.split(os.sep)
    shared = 0
    for one, another in zip(way, other_way, strict=False):
        if one != another:
            break
        shared += 1
    return len(way) + len(other_way) - 2 * shared


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


def sorted_entries(directory: str) -> list[os.DirEntry[str]]:
    """What a directory holds, by name.

    Raises:
        OSError: it cannot be listed.
    """
    with os.scandir(directory) as entries:
        return sorted(entries, key=lambda entry: entry.name)


class Folder:
    """A directory that a walk came to; `names` are those of all that it holds."""

    __slots__ = ("_entries", "_exclude", "_rules", "names", "path")

    def __init__(self, path: str, entries: Sequence[os.DirEntry[str]], rules: _Rules, exclude: Sequence[str]) -> None:
        self.path = path
        self.names = {entry.name for entry in entries}
        self._entries = entries
        self._rules = [*rules, *_rules_in(path)] if _GITIGNORE in self.names else rules
        self._exclude = exclude

    def files(self, suffixes: tuple[str, ...], *, follow_links: bool = True) -> Iterator[os.DirEntry[str]]:
        """The files with one of some suffixes that are not left out, by name."""
        for entry in self._entries:
            if entry.name.lower().endswith(suffixes) and not self._leaves_out(entry) and _is_file(entry, follow_links):
                yield entry

    def _leaves_out(self, entry: os.DirEntry[str]) -> bool:
        if entry.name.startswith("."):
            return True
        if self._exclude and is_excluded(os.path.relpath(entry.path), self._exclude):
            return True
        return bool(self._rules) and self._is_ignored(entry)

    def _is_ignored(self, entry: os.DirEntry[str]) -> bool:
        """Whether the nearest rule that speaks of an entry says that git ignores it."""
        path = os.path.abspath(entry.path)
        for root, rules in reversed(self._rules):
            # Rules come from above a path only.
            relative = path[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
            verdict = rules.verdict(relative, is_directory=entry.is_dir(follow_symlinks=False))
            if verdict is not None:
                return verdict
        return False

    def below(self) -> Iterator[tuple[str, _Rules]]:
        for entry in self._entries:
            if entry.name not in _COPIES and entry.is_dir(follow_symlinks=False) and not self._leaves_out(entry):
                yield entry.path, self._rules


class Walk:
    """The directories at and below one: without hidden ones, copies of build tools, and what git ignores.

    Symbolic links are not followed. Each directory comes before those in it, these by name.

    Args:
        exclude: globs of paths that are left out.
        refuse: is told of directories that cannot be listed.
        maximum: of directories; with one the nearest come first, so that it cuts off the deepest.

    Attributes:
        is_complete: whether the walk has not come upon more than the maximum.
    """

    def __init__(
        self,
        top: str,
        exclude: Sequence[str] = (),
        refuse: Callable[[SdfInertiaError], None] | None = None,
        maximum: int | None = None,
    ) -> None:
        self._top = top
        self._exclude = exclude
        self._refuse = refuse
        self._maximum = maximum
        self.is_complete = True

    def __iter__(self) -> Iterator[Folder]:
        pending: deque[tuple[str, _Rules]] = deque([(self._top, _rules_above(self._top))])
        known = 1
        while pending:
            path, rules = pending.popleft()
            try:
                entries = sorted_entries(path)
            except OSError as error:
                if self._refuse is not None:
                    self._refuse(ResourceError(f"cannot be read: {reason_of(error)}", file=path))
                continue
            folder = Folder(path, entries, rules, self._exclude)
            yield folder
            if self._maximum is None:
                pending.extendleft(reversed(list(folder.below())))
                continue
            for each in folder.below():
                if known == self._maximum:
                    self.is_complete = False
                    break
                known += 1
                pending.append(each)


def _is_file(entry: os.DirEntry[str], follow_links: bool) -> bool:
    try:
        return entry.is_file(follow_symlinks=follow_links)
    except OSError:
        # A symbolic link that leads to itself.
        return False


def _rules_above(directory: str) -> _Rules:
    """The rules of the `.gitignore` files between the root of the repository and a directory, itself left out."""
    ancestors = ancestors_in_repository(os.path.abspath(directory))
    if not os.path.exists(os.path.join(ancestors[-1], ".git")):
        return []
    return [rule for ancestor in reversed(ancestors[1:]) for rule in _rules_in(ancestor)]


def _rules_in(directory: str) -> _Rules:
    """The rules of the `.gitignore` file in a directory, as a list of one, or of none."""
    path = os.path.join(directory, _GITIGNORE)
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
