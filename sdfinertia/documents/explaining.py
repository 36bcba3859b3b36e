"""Explaining: the likely mistake in a link's numbers, from its document and its repository."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from sdfinertia.causes.case import ABOUT_CENTRE, Elsewhere, is_near_geometry
from sdfinertia.causes.gathering import Gathering, Version
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.lazy import cached_property
from sdfinertia.links.written_block import written_block
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.solid_kinds import COLLISION, VISUAL
from sdfinertia.robot.twin_names import twin_names
from sdfinertia.rules.evidence import SLIP
from sdfinertia.rules.rule import Why
from sdfinertia.shapes import MeshShape

if TYPE_CHECKING:
    from sdfinertia.causes.case import Case, Diagnosis, Explanation
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.solids import ShapeBody
    from sdfinertia.links.written_block import WrittenBlock
    from sdfinertia.robot.link import Link

# Part of the smaller robot's links that another must have, to be its version: every robot has a base and a camera.
_ALIKE = 0.5
# Significant digits from which equality of two numbers is not chance.
_TELLING = 3
# Part of the link names that must begin with the name of the robot for it to be their prefix.
_MOSTLY = 0.6
# Shares from which a cause may become certain: of 750 injected mistakes that are certain, the least that closed shapes
# alone give one is 0.77. A link that agrees multiplies odds by 400.
_LIKELY, _PROMISING = 0.5, 0.19
# Files with the digits of a block that are searched.
_MAX_PLACES = 6


class _Other(NamedTuple):
    """A link of another file."""

    name: str
    block: WrittenBlock
    shapes: frozenset[Hashable]


def _shapes_of(link: Link) -> frozenset[Hashable]:
    """The shapes of a link: names of meshes, wherever they lie, and primitives with their sizes."""
    try:
        shapes = [solid.shape() for kind in (COLLISION, VISUAL) for solid in link.solids(kind)]
    except SdfInertiaError:
        return frozenset()
    return frozenset((type(one), os.path.basename(one.uri) if isinstance(one, MeshShape) else one) for one in shapes)


class Explainer:
    def __init__(self, document: OpenDocument) -> None:
        self._document = document

    def whys(self, link: Link, codes: frozenset[str]) -> dict[str, Why]:
        """The explanation of each finding in the numbers of a link; none for filled or unreadable blocks.

        Findings about the centre of mass have their own.
        """
        case = self.case(link)
        return dict(_whys(case, codes)) if case is not None else {}

    def certain_whys(self, link: Link, codes: frozenset[str]) -> dict[str, Why]:
        """The same, as far as `repair` may undo it; evidence is gathered only as far as it may make that certain."""
        # Loaded where something is to be explained: it needs numpy.
        from sdfinertia.causes.diagnosis import promise, settled

        case = self.case(link, is_quick=True)
        if case is None:
            return {}
        shares = {part: promise(_about(case, part)) for part in _parts(codes)}
        codes = frozenset(code for part, share in shares.items() if share > _PROMISING for code in part)
        if not codes or (max(shares.values()) < _LIKELY and not self.gathering.others_may_agree(link)):
            return {}
        case = self.case(link)
        return dict(_whys(case, codes, settled)) if case is not None else {}

    def case(self, link: Link, *, is_quick: bool = False) -> Case | None:
        if self._document.study(link).provenance is not None:
            return None
        return self.gathering.case(link, is_quick=is_quick)

    @cached_property
    def gathering(self) -> Gathering:
        document = self._document
        return Gathering(document.robot, document.models, document.study, self._versions, self._elsewhere)

    def _elsewhere(self, link: Link, block: WrittenBlock) -> Iterator[Elsewhere]:
        """Blocks with the same digits in files of other robots, on links of any name with other shapes."""
        index = self._document.context.versions
        own = os.path.abspath(self._document.robot.path)
        for place in index.blocks_like(block.tensor, own)[:_MAX_PLACES]:
            others = index.remembered(place.path, self._blocks_in)
            drawn = {shape for other in others if other.name == place.link for shape in other.shapes}
            is_other_robot = len(self._names) == 1 or not self._is_alike({other.name for other in others})
            if others and is_other_robot and drawn.isdisjoint(_shapes_of(link)):
                yield Elsewhere(f"{os.path.relpath(place.path, os.path.dirname(own))} {place.link}", place.mass)

    def _versions(self, link: Link) -> Iterator[Version]:
        """The links of the same name in other versions of the robot."""
        index = self._document.context.versions
        own = os.path.abspath(link.file)
        for path in index.files_naming(link.name, link.file):
            others = index.remembered(path, self._blocks_in)
            if not self._is_alike({other.name for other in others}):
                continue
            for other in others:
                if other.name == link.name:
                    shown = os.path.relpath(path, os.path.dirname(own))
                    yield Version(shown, other.block, _is_of_other_side(path, own))

    @cached_property
    def _names(self) -> set[str]:
        return {link.name for link in self._document.links() if self.gathering.block(link) is not None}

    def _is_alike(self, names: set[str]) -> bool:
        names, own = _bare(names), _bare(self._names)
        return len(names & own) >= _ALIKE * min(len(names), len(own))

    def _blocks_in(self, path: str) -> list[_Other]:
        try:
            document = open_document(path, self._document.options, self._document.context)
            blocks = [(link, written_block(document.study(link))) for link in document.links()]
        except SdfInertiaError:
            return []
        return [_Other(link.name, block, _shapes_of(link)) for link, block in blocks if block is not None]


def _whys(
    case: Case, codes: frozenset[str], find: Callable[[Case], Diagnosis] | None = None
) -> Iterator[tuple[str, Why]]:
    # Loaded where something is to be explained: it needs numpy.
    from sdfinertia.causes.diagnosis import diagnose

    for part in _parts(codes):
        explanations = (find or diagnose)(_about(case, part)).explanations
        why = Why(case.written, explanations, _computed(case))
        why = why._replace(obstacle=repair_obstacle(case, explanations) if explanations else why.unexplained)
        yield from ((code, why) for code in part)


def _parts(codes: frozenset[str]) -> list[frozenset[str]]:
    """Findings that have one cause."""
    return [part for part in (codes - ABOUT_CENTRE, codes & ABOUT_CENTRE) if part]


def _about(case: Case, findings: frozenset[str]) -> Case:
    # Links with findings of slips alone are valid bodies, and slips alone explain them.
    return replace(case, findings=findings - {SLIP.code})


def _bare(names: set[str]) -> set[str]:
    """The names of links without the name of the robot in front."""
    first = Counter(name.partition("_")[0] for name in names)
    ((word, count),) = first.most_common(1) or [("", 0)]
    if count < 2 or count < _MOSTLY * len(names):
        return names
    return {name.removeprefix(f"{word}_") for name in names}


def _is_of_other_side(path: str, own: str) -> bool:
    top = os.path.commonpath((path, own))
    other = os.path.relpath(path, top)
    return any(
        twin.is_across and not twin.is_along and twin.name == other for twin in twin_names(os.path.relpath(own, top))
    )


def repair_obstacle(case: Case, explanations: Sequence[Explanation]) -> str:
    """Why `repair` does not undo the likeliest mistake; "" where it does.

    It does where the cause is certain, and the digits or a mesh confirm it: a closed collision mesh, or a visual mesh.
    Boxes represent sensors, markers and frames as often as for parts.
    """
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
    """Whether only decimal points and exponents change, in entries of three digits or more."""
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
    """The bodies of closed collision meshes and of visual meshes."""
    # Hulls and shells are those of links whose visuals are meshes alone.
    drawn = any(body.kind is VISUAL and body.filling != "solid" for body in case.bodies)
    return [body for body in case.bodies if (drawn if body.kind is VISUAL else body.is_exact_mesh)]


def _computed(case: Case) -> SpatialInertia | None:
    """The inertia of the geometry at the written mass: an exact mesh before others, a collision before a visual."""
    if not (case.bodies and 0.0 < case.written.mass < inf):
        return None
    best = max(case.bodies, key=lambda body: (body.is_exact_mesh, body.filling == "solid"))
    return best.inertia.scaled_to_mass(case.written.mass)
