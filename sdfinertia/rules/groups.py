"""Rules in groups of links that fixed joints make one body: the sum of inertials beside the geometry."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.nearest_valid import largest_factor, relative_moments
from sdfinertia.links.groups import Lumped, group_of, harm_of, lumped, solid_box
from sdfinertia.robot.link import COLLISION, VISUAL, known
from sdfinertia.robot.problems import Command, Problem
from sdfinertia.rules import evidence, plausibility
from sdfinertia.rules.remedies import WRITE_TENSOR, for_numbers
from sdfinertia.rules.rule import ABOUT_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Sequence

    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.study import Study
    from sdfinertia.shapes import Bounds

_DENSITY, _TENSOR = plausibility.implausible_density.code, evidence.tensor_differs_from_geometry.code
# Ratios of moments to those of the box of all shapes within which no geometry could be far off.
_LIGHT_IN_BOX, _HEAVY_IN_BOX = 1 / 4, 1.0
# Part of the largest moment: fixed links may be mass points, which have no moment about a long axis through them.
_SLENDER = 0.01

# The code of a rule, and a problem that it finds.
Found = tuple[str, Problem]


class GroupFindings:
    """Each group is judged once, at its first link, for the link that carries most of the deviation."""

    def __init__(self, codes: Collection[str]) -> None:
        self._codes = codes
        self._groups: dict[Hashable, Lumped | None] = {}
        self._found: dict[Hashable, list[Found]] = {}

    def with_group(self, study: Study, alone: Sequence[Found]) -> list[Found]:
        """The findings in a link, less those that its group disproves, and those in its group that add to them."""
        place = study.link.place
        if place not in self._groups:
            group = lumped(study)
            self._groups.update((member.link.place, group) for member, _ in group_of(study).members)
            for at, code, problem in _judged(group, self._codes) if group is not None else ():
                self._found.setdefault(at.link.place, []).append((code, problem))
        if self._is_light(study):
            alone = [each for each in alone if each[0] != _DENSITY]
        repeats = not ABOUT_NUMBERS.isdisjoint(code for code, _ in alone)
        return [*alone, *(self._found.get(place, []) if not repeats else [])]

    def _is_light(self, study: Study) -> bool:
        """Whether the mass of a link and those fixed to it fits into the box of all, even if not into its own."""
        group = self._groups[study.link.place]
        if group is None or group.hand_written is None or group.box is None or study.is_selected_by_name(_DENSITY):
            return False
        return not any(True for _ in plausibility.denser_than_metal(group))


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
        others = len(at.group.members) - 1
        links = "a link" if others == 1 else f"{others} links"
        what, colon, why = problem.message.partition(":")
        message = f"{what}, with {links} fixed to it{colon}{why}"
        yield at, code, problem._replace(message=message, advice=_advice(at.carrier))


def _unlike_drawn(group: Lumped) -> Iterator[tuple[Lumped, Problem]]:
    total, box = group.hand_written, group.box
    if total is None or box is None or not group.is_nearly_a_body or box.distance_outside(total.p_BoBcm_B) > 0.0:
        return
    is_doubtful = _is_off_in_box(total, box) and group.is_drawn_round_its_masses
    drawn = known(group.group.geometry) if is_doubtful else None
    group.context.forget_contents()
    if drawn is None:
        return
    off = largest_factor(total.I_BBcm_B, drawn.scaled_to_mass(total.mass).I_BBcm_B)
    if not isnan(off) and evidence.is_far(total, drawn, _SLENDER):
        at = group.named_by(drawn)
        yield at, plausibility.tensor_problem(at, evidence.off_words(total, drawn, "their shapes"))


def _is_off_in_box(total: SpatialInertia, box: Bounds) -> bool:
    low, _, high = relative_moments(total.I_BBcm_B, solid_box(box).scaled_to_mass(total.mass).I_BBcm_B)
    return low < _LIGHT_IN_BOX or high > _HEAVY_IN_BOX


def _advice(study: Study) -> str | Command:
    if not (study.link.has_solids(COLLISION) or study.link.has_solids(VISUAL)):
        return WRITE_TENSOR
    advice = for_numbers(study)
    if not isinstance(advice, Command):
        return advice
    computed = (study.by(geometry="visual") if "visual" in advice.words else study).computed
    if isinstance(computed, SdfInertiaError):
        return WRITE_TENSOR
    harm = harm_of(study, computed.inertia)
    return f"don't refill: by its shapes, {harm}; take its tensor from CAD" if harm else advice
