"""The study of a link: each fact is found once, and all commands and rules share it."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cached_property, wraps
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
from sdfinertia.robot.malformations import require_spelling
from sdfinertia.robot.marks import repaired_cause
from sdfinertia.robot.numbers import shorten
from sdfinertia.shapes import Bounds, NoVolume, bounds_around

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sdfinertia.inertia.rigid_transform import Vector3
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.context import Context
    from sdfinertia.markup.document import Comment
    from sdfinertia.mesh.method import MeshDiagnosis
    from sdfinertia.options import Options
    from sdfinertia.robot.inertial import Written
    from sdfinertia.robot.link import Link


T = TypeVar("T")

if TYPE_CHECKING:
    fact = cached_property
else:

    def fact(find):
        """A property that is found once; its error is kept too, and raised again."""

        def found(self):
            if find.__name__ not in self.found:
                self.found[find.__name__] = attempt(find, self)
            return given(self.found[find.__name__])

        return property(found, doc=find.__doc__)


def cached_with_facts(find: Callable[[Study], T]) -> Callable[[Study], T]:
    @wraps(find)
    def found(study: Study) -> T:
        if find not in study.found:
            study.found[find] = find(study)
        result: T = study.found[find]
        return result

    return found


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


def missing_uri(error: SdfInertiaError) -> str:
    return error.uri if isinstance(error, ResourceError) else ""


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
    """The facts of a link; one that is unknown raises the SdfInertiaError that says why."""

    def __init__(self, link: Link, options: Options, context: Context) -> None:
        self.link = link
        self.options = options
        self.context = context
        self.found: dict[object, Any] = {}
        self._boxes_by_kind: dict[SolidKind, SolidBoxes] = {}
        # The link as a case beside the meshes of all links of its file, for rules that need it; causes lie above this
        # floor.
        self.beside_meshes: Callable[[], Any] | None = None
        # Why a rule could not judge it, each reason once.
        self.unjudged: dict[tuple[object, str], Unjudged] = {}

    @property
    def alone(self) -> Study:
        return self

    def outcome(self, name: str) -> Any:
        if name not in self.found:
            try:
                attempt(getattr, self, name)
            finally:
                self.context.forget_contents()
        return self.found[name]

    def known(self, name: str) -> Any:
        return known(self.outcome(name))

    # Its inertial ---------------------------------------------------------------------------------------------------

    @fact
    def is_auto(self) -> bool:
        return self.link.asks_to_be_filled()

    @fact
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

    @fact
    def written(self) -> Written | None:
        return self.link.written_inertia()

    def require_readable(self) -> None:
        if self.is_auto or self.provenance is not None or not self.link.has_inertial:
            return
        try:
            self.link.require_numbers()
        except ValueTextError as error:
            raise error.with_remedy(error.remedy or "write what is meant, or let `fill --all` compute it") from None

    @fact
    def explicit(self) -> SpatialInertia | None:
        written = self.known("written") if self.link.has_tensor else None
        return written.inertia if written is not None else None

    @fact
    def counted(self) -> SpatialInertia | None:
        """Its part in a sum of links: the written inertia, or the requested one; None for a link that has neither."""
        if self.is_auto:
            return self.computed.inertia
        return self.written.inertia if self.written is not None else None

    @fact
    def is_edited(self) -> bool:
        numbers = self.link.written_numbers()
        return self.provenance is not None and (numbers is None or values_digest(numbers) != self.provenance.values)

    # Its computation ------------------------------------------------------------------------------------------------

    @property
    def mass_given(self) -> bool:
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
        """Whether its block was filled from the file as it is now and is unchanged; by digests alone."""
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

    @fact
    def encloses_nothing(self) -> bool:
        return all(isinstance(solid.shape(), NoVolume) for solid in self.link.solids(self.solids_kind))

    @fact
    def inputs(self) -> Inputs:
        return read_inputs(self.link, self.options_in_force, self.context, mass_given=self.mass_given)

    @fact
    def computed(self) -> Computed:
        if not self.is_hand_written:
            require_spelling(self.link)
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
        # With few digits, nudging a tensor for libsdformat moves it by more than half a unit of the last.
        return Status.CLEAN if self.link.numbers_of(computed.text()) == self.link.written_numbers() else Status.STALE

    # Its shapes -----------------------------------------------------------------------------------------------------

    @fact
    def bounds(self) -> Bounds | None:
        """The box in link axes; None where there is none or a shape is unbounded."""
        for kind in (COLLISION, VISUAL):
            self.link.solids(kind)  # shared names are reported before files are read
        return self.bounds_of(COLLISION, VISUAL)

    @fact
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

    def bounds_if_known(self, kind: SolidKind) -> Bounds | None:
        return known(attempt(self.bounds_of, kind))

    def unreadable(self, kind: SolidKind) -> list[SdfInertiaError]:
        return self.boxes(kind).errors

    def boxes(self, kind: SolidKind) -> SolidBoxes:

        if kind not in self._boxes_by_kind:
            self._boxes_by_kind[kind] = boxes_of(self.link, kind, self.context)
        return self._boxes_by_kind[kind]

    @fact
    def meshes(self) -> list[tuple[str, MeshDiagnosis | SdfInertiaError]]:
        return list(diagnosed(self.link, self.context))

    # For rules: None for unknown facts, with the reason in `unjudged` -------------------------------------------------

    @property
    def asks(self) -> bool | None:
        """Whether it requests to be computed; None where the request is malformed."""
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

    @fact
    def judged(self) -> Written | None:
        """The numbers, where they count and can be read."""
        return self.known("written") if not self.is_requested else None

    @fact
    def body(self) -> SpatialInertia | None:
        return self.judged.inertia if self.judged is not None else None

    @fact
    def hand_written(self) -> SpatialInertia | None:
        """The inertia that others wrote; a filled one is that of its geometry."""
        return self.body if self.filled is None else None

    @fact
    def is_nearly_a_body(self) -> bool:
        return self.hand_written is not None and self.hand_written.is_physically_valid(rtol=_ROUNDED)

    @property
    def has_default_tensor(self) -> bool:
        """Whether the tensor is the simulators' default, written or not."""
        return self.judged is not None and self.judged.tensor == (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)

    @fact
    def principal_moments(self) -> Vector3 | None:
        # In the axes as written: turned into those of the link, the small moment of a rod is lost in the large ones.
        return principal_moments(self.judged.tensor) if self.judged is not None else None

    @fact
    def is_static(self) -> bool:
        return known(attempt(getattr, self.link, "is_static")) is True

    @property
    def verification(self) -> Status | SdfInertiaError | None:
        """The status of a filled block, or why it cannot be verified."""
        found: Status | SdfInertiaError | None = self.outcome("status") if self.filled is not None else None
        return found

    @property
    def computation(self) -> Computed | SdfInertiaError:
        found: Computed | SdfInertiaError = self.outcome("computed")
        return found

    @fact
    def geometry(self) -> Computed | None:
        if not self.link.has_solids(COLLISION):
            return None
        computation = self.computation
        if isinstance(computation, SdfInertiaError):
            self.keep_unreadable(COLLISION)
            # SDI101 and SDI106 report masses and other errors that are not about one solid.
            if self.is_hand_written and isinstance(computation, ValueTextError) and computation.collision is not None:
                self.keep(computation, is_finding=True)
            return None
        return computation

    @property
    def only_geometry(self) -> Computed | None:
        """`geometry`, for rules without other evidence: a mesh without volume is a reason too."""
        if self.is_hand_written and self.geometry is None and isinstance(self.computation, MeshError):
            self.keep(self.computation, is_finding=False)
        return self.geometry

    @fact
    def box(self) -> Bounds | None:
        """The box round its solids, or round its collisions where visuals are missing."""
        box: Bounds | SdfInertiaError | None = self.outcome("known_bounds")
        if isinstance(box, SdfInertiaError) or (box is not None and self.unreadable(VISUAL)):
            self.keep_unreadable(COLLISION, VISUAL)
        return known(box)

    def keep_unreadable(self, *kinds: SolidKind) -> None:
        """Keeps why solids of a hand-written link are unreadable; SDI901 reports others."""
        for kind in kinds if self.is_hand_written else ():
            for error in self.unreadable(kind):
                self.keep(error, kind, is_finding=not isinstance(error, FrameError) and not missing_uri(error))
        self.context.forget_contents()

    @fact
    def has_volume(self) -> bool:
        return self.known("_has_only_shapes_without_volume") is not True

    @fact
    def _has_only_shapes_without_volume(self) -> bool:
        return all(isinstance(solid.shape(), NoVolume) for solid in self.link.solids(COLLISION))

    @fact
    def diagnoses(self) -> list[tuple[str, MeshDiagnosis]]:
        if isinstance(self.outcome("meshes"), SdfInertiaError):
            self.keep_unreadable(COLLISION)
            return []
        errors = [diagnosis for _, diagnosis in self.meshes if isinstance(diagnosis, SdfInertiaError)]
        if errors and self.is_hand_written:
            self.keep_unreadable(COLLISION)
            for error in errors:
                self.keep(error, is_finding=False)
        return [(name, diagnosis) for name, diagnosis in self.meshes if not isinstance(diagnosis, SdfInertiaError)]

    def own_location(self, error: SdfInertiaError) -> Location | None:
        return error.location if error.location is not None and error.location.file == self.link.file else None

    def keep(self, error: SdfInertiaError, kind: SolidKind = COLLISION, *, is_finding: bool) -> None:

        place = self.own_location(error) or self.link.inertial_location()
        uri = missing_uri(error)
        cause = (error.other_file or uri or place, error.problem)
        if cause not in self.unjudged:
            problem = reason_in_words(error, kind)
            self.unjudged[cause] = Unjudged(self.link.scoped_name, problem, place, error.remedy, uri, is_finding)

    def is_selected_by_name(self, code: str) -> bool:
        selected = self.options.select
        return bool(selected) and is_selected_by_name(code, selected)


def is_selected_by_name(code: str, selected: Sequence[str]) -> bool:
    return any(prefix == "ALL" or code.startswith(prefix) for prefix in selected)


def written_block(study: Study, *, or_default: bool = False) -> WrittenBlock | None:
    """The numbers of a link as written; None where it has none that count, or they cannot be read.

    Args:
        or_default: take, where an inertial has no tensor, the one that readers assume.
    """
    link = study.link
    if study.asks is not False or not (link.has_tensor or or_default):
        return None
    written, texts = study.known("written"), known(attempt(link.written_texts))
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
