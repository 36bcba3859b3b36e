"""What rules find in groups: the sum of the inertials of links that fixed joints make one body, beside their geometry."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from math import isnan
from typing import TYPE_CHECKING

from sdfinertia.inertia.nearest_valid import relative_moments
from sdfinertia.links.harm import harm_of, solid_box
from sdfinertia.links.lumped import Lumped, lumped
from sdfinertia.robot.values import COLLISION, VISUAL, Command, Problem
from sdfinertia.rules import evidence, plausibility
from sdfinertia.rules.remedies import WRITE_TENSOR, for_numbers
from sdfinertia.rules.rule import ABOUT_NUMBERS, Rule

if TYPE_CHECKING:
    from sdfinertia.links.groups import StudyOf
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.study import Study
    from sdfinertia.shapes import Bounds

# Of moments beside those of the box of all shapes: within it no geometry is so far off that it is worth its time.
_LIGHT_IN_BOX, _HEAVY_IN_BOX = 1 / 4, 1.0


class GroupJudge:
    """What rules find in the groups of a document, each group once, at the link that it is named for."""

    def __init__(self, rules: Collection[Rule], study_of: StudyOf) -> None:
        self._codes = {rule.code for rule in rules}
        self._study_of = study_of
        self._groups: dict[Hashable, Lumped | None] = {}

    def problems(self, study: Study, found: Collection[str]) -> Iterator[tuple[str, Problem]]:
        """The codes of rules and what they find in the group that is named for a link.

        Args:
            found: the codes of what is found in that link alone: the group then adds nothing.
        """
        place = study.link.place
        if place not in self._groups:
            group = lumped(study, self._study_of)
            members = group.group.members if group is not None else ()
            self._groups[place] = None
            self._groups.update((member.link.place, group) for member in members)
        group = self._groups[place]
        if group is None or group.link.place != place or not ABOUT_NUMBERS.isdisjoint(found):
            return
        if group.hand_written is None or group.box is None:
            return
        for code, problem in _found_in(group, self._codes):
            links = "a link" if group.others == 1 else f"{group.others} links"
            yield code, problem._replace(message=f"with {links} fixed to it, {problem.message}", advice=_advice(group))


def _found_in(group: Lumped, codes: Collection[str]) -> Iterator[tuple[str, Problem]]:
    is_found = False
    for rule in plausibility.OF_BOXES:
        for problem in rule.find(group) if rule.find is not None and rule.code in codes else ():
            is_found = True
            yield rule.code, problem
    if not is_found and "SDI204" in codes:
        for problem in _unlike_drawn(group):
            yield "SDI204", problem


def _unlike_drawn(group: Lumped) -> Iterator[Problem]:
    total, box = group.hand_written, group.box
    if total is None or box is None or not group.is_nearly_a_body or box.distance_outside(total.p_BoBcm_B) > 0.0:
        return
    drawn = group.drawn if _is_off_in_box(total, box) else None
    if drawn is None:
        return
    off = evidence.factor(total, drawn)
    if not isnan(off) and evidence.is_far(total, drawn):
        yield plausibility.tensor_problem(
            group,
            f"has a moment of inertia that differs by a factor of {off:.3g} from that of what is drawn of them at the "
            "same mass",
        )


def _is_off_in_box(total: SpatialInertia, box: Bounds) -> bool:
    """Whether its moments are so unlike those of a body that fills the box that geometry is worth its time."""
    low, _, high = relative_moments(total.I_BBcm_B, solid_box(box).scaled_to_mass(total.mass).I_BBcm_B)
    return low < _LIGHT_IN_BOX or high > _HEAVY_IN_BOX


def _advice(group: Lumped) -> str | Command:
    study = group.carrier
    if not (study.link.has_solids(COLLISION) or study.link.has_solids(VISUAL)):
        return WRITE_TENSOR
    advice = for_numbers(study)
    return advice
