"""Explaining: the likely mistake in a link's numbers, from its document."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from sdfinertia.causes.case import ABOUT_CENTRE, Case, Explanation, is_near_geometry
from sdfinertia.causes.case_file import CaseFile
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.documents.corrections import correction, proposal_of
from sdfinertia.robot.link import VISUAL
from sdfinertia.rules.registry import SLIP
from sdfinertia.rules.rule import Why

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.solids import ShapeBody
    from sdfinertia.robot.inertial import WrittenBlock
    from sdfinertia.robot.link import Link

# Significant digits from which equality of two numbers is not chance.
_TELLING = 3


class Explainer:
    def __init__(self, document: OpenDocument) -> None:
        self._document = document
        self._searched: dict[object, tuple[Explanation, ...]] = {}

    def whys(self, link: Link, codes: frozenset[str]) -> dict[str, Why]:
        """By code; none for filled or unreadable blocks. Findings about the centre have their own."""
        case = self.case(link)
        return dict(self._whys(link, case, codes)) if case is not None else {}

    def case(self, link: Link) -> Case | None:
        return self.gathering.case(link) if self._document.study(link).provenance is None else None

    @cached_property
    def gathering(self) -> CaseFile:
        return CaseFile(self._document.models, self._document.study)

    def _whys(self, link: Link, case: Case, codes: frozenset[str]) -> Iterator[tuple[str, Why]]:
        for part in _parts(codes):
            # Robots have the same wheel four times: a block beside a geometry is searched once.
            asked = (case.written, case.bodies, case.box, case.drawn, part)
            if asked not in self._searched:
                self._searched[asked] = diagnose(_about(case, part)).explanations
            explanations = self._searched[asked]
            why = Why(case.written, explanations, _computed(case))
            obstacle = repair_obstacle(case, explanations) if explanations else why.unexplained
            if not obstacle:
                study_of, proposal = self._document.study, proposal_of(explanations[0])
                found = correction(study_of(link), case.written, proposal, study_of, self._document.options.digits)
                obstacle = found if isinstance(found, str) else ""
            why = why._replace(obstacle=obstacle)
            yield from ((code, why) for code in part)


def _parts(codes: frozenset[str]) -> list[frozenset[str]]:
    return [part for part in (codes - ABOUT_CENTRE, codes & ABOUT_CENTRE) if part]


def _about(case: Case, findings: frozenset[str]) -> Case:
    # Links with findings of slips alone are valid bodies, and slips alone explain them.
    return replace(case, findings=findings - {SLIP})


def repair_obstacle(case: Case, explanations: Sequence[Explanation]) -> str:
    """Why `repair` leaves the likeliest mistake; "" where it is certain, and digits or a mesh confirm it."""
    likeliest = explanations[0]
    said = likeliest.sentence
    if likeliest.proposal is None:
        return f"{said}; the original number is lost"
    if likeliest.is_placeholder:
        return f"{said}; placeholders are replaced on request only: `sdfinertia repair --by geometry`"
    if not likeliest.is_certain:
        if not likeliest.is_likely:
            return "no likely cause"
        share = min(99, round(100 * likeliest.share))
        return f"likely but not certain: {likeliest.cause} ({share} %): {said}"
    is_proved = likeliest.is_proved_by_digits or _moves_points_alone(case.written, likeliest.proposal)
    if is_proved or is_near_geometry(likeliest.proposal, _meshes(case)):
        return ""
    return f"{said}; neither the digits nor a mesh confirm it"


def _moves_points_alone(written: WrittenBlock, proposal: WrittenBlock) -> bool:
    changed = [
        (_digits(old), _digits(new))
        for old, new in zip(written.entry_texts, proposal.entry_texts, strict=True)
        if old != new
    ]
    stays = (written.mass, written.centre, written.rotation) == (proposal.mass, proposal.centre, proposal.rotation)
    return stays and bool(changed) and all(old == new and len(old) >= _TELLING for old, new in changed)


def _digits(text: str) -> str:
    return text.lower().partition("e")[0].replace(".", "").strip("+-0")


def _meshes(case: Case) -> list[ShapeBody]:
    # Hulls and shells are those of links whose visuals are meshes alone.
    drawn = any(body.kind is VISUAL and body.filling != "solid" for body in case.bodies)
    return [body for body in case.bodies if (drawn if body.kind is VISUAL else body.is_exact_mesh)]


def _computed(case: Case) -> SpatialInertia | None:
    """At the written mass: of an exact mesh before others, a collision before a visual."""
    if not (case.bodies and 0.0 < case.written.mass < inf):
        return None
    best = max(case.bodies, key=lambda body: (body.is_exact_mesh, body.filling == "solid"))
    return best.inertia.scaled_to_mass(case.written.mass)


def explainer_of(document: OpenDocument) -> Explainer:
    if "explainer" not in document.kept:
        document.kept["explainer"] = Explainer(document)
    kept: Explainer = document.kept["explainer"]
    return kept
