"""The inertia of a group of fixed links: by its inertials, and by its geometry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia, welded
from sdfinertia.links.simulated import simulated
from sdfinertia.links.solids import CLOSED, ShapeBody, shape_bodies
from sdfinertia.robot.solid_kinds import COLLISION, VISUAL

if TYPE_CHECKING:
    from sdfinertia.links.study import Study
    from sdfinertia.robot.groups import Group
    from sdfinertia.robot.link import Link

StudyOf = Callable[["Link"], "Study"]

# kg/m³: a denser shape represents a part that is not drawn.
_DENSEST = 25_000.0
# kg/m³: a shape lighter than aerogel left its mass to another link.
_LIGHTEST = 1.0


def sum_of(group: Group, study_of: StudyOf) -> tuple[SpatialInertia | None, list[tuple[str, SdfInertiaError]]]:
    """The sum of the inertials of a group, in its frame; and the links whose inertial is unknown, with the reason.

    A link without an inertial adds nothing, as in Gazebo; None where no link has one.
    """
    bodies: list[SpatialInertia] = []
    errors: list[tuple[str, SdfInertiaError]] = []
    for link, X_GL in group.members:
        try:
            body = added(study_of(link))
        except SdfInertiaError as error:
            errors.append((link.scoped_name, error))
        else:
            if body is not None:
                bodies.append(body.transformed(X_GL))
    return welded(bodies) if bodies else None, errors


def geometry_of(group: Group, study_of: StudyOf) -> SpatialInertia | None:
    """The body that the geometry of a group gives, in its frame; its mass means nothing.

    Each link at its own mass, or as written where it has no geometry. All at one density where a link with shapes
    weighs nothing, for then another has its mass. None without shapes.
    """
    drawn: list[SpatialInertia] = []
    at_own_mass: list[SpatialInertia] = []
    is_complete = True
    for link, X_GL in group.members:
        study = study_of(link)
        written = counted(study)
        body = geometry_body(study, written.mass if written is not None else 0.0)
        if body is not None:
            drawn.append(body.inertia.scaled_to_mass(body.volume).transformed(X_GL))
        if body is not None and (written is None or written.mass < _LIGHTEST * body.volume):
            is_complete = False
        elif written is not None and written.mass > 0.0:
            own = body.inertia.scaled_to_mass(written.mass) if body is not None else written
            at_own_mass.append(own.transformed(X_GL))
    if not drawn:
        return None
    return welded(at_own_mass if is_complete and at_own_mass else drawn)


def sums_beside(study: Study, group: Group, study_of: StudyOf) -> tuple[SpatialInertia | None, SpatialInertia | None]:
    """What the geometry of a group gives, and the sum of its other links, in the frame of a link; one sum a group."""
    whole, X_LG = group.whole
    if study.options not in whole.sums:
        try:
            bodies = [(counted(study_of(link)), X_GL) for link, X_GL in whole.members]
            sums = sums_of_others([body.transformed(X_GL) if body is not None else None for body, X_GL in bodies])
            places = [member.link.place for member in whole.members]
            whole.sums[study.options] = geometry_of(whole, study_of), dict(zip(places, sums, strict=True))
        except SdfInertiaError as error:
            whole.sums[study.options] = error.with_traceback(None)
    found = whole.sums[study.options]
    if isinstance(found, SdfInertiaError):
        raise found.copied()
    drawn, by_place = found
    geometry, others = (
        body.transformed(X_LG) if body is not None else None for body in (drawn, by_place[study.link.place])
    )
    return geometry, others


def sums_of_others(bodies: Sequence[SpatialInertia | None]) -> Iterator[SpatialInertia | None]:
    """For each body the sum of all others; None counts for nothing."""
    before = accumulate([None, *bodies], _sum)
    behind = [*accumulate([None, *reversed(bodies)], _sum)][-2::-1]
    return map(_sum, before, behind)


def _sum(one: SpatialInertia | None, other: SpatialInertia | None) -> SpatialInertia | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


def counted(study: Study) -> SpatialInertia | None:
    """The part of a link in sums; None too where that is unknown."""
    try:
        return added(study)
    except SdfInertiaError:
        return None


def added(study: Study) -> SpatialInertia | None:
    """The inertia of a link in sums: the written or computed one, or the one that a simulator has instead."""
    if study.is_auto or not (study.link.is_inferred or study.link.adjusted_by):
        return study.counted

    return simulated(study)


def geometry_body(study: Study, mass: float) -> ShapeBody | None:
    """The shape of a link: an exact mesh of its visuals, else their hull, else its collisions.

    None where all of them are too small for a body of that mass (kg).
    """
    for kind in (VISUAL, COLLISION):
        for filling in (CLOSED, "hull", "solid"):
            body = next(shape_bodies(study.link, study.context, (filling,), (kind,)), None)
            if body is None or (filling is CLOSED and not body.is_closed):
                continue
            if _is_likely(study, body, mass):
                return body
            if filling is CLOSED:
                break
    return None


def is_drawn_as_marker(study: Study) -> bool:
    try:
        box = study.bounds_of(VISUAL)
    except SdfInertiaError:
        return False
    return box is not None and box.is_marker


def _is_likely(study: Study, body: ShapeBody, mass: float) -> bool:
    if not (body.volume > 0.0 and mass <= _DENSEST * body.volume and body.inertia.can_be_judged):
        return False
    try:
        box = study.bounds_of(body.kind)
    except SdfInertiaError:
        return False
    return box is not None and not box.is_marker
