"""The effect of findings: the share of a link in its robot's mass, and how far its numbers are off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.links import Study
from sdfinertia.links.groups import group_of, moment_about, solid_box
from sdfinertia.robot import ParentJoint, attempt, known
from sdfinertia.rules import RULE_OF_CODE, UNREADABLE_GEOMETRY
from sdfinertia.rules.rule import ABOUT_NUMBERS, Effect, Finding, Level

if TYPE_CHECKING:
    from sdfinertia.documents import OpenDocument

# Of the robot's mass, and of the inertia behind a joint: below both a finding is minor.
_LEAST_SHARE, _LEAST_CHANGE = 0.005, 0.01
# kg: a lighter link that is fixed to another only names a frame.
_DUMMY = 1e-3
# Findings on numbers, and those that filling removes.
_OF_BODIES = ABOUT_NUMBERS | {"SDI001", "SDI002", "SDI003", "SDI104"}
_NOTHING = (0.0,) * 6


class Effects:
    """Of the links of a document, by their places."""

    def __init__(self, document: OpenDocument) -> None:
        self._document = document

    def judged(self, study: Study, findings: Sequence[Finding]) -> list[Finding]:
        share, change = self._share(study), None
        # Frames that cannot be resolved, and numbers beyond double precision, are reported by rules.
        with suppress(SdfInertiaError, ArithmeticError):
            if any(each.code in _OF_BODIES for each in findings):
                change = self._change(study, findings)
        found = []
        for finding in findings:
            effect = Effect(share, change if finding.code in _OF_BODIES else None)
            found.append(finding._replace(effect=effect, is_minor=self._is_minor(study, finding, effect)))
        return found

    def _is_minor(self, study: Study, finding: Finding, effect: Effect) -> bool:
        """Errors, unreadable values and rules selected by code never are."""
        code = finding.code
        is_grave = RULE_OF_CODE[code].level is Level.ERROR or code == UNREADABLE_GEOMETRY
        if is_grave or study.options.strict or study.is_selected_by_name(code):
            return False
        if finding.is_minor or effect.share is None:
            return finding.is_minor
        if effect.change is None:
            return code in ABOUT_NUMBERS and self._is_dummy(study)
        return effect.change < _LEAST_CHANGE and (effect.share < _LEAST_SHARE or self._is_dummy(study))

    def _is_dummy(self, study: Study) -> bool:
        body, joint = self._bodies.get(study.link.place), self._joints.get(study.link.place)
        return body is not None and body.mass < _DUMMY and joint is not None and joint.is_fixed

    def _share(self, study: Study) -> float | None:
        body, total = self._bodies.get(study.link.place), self._masses[study.link.place]
        if body is None:
            expected = _expected(study, None)
            return expected.mass / (expected.mass + total) if expected is not None else None
        return min(max(body.mass, 0.0) / total, 1.0) if total > 0.0 else None

    def _change(self, study: Study, findings: Sequence[Finding]) -> float | None:
        place = study.link.place
        counts = self._bodies.get(place)
        after = _proposed(findings) or _expected(study, counts)
        if after is None:
            return None
        X_RL = self._poses.get(place, IDENTITY)
        top = self._tops.get(place, place)
        behind = self._behind.get(top) if self._poses else counts and counts.transformed(X_RL)
        axis = group_of(study).axis_of(study)
        if axis is not None:
            axis = axis.transformed(X_RL)
            origin = axis.point
        elif top in self._joints or behind is None:
            origin = self._poses.get(top, X_RL).translation
        else:
            # No joint is above it: the robot is free to turn about its centre of mass.
            origin = behind.p_BoBcm_B
        total, own, other = (
            _about(body.transformed(pose), origin) if body is not None else _NOTHING
            for body, pose in ((behind, IDENTITY), (counts, X_RL), (after, X_RL))
        )
        # Links to be filled count as computed: the file has no numbers for them.
        new = [a - b + c for a, b, c in zip(total, own, other, strict=True)]
        old = [a - b for a, b in zip(total, own, strict=True)] if study.is_requested else total
        return _difference(old, new, axis.direction if axis is not None else None)

    # The links of the robot -------------------------------------------------------------------------------------------

    @cached_property
    def _bodies(self) -> Mapping[Hashable, SpatialInertia]:
        bodies = ((link.place, known(self._document.study(link).added)) for link in self._document.links())
        return {place: body for place, body in bodies if body is not None}

    @cached_property
    def _masses(self) -> Mapping[Hashable, float]:
        """kg, of the whole robot, by each of its links."""
        found: dict[Hashable, float] = {}
        for _, links in self._document.models:
            bodies = (self._bodies.get(link.place) for link in links)
            total = fsum(body.mass for body in bodies if body is not None and 0.0 < body.mass < 1e300)
            found.update((link.place, total) for link in links)
        return found

    @cached_property
    def _poses(self) -> Mapping[Hashable, RigidTransform]:
        """X_RL of each link; none for a file that includes others, which would all be read."""
        document = self._document
        if document.robot.has_includes:
            return {}
        placed = (each for assembly in document.robot.assemblies(document.context) for each in assembly.links)
        return {each.link.place: each.pose for each in placed if isinstance(each.pose, RigidTransform)}

    @cached_property
    def _joints(self) -> Mapping[Hashable, ParentJoint]:
        found: dict[Hashable, ParentJoint] = {}
        for link in self._document.links():
            joints = known(attempt(lambda each=link: [*each.model.parent_joints(each, self._document.context)]))
            if joints and joints[0].parent != link.element.start:
                found[link.place] = joints[0]
        return found

    @cached_property
    def _parents(self) -> Mapping[Hashable, Hashable]:
        links = [link for link in self._document.links() if link.place in self._joints]
        return {link.place: (id(link.element.document), self._joints[link.place].parent) for link in links}

    @cached_property
    def _order(self) -> list[Hashable]:
        """The links, each before its parent; without those on a cycle and above it."""
        children = Counter(self._parents.values())
        order = [place for place in self._masses if not children[place]]
        for place in order:
            above = self._parents.get(place)
            children[above] -= 1
            if above in self._masses and not children[above]:
                order.append(above)
        return order

    @cached_property
    def _tops(self) -> Mapping[Hashable, Hashable]:
        """The first of the links that fixed joints join with a link."""
        found: dict[Hashable, Hashable] = {}
        for place in reversed(self._order):
            joint = self._joints.get(place)
            above = self._parents.get(place)
            found[place] = found.get(above, above) if joint is not None and joint.is_fixed else place
        return found

    @cached_property
    def _behind(self) -> Mapping[Hashable, SpatialInertia]:
        """The inertia of each link and all below it, in the frame of the robot."""
        placed = ((place, body, self._poses.get(place)) for place, body in self._bodies.items())
        found = {place: body.transformed(X_RL) for place, body, X_RL in placed if X_RL is not None}
        for place in self._order:
            above = self._parents.get(place)
            if above in self._masses and place in found:
                found[above] = found[above] + found[place] if above in found else found[place]
        return found


def _about(body: SpatialInertia, point: Vector3) -> Sequence[float]:
    x, y, z = point
    return body.shifted((-x, -y, -z)).I_BBo_B


def _difference(old: Sequence[float], new: Sequence[float], direction: Vector3 | None) -> float:
    """As a part of the larger: of all entries, and about an axis through the point."""
    largest = max(map(abs, (*old[:3], *new[:3])))
    change = max(abs(b - a) for a, b in zip(old, new, strict=True)) / largest if largest > 0.0 else 0.0
    if direction is not None:
        one, other = (moment_about(tensor, direction) for tensor in (old, new))
        most = max(abs(one), abs(other))
        change = max(change, abs(other - one) / most if most > 0.0 else 0.0)
    return min(change, 1.0)


def _proposed(findings: Sequence[Finding]) -> SpatialInertia | None:
    causes = (finding.why.likeliest for finding in findings if finding.why is not None)
    return next((best.proposal.inertia for best in causes if best is not None and best.proposal is not None), None)


def _expected(study: Study, body: SpatialInertia | None) -> SpatialInertia | None:
    """As rules computed it, at its mass, else of the solid that fills its box."""
    computed = known(study.computed) if "computed" in vars(study) else None
    if computed is not None and (body is None or study.is_requested or study.provenance is not None):
        return computed.inertia
    if body is None or not body.mass > 0.0:
        return None
    if computed is not None and computed.inertia.mass > 0.0:
        return computed.inertia.scaled_to_mass(body.mass)
    box = known(study.bounds()) if "box" in vars(study) else None
    return solid_box(box).scaled_to_mass(body.mass) if box is not None and box.diagonal > 0.0 else None
