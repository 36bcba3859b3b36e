"""The clues of a case in arrays, computed when needed, and the candidates of a hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import ABOUT_CENTRE, SAME, Case, Habit, Relative, is_same
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION
from sdfinertia.inertia.tensor_arrays import (
    ROUNDING,
    Array,
    eigenvalues,
    has_all_moments,
    is_body,
    largest_ratios,
    point_masses,
    rotated,
    whitenings,
)
from sdfinertia.links.solids import ShapeBody
from sdfinertia.links.written_block import ENTRIES, FILE_ORDER, EntryTexts

_OF_SIZE = frozenset({"SDI202", "SDI205", "SDI207"})  # rules that say themselves that the size is wrong
_INVALID = frozenset({"SDI101", "SDI102", "SDI103", "SDI107"})  # invalid numbers, and those that a reader refuses
NO_PRODUCT = 1e-5  # of the largest entry: smaller products are rounding noise
OUTSIDE = 0.05  # part of the diagonal of a box from which a centre is outside it


class Clues:
    """Arrays of six numbers are in the order of `InertiaTensor`; tensors are in kg·m², in the axes written."""

    def __init__(self, case: Case) -> None:
        self.case, written, file = case, case.written, case.file
        self.tensor, self.mass, self.texts = written.tensor, written.mass, written.entry_texts
        self.numerals = written.numerals
        # The digits of each number from the first that is not 0 to the last; "" where there is none.
        self.significant = tuple(each.significant if each is not None else "" for each in self.numerals)
        self.six: Array = np.array(written.tensor, dtype=float)
        self.centre: Array = np.array(written.centre, dtype=float)
        self.largest, self.largest_moment = max(map(abs, self.tensor)), max(map(abs, self.tensor[:3]))
        self.is_all_one = self.tensor.ixx == self.tensor.iyy == self.tensor.izz
        self.is_about_centre = bool(case.findings) and case.findings <= ABOUT_CENTRE
        self.others = tuple(sorted(case.relatives, key=lambda one: (one.is_twin, one.name)))
        # A length of the link (m): the diagonal of its box, else that of a body of 1000 kg/m³.
        self.size = (abs(self.mass) / 1000.0) ** (1.0 / 3.0) if self.mass else 1.0
        if case.box is not None and case.box.diagonal > 0.0:
            self.size = case.box.diagonal
        # R_LC of the axes of the tensor; None for the identity.
        is_turned = written.rotation != IDENTITY_ROTATION
        self.R: Array | None = np.array(written.rotation).reshape(3, 3) if is_turned else None
        # The centre from the origin of the link, in the axes of the tensor (m).
        self.offset: Array = self.centre if self.R is None else self.R.T @ self.centre
        # Indices of products that are neither zero nor rounding noise.
        self.products = tuple(k for k in (3, 4, 5) if abs(self.tensor[k]) > NO_PRODUCT * self.largest)
        # Whether the mass is positive, and the tensor as written valid to five digits.
        self.is_body = self.mass > 0.0 and case.findings.isdisjoint(_INVALID) and is_body(self.tensor, 2e-5)
        self.is_finding = bool(case.findings) or not self.is_body
        # Whether other axes, or a parallel-axis term taken away, may leave a valid tensor.
        self.may_be_turned_or_moved = self.mass > 0.0 and is_body(self.tensor, 2.0 * ROUNDING)
        # Whether the centre is 0 0 0, as the rest of a block that was never filled in.
        is_shared = file is None or file.counts[written.tensor] > 1 or file.has_no_centres
        self.has_centre_outside = bool(self.are_outside(self.centre))
        self.is_template = not any(self.centre) and is_shared

    def in_link(self, components: Array) -> Array:
        return components if self.R is None else rotated(components, self.R)

    def in_written(self, components: Array) -> Array:
        return components if self.R is None else rotated(components, self.R.T)

    @cached_property
    def offset_term(self) -> Array | None:
        """(6,), the parallel-axis term of 1 kg at the centre (m²); None where it makes no noticeable difference."""
        term = point_masses(1.0, self.offset)
        counts = self.mass > 0.0 and self.mass * term[:3].max() > 1e-3 * self.largest_moment
        return term if counts else None

    @cached_property
    def habit(self) -> Habit | None:
        return self.case.file.habit_of(self) if self.case.file is not None else None

    @cached_property
    def has_shape(self) -> bool:
        """Whether the moments differ as no ball's or cube's do."""
        moments = eigenvalues(self.six)
        return bool(moments[0] > 1.2 * moments[2])

    # The geometry -----------------------------------------------------------------------------------------------------

    @cached_property
    def bodies(self) -> tuple[ShapeBody, ...]:
        """Those that have a moment about every axis, each once, exact meshes and collisions first."""
        found: dict[object, ShapeBody] = {}
        for body in sorted(
            self.case.bodies, key=lambda body: (not body.is_exact_mesh, body.kind.value, body.filling, body.faces)
        ):
            if is_body(body.inertia.I_BBcm_B) and has_all_moments(body.inertia.I_BBcm_B, 1e-7):
                found.setdefault((body.inertia, body.is_exact_mesh), body)
        return tuple(found.values())

    @cached_property
    def tensors_of_bodies(self) -> Array:
        """(k, 6), of the bodies at 1 kg, in link axes."""
        return np.array([body.inertia.I_BBcm_B for body in self.bodies], dtype=float).reshape(-1, 6)

    @cached_property
    def _whitenings(self) -> Array:
        return whitenings(self.tensors_of_bodies)

    @cached_property
    def exact(self) -> npt.NDArray[np.int64]:
        return np.flatnonzero([body.is_exact_mesh for body in self.bodies])

    def distances(self, in_link: Array, masses: Array) -> Array:
        """(n, k), the largest |ln λ| of tensors in link axes against each body at the same mass."""
        return largest_ratios(in_link / masses[:, None], self._whitenings)

    @cached_property
    def written_distances(self) -> Array:
        """(k,), of the tensor as written against each body."""
        if not self.mass > 0.0:
            return np.full(len(self.bodies), np.inf)
        distances: Array = self.distances(self.in_link(self.six)[None], np.array([self.mass]))[0]
        return distances

    @cached_property
    def from_bodies(self) -> Array:
        """(k, 6), the tensors of the bodies at the mass written."""
        return self.mass * self.in_written(self.tensors_of_bodies)

    @cached_property
    def from_geometry(self) -> Array | None:
        """(6,), the tensor of the best body at the mass written."""
        return self.from_bodies[0] if self.bodies and self.mass > 0.0 else None

    @cached_property
    def corners(self) -> tuple[Array, Array]:
        """The lower and the upper corner of the box (m); infinitely far away where there is none."""
        if self.case.box is None:
            return np.full(3, -np.inf), np.full(3, np.inf)
        return np.array(self.case.box.lower), np.array(self.case.box.upper)

    def are_outside(self, centres: Array) -> npt.NDArray[np.bool_]:
        """(...,), which centres (..., 3) are outside the box by more than a part of its diagonal."""
        lower, upper = self.corners
        found: npt.NDArray[np.bool_] = np.maximum(lower - centres, centres - upper).max(-1) > OUTSIDE * self.size
        return found

    @cached_property
    def solid(self) -> ShapeBody | None:
        return next((body for body in self.bodies if body.filling != "shell" and body.volume > 0.0), None)

    @property
    def volume(self) -> float | None:
        return self.solid.volume if self.solid is not None else None

    # Other links ------------------------------------------------------------------------------------------------------

    @cached_property
    def related(self) -> tuple[Relative, ...]:
        """Twins that are evidence: valid, of equal mass, with other numbers, near their own geometry."""
        return tuple(
            one
            for one in self.others
            if one.is_twin
            and one.verbatim.is_valid
            and one.is_near_geometry is not False
            and is_same(one.block.mass, self.mass)
            and np.abs(self.block_of(one) - self.six).max() > SAME * self.largest
        )

    def block_of(self, relative: Relative) -> Array:
        return self.in_written(np.array(relative.block.inertia.I_BBcm_B, dtype=float))


# Candidates -----------------------------------------------------------------------------------------------------------

# Source of a proposal where the mistake is in the geometry, or in the measurement, not in the numbers.
ELSEWHERE = "elsewhere"


class Telling(NamedTuple):
    """The sentence on one way of undoing, made only for reported ones."""

    sentence: str
    evidence: tuple[str, ...] = ()
    texts: EntryTexts | None = None
    source: str = "digits"


@dataclass(frozen=True)
class Candidates:
    """The ways in which a mistake of one kind can be undone, in arrays of n."""

    tensors: Array  # (n, 6), about the centre, in the axes written
    tell: Callable[[int], Telling | str] | Telling | str  # the sentence of the i-th, or of all
    bonus: Array | float = 0.0  # (n,), how much likelier the digits are if this is the mistake (ln)
    decisive: npt.NDArray[np.bool_] | bool = False  # (n,), whether this proves the cause without any geometry
    masses: Array | None = None  # (n,), where the mass was the mistake (kg)
    centres: Array | None = None  # (n, 3), where the centre was (m)
    texts: EntryTexts | None = None  # of the tensors, where a `Telling` has none
    is_lost: bool = False  # the right numbers are lost: a stand-in near the geometry is no evidence
    is_certifiable: npt.NDArray[np.bool_] | bool = True
    is_fixed: npt.NDArray[np.bool_] | bool = True  # (n,), without a free number: an exact mesh can prove it

    def telling(self, index: int) -> Telling:
        told = self.tell(index) if callable(self.tell) else self.tell
        return Telling(told, texts=self.texts) if isinstance(told, str) else told


_NOISE = 1e-13  # of the largest entry


def said(value: float, digits: int = 4) -> str:
    return f"{value + 0.0:.{digits}g}"


def said_all(values: Iterable[float], digits: int = 4) -> str:
    return " ".join(said(float(value), digits) for value in values)


def row(six: Array, digits: int = 4) -> str:
    """Six numbers in the order of a file: ixx ixy ixz iyy iyz izz."""
    # Rounding noise is printed as 0.
    least = _NOISE * max(map(abs, six))
    return said_all((0.0 if abs(six[k]) < least else six[k] for k in FILE_ORDER), digits)


def as_written(clues: Clues, entry: int) -> str:
    return clues.texts[entry] or said(float(clues.six[entry]))


def entries(indices: Iterable[int]) -> str:
    """The names of entries in the order of a file: ixx, ixy and izz."""
    chosen = set(indices)
    *rest, last = (ENTRIES[k] for k in FILE_ORDER if k in chosen)
    return f"{', '.join(rest)} and {last}" if rest else last


def lost(clues: Clues, sentence: str, bonus: float, *, decisive: bool, evidence: tuple[str, ...] = ()) -> Candidates:
    """The one candidate of a mistake that destroys the tensor, with a stand-in where there is one.

    The stand-in is a twin's tensor, else the geometry's at the written mass.
    """
    six, source, whose = np.full(6, np.nan), "nothing", ""
    relative = next((one for one in clues.related if one.is_near_geometry or not clues.bodies), None)
    if relative is not None:
        six, source = clues.block_of(relative), "twin"
        whose = f"; twin {relative.name} has {row(six)}"
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
