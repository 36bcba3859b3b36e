"""The inertia of a link in a file: numbers as written or as a request, and new texts in place of an author's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final, Literal, NamedTuple

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.inertial_text import (
    InertialText,
    Numeral,
    format_number,
    inertial_text,
    is_accepted_by_libsdformat,
    negated_text,
    numeral,
    text_as_given,
)
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation, Vector3, rpy_from_rotation, transpose
from sdfinertia.markup import Comment
from sdfinertia.robot.problems import CHECK_TELLS_WHY

# SDFormat's default density, that of water (kg/m³); a blank <density/> counts as having it given.
DEFAULT_DENSITY = 1000.0


# The six entries of a tensor, in the order in which files have them.
TENSOR_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


# By the names of SDF's elements.
InertialPart = Literal["mass", "pose", "inertia"]
MASS: Final = "mass"
POSE: Final = "pose"
TENSOR: Final = "inertia"


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
    """The new content of a link."""

    text: InertialText  # "" and () for unchanged parts; a request stays unless all are written
    comment: str | None = None  # the provenance or repair comment, or None for none
    replaced: Comment | None = None  # the comment whose place it takes
    keeps_pose: bool = False  # position and rotation
    keeps_axes: bool = False  # the rotation


class InertiaParameters(NamedTuple):
    """The parameters of a request to compute an inertia; None for absent ones."""

    method: str | None = None
    open_mesh: str | None = None
    overlaps: str | None = None
    voxel_size: float | None = None  # m
    thickness: float | None = None  # m
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

    @cached_property
    def numerals(self) -> tuple[Numeral | None, ...]:
        """The six numbers as written; those without a text as they would be written."""
        return tuple(map(numeral, self.entry_texts if any(self.entry_texts) else map(repr, self.tensor)))

    @property
    def is_fingerprint(self) -> bool:
        """Whether the tensor has so many digits that the same ones elsewhere are no chance."""
        found = {each.significant for each in self.numerals if each is not None}
        return sum(map(len, found)) >= 5  # significant digits, of different numbers, from which a block is no accident


# Scaled, or nudged so that libsdformat takes them --------------------------------------------------------------------

_DIAGONAL = ("ixx", "iyy", "izz")
_PRODUCTS = ("ixy", "ixz", "iyz")
# Fewer digits are more than rounding (see SDI107); seventeen distinguish any two doubles.
_FEWEST_DIGITS, _MAX_DIGITS = 5, 17
# Ten units of one digit are one unit of the digit before it.
_MAX_UNITS = 10
# A nudge beyond this part of the largest moment is no rounding: two units of the fifth digit of 1.0000.
_LARGEST_NUDGE = Decimal("2e-4")


def scaled_texts(
    old: Texts, written: Written, after: SpatialInertia, *, digits: int, is_body: bool
) -> tuple[InertialText, bool]:
    """The texts of a scaled inertia, and whether they are in the author's axes; equal numbers keep their text.

    A thin body whose tensor libsdformat would refuse in these axes is written in its principal ones.
    """
    before, rotation = written.inertia, written.rotation
    scaled = SpatialInertia(after.mass, after.p_BoBcm_B, after.I_BBcm_B.rotated(transpose(rotation)))
    try:
        text = inertial_text(scaled, digits=digits) if is_body else text_as_given(scaled, digits=digits)
        if text.note:
            return inertial_text(after, digits=digits, principal_axes=True), False
    except InertiaError:
        problem = f"scaled and written with {digits} digits, its tensor is physically impossible"
        raise InertiaError(problem, remedy=CHECK_TELLS_WHY) from None
    angles = old.angles if all(old.angles) else [format_number(each, digits) for each in rpy_from_rotation(rotation)]
    position = map(_kept, old.centre, text.pose.split(), after.p_BoBcm_B)
    if after.I_BBcm_B == before.I_BBcm_B:
        # Turned there and back, its numbers may have lost their last bits.
        tensor = tuple(each or new for each, new in zip(old.tensor, text.tensor, strict=True))
    else:
        tensor = tuple(map(_kept, old.tensor, text.tensor, (getattr(scaled.I_BBcm_B, name) for name in TENSOR_NAMES)))
    return InertialText(" ".join([*position, *angles]), _kept(old.mass, text.mass, after.mass), tensor), True


def _kept(old: str, new: str, value: float) -> str:
    return old if old and float(old) in (value, float(new)) else new


def nudged_moments(mass: float, texts: Mapping[str, str]) -> dict[str, str]:
    """The moments with units of the last digit added until libsdformat takes the tensor; {} where none helps."""
    if not all(name in texts for name in _DIAGONAL):
        return {}
    moments = {name: Decimal(texts[name]) for name in _DIAGONAL}
    products = [float(texts.get(name, "0")) for name in _PRODUCTS]
    for nudge in _nudges(max(moments.values()), list(texts.values())):
        moved = {name: value + nudge for name, value in moments.items()}
        written = InertiaTensor(*(float(moved[name]) for name in _DIAGONAL), *products)
        if is_accepted_by_libsdformat(mass, written, must_turn=False):
            forms = {name: "" if "e" in texts[name].lower() else "f" for name in _DIAGONAL}
            return {name: format(moved[name], form) for name, form in forms.items()}
    return {}


def _nudges(largest: Decimal, texts: Sequence[str]) -> Iterator[Decimal]:
    if not largest > 0:
        return
    kept = max(map(_significant_digits, texts))
    for digits in range(min(max(kept, _FEWEST_DIGITS), _MAX_DIGITS), _FEWEST_DIGITS - 1, -1):
        unit = Decimal(1).scaleb(largest.adjusted() - digits + 1)
        yield from (units * unit for units in range(1, _MAX_UNITS + 1) if units * unit <= _LARGEST_NUDGE * largest)


def _significant_digits(text: str) -> int:
    digits = "".join(map(str, Decimal(text).as_tuple().digits))
    # Of a whole number the zeros at the end may be there for its size alone.
    return len(digits if "." in text else digits.rstrip("0"))
