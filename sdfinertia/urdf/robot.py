"""A URDF document: its one robot, the version it is read by, and its links.

Links are children of `<robot>`; look-alikes in `<gazebo>`, `<ros2_control>` and the like are not ours.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from sdfinertia.description.facts import Defect
from sdfinertia.description.numbers import shorten
from sdfinertia.description.own_comment import OWN_MARK
from sdfinertia.description.protocols import Assembly, LumpedPart, PlacedLink
from sdfinertia.errors import SdfInertiaError, TextError, ValueTextError
from sdfinertia.markup.document import Document, Element
from sdfinertia.markup.placed_link import numbers_of_namesakes
from sdfinertia.urdf.link import Link
from sdfinertia.urdf.values import XACRO_REMEDY, read_colour, refuse_xacro

if TYPE_CHECKING:
    from sdfinertia.description.protocols import Colour, HasResources
    from sdfinertia.inertia.rigid_transform import RigidTransform
    from sdfinertia.urdf.joints import JointTable

NEWEST_VERSION = (1, 2)
# urdfdom 4: capsules and quaternions count from here.
_CAPSULES_SINCE = (1, 1)
_VERSION = r"([0-9]{1,9})(?:\.([0-9]{1,9}))?"
_XACRO_PREFIX = "xacro:"


class Robot:
    """The `<robot>` of a document: as a document, and as the one model in it.

    Raises:
        TextError: there is no `<robot>` root, or it is xacro that is still to be expanded.
        ValueTextError: its version is none.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        root = next((root for root in document.roots if root.name == "robot"), None)
        if root is None:
            raise TextError("there is no <robot> root element", location=document.location(0))
        _refuse_xacro(document)
        self.element = root
        self.notes: list[str] = []
        self.name = root.attribute("name") or ""
        refuse_xacro(self.name, "the name of <robot>", root.location())
        self.version = self._read_version()
        # Most files have none, and need not be searched for them link by link.
        self.has_own_comments = OWN_MARK.encode() in document.data
        self._links: list[Link] | None = None

    @property
    def path(self) -> str:
        """The name of the document in messages; filenames resolve from there."""
        return self.document.path

    @property
    def data(self) -> bytes:
        """The whole file."""
        return self.document.data

    def _read_version(self) -> tuple[int, int]:
        text = self.element.attribute("version")
        if text is None:
            return 1, 0
        match = re.fullmatch(_VERSION, text)
        if match is None:
            raise ValueTextError(
                f"{shorten(text)!r} is no version of URDF", location=self.element.location(), remedy="use 1.0"
            )
        version = int(match[1]), int(match[2] or 0)
        if version > NEWEST_VERSION:
            self.notes.append(f"URDF {text} is newer than 1.2; read as 1.2")
            return NEWEST_VERSION
        return version

    @property
    def has_capsules(self) -> bool:
        """Whether urdfdom knows capsules in it."""
        return self.version >= _CAPSULES_SINCE

    @property
    def has_quaternions(self) -> bool:
        """Whether `quat_xyzw` counts in it."""
        return self.version >= _CAPSULES_SINCE

    # The document ---------------------------------------------------------------------------------------------------

    def models(self) -> list[Robot]:
        """Itself."""
        return [self]

    @property
    def has_includes(self) -> bool:
        """No: URDF includes nothing."""
        return False

    def repeated_models(self) -> Iterator[Defect]:
        """None: it is the one."""
        return iter(())

    def included_files(self, around: HasResources) -> Iterator[str | SdfInertiaError]:
        """None."""
        return iter(())

    def lumps(self) -> Iterator[list[LumpedPart]]:
        """The links that sdformat, which Gazebo reads URDF with, lumps over fixed joints."""
        return self.joints.lumps()

    def assemblies(self, around: HasResources) -> Iterator[Assembly]:
        """The robot, its joints at zero."""
        yield Assembly(self.name, self.path, False, self._placed_links(), self.joints.placed(self.name), [])

    def _placed_links(self) -> Iterator[PlacedLink]:
        for link in self.all_links():
            pose: RigidTransform | SdfInertiaError
            try:
                pose = self.joints.pose_of(link.name)
            except SdfInertiaError as error:
                pose = error
            yield PlacedLink(link, link.scoped_name, True, pose)

    # The model ------------------------------------------------------------------------------------------------------

    @property
    def key(self) -> Hashable:
        """There is one of them in a document."""
        return self.element.start

    def all_links(self) -> list[Link]:
        """Its links, in the order of the file."""
        if self._links is None:
            self._links = [Link(self, child) for child in self.element.children if child.name == "link"]
        return self._links

    def lost_frames(self, around: HasResources) -> Iterator[Defect]:
        """None: there are no frames but the links'."""
        return iter(())

    def lost_references(self, around: HasResources) -> Iterator[Defect]:
        """The ends of joints that name no link."""
        return self.joints.lost_ends()

    @cached_property
    def joints(self) -> JointTable:
        """Its joints."""
        from sdfinertia.urdf.joints import JointTable

        links: dict[str, Link] = {}
        for link in self.all_links():
            links.setdefault(link.name, link)
        return JointTable(self.element, links, has_quaternions=self.has_quaternions)

    @cached_property
    def colours(self) -> dict[str, Colour]:
        """The colours of its named materials; of two of a name the first."""
        found: dict[str, Colour] = {}
        for material in self.element.children_named("material"):
            colour = read_colour(material)
            if colour is not None:
                found.setdefault(material.attribute("name") or "", colour)
        return found

    @cached_property
    def namesakes(self) -> dict[int, int]:
        """See `numbers_of_namesakes`, of its links."""
        return numbers_of_namesakes((link.name, link.element.start) for link in self.all_links())

    @cached_property
    def repeated_link_names(self) -> frozenset[str]:
        """Names that more than one link bears."""
        names = [link.name for link in self.all_links()]
        if len(set(names)) == len(names):
            return frozenset()
        seen: set[str] = set()
        return frozenset(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]


def _refuse_xacro(document: Document) -> None:
    """Refuses a file in which an element of xacro is left.

    Raises:
        TextError: there is one.
    """
    if _XACRO_PREFIX.encode() not in document.data:
        return
    pending: list[Element] = list(reversed(document.roots))
    while pending:
        element = pending.pop()
        if element.name.startswith(_XACRO_PREFIX):
            raise TextError(
                f"<{shorten(element.name)}> is unexpanded xacro", location=element.location(), remedy=XACRO_REMEDY
            )
        pending += reversed(element.children)
