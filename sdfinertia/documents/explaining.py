"""Explaining: what mistake a link's numbers show, from all that its document and its repository know of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from sdfinertia.causes.case import Filling, Match, Source
from sdfinertia.causes.gathering import Gathering, Version
from sdfinertia.causes.link_numbers import is_near_geometry, written_block
from sdfinertia.causes.relatives import twin_names
from sdfinertia.description.facts import LinkKey
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.selection import matches
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.rules.rule import Why
from sdfinertia.rules.slips import SLIP

if TYPE_CHECKING:
    from sdfinertia.causes.case import Case, Explanation, GeometryBody, Relative, WrittenBlock
    from sdfinertia.description.protocols import LinkDescription

# Of the links of the smaller of two robots: every robot has a base and a camera.
_ALIKE = 0.5
# Significant digits from which it is no chance that two numbers have the same.
_TELLING = 3


class Explainer:
    """The causes of what is wrong in the links of one document."""

    def __init__(self, document: OpenDocument) -> None:
        self._document = document

    def why(self, link: LinkDescription, codes: Iterable[str]) -> Why | None:
        """What explains the numbers of a link; None where they are not its author's, or cannot be read."""
        # Loaded where something is to be explained: it needs numpy.
        from sdfinertia.causes.diagnosis import diagnose

        # What is found by a slip alone is a body's, and explained by slips alone.
        case = self.case(link, set(codes) - {SLIP.code})
        if case is None:
            return None
        explanations = diagnose(case).explanations
        why = Why(case.written, explanations, _computed(case))
        return why._replace(obstacle=repair_obstacle(case, explanations) if explanations else why.unexplained)

    def case(self, link: LinkDescription, codes: Iterable[str] = ()) -> Case | None:
        """What is known of a link; None where its numbers are not its author's, or cannot be read."""
        if self._document.study(link).provenance is not None:
            return None
        return self._gathering.case(link, codes)

    def twins(self, link: LinkDescription) -> list[Relative]:
        return self._gathering.twins(link)

    def block(self, link: LinkDescription) -> WrittenBlock | None:
        """The numbers of a link as they stand; None where it has none that count, or they cannot be read."""
        return self._gathering.block(link)

    @cached_property
    def _gathering(self) -> Gathering:
        document = self._document
        return Gathering(document.robot, document.models, document.study, self._versions)

    def _versions(self, link: LinkDescription) -> Iterator[Version]:
        """The links of the same name in other files of the repository."""
        index = self._document.surroundings.versions
        own = os.path.abspath(link.file)
        for path in index.files_naming(link.name, link.file):
            blocks = index.remembered(path, self._blocks_in)
            if not self._is_alike({name for name, _ in blocks}):
                continue
            for name, block in blocks:
                if name == link.name:
                    shown = os.path.relpath(path, os.path.dirname(own))
                    yield Version(shown, block, _is_of_other_side(path, own))

    @cached_property
    def _names(self) -> set[str]:
        return {link.name for link in self._document.links() if self.block(link) is not None}

    def _is_alike(self, names: set[str]) -> bool:
        """Whether the links of another file are so many of this one's that it is another version of the robot."""
        return len(names & self._names) >= _ALIKE * min(len(names), len(self._names))

    def _blocks_in(self, path: str) -> list[tuple[str, WrittenBlock]]:
        """The names of the links in a file, with their numbers; none where it cannot be read."""
        try:
            document = open_document(path, self._document.options, self._document.surroundings)
            blocks = [(link.name, written_block(document.study(link))) for link in document.links()]
        except SdfInertiaError:
            return []
        return [(name, block) for name, block in blocks if block is not None]


def _is_of_other_side(path: str, own: str) -> bool:
    """Whether files, or the directories in which they lie, are called left and right."""
    top = os.path.commonpath((path, own))
    other = os.path.relpath(path, top)
    return any(
        twin.is_across and not twin.is_along and twin.name == other for twin in twin_names(os.path.relpath(own, top))
    )


def repair_obstacle(case: Case, explanations: Sequence[Explanation]) -> str:
    """Why `repair` does not write what undoes the likeliest mistake; "" where it does.

    It does where nothing else can have happened, and the digits prove it or a mesh supports it: that of a collision, if
    it is closed, or of a visual. Boxes stand for sensors, markers and frames as often as for parts.
    """
    likeliest = explanations[0]
    said = likeliest.sentence
    if likeliest.proposal is None:
        return f"{said}; what it was is lost"
    if likeliest.is_placeholder:
        return f"{said}; placeholders are not replaced unasked: `sdfinertia repair --by geometry` computes them anew"
    if not likeliest.is_certain:
        return f"{likeliest.cause} is the likeliest cause ({100 * likeliest.share:.0f} %) and not certain: {said}"
    is_proved = likeliest.is_proved_by_digits or _moves_points_alone(case.written, likeliest.proposal)
    if is_proved or is_near_geometry(likeliest.proposal, _meshes(case)):
        return ""
    return f"{said}; that is neither proved by the digits nor supported by a closed collision mesh or a visual mesh"


