"""Robot descriptions, which each format subclasses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sdfinertia.inertia.rigid_transform import IDENTITY
from sdfinertia.markup.document import Document
from sdfinertia.robot.link import LinkContext, Model

if TYPE_CHECKING:
    from sdfinertia.errors import SdfInertiaError
    from sdfinertia.robot.assembly import Assembly, LumpedPart
    from sdfinertia.robot.values import Problem


class Robot:
    """A document that describes robots.

    Attributes:
        notes: on the file as a whole.
    """

    document: Document
    notes: list[str]

    @property
    def path(self) -> str:
        """As in messages; uris resolve from there."""
        return self.document.path

    @property
    def data(self) -> bytes:
        return self.document.data

    @property
    def has_includes(self) -> bool:
        return False

    def included_files(self, context: LinkContext) -> Iterator[str | SdfInertiaError]:
        """The local files that it includes, or why one is unknown."""
        return iter(())

    @abstractmethod
    def models(self) -> Sequence[Model]: ...

    def repeated_models(self) -> Iterator[Problem]:
        return iter(())

    def lumps(self) -> Iterator[Sequence[LumpedPart]]:
        """As Gazebo merges them over fixed joints; the first gives the frame."""
        from sdfinertia.robot.assembly import LumpedPart

        for model in self.models():
            yield from ([LumpedPart(link, IDENTITY)] for link in model.all_links())

    @abstractmethod
    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        """Its worlds, and the root models outside worlds."""
