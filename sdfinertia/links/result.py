"""What became of one link: what was written, what it was computed from, or why nothing was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import SdfInertiaError

if TYPE_CHECKING:
    from sdfinertia.description.facts import Defect
    from sdfinertia.description.inertial_text import InertialText
    from sdfinertia.description.protocols import LinkDescription
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.collision_inertia import CollisionInertia

# What became of a link.
FILLED, REFILLED, REPAIRED, WITHHELD = "filled", "refilled", "repaired", "withheld"
STALE, EDITED, LEFT, FAILED = "stale", "edited", "left", "failed"


class LinkResult(NamedTuple):
    """What became of one link that was looked at.

    Attributes:
        name: its scoped name.
        status: FILLED, REFILLED (its block was stale), REPAIRED, WITHHELD (computed, but not written because another
            link of the file failed), STALE (and left so), EDITED (by hand, and left), LEFT, FAILED.
        line: of its opening tag.
        before: the explicit inertia that stood there, or None.
        inertia: the computed one, before rounding, or None.
        text: what was written, or None.
        mass_given: whether its mass is its author's.
        collisions: what it is the sum of.
        notes: defaults, repairs and approximations that shaped it.
        warnings: what is near certainly wrong with what it was computed from.
        assumes_density: whether the default density shapes its numbers.
        error: why it failed, or None.
    """

    name: str
    status: str
    line: int
    before: SpatialInertia | None = None
    inertia: SpatialInertia | None = None
    text: InertialText | None = None
    mass_given: bool = False
    collisions: tuple[CollisionInertia, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[Defect, ...] = ()
    assumes_density: bool = False
    error: SdfInertiaError | None = None

    @property
    def remarks(self) -> tuple[str, ...]:
        """Warnings and notes together."""
        said = (f"{problem}; {remedy}" if remedy else problem for problem, remedy, _ in self.warnings)
        return (*said, *self.notes)


def failure(link: LinkDescription, error: SdfInertiaError) -> LinkResult:
    """The result of a link that failed, with the place added to its error."""
    location = link.location()
    return LinkResult(
        link.scoped_name, FAILED, location.line, error=error.within(location=location, link=link.scoped_name)
    )
