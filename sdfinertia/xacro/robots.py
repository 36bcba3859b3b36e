"""Finds the xacro files that make robots, by their text alone."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from importlib.util import find_spec

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.regular_file import read_regular_file

_COMMENT = re.compile(rb"(?s)<!--.*?(?:-->|\Z)")
_ROBOT = re.compile(rb"<(?:robot|sdf)\b[^>]*>")
_NAMED = re.compile(rb"\s(?:name|version)\s*=")
_INCLUDE = re.compile(rb"<xacro:include\b[^>]*?\bfilename\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_MADE = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)")
# Longer files are not looked at: people do not write them.
_MAX_BYTES = 16 << 20


def has_xacro() -> bool:
    """Whether the package xacro is installed."""
    found = find_spec("xacro")
    return found is not None and found.origin is not None


def robots_among(paths: Sequence[str], refuse: Callable[[SdfInertiaError], None], confine: str | None) -> list[str]:
    """The files whose root has a name and that no other of the files includes."""
    named: list[str] = []
    exact: set[str] = set()
    ends: dict[str, set[str]] = {}
    for path in paths:
        try:
            data = _COMMENT.sub(b"", read_regular_file(path, _MAX_BYTES, confine=confine))
        except SdfInertiaError as error:
            refuse(error)
            continue
        root = _ROBOT.search(data)
        if root is not None and _NAMED.search(root[0]):
            named.append(path)
        for match in _INCLUDE.finditer(data):
            name = (match[1] or match[2] or b"").decode("utf-8", "replace")
            if "$" not in name:
                exact.add(os.path.realpath(os.path.join(os.path.dirname(path), name)))
            else:
                # The end of `$(find PKG)/urdf/leg.xacro` is known; `$(find PKG)/$(arg leg).xacro` could be any file.
                pattern = _MADE.sub("*", name)
                ends.setdefault(os.path.basename(pattern), set()).add(f"*/{pattern.removeprefix('*').lstrip('/')}")

    def is_included(path: str) -> bool:
        place = os.path.realpath(path)
        patterns = {each for base, found in ends.items() if fnmatchcase(os.path.basename(path), base) for each in found}
        return place in exact or any(each.strip("*/") and fnmatchcase(place, each) for each in patterns - {"*/*.xacro"})

    return [path for path in named if not is_included(path)]
