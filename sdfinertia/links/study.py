"""The study of a link: each fact is found once, and all commands and rules share it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any

from sdfinertia.errors import ResourceError, SdfInertiaError, ValueTextError
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.links.provenance import Provenance, parse_provenance, values_digest
from sdfinertia.options import Options
from sdfinertia.robot.link import Link
from sdfinertia.robot.numbers import half_unit
from sdfinertia.robot.values import COLLISION, VISUAL, Comment, SolidKind, repaired_cause
from sdfinertia.shapes import Bounds, NoVolume, bounds_around

if TYPE_CHECKING:
    from functools import cached_property as fact

    from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
    from sdfinertia.links.computed import Computed
    from sdfinertia.links.context import Context
    from sdfinertia.links.inputs import Inputs
    from sdfinertia.links.solids import SolidBoxes
    from sdfinertia.mesh.diagnosis import MeshDiagnosis
    from sdfinertia.robot.values import Written
else:

    class fact:  # noqa: N801  # to be read as a decorator
        """A property found once; that it cannot be found is remembered and raised again.

        A subclass of `cached_property` takes twice as long, for its lock.
        """

        def __init__(self, find: Any) -> None:
            self.find, self.name, self.__doc__ = find, find.__name__, find.__doc__

        def __get__(self, study: Any, owner: type) -> Any:
            if study is None:
                return self
            error = study.errors.get(self.name)
            if error is None:
                try:
                    # Kept under the property's own name, so that Python does not come here a second time.
                    value = study.__dict__[self.name] = self.find(study)
                    return value
                except SdfInertiaError as failure:
                    error = study.errors[self.name] = failure
            # The traceback would keep the tree of the file.
            raise error.with_traceback(None)


class Status(str, Enum):
    """What a block is, or what was done with its link; the values are the words that reports have for it."""

    # Filled before, and what the file gives now; nothing is reported.
    CLEAN = "clean"

    FILLED = "filled"
    # Its block was stale.
    REFILLED = "refilled"
    # By what undoes the mistake in it.
    REPAIRED = "repaired"
    # Computed, but not written because another link of the file failed.
    WITHHELD = "withheld"
    # And left so.
    STALE = "stale"
    # By hand, and left.
    EDITED = "edited"
    LEFT = "left"
    FAILED = "failed"

    def __str__(self) -> str:
        return self.value


class Study:
    """The facts of a link; one that is unknown raises the SdfInertiaError that says why."""

    def __init__(self, link: Link, options: Options, context: Context) -> None:
        self.link = link
        self.options = options
        self.context = context
        self.errors: dict[str, SdfInertiaError] = {}
        self._boxes_by_kind: dict[SolidKind, SolidBoxes] = {}

    # What is written ------------------------------------------------------------------------------------------------

    @fact
    def is_auto(self) -> bool:
        return self.link.asks_to_be_filled()

    @cached_property
    def _provenance(self) -> tuple[Comment, Provenance] | None:
        for comment in self.link.inertial_comments():
            provenance = parse_provenance(comment.text)
            if provenance is not None:
                return comment, provenance
        return None

    @property
    def provenance(self) -> Provenance | None:
        """What its block says of how it was filled."""
        return self._provenance[1] if self._provenance is not None else None

    @property
    def provenance_comment(self) -> Comment | None:
        return self._provenance[0] if self._provenance is not None else None

    @property
    def repair_comment(self) -> Comment | None:
        return next((each for each in self.link.inertial_comments() if repaired_cause(each.text) is not None), None)

    @property
    def is_managed(self) -> bool:
        """Whether its block was filled, and does not ask to be computed."""
        return self.provenance is not None and not self.is_auto

    @fact
    def written(self) -> Written | None:
        return self.link.written_inertia()

    def require_readable(self) -> None:
        """Refuses an author's block with malformed numbers."""
        if self.is_auto or self.provenance is not None or not self.link.has_inertial:
            return
        # That numbers are plain is found faster than reading them one by one.
        if self.link.written_numbers() is None:
            try:
                _ = self.written
            except ValueTextError as error:
                raise error.with_remedy(error.remedy or "write what is meant, or let `fill --all` compute it") from None

    @cached_property
    def explicit(self) -> SpatialInertia | None:
        """The inertia that is written, where it has a tensor and can be read."""
        try:
            return self.written.inertia if self.link.has_tensor and self.written is not None else None
        except SdfInertiaError:
            return None

    @fact
    def counted(self) -> SpatialInertia | None:
        """What it adds to a sum of links: what is written, or asked for; None for a link that has neither."""
        if self.is_auto:
            return self.computed.inertia
        return self.written.inertia if self.written is not None else None

    @cached_property
    def is_edited(self) -> bool:
        numbers = self.link.written_numbers()
        return self.provenance is not None and (numbers is None or values_digest(numbers) != self.provenance.values)

    # What it is computed from ---------------------------------------------------------------------------------------

    @property
    def mass_given(self) -> bool:
        """Whether a written mass is the author's."""
        return self.provenance is None or self.provenance.mass_given

    @fact
    def options_in_force(self) -> Options:
        """The options for computing the link.

        For a filled block the provenance decides, not the run; where the link is computed again, the run does, and the
        provenance fills in what it leaves open.
        """
        if self.provenance is None:
            return self.options
        if self.is_managed and not self.options.all:
            return self.provenance.applied_to(self.options)
        return self.provenance.completing(self.options)

    @fact
    def is_current(self) -> bool:
        """Whether its block was filled from what the file says now and is unchanged; by digests alone."""
        provenance = self.provenance
        if provenance is None or not self.is_managed or self.is_edited:
            return False
        recorded = provenance.applied_to(self.options)
        return recorded == self.options_in_force and self.inputs.digest(provenance.options) == provenance.inputs

    @property
    def solids_kind(self) -> SolidKind:
        if not self.link.has_solids(COLLISION) and self.options_in_force.takes_visuals:
            return VISUAL
        return COLLISION

    @property
    def has_solids(self) -> bool:
        return self.link.has_solids(self.solids_kind)

    @fact
    def encloses_nothing(self) -> bool:
        return all(isinstance(solid.shape(), NoVolume) for solid in self.link.solids(self.solids_kind))

    @fact
    def inputs(self) -> Inputs:
        from sdfinertia.links.inputs import read_inputs

        return read_inputs(self.link, self.options_in_force, self.context, mass_given=self.mass_given)

    @fact
    def computed(self) -> Computed:
        from sdfinertia.links.computed import compute

        # First: errors of the link come before those of options.
        inputs = self.inputs
        return compute(inputs, self.options_in_force, self.context, is_static=self.link.is_static)

    @fact
    def status(self) -> Status | None:
        """CLEAN, STALE or EDITED; None if it was never filled. Computes only where digests differ."""
        provenance = self.provenance
        if provenance is None or not self.is_managed:
            return None
        if self.is_edited:
            return Status.EDITED
        if self.is_current:
            return Status.CLEAN
        written, computed = self.written, self.computed
        assert written is not None, "a block with a provenance comment is there"
        if not differs_from(computed, written, mass_given=provenance.mass_given):
            return Status.CLEAN
        # With few digits, what is added so that libsdformat takes a tensor is more than half a unit of the last.
        return Status.CLEAN if self.link.numbers_of(computed.text()) == self.link.written_numbers() else Status.STALE

    # What it looks like ---------------------------------------------------------------------------------------------

    @fact
    def bounds(self) -> Bounds | None:
        """In link axes; None where there is none or a shape is unbounded."""
        for kind in (COLLISION, VISUAL):
            self.link.solids(kind)  # shared names are reported before files are looked for
        return self.bounds_of(COLLISION, VISUAL)

    @fact
    def known_bounds(self) -> Bounds | None:
        """The same, of collisions alone where visuals are missing."""
        try:
            return self.bounds
        except SdfInertiaError:
            if any(not isinstance(error, ResourceError) for error in self.unreadable(VISUAL)):
                raise
            return self.bounds_of(COLLISION)

    def bounds_of(self, *kinds: SolidKind) -> Bounds | None:
        """The same of some kinds of solids."""
        boxes: list[Bounds] = []
        errors: list[SdfInertiaError] = []
        for found in map(self._boxes, kinds):
            if found.boxes is None:
                return None
            boxes += found.boxes
            errors += found.errors
        if errors:
            raise errors[0].copied()
        return bounds_around(boxes) if boxes else None

    def unreadable(self, kind: SolidKind) -> list[SdfInertiaError]:
        return self._boxes(kind).errors

    def _boxes(self, kind: SolidKind) -> SolidBoxes:
        from sdfinertia.links.solids import boxes_of

        if kind not in self._boxes_by_kind:
            self._boxes_by_kind[kind] = boxes_of(self.link, kind, self.context)
        return self._boxes_by_kind[kind]

    @fact
    def meshes(self) -> list[tuple[str, MeshDiagnosis | SdfInertiaError]]:
        """By the names of their collisions."""
        from sdfinertia.links.solids import diagnosed

        return list(diagnosed(self.link, self.context))


