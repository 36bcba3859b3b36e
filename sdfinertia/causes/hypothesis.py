"""What a hypothesis is: one mistake that people make, how common it is, and every way in which it can be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import EntryTexts, Interval
from sdfinertia.causes.components import Array
from sdfinertia.inertia.rigid_transform import Rotation
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.causes.clues import Clues


class Group(Enum):
    REFERENCE = "reference point"
    SIGNS = "signs"
    DIGITS = "digits"
    ORDER = "order"
    AXES = "axes"
    SCALE = "scale"
    COPIES = "copies"
    UNPOPULATED = "unpopulated"
    FORMULA = "formula"
    BARELY = "barely"


# The mistake is not in the numbers but in what they are compared with.
ELSEWHERE = "elsewhere"


class Telling(NamedTuple):
    """What one way of undoing means, found out only for what is reported."""

    sentence: str
    evidence: tuple[str, ...] = ()
    texts: EntryTexts | None = None
    rotation: Rotation | None = None
    interval: Interval | None = None
    source: str = "digits"


@dataclass(frozen=True)
class Candidates:
    """The ways in which a mistake of one kind can be undone, in arrays of n."""

    tensors: Array  # (n, 6), about the centre, in the axes written unless `in_link` is set
    tell: Callable[[int], Telling] | Telling  # what one of them means, or all
    bonus: Array | float = 0.0  # (n,), how much likelier the digits are if this is it (natural logarithms)
    decisive: npt.NDArray[np.bool_] | bool = False  # (n,), whether this proves the cause without any geometry
    masses: Array | None = None  # (n,), where the mass was the mistake (kg)
    centres: Array | None = None  # (n, 3), where the centre was (m)
    in_link: Array | None = None  # (n, 6), the tensors in link axes, where the axes were the mistake
    trust: Array | float | None = None  # (n,), what a share is at most, where the hypothesis has not one for all
    is_lost: bool = False  # the right numbers are lost: that what stands in is near the geometry shows nothing
    is_certifiable: npt.NDArray[np.bool_] | bool = True
    is_fixed: npt.NDArray[np.bool_] | bool = True  # (n,), without a free number: an exact mesh can prove it

    def telling(self, index: int) -> Telling:
        return self.tell if isinstance(self.tell, Telling) else self.tell(index)


def joined(one: Candidates, other: Candidates | None) -> Candidates:
    """The candidates of two ways in which only the tensor is wrong, one after the other."""
    if other is None:
        return one
    first = len(one.tensors)

    def of_each(name: str) -> Any:
        parts = (one, other)
        return np.concatenate([np.broadcast_to(getattr(part, name), len(part.tensors)) for part in parts])

    return Candidates(
        np.concatenate((one.tensors, other.tensors)),
        lambda i: one.telling(i) if i < first else other.telling(i - first),
        bonus=of_each("bonus"),
        decisive=of_each("decisive"),
        is_certifiable=of_each("is_certifiable"),
        is_fixed=of_each("is_fixed"),
    )


class Hypothesis(NamedTuple):
    """One mistake; `docs/reference/causes.md` has a case of each."""

    name: str
    group: Group
    find: Callable[[Clues], Candidates | None]
    prior: float  # natural logarithm of how common it is among mistakes
    # What its share is at most: how often it is right where nothing else comes near. On geometry alone no mistake is
    # right every other time (labelled findings of public robots).
    trust: float = 0.45
    about: Literal["tensor", "centre", "both"] = (
        "tensor"  # a finding in the tensor or mass, in the centre, or in either
    )
    keeps_valid: bool = False  # it leaves a valid tensor, which only an exact mesh tells from the right one (SDI210)
    is_placeholder: bool = False  # it leaves numbers that never stood for the part, so that nothing can be undone
