"""Explaining: what mistake a link's numbers show, from all that its document and its repository know of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from sdfinertia.causes.case import Filling
from sdfinertia.causes.gathering import Gathering, Version
from sdfinertia.causes.link_numbers import written_block
from sdfinertia.causes.relatives import twin_names
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.rules.rule import Why
from sdfinertia.rules.slips import SLIP

if TYPE_CHECKING:
    from sdfinertia.causes.case import Case, Relative, WrittenBlock
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.robot.link import Link

# Of the links of the smaller of two robots: every robot has a base and a camera.
_ALIKE = 0.5


class Explainer:
    """The causes of what is wrong in the links of one document.

    Args:
        document: whose links are explained.
    """

    def __init__(self, document: OpenDocument) -> None:
        self._document = document

    def why(self, link: Link, codes: Iterable[str]) -> Why | None:
        """What explains the numbers of a link; None where they are not its author's, or cannot be read.

        Args:
            codes: of the rules that find something in it.
        """
        # Loaded where something is to be explained: it needs numpy.
        from sdfinertia.causes.diagnosis import diagnose

        # What is found by a slip alone is a body's, and explained by slips alone.
        case = self.case(link, set(codes) - {SLIP.code})
        return Why(case.written, diagnose(case).explanations, _computed(case)) if case is not None else None

    def case(self, link: Link, codes: Iterable[str] = ()) -> Case | None:
        """What is known of a link; None where its numbers are not its author's, or cannot be read."""
        if self._document.study(link).provenance is not None:
            return None
        return self._gathering.case(link, codes)

    def twins(self, link: Link) -> list[Relative]:
        """The twins of a link; see `Gathering.twins`."""
        return self._gathering.twins(link)

    def block(self, link: Link) -> WrittenBlock | None:
        """The numbers of a link as they stand; None where it has none that count, or they cannot be read."""
        return self._gathering.block(link)

    @cached_property
    def _gathering(self) -> Gathering:
        document = self._document
        return Gathering(document.robot, document.models, document.study, self._versions)

    def _versions(self, link: Link) -> Iterator[Version]:
        """The links of the same name in other files of the repository."""
        index = self._document.surroundings.versions
        own = os.path.abspath(link.file)
        for path in index.files_naming(link.name, link.file):
            blocks = index.remembered(path, self._blocks_in)
            if not self._is_alike({name for name, _ in blocks}):
                continue
            for name, block in blocks:
                if name == link.name:
                    shown = os.path.relpath(path, os.path.dirname(own))
                    yield Version(shown, block, _is_of_other_side(path, own))

    @cached_property
    def _names(self) -> set[str]:
        """The names of the links that have numbers."""
        return {link.name for link in self._document.links() if self.block(link) is not None}

    def _is_alike(self, names: set[str]) -> bool:
        """Whether the links of another file are so many of this one's that it is another version of the robot."""
        return len(names & self._names) >= _ALIKE * min(len(names), len(self._names))

    def _blocks_in(self, path: str) -> list[tuple[str, WrittenBlock]]:
        """The names of the links in a file, with their numbers; none where it cannot be read."""
        try:
            document = open_document(path, self._document.options, self._document.surroundings)
            blocks = [(link.name, written_block(document.study(link))) for link in document.links()]
        except SdfInertiaError:
            return []
        return [(name, block) for name, block in blocks if block is not None]


def _is_of_other_side(path: str, own: str) -> bool:
    """Whether files, or the directories in which they lie, are called left and right."""
    top = os.path.commonpath((path, own))
    other = os.path.relpath(path, top)
    return any(
        twin.is_across and not twin.is_along and twin.name == other for twin in twin_names(os.path.relpath(own, top))
    )


def _computed(case: Case) -> SpatialInertia | None:
    """What the geometry gives at the mass that is written: an exact mesh before others, a collision before a visual."""
    if not (case.bodies and 0.0 < case.written.mass < inf):
        return None
    best = max(case.bodies, key=lambda body: (body.is_exact_mesh, body.filling is Filling.SOLID))
    return best.inertia.scaled_to_mass(case.written.mass)
