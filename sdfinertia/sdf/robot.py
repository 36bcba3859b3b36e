"""A document of SDF as a robot description: the protocols of `sdfinertia.description` over its text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.sdf.link import SdfLink, SdfModel
from sdfinertia.sdf.model import DocumentFrames, SdfRoot

if TYPE_CHECKING:
    from sdfinertia.description.facts import Defect
    from sdfinertia.description.protocols import Assembly, HasResources, LumpedPart


class SdfRobot:
    """The models of an SDF document.

    Args:
        root: the document, read.
    """

    def __init__(self, root: SdfRoot) -> None:
        self._root = root
        self._frames = DocumentFrames()

    @property
    def path(self) -> str:
        """The name of the document in messages; uris resolve from there."""
        return self._root.document.path

    @property
    def data(self) -> bytes:
        """The whole file."""
        return self._root.document.data

    @property
    def notes(self) -> list[str]:
        """What is to be said of the file as a whole."""
        return self._root.notes

    @property
    def has_includes(self) -> bool:
        """Whether it includes other files."""
        return any(True for _ in self._root.include_elements())

    def models(self) -> list[SdfModel]:
        """The root models: children of `<sdf>` and of its worlds."""
        return [SdfModel(model, self._frames) for model in self._root.models()]

    def repeated_models(self) -> Iterator[Defect]:
        """What is wrong with models of one name side by side."""
        return iter(dict.fromkeys(self._root.repeated_models.values()))

    def included_files(self, around: HasResources) -> Iterator[str | SdfInertiaError]:
        """The local files that it includes, or why one cannot be told."""
        from sdfinertia.sdf.frames.resources import included_file

        for include in self._root.include_elements():
            try:
                path = included_file(around.resources, include)
            except SdfInertiaError as error:
                yield error
            else:
                if path is not None:
                    yield path

    def lumps(self) -> Iterator[list[LumpedPart]]:
        """Each link by itself: Gazebo keeps the fixed joints of SDF."""
        from sdfinertia.description.protocols import LumpedPart
        from sdfinertia.inertia.rigid_transform import IDENTITY

        for model in self.models():
            yield from ([LumpedPart(link, IDENTITY)] for link in model.all_links())

    def assemblies(self, around: HasResources) -> Iterator[Assembly]:
        """Its worlds, each as one with every model in it, and the root models that are in none, for a look."""
        from sdfinertia.sdf.frames.assembly import assemblies

        return assemblies(self._root, self._frames, around, SdfLink)
