"""A case in arrays, computed when needed: the input of hypotheses, and the measures of their candidates."""

from __future__ import annotations

from functools import cached_property
from math import log
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import ABOUT_CENTRE, SAME, Case, Habit, Relation, Relative, is_same
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

if TYPE_CHECKING:
    from sdfinertia.links.solids import ShapeBody

# Rules on invalid numbers, and on numbers that a reader refuses.
_INVALID = frozenset({"SDI101", "SDI102", "SDI103", "SDI107"})
# Products below this part of the largest entry are rounding noise.
NO_PRODUCT = 1e-5
# Part of the diagonal of a box from which a centre is outside it.
OUTSIDE = 0.05
_PAIRS = ((0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5))


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
        self.others = tuple(sorted(case.relatives, key=lambda one: (one.relation.value, one.name)))
        self.frames = sorted(case.frames, key=lambda frame: frame.name)
        # Links of the file with the same six, this one counted.
        self.sharing = max(file.counts[written.tensor], 1) if file is not None else 1
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
        # Pairs of moments, or of products, equal in three digits or more: a slip in one would part them.
        same = ((i, j) for i, j in _PAIRS if self.tensor[i] == self.tensor[j] and self.tensor[i])
        self.pairs = [(i, j) for i, j in same if len(self.significant[i]) >= 3]
        # Whether the centre is 0 0 0, as the rest of a block that was never filled in.
        is_shared = file is None or self.sharing > 1 or file.has_no_centres
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
    def step(self) -> float | None:
        """The rounding of the tensor: one number of decimals for all, zeros too, or that of the file."""
        places = {len(text.partition(".")[2]) for text in self.texts if text and "e" not in text.lower()}
        if len(places) == 1 and all(self.texts) and 3 <= min(places) <= 7:
            return 10.0 ** -min(places)
        return self.case.file.step if self.case.file is not None else None

    @cached_property
    def habit(self) -> Habit | None:
        """The mistake that the link shares with others of its file."""
        file = self.case.file
        return file.habits.of(self.case) if file is not None and file.habits is not None else None

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
            self.case.bodies, key=lambda body: (not body.is_exact_mesh, body.kind.element, body.filling, body.faces)
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
        """Which bodies are of exact meshes: indices."""
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

    @cached_property
    def has_centre_outside(self) -> bool:
        return bool(self.are_outside(self.centre))

    def are_outside(self, centres: Array) -> npt.NDArray[np.bool_]:
        """(...,), which centres (..., 3) are outside the box by more than a part of its diagonal."""
        lower, upper = self.corners
        found: npt.NDArray[np.bool_] = np.maximum(lower - centres, centres - upper).max(-1) > OUTSIDE * self.size
        return found

    @cached_property
    def _solid(self) -> ShapeBody | None:
        return next((body for body in self.bodies if body.filling != "shell" and body.volume > 0.0), None)

    @property
    def volume(self) -> float | None:
        """Of the best solid whose volume is known (m³)."""
        return self._solid.volume if self._solid is not None else None

    @property
    def is_of_simple_shapes(self) -> bool:
        """Whether this volume is that of boxes, cylinders and the like."""
        return self._solid is not None and not self._solid.faces

    # Other links ------------------------------------------------------------------------------------------------------

    @cached_property
    def related(self) -> tuple[Relative, ...]:
        """Twins that are evidence: valid, of equal mass, with other numbers, near their own geometry."""
        return tuple(
            one
            for one in self.others
            if one.relation is Relation.TWIN
            and one.is_valid
            and one.is_near_geometry is not False
            and is_same(one.block.mass, self.mass)
            and np.abs(self.block_of(one) - self.six).max() > SAME * self.largest
        )

    def block_of(self, relative: Relative) -> Array:
        """(6,), the tensor of a relative."""
        return self.in_written(np.array(relative.block.inertia.I_BBcm_B, dtype=float))

    def can_stand_in(self, relative: Relative) -> bool:
        """Whether a relative's tensor is near enough to the geometry to remove the finding."""
        if not self.bodies or relative.is_near_geometry:
            return True
        theirs = np.array(relative.block.inertia.I_BBcm_B, dtype=float)[None]
        return bool(self.distances(theirs, np.array([relative.block.mass])).min() < log(7.0))
