"""The result of one link."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.body import Body
    from sdfinertia.robot.link import Link
    from sdfinertia.robot.values import Problem


class Status(str, Enum):
    """What a block is, or what was done with its link; the values are the words that reports have for it."""

    # Filled before, and what the file gives now; nothing is reported.
    CLEAN = "clean"

    FILLED = "filled"
    # Its block was stale.
    REFILLED = "refilled"
    # By what undoes the mistake in it.
    REPAIRED = "repaired"
    # Computed, but not written because another link of the file failed.
    WITHHELD = "withheld"
    # And left so.
    STALE = "stale"
    # By hand, and left.
    EDITED = "edited"
    LEFT = "left"
    FAILED = "failed"

    def __str__(self) -> str:
        return self.value


class LinkResult(NamedTuple):
    """The result of one link.

    Attributes:
        name: its scoped name.
        line: of its opening tag.
        before: the explicit inertia that stood there, or None.
        inertia: the computed one, before rounding, or None.
        text: what was written, or None.
        mass_given: whether its mass is its author's.
        collisions: what it is the sum of.
        notes: defaults, repairs and approximations that shaped it.
        warnings: what is almost certainly wrong with its inputs.
        assumes_density: whether the default density shapes its numbers.
        error: why it failed, or None.
        number: among the links of its name in the file, from 1.
    """

    name: str
    status: Status
    line: int
    before: SpatialInertia | None = None
    inertia: SpatialInertia | None = None
    text: InertialText | None = None
    mass_given: bool = False
    collisions: tuple[Body, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    assumes_density: bool = False
    error: SdfInertiaError | None = None
    number: int = 1

    @property
    def remarks(self) -> tuple[str, ...]:
        """Warnings and notes together."""
        return (*map(str, self.warnings), *self.notes)

    def __repr__(self) -> str:
        # Loaded where it is shown.
        from sdfinertia.notebook import number, screen

        mass = f", {number(self.inertia.mass)} kg" if self.inertia is not None else ""
        said = (*self.remarks, *((str(self.error),) if self.error is not None else ()))
        return screen(f"LinkResult of {self.name}: {self.status}{mass}", said)

    def _row(self) -> dict[str, object]:
        inertia = self.inertia
        return {
            "link": self.name,
            "status": self.status,
            "mass before, kg": self.before.mass if self.before is not None else None,
            "mass, kg": inertia.mass if inertia is not None else None,
            "remarks": "; ".join(self.remarks) if self.error is None else str(self.error),
        }


def failure(link: Link, error: SdfInertiaError) -> LinkResult:
    location = link.location()
    return LinkResult(
        link.scoped_name,
        Status.FAILED,
        location.line,
        error=error.within(location=location, link=link.scoped_name),
        number=link.key.number,
    )
