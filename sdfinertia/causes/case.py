"""What is known of a link whose numbers are in doubt, and what is made of it: the values that come in and go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from math import nan

from sdfinertia.causes.numeral import numeral
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, Rotation, Vector3
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.values import LinkKey
from sdfinertia.shapes import Bounds

# The rules that find something in the place of the centre, which nothing else explains.
ABOUT_CENTRE = frozenset({"SDI201", "SDI208"})

# Masses and centres are the same if they differ by less than this part (trap 7: another version has another mass).
SAME = 1e-3


def is_same(a: float, b: float, part: float = SAME) -> bool:
    return abs(a - b) <= part * max(abs(a), abs(b))


class EntryTexts(NamedTuple):
    """The six numbers of a tensor as they stand, without space around; "" where there is none."""

    ixx: str = ""
    iyy: str = ""
    izz: str = ""
    ixy: str = ""
    ixz: str = ""
    iyz: str = ""


NO_TEXTS = EntryTexts()


@dataclass(frozen=True)
class WrittenBlock:
    """An inertial as it is written, or as it is proposed. Its digits are evidence, so texts are kept with numbers.

    In a proposal an entry that stays has the text it had; one whose digits are known has its new text; and one that is
    computed has "".
    """

    mass: float  # kg
    centre: Vector3  # of mass, from the origin of the link, in its axes (m)
    tensor: InertiaTensor  # about the centre, in its own axes (kg·m²)
    rotation: Rotation = IDENTITY_ROTATION  # R_LC, of the axes of the tensor in the link
    entry_texts: EntryTexts = NO_TEXTS
    mass_text: str = ""
    centre_texts: tuple[str, str, str] = ("", "", "")
    angle_texts: tuple[str, str, str] = ("", "", "")

    @property
    def is_judged(self) -> bool:
        return SpatialInertia(self.mass, self.centre, self.tensor).can_be_judged

    @property
    def inertia(self) -> SpatialInertia:
        return SpatialInertia(self.mass, self.centre, self.tensor.rotated(self.rotation))


class Source(Enum):
    COLLISION = "collision"
    VISUAL = "visual"


class Filling(Enum):
    """How mass is spread over a geometry."""

    SOLID = "solid"
    HULL = "hull"
    SHELL = "shell"


@dataclass(frozen=True)
class GeometryBody:
    source: Source
    filling: Filling
    inertia: SpatialInertia
    volume: float = nan
    is_exact_mesh: bool = False
    faces: int = 0


class Relation(Enum):
    """How another link is related to the one in question."""

    TWIN = "twin"  # The mirror image, or another copy, in the same model.
    SIBLING = "sibling"  # The link of the same name in another file: another version of the robot, or another side.
    OTHER = "other link"  # Of the same model, with another geometry as far as is known.


class Match(Enum):
    """What a relative was found by."""

    NAME = "name"
    GEOMETRY = "geometry"
    FILE = "same name in another file"


@dataclass(frozen=True)
class Relative:
    """Another link that may tell what this one should say."""

    name: str  # scoped, with its file before it where that is another
    relation: Relation
    block: WrittenBlock  # in the axes of this link: mirrored or moved as the geometries are; of other links as written
    verbatim: WrittenBlock  # as written there
    matched_by: Match
    is_valid: bool
    is_near_geometry: bool | None = None  # within a factor of 3 of its own; None where it has none
    has_same_geometry: bool | None = None  # as this link, mirrored or not; None where either has none
    key: LinkKey | None = None  # None for a link of another file


class FrameKind(Enum):
    MODEL = "model origin"
    PARENT = "parent link"
    JOINT = "joint"
    OTHER = "frame"


@dataclass(frozen=True)
class Frame:
    """Another frame of the model, in which somebody may have measured."""

    name: str
    kind: FrameKind
    pose: RigidTransform


class Elsewhere(NamedTuple):
    name: str
    mass: float


@dataclass(frozen=True)
class Case:
    name: str
    written: WrittenBlock
    box: Bounds | None = None
    bodies: tuple[GeometryBody, ...] = ()
    relatives: tuple[Relative, ...] = ()
    frames: tuple[Frame, ...] = ()
    findings: frozenset[str] = field(default_factory=frozenset)
    file: FileEvidence | None = None
    elsewhere: tuple[Elsewhere, ...] = ()


class Interval(NamedTuple):
    """What is left of an entry that is lost: the values with which the other five make a body (kg·m²)."""

    entry: str
    low: float
    high: float


@dataclass(frozen=True)
class Explanation:
    """One mistake that may have been made, and what undoes it."""

    cause: str  # name of the hypothesis
    group: str
    sentence: str  # what happened and what shows it, as a person would write in a bug report; no full stop
    proposal: WrittenBlock | None  # with the mistake undone; None where nothing stands in for what is lost
    interval: Interval | None
    score: float  # natural logarithm of how likely it is, up to a constant of the case
    share: float
    is_certain: bool  # whether it may be written without asking
    evidence: tuple[str, ...]  # for and against, each a sentence without a full stop
    alternatives: int  # changes of the same kind that do as well
    source: str  # of the proposal: "digits" as written, "twin", "sibling", "geometry", "nothing" or "elsewhere"
    is_proved_by_digits: bool = False  # and what is proposed is made of them alone
    is_placeholder: bool = False  # the numbers never stood for the part


@dataclass(frozen=True)
class Diagnosis:
    name: str
    explanations: tuple[Explanation, ...]
    is_finding: bool

    @property
    def likeliest(self) -> Explanation | None:
        return self.explanations[0] if self.explanations else None


# Tensors from which a file shows how its numbers are rounded, and the longest decimals that round anything away.
_FEWEST, _MAX_PLACES = 3, 7


def fingerprint(block: WrittenBlock) -> bool:
    """Whether the tensor has so many digits that the same ones elsewhere are no chance."""
    texts = block.entry_texts if any(block.entry_texts) else [repr(value) for value in block.tensor]
    found = {each.significant for text in texts if (each := numeral(text)) is not None}
    return sum(map(len, found)) >= 5  # significant digits, of different numbers, from which a block is no accident


class FileEvidence:
    """The blocks of a file, counted once, and the mistakes that its links show without each other."""

    def __init__(
        self, blocks: Sequence[tuple[str, WrittenBlock]], sample: Callable[[], Iterable[Case]] = lambda: ()
    ) -> None:
        self._blocks = blocks
        self._sample = sample
        self._habits: Mapping[str, str] | None = None

    @cached_property
    def sample(self) -> tuple[Case, ...]:
        return tuple(self._sample())

    @cached_property
    def counts(self) -> Counter[InertiaTensor]:
        """How many links have each tensor."""
        return Counter(block.tensor for _, block in self._blocks)

    @cached_property
    def names_by_centre(self) -> dict[Vector3, list[str]]:
        found: dict[Vector3, list[str]] = {}
        for name, block in self._blocks:
            found.setdefault(block.centre, []).append(name)
        return found

    @cached_property
    def has_no_centres(self) -> bool:
        """Whether several links have numbers, and none a centre."""
        return len(self._blocks) > 1 and not any(any(block.centre) for _, block in self._blocks)

    @cached_property
    def step(self) -> float | None:
        """The unit (kg·m²) of the last decimal in which all tensors of the file are written; None for no such."""
        places, count = 0, 0
        for _, block in self._blocks:
            numerals = [each for text in block.entry_texts if (each := numeral(text)) is not None and each.significant]
            if any(each.last_place < -_MAX_PLACES for each in numerals):
                return None
            count += bool(numerals)
            # Zeros at the end are no decimals.
            ends = (each.last_place + len(each.digits) - len(each.digits.rstrip("0")) for each in numerals)
            places = max([places, *(-end for end in ends)])
        return 10.0**-places if count >= _FEWEST and places else None

    @cached_property
    def is_rough(self) -> bool:
        """Whether several links have tensors, and none a product or more than two digits."""
        texts = [text for _, block in self._blocks for text in block.entry_texts]
        digits = [len(each.significant) for text in texts if (each := numeral(text)) is not None]
        products = any(any(block.tensor[3:]) for _, block in self._blocks)
        # Significant digits of a rough estimate.
        return len(self._blocks) >= _FEWEST and not products and max(digits, default=0) <= 2

    def habits(self, shown: Callable[[Case], str]) -> Mapping[str, str]:
        if self._habits is None:
            self._habits = {case.name: shown(case) for case in self.sample}
        return self._habits
