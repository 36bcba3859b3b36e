"""Findings of rules in groups of links that fixed joints make one body: the sum of inertials beside the geometry."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.nearest_valid import largest_factor, relative_moments
from sdfinertia.links.groups import Lumped, lumped
from sdfinertia.links.harm import group_of, harm_of, solid_box
from sdfinertia.robot.link import COLLISION, VISUAL
from sdfinertia.robot.problems import Command, Problem
from sdfinertia.rules import evidence, plausibility
from sdfinertia.rules.registry import IMPLAUSIBLE_DENSITY
from sdfinertia.rules.remedies import WRITE_TENSOR, by_visuals, for_numbers
from sdfinertia.rules.rule import ABOUT_NUMBERS, Rule

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator

    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.groups import StudyOf
    from sdfinertia.links.study import Study
    from sdfinertia.shapes import Bounds

_TENSOR = "SDI204"

# Ratios of moments to those of the box of all shapes within which no geometry could be far off.
_LIGHT_IN_BOX, _HEAVY_IN_BOX = 1 / 4, 1.0
# Part of the largest moment: fixed links may be mass points, which have no moment about a long axis through them.
_SLENDER = 0.01

# The code of a rule, and a problem that it finds.
Found = tuple[str, Problem]


class GroupJudge:
    """Findings of rules in the groups of a document; each group is judged once, at its first link."""

    def __init__(self, rules: Collection[Rule], study_of: StudyOf) -> None:
        self._codes = {rule.code for rule in rules}
        self._study_of = study_of
        self._groups: dict[Hashable, Lumped | None] = {}
        self._found: dict[Hashable, list[Found]] = {}

    def found_at(self, study: Study, alone: Collection[str]) -> list[Found]:
        """Findings of rules in the group of a link, at the link that carries most of the deviation.

        Args:
            alone: the codes of findings in the link by itself, which the group would repeat.
        """
        place = study.link.place
        if place not in self._groups:
            members = group_of(study)
            group = lumped(members, self._study_of)
            self._groups.update((member.link.place, group) for member in members.members)
            for at, code, problem in _judged(group, self._codes) if group is not None else ():
                self._found.setdefault(at.link.place, []).append((code, problem))
        codes = {*alone} - ({IMPLAUSIBLE_DENSITY} if self.is_light(study) else set())
        return self._found.get(place, []) if ABOUT_NUMBERS.isdisjoint(codes) else []

    def is_light(self, study: Study) -> bool:
        """Whether the mass of a link and those fixed to it fits into the box of all, even if not into its own."""
        group = self._groups.get(study.link.place)
        if group is None or group.hand_written is None or group.box is None:
            return False
        is_selected = study.is_selected_by_name(IMPLAUSIBLE_DENSITY)
        return not is_selected and not any(True for _ in plausibility.denser_than_metal(group))


def _judged(group: Lumped, codes: Collection[str]) -> Iterator[tuple[Lumped, str, Problem]]:
    if group.hand_written is None or group.box is None:
        return
    rules = [rule for rule in plausibility.OF_BOXES if rule.code in codes]
    found: list[tuple[Lumped, str, Problem]] = []
    if any(rule.finds(group) for rule in rules):
        boxed = group.named_by(solid_box(group.box))
        found = [(boxed, rule.code, problem) for rule in rules for problem in rule(boxed)]
    if not found and _TENSOR in codes:
        found = [(at, _TENSOR, problem) for at, problem in _unlike_drawn(group)]
    for at, code, problem in found:
        links = "a link" if at.others == 1 else f"{at.others} links"
        what, colon, why = problem.message.partition(":")
        message = f"{what}, with {links} fixed to it{colon}{why}"
        yield at, code, problem._replace(message=message, advice=_advice(at))


def _unlike_drawn(group: Lumped) -> Iterator[tuple[Lumped, Problem]]:
    total, box = group.hand_written, group.box
    if total is None or box is None or not group.is_nearly_a_body or box.distance_outside(total.p_BoBcm_B) > 0.0:
        return
    drawn = group.drawn if _is_off_in_box(total, box) and group.is_drawn_round_its_masses else None
    if drawn is None:
        return
    off = largest_factor(total.I_BBcm_B, drawn.scaled_to_mass(total.mass).I_BBcm_B)
    if not isnan(off) and evidence.is_far(total, drawn, _SLENDER):
        at = group.named_by(drawn)
        yield at, plausibility.tensor_problem(at, evidence.off_words(total, drawn, "their shapes"))


def _is_off_in_box(total: SpatialInertia, box: Bounds) -> bool:
    low, _, high = relative_moments(total.I_BBcm_B, solid_box(box).scaled_to_mass(total.mass).I_BBcm_B)
    return low < _LIGHT_IN_BOX or high > _HEAVY_IN_BOX


def _advice(group: Lumped) -> str | Command:
    study = group.carrier
    if not (study.link.has_solids(COLLISION) or study.link.has_solids(VISUAL)):
        return WRITE_TENSOR
    advice = for_numbers(study)
    if not isinstance(advice, Command):
        return advice
    drawn = by_visuals(study) if "visual" in advice.words else study
    try:
        harm = harm_of(study, drawn.computed.inertia, group.study_of)
    except SdfInertiaError:
        return WRITE_TENSOR
    return f"don't refill: by its shapes, {harm}; take its tensor from CAD" if harm else advice
