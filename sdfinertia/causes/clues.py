"""A case in arrays: what the hypotheses look at and what their candidates are measured by, each found out once."""

from __future__ import annotations

from functools import cached_property
from math import log

import numpy as np

from sdfinertia.causes.case import ABOUT_CENTRE, Case, EntryTexts, Filling, GeometryBody, Relation, Relative
from sdfinertia.causes.components import (
    ROUNDING,
    Array,
    has_all_moments,
    is_body,
    largest_ratios,
    rotated,
    whitenings,
)
from sdfinertia.causes.numeral import Numeral, numeral
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION
from sdfinertia.inertia.spatial_inertia import InertiaTensor

# In the order of `InertiaTensor`.
ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
# The same as they stand in a file: indices into it.
FILE_ORDER = (0, 3, 4, 1, 5, 2)
# The rules that find that no body has the numbers, or that a reader refuses them.
_NO_BODY = frozenset({"SDI101", "SDI102", "SDI103", "SDI107"})
# Products below this part of the largest entry are what rounding leaves of none.
NO_PRODUCT = 1e-5
# Part of the diagonal of a box from which a centre is outside it.
OUTSIDE = 0.05
# Masses and centres are the same if they differ by less than this part (trap 7: another version has another mass).
SAME = 1e-3


class Clues:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.tensor = case.written.tensor
        self.six: Array = np.array(case.written.tensor, dtype=float)
        self.centre: Array = np.array(case.written.centre, dtype=float)
        self.mass = case.written.mass

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
        if not self.mass > 0.0:
            return None
        x, y, z = self.offset.tolist()
        term = InertiaTensor(y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
        # An offset (m²) shorter than this part of the squared gyradius moves nothing that anybody could tell.
        return np.array(term) if self.mass * max(term[:3]) > 1e-3 * self.largest_moment else None

    @cached_property
    def largest(self) -> float:
        return max(map(abs, self.tensor))

    @cached_property
    def largest_moment(self) -> float:
        return max(map(abs, self.tensor[:3]))

    @cached_property
    def is_body(self) -> bool:
        """Whether a body can have the tensor as written, but for rounding, and the mass is positive."""
        told = not self.case.findings.isdisjoint(_NO_BODY)
        # What five digits leave of a tensor, as a part of its trace.
        return self.mass > 0.0 and not told and is_body(self.tensor, 2e-5)

    @cached_property
    def may_be_turned_or_moved(self) -> bool:
        return self.mass > 0.0 and is_body(self.tensor, 2.0 * ROUNDING)

    @cached_property
    def products(self) -> tuple[int, ...]:
        """The products that are no zeros, nor what rounding leaves of them: indices into the six."""
        return tuple(k for k in (3, 4, 5) if abs(self.tensor[k]) > NO_PRODUCT * self.largest)

    @cached_property
    def numerals(self) -> tuple[Numeral | None, ...]:
        """The six numbers as they stand; where no text is known, as they would be written."""
        texts = self.case.written.entry_texts
        if not any(texts):
            texts = EntryTexts(*(repr(float(value)) for value in self.six))
        return tuple(numeral(text) for text in texts)

    @cached_property
    def significant(self) -> tuple[str, ...]:
        """The digits of each number from the first that is not 0 to the last; "" where there is none."""
        return tuple(numeral.significant if numeral is not None else "" for numeral in self.numerals)

    @cached_property
    def is_all_one(self) -> bool:
        return self.tensor.ixx == self.tensor.iyy == self.tensor.izz

    @cached_property
    def step(self) -> float | None:
        """What the six were rounded to (kg·m²): one number of decimals for all, zeros too, or that of the file."""
        texts = self.texts
        places = {len(text.partition(".")[2]) for text in texts if text and "e" not in text.lower()}
        if len(places) == 1 and all(texts) and 3 <= min(places) <= 7:
            return 10.0 ** -min(places)
        return self.case.file.step if self.case.file is not None else None

    @cached_property
    def absent(self) -> tuple[int, ...]:
        """Which entries are not written though others are."""
        texts = self.case.written.entry_texts
        return tuple(k for k, text in enumerate(texts) if not text) if any(texts) else ()

    @cached_property
    def texts(self) -> EntryTexts:
        return self.case.written.entry_texts

    # What there is beside it -----------------------------------------------------------------------------------------

    @cached_property
    def bodies(self) -> tuple[GeometryBody, ...]:
        """The geometry's bodies that have a tensor to compare with, each once, in an order of their own."""
        found: dict[object, GeometryBody] = {}
        ordered = sorted(
            self.case.bodies,
            key=lambda body: (not body.is_exact_mesh, body.source.value, body.filling.value, body.faces),
        )
        for body in ordered:
            found.setdefault((body.inertia, body.is_exact_mesh), body)
        # What has no moment about some axis measures nothing.
        return tuple(
            body
            for body in found.values()
            # Part of another moment below which there is none.
            if is_body(body.inertia.I_BBcm_B) and has_all_moments(body.inertia.I_BBcm_B, 1e-7)
        )

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

    @cached_property
    def written_distances(self) -> Array:
        if not self.mass > 0.0:
            return np.full(len(self.bodies), np.inf)
        distances: Array = self.distances(self.in_link(self.six)[None], np.array([self.mass]))[0]
        return distances

    @cached_property
    def best_body(self) -> GeometryBody | None:
        """The body to compute from: an exact mesh before others, a collision before a visual."""
        return self.bodies[0] if self.bodies else None

    @cached_property
    def from_bodies(self) -> Array:
        """(k, 6), the tensors of the bodies at the mass written, in the axes written (kg·m²)."""
        return self.mass * self.in_written(self.tensors_of_bodies)

    @cached_property
    def from_geometry(self) -> Array | None:
        """(6,), the tensor of the best body at the mass written, in the axes written (kg·m²)."""
        if self.best_body is None or not self.mass > 0.0:
            return None
        return self.in_written(self.mass * np.array(self.best_body.inertia.I_BBcm_B, dtype=float))

    @cached_property
    def box(self) -> tuple[Array, Array] | None:
        box = self.case.box
        return (np.array(box.lower), np.array(box.upper)) if box is not None else None

    @cached_property
    def has_centre_outside(self) -> bool:
        box, centre = self.case.box, self.case.written.centre
        if box is None:
            return False
        beyond = (max(low - c, c - high) for low, c, high in zip(box.lower, centre, box.upper, strict=True))
        return max(beyond) > OUTSIDE * self.size

    @cached_property
    def volume(self) -> float | None:
        """Of the best solid whose volume is known (m³)."""
        return self._solid.volume if self._solid is not None else None

    @cached_property
    def is_of_simple_shapes(self) -> bool:
        """Whether this volume is that of boxes, cylinders and the like."""
        return self._solid is not None and not self._solid.faces

    @cached_property
    def _solid(self) -> GeometryBody | None:
        solids = (body for body in self.bodies if body.filling is not Filling.SHELL and body.volume > 0.0)
        return next(solids, None)

    @cached_property
    def related(self) -> tuple[Relative, ...]:
        """Twins and siblings that count as evidence, in the order of their names: valid, of equal mass, near their own
        geometry, and siblings with the same centre.
        """
        return tuple(
            relative
            for relative in self.others
            if relative.relation is not Relation.OTHER
            and relative.is_valid
            and relative.is_near_geometry is not False
            and is_same(relative.block.mass, self.mass)
            and (relative.relation is Relation.TWIN or self._has_centre_of(relative))
        )

    @cached_property
    def same_with_another_mass(self) -> list[Relative]:
        """Other versions of the link with the same six and another mass."""
        siblings = (each for each in self.others if each.relation is Relation.SIBLING and self.has_numbers_of(each))
        return [each for each in siblings if not is_same(each.block.mass, self.mass)]

    def has_numbers_of(self, relative: Relative) -> bool:
        return bool(np.abs(self.block_of(relative) - self.six).max() <= SAME * self.largest)

    def can_stand_in(self, relative: Relative) -> bool:
        """Whether a relative's tensor is no farther from the geometry than one that removes the finding."""
        if not len(self.bodies) or relative.is_near_geometry:
            return True
        theirs = np.array(relative.block.inertia.I_BBcm_B, dtype=float)[None]
        return bool(self.distances(theirs, np.array([relative.block.mass])).min() < log(7.0))

    def fits_at(self, mass: float) -> bool:
        """Whether the tensor is the geometry's within a factor of 3 if it was written at quite another mass."""
        if not len(self.bodies) or not mass > 0.0 or not self.mass > 0.0 or abs(log(mass / self.mass)) < log(2.5):
            return False
        return bool(self.distances(self.in_link(self.six)[None], np.array([mass])).min() < log(3.0))

    def _has_centre_of(self, relative: Relative) -> bool:
        apart = (abs(a - b) for a, b in zip(relative.block.centre, self.case.written.centre, strict=True))
        return all(distance <= SAME * self.size for distance in apart)

    @cached_property
    def others(self) -> tuple[Relative, ...]:
        return tuple(sorted(self.case.relatives, key=lambda relative: (relative.relation.value, relative.name)))

    def block_of(self, relative: Relative) -> Array:
        """(6,), the tensor of a relative in the axes written (kg·m²)."""
        return self.in_written(np.array(relative.block.inertia.I_BBcm_B, dtype=float))

    @cached_property
    def size(self) -> float:
        """A length of the link (m): the diagonal of its box, else that of a body of 1000 kg/m³."""
        if self.case.box is not None and self.case.box.diagonal > 0.0:
            return self.case.box.diagonal
        return (abs(self.mass) / 1000.0) ** (1.0 / 3.0) if self.mass else 1.0

    @cached_property
    def is_about_centre(self) -> bool:
        return bool(self.case.findings) and self.case.findings <= ABOUT_CENTRE

    @cached_property
    def sharing(self) -> int:
        return max(self.case.file.sharing(self.case.written), 1) if self.case.file is not None else 1

    @cached_property
    def is_template(self) -> bool:
        """Whether the centre is 0 0 0, as the rest of a block that was never filled in."""
        file = self.case.file
        return not any(self.centre) and (file is None or file.has_no_centres or self.sharing > 1)

    def unit_of(self, entry: int) -> float:
        """The unit of the last digit of an entry (kg·m²); 0 for what is no number."""
        numeral = self.numerals[entry]
        return 2.0 * numeral.half_unit if numeral is not None else 0.0

    @cached_property
    def faces(self) -> int:
        return self.best_body.faces if self.best_body is not None else 0

    @cached_property
    def is_finding(self) -> bool:
        return bool(self.case.findings) or not self.is_body


def is_same(a: float, b: float, part: float = SAME) -> bool:
    return abs(a - b) <= part * max(abs(a), abs(b))
