"""What is computed of a link, each value once, for all commands and rules."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sdfinertia.errors import (
    FrameError,
    Location,
    MeshError,
    OpenMeshError,
    ResourceError,
    SdfInertiaError,
    ValueTextError,
)
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.links.body import Computed, compute, differs_from
from sdfinertia.links.inputs import Inputs, read_inputs
from sdfinertia.links.provenance import Provenance, Status, parse_provenance, values_digest
from sdfinertia.links.solids import SolidBoxes, boxes_of, diagnosed
from sdfinertia.robot.inertial import TENSOR_NAMES, EntryTexts, WrittenBlock
from sdfinertia.robot.link import COLLISION, VISUAL, SolidKind, attempt, given, known
from sdfinertia.robot.names import repaired_cause
from sdfinertia.robot.numbers import shorten
from sdfinertia.shapes import Bounds, NoVolume, bounds_around

if TYPE_CHECKING:
    from collections.abc import Callable

    from sdfinertia.inertia.rigid_transform import Vector3
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.context import Context
    from sdfinertia.markup.document import Comment
    from sdfinertia.mesh.method import MeshDiagnosis
    from sdfinertia.options import Options
    from sdfinertia.robot.inertial import Written
    from sdfinertia.robot.link import Link
    from sdfinertia.robot.problems import Command


T = TypeVar("T")
_LONGEST_REASON = 100
_OPEN_EDGES = re.compile(r"(?<![\d,])[\d,]+ open edges?")


class Unjudged(NamedTuple):
    """Why rules could not judge a link."""

    link: str
    problem: str  # begins with the solid that it is about
    location: Location
    remedy: str
    uri: str  # that was not found; "" for other reasons
    is_finding: bool  # whether SDI902 reports it, since the file exists and is wrong


def reason_in_words(error: SdfInertiaError, kind: SolidKind = COLLISION, *, is_short: bool = False) -> str:
    where = f"{kind.element} {error.collision!r}: " if error.collision else ""
    path = os.path.basename(error.other_file) if is_short else error.other_file
    if is_short and isinstance(error, OpenMeshError) and (count := _OPEN_EDGES.search(error.problem)):
        return f"{path or 'the mesh'} has {count[0]}"
    problem = shorten(error.problem, _LONGEST_REASON) if is_short else error.problem
    return f"{where}{path and f'{path}: '}{problem}"


# Of the trace: three digits, which break the triangle inequality of thin plates.
_ROUNDED = 1e-3


class Study:
    """A link with its options and context, and what is computed of it.

    Properties for rules are values, and None or an error where unknown; the others raise the error.
    """

    def __init__(self, link: Link, options: Options, context: Context) -> None:
        self.link = link
        self.options = options
        self.context = context
        self._boxes_by_kind: dict[SolidKind, SolidBoxes] = {}
        # The link as a case beside the meshes of all links of its file, for rules that need it; causes lie above this
        # floor.
        self.beside_meshes: Callable[[], Any] | None = None
        # The remedy for its numbers, once a rule needed it.
        self.advice: str | Command | None = None
        # Why a rule could not judge it, each reason once.
        self.unjudged: dict[tuple[object, str], Unjudged] = {}

    @property
    def alone(self) -> Study:
        return self

    # Its inertial ---------------------------------------------------------------------------------------------------

    @property
    def is_auto(self) -> bool:
        return self.link.asks_to_be_filled()

    @cached_property
    def provenance(self) -> Provenance | None:
        found = (parse_provenance(comment.text) for comment in self.link.inertial_comments())
        return next((each for each in found if each is not None), None)

    @property
    def provenance_comment(self) -> Comment | None:
        return next((each for each in self.link.inertial_comments() if parse_provenance(each.text) is not None), None)

    @property
    def repair_comment(self) -> Comment | None:
        return next((each for each in self.link.inertial_comments() if repaired_cause(each.text) is not None), None)

    @property
    def is_managed(self) -> bool:
        return self.provenance is not None and not self.is_auto

    @cached_property
    def written(self) -> Written | None:
        return self.link.written_inertia()

    @cached_property
    def written_if_known(self) -> Written | None:
        return known(attempt(self.link.written_inertia))

    def require_readable(self) -> None:
        if self.is_auto or self.provenance is not None or not self.link.has_inertial:
            return
        try:
            self.link.require_numbers()
        except ValueTextError as error:
            raise error.with_remedy(error.remedy or "write what is meant, or let `fill --all` compute it") from None

    @cached_property
    def explicit(self) -> SpatialInertia | None:
        written = self.written_if_known if self.link.has_tensor else None
        return written.inertia if written is not None else None

    @cached_property
    def counted(self) -> SpatialInertia | None:
        """Its part in a sum of links: the written inertia, or the requested one; None for a link that has neither."""
        if self.is_auto:
            return self.computed.inertia
        return self.written.inertia if self.written is not None else None

    @cached_property
    def is_edited(self) -> bool:
        numbers = self.link.written_numbers()
        return self.provenance is not None and (numbers is None or values_digest(numbers) != self.provenance.values)

    # Its computation ------------------------------------------------------------------------------------------------

    @property
    def mass_given(self) -> bool:
        return self.provenance is None or self.provenance.mass_given

    @cached_property
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

    @cached_property
    def is_current(self) -> bool:
        """True if its block was filled from the file as it is now and is unchanged; by digests alone."""
        provenance = self.provenance
        if provenance is None or self.is_auto or self.is_edited:
            return False
        # Those in force are the recorded ones, unless the link is computed anew in any case.
        if self.options.all and provenance.applied_to(self.options) != self.options_in_force:
            return False
        return self.inputs.digest(provenance.options) == provenance.inputs

    @property
    def solids_kind(self) -> SolidKind:
        if not self.link.has_solids(COLLISION) and self.options_in_force.takes_visuals:
            return VISUAL
        return COLLISION

    @property
    def has_solids(self) -> bool:
        return self.link.has_solids(self.solids_kind)

    @property
    def encloses_nothing(self) -> bool:
        return self._encloses_nothing(self.solids_kind)

    def _encloses_nothing(self, kind: SolidKind) -> bool:
        return all(isinstance(solid.shape(), NoVolume) for solid in self.link.solids(kind))

    @cached_property
    def inputs(self) -> Inputs:
        return read_inputs(self.link, self.options_in_force, self.context, mass_given=self.mass_given)

    @property
    def computed(self) -> Computed:
        return given(self.computation)

    @cached_property
    def computation(self) -> Computed | SdfInertiaError:
        return self._outcome(self._compute)

    def _outcome(self, find: Callable[[], T]) -> T | SdfInertiaError:
        try:
            return attempt(find)
        finally:
            self.context.forget_contents()

    def _compute(self) -> Computed:
        if not self.is_hand_written:
            self.link.require_spelling()
        # First: errors of the link come before those of options.
        inputs = self.inputs
        return compute(inputs, self.options_in_force, self.context, is_static=self.link.is_static)

    @property
    def status(self) -> Status | None:
        """CLEAN, STALE or EDITED; None if it was never filled. Computes only where digests differ."""
        return given(self.verification)

    @cached_property
    def verification(self) -> Status | SdfInertiaError | None:
        return self._outcome(self._verify)

    def _verify(self) -> Status | None:
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
        # With few digits, nudging a tensor for libsdformat moves it by more than half a unit of the last.
        return Status.CLEAN if self.link.numbers_of(computed.text()) == self.link.written_numbers() else Status.STALE

    # Its shapes -----------------------------------------------------------------------------------------------------

    @cached_property
    def bounds(self) -> Bounds | None:
        """The box in link axes; None where there is none or a shape is unbounded."""
        for kind in (COLLISION, VISUAL):
            self.link.solids(kind)  # shared names are reported before files are read
        return self.bounds_of(COLLISION, VISUAL)

    @cached_property
    def known_bounds(self) -> Bounds | None:
        try:
            return self.bounds
        except SdfInertiaError:
            if any(not isinstance(error, ResourceError) for error in self.unreadable(VISUAL)):
                raise
            return self.bounds_of(COLLISION)

    def bounds_of(self, *kinds: SolidKind) -> Bounds | None:
        boxes: list[Bounds] = []
        errors: list[SdfInertiaError] = []
        for found in map(self.boxes, kinds):
            if found.boxes is None:
                return None
            boxes += found.boxes
            errors += found.errors
        if errors:
            raise errors[0].copied()
        return bounds_around(boxes) if boxes else None

    def bounds_if_known(self, kind: SolidKind | None = None) -> Bounds | None:
        """Of solids of one kind, or of both."""
        if kind is not None:
            return known(attempt(self.bounds_of, kind))
        return known(self._outcome(lambda: self.bounds))

    def unreadable(self, kind: SolidKind) -> list[SdfInertiaError]:
        return self.boxes(kind).errors

    def boxes(self, kind: SolidKind) -> SolidBoxes:
        if kind not in self._boxes_by_kind:
            self._boxes_by_kind[kind] = boxes_of(self.link, kind, self.context)
        return self._boxes_by_kind[kind]

    # For rules: None for unknown facts, with the reason in `unjudged` -------------------------------------------------

    @property
    def asks(self) -> bool | None:
        return known(self.link.request.asks)

    @property
    def is_requested(self) -> bool:
        return self.asks is True

    @property
    def filled(self) -> Provenance | None:
        """The provenance of a block that was filled and requests nothing now."""
        return self.provenance if not self.is_requested else None

    @property
    def is_hand_written(self) -> bool:
        return not self.is_requested and self.provenance is None

    @cached_property
    def judged(self) -> Written | None:
        """The numbers, where they count and can be read."""
        return self.written_if_known if not self.is_requested else None

    @cached_property
    def body(self) -> SpatialInertia | None:
        return self.judged.inertia if self.judged is not None else None

    @cached_property
    def hand_written(self) -> SpatialInertia | None:
        return self.body if self.filled is None else None

    @cached_property
    def is_nearly_a_body(self) -> bool:
        return self.hand_written is not None and self.hand_written.is_physically_valid(rtol=_ROUNDED)

    @property
    def has_default_tensor(self) -> bool:
        """Whether the tensor is the simulators' default, written or not."""
        return self.judged is not None and self.judged.tensor == (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)

    @cached_property
    def principal_moments(self) -> Vector3 | None:
        # In the axes as written: turned into those of the link, the small moment of a rod is lost in the large ones.
        return principal_moments(self.judged.tensor) if self.judged is not None else None

    @cached_property
    def is_static(self) -> bool:
        return known(attempt(getattr, self.link, "is_static")) is True

    @cached_property
    def geometry(self) -> Computed | None:
        if not self.link.has_solids(COLLISION):
            return None
        computation = self.computation
        if isinstance(computation, SdfInertiaError):
            self.keep_unreadable(COLLISION)
            # SDI101 and SDI106 report masses and other errors that are not about one solid.
            if self.is_hand_written and isinstance(computation, ValueTextError) and computation.collision is not None:
                self.keep(computation)
            return None
        return computation

    @property
    def only_geometry(self) -> Computed | None:
        """`geometry`, for rules without other evidence: a mesh without volume is a reason too."""
        if self.is_hand_written and self.geometry is None and isinstance(self.computation, MeshError):
            self.keep(self.computation, is_finding=False)
        return self.geometry

    @cached_property
    def box(self) -> Bounds | None:
        """The box round its solids, or round its collisions where visuals are missing."""
        box = self._outcome(lambda: self.known_bounds)
        if isinstance(box, SdfInertiaError) or (box is not None and self.unreadable(VISUAL)):
            self.keep_unreadable(COLLISION, VISUAL)
        return known(box)

    def keep_unreadable(self, *kinds: SolidKind) -> None:
        """Keeps why solids of a hand-written link are unreadable; SDI901 reports others."""
        for kind in kinds if self.is_hand_written else ():
            for error in self.unreadable(kind):
                self.keep(error, kind)
        self.context.forget_contents()

    @cached_property
    def has_volume(self) -> bool:
        return known(attempt(self._encloses_nothing, COLLISION)) is not True

    @cached_property
    def diagnoses(self) -> list[tuple[str, MeshDiagnosis]]:
        meshes = self._outcome(lambda: list(diagnosed(self.link, self.context)))
        if isinstance(meshes, SdfInertiaError):
            self.keep_unreadable(COLLISION)
            return []
        errors = [diagnosis for _, diagnosis in meshes if isinstance(diagnosis, SdfInertiaError)]
        if errors and self.is_hand_written:
            self.keep_unreadable(COLLISION)
            for error in errors:
                self.keep(error, is_finding=False)
        return [(name, diagnosis) for name, diagnosis in meshes if not isinstance(diagnosis, SdfInertiaError)]

    def own_location(self, error: SdfInertiaError) -> Location | None:
        return error.location if error.location is not None and error.location.file == self.link.file else None

    def keep(self, error: SdfInertiaError, kind: SolidKind = COLLISION, *, is_finding: bool = True) -> None:
        """Keeps why a rule could not judge the link: SDI902 reports what is wrong with a file that exists."""
        place = self.own_location(error) or self.link.inertial_location()
        uri = error.uri if isinstance(error, ResourceError) else ""
        is_finding = is_finding and not uri and not isinstance(error, FrameError)
        cause = (error.other_file or uri or place, error.problem)
        if cause not in self.unjudged:
            problem = reason_in_words(error, kind)
            self.unjudged[cause] = Unjudged(self.link.scoped_name, problem, place, error.remedy, uri, is_finding)

    def is_selected_by_name(self, code: str) -> bool:
        return any(prefix == "ALL" or code.startswith(prefix) for prefix in self.options.select)


def written_block(study: Study, *, or_default: bool = False) -> WrittenBlock | None:
    """The numbers of a link as written; None where it has none that count, or they cannot be read.

    Args:
        or_default: take, where an inertial has no tensor, the one that readers assume.
    """
    link = study.link
    if study.asks is not False or not (link.has_tensor or or_default):
        return None
    written, texts = study.written_if_known, known(attempt(link.written_texts))
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
