"""A case in arrays: what the hypotheses look at and what their candidates are measured by, each found out once."""

from __future__ import annotations

from functools import cached_property
from math import log

import numpy as np

from sdfinertia.causes.case import ABOUT_CENTRE, SAME, Case, Filling, GeometryBody, Relation, Relative, is_same
from sdfinertia.causes.components import (
    ROUNDING,
    Array,
    has_all_moments,
    is_body,
    largest_ratios,
    point_masses,
    rotated,
    whitenings,
)
from sdfinertia.causes.numeral import Numeral, numeral
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION

# In the order of `InertiaTensor`.
ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
# The same as they stand in a file: indices into it.
FILE_ORDER = (0, 3, 4, 1, 5, 2)
# The rules that find that the numbers are invalid, or that a reader refuses them.
_INVALID = frozenset({"SDI101", "SDI102", "SDI103", "SDI107"})
# Products below this part of the largest entry are what rounding leaves of none.
NO_PRODUCT = 1e-5
# Part of the diagonal of a box from which a centre is outside it.
OUTSIDE = 0.05


class Clues:
    """What a case tells; arrays of six numbers are in the order of `InertiaTensor`."""

    def __init__(self, case: Case) -> None:
        self.case, written, file = case, case.written, case.file
        self.tensor, self.mass, self.texts = written.tensor, written.mass, written.entry_texts
        self.six: Array = np.array(written.tensor, dtype=float)
        self.centre: Array = np.array(written.centre, dtype=float)
        self.largest = max(map(abs, self.tensor))
        self.largest_moment = max(map(abs, self.tensor[:3]))
        self.is_all_one = self.tensor.ixx == self.tensor.iyy == self.tensor.izz
        self.is_about_centre = bool(case.findings) and case.findings <= ABOUT_CENTRE
        self.others = tuple(sorted(case.relatives, key=lambda one: (one.relation.value, one.name)))
        self.frames = sorted(case.frames, key=lambda frame: (frame.kind.value, frame.name))
        # Links of the file with the same six, this one counted.
        self.sharing = max(file.counts[written.tensor], 1) if file is not None else 1
        # Entries that are not written though others are.
        self.absent = tuple(k for k, text in enumerate(self.texts) if not text) if any(self.texts) else ()
        # A length of the link (m): the diagonal of its box, else that of a body of 1000 kg/m³.
        self.size = (abs(self.mass) / 1000.0) ** (1.0 / 3.0) if self.mass else 1.0
        if case.box is not None and case.box.diagonal > 0.0:
            self.size = case.box.diagonal

    # What is written ------------------------------------------------------------------------------------------------

    @cached_property
    def R(self) -> Array | None:
        """(3, 3), R_LC of the axes of the tensor; None for the identity."""
        rotation = self.case.written.rotation
        return None if rotation == IDENTITY_ROTATION else np.array(rotation).reshape(3, 3)

    def in_link(self, components: Array) -> Array:
        return components if self.R is None else rotated(components, self.R)

    def in_written(self, components: Array) -> Array:
        return components if self.R is None else rotated(components, self.R.T)

    @cached_property
    def offset(self) -> Array:
        """(3,), the centre from the origin of the link, in the axes of the tensor (m)."""
        return self.centre if self.R is None else self.R.T @ self.centre

    @cached_property
    def offset_term(self) -> Array | None:
        """(6,), the parallel-axis term of 1 kg at the centre (m²), in the axes of the tensor; None where it is none."""
        term = point_masses(1.0, self.offset)
        # Shorter than this part of the squared radius of gyration it moves nothing that anybody could tell.
        counts = self.mass > 0.0 and self.mass * term[:3].max() > 1e-3 * self.largest_moment
        return term if counts else None

    @cached_property
    def is_body(self) -> bool:
        """Whether the tensor as written is valid, but for what five digits leave, and the mass positive."""
        return self.mass > 0.0 and self.case.findings.isdisjoint(_INVALID) and is_body(self.tensor, 2e-5)

    @cached_property
    def is_finding(self) -> bool:
        return bool(self.case.findings) or not self.is_body

    @cached_property
    def may_be_turned_or_moved(self) -> bool:
        """Whether other axes, or a parallel-axis term taken away, may leave a valid tensor."""
        return self.mass > 0.0 and is_body(self.tensor, 2.0 * ROUNDING)

    @cached_property
    def products(self) -> tuple[int, ...]:
        """The products that are no zeros, nor what rounding leaves of them: indices into the six."""
        return tuple(k for k in (3, 4, 5) if abs(self.tensor[k]) > NO_PRODUCT * self.largest)

    @cached_property
    def numerals(self) -> tuple[Numeral | None, ...]:
        """The six numbers as they stand; where no text is known, as they would be written."""
        return tuple(map(numeral, self.texts if any(self.texts) else map(repr, self.six.tolist())))

    @cached_property
    def significant(self) -> tuple[str, ...]:
        """The digits of each number from the first that is not 0 to the last; "" where there is none."""
        return tuple(each.significant if each is not None else "" for each in self.numerals)

    @cached_property
    def step(self) -> float | None:
        """What the tensor was rounded to (kg·m²): one number of decimals for all, zeros too, or that of the file."""
        places = {len(text.partition(".")[2]) for text in self.texts if text and "e" not in text.lower()}
        if len(places) == 1 and all(self.texts) and 3 <= min(places) <= 7:
            return 10.0 ** -min(places)
        return self.case.file.step if self.case.file is not None else None

    @cached_property
    def is_template(self) -> bool:
        """Whether the centre is 0 0 0, as the rest of a block that was never filled in."""
        file = self.case.file
        return not any(self.centre) and (file is None or file.has_no_centres or self.sharing > 1)

    # What there is beside it ----------------------------------------------------------------------------------------

    @cached_property
    def bodies(self) -> tuple[GeometryBody, ...]:
        """The geometry's bodies that have a moment about every axis, each once, exact meshes and collisions first."""
        found: dict[object, GeometryBody] = {}
        for body in sorted(
            self.case.bodies,
            key=lambda body: (not body.is_exact_mesh, body.source.value, body.filling.value, body.faces),
        ):
            if is_body(body.inertia.I_BBcm_B) and has_all_moments(body.inertia.I_BBcm_B, 1e-7):
                found.setdefault((body.inertia, body.is_exact_mesh), body)
        return tuple(found.values())

    @cached_property
    def tensors_of_bodies(self) -> Array:
        """(k, 6), of the bodies at 1 kg, in link axes."""
        return np.array([body.inertia.I_BBcm_B for body in self.bodies], dtype=float).reshape(-1, 6)

    @cached_property
    def whitenings(self) -> Array:
        """(k, 6, 6), of the bodies' tensors at 1 kg: see `largest_ratios`."""
        return whitenings(self.tensors_of_bodies)

    @cached_property
    def is_exact(self) -> Array:
        """(k,), which bodies are of exact meshes."""
        return np.array([body.is_exact_mesh for body in self.bodies], dtype=bool)

    def distances(self, in_link: Array, masses: Array) -> Array:
        """(n, k), the largest |ln λ| of tensors in link axes against each body at the same mass."""
        return largest_ratios(in_link / masses[:, None], self.whitenings)

    def distance_at(self, mass: float) -> Array:
        """(k,), of the tensor as written against each body at a mass."""
        if not mass > 0.0:
            return np.full(len(self.bodies), np.inf)
        distances: Array = self.distances(self.in_link(self.six)[None], np.array([mass]))[0]
        return distances

    @cached_property
    def written_distances(self) -> Array:
        return self.distance_at(self.mass)

    @cached_property
    def from_bodies(self) -> Array:
        """(k, 6), the tensors of the bodies at the mass written, in the axes written (kg·m²)."""
        return self.mass * self.in_written(self.tensors_of_bodies)

    @cached_property
    def from_geometry(self) -> Array | None:
        """(6,), the tensor of the best body at the mass written, in the axes written (kg·m²)."""
        return self.from_bodies[0] if self.bodies and self.mass > 0.0 else None

    @cached_property
    def best_body(self) -> GeometryBody | None:
        return self.bodies[0] if self.bodies else None

    @cached_property
    def faces(self) -> int:
        return self.bodies[0].faces if self.bodies else 0

    @cached_property
    def box(self) -> tuple[Array, Array] | None:
        """The lower and the upper corner (m)."""
        box = self.case.box
        return (np.array(box.lower), np.array(box.upper)) if box is not None else None

    @cached_property
    def has_centre_outside(self) -> bool:
        if self.box is None:
            return False
        return bool(np.maximum(self.box[0] - self.centre, self.centre - self.box[1]).max() > OUTSIDE * self.size)

    @cached_property
    def _solid(self) -> GeometryBody | None:
        solids = (body for body in self.bodies if body.filling is not Filling.SHELL and body.volume > 0.0)
        return next(solids, None)

    @cached_property
    def volume(self) -> float | None:
        """Of the best solid whose volume is known (m³)."""
        return self._solid.volume if self._solid is not None else None

    @cached_property
    def is_of_simple_shapes(self) -> bool:
        """Whether this volume is that of boxes, cylinders and the like."""
        return self._solid is not None and not self._solid.faces

    # Related links --------------------------------------------------------------------------------------------------

    @cached_property
    def related(self) -> tuple[Relative, ...]:
        """Twins and siblings that are evidence: valid, of equal mass, not far from their own geometry."""
        return tuple(
            one
            for one in self.others
            if one.relation is not Relation.OTHER
            and one.is_valid
            and one.is_near_geometry is not False
            and is_same(one.block.mass, self.mass)
            and (one.relation is Relation.TWIN or self._has_centre_of(one))
        )

    def _has_centre_of(self, one: Relative) -> bool:
        return bool(np.abs(np.array(one.block.centre) - self.centre).max() <= SAME * self.size)

    @cached_property
    def same_with_another_mass(self) -> list[Relative]:
        """Other versions of the link with the same six and another mass."""
        siblings = (one for one in self.others if one.relation is Relation.SIBLING and self.has_numbers_of(one))
        return [one for one in siblings if not is_same(one.block.mass, self.mass)]

    def block_of(self, relative: Relative) -> Array:
        """(6,), the tensor of a relative in the axes written (kg·m²)."""
        return self.in_written(np.array(relative.block.inertia.I_BBcm_B, dtype=float))

    def has_numbers_of(self, relative: Relative) -> bool:
        return bool(np.abs(self.block_of(relative) - self.six).max() <= SAME * self.largest)

    def can_stand_in(self, relative: Relative) -> bool:
        """Whether a relative's tensor is not farther from the geometry than one that removes the finding."""
        if not self.bodies or relative.is_near_geometry:
            return True
        theirs = np.array(relative.block.inertia.I_BBcm_B, dtype=float)[None]
        return bool(self.distances(theirs, np.array([relative.block.mass])).min() < log(7.0))

    def fits_at(self, mass: float) -> bool:
        """Whether the tensor is the geometry's within a factor of 3 if it was written at quite another mass."""
        if not self.bodies or not mass > 0.0 or not self.mass > 0.0 or abs(log(mass / self.mass)) < log(2.5):
            return False
        return bool(self.distance_at(mass).min() < log(3.0))
