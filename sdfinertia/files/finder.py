"""Finds the files that a robot description names: local files only, without network access."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeVar, cast

from sdfinertia.errors import ResourceError, first_few, printable, shown_path
from sdfinertia.files import is_inside
from sdfinertia.files.advice import elsewhere_notes, index_notes, remedy_for
from sdfinertia.files.packages import (
    FUEL_SCHEMES,
    MAX_DIRECTORIES,
    MODEL_CONFIG,
    PACKAGE_XML,
    RepositoryIndex,
    divided_uri,
    fuel_address,
    fuel_cache,
    fuel_places,
    is_copy,
    packages_below,
    packages_in,
    title_in,
)
from sdfinertia.files.walk import ancestors_in_repository, repository_of, steps_between

_T = TypeVar("_T")

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
# Its entries hold packages at any depth, and are crawled for them.
_CRAWLED_VARIABLE = "ROS_PACKAGE_PATH"

# The path of the model in a directory, as its `model.config` says.
ModelFileOf = Callable[[str], str]


class _Replacement(NamedTuple):
    named: str
    path: str
    is_near: bool


class Finder:
    def __init__(
        self,
        resource_paths: Sequence[str] = (),
        confine: str | None = None,
        environment: Mapping[str, str] = os.environ,
        exclude: Sequence[str] = (),
    ) -> None:
        self._resource_paths = [os.path.abspath(path) for path in resource_paths]
        self.confinement = os.path.realpath(confine) if confine else None
        self._environment = environment
        self._exclude = exclude
        self._ancestors_of = cache(ancestors_in_repository)
        self._packages_of = cache(self._packages_found)
        self._title_of = cache(lambda folder: title_in(os.path.join(folder, MODEL_CONFIG), self.is_permitted))
        self._holders_of = cache(self._holders_found)
        self._indexes_of = cache(self._indexed_from)
        self._walked: dict[str, list[RepositoryIndex]] = {}
        # By containing file, the files that only a search of the repository found, by uri.
        self._indexed: dict[str, dict[str, str]] = {}
        self._opened: dict[str, object] = {}
        self._package_title_of = cache(lambda folder: title_in(os.path.join(folder, PACKAGE_XML), self.is_permitted))
        self._found: dict[tuple[str, str], str] = {}
        # By containing file and uri, the file taken in place of the named one; None where the named one was taken.
        self._taken: dict[str, dict[str, _Replacement | None]] = {}

    def files_read(self) -> set[str]:
        return set(self._opened)

    def once(self, path: str, read: Callable[[str], _T]) -> _T:
        key = os.path.realpath(path)
        if key not in self._opened:
            self._opened[key] = read(path)
        return cast("_T", self._opened[key])

    def find(self, uri: str, containing_file: str, model_file_of: ModelFileOf | None = None) -> str:
        if model_file_of is not None:
            return self._find(uri, containing_file, model_file_of)
        place = os.path.abspath(containing_file)
        if (place, uri) not in self._found:
            found = self._found[place, uri] = self._find(uri, containing_file)
            self._taken.setdefault(place, {})[uri] = self._from_elsewhere(uri, place, found)
        return self._found[place, uri]

    def _find(self, uri: str, containing_file: str, model_file_of: ModelFileOf | None = None) -> str:
        named, containing_file = containing_file, os.path.abspath(containing_file)
        tried: dict[str, str] = {}
        for path, is_from_index in self._candidates(uri, containing_file, model_file_of is not None):
            path = os.path.normpath(path)
            if path in tried:
                continue
            if not self.is_permitted(path):
                # Not even checked: a file must not learn whether something is there.
                tried[path] = f"{shown_path(path, named)} (outside {self.confinement}, not searched)"
                continue
            if model_file_of is not None and os.path.isfile(os.path.join(path, MODEL_CONFIG)):
                found = model_file_of(path)
            elif os.path.isfile(path):
                found = path
            else:
                lacks_config = model_file_of is not None and os.path.isdir(path)
                shown = shown_path(path, named)
                tried[path] = f"{shown} ({_without_config(path)})" if lacks_config else shown
                continue
            if is_from_index:
                self._indexed.setdefault(containing_file, {})[uri] = path
            return found
        raise self._not_found(uri, named, tried)

    def package(self, name: str, containing_file: str) -> str:
        try:
            return os.path.dirname(self._find(f"package://{name}/package.xml", containing_file))
        except ResourceError:
            for path, _ in self._candidates(f"package://{name}", os.path.abspath(containing_file), False):
                if self.is_permitted(path) and os.path.isdir(path):
                    return os.path.normpath(path)
            raise

    def _from_elsewhere(self, uri: str, containing_file: str, found: str) -> _Replacement | None:
        directory = os.path.dirname(containing_file)
        scheme, rest = divided_uri(uri)
        if scheme in FUEL_SCHEMES or (scheme == "file" and os.path.isabs(rest)):
            return None
        if scheme == "file":
            named = [os.path.normpath(os.path.join(directory, rest))]
            # As `../meshes` lies beside `urdf`, or anywhere in the file's own model or package.
            near = [folder for folder in self._ancestors_of(directory)[1:] if self._is_titled(folder)][:1]
            near.append(os.path.dirname(directory))
        else:
            name, _, inside = rest.lstrip("/").partition("/")
            own = [folder for folder in self._ancestors_of(directory) if self._bears(folder, name)]
            # A folder with a `package.xml` or `model.config` comes before one of that name alone.
            own.sort(key=lambda folder: not self._is_titled(folder))
            near = []
            named = [os.path.normpath(os.path.join(folder, inside)) for folder in own]
        if not named or found in named:
            return None
        is_near = os.path.exists(named[0]) or any(found.startswith(os.path.join(folder, "")) for folder in near)
        return _Replacement(named[0], found, is_near)

    def _is_titled(self, folder: str) -> bool:
        return self._title_of(folder) is not None or self._package_title_of(folder) is not None

    def _bears(self, folder: str, name: str) -> bool:
        return name in (os.path.basename(folder), self._title_of(folder), self._package_title_of(folder))

    def notes_for(self, file: str) -> tuple[str, ...]:
        place = os.path.abspath(file)
        return (*self.elsewhere_notes(file), *index_notes(place, self._indexed.get(place, {})))

    def elsewhere_notes(self, file: str) -> tuple[str, ...]:
        taken = [each for each in self._taken.get(os.path.abspath(file), {}).values() if each is not None]
        return elsewhere_notes(file, taken)

    def fuel_cache(self) -> str:
        return fuel_cache(self._environment)

    def is_permitted(self, path: str) -> bool:
        return self.confinement is None or is_inside(path, self.confinement)

    def _candidates(self, uri: str, containing_file: str, want_model: bool) -> Iterator[tuple[str, bool]]:
        """Paths in the order of the search, each with True where the index of the repository gave it."""
        directory = os.path.dirname(containing_file)
        scheme, rest = divided_uri(uri)
        if scheme in FUEL_SCHEMES:
            address = fuel_address(uri)
            for path in fuel_places(address, self.fuel_cache(), self._resource_paths, self.is_permitted):
                yield path, False
            return
        if scheme == "file":
            # An absolute path stays as it is.
            yield os.path.join(directory, rest), False
            if os.path.isabs(rest):
                return
        elif os.path.isabs(rest):
            # Some exporters write `package:///NAME/...`; Gazebo and Pinocchio search it in their directories.
            yield rest, False
            rest = rest.lstrip("/")
        for folder in self._resource_paths:
            yield from self._in_folder(folder, scheme, rest)
        ancestors = self._ancestors_of(directory)
        # In a repository the index knows the packages, so that ancestors need not be listed.
        has_index = scheme == "model" and repository_of(ancestors[-1]) is not None
        for folder in ancestors:
            if has_index:
                yield os.path.join(folder, rest), False
            else:
                yield from self._in_folder(folder, scheme, rest)
        if scheme == "model":
            name, _, inside = rest.partition("/")
            yield from ((os.path.join(each, inside), True) for each in ancestors if self._title_of(each) == name)
        if scheme != "file":
            # Gazebo takes the rest behind any other scheme as a path in its search directories.
            for path in self._in_repository(rest, directory, want_model):
                yield path, True
        for variable, folder in self._environment_folders():
            yield from self._in_folder(folder, scheme, rest, is_crawled=variable == _CRAWLED_VARIABLE)

    def _in_folder(
        self, folder: str, scheme: str, rest: str, *, is_crawled: bool = False
    ) -> Iterator[tuple[str, bool]]:
        yield os.path.join(folder, rest), False
        if scheme in ("package", "model"):
            name, _, inside = rest.partition("/")
            for package in self._packages_of(folder, is_crawled).get(name, ()):
                yield os.path.join(package, inside), False

    def _environment_folders(self) -> Iterator[tuple[str, str]]:
        for variable, folder in _SEARCH_VARIABLES:
            default = self.fuel_cache() if variable == "GZ_FUEL_CACHE_PATH" else ""
            for entry in self._environment.get(variable, default).split(os.pathsep):
                path = os.path.join(os.path.expanduser(entry), folder) if entry else ""
                if path and os.path.isdir(path):
                    yield variable, path

    def _packages_found(self, folder: str, is_crawled: bool) -> dict[str, list[str]]:
        search = packages_below if is_crawled else packages_in
        return search(folder, self.is_permitted) if self.is_permitted(folder) else {}

    # The repository ---------------------------------------------------------------------------------------------------

    def _in_repository(self, rest: str, directory: str, want_model: bool) -> Iterator[str]:
        holders = self._holders_of(self._ancestors_of(directory)[-1], rest.rstrip("/"), want_model)
        steps = [steps_between(directory, holder) for holder, _ in holders]
        least = min(steps, default=0)
        near = [each for each, number in zip(holders, steps, strict=True) if number == least]
        if not near:
            return
        first, chosen = near[0]
        different = next((path for _, path in near[1:] if not is_copy(chosen, path)), None)
        if different is not None:
            # The search there begins with the name of the model or package.
            holder = printable(os.path.dirname(first))
            raise ResourceError(
                f"'{rest}' is ambiguous: {printable(chosen)} or {printable(different)}",
                uri=rest,
                remedy=f"choose with --resource-path, for example --resource-path {holder}",
            )
        yield chosen

    def _holders_found(self, top: str, rest: str, want_model: bool) -> list[tuple[str, str]]:
        name, _, inside = rest.partition("/")
        if not name or name in (".", "..") or ".." in inside.split("/"):
            return []
        found = (each for index in self._indexes_of(top) for each in index.directories(name))
        places = ((each, os.path.join(each, inside) if inside else each) for each in found)
        return [(each, path) for each, path in places if self.is_permitted(path) and _holds(path, want_model)]

    def _indexed_from(self, top: str) -> list[RepositoryIndex]:
        tops = [top] if repository_of(top) is not None else []
        if tops and self.confinement is not None and not is_inside(top, self.confinement):
            # The walk begins at the confinement, where that is in the repository.
            tops = [self.confinement] if is_inside(self.confinement, top) else []
        indexes = [RepositoryIndex(each, self._exclude, self.is_permitted) for each in tops]
        self._walked[top] = indexes
        return indexes

    # Missing files ----------------------------------------------------------------------------------------------------

    def _not_found(self, uri: str, containing_file: str, tried: Mapping[str, str]) -> ResourceError:
        permitted = [path for path in tried if self.is_permitted(path)]
        places = first_few(list(tried.values()))
        index = self._walked.get(self._ancestors_of(os.path.dirname(os.path.abspath(containing_file)))[-1], [])
        if not all(each.is_complete for each in index):
            places += f", and the first {MAX_DIRECTORIES:,} directories of the repository"
        is_on_web = uri.startswith(("http://", "https://")) and not fuel_address(uri).is_of_model
        problem = f"not found: {uri}" + (f" (tried {places})" if places and not is_on_web else "")
        remedy = printable(remedy_for(uri, containing_file, permitted, self.is_permitted))
        return ResourceError(printable(problem), uri=uri, remedy=remedy)


def search_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The search variables with home directories expanded, for a finder on another machine."""
    found = {"GZ_FUEL_CACHE_PATH": fuel_cache(environment)}
    for variable, _ in _SEARCH_VARIABLES:
        if variable in environment:
            entries = environment[variable].split(os.pathsep)
            found[variable] = os.pathsep.join(os.path.expanduser(entry) for entry in entries)
    return found


def _holds(path: str, want_model: bool) -> bool:
    return os.path.isfile(path) or (want_model and os.path.isfile(os.path.join(path, MODEL_CONFIG)))


def _without_config(directory: str) -> str:
    try:
        names = [name for name in sorted(os.listdir(directory)) if "config" in name.lower()]
    except OSError:
        names = []
    return f"has no {MODEL_CONFIG}, but {names[0]}" if names else f"has no {MODEL_CONFIG}"
