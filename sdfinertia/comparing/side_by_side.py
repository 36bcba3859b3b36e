"""The links that differ, of both descriptions beside each other, as a scene to be drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.documents.scene import DrawnLink, Scene, scenes_of
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.comparing.comparison import Comparison
    from sdfinertia.documents.opened import OpenDocument

# Gap along y between the two, as a part of the first's width.
_GAP = 0.5


def side_by_side(comparison: Comparison, documents: tuple[OpenDocument, OpenDocument]) -> Scene:
    """The links that differ, or are in one description alone: those of the first and, moved along y, of the second."""
    names = (
        {each.name for each in (*comparison.differing, *comparison.of("only_in_first"))},
        {each.second_name for each in comparison.differing} | {each.name for each in comparison.of("only_in_second")},
    )
    sides = [
        [link for scene in scenes_of(document) for link in scene.links if link.name in chosen]
        for document, chosen in zip(documents, names, strict=True)
    ]
    (low, high), (other_low, _) = (_extent(links) for links in sides)
    width = high - low
    offset = RigidTransform(IDENTITY_ROTATION, (0.0, high - other_low + _GAP * (width or 1.0), 0.0))
    links = (*_named("first", sides[0], None), *_named("second", sides[1], offset))
    return Scene(f"{comparison.first} | {comparison.second}", comparison.second, links, is_world=True)


def _named(side: str, links: Sequence[DrawnLink], offset: RigidTransform | None) -> Iterator[DrawnLink]:
    for link in links:
        pose = link.X_ML if offset is None else offset @ link.X_ML
        yield replace(link, name=f"{side}::{link.name}", X_ML=pose)


def _extent(links: Sequence[DrawnLink]) -> tuple[float, float]:
    found = []
    for link in links:
        body = link.drawn
        _, y, _ = link.X_ML.apply(body.p_BoBcm_B if body is not None else (0.0, 0.0, 0.0))
        size = 2.0 * body.gyradius if body is not None and body.gyradius > 0.0 else 0.0
        found += [y - size, y + size]
    return min(found, default=0.0), max(found, default=0.0)
