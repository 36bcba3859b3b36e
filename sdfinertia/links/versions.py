"""Other versions of a link: the files of a repository that name one alike, each looked into once."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.confinement import is_inside
from sdfinertia.files.ignored import PASSED_OVER, Ignored, ignore_rules_above, ignore_rules_in, is_excluded, is_ignored
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.files.repository import repository_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_T = TypeVar("_T")
# Versions of a robot lie near each other; more directories and files than these are a collection of many.
_MOST_DIRECTORIES, _MOST_FILES = 5_000, 2_000
# A model of a robot has a hundredth of it; worlds of cities are none.
_LARGEST = 1 << 22
# More versions than these say nothing new.
_MOST_VERSIONS = 8
_LINK_NAMES = rb"<link\s[^>]*?name\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')"


class VersionIndex:
    """The descriptions in a repository, by the names of their links."""

    def __init__(self, suffixes: Sequence[str], exclude: Sequence[str], confine: str | None) -> None:
        self._suffixes = tuple(suffixes)
        self._exclude = exclude
        self._confine = confine
        self._by_name: dict[str, dict[str, list[str]]] = {}
        self._read: dict[str, Any] = {}

    def files_naming(self, name: str, file: str) -> list[str]:
        """The other files in the repository of a file in which a link bears a name, the nearest first; at most eight.

        None where the file is in no repository, or is not there.
        """
        own = os.path.abspath(file)
        top = repository_of(os.path.dirname(own)) if os.path.isfile(own) else None
        if top is None or (self._confine is not None and not is_inside(top, self._confine)):
            return []
        if top not in self._by_name:
            self._by_name[top] = self._names_below(top)
        others = [path for path in self._by_name[top].get(name, ()) if path != own]
        return sorted(others, key=lambda path: (_steps(own, path), path))[:_MOST_VERSIONS]

    def remembered(self, path: str, read: Callable[[str], _T]) -> _T:
        """What was read of a file, when it was first asked for."""
        if path not in self._read:
            self._read[path] = read(path)
        found: _T = self._read[path]
        return found

    def _names_below(self, top: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        pattern = re.compile(_LINK_NAMES)
        for path in self._files_below(top):
            try:
                data = read_regular_file(path, _LARGEST, confine=self._confine)
            except SdfInertiaError:
                continue
            for name in {(match[1] or match[2] or b"").decode("utf-8", "replace") for match in pattern.finditer(data)}:
                found.setdefault(name.strip(), []).append(path)
        return found

    def _files_below(self, top: str) -> list[str]:
        """The files that count, breadth first, so that the limits cut off the deepest."""
        files: list[str] = []
        pending: deque[tuple[str, Ignored]] = deque([(top, ignore_rules_above(top))])
        known = 1
        while pending and len(files) < _MOST_FILES:
            directory, rules = pending.popleft()
            try:
                entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
            except OSError:
                continue
            rules = [*rules, *ignore_rules_in(directory)]
            for entry in entries:
                if entry.name.startswith(".") or is_ignored(entry, rules) or self._is_left_out(entry.path):
                    continue
                if entry.is_file(follow_symlinks=False):
                    if entry.name.lower().endswith(self._suffixes) and entry.stat().st_size <= _LARGEST:
                        files.append(entry.path)
                elif entry.name not in PASSED_OVER and entry.is_dir(follow_symlinks=False):
                    known += 1
                    if known <= _MOST_DIRECTORIES:
                        pending.append((entry.path, rules))
        return files[:_MOST_FILES]

    def _is_left_out(self, path: str) -> bool:
        return bool(self._exclude) and is_excluded(os.path.relpath(path), self._exclude)


def _steps(own: str, other: str) -> int:
    """How many directories one goes up and down from one file to another."""
    return os.path.relpath(other, os.path.dirname(own)).count(os.sep)
