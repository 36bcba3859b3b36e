"""The directories of a repository by the models and packages that they are, found by one walk.

Simulators find `model://NAME` by search paths that a repository's readme tells and its files do not. Inside the
repository the name alone says which directory is meant, nearly always.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Sequence

from sdfinertia.files.regular_file import is_inside
from sdfinertia.files.walk import Walk, sorted_entries

MODEL_CONFIG, PACKAGE_XML = "model.config", "package.xml"
# What older packages have, and the files by which rospack and colcon pass over what is below.
_MANIFEST = "manifest.xml"
_CLOSED = frozenset({"rospack_nosubdirs", "CATKIN_IGNORE", "AMENT_IGNORE", "COLCON_IGNORE"})
# The largest repository of models seen has some 5,000; to walk this many takes about a second.
MOST_DIRECTORIES = 50_000
_NAME = rb"<name>([^<]*)</name>"
# The names stand at the beginning of these files.
_HEAD = 1 << 16


class RepositoryIndex:
    """The directories below one, by name.

    Args:
        top: where the walk begins: the root of a repository, or a directory in it.
        exclude: globs of paths that are left out.
        may_read: says of a path whether it may be opened.

    Attributes:
        is_complete: whether all directories are in it, and not the first `MOST_DIRECTORIES` only.
    """

    def __init__(self, top: str, exclude: Sequence[str], may_read: Callable[[str], bool]) -> None:
        self._may_read = may_read
        self._by_name: dict[str, list[str]] = {}
        self._models: list[str] = []
        self._by_title: dict[str, list[str]] | None = None
        walk = Walk(top, exclude, maximum=MOST_DIRECTORIES)
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
        """The directories that bear a name or whose `package.xml` says it; else those whose `model.config` does."""
        found = self._by_name.get(name)
        return found if found is not None else self._titled().get(name, [])

    def _titled(self) -> dict[str, list[str]]:
        """The directories whose `model.config` says a name that their own is not, read when one is missing."""
        if self._by_title is None:
            self._by_title = {}
            for directory in self._models:
                title = title_in(os.path.join(directory, MODEL_CONFIG), self._may_read)
                if title is not None:
                    self._by_title.setdefault(title, []).append(directory)
        return self._by_title


def title_in(path: str, may_read: Callable[[str], bool]) -> str | None:
    """The first `<name>` in a `package.xml` or `model.config`, if the file is there and may be read."""
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
    """The packages that a directory is or holds, by the name in their `package.xml`."""
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
    """The packages that a directory is or holds at any depth, as rospack crawls an entry of ROS_PACKAGE_PATH.

    Of a directory with a `manifest.xml` the name is its own. What lies below a package is not looked at, nor what one
    of rospack's marks closes, and at most `MOST_DIRECTORIES` are.
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
            if place not in seen and len(seen) < MOST_DIRECTORIES:
                seen.add(place)
                pending.append(entry.path)
    return packages


def walk_tops(repository: str, confine: str | None) -> list[str]:
    """Where the walk of a repository begins: at its root, at the confinement inside it, or nowhere."""
    if confine is None or is_inside(repository, confine):
        return [repository]
    return [confine] if is_inside(confine, repository) else []