def _moves_points_alone(written: WrittenBlock, proposal: WrittenBlock) -> bool:
    """Whether entries keep their digits, three or more, and get another decimal point or exponent; all else stays."""
    changed = [
        (_digits(old), _digits(new))
        for old, new in zip(written.entry_texts, proposal.entry_texts, strict=True)
        if old != new
    ]
    stays = (written.mass, written.centre, written.rotation) == (proposal.mass, proposal.centre, proposal.rotation)
    return stays and bool(changed) and all(old == new and len(old) >= _TELLING for old, new in changed)


def _digits(text: str) -> str:
    """The significant digits of a number as it stands."""
    return text.lower().partition("e")[0].replace(".", "").strip("+-0")


def _meshes(case: Case) -> list[GeometryBody]:
    """The bodies of closed collision meshes and of visual meshes."""
    # Hulls and shells are those of links whose visuals are meshes alone.
    drawn = any(body.source is Source.VISUAL and body.filling is not Filling.SOLID for body in case.bodies)
    return [body for body in case.bodies if (drawn if body.source is Source.VISUAL else body.is_exact_mesh)]


def _computed(case: Case) -> SpatialInertia | None:
    """What the geometry gives at the mass that is written: an exact mesh before others, a collision before a visual."""
    if not (case.bodies and 0.0 < case.written.mass < inf):
        return None
    best = max(case.bodies, key=lambda body: (body.is_exact_mesh, body.filling is Filling.SOLID))
    return best.inertia.scaled_to_mass(case.written.mass)


# Of a mass, of the size of a body, of a largest moment: a difference below it is rounding.
_SAME = 1e-3
_ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


class TwinPair(NamedTuple):
    """Two links of which one is the other in a mirror.

    Attributes:
        names: their scoped names.
        one: the first, in its own frame.
        other: the second, as it would read in the frame of the first.
        differences: the quantities that differ, each with both numbers; none where the two agree to a thousandth.
        is_fitting: whether the shapes of one lie on those of the other; None where either has none.
    """

    names: tuple[str, str]
    one: SpatialInertia
    other: SpatialInertia
    differences: tuple[str, ...]
    is_fitting: bool | None


def twin_pairs(document: OpenDocument) -> Iterator[TwinPair]:
    """The twins among the links of a document, each pair once, in the order of the file."""
    explainer = Explainer(document)
    seen: set[LinkKey | None] = set()
    for link in document.links():
        block = explainer.block(link) if link.key not in seen and matches(link, document.options) else None
        if block is None:
            continue
        twins = (twin for twin in explainer.twins(link) if twin.matched_by is not Match.FILE)
        twin = next((twin for twin in twins if twin.key not in seen), None)
        document.surroundings.forget_contents()
        if twin is not None:
            seen |= {link.key, twin.key}
            one, other = block.inertia, twin.block.inertia
            yield TwinPair(
                (link.scoped_name, twin.name), one, other, tuple(_differences(one, other)), twin.has_same_geometry
            )


def _differences(one: SpatialInertia, other: SpatialInertia) -> Iterator[str]:
    if abs(one.mass - other.mass) > _SAME * max(abs(one.mass), abs(other.mass)):
        yield f"mass {one.mass:.6g} and {other.mass:.6g} kg"
    x, y, z = (b - a for a, b in zip(one.p_BoBcm_B, other.p_BoBcm_B, strict=True))
    distance = (x * x + y * y + z * z) ** 0.5
    reach = max(*map(abs, one.p_BoBcm_B), *map(abs, other.p_BoBcm_B), 0.0)
    if distance > _SAME * reach:
        yield f"centres {distance:.3g} m apart"
    largest = max(map(abs, (*one.I_BBcm_B, *other.I_BBcm_B)))
    for name in _ENTRIES:
        a, b = getattr(one.I_BBcm_B, name), getattr(other.I_BBcm_B, name)
        if abs(a - b) > _SAME * largest:
            yield f"{name} {a:.4g} and {b:.4g}"
