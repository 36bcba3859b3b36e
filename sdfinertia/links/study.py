"""The study of a link: every fact about its inertia, found out when it is first asked for, and once.

`fill`, `check`, `show`, `scale`, pages and rules share one study of each link. It knows the link by what a description
says of it (`sdfinertia.robot.robot`), whatever the format.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from sdfinertia.errors import SdfInertiaError, ValueTextError
from sdfinertia.links.provenance import Provenance, parse_provenance
from sdfinertia.options import Options
from sdfinertia.robot.values import COLLISION, VISUAL, Comment, SolidKind, repaired_cause

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.bounds import SolidBoxes
    from sdfinertia.links.computation import Computation
    from sdfinertia.links.inputs import LinkInputs
    from sdfinertia.links.meshes import DiagnosedMeshes
    from sdfinertia.links.surroundings import Surroundings
    from sdfinertia.links.verification import Verification
    from sdfinertia.robot.robot import Link
    from sdfinertia.robot.values import Written
    from sdfinertia.shapes.reach import Bounds

_T = TypeVar("_T")


class _Fact(Generic[_T]):
    """A property that is found out once; that it cannot be found is remembered and raised again."""

    def __init__(self, find: Callable[[Any], _T]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, study: None, owner: type) -> _Fact[_T]: ...
    @overload
    def __get__(self, study: LinkStudy, owner: type) -> _T: ...
    def __get__(self, study: LinkStudy | None, owner: type) -> _T | _Fact[_T]:
        if study is None:
            return self
        # What is found is kept under the property's own name, so that Python does not come here a second time.
        error = study.failures.get(self._name)
        if error is None:
            try:
                value = study.__dict__[self._name] = self._find(study)
            except SdfInertiaError as failure:
                # Its traceback would keep the tree of the file.
                error = study.failures[self._name] = failure.with_traceback(None)
            else:
                return value
        raise error.with_traceback(None)


class LinkStudy:
    """What there is to know of a link.

    Args:
        link: what the description says of it.
        options: of the run; `all` says that a block filled before is to be computed with them, and not verified.
        surroundings: where files are found.

    Attributes:
        failures: why facts cannot be found, by name.
    """

    def __init__(self, link: Link, options: Options, surroundings: Surroundings) -> None:
        self.link = link
        self.options = options
        self.surroundings = surroundings
        self.failures: dict[str, SdfInertiaError] = {}

    # What is written ------------------------------------------------------------------------------------------------

    @_Fact
    def is_auto(self) -> bool:
        """Whether the link asks for its inertia to be computed.

        Raises:
            ValueTextError: what says so is no boolean.
        """
        return self.link.asks_to_be_filled()

    @cached_property
    def _provenance(self) -> tuple[Comment, Provenance] | None:
        for comment in self.link.inertial_comments():
            provenance = parse_provenance(comment.text)
            if provenance is not None:
                return comment, provenance
        return None

    @cached_property
    def provenance(self) -> Provenance | None:
        """What its block says of how it was filled; None where it was not, or is its author's."""
        return self._provenance[1] if self._provenance is not None else None

    @property
    def provenance_comment(self) -> Comment | None:
        """Where its block says so."""
        return self._provenance[0] if self._provenance is not None else None

    @cached_property
    def repair_comment(self) -> Comment | None:
        """Where its block, which is its author's, says what was repaired in it; None where it says nothing of that."""
        for comment in self.link.inertial_comments():
            if repaired_cause(comment.text) is not None:
                return comment
        return None

    @property
    def is_managed(self) -> bool:
        """Whether its block was filled, and is not to be computed anew in any case."""
        return self.provenance is not None and not self.is_auto

    @_Fact
    def written(self) -> Written | None:
        """The explicit numbers, with the format's defaults for what is absent; None where there is no inertial.

        Raises:
            ValueTextError: one of them is malformed.
        """
        return self.link.written_inertia()

    def require_readable(self) -> None:
        """Refuses a block that is its author's, and not as its author means it.

        Raises:
            ValueTextError: a number in it, or what asks for it to be computed, is malformed.
        """
        if self.is_auto or self.provenance is not None or not self.link.has_inertial:
            return
        # Plain numbers are told faster than read one by one.
        if self.link.written_numbers() is None:
            try:
                _ = self.written
            except ValueTextError as error:
                raise error.with_remedy(error.remedy or "write what is meant, or let `fill --all` compute it") from None

    @cached_property
    def explicit(self) -> SpatialInertia | None:
        """The inertia that is written, where a tensor is, and can be read."""
        try:
            return self.written.inertia if self.link.has_tensor and self.written is not None else None
        except SdfInertiaError:
            return None

    @cached_property
    def is_edited(self) -> bool:
        """Whether the numbers of a filled block are others than those it was filled with."""
        from sdfinertia.links.provenance import values_digest

        numbers = self.link.written_numbers()
        return self.provenance is not None and (numbers is None or values_digest(numbers) != self.provenance.values)

    # What it is computed from ---------------------------------------------------------------------------------------

    @property
    def mass_given(self) -> bool:
        """Whether a mass that is written is its author's."""
        return self.provenance is None or self.provenance.mass_given

    @_Fact
    def options_in_force(self) -> Options:
        """The options that hold for computing the link.

        A block that was filled is what its provenance says, and the run's options do not matter to it; where all is
        computed anew, or the link asks for it, they do, and the provenance says what they leave open.

        Raises:
            ConfigurationError: the provenance records an option that is not known, or a value it cannot have.
        """
        if self.provenance is None:
            return self.options
        if self.is_managed and not self.options.all:
            return self.provenance.applied_to(self.options)
        return self.provenance.completing(self.options)

    @_Fact
    def is_current(self) -> bool:
        """Whether its block was filled from what stands there now, as the options in force say, and is as it was.

        Only digests are compared: nothing is computed.

        Raises:
            SdfInertiaError: what it is computed from cannot be found or read.
        """
        provenance = self.provenance
        if provenance is None or not self.is_managed or self.is_edited:
            return False
        recorded = provenance.applied_to(self.options)
        return recorded == self.options_in_force and self.inputs.digest(provenance.options) == provenance.inputs

    @property
    def solids_kind(self) -> SolidKind:
        """The kind of the solids that it is computed from."""
        if not self.link.has_solids(COLLISION) and self.options_in_force.takes_visuals:
            return VISUAL
        return COLLISION

    @property
    def has_solids(self) -> bool:
        """Whether there is anything to compute it from."""
        return self.link.has_solids(self.solids_kind)

    @_Fact
    def encloses_nothing(self) -> bool:
        """Whether all solids that it would be computed from have shapes without volume.

        Raises:
            SdfInertiaError: a shape cannot be read.
        """
        from sdfinertia.shapes.shape import NoVolume

        return all(isinstance(solid.shape(), NoVolume) for solid in self.link.solids(self.solids_kind))

    @_Fact
    def inputs(self) -> LinkInputs:
        """All that shapes its inertia, before anything is computed.

        Raises:
            SdfInertiaError: something in the link is malformed, missing or without volume.
        """
        from sdfinertia.links.inputs import read_link_inputs

        return read_link_inputs(self.link, self.options_in_force, self.surroundings, mass_given=self.mass_given)

    @_Fact
    def computation(self) -> Computation:
        """Its inertia, computed.

        Raises:
            SdfInertiaError: it cannot be.
        """
        from sdfinertia.links.computation import Computation
        from sdfinertia.links.inertia import link_inertia

        inputs = self.inputs
        inertia = link_inertia(inputs, self.surroundings, is_static=self.link.is_static)
        return Computation(self.options_in_force, inputs, inertia)

    @_Fact
    def verification(self) -> Verification | None:
        """Whether its block is clean, stale or edited; nothing is computed if its digests match. None if never filled.

        Raises:
            SdfInertiaError: the link cannot be computed any more.
        """
        provenance = self.provenance
        if provenance is None or not self.is_managed:
            return None
        from sdfinertia.links.verification import BlockState, Verification, differs_from

        if self.is_edited:
            return Verification(BlockState.EDITED)
        if self.is_current:
            return Verification(BlockState.CLEAN)
        written, computation = self.written, self.computation
        assert written is not None, "a block with a provenance comment is there"
        digits = computation.options.digits
        if not differs_from(computation.inertia, written, digits, mass_given=provenance.mass_given):
            return Verification(BlockState.CLEAN, computation)
        # With few digits, what is added so that libsdformat takes a tensor is more than half a unit of the last.
        same = computation.text().numbers() == self.link.written_numbers()
        return Verification(BlockState.CLEAN if same else BlockState.STALE, computation)

    # What it looks like ---------------------------------------------------------------------------------------------

    @_Fact
    def bounds(self) -> Bounds | None:
        """The box round its collisions and visuals, in link axes; None where there is none, or a shape has no end.

        Raises:
            SdfInertiaError: a shape, its mesh or its frame cannot be found or read.
        """
        for kind in (COLLISION, VISUAL):
            self.link.solids(kind)  # that two share a name is told before anything is looked for
        return self._round(COLLISION, VISUAL)

    def bounds_of(self, kind: SolidKind) -> Bounds | None:
        """The box round its collisions or its visuals alone; see `bounds`.

        Raises:
            SdfInertiaError: as for `bounds`.
        """
        return self._round(kind)

    def _round(self, *kinds: SolidKind) -> Bounds | None:
        from sdfinertia.shapes.reach import bounds_round

        boxes: list[Bounds] = []
        errors: list[SdfInertiaError] = []
        for of_kind in map(self._boxes, kinds):
            if of_kind.boxes is None:
                return None
            boxes += of_kind.boxes
            errors += of_kind.errors
        if errors:
            raise errors[0].copied()
        return bounds_round(boxes) if boxes else None

    def unreadable(self, kind: SolidKind) -> list[SdfInertiaError]:
        """Why its collisions or its visuals cannot be found or read, or are impossible."""
        try:
            return self._boxes(kind).errors
        except SdfInertiaError as error:
            return [error]

    def _boxes(self, kind: SolidKind) -> SolidBoxes:
        return self._collision_boxes if kind == COLLISION else self._visual_boxes

    @_Fact
    def _collision_boxes(self) -> SolidBoxes:
        from sdfinertia.links.bounds import boxes_of

        return boxes_of(self.link, COLLISION, self.surroundings)

    @_Fact
    def _visual_boxes(self) -> SolidBoxes:
        from sdfinertia.links.bounds import boxes_of

        return boxes_of(self.link, VISUAL, self.surroundings)

    @_Fact
    def diagnoses(self) -> DiagnosedMeshes:
        """What each mesh among its collisions is like.

        Raises:
            SdfInertiaError: two collisions bear the same name.
        """
        from sdfinertia.links.meshes import diagnosed_meshes

        return diagnosed_meshes(self.link, self.surroundings)
