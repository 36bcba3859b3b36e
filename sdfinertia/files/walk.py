"""The walk over directories for models, meshes and packages, and an index of a repository by name.

Simulators find `model://NAME` by search paths that are not in the files. In a repository the name alone nearly always
identifies the directory.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.regular_file import is_inside, reason_of

if TYPE_CHECKING:
    from sdfinertia.files.ignore_rules import IgnoreRules

# Where colcon, ROS's build tool, and others put copies of what is in the tree.
_COPIES = ("build", "install")
# Bytes of a `.gitignore` that are read.
_MAX_RULES = 1 << 20
_GITIGNORE = ".gitignore"

MODEL_CONFIG, PACKAGE_XML = "model.config", "package.xml"
# What older packages have, and the files by which rospack and colcon pass over what is below.
_MANIFEST = "manifest.xml"
_CLOSED = frozenset({"rospack_nosubdirs", "CATKIN_IGNORE", "AMENT_IGNORE", "COLCON_IGNORE"})
# The largest repository of models seen has some 5,000; to walk this many takes about a second.
MAX_DIRECTORIES = 50_000
_NAME = rb"<name>([^<]*)</name>"
# The names are at the beginning of these files.
_HEAD = 1 << 16

# The directories of `.gitignore` files, outer ones first, with what these say.
_Rules = list[tuple[str, "IgnoreRules"]]


def ancestors_in_repository(directory: str) -> list[str]:
    """The directory and its ancestors up to the root of the repository, or of the file system."""
    ancestors = [directory]
    while not os.path.exists(os.path.join(ancestors[-1], ".git")):
        parent = os.path.dirname(ancestors[-1])
        if parent == ancestors[-1]:
            break
        ancestors.append(parent)
    return ancestors


def repository_of(directory: str) -> str | None:
    top = ancestors_in_repository(directory)[-1]
    return top if os.path.exists(os.path.join(top, ".git")) else None


def steps_between(directory: str, other: str) -> int:
    way, other_way = directory.split(os.sep), other.split(os.sep)
    shared = 0
    for one, another in zip(way, other_way, strict=False):
        if one != another:
            break
        shared += 1
    return len(way) + len(other_way) - 2 * shared


def is_excluded(path: str, patterns: Sequence[str]) -> bool:
    """Whether a glob matches a path, one of its parts, or a directory above it."""
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
    with os.scandir(directory) as entries:
        return sorted(entries, key=lambda entry: entry.name)


class Folder:
    """A directory of a walk."""

    __slots__ = ("_entries", "_exclude", "_rules", "names", "path")

    def __init__(self, path: str, entries: Sequence[os.DirEntry[str]], rules: _Rules, exclude: Sequence[str]) -> None:
        self.path = path
        self.names = {entry.name for entry in entries}
        self._entries = entries
        self._rules = [*rules, *_rules_in(path)] if _GITIGNORE in self.names else rules
        self._exclude = exclude

    def files(self, suffixes: tuple[str, ...], *, follow_links: bool = True) -> Iterator[os.DirEntry[str]]:
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
    """The directories at and below one, without hidden ones, build copies and what git ignores; links are not followed.

    With a `maximum` the nearest directories come first, and `is_complete` says whether that was all.
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
    ancestors = ancestors_in_repository(os.path.abspath(directory))
    if not os.path.exists(os.path.join(ancestors[-1], ".git")):
        return []
    return [rule for ancestor in reversed(ancestors[1:]) for rule in _rules_in(ancestor)]


def _rules_in(directory: str) -> _Rules:
    path = os.path.join(directory, _GITIGNORE)
    # A pipe of that name would be waited for; and git follows no link here either.
    if os.path.islink(path) or not os.path.isfile(path):
        return []
    try:
        with open(path, "rb") as file:
            content = file.read(_MAX_RULES)
    except OSError:
        return []
    # Loaded where there are rules only.
    from sdfinertia.files.ignore_rules import IgnoreRules

    return [(os.path.abspath(directory), IgnoreRules(content))]