# Whether a block still is what its file gives -------------------------------------------------------------------------

# Differences below this part of a number's scale are no finding: a mesh exported again moves its last bits.
_RELATIVE_SLACK = 1e-9

# What rounding may move a number of a turned tensor by, as a part of its trace.
_TURNING = 1e-13


def differs_from(computed: Computed, written: Written, *, mass_given: bool) -> bool:
    """Whether a number differs by more than half a unit of its last digit and a sliver of its scale.

    The scale is the size of the body for the centre, the moment itself for a moment, the geometric mean of its two
    moments, which bounds it, for a product. A given mass is not compared.
    """
    digits = computed.options.digits
    new, old = computed.inertia, written.inertia
    x, y, z = new.p_BoBcm_B
    size = max(sqrt(x * x + y * y + z * z), new.gyradius)
    pairs = [(a, b, size, 0.0) for a, b in zip(new.p_BoBcm_B, old.p_BoBcm_B, strict=True)]
    if not mass_given:
        pairs.append((new.mass, old.mass, new.mass, 0.0))
    pairs += _moments(computed, written, digits)
    # `not ... <=` so that a NaN differs.
    return any(
        not abs(a - b) <= half_unit(b, digits) + rounding + _RELATIVE_SLACK * scale for a, b, scale, rounding in pairs
    )


