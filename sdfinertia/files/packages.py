"""Models and packages by name: in a folder, in a repository, and in local copies of Gazebo Fuel."""

from __future__ import annotations

import filecmp
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sdfinertia.errors import ResourceError
from sdfinertia.files import head_of
from sdfinertia.files.walk import sorted_entries, walk

MODEL_CONFIG, PACKAGE_XML = "model.config", "package.xml"
# The manifest of older packages, and the files by which rospack and colcon skip a directory and all below it.
_MANIFEST = "manifest.xml"
_CLOSED = frozenset({"rospack_nosubdirs", "CATKIN_IGNORE", "AMENT_IGNORE", "COLCON_IGNORE"})
# The largest repository of models seen has some 5,000; to walk this many takes about a second.
MAX_DIRECTORIES = 50_000
_NAME = rb"<name>([^<]*)</name>"
# The names are at the beginning of these files.
_HEAD = 1 << 16


class RepositoryIndex:
    """The directories of a repository by name; `is_complete` unless there are more than `MAX_DIRECTORIES`."""

    def __init__(self, top: str, exclude: Sequence[str], may_read: Callable[[str], bool]) -> None:
        self._may_read = may_read
        self._by_name: dict[str, list[str]] = {}
        self._models: list[str] = []
        self.is_complete = True
        for number, folder in enumerate(walk(top, exclude, nearest_first=True)):
            if number == MAX_DIRECTORIES:
                self.is_complete = False
                break
            own_name = os.path.basename(folder.path)
            self._by_name.setdefault(own_name, []).append(folder.path)
            if PACKAGE_XML in folder.names:
                title = title_in(os.path.join(folder.path, PACKAGE_XML), may_read)
                if title is not None and title != own_name:
                    self._by_name.setdefault(title, []).append(folder.path)
            if MODEL_CONFIG in folder.names:
                self._models.append(folder.path)

    @cached_property
    def _by_title(self) -> dict[str, list[str]]:
        return _titled(self._models, MODEL_CONFIG, self._may_read)

    def directories(self, name: str) -> list[str]:
        found = self._by_name.get(name)
        return found if found is not None else self._by_title.get(name, [])


def title_in(path: str, may_read: Callable[[str], bool]) -> str | None:
    # A pipe of that name would block.
    if not may_read(path) or not os.path.isfile(path):
        return None
    try:
        names = (match[1].strip() for match in re.finditer(_NAME, head_of(path, _HEAD)))
        name = next(filter(None, names), None)
    except OSError:
        return None
    return name.decode("utf-8", "replace") if name else None


def _titled(directories: Iterable[str], file: str, may_read: Callable[[str], bool]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for directory in directories:
        title = title_in(os.path.join(directory, file), may_read)
        if title is not None:
            found.setdefault(title, []).append(directory)
    return found


def packages_in(directory: str, may_read: Callable[[str], bool]) -> dict[str, list[str]]:
    try:
        below = [entry.path for entry in sorted_entries(directory) if entry.is_dir()]
    except OSError:
        return {}
    return _titled((directory, *below), PACKAGE_XML, may_read)


def packages_below(directory: str, may_read: Callable[[str], bool]) -> dict[str, list[str]]:
    """As rospack crawls ROS_PACKAGE_PATH: not below a package, nor below its marker files."""
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


# A directory with more files is not taken for a copy of another.
_MAX_COMPARED = 1000


def is_copy(path: str, other: str) -> bool:
    files, other_files = _files_at(path), _files_at(other)
    if files is None or files != other_files:
        return False
    try:
        return all(filecmp.cmp(path + file, other + file, shallow=False) for file in files)
    except OSError:
        return False


def _files_at(path: str) -> list[str] | None:
    """Relative paths; None for more than are compared."""
    if os.path.isfile(path):
        return [""]
    files: list[str] = []
    for directory, folders, names in os.walk(path):
        folders.sort()
        files += (os.path.join(directory, name)[len(path) :] for name in sorted(names))
        if len(files) > _MAX_COMPARED:
            return None
    return files


# Gazebo Fuel ----------------------------------------------------------------------------------------------------------

# Local copies have the layout of its client.
_DEFAULT_CACHE = os.path.join("~", ".gz", "fuel")
# One server under its present name and that of before 2022; copies exist under either.
_SERVERS = ("fuel.gazebosim.org", "fuel.ignitionrobotics.org")
FUEL_SCHEMES = ("http", "https")
# The word in addresses for the highest version.
_NEWEST = "tip"


def divided_uri(uri: str) -> tuple[str, str]:
    scheme, separator, rest = uri.partition("://")
    return (scheme, rest) if separator else ("file", uri)


class FuelAddress(NamedTuple):
    """The parts of `https://SERVER/1.0/OWNER/models/NAME[/VERSION][/files/INSIDE]`."""

    scheme: str
    server: str
    model: tuple[str, ...]
    version: str
    inside: tuple[str, ...]

    @property
    def is_of_model(self) -> bool:
        """True for a model of Fuel, not for any file on the web."""
        return len(self.model) == 3 and self.model[1].lower() == "models"

    @property
    def command(self) -> str:
        from urllib.parse import quote

        parts = (self.server, "1.0", *self.model, *((self.version,) if self.version else ()))
        return f"gz fuel download -u {self.scheme}://{quote('/'.join(parts))}"


def fuel_address(uri: str) -> FuelAddress:
    from urllib.parse import unquote

    scheme, _, address = uri.partition("://")
    server, *parts = unquote(address).rstrip("/").split("/")
    if parts and re.fullmatch(r"[0-9.]+", parts[0]):
        parts = parts[1:]
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in (server, *parts)):
        raise ResourceError(f"'{uri}' is not an address of Gazebo Fuel")
    version = parts[3] if len(parts) > 3 and parts[3].isdigit() else ""
    inside = parts[parts.index("files") + 1 :] if "files" in parts[3:] else []
    return FuelAddress(scheme, server, tuple(parts[:3]), version, tuple(inside))


def fuel_cache(environment: Mapping[str, str]) -> str:
    return os.path.expanduser(environment.get("GZ_FUEL_CACHE_PATH") or _DEFAULT_CACHE)


def fuel_places(
    address: FuelAddress, cache: str, resource_paths: Sequence[str], may_read: Callable[[str], bool]
) -> Iterator[str]:
    """Where a copy may be: in the resource paths, with or without the server's folder, then in the cache."""
    servers = [address.server, *(name for name in _SERVERS if address.server in _SERVERS and name != address.server)]
    # Gazebo's client stores names in lower case; copies made by hand may keep them.
    lower = tuple(part.lower() for part in address.model)
    for model in dict.fromkeys((lower, address.model)):
        for folder in resource_paths:
            for server in ("", *servers):
                yield from _versions(os.path.join(folder, server, *model), address, may_read)
    for server in servers:
        yield from _versions(os.path.join(cache, server, *lower), address, may_read)


def _versions(model: str, address: FuelAddress, may_read: Callable[[str], bool]) -> Iterator[str]:
    numbers = [address.version] if address.version else _numbered_folders(model) if may_read(model) else []
    for version in numbers or (_NEWEST,):
        yield os.path.join(model, version, *address.inside)


def _numbered_folders(directory: str) -> list[str]:
    try:
        names = [name for name in os.listdir(directory) if name.isascii() and name.isdigit()]
    except OSError:
        return []
    return sorted(names, key=int, reverse=True)
