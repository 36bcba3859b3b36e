"""The walk over directories for models, meshes and packages, without files that git ignores."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import takewhile
from typing import Any

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.regular_file import head_of, reason_of
from sdfinertia.named_tuple import NamedTuple

# Directories where colcon, ROS's build tool, and others put copies of files of the tree.
_COPIES = ("build", "install")
# Bytes of a `.gitignore` that are read.
_MAX_RULES = 1 << 20
_GITIGNORE = ".gitignore"

# The directories of `.gitignore` files, outer ones first, with their rules.
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
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(way, other_way, strict=False))
    return len(way) + len(other_way) - 2 * len(list(shared))


def is_excluded(path: str, patterns: Sequence[str]) -> bool:
    """Whether a glob matches a path, one of its parts, or a directory above it."""
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


def walk(
    top: str,
    exclude: Sequence[str] = (),
    refuse: Callable[[SdfInertiaError], None] | None = None,
    *,
    nearest_first: bool = False,
) -> Iterator[Folder]:
    """The directories at and below one, but for hidden ones, build copies and ignored ones; no link is followed."""
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
    return [rule for ancestor in reversed(ancestors[1:]) for rule in _rules_in(ancestor)]


def _rules_in(directory: str) -> _Rules:
    path = os.path.join(directory, _GITIGNORE)
    # A pipe of that name would block; and git follows no link here either.
    if os.path.islink(path) or not os.path.isfile(path):
        return []
    try:
        content = head_of(path, _MAX_RULES)
    except OSError:
        return []
    return [(os.path.abspath(directory), IgnoreRules(content))]


# The rules of a `.gitignore` ------------------------------------------------------------------------------------------

# As git reads them (gitignore(5) and git's own wildmatch), in bounded time. As in git, names are bytes.
_CLASSES: dict[bytes, bytes] = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"!-~",
    b"lower": rb"a-z",
    b"print": rb" -~",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb" \t\n\v\f\r",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}
_STAR = "*"
# The bytes that one place of a glob allows, bit by bit, or a star.
_Part = int | str
_ANY = (1 << 256) - 1


class _Rule(NamedTuple):
    """A line: globs of the folders of a path, and a star for any number of them."""

    folders: tuple[Sequence[_Part] | str, ...]
    is_negated: bool
    for_directories: bool
    is_anchored: bool


class IgnoreRules:
    def __init__(self, content: bytes) -> None:
        lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        rules = (_rule(line.removesuffix(b"\r")) for line in lines)
        self._rules = [rule for rule in rules if rule is not None]

    def verdict(self, path: str, *, is_directory: bool) -> bool | None:
        """Whether git ignores a relative path with forward slashes; None where no rule matches."""
        names = os.fsencode(path).split(b"/")
        for rule in reversed(self._rules):
            if rule.for_directories and not is_directory:
                continue
            if _matches(rule.folders, names if rule.is_anchored else names[-1:]):
                return not rule.is_negated
        return None


def _rule(line: bytes) -> _Rule | None:
    """The rule of a line; None for comments, and for lines that git ignores as meaningless."""
    # Blanks at the end do not count, but for one after a backslash.
    stripped = line.rstrip(b" ")
    backslashes = len(stripped) - len(stripped.rstrip(b"\\"))
    line = line[: len(stripped) + 1] if backslashes % 2 else stripped
    if line.startswith(b"#"):
        return None
    is_negated = line.startswith(b"!")
    line = line[1:] if is_negated else line
    for_directories = line.endswith(b"/")
    line = line[:-1] if for_directories else line
    is_anchored = b"/" in line
    line = line.removeprefix(b"/")
    if not line:
        return None
    folders: list[Sequence[_Part] | str] = []
    for folder in line.split(b"/") if is_anchored else [line]:
        is_double_star = is_anchored and len(folder) > 1 and not folder.strip(b"*")
        parts = _STAR if is_double_star else _parts(folder)
        if parts is None:
            return None
        folders.append(parts)
    if folders[-1] == _STAR:
        # Two stars at the end match the contents of a directory, not itself.
        folders.append([_STAR])
    return _Rule(tuple(folders), is_negated, for_directories, is_anchored)


def _parts(glob: bytes) -> list[_Part] | None:
    """The patterns of a glob, part by part; None for a glob that matches nothing."""
    parts: list[_Part] = []
    at = 0
    while at < len(glob):
        byte = glob[at : at + 1]
        at += 1
        if byte == b"*":
            if not parts or parts[-1] != _STAR:
                parts.append(_STAR)
            continue
        if byte == b"?":
            allowed = _ANY
        elif byte == b"[":
            found = _bracket(glob, at)
            if found is None:
                return None
            allowed, at = found
        else:
            if byte == b"\\":
                byte = glob[at : at + 1]
                at += 1
            if not byte:
                return None
            allowed = 1 << byte[0]
        parts.append(allowed)
    return parts


def _bracket(glob: bytes, at: int) -> tuple[int, int] | None:
    """The bytes that a bracket allows, and where it ends; None if it is malformed."""
    is_negated = glob[at : at + 1] in (b"!", b"^")
    at += is_negated
    allowed = 0
    start, previous = at, -1
    while at == start or glob[at : at + 1] != b"]":
        named = re.compile(rb"\[:([^\]]*?):\]").match(glob, at)
        if named is not None:
            if named[1] not in _CLASSES:
                return None
            of_class = re.compile(b"[" + _CLASSES[named[1]] + b"]")
            allowed |= sum(1 << byte for byte in range(256) if of_class.match(bytes((byte,))))
            at, previous = named.end(), -1
            continue
        is_range = glob[at : at + 1] == b"-" and previous >= 0 and glob[at + 1 : at + 2] not in (b"]", b"")
        at += is_range
        at += glob[at : at + 1] == b"\\"
        if at >= len(glob):
            return None
        first = previous if is_range else glob[at]
        allowed |= sum(1 << byte for byte in range(first, glob[at] + 1))
        previous = -1 if is_range else first
        at += 1
    return _ANY ^ allowed if is_negated else allowed, at + 1


def _matches(pattern: Sequence[Any], names: Sequence[Any]) -> bool:
    """Whether folders match the names of a path, or the parts of a glob the bytes of a name.

    Backtracks to the last star only, which can match whatever an earlier one could: a pattern of m places takes at
    most m times n steps on n names or bytes.
    """
    place = at = back = 0
    star = -1
    while at < len(names):
        part = pattern[place] if place < len(pattern) else None
        if part == _STAR:
            star, back = place, at
            place += 1
        elif part is not None and _fits(part, names[at]):
            place, at = place + 1, at + 1
        elif star >= 0:
            back += 1
            place, at = star + 1, back
        else:
            return False
    return all(part == _STAR for part in pattern[place:])


def _fits(part: Any, name: Any) -> bool:
    return part >> name & 1 == 1 if isinstance(part, int) else _matches(part, name)
