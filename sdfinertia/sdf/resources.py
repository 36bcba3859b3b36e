"""Finding the files that an SDF names: meshes and included models. Local files only; there is no network access."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from sdfinertia.errors import Location, ResourceError, TextError
from sdfinertia.files.confinement import is_inside
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.sdf.document import Document, Element
from sdfinertia.sdf.frame_scope import IncludedModel
from sdfinertia.sdf.model import NEWEST_VERSION, SdfRoot

# Environment variables that list directories, in the order they are searched, and the folder added to each entry.
_SEARCH_VARIABLES = (
    ("SDF_PATH", ""),
    ("GZ_SIM_RESOURCE_PATH", ""),
    ("IGN_GAZEBO_RESOURCE_PATH", ""),
    ("GAZEBO_MODEL_PATH", ""),
    ("GZ_FUEL_CACHE_PATH", ""),
    ("ROS_PACKAGE_PATH", ""),
    ("AMENT_PREFIX_PATH", "share"),
)
_FUEL_CACHE = os.path.join("~", ".gz", "fuel")
_PACKAGE_NAME = rb"<name>\s*([^<\s]+)\s*</name>"


class Resources:
    """Where files are looked for, and what has been opened already.

    Args:
        resource_paths: directories searched first.
        confine: a directory; what resolves outside it is refused.
        environment: the variables that list further directories.
    """

    def __init__(
        self,
        resource_paths: Sequence[str] = (),
        confine: str | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._resource_paths = [os.path.abspath(path) for path in resource_paths]
        self._confine = os.path.realpath(confine) if confine else None
        self._environment = environment
        self._documents: dict[str, SdfRoot] = {}
        self._ancestors: dict[str, list[str]] = {}
        self._packages: dict[str, dict[str, list[str]]] = {}

    def find(self, uri: str, containing_file: str, *, want_model: bool = False) -> str:
        """The path of the file that a uri in `containing_file` names.

        Args:
            want_model: a directory is taken for the model that its `model.config` names.

        Raises:
            ResourceError: it is not found (with every path tried), or lies outside the confinement.
        """
        tried: dict[str, str] = {}
        for path in self._candidates(uri, os.path.dirname(os.path.abspath(containing_file))):
            path = os.path.normpath(path)
            if path in tried:
                continue
            if not self._is_permitted(path):
                # Not even looked at: whether something is there is nothing that a file may find out.
                tried[path] = f"{path} (outside {self._confine}, and not looked at)"
                continue
            if want_model and os.path.isfile(os.path.join(path, "model.config")):
                return model_file_of(path, confine=self._confine)
            if os.path.isfile(path):
                return path
            tried[path] = f"{path} (has no model.config)" if want_model and os.path.isdir(path) else path
        near_matches = (_near_match(path, self._is_permitted) for path in tried if self._is_permitted(path))
        near = next((match for match in near_matches if match is not None), None)
        raise ResourceError(_not_found(uri, list(tried.values()), near))

    def load_include(self, include: Element) -> IncludedModel:
        """The model that an `<include>` names.

        Raises:
            ResourceError: its file cannot be found or holds no model.
            TextError: its file cannot be read as SDF.
        """
        where = include.location()
        uri_element = include.child("uri")
        uri = uri_element.text() if uri_element is not None else ""
        if not uri:
            raise ResourceError("an <include> has no <uri>", location=where)
        try:
            path = self.find(uri, include.document.path, want_model=True)
            root = self.open(path)
        except ResourceError as error:
            raise error.within(location=where) from None
        model = root.element.child("model")
        if model is None:
            raise ResourceError(f"the included {path} holds no model", location=where)
        return IncludedModel(root, model, os.path.realpath(path))

    def included_file(self, include: Element) -> str | None:
        """The local file that an `<include>` names; None for one in Fuel's cache, which is not the user's own.

        Raises:
            ResourceError: it cannot be found.
        """
        uri_element = include.child("uri")
        uri = uri_element.text() if uri_element is not None else ""
        if not uri or uri.startswith(("http://", "https://")):
            return None
        try:
            path = self.find(uri, include.document.path, want_model=True)
        except ResourceError as error:
            raise error.within(location=include.location()) from None
        return None if is_inside(path, self._fuel_cache()) else path

    def open(self, path: str) -> SdfRoot:
        """The SDF document at a path, read once.

        Raises:
            ResourceError: it cannot be read.
            TextError: it is no SDF.
        """
        key = os.path.realpath(path)
        if key not in self._documents:
            self._documents[key] = SdfRoot(Document(read_regular_file(path), path))
        return self._documents[key]

    def _is_permitted(self, path: str) -> bool:
        return self._confine is None or is_inside(path, self._confine)

    def _candidates(self, uri: str, directory: str) -> Iterator[str]:
        scheme, separator, rest = uri.partition("://")
        if not separator:
            scheme, rest = "file", uri
        if scheme == "file":
            if os.path.isabs(rest):
                yield rest
                return
            yield os.path.join(directory, rest)
            for folder in self._search_directories(directory):
                yield os.path.join(folder, rest)
        elif scheme == "model":
            for folder in self._search_directories(directory):
                yield os.path.join(folder, rest)
        elif scheme == "package":
            name, _, inside = rest.partition("/")
            for folder in self._search_directories(directory):
                yield os.path.join(folder, rest)
                packages = self._packages_of(folder) if self._is_permitted(folder) else {}
                for package in packages.get(name, ()):
                    yield os.path.join(package, inside)
        elif scheme in ("http", "https"):
            yield from self._fuel_candidates(rest)
        else:
            raise ResourceError(f"uris of scheme {scheme!r} are not supported: {uri!r}")

    def _search_directories(self, directory: str) -> Iterator[str]:
        yield from self._resource_paths
        yield from self._ancestors_of(directory)
        for variable, folder in _SEARCH_VARIABLES:
            default = _FUEL_CACHE if variable == "GZ_FUEL_CACHE_PATH" else ""
            for entry in self._environment.get(variable, default).split(os.pathsep):
                path = os.path.join(os.path.expanduser(entry), folder) if entry else ""
                if path and os.path.isdir(path):
                    yield path

    def _ancestors_of(self, directory: str) -> list[str]:
        if directory not in self._ancestors:
            self._ancestors[directory] = ancestors_in_repository(directory)
        return self._ancestors[directory]

    def _packages_of(self, directory: str) -> dict[str, list[str]]:
        if directory not in self._packages:
            self._packages[directory] = packages_in(directory)
        return self._packages[directory]

    def _fuel_cache(self) -> str:
        return os.path.expanduser(self._environment.get("GZ_FUEL_CACHE_PATH") or _FUEL_CACHE)

    def _fuel_candidates(self, address: str) -> Iterator[str]:
        """Places in the local Fuel cache of `server/1.0/owner/models/name[/version][/files/...]`."""
        cache = self._fuel_cache()
        from urllib.parse import unquote

        server, *parts = unquote(address).rstrip("/").split("/")
        if parts and re.fullmatch(r"[0-9.]+", parts[0]):
            parts = parts[1:]
        if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in (server, *parts)):
            raise ResourceError(f"{address!r} names nothing in the Fuel cache")
        # Gazebo's client stores names in lower case.
        model = os.path.join(cache, server, *(part.lower() for part in parts[:3]))
        version = parts[3] if len(parts) > 3 and parts[3] != "files" else ""
        inside = parts[parts.index("files") + 1 :] if "files" in parts else []
        versions = [version] if version.isdigit() else _numbered_folders(model)
        for number in versions or [version or "tip"]:
            yield os.path.join(model, number, *inside)


def model_file_of(directory: str, confine: str | None = None) -> str:
    """The SDF file that a directory's `model.config` names: of the newest version that is supported.

    Args:
        confine: a directory outside which neither `model.config` nor the file may lie.

    Raises:
        ResourceError: there is no `model.config`, it names no file that is there, or one of them may not be opened.
    """
    config = os.path.join(directory, "model.config")
    _require_inside(config, confine, Location(config, 1, 1))
    if not os.path.isfile(config):
        raise ResourceError("the directory has no model.config", file=directory)
    try:
        document = Document(read_regular_file(config), config)
    except TextError as error:
        raise ResourceError(error.problem, location=error.location) from None
    best: tuple[tuple[int, ...], str] | None = None
    for root in document.roots:
        for entry in root.children_named("sdf"):
            version = tuple(int(part) for part in re.findall(r"[0-9]{1,9}", entry.attribute("version") or ""))
            if version <= NEWEST_VERSION and entry.text() and (best is None or version > best[0]):
                best = version, entry.text()
    if best is None:
        raise ResourceError("names no SDF file of a supported version", location=Location(config, 1, 1))
    path = os.path.join(directory, best[1])
    _require_inside(path, confine, Location(config, 1, 1))
    if not os.path.isfile(path):
        raise ResourceError(f"names {best[1]!r}, which does not exist", location=Location(config, 1, 1))
    return path


def _require_inside(path: str, confine: str | None, location: Location) -> None:
    if confine is not None and not is_inside(path, confine):
        raise ResourceError(f"{path} is outside {confine}, and not opened", location=location)


def ancestors_in_repository(directory: str) -> list[str]:
    """The directory and its ancestors up to the root of the repository, or of the file system if there is none."""
    ancestors = [directory]
    while not os.path.exists(os.path.join(ancestors[-1], ".git")):
        parent = os.path.dirname(ancestors[-1])
        if parent == ancestors[-1]:
            break
        ancestors.append(parent)
    return ancestors


def package_name(directory: str) -> str | None:
    """The name in a directory's `package.xml`, if it has one."""
    path = os.path.join(directory, "package.xml")
    # A pipe of that name would be waited for.
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            match = re.search(_PACKAGE_NAME, file.read(1 << 16))
    except OSError:
        return None
    return match[1].decode("utf-8", "replace") if match else None


