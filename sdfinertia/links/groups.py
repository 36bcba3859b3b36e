"""Groups of fixed links: their inertia by inertials and by geometry, and the study that rules take of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from math import dist, inf
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia, welded
from sdfinertia.links.simulated import simulated
from sdfinertia.links.solids import CLOSED, ShapeBody, shape_bodies
from sdfinertia.links.study import Study
from sdfinertia.robot.link import COLLISION, VISUAL, SolidKind, attempt, known
from sdfinertia.shapes import Bounds, bounds_around, extent_of_box, placed_bounds

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.robot.inertial import Written
    from sdfinertia.robot.link import Group, Link, Member


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
        body = attempt(added, study_of(link))
        if isinstance(body, SdfInertiaError):
            errors.append((link.scoped_name, body))
        elif body is not None:
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
    before = accumulate([None, *bodies], _sum)
    behind = [*accumulate([None, *reversed(bodies)], _sum)][-2::-1]
    return map(_sum, before, behind)


def _sum(one: SpatialInertia | None, other: SpatialInertia | None) -> SpatialInertia | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


def counted(study: Study) -> SpatialInertia | None:
    return known(attempt(added, study))


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
    box = study.bounds_if_known(VISUAL)
    return box is not None and box.is_marker


def _is_likely(study: Study, body: ShapeBody, mass: float) -> bool:
    if not (body.volume > 0.0 and mass <= _DENSEST * body.volume and body.inertia.can_be_judged):
        return False
    box = study.bounds_if_known(body.kind)
    return box is not None and not box.is_marker


# A link below this part of the group's mass moves no sum.
_NOMINAL = 0.01


class Lumped(Study):
    """The facts of a group, in the frame of the link that is named for them.

    Attributes:
        carrier: the study of that link, whose inertial was written by others.
        group: without links that neither weigh anything nor are drawn.
    """

    def __init__(self, carrier: Study, group: Group, study_of: StudyOf) -> None:
        super().__init__(carrier.link, carrier.options, carrier.context)
        self.carrier = carrier
        self.group = group
        self.study_of = study_of

    @property
    def alone(self) -> Study:
        return self.carrier

    @property
    def others(self) -> int:
        return len(self.group.members) - 1

    def named_by(self, reference: SpatialInertia) -> Lumped:
        """The same, named for the link whose inertial is furthest off a reference in this frame, at its own mass.

        By the trace about the centre of the group, in the direction in which the sum is off.
        """
        total = self.hand_written
        assert total is not None, "what is unknown is not compared"
        wanted = reference.scaled_to_mass(1.0).I_BBcm_B.trace
        sign = 1.0 if total.I_BBcm_B.trace > total.mass * wanted else -1.0

        def excess(member: Member) -> float:
            body = self.study_of(member.link).hand_written
            if body is None or not body.mass > 0.0:
                return -inf
            body = body.transformed(member.pose)
            own = body.I_BBcm_B.trace + 2.0 * body.mass * dist(body.p_BoBcm_B, total.p_BoBcm_B) ** 2
            return sign * (own - body.mass * wanted)

        link = max(self.group.members, key=excess).link
        return Lumped(self.study_of(link), self.group.of(link), self.study_of)

    @cached_property
    def judged(self) -> Written | None:
        return None

    @cached_property
    def hand_written(self) -> SpatialInertia | None:
        """The sum of the written inertials; None where one is to be computed or cannot be read."""
        studies = [self.study_of(member.link) for member in self.group.members]
        if any(each.asks is not False or each.link.is_inferred or each.is_static for each in studies):
            return None
        total, errors = sum_of(self.group, self.study_of)
        return total if not errors else None

    @cached_property
    def box(self) -> Bounds | None:
        boxes: list[Bounds] = []
        for link, X_GL in self.group.members:
            study = self.study_of(link)
            for kind in (COLLISION, VISUAL) if any(map(link.has_solids, (COLLISION, VISUAL))) else ():
                found = study.boxes(kind)
                if found.boxes is None or found.errors:
                    self._keep(study, kind, found.errors)
                    return None
                boxes += (placed_bounds(extent_of_box(box), X_GL) for box in found.boxes)
        return bounds_around(boxes) if boxes else None

    def _keep(self, study: Study, kind: SolidKind, errors: list[SdfInertiaError]) -> None:
        is_drawn = any(map(self.link.has_solids, (COLLISION, VISUAL)))
        for error in errors if not is_drawn and study.hand_written is None else ():
            self.carrier.keep(error, kind)

    @property
    def is_static(self) -> bool:
        return False

    @cached_property
    def is_drawn_round_its_masses(self) -> bool:
        total = self.hand_written
        return total is not None and not any(
            _is_off_centre(self.study_of(member.link), _NOMINAL * total.mass) for member in self.group.members
        )

    @cached_property
    def drawn(self) -> SpatialInertia | None:
        try:
            return geometry_of(self.group, self.study_of)
        finally:
            self.context.forget_contents()

    def is_selected_by_name(self, code: str) -> bool:
        return False


def lumped(group: Group, study_of: StudyOf) -> Lumped | None:
    """The study of a group, named for a link whose mass others wrote; None if none has one.

    None too where fixed joints add nothing to a link.
    """
    if len(group.members) < 2:
        return None
    members = tuple(each for each in group.members if _adds(study_of(each.link)))
    written = [each.link for each in members if _is_written_by_others(study_of(each.link))]
    if len(members) < 2 or not written:
        return None
    whole = group.with_members(members)
    return Lumped(study_of(written[0]), whole.of(written[0]), study_of)


def _adds(study: Study) -> bool:
    if study.link.has_solids(COLLISION) or study.link.has_solids(VISUAL) or study.is_requested:
        return True
    body = study.body
    return body is not None and (body.mass != 0.0 or any(body.I_BBcm_B))


def _is_written_by_others(study: Study) -> bool:
    return study.hand_written is not None and study.hand_written.mass > 0.0


def _is_off_centre(study: Study, least: float) -> bool:
    body = study.hand_written
    if body is None or body.mass <= least:
        return False
    bounds = study.bounds_if_known()
    return bounds is not None and bounds.distance_outside(body.p_BoBcm_B) > 0.0
