"""The proposals of a hypothesis: every way to undo one mistake, each with its sentence."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.robot.inertial import ENTRIES, FILE_ORDER, EntryTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sdfinertia.causes.clues import Clues
    from sdfinertia.inertia.rigid_transform import Rotation
    from sdfinertia.inertia.tensor_arrays import Array

# Source of a proposal where the mistake is in the geometry, or in the measurement, not in the numbers.
ELSEWHERE = "elsewhere"


class Telling(NamedTuple):
    """The sentence on one way of undoing, made only for reported ones."""

    sentence: str
    evidence: tuple[str, ...] = ()
    texts: EntryTexts | None = None
    rotation: Rotation | None = None
    source: str = "digits"


@dataclass(frozen=True)
class Candidates:
    """The ways in which a mistake of one kind can be undone, in arrays of n."""

    tensors: Array  # (n, 6), about the centre, in the axes written unless `in_link` is set
    tell: Callable[[int], Telling | str] | Telling | str  # the sentence of the i-th, or of all
    bonus: Array | float = 0.0  # (n,), how much likelier the digits are if this is the mistake (ln)
    decisive: npt.NDArray[np.bool_] | bool = False  # (n,), whether this proves the cause without any geometry
    masses: Array | None = None  # (n,), where the mass was the mistake (kg)
    centres: Array | None = None  # (n, 3), where the centre was (m)
    texts: EntryTexts | None = None  # of the tensors, where a `Telling` has none
    in_link: Array | None = None  # (n, 6), the tensors in link axes, where the axes were the mistake
    trust: float | None = None  # the largest share, in place of the hypothesis's own
    is_lost: bool = False  # the right numbers are lost: a stand-in near the geometry is no evidence
    is_certifiable: npt.NDArray[np.bool_] | bool = True
    is_fixed: npt.NDArray[np.bool_] | bool = True  # (n,), without a free number: an exact mesh can prove it

    def telling(self, index: int) -> Telling:
        told = self.tell(index) if callable(self.tell) else self.tell
        return Telling(told, texts=self.texts) if isinstance(told, str) else told


def joined(one: Candidates, other: Candidates | None) -> Candidates:
    """The candidates of two ways in which the same quantities are wrong, one after the other."""
    if other is None:
        return one
    first = len(one.tensors)

    def of_both(name: str) -> Any:
        return np.concatenate([np.broadcast_to(getattr(part, name), len(part.tensors)) for part in (one, other)])

    return Candidates(
        np.concatenate((one.tensors, other.tensors)),
        lambda i: one.telling(i) if i < first else other.telling(i - first),
        centres=None if one.centres is None or other.centres is None else np.concatenate((one.centres, other.centres)),
        **{name: of_both(name) for name in ("bonus", "decisive", "is_certifiable", "is_fixed")},
    )


_NOISE = 1e-13  # of the largest entry


def said(value: float) -> str:
    return f"{value + 0.0:.4g}"


def said_all(values: Iterable[float]) -> str:
    return " ".join(said(float(value)) for value in values)


def row(six: Array) -> str:
    """Six numbers in the order of a file: ixx ixy ixz iyy iyz izz."""
    # Rounding noise is printed as 0.
    least = _NOISE * max(map(abs, six))
    return said_all(0.0 if abs(six[k]) < least else six[k] for k in FILE_ORDER)


def as_written(clues: Clues, entry: int) -> str:
    return clues.texts[entry] or said(float(clues.six[entry]))


def entries(indices: Iterable[int]) -> str:
    """The names of entries in the order of a file: ixx, ixy and izz."""
    chosen = set(indices)
    *rest, last = (ENTRIES[k] for k in FILE_ORDER if k in chosen)
    return f"{', '.join(rest)} and {last}" if rest else last


# Evidence of copies.
_OF_SIZE = frozenset({"SDI202", "SDI205", "SDI207"})  # rules that say so themselves


def lost(
    clues: Clues,
    sentence: str,
    bonus: float,
    *,
    decisive: bool,
    evidence: tuple[str, ...] = (),
) -> Candidates:
    """The one candidate of a mistake that destroys the tensor, with a stand-in where there is one.

    The stand-in is a twin's tensor, else the geometry's at the written mass.
    """
    six, source, whose = np.full(6, np.nan), "nothing", ""
    relative = next(filter(clues.can_stand_in, clues.related), None)
    if relative is not None:
        six, source = clues.block_of(relative), relative.relation.value
        whose = f"; {source} {relative.name} has {row(six)}"
    elif clues.from_geometry is not None:
        six, source = clues.from_geometry, "geometry"
        whose = f"; the geometry has {row(six)}"
    telling = Telling(sentence + whose, evidence, source=source)
    return Candidates(six[None], telling, bonus, decisive=decisive, is_lost=True)


def contradiction(clues: Clues) -> float:
    """The least |ln λ| of the written tensor against the geometry; infinite for an invalid one, 0 without geometry."""
    if not clues.is_body or not clues.case.findings.isdisjoint(_OF_SIZE):
        return inf
    return float(clues.written_distances.min()) if clues.bodies else 0.0