def packages_in(directory: str) -> dict[str, list[str]]:
    """The packages that a directory is or holds, by the name in their `package.xml`."""
    packages: dict[str, list[str]] = {}
    try:
        folders = sorted(entry.path for entry in os.scandir(directory) if entry.is_dir())
    except OSError:
        return {}
    for folder in (directory, *folders):
        name = package_name(folder)
        if name is not None:
            packages.setdefault(name, []).append(folder)
    return packages


def _numbered_folders(directory: str) -> list[str]:
    try:
        names = [name for name in os.listdir(directory) if name.isdigit()]
    except OSError:
        return []
    return sorted(names, key=int, reverse=True)


def _not_found(uri: str, tried: Sequence[str], near: str | None) -> str:
    problem = f"{uri!r} is not found"
    if near is not None:
        problem += f" (there is {near}; case counts)"
    if uri.startswith(("http://", "https://")):
        problem += "; only the local Fuel cache is searched, nothing is downloaded"
    return problem + ", tried:" + "".join(f"\n    {path}" for path in tried)


def _near_match(path: str, may_list: Callable[[str], bool]) -> str | None:
    """An existing path that differs from this one in letter case only, in one folder's listing at each level."""
    existing, missing = path, []
    while existing and not os.path.exists(existing):
        existing, name = os.path.split(existing)
        missing.append(name)
        if len(missing) > 8:
            return None
    while missing:
        name = missing.pop()
        if not may_list(existing):
            return None
        try:
            match = next((entry for entry in sorted(os.listdir(existing)) if entry.casefold() == name.casefold()), None)
        except OSError:
            return None
        if match is None:
            return None
        existing = os.path.join(existing, match)
    return existing
