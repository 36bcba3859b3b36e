"""The study of a group of fixed links: rules take it where they take that of a link."""

from __future__ import annotations

from math import dist
from typing import TYPE_CHECKING

from sdfinertia.errors import FrameError, SdfInertiaError
from sdfinertia.links.groups import counted, geometry_of, sum_of
from sdfinertia.links.harm import group_of, solid_box
from sdfinertia.links.study import Study, fact
from sdfinertia.robot.values import COLLISION, VISUAL
from sdfinertia.shapes import bounds_around

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.groups import StudyOf
    from sdfinertia.robot.groups import Group, Member
    from sdfinertia.robot.link import Link
    from sdfinertia.robot.values import SolidKind, Written
    from sdfinertia.shapes import Bounds

# Of the mass of the group: what a frame was given so that parsers accept it.
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
        self._study_of = study_of

    @property
    def alone(self) -> Study:
        return self.carrier

    @property
    def others(self) -> int:
        """How many links are fixed to the one that is named."""
        return len(self.group.members) - 1

    @fact
    def judged(self) -> Written | None:
        """Nobody wrote it down as one."""
        return None

    @fact
    def hand_written(self) -> SpatialInertia | None:
        """The sum of what is written; None where any of it is to be computed or cannot be read."""
        studies = [self._study_of(member.link) for member in self.group.members]
        if any(each.asks is not False or each.link.is_inferred or each.is_static for each in studies):
            return None
        total, errors = sum_of(self.group, self._study_of)
        return total if not errors else None

    @fact
    def box(self) -> Bounds | None:
        """The box round all solids; None where any is unbounded or cannot be read."""
        # Loaded where a link is fixed to another.
        from sdfinertia.links.solids import boxes_of

        boxes: list[Bounds] = []
        for link, X_GL in self.group.members:
            for kind in (COLLISION, VISUAL):
                found = boxes_of(link, kind, self.context, X_GL)
                if found.boxes is None or found.errors:
                    self._keep(self._study_of(link), kind, found.errors)
                    return None
                boxes += found.boxes
        return bounds_around(boxes) if boxes else None

    def _keep(self, study: Study, kind: SolidKind, errors: list[SdfInertiaError]) -> None:
        """Keeps why nothing is known of a link that is not drawn itself; others keep their own reasons."""
        from sdfinertia.links.unjudged import missing_uri

        is_drawn = any(map(self.link.has_solids, (COLLISION, VISUAL)))
        for error in errors if not is_drawn and study.hand_written is None else ():
            self.carrier.keep(error, kind, is_finding=not isinstance(error, FrameError) and not missing_uri(error))

    @property
    def is_static(self) -> bool:
        """What never moves has no sum here."""
        return False

    @fact
    def is_drawn_elsewhere(self) -> bool:
        """Whether links without a mass of their own are drawn: they are the part that others weigh."""
        total = self.hand_written
        return total is not None and any(
            _mass(self._study_of(link)) <= _NOMINAL * total.mass
            for link, _ in self.group.members
            if link.has_solids(COLLISION) or link.has_solids(VISUAL)
        )

    @fact
    def drawn(self) -> SpatialInertia | None:
        """The body that its geometry gives, at any mass."""
        try:
            return geometry_of(self.group, self._study_of)
        finally:
            self.context.forget_contents()

    def is_selected_by_name(self, code: str) -> bool:
        """Who selects a rule by its code wants to look closer at links."""
        return False


def lumped(study: Study, study_of: StudyOf) -> Lumped | None:
    """The study of the group of a link, named for the member that differs most from its geometry.

    None where fixed joints add nothing to the link, or nobody wrote a mass.
    """
    group = group_of(study)
    members = tuple(each for each in group.members if _adds(each.link))
    if len(members) < 2:
        return None
    group = group._replace(members=members)
    written = [each for each in members if _is_written_by_others(study_of(each.link))]
    if not written:
        return None
    whole = Lumped(study_of(written[0].link), group, study_of)
    if whole.hand_written is None or whole.box is None:
        return whole
    carrier = max(written, key=lambda each: _deviation(each, whole, study_of))
    return Lumped(study_of(carrier.link), group.of(carrier.link), study_of)


def _adds(link: Link) -> bool:
    return link.has_inertial or link.has_solids(COLLISION) or link.has_solids(VISUAL)


def _is_written_by_others(study: Study) -> bool:
    return study.hand_written is not None and study.hand_written.mass > 0.0


def _mass(study: Study) -> float:
    body = counted(study)
    return body.mass if body is not None else 0.0


def _deviation(member: Member, whole: Lumped, study_of: StudyOf) -> float:
    """How far the moments of a link are from those that its mass has in the box of its group (kg·m²)."""
    assert whole.box is not None and whole.hand_written is not None
    body = counted(study_of(member.link))
    if body is None:
        return 0.0
    body = body.transformed(member.pose)
    distance = dist(body.p_BoBcm_B, whole.hand_written.p_BoBcm_B)
    own = body.I_BBcm_B.trace + 2.0 * body.mass * distance * distance
    return abs(own - body.mass * solid_box(whole.box).I_BBcm_B.trace)
