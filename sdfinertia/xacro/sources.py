"""xacro files by their text alone: which are xacro, which make robots, what they include, and their macros."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase, translate
from itertools import chain
from typing import NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files import read_regular_file
from sdfinertia.files.walk import walk
from sdfinertia.markup import Document, walked
from sdfinertia.robot import attempt, known
from sdfinertia.robot.names import URDF_SUFFIXES, XACRO_SUFFIX
from sdfinertia.xacro.expansion import MAX_BYTES
from sdfinertia.xacro.substitutions import parse_macro_arg

# Suffixes of files that may be included.
_SUFFIXES = (".xacro", ".urdf", ".xml", ".gazebo", ".trans", ".inc")
_NAMED = re.compile(rb"\s(?:name|version)\s*=")
_NAME = re.compile(rb"(?s)\sname\s*=\s*([\"'])(.*?)\1")
_FILENAME = re.compile(rb"(?s)\sfilename\s*=\s*([\"'])(.*?)\1")
_MADE = re.compile(r"\$\{[^}]*(?:\}|\Z)|\$\([^)]*(?:\)|\Z)")
# From the start of a step, so that a text without any is read once.
_STEP_UP = re.compile(r"(?<![^/])[^/]*/\.\./")
_ARGUMENT = re.compile(rb"\$\(\s*arg\s+([^\s)]+)")
_FUNCTION = re.compile(rb"\barg\(\s*['\"]([^'\"]+)['\"]\s*\)")


def tags(data: bytes, name: bytes) -> Iterator[bytes]:
    """The attributes of the tags of a name, outside comments."""
    pattern = rb"(?s)<!--(?:.*?-->|.*)|<" + name + rb"(?![^\s/><])([^<>]*)"
    return (match[1] for match in re.finditer(pattern, data) if match[1] is not None)


def _values(data: bytes, name: bytes, attribute: re.Pattern[bytes]) -> Iterator[str]:
    for match in filter(None, map(attribute.search, tags(data, name))):
        yield match[2].decode("utf-8", "replace")


def included_names(data: bytes) -> Iterator[str]:
    return _values(data, b"xacro:include", _FILENAME)


def arguments_in(data: bytes) -> set[str]:
    used = (match[1].decode("utf-8", "replace") for each in (_ARGUMENT, _FUNCTION) for match in each.finditer(data))
    return {*_values(data, b"xacro:arg", _NAME), *used}


def _pattern_of(name: str, directory: str) -> str:
    """A glob of the paths that an included name could mean: `$(find PKG)/leg.xacro` has a known end."""
    if "$" not in name:
        return os.path.normpath(os.path.join(directory, name))
    pattern = _MADE.sub("*", name.removeprefix("file://").removeprefix("package://"))
    if not pattern.startswith(("*", "/")):
        pattern = os.path.normpath(os.path.join(directory, pattern))
    return _STEP_UP.sub("", pattern) if "*" in pattern else pattern


def robots_among(paths: Sequence[str], refuse: Callable[[SdfInertiaError], None], confine: str | None) -> list[str]:
    """The files with a named root that no other includes."""
    named: list[str] = []
    exact: set[str] = set()
    patterns: set[str] = set()
    for path in paths:
        data = _content(path, confine)
        if isinstance(data, SdfInertiaError):
            refuse(data)
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
                patterns.add(pattern)
    # As one expression, which hundreds of patterns need; without any it matches nothing.
    included = re.compile("|".join(map(translate, sorted(patterns))) or r"(?!)")
    places = {path: os.path.realpath(path) for path in named}
    return [path for path in named if places[path] not in exact and not included.match(places[path])]


class Tree:
    """The files of a directory that xacro may read."""

    def __init__(self, directory: str, confine: str | None) -> None:
        self._confine = confine
        entries = (entry for folder in walk(directory) for entry in folder.files(_SUFFIXES))
        self._paths = sorted({os.path.realpath(entry.path) for entry in entries})

    def robots(self) -> list[str]:
        xacro = [each for each in self._paths if each.endswith(XACRO_SUFFIX) and not each.endswith(".srdf.xacro")]
        urdf = [each for each in self._paths if each.endswith(URDF_SUFFIXES)]
        xacro += (each for each in urdf if b"<xacro:include" in (self._data(each) or b""))
        # One that cannot be read makes none.
        return robots_among(xacro, lambda _: None, self._confine)

    def reached_from(self, path: str) -> tuple[dict[str, bytes], bool]:
        """A file and its possible includes by real path, and whether all were found."""
        found: dict[str, bytes] = {}
        is_all = True
        pending = [os.path.realpath(path)]
        while pending:
            place = pending.pop()
            if place in found:
                continue
            data = self._data(place)
            found[place] = data or b""
            named = [self._matching(_pattern_of(name, os.path.dirname(place))) for name in included_names(found[place])]
            is_all = is_all and data is not None and all(named)
            pending += chain.from_iterable(named)
        return found, is_all

    def _matching(self, pattern: str) -> list[str]:
        if any(sign in pattern for sign in "*?["):
            return [path for path in self._paths if fnmatchcase(path, pattern)]
        return [os.path.realpath(pattern)] if os.path.isfile(pattern) else []

    def _data(self, path: str) -> bytes | None:
        return known(_content(path, self._confine))


def _content(path: str, confine: str | None) -> bytes | SdfInertiaError:
    return attempt(lambda: read_regular_file(path, MAX_BYTES, confine=confine))


class Macro(NamedTuple):
    """A macro at the top of a file."""

    name: str
    given: tuple[str, ...]  # parameters without a default, blocks with their stars
    calls: frozenset[str]
    makes_links: bool


def macros_in(document: Document) -> list[Macro]:
    found: list[Macro] = []
    for macro in (each for root in document.roots for each in root.children_named("xacro:macro")):
        inside = [each.name for each in walked(macro.children, lambda element: element.children)]
        calls = frozenset(name[6:] for name in inside if name.startswith("xacro:"))
        given: list[str] = []
        rest = (macro.attribute("params") or "").strip()
        while rest:
            name, default, rest = parse_macro_arg(rest)
            given += [name] if default is None or default[1] is None else []
        name = (macro.attribute("name") or "").removeprefix("xacro:")
        found.append(Macro(name, tuple(given), calls, "link" in inside))
    return found


def callable_by_default(macros: Sequence[Macro]) -> list[str]:
    """Macros whose parameters all have defaults, without those that another calls."""
    ready = [macro for macro in macros if not macro.given and macro.name]
    called = {name for macro in ready for name in macro.calls if name != macro.name}
    return [macro.name for macro in ready if macro.name not in called]