def _moments(computed: Computed, written: Written, digits: int) -> Iterator[tuple[float, float, float, float]]:
    """Each moment, product and principal moment: computed, written, its scale, and the error of rounding."""
    new, old = computed.inertia.I_BBcm_B, written.inertia.I_BBcm_B
    noise = _TURNING * new.trace
    # A tensor in other axes than the link's was rounded there, and turned when it was read.
    turned = noise + _rounding(written.tensor, digits) if written.tensor != old else 0.0
    for a, b in zip(new[:3], old[:3], strict=True):
        yield a, b, a, turned
    squares = (new.ixx * new.iyy, new.ixx * new.izz, new.iyy * new.izz)
    for a, b, square in zip(new[3:], old[3:], squares, strict=True):
        yield a, b, sqrt(abs(square)), noise + turned
    is_diagonal = written.tensor[3:] == (0.0, 0.0, 0.0)
    rounding = 0.0 if is_diagonal else noise + _rounding(written.tensor, digits)
    moments = sorted(computed.principal_axes().moments)
    for a, b in zip(moments, principal_moments(written.tensor), strict=True):
        yield a, b, a, rounding


def _rounding(tensor: InertiaTensor, digits: int) -> float:
    """How far rounding the entries of a tensor moves its eigenvalues at most (Weyl; Frobenius norm)."""
    moments, products = tensor[:3], tensor[3:]
    return hypot(*(half_unit(value, digits) for value in (*moments, *products, *products)))
