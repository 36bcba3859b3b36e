"""The case of a link whose numbers are in doubt: the evidence, and the explanations of a diagnosis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple

from sdfinertia.errors import one_line
from sdfinertia.inertia.nearest_valid import largest_factor
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.links.solids import ShapeBody
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.robot import LinkKey, SolidKind
from sdfinertia.shapes import Bounds, Primitive

ABOUT_CENTRE = frozenset({"SDI201", "SDI208"})  # rules on the place of the centre, which only a wrong centre explains
SAME = 1e-3  # part by which equal masses and centres differ at most (another version of a link has another mass)


def is_same(a: float, b: float, part: float = SAME) -> bool:
    return abs(a - b) <= part * max(abs(a), abs(b))


def distance_to_geometry(block: WrittenBlock, bodies: Sequence[ShapeBody]) -> float | None:
    """The least over bodies of the largest factor between moments about an axis; None without bodies."""
    own = block.inertia.I_BBcm_B
    at_mass = (body.inertia.scaled_to_mass(block.mass).I_BBcm_B for body in bodies) if block.mass > 0.0 else ()
    return min((factor for tensor in at_mass if not isnan(factor := largest_factor(own, tensor))), default=None)


def is_near_geometry(block: WrittenBlock, bodies: Sequence[ShapeBody], within: float = 3.0) -> bool | None:
    factor = distance_to_geometry(block, bodies)
    return factor <= within if factor is not None else None  # parts are hollow and drawn simply


@dataclass(frozen=True)
class Relative:
    """Another link whose numbers are evidence for those of this one."""

    name: str  # scoped
    is_twin: bool  # the mirror image, or another copy, of the same model; else another link with the same tensor
    block: WrittenBlock  # in the axes of this link: mirrored or moved as the geometries are; of other links as written
    verbatim: WrittenBlock  # as written there
    is_near_geometry: bool | None = None  # within a factor of 3 of its own; None where it has none
    has_same_geometry: bool | None = None  # as this link, if it is no twin; None where either has none
    key: LinkKey | None = None


class Habit(NamedTuple):
    """A mistake that a link shares with others of its file."""

    cause: str
    six: tuple[float, ...]  # the tensor without it, about the centre, in link axes (kg·m²)
    links: int

    @property
    def sentence(self) -> str:
        return f"{self.links} links of the file show it beside their meshes, and none contradicts it"


class Drawn(NamedTuple):
    """A solid of a link; `shape` is None for a mesh or a polyline."""

    kind: SolidKind
    shape: Primitive | None
    pose: RigidTransform


@dataclass(frozen=True)
class Case:
    name: str
    written: WrittenBlock
    box: Bounds | None = None
    bodies: tuple[ShapeBody, ...] = ()
    relatives: tuple[Relative, ...] = ()
    findings: frozenset[str] = frozenset()
    file: Any = None  # the `evidence.Habits` of its file, which are counted in cases
    drawn: tuple[Drawn, ...] = ()


@dataclass(frozen=True)
class Explanation:
    cause: str  # name of the hypothesis
    group: str
    sentence: str  # what happened and what shows it, as a person would write in a bug report; no full stop
    proposal: WrittenBlock | None  # without the mistake; None where the right numbers are lost and have no stand-in
    score: float  # natural logarithm of how likely it is, up to a constant of the case
    share: float
    is_certain: bool  # whether it may be written without asking
    evidence: tuple[str, ...]  # for and against, each a sentence without a full stop
    alternatives: int  # changes of the same kind that fit as well
    source: str  # of the proposal: "digits" as written, "twin", "geometry", "nothing" or "elsewhere"
    is_proved_by_digits: bool = False  # and the proposal is made of them alone
    is_placeholder: bool = False  # the numbers never stood for the part

    def __str__(self) -> str:
        """The mistake, how sure that is, and what shows it."""
        return one_line(f"{self.cause} ({self.sureness}): {self.sentence}")

    @property
    def sureness(self) -> str:
        return "certain" if self.is_certain else f"{min(99, round(100 * self.share))} %"

    @property
    def is_likely(self) -> bool:
        """Whether it is likelier than not; others are named only among details."""
        return self.share >= 0.5


@dataclass(frozen=True)
class Diagnosis:
    explanations: tuple[Explanation, ...]
    is_finding: bool

    @property
    def likeliest(self) -> Explanation | None:
        return self.explanations[0] if self.explanations else None
