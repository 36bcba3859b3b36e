"""The walk over directories for models, meshes and packages, without files that git ignores."""

from __future__ import annotations

import os
import re
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sdfinertia.errors import ResourceError, SdfInertiaError, first_few
from sdfinertia.files import head_of, is_inside, reason_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Directories where colcon, ROS's build tool, and others put copies of files of the tree.
_COPIES = ("build", "install")
# Bytes of a `.gitignore` that are read.
_MAX_RULES = 1 << 20
_GITIGNORE = ".gitignore"
# Stars in a name, and double stars in a line: a match takes time to their power.
_MAX_STARS = 3

# The directories of `.gitignore` files, outer ones first, with their rules.
_Rules = list[tuple[str, "GitIgnoreSpec"]]


def ancestors_in_repository(directory: str) -> list[str]:
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


# Where a run may write: in the repositories of the paths that it is given, and nowhere else.


def tree_of(path: str) -> str:
    """The repository, else the package of a file, else the directory."""
    place = os.path.realpath(path)
    if os.path.isdir(place):
        return repository_of(place) or place
    directory = os.path.dirname(place)
    packages = (
        each for each in ancestors_in_repository(directory) if os.path.isfile(os.path.join(each, "package.xml"))
    )
    return repository_of(directory) or next(packages, directory)


def trees_of(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(tree_of, paths)))


def why_not_writable(path: str, trees: Iterable[str]) -> str:
    """Empty inside the trees of a run: an include or a link may put a file anywhere."""
    trees = list(trees)
    return "" if any(is_inside(path, tree) for tree in trees) else f"is outside {first_few(trees)}"


def steps_between(directory: str, other: str) -> int:
    return os.path.relpath(other, directory).count(os.sep) + 1 if other != directory else 0


def is_excluded(path: str, patterns: Sequence[str]) -> bool:
    if not patterns:
        return False
    places = (os.path.normpath(path), os.path.abspath(path))
    given, absolute = (place.replace(os.sep, "/").split("/") for place in places)
    above = ("/".join(parts[: index + 1]) for parts in (given, absolute) for index in range(len(parts)))
    candidates = {*above, *given}
    return any(fnmatchcase(candidate, pattern.rstrip("/")) for pattern in patterns for candidate in candidates)


def sorted_entries(directory: str) -> list[os.DirEntry[str]]:
    with os.scandir(directory) as entries:
        return sorted(entries, key=lambda entry: entry.name)


class Folder:
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
            verdict = rules.check_file(relative + "/" if entry.is_dir(follow_symlinks=False) else relative).include
            if verdict is not None:
                return verdict
        return False

    def below(self) -> Iterator[tuple[str, _Rules]]:
        for entry in self._entries:
            if entry.name not in _COPIES and entry.is_dir(follow_symlinks=False) and not self._leaves_out(entry):
                yield entry.path, self._rules


def walk(
    top: str,
    exclude: Sequence[str] = (),
    refuse: Callable[[SdfInertiaError], None] | None = None,
    *,
    nearest_first: bool = False,
) -> Iterator[Folder]:
    """Without hidden directories, build copies and ignored ones; no link is followed."""
    pending: deque[tuple[str, _Rules]] = deque([(top, _rules_above(top))])
    while pending:
        path, rules = pending.popleft()
        try:
            entries = sorted_entries(path)
        except OSError as error:
            if refuse is not None:
                refuse(ResourceError(f"cannot be read: {reason_of(error)}", file=path))
            continue
        folder = Folder(path, entries, rules, exclude)
        yield folder
        if nearest_first:
            pending.extend(folder.below())
        else:
            pending.extendleft(reversed(list(folder.below())))


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
    rules = [rule for ancestor in reversed(ancestors[1:]) for rule in _rules_in(ancestor)]
    return [(root, _without_rules_for(os.path.relpath(ancestors[0], root) + "/", spec)) for root, spec in rules]


def _without_rules_for(named: str, spec: GitIgnoreSpec) -> GitIgnoreSpec:
    """A named directory is walked, whatever ignores it."""
    return type(spec)([pattern for pattern in spec.patterns if not (pattern.include and pattern.match_file(named))])


def _rules_in(directory: str) -> _Rules:
    path = os.path.join(directory, _GITIGNORE)
    # A pipe of that name would block; and git follows no link here either.
    if os.path.islink(path) or not os.path.isfile(path):
        return []
    try:
        lines = head_of(path, _MAX_RULES).decode("utf-8-sig", "surrogateescape").split("\n")
    except OSError:
        return []
    return [(os.path.abspath(directory), _spec_of(filter(_is_rule, lines)))]


def _spec_of(lines: Iterable[str]) -> GitIgnoreSpec:
    # With its engines it takes 18 ms to load.
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


def _is_rule(line: str) -> bool:
    """True unless git finds no meaning in a line, or matching could take long."""
    if line.count("**") > _MAX_STARS or any(name.count("*") > _MAX_STARS for name in line.split("/")):
        return False
    with warnings.catch_warnings():
        # As of a bracket in a bracket, which Python may read otherwise one day.
        warnings.simplefilter("error", FutureWarning)
        try:
            _spec_of([line])
        except (ValueError, re.error, FutureWarning):
            return False
    return True
