"""What a link is as an element of a document, whatever its format."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

from sdfinertia.description.facts import Comment
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

    __slots__ = ()

    inertial: Element | None

    @property
    def key(self) -> Hashable:
        """What tells it from all other links, those of included documents among them."""
        return id(self.element.document), self.element.start

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
