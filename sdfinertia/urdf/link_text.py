"""What the rest of this room asks of a link's text, so that it need not know the link that asks it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sdfinertia.description.protocols import LinkDescription, ModelDescription

if TYPE_CHECKING:
    from sdfinertia.description.protocols import Colour
    from sdfinertia.markup.document import Element


class VersionedModel(ModelDescription, Protocol):
    """A robot, of which one knows what counts in its version of URDF."""

    @property
    def has_quaternions(self) -> bool:
        """Whether `quat_xyzw` counts."""

    @property
    def has_capsules(self) -> bool:
        """Whether capsules count."""

    @property
    def has_own_comments(self) -> bool:
        """Whether a comment of ours stands in it at all."""

    @property
    def colours(self) -> dict[str, Colour]:
        """The colours of its named materials."""


class LinkText(LinkDescription, Protocol):
    """A link with the elements that it is read from."""

    @property
    def model(self) -> VersionedModel:
        """The robot that it belongs to."""

    @property
    def element(self) -> Element:
        """The `<link>`."""

    @property
    def inertial(self) -> Element | None:
        """Its first `<inertial>`."""

    @property
    def has_request(self) -> bool:
        """Whether a comment in it asks for its inertia, well or badly."""

    def request(self) -> object:
        """What that asks for.

        Raises:
            ValueTextError: it is malformed.
        """
