"""Other versions of a link in its repository."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import islice
from math import floor, inf, log10, nan
from typing import Any, TypeVar

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.regular_file import is_inside, read_regular_file
from sdfinertia.files.walk import repository_of, steps_between, walk
from sdfinertia.named_tuple import NamedTuple

_T = TypeVar("_T")
# Versions of a robot lie near each other; more directories and files than these are a collection of many.
_MAX_DIRECTORIES, _MAX_FILES = 5_000, 2_000
# A model of a robot has a hundredth of it; worlds of cities are none.
_LARGEST = 1 << 22
# More versions add no evidence.
_MAX_VERSIONS = 8
_LINK_NAMES = rb"<link\s[^<>]*?name\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')"
# A link, a mass and a tensor, in the order of the file.
_BLOCKS = re.compile(_LINK_NAMES + rb"|<mass\b([^<]*)|<inertia\b((?:[^<]|<(?!/inertia|/link|link\b))*)")
_NUMBER = rb"[^0-9.+-]{1,12}([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)"
_MASS = re.compile(_NUMBER)
# In the order of `InertiaTensor`; an absent entry is 0, or 1 for a moment.
_NAMES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_ENTRIES = tuple((re.compile(name.encode() + _NUMBER), float(name[1] == name[2])) for name in _NAMES)


class BlockPlace(NamedTuple):
    """Its mass is NaN (kg) where none is read."""

    path: str
    link: str
    mass: float


def digits_of_tensor(six: Iterable[float]) -> Hashable:
    """A key that is equal for tensors that differ by a power of ten; None for zeros and infinities."""
    values = list(six)
    largest = max(map(abs, values))
    if not 0.0 < largest < inf:
        return None
    scale = 10.0 ** floor(log10(largest) + 1e-9)
    return tuple(f"{value / scale + 0.0:.6g}" for value in values)


class VersionIndex:
    def __init__(self, suffixes: Sequence[str], exclude: Sequence[str], confine: str | None) -> None:
        self._suffixes = tuple(suffixes)
        self._exclude = exclude
        self._confine = confine
        self._by_name: dict[str, dict[str, list[str]]] = {}
        self._by_digits: dict[str, dict[Hashable, list[BlockPlace]]] = {}
        self._read: dict[str, Any] = {}

    def files_naming(self, name: str, file: str) -> list[str]:
        """At most eight other files of the repository that name such a link, the nearest first."""
        own, top = self._top(file)
        others = [path for path in self._by_name[top].get(name, ()) if path != own] if top is not None else []
        directory = os.path.dirname(own)
        return sorted(others, key=lambda path: (steps_between(directory, os.path.dirname(path)), path))[:_MAX_VERSIONS]

    def blocks_like(self, six: Iterable[float], file: str) -> list[BlockPlace]:
        """Other places in the repository with the digits of a tensor, at any power of ten."""
        own, top = self._top(file)
        digits = digits_of_tensor(six)
        if top is None or digits is None:
            return []
        return [place for place in self._by_digits[top].get(digits, ()) if place.path != own]

    def _top(self, file: str) -> tuple[str, str | None]:
        """The file's absolute path and its repository, indexed; None for no repository."""
        own = os.path.abspath(file)
        top = repository_of(os.path.dirname(own)) if os.path.isfile(own) else None
        if top is None or (self._confine is not None and not is_inside(top, self._confine)):
            return own, None
        if top not in self._by_name:
            self._index(top)
        return own, top

    def remembered(self, path: str, read: Callable[[str], _T]) -> _T:
        """The result of reading a file, cached: its first state in the run."""
        if path not in self._read:
            self._read[path] = read(path)
        found: _T = self._read[path]
        return found

    def _index(self, top: str) -> None:
        names = self._by_name.setdefault(top, {})
        digits = self._by_digits.setdefault(top, {})
        for path in self._files_below(top):
            try:
                data = read_regular_file(path, _LARGEST, confine=self._confine)
            except SdfInertiaError:
                continue
            seen: set[str] = set()
            for link, mass, six in _blocks_in(data):
                if link not in seen:
                    seen.add(link)
                    names.setdefault(link, []).append(path)
                if six is not None:
                    digits.setdefault(digits_of_tensor(six), []).append(BlockPlace(path, link, mass))

    def _files_below(self, top: str) -> list[str]:
        files = (
            entry.path
            for folder in islice(walk(top, self._exclude, nearest_first=True), _MAX_DIRECTORIES)
            for entry in folder.files(self._suffixes, follow_links=False)
            if entry.stat().st_size <= _LARGEST
        )
        return list(islice(files, _MAX_FILES))


def _blocks_in(data: bytes) -> Iterator[tuple[str, float, list[float] | None]]:
    """The links of a file with mass and tensor, where these follow the link's tag."""
    link, mass, six = "", nan, None
    for match in _BLOCKS.finditer(data):
        double, single, of_mass, of_tensor = match.groups()
        if of_mass is not None:
            mass = _number(_MASS, of_mass, nan)
        elif of_tensor is not None:
            six = [_number(pattern, of_tensor, default) for pattern, default in _ENTRIES]
        else:
            if link:
                yield link, mass, six
            link, mass, six = (double or single or b"").decode("utf-8", "replace").strip(), nan, None
    if link:
        yield link, mass, six


def _number(pattern: re.Pattern[bytes], text: bytes, default: float) -> float:
    match = pattern.search(text)
    try:
        return float(match[1]) if match is not None else default
    except ValueError:
        return default
