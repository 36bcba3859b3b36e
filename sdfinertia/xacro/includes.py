"""Which xacro files make robots, and what they include, by their text alone."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.files.walk import walk
from sdfinertia.robot.marks import URDF_SUFFIXES, XACRO_SUFFIX
from sdfinertia.xacro.expansion import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Suffixes of files that may be included.
_SUFFIXES = (".xacro", ".urdf", ".xml", ".gazebo", ".trans", ".inc")
_NAMED = re.compile(rb"\s(?:name|version)\s*=")
_NAME = re.compile(rb"\sname\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_FILENAME = re.compile(rb"\sfilename\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_MADE = re.compile(r"\$\{[^}]*(?:\}|\Z)|\$\([^)]*(?:\)|\Z)")
# From the start of a step, so that a text without any is read once.
_STEP_UP = re.compile(r"(?<![^/])[^/]*/\.\./")
_ARGUMENT = re.compile(rb"\$\(\s*arg\s+([^\s)]+)")
_FUNCTION = re.compile(rb"\barg\(\s*['\"]([^'\"]+)['\"]\s*\)")


def tags(data: bytes, name: bytes) -> Iterator[bytes]:
    """The attributes of the tags of a name, outside comments; a comment that is not closed ends with the text."""
    pattern = rb"(?s)<!--(?:.*?-->|.*)|<" + name + rb"(?![^\s/><])([^<>]*)"
    return (match[1] for match in re.finditer(pattern, data) if match[1] is not None)


def _values(data: bytes, name: bytes, attribute: re.Pattern[bytes]) -> Iterator[str]:
    for match in filter(None, map(attribute.search, tags(data, name))):
        yield (match[1] or match[2] or b"").decode("utf-8", "replace")


def included_names(data: bytes) -> Iterator[str]:
    return _values(data, b"xacro:include", _FILENAME)


def arguments_in(data: bytes) -> set[str]:
    """The arguments that a file declares or uses."""
    used = (match[1].decode("utf-8", "replace") for each in (_ARGUMENT, _FUNCTION) for match in each.finditer(data))
    return {*_values(data, b"xacro:arg", _NAME), *used}


def _pattern_of(name: str, directory: str) -> str:
    """The paths that the name of an included file could mean, as a glob with its literal parts.

    The end of `$(find PKG)/urdf/leg.xacro` is known; `$(arg leg)` could be any file.
    """
    if "$" not in name:
        return os.path.normpath(os.path.join(directory, name))
    pattern = _MADE.sub("*", name.removeprefix("file://").removeprefix("package://"))
    if not pattern.startswith(("*", "/")):
        pattern = os.path.normpath(os.path.join(directory, pattern))
    return _STEP_UP.sub("", pattern) if "*" in pattern else pattern


def robots_among(paths: Sequence[str], refuse: Callable[[SdfInertiaError], None], confine: str | None) -> list[str]:
    """The files whose root has a name and that no other of the files includes."""
    named: list[str] = []
    exact: set[str] = set()
    ends: dict[str, set[str]] = {}
    for path in paths:
        try:
            data = read_regular_file(path, MAX_BYTES, confine=confine)
        except SdfInertiaError as error:
            refuse(error)
            continue
        root = next((tag for name in (b"robot", b"sdf") for tag in tags(data, name)), None)
        if root is not None and _NAMED.search(root):
            named.append(path)
        directory = os.path.dirname(os.path.realpath(path))
        for name in included_names(data):
            pattern = _pattern_of(name, directory)
            if "$" not in name:
                exact.add(os.path.realpath(pattern))
            elif pattern.replace("*", "").strip("/") not in ("", ".xacro"):
                ends.setdefault(os.path.basename(pattern), set()).add(pattern)

    def is_included(path: str) -> bool:
        place = os.path.realpath(path)
        patterns = {each for base, found in ends.items() if fnmatchcase(os.path.basename(path), base) for each in found}
        return place in exact or any(fnmatchcase(place, each) for each in patterns)

    return [path for path in named if not is_included(path)]


class Tree:
    """The files of a directory that xacro may read."""

    def __init__(self, directory: str, confine: str | None) -> None:
        self._confine = confine
        found = {os.path.realpath(entry.path) for folder in walk(directory) for entry in folder.files(_SUFFIXES)}
        self._paths = sorted(found)

    def robots(self) -> list[str]:
        xacro = [each for each in self._paths if each.endswith(XACRO_SUFFIX) and not each.endswith(".srdf.xacro")]
        xacro += (
            each
            for each in self._paths
            if each.endswith(URDF_SUFFIXES) and b"<xacro:include" in (self._data(each) or b"")
        )
        # One that cannot be read makes none.
        return robots_among(xacro, lambda _: None, self._confine)

    def reached_from(self, path: str) -> tuple[dict[str, bytes], bool]:
        """A file and all that it could include, by real path; and whether that is all it could."""
        found: dict[str, bytes] = {}
        is_all = True
        pending = [os.path.realpath(path)]
        while pending:
            place = pending.pop()
            if place in found:
                continue
            data = self._data(place)
            if data is None:
                is_all = False
                continue
            found[place] = data
            for name in included_names(data):
                named = self._matching(_pattern_of(name, os.path.dirname(place)))
                is_all = is_all and bool(named)
                pending += named
        return found, is_all

    def _matching(self, pattern: str) -> list[str]:
        if any(sign in pattern for sign in "*?["):
            return [path for path in self._paths if fnmatchcase(path, pattern)]
        return [os.path.realpath(pattern)] if os.path.isfile(pattern) else []

    def _data(self, path: str) -> bytes | None:
        """None: it cannot be read."""
        try:
            return read_regular_file(path, MAX_BYTES, confine=self._confine)
        except SdfInertiaError:
            return None
