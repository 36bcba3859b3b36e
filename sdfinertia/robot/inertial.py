"""The inertia of a link in a file: numbers as written, or the request to compute them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.inertia.numeral import Numeral, negated_text, numeral
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation, Vector3
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.markup.document import Comment

# SDFormat's default density, that of water (kg/m³); a blank <density/> counts as having it given.
DEFAULT_DENSITY = 1000.0


# The six entries of a tensor, in the order in which files have them.
TENSOR_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


class InertialPart(Enum):
    """The values are the names of SDF's elements."""

    MASS = "mass"
    POSE = "pose"
    TENSOR = "inertia"


MASS, POSE, TENSOR = InertialPart.MASS, InertialPart.POSE, InertialPart.TENSOR


class Written(NamedTuple):
    """The explicit numbers of a link, with the format's defaults."""

    inertia: SpatialInertia  # in the link frame
    tensor: InertiaTensor  # as written, in the axes of its own pose
    rotation: Rotation = IDENTITY_ROTATION  # R_LC, of these axes in the link


class Texts(NamedTuple):
    """The numbers of an inertial as written; "" for absent ones."""

    mass: str
    centre: tuple[str, str, str]
    angles: tuple[str, str, str]  # roll, pitch, yaw (rad); all "" where the rotation is written otherwise
    tensor: tuple[str, ...]  # in the order of TENSOR_NAMES


class NewInertial(NamedTuple):
    """The new content of a link.

    Attributes:
        keeps_pose, keeps_axes: whether position and rotation, or the rotation, stay as they are.
    """

    text: InertialText
    comment: str | None  # the provenance or repair comment, or None for none
    replaced: Comment | None  # the comment whose place it takes
    keeps_pose: bool = False
    keeps_axes: bool = False


class InertiaParameters(NamedTuple):
    """The parameters of a request to compute an inertia; None for absent ones.

    Attributes:
        voxel_size, thickness: in m.
    """

    method: str | None = None
    open_mesh: str | None = None
    overlaps: str | None = None
    voxel_size: float | None = None
    thickness: float | None = None
    calculator: str | None = None
    others: tuple[tuple[str, str], ...] = ()  # unknown children by local name, for a calculator
    notes: tuple[str, ...] = ()


NO_PARAMETERS = InertiaParameters()


# A block with its digits, which are evidence --------------------------------------------------------------------------


class EntryTexts(NamedTuple):
    """The six numbers of a tensor as written, stripped; "" where there is none."""

    ixx: str = ""
    iyy: str = ""
    izz: str = ""
    ixy: str = ""
    ixz: str = ""
    iyz: str = ""

    def with_entry(self, entry: int, text: str) -> EntryTexts:
        return self._replace(**{ENTRIES[entry]: text})

    def moved(self, origins: Iterable[int]) -> EntryTexts:
        """The texts in another order, each by its origin; "" for -1."""
        return EntryTexts(*("" if origin < 0 else self[origin] for origin in origins))

    def signed(self, signs: Iterable[float]) -> EntryTexts:
        """The texts with entries negated where the sign is below zero."""
        return EntryTexts(*(negated_text(text) if sign < 0.0 else text for text, sign in zip(self, signs, strict=True)))


NO_TEXTS = EntryTexts()
# In the order of `InertiaTensor`.
ENTRIES = EntryTexts._fields
# The indices of entries in the order of a file.
FILE_ORDER = (0, 3, 4, 1, 5, 2)


@dataclass(frozen=True)
class WrittenBlock:
    """An inertial as written, or as proposed. Its digits are evidence, so texts are kept with numbers.

    In a proposal an unchanged entry has its old text, one whose digits are known its new text, and a computed one "".
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

    @property
    def is_valid(self) -> bool:
        # As a part of the trace: the rounding of numbers with five digits.
        return self.inertia.is_physically_valid(rtol=1e-4)

    @property
    def numerals(self) -> tuple[Numeral | None, ...]:
        """The six numbers as written; those without a text as they would be written."""
        return tuple(map(numeral, self.entry_texts if any(self.entry_texts) else map(repr, self.tensor)))

    @property
    def is_fingerprint(self) -> bool:
        """Whether the tensor has so many digits that the same ones elsewhere are no chance."""
        found = {each.significant for each in self.numerals if each is not None}
        return sum(map(len, found)) >= 5  # significant digits, of different numbers, from which a block is no accident
