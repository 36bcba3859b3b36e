"""What a link is as an element of a document, whatever its format."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from sdfinertia.description.facts import Comment, LinkKey
from sdfinertia.markup.document import Element, Placed

if TYPE_CHECKING:
    from sdfinertia.description.facts import SolidKind
    from sdfinertia.errors import Location


class PlacedLink(Placed):
    """A link as it stands in a file.

    Attributes:
        element: the `<link>`.
        inertial: its first `<inertial>`.
    """

    __slots__ = ("_key",)

    inertial: Element | None

    _key: LinkKey | None

    @property
    @abstractmethod
    def scoped_name(self) -> str:
        """`model::nested::link`."""

    @property
    @abstractmethod
    def namesakes(self) -> Mapping[int, int]:
        """Of its file; see `numbers_of_namesakes`."""

    @property
    def place(self) -> Hashable:
        """What tells it from all other links in this process, those of included documents among them."""
        return id(self.element.document), self.element.start

    @property
    def key(self) -> LinkKey:
        """What it is known by, here and in other versions of its file."""
        if self._key is None:
            self._key = LinkKey(self.file, self.scoped_name, self.namesakes.get(self.element.start, 1))
        return self._key

    @property
    def own_name(self) -> str:
        """The name by which --link takes it alone: with its number where other links have its scoped name."""
        return self.key.numbered if self.element.start in self.namesakes else self.scoped_name

    @property
    def has_inertial(self) -> bool:
        """Whether it has an `<inertial>`, filled or not."""
        return self.inertial is not None

    @property
    def has_tensor(self) -> bool:
        """Whether its `<inertial>` has an `<inertia>`."""
        return self.inertial is not None and self.inertial.child("inertia") is not None

    def has_solids(self, kind: SolidKind) -> bool:
        """Whether it has a `<collision>` or a `<visual>`."""
        return self.element.child(kind.element) is not None

    def comments(self) -> Iterator[Comment]:
        """The comments directly in the link and in its `<inertial>`."""
        yield from map(Comment._make, self.element.comments())
        yield from self.inertial_comments()

    def inertial_comments(self) -> Iterator[Comment]:
        """The comments directly in its `<inertial>`."""
        return map(Comment._make, self.inertial.comments()) if self.inertial is not None else iter(())

    def location_of(self, comment: Comment) -> Location:
        """Where one of its comments stands."""
        return self.element.document.location(comment.start)


def numbers_of_namesakes(links: Iterable[tuple[str, int]]) -> dict[int, int]:
    """The number of each link among those of its scoped name, from 1, by its start; without links of unique names.

    Args:
        links: of a file, each with its scoped name and its start, in the order of the file.
    """
    starts: dict[str, list[int]] = {}
    for name, start in links:
        starts.setdefault(name, []).append(start)
    return {start: number for each in starts.values() if len(each) > 1 for number, start in enumerate(each, start=1)}