class RepositoryIndex:
    """The directories of a repository by name; `is_complete` unless there are more than `MAX_DIRECTORIES`."""

    def __init__(self, top: str, exclude: Sequence[str], may_read: Callable[[str], bool]) -> None:
        self._may_read = may_read
        self._by_name: dict[str, list[str]] = {}
        self._models: list[str] = []
        self._by_title: dict[str, list[str]] | None = None
        walk = Walk(top, exclude, maximum=MAX_DIRECTORIES)
        for folder in walk:
            own_name = os.path.basename(folder.path)
            self._by_name.setdefault(own_name, []).append(folder.path)
            if PACKAGE_XML in folder.names:
                title = title_in(os.path.join(folder.path, PACKAGE_XML), may_read)
                if title is not None and title != own_name:
                    self._by_name.setdefault(title, []).append(folder.path)
            if MODEL_CONFIG in folder.names:
                self._models.append(folder.path)
        self.is_complete = walk.is_complete

    def directories(self, name: str) -> list[str]:
        """The directories of a name, by their own, by `package.xml`, else by `model.config`."""
        found = self._by_name.get(name)
        return found if found is not None else self._titled().get(name, [])

    def _titled(self) -> dict[str, list[str]]:
        if self._by_title is None:
            self._by_title = {}
            for directory in self._models:
                title = title_in(os.path.join(directory, MODEL_CONFIG), self._may_read)
                if title is not None:
                    self._by_title.setdefault(title, []).append(directory)
        return self._by_title


def title_in(path: str, may_read: Callable[[str], bool]) -> str | None:
    """The first `<name>` in a `package.xml` or `model.config`, or None."""
    # A pipe of that name would be waited for.
    if not may_read(path) or not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            names = (match[1].strip() for match in re.finditer(_NAME, file.read(_HEAD)))
            name = next(filter(None, names), None)
    except OSError:
        return None
    return name.decode("utf-8", "replace") if name else None


def packages_in(directory: str, may_read: Callable[[str], bool]) -> dict[str, list[str]]:
    packages: dict[str, list[str]] = {}
    try:
        folders = [entry.path for entry in sorted_entries(directory) if entry.is_dir()]
    except OSError:
        return {}
    for folder in (directory, *folders):
        name = title_in(os.path.join(folder, PACKAGE_XML), may_read)
        if name is not None:
            packages.setdefault(name, []).append(folder)
    return packages


def packages_below(directory: str, may_read: Callable[[str], bool]) -> dict[str, list[str]]:
    """The packages at any depth, as rospack crawls ROS_PACKAGE_PATH: not below a package, nor below its marker
    files.
    """
    packages: dict[str, list[str]] = {}
    pending, seen = deque([directory]), {os.path.realpath(directory)}
    while pending:
        folder = pending.popleft()
        if not may_read(folder):
            continue
        try:
            entries = sorted_entries(folder)
        except OSError:
            continue
        names = {entry.name for entry in entries}
        if PACKAGE_XML in names or _MANIFEST in names:
            title = title_in(os.path.join(folder, PACKAGE_XML), may_read) or os.path.basename(folder)
            packages.setdefault(title, []).append(folder)
            continue
        if names & _CLOSED:
            continue
        for entry in entries:
            if entry.name.startswith(".") or not entry.is_dir():
                continue
            place = os.path.realpath(entry.path)
            if place not in seen and len(seen) < MAX_DIRECTORIES:
                seen.add(place)
                pending.append(entry.path)
    return packages


def walk_tops(repository: str, confine: str | None) -> list[str]:
    """Where the walk of a repository begins: its root, or the confinement inside it."""
    if confine is None or is_inside(repository, confine):
        return [repository]
    return [confine] if is_inside(confine, repository) else []
