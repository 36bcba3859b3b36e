"""The numbers of a link as evidence: with the texts that they were written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.inertial_text import Numeral, negated_text, numeral
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation, Vector3
from sdfinertia.links import Study
from sdfinertia.robot import attempt, known
from sdfinertia.robot.inertial import TENSOR_NAMES


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


def written_block(study: Study, *, or_default: bool = False) -> WrittenBlock | None:
    """The numbers of a link as written; None where it has none that count, or they cannot be read.

    Args:
        or_default: take, where an inertial has no tensor, the one that readers assume.
    """
    link = study.link
    if link.request.asks is not False or not (link.has_tensor or or_default):
        return None
    written, texts = known(study.written), known(attempt(link.written_texts))
    if written is None or texts is None:
        return None
    inertia = written.inertia
    block = WrittenBlock(inertia.mass, inertia.p_BoBcm_B, written.tensor, written.rotation)
    if not link.has_tensor:
        return block
    entries = EntryTexts(**dict(zip(TENSOR_NAMES, texts.tensor, strict=True)))
    return replace(
        block, entry_texts=entries, mass_text=texts.mass, centre_texts=texts.centre, angle_texts=texts.angles
    )
