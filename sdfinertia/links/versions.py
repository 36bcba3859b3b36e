"""Other versions of a link: the files of a repository that name one alike, each looked into once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeVar

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.regular_file import is_inside, read_regular_file
from sdfinertia.files.walk import Walk, repository_of, steps_between

_T = TypeVar("_T")
# Versions of a robot lie near each other; more directories and files than these are a collection of many.
_MOST_DIRECTORIES, _MOST_FILES = 5_000, 2_000
# A model of a robot has a hundredth of it; worlds of cities are none.
_LARGEST = 1 << 22
# More versions than these say nothing new.
_MOST_VERSIONS = 8
_LINK_NAMES = rb"<link\s[^<>]*?name\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')"


class VersionIndex:
    """The descriptions in a repository, by the names of their links.

    Args:
        suffixes: of the files that count.
        exclude: globs of paths that are left out.
        confine: a directory outside which nothing is read.
    """

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
        return sorted(others, key=lambda path: (steps_between(os.path.dirname(own), os.path.dirname(path)), path))[
            :_MOST_VERSIONS
        ]

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
        files = (
            entry.path
            for folder in Walk(top, self._exclude, maximum=_MOST_DIRECTORIES)
            for entry in folder.files(self._suffixes, follow_links=False)
            if entry.stat().st_size <= _LARGEST
        )
        return list(islice(files, _MOST_FILES))
