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
    """The ways in which a mistake of one kind can be undone, in arrays of n.

    Args:
        tensors: (n, 6), about the centre, in the axes written unless `in_link` is set.
        tell: what one of them means.
        bonus: (n,), natural logarithms: how much likelier the digits are, or other exact evidence, if this is it.
        decisive: (n,), whether this evidence proves the cause without any geometry.
        masses: (n,) where the mass was the mistake (kg).
        centres: (n, 3) where the centre was (m).
        in_link: (n, 6), the tensors in link axes, where the axes were the mistake.
        trust: (n,), what a share is at most, where that is not the same for all of the hypothesis.
        is_lost: whether the right numbers are lost and these stand in for them, so that their being near the geometry
            shows nothing.
        is_certifiable: (n,), whether it may be certain at all.
        slips: (n,), which of them have no free number, so that an exact mesh can prove them on a link that is valid.
    """

    tensors: Array
    tell: Callable[[int], Telling]
    bonus: Array | float = 0.0
    decisive: npt.NDArray[np.bool_] | bool = False
    masses: Array | None = None
    centres: Array | None = None
    in_link: Array | None = None
    trust: Array | float | None = None
    is_lost: bool = False
    is_certifiable: npt.NDArray[np.bool_] | bool = True
    slips: npt.NDArray[np.bool_] | bool = True


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
        lambda i: one.tell(i) if i < first else other.tell(i - first),
        bonus=of_each("bonus"),
        decisive=of_each("decisive"),
        is_certifiable=of_each("is_certifiable"),
        slips=of_each("slips"),
    )


class Hypothesis(NamedTuple):
    """One mistake; `docs/reference/causes.md` has a case of each.

    Attributes:
        name: in reports and provenance.
        find: every way to undo it in a case; None where it cannot have happened.
        prior: natural logarithm of how common it is among mistakes.
        trust: what its share is at most: how often it is right where nothing else comes near. On geometry alone none is
            right every other time (labelled findings of public robots).
        about: what it explains: a finding in the tensor or mass, in the centre, or in either.
        is_placeholder: whether it leaves numbers that never stood for the part, so that nothing of them can be undone.
        keeps_valid: whether it leaves a body, which only an exact mesh can tell from the right one (SDI210).
    """

    name: str
    group: Group
    find: Callable[[Clues], Candidates | None]
    prior: float
    trust: float = 0.45
    about: Literal["tensor", "centre", "both"] = "tensor"
    keeps_valid: bool = False
    is_placeholder: bool = False
