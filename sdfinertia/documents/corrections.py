"""The correction of a link and the mistake that explains it: what `check` announces, and `repair` and editors write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import inf, isclose
from typing import NamedTuple

from sdfinertia.causes.case import ABOUT_CENTRE, Case, Explanation, is_near_geometry
from sdfinertia.causes.case_file import CaseFile
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.documents import OpenDocument
from sdfinertia.documents.link_results import edits_read_back
from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.inertial_text import InertialText, format_number, tensor_text
from sdfinertia.inertia.rigid_transform import rotation_from_rpy, rpy_from_rotation
from sdfinertia.links import Study
from sdfinertia.links.groups import harm_of
from sdfinertia.links.solids import ShapeBody
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.markup import Edit
from sdfinertia.robot import VISUAL, Link, attempt
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial
from sdfinertia.robot.names import repair_comment
from sdfinertia.rules import SLIP
from sdfinertia.rules.rule import Why

# Tolerance as a part of the trace: written numbers may have five digits.
_ROUNDED = 1e-4
# Significant digits from which equality of two numbers is not chance.
_TELLING = 3
# Relative difference within which a number is unchanged but for rounding.
_EQUAL = 1e-12


class Proposal(NamedTuple):
    """Numbers to write; `note` is one sentence on them."""

    block: WrittenBlock
    cause: str
    note: str


def proposal_of(explanation: Explanation) -> Proposal:
    assert explanation.proposal is not None, "what nothing stands in the way of is proposed"
    return Proposal(explanation.proposal, explanation.cause, explanation.sentence)


class Correction(NamedTuple):
    """The edits that write a proposal, its texts, and the inertia that a parser then reads."""

    edits: Sequence[Edit]
    text: InertialText
    inertia: SpatialInertia


def correction(study: Study, written: WrittenBlock, proposal: Proposal, digits: int) -> Correction | str:
    found = attempt(_correction, study, written, proposal, digits)
    return found.problem if isinstance(found, SdfInertiaError) else found


def _correction(study: Study, written: WrittenBlock, proposal: Proposal, digits: int) -> Correction | str:
    link, (block, cause, note) = study.link, proposal
    link.require_own_name()
    keeps_pose = block.centre == written.centre and block.rotation == written.rotation
    text, texts = repaired_text(written, block, digits), link.written_texts()
    if texts is not None and keeps_pose and text.tensor == tuple(texts.tensor) and text.mass == texts.mass:
        return "it has these numbers already"
    after = block_of(text, written if keeps_pose else None).inertia
    if not after.is_physically_valid(rtol=_ROUNDED):
        return f"undoing the mistake ({cause}) gives a physically impossible tensor too"
    new = NewInertial(text, repair_comment(cause), study.own_comment, keeps_pose=keeps_pose, keeps_axes=keeps_pose)
    edits = edits_read_back(link, new, after)
    harm = harm_of(study, after)
    return f"{note}; repaired so, {harm}" if harm else Correction(edits, text, after)


def repaired_text(written: WrittenBlock, proposal: WrittenBlock, digits: int) -> InertialText:
    """The texts of a proposal: unchanged numbers keep theirs, others use known digits, else are rounded."""
    computed: Sequence[str] = ("",) * len(TENSOR_NAMES)
    if not any(proposal.entry_texts):
        found = tensor_text(proposal.mass, proposal.tensor, digits)
        if found is None:
            raise InertiaError(
                f"libsdformat rejects the tensor when it is written with {digits} digits", remedy="write more --digits"
            )
        computed = found
    tensor = tuple(
        _entry(
            getattr(written.entry_texts, name),
            getattr(written.tensor, name),
            getattr(proposal.entry_texts, name) or known,
            float(known) if known else getattr(proposal.tensor, name),
            digits,
        )
        for name, known in zip(TENSOR_NAMES, computed, strict=True)
    )
    mass = _entry(written.mass_text, written.mass, proposal.mass_text, proposal.mass, digits)
    position = [
        _entry(*entries, digits)
        for entries in zip(written.centre_texts, written.centre, proposal.centre_texts, proposal.centre, strict=True)
    ]
    if proposal.rotation == written.rotation and all(written.angle_texts):
        angles = list(written.angle_texts)
    else:
        angles = [format_number(angle, digits) for angle in rpy_from_rotation(proposal.rotation)]
    return InertialText(" ".join([*position, *angles]), mass, tensor)


def _entry(old: str, value: float, new: str, wanted: float, digits: int) -> str:
    if old and isclose(value, wanted, rel_tol=_EQUAL, abs_tol=0.0):
        return old
    if new and isclose(float(new), wanted, rel_tol=_EQUAL, abs_tol=0.0):
        return new
    return format_number(wanted, digits)


def block_of(text: InertialText, posed: WrittenBlock | None) -> WrittenBlock:
    """The numbers of a text; centre and axes of `posed` if that is given."""
    x, y, z, roll, pitch, yaw, mass, *entries = text.numbers()
    tensor = InertiaTensor(**dict(zip(TENSOR_NAMES, entries, strict=True)))
    if posed is not None:
        return WrittenBlock(mass, posed.centre, tensor, posed.rotation)
    return WrittenBlock(mass, (x, y, z), tensor, rotation_from_rpy(roll, pitch, yaw))


# The likely mistake in a link's numbers -------------------------------------------------------------------------------


class Explainer:
    def __init__(self, document: OpenDocument) -> None:
        self._document = document
        self._searched: dict[object, tuple[Explanation, ...]] = {}

    def whys(self, link: Link, codes: frozenset[str]) -> dict[str, Why]:
        """By code; none for filled or unreadable blocks. Findings about the centre have their own."""
        case, study, found = self.case(link), self._document.study(link), dict[str, Why]()
        if case is None:
            return found
        for part in filter(None, (codes - ABOUT_CENTRE, codes & ABOUT_CENTRE)):
            # Robots have the same wheel four times: a block beside a geometry is searched once.
            asked = (case.written, case.bodies, case.box, case.drawn, part)
            if asked not in self._searched:
                # Links with findings of slips alone are valid bodies, and slips alone explain them.
                self._searched[asked] = diagnose(replace(case, findings=part - {SLIP})).explanations
            explanations = self._searched[asked]
            why = Why(case.written, explanations, _computed(case))
            obstacle = repair_obstacle(case, explanations) if explanations else why.unexplained
            if not obstacle:
                announced = correction(study, case.written, proposal_of(explanations[0]), study.options.digits)
                obstacle = announced if isinstance(announced, str) else ""
            found.update(dict.fromkeys(part, why._replace(obstacle=obstacle)))
        return found

    def case(self, link: Link) -> Case | None:
        return self.gathering.case(link) if self._document.study(link).provenance is None else None

    @cached_property
    def gathering(self) -> CaseFile:
        return CaseFile(self._document.models, self._document.study)


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
    document.explainer = document.explainer or Explainer(document)
    found: Explainer = document.explainer
    return found
