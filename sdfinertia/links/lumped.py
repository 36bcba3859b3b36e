"""The study of a group of fixed links: rules take it where they take that of a link."""

from __future__ import annotations

from math import dist, inf
from typing import TYPE_CHECKING

from sdfinertia.errors import FrameError, SdfInertiaError
from sdfinertia.links.facts import fact
from sdfinertia.links.groups import StudyOf, geometry_of, sum_of
from sdfinertia.links.study import Study
from sdfinertia.links.unjudged import missing_uri
from sdfinertia.robot.solid_kinds import COLLISION, VISUAL, SolidKind
from sdfinertia.shapes import Bounds, bounds_around, extent_of_box, placed_bounds

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.robot.groups import Group, Member
    from sdfinertia.robot.inertial import Written

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
        """How many links are fixed to the one that is named."""
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

    @fact
    def judged(self) -> Written | None:
        """No author wrote its numbers: it is a sum."""
        return None

    @fact
    def hand_written(self) -> SpatialInertia | None:
        """The sum of the written inertials; None where one is to be computed or cannot be read."""
        studies = [self.study_of(member.link) for member in self.group.members]
        if any(each.asks is not False or each.link.is_inferred or each.is_static for each in studies):
            return None
        total, errors = sum_of(self.group, self.study_of)
        return total if not errors else None

    @fact
    def box(self) -> Bounds | None:
        """The box round the boxes of all solids; None where any is unbounded or cannot be read."""
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
        """Keeps the reason where a link that is not drawn itself is unknown; others keep their own reasons."""
        is_drawn = any(map(self.link.has_solids, (COLLISION, VISUAL)))
        for error in errors if not is_drawn and study.hand_written is None else ():
            self.carrier.keep(error, kind, is_finding=not isinstance(error, FrameError) and not missing_uri(error))

    @property
    def is_static(self) -> bool:
        """A link that never moves has no sum."""
        return False

    @fact
    def is_drawn_round_its_masses(self) -> bool:
        """Whether each link with mass has its centre in its own box; else parts of it are not drawn."""
        total = self.hand_written
        return total is not None and not any(
            _is_off_centre(self.study_of(member.link), _NOMINAL * total.mass) for member in self.group.members
        )

    @fact
    def drawn(self) -> SpatialInertia | None:
        """The body that its geometry gives, at any mass."""
        try:
            return geometry_of(self.group, self.study_of)
        finally:
            self.context.forget_contents()

    def is_selected_by_name(self, code: str) -> bool:
        """A rule selected by its code applies to links, not to groups."""
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
    """Whether a link is drawn, or weighs anything; frames do neither."""
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
    bounds = study.known("bounds")
    return bounds is not None and bounds.distance_outside(body.p_BoBcm_B) > 0.0
