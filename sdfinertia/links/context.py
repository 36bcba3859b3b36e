"""Files found and meshes read in a run, cached; loaded when first needed."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from sdfinertia.errors import ConfigurationError
from sdfinertia.files import is_inside

if TYPE_CHECKING:
    from sdfinertia.calculators import Calculator, MeshInMemory
    from sdfinertia.files.finder import Finder
    from sdfinertia.mesh.cache import MeshCache
    from sdfinertia.mesh.store import MeshStore
    from sdfinertia.options import Options


class Context:
    def __init__(
        self,
        options: Options,
        calculators: Mapping[str, Calculator | MeshInMemory] | None = None,
        *,
        keeps: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._options = options
        self._environment = environment
        self._keeps = keeps
        self.calculators = calculators or {}

    @cached_property
    def resources(self) -> Finder:
        from sdfinertia.files.finder import Finder

        options = self._options
        environment = os.environ if self._environment is None else self._environment
        return Finder(options.resource_path, options.confine, environment, exclude=options.exclude)

    @cached_property
    def meshes(self) -> MeshStore:
        from sdfinertia.mesh.store import MeshStore

        options = self._options
        return MeshStore(options.confine, mesh_cache(options, keeps=self._keeps))

    def notes_for(self, file: str) -> tuple[str, ...]:
        notes = self.resources.notes_for(file) if "resources" in self.__dict__ else ()
        return (*notes, *self.cache_notes())

    def elsewhere_notes(self, file: str) -> tuple[str, ...]:
        return self.resources.elsewhere_notes(file) if "resources" in self.__dict__ else ()

    def cache_notes(self) -> tuple[str, ...]:
        return self.meshes.cache_notes() if "meshes" in self.__dict__ else ()

    def files_read(self) -> set[str]:
        models = self.resources.files_read() if "resources" in self.__dict__ else set()
        return models | (self.meshes.files_read() if "meshes" in self.__dict__ else set())

    def forget_contents(self) -> None:
        if "meshes" in self.__dict__:
            self.meshes.forget_contents()


def mesh_cache(options: Options, *, keeps: bool) -> MeshCache | None:
    if options.no_cache or (options.cache is None and not (keeps and options.confine is None)):
        return None
    if options.cache is not None and options.confine is not None and not is_inside(options.cache, options.confine):
        problem = f"the cache is outside {os.path.abspath(options.confine)}, and not opened"
        raise ConfigurationError(problem, file=options.cache)
    from sdfinertia.mesh.cache import MeshCache

    return MeshCache(options.cache)


def require_calculators(given: object) -> None:
    """Refuses anything but a mapping of names to calculators or surfaces.

    Raises:
        ConfigurationError: it is something else.
    """
    if given is not None and not (isinstance(given, Mapping) and all(isinstance(name, str) for name in given)):
        raise ConfigurationError(f"calculators must be functions by name, not {given!r}"[:200])


class SharedContext:
    """The contexts of a run, one for each set of places to look in; a copy in another process is empty."""

    def __init__(
        self, calculators: Mapping[str, Calculator | MeshInMemory] | None = None, *, keeps: bool = False
    ) -> None:
        self._calculators = calculators
        self._keeps = keeps
        self._environment: Mapping[str, str] | None = None
        self._by_places: dict[Hashable, Context] = {}

    def of(self, options: Options) -> Context:
        places = (*(options.resource_path, options.confine, options.exclude), *(options.cache, options.no_cache))
        if places not in self._by_places:
            self._by_places[places] = Context(
                options, self._calculators, keeps=self._keeps, environment=self._environment
            )
        return self._by_places[places]

    def __getstate__(self) -> dict[str, object]:
        from sdfinertia.files.finder import search_environment

        environment = search_environment() if self._environment is None else self._environment
        return {**vars(self), "_environment": environment, "_by_places": {}}
