"""What lies around the documents of a run: files found and meshes read, each looked up once.

Each is loaded where a link first needs it, because a file of primitives needs none of them.
"""

from __future__ import annotations

import os
import time
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from sdfinertia.calculators import Calculator
    from sdfinertia.files.finder import Finder
    from sdfinertia.links.versions import VersionIndex
    from sdfinertia.mesh.store import MeshStore
    from sdfinertia.options import Options


class Surroundings:
    """The resources of a run.

    Args:
        options: where to look, and where not.
        calculators: functions that compute meshes, by the names that files call them.
    """

    def __init__(self, options: Options, calculators: Mapping[str, Calculator] | None = None) -> None:
        self._options = options
        self.calculators = calculators or {}

    @cached_property
    def resources(self) -> Finder:
        """Where files are looked for."""
        from sdfinertia.files.finder import Finder

        options = self._options
        return Finder(options.resource_path, options.confine, exclude=options.exclude)

    @cached_property
    def meshes(self) -> MeshStore:
        """The meshes read."""
        from sdfinertia.mesh.store import MeshStore

        return MeshStore(self._options.max_mesh_bytes, self._options.confine)

    @cached_property
    def versions(self) -> VersionIndex:
        """Where other versions of links are."""
        from sdfinertia.description.file_names import SUFFIXES
        from sdfinertia.links.versions import VersionIndex

        return VersionIndex(SUFFIXES, self._options.exclude, self._options.confine)

    def notes_for(self, file: str) -> tuple[str, ...]:
        """What is to be said of where the files were found that a file names."""
        return self.resources.notes_for(file) if "resources" in self.__dict__ else ()

    def files_read(self) -> set[str]:
        """The included files and meshes that were read so far."""
        models = self.resources.files_read() if "resources" in self.__dict__ else set()
        return models | (self.meshes.files_read() if "meshes" in self.__dict__ else set())

    def forget_contents(self) -> None:
        """Lets go of the bytes and triangles of meshes, which the next link will not need."""
        if "meshes" in self.__dict__:
            self.meshes.forget_contents()


class SharedSurroundings:
    """The surroundings of the files of a run: one for each set of places to look in.

    A copy, as another process gets it, equals the one of the run and has nothing in it.

    Args:
        calculators: functions that compute meshes, by the names that files call them.
    """

    def __init__(self, calculators: Mapping[str, Calculator] | None = None) -> None:
        self._run = (os.getpid(), time.time_ns())
        self._calculators = calculators
        self._by_places: dict[Hashable, Surroundings] = {}

    def of(self, options: Options) -> Surroundings:
        """Where the models and meshes of a file with these options come from."""
        places = (options.resource_path, options.confine, options.exclude, options.max_mesh_bytes)
        if places not in self._by_places:
            self._by_places[places] = Surroundings(options, self._calculators)
        return self._by_places[places]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SharedSurroundings) and self._run == other._run

    def __hash__(self) -> int:
        return hash(self._run)

    def __getstate__(self) -> dict[str, object]:
        return {"_run": self._run, "_calculators": self._calculators, "_by_places": {}}
