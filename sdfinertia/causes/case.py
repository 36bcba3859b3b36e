"""What is known of a link whose numbers are in doubt, and what is made of it: the values that come in and go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from math import nan

from sdfinertia.causes.numeral import numeral
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, Rotation, Vector3
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.values import LinkKey
from sdfinertia.shapes.extent import Bounds

# The rules that find something in the place of the centre, which nothing else explains.
ABOUT_CENTRE = frozenset({"SDI201", "SDI208"})


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
    """An inertial as it is written, or as it is proposed. Its digits are evidence, so texts stand beside numbers.

    In a proposal an entry that stays has the text it had; one whose digits are known has its new text; and one that is
    computed has "".

    Args:
        mass: (kg).
        centre: of mass, from the origin of the link, in its axes (m).
        tensor: about the centre, in its own axes (kg·m²).
        rotation: R_LC, of the axes of the tensor in the link.
        entry_texts: of the tensor.
        mass_text: as it stands.
        centre_texts: of x, y and z.
        angle_texts: of roll, pitch and yaw.
    """

    mass: float
    centre: Vector3
    tensor: InertiaTensor
    rotation: Rotation = IDENTITY_ROTATION
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
    """Another link that may tell what this one should say.

    Args:
        name: scoped, with its file before it where that is another.
        block: expressed in the axes of this link, after the mirror or the rigid motion that lays its geometry on this
            link's. Of other links it is as written.
        verbatim: as written there, in the axes of its own link.
        is_valid: whether a body can have its numbers.
        is_near_geometry: whether it is within a factor of 3 of its own geometry; None where it has none.
        has_same_geometry: whether its geometry is this link's, mirrored or not; None where either has none.
        key: what it is known by; None for a link of another file.
    """

    name: str
    relation: Relation
    block: WrittenBlock
    verbatim: WrittenBlock
    matched_by: Match
    is_valid: bool
    is_near_geometry: bool | None = None
    has_same_geometry: bool | None = None
    key: LinkKey | None = None


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
    """One mistake that may have been made, and what undoes it.

    Args:
        cause: name of the hypothesis (`decimal-point`).
        group: of hypotheses (`digits`).
        sentence: what happened and what shows it, as a person would write in a bug report; no full stop.
        proposal: the block with the mistake undone, in the axes written unless the mistake is in these; None where the
            numbers are lost and nothing stands in for them.
        interval: of an entry that is lost.
        score: natural logarithm of how likely it is, up to a constant of the case.
        share: of this explanation among all of the case, 0 to 1.
        is_certain: whether it may be written without asking.
        evidence: for and against, each a sentence without a full stop.
        alternatives: how many changes of the same kind do as well.
        source: what the proposed numbers are from: "digits" (those written), "twin", "sibling", "geometry"; "nothing"
            where none stands in, "elsewhere" where the numbers are right and the mistake is in what is beside them.
        is_proved_by_digits: whether the digits as written prove it, and what is proposed is made of them alone.
        is_placeholder: whether the numbers never stood for the part.
    """

    cause: str
    group: str
    sentence: str
    proposal: WrittenBlock | None
    interval: Interval | None
    score: float
    share: float
    is_certain: bool
    evidence: tuple[str, ...]
    alternatives: int
    source: str
    is_proved_by_digits: bool = False
    is_placeholder: bool = False


@dataclass(frozen=True)
class Diagnosis:
    name: str
    explanations: tuple[Explanation, ...]
    is_finding: bool

    @property
    def likeliest(self) -> Explanation | None:
        return self.explanations[0] if self.explanations else None


# Tensors from which a file shows how its numbers are rounded, and the longest decimals that round anything away.
_FEWEST, _MOST_PLACES = 3, 7


def fingerprint(block: WrittenBlock) -> bool:
    """Whether the six have so many digits that the same ones elsewhere are no chance."""
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

    def sharing(self, block: WrittenBlock) -> int:
        """How many links have the same six, this one counted."""
        return self._counts[block.tensor]

    @cached_property
    def _counts(self) -> Counter[Hashable]:
        return Counter(block.tensor for _, block in self._blocks)

    def with_centre(self, centre: tuple[float, float, float]) -> list[str]:
        return self._by_centre.get(centre, [])

    @cached_property
    def _by_centre(self) -> dict[Hashable, list[str]]:
        found: dict[Hashable, list[str]] = {}
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
            if any(each.last_place < -_MOST_PLACES for each in numerals):
                return None
            count += bool(numerals)
            places = max([places, *(-(each.last_place + _zeros_at_end(each.digits)) for each in numerals)])
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


def _zeros_at_end(digits: str) -> int:
    return len(digits) - len(digits.rstrip("0"))
