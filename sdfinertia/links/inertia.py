"""The inertia of a link: its collisions as solids of their densities, summed in the link frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.collision_inertia import CollisionInertia, collision_inertia
from sdfinertia.links.inputs import LinkInputs, fault_location
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.treatment import UNION

# A link of this size or mass is more often one whose file is in millimetres than one that is meant.
_LARGE_EXTENT = 10.0
_LARGE_MASS = 10_000.0
IN_MILLIMETRES = "is a file in millimetres?"


class LinkInertia(NamedTuple):
    """The inertia of a link in its own frame, and what it is the sum of."""

    inertia: SpatialInertia
    collisions: tuple[CollisionInertia, ...]
    notes: tuple[str, ...]


def link_inertia(inputs: LinkInputs, surroundings: Surroundings, *, is_static: bool = False) -> LinkInertia:
    """The inertia that the inputs say; scaled to the mass where one was given.

    Raises:
        SdfInertiaError: a collision is no solid, or the sum is not physical.
    """
    parts: list[CollisionInertia] = []
    for collision in inputs.counting():
        try:
            parts.append(collision_inertia(collision, surroundings))
        except SdfInertiaError as error:
            raise error.within(location=fault_location(error, collision.solid), collision=collision.name) from None
    if inputs.overlaps == UNION and len(parts) > 1:
        # Loaded where volume is shared: it needs numpy and a library for boolean operations.
        from sdfinertia.links.overlaps import without_shared_volume

        parts = without_shared_volume(parts, inputs.counting(), surroundings)
    total = parts[0].inertia
    for part in parts[1:]:
        total = total + part.inertia
    if inputs.mass is not None:
        total = total.scaled_to_mass(inputs.mass)
    if not total.is_physically_valid():
        raise InertiaError(
            f"the computed inertia is not physical: mass {total.mass:g} kg, principal moments "
            + " ".join(f"{moment:g}" for moment in total.principal_moments())
        )
    notes = (*inputs.notes, *_notes_of(parts, total.mass, is_static))
    return LinkInertia(total, tuple(parts), notes)


def _notes_of(parts: list[CollisionInertia], mass: float, is_static: bool) -> Iterator[str]:
    for part in parts:
        for note in part.notes:
            yield f"collision {part.name!r}: {note}"
    extent = max(part.extent for part in parts)
    if not is_static and (extent > _LARGE_EXTENT or mass > _LARGE_MASS):
        size = f"{extent:g} m" if extent > _LARGE_EXTENT else f"{mass:g} kg"
        yield f"a link of {size}: {IN_MILLIMETRES}"
