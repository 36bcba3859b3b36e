"""The study of a link: its inputs, its inertia, and how that compares with the written one.

Here: what is computed of a link, each value once, for all commands and rules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable
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
    shorten,
)
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.principal_axes import is_clearly_valid, principal_moments
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.links.body import Computed, compute, differs_from
from sdfinertia.links.inputs import (
    DensitySource,
    Inputs,
    Part,
    Provenance,
    Status,
    parse_provenance,
    read_inputs,
    values_digest,
    with_defaults,
)
from sdfinertia.links.solids import SolidBoxes, boxes_of, diagnosed
from sdfinertia.markup import Comment
from sdfinertia.mesh import MeshTreatment, Method
from sdfinertia.options import Options
from sdfinertia.robot import COLLISION, VISUAL, Link, Model, SolidKind, attempt, given, known
from sdfinertia.robot.inertial import DEFAULT_DENSITY, Written
from sdfinertia.robot.names import repaired_cause
from sdfinertia.robot.problems import Command
from sdfinertia.shapes import Bounds, MeshShape, NoVolume, bounds_around

if TYPE_CHECKING:
    from sdfinertia.links.context import Context
    from sdfinertia.mesh.facts import MeshDiagnosis


T = TypeVar("T")
_LONGEST_REASON = 100
_OPEN_EDGES = re.compile(r"(?<![\d,])[\d,]+ open edges?")
# Of the trace: three digits, which break the triangle inequality of thin plates.
_ROUNDED = 1e-3
# Of the mass, of the size of the body, and of its trace: the rounding of the notation.
_NOTATION = 1e-6
# Options of `fill` alone, at their defaults.
_OF_FILLING = {"density": None, "require_density": False, "overlaps": "sum", "geometry": "collision"}


class Unjudged(NamedTuple):
    """Why rules could not judge a link."""

    link: str
    problem: str  # begins with the solid that it is about
    location: Location
    remedy: str
    uri: str  # that was not found; "" for other reasons
    is_finding: bool  # whether SDI902 reports it, since the file exists and is wrong


def reason_in_words(error: SdfInertiaError, kind: SolidKind = COLLISION, *, is_short: bool = False) -> str:
    where = f"{kind.value} {error.collision!r}: " if error.collision else ""
    path = os.path.basename(error.other_file) if is_short else error.other_file
    if is_short and isinstance(error, OpenMeshError) and (count := _OPEN_EDGES.search(error.problem)):
        return f"{path or 'the mesh'} has {count[0]}"
    problem = shorten(error.problem, _LONGEST_REASON) if is_short else error.problem
    return f"{where}{path and f'{path}: '}{problem}"


class Studies:
    """The studies of links by the same options, each made once."""

    def __init__(self, options: Options, context: Context) -> None:
        self.options = options
        self.context = context
        self.by_place: dict[Hashable, Study] = {}
        # By the place of each member; groups lie above this floor.
        self.groups: dict[Hashable, Any] = {}
        # Mass of all links of a model together (kg), where simulators scale them.
        self._masses: dict[Hashable, float] = {}

    @cached_property
    def by_default(self) -> Options:
        """The options in force for a block whose provenance records none."""
        return with_defaults(self.options)

    def of(self, link: Link) -> Study:
        # Not the link's key, which takes the names of all links: a run with nothing to do reads none.
        place = link.place
        if place not in self.by_place:
            Study(link, self.options, self.context, self)
        return self.by_place[place]

    def mass_of(self, model: Model) -> float:
        if model.key not in self._masses:
            bodies = (self.of(link).compiled() for link in model.all_links())
            self._masses[model.key] = sum(body.mass for body in bodies if body is not None)
        return self._masses[model.key]


class Study:
    """A link with its options and context. What is not known of it is the error that says why, or None."""

    def __init__(self, link: Link, options: Options, context: Context, others: Studies | None = None) -> None:
        self.link = link
        self.options = options
        self.context = context
        # The studies of the robot's links by the same options.
        self.studies = others or Studies(options, context)
        self.studies.by_place[link.place] = self
        self.is_requested = link.request.asks is True
        self.provenance_comment: Comment | None = None
        self.provenance: Provenance | None = None
        for comment in link.inertial_comments():
            if found := parse_provenance(comment.text):
                self.provenance_comment, self.provenance = comment, found
                break
        # Of a block that was filled and requests nothing now.
        self.filled = self.provenance if not self.is_requested else None
        self._boxes: dict[SolidKind, SolidBoxes] = {}
        # The link as a case beside the meshes of all links of its file, for rules that need it; causes lie above this
        # floor.
        self.beside_meshes: Callable[[], Any] = lambda: None
        # The remedy for its numbers, once a rule needed it.
        self.advice: str | Command | None = None
        # Why a rule could not judge it, each reason once.
        self.unjudged: dict[tuple[object, str], Unjudged] = {}

    @property
    def alone(self) -> Study:
        return self

    def by(self, **options: Any) -> Study:
        return Study(self.link, self.options.replaced(options), self.context)

    def is_selected_by_name(self, code: str) -> bool:
        selected = self.options.select
        return bool(selected) and any(prefix == "ALL" or code.startswith(prefix) for prefix in selected)

    # Its inertial ---------------------------------------------------------------------------------------------------

    @property
    def is_hand_written(self) -> bool:
        return not self.is_requested and self.provenance is None

    @property
    def own_comment(self) -> Comment | None:
        """The comment of `fill` or `repair`, which new numbers replace."""
        repaired = (each for each in self.link.inertial_comments() if repaired_cause(each.text) is not None)
        return self.provenance_comment or next(repaired, None)

    @cached_property
    def written(self) -> Written | SdfInertiaError | None:
        return attempt(self.link.written_inertia)

    @property
    def explicit(self) -> SpatialInertia | None:
        written = known(self.written) if self.link.has_tensor else None
        return written.inertia if written is not None else None

    @cached_property
    def judged(self) -> Written | None:
        """The numbers, where they count and can be read."""
        return known(self.written) if not self.is_requested else None

    @property
    def body(self) -> SpatialInertia | None:
        return self.judged.inertia if self.judged is not None else None

    @property
    def hand_written(self) -> SpatialInertia | None:
        return self.body if self.filled is None else None

    @cached_property
    def is_nearly_a_body(self) -> bool:
        return self.hand_written is not None and self.hand_written.is_physically_valid(rtol=_ROUNDED)

    @property
    def has_default_tensor(self) -> bool:
        """Whether the tensor is the simulators' default, written or not."""
        return self.judged is not None and self.judged.tensor == (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)

    @property
    def principal_moments(self) -> Vector3 | None:
        # In the axes as written: turned into those of the link, the small moment of a rod is lost in the large ones.
        return principal_moments(self.judged.tensor) if self.judged is not None else None

    @cached_property
    def doubtful_moments(self) -> Vector3 | None:
        """The principal moments, where the tensor may not be a body's."""
        # As written: turning a tensor costs more than all rules that ask here.
        tensor = self.link.written_tensor() if not self.is_requested else None
        return principal_moments(tensor) if tensor is not None and not is_clearly_valid(tensor) else None

    @property
    def is_static(self) -> bool:
        return self.link.static is True

    @property
    def is_edited(self) -> bool:
        numbers = self.link.written_numbers()
        return self.provenance is not None and (numbers is None or values_digest(numbers) != self.provenance.values)

    # Its computation ------------------------------------------------------------------------------------------------

    @cached_property
    def options_in_force(self) -> Options | SdfInertiaError:
        """The options for computing the link.

        For a filled block the provenance decides, not the run; where the link is computed again, the run does, and the
        provenance fills in what it leaves open.
        """
        if self.provenance is None:
            return self.options
        decides = self.filled is not None and not self.options.all
        if decides and not self.provenance.options:
            return self.studies.by_default
        return attempt(self.provenance.applied_to if decides else self.provenance.completing, self.options)

    @property
    def mass_given(self) -> bool:
        return self.provenance is None or self.provenance.mass_given

    @property
    def solids_kind(self) -> SolidKind:
        if self.link.has_solids(COLLISION):
            return COLLISION
        options = known(self.options_in_force)
        return VISUAL if options is not None and options.takes_visuals else COLLISION

    @property
    def has_solids(self) -> bool:
        return self.link.has_solids(self.solids_kind)

    def encloses_nothing(self, kind: SolidKind | None = None) -> bool:
        solids = attempt(self.link.solids, kind or self.solids_kind)
        return not isinstance(solids, SdfInertiaError) and all(isinstance(each.own_shape, NoVolume) for each in solids)

    @cached_property
    def inputs(self) -> Inputs | SdfInertiaError:
        options = self.options_in_force
        if isinstance(options, SdfInertiaError):
            return options
        return attempt(read_inputs, self.link, options, self.context, self.mass_given)

    @cached_property
    def computed(self) -> Computed | SdfInertiaError:
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
        inputs = given(self.inputs)
        return compute(inputs, given(self.options_in_force), self.context, is_static=self.link.is_static)

    @cached_property
    def status(self) -> Status | SdfInertiaError | None:
        """CLEAN, STALE or EDITED; None if it was never filled. Computes only where digests differ."""
        return self._outcome(self._verify)

    def _verify(self) -> Status | None:
        provenance = self.provenance
        if provenance is None or self.link.asks_to_be_filled():
            return None
        if self.is_edited:
            return Status.EDITED
        if self._has_recorded_inputs(provenance):
            return Status.CLEAN
        written, computed = given(self.written), given(self.computed)
        assert written is not None, "a block with a provenance comment is there"
        if not differs_from(computed, written, mass_given=provenance.mass_given):
            return Status.CLEAN
        # With few digits, nudging a tensor for libsdformat moves it by more than half a unit of the last.
        numbers = self.link.model.numbers_of(computed.text())
        return Status.CLEAN if numbers == self.link.written_numbers() else Status.STALE

    def is_current(self) -> bool:
        """True if its block was filled from the file as it is now and is unchanged; by digests alone."""
        return self.filled is not None and not self.is_edited and self._has_recorded_inputs(self.filled)

    def _has_recorded_inputs(self, provenance: Provenance) -> bool:
        # Those in force are the recorded ones, unless the link is computed anew in any case.
        if self.options.all and provenance.applied_to(self.options) != given(self.options_in_force):
            return False
        return given(self.inputs).digest(provenance.options) == provenance.inputs

    # In a simulator ---------------------------------------------------------------------------------------------------

    @property
    def added(self) -> SpatialInertia | SdfInertiaError | None:
        """Its part in a sum of links: what it asks for, or is simulated, or is written; None where there is none."""
        asks = self.link.request.asks
        if asks is False:
            return self.simulated
        computed = asks if isinstance(asks, SdfInertiaError) else self.computed
        return computed if isinstance(computed, SdfInertiaError) else computed.inertia

    @cached_property
    def simulated(self) -> SpatialInertia | SdfInertiaError | None:
        """The inertia in a simulator, which infers it from solids, bounds it, or scales it to a total mass."""
        return attempt(self._simulated)

    def _simulated(self) -> SpatialInertia | None:
        inertia, model = self.compiled(), self.link.model
        if inertia is None or model.total_mass is None:
            return inertia
        return inertia.scaled_to_mass(inertia.mass * model.total_mass / self.studies.mass_of(model))

    @property
    def is_changed(self) -> bool:
        """Whether a simulator changes the written inertia."""
        written = known(self.written) if self.link.adjusted_by else None
        found = known(self.simulated) if written is not None else None
        return written is not None and found is not None and _differ(written.inertia, found)

    def compiled(self) -> SpatialInertia | None:
        if not (self.link.is_inferred and self.link.has_solids(COLLISION)):
            written = given(self.written)
            return self.link.model.compiled(written.inertia) if written is not None else None
        options = self.options.replaced(_OF_FILLING)
        inputs = read_inputs(self.link, options, self.context)
        inputs = inputs._replace(parts=tuple(map(_as_simulated, inputs.parts)))
        return self.link.model.compiled(compute(inputs, options, self.context).inertia)

    # Its shapes -----------------------------------------------------------------------------------------------------

    def boxes(self, kind: SolidKind) -> SolidBoxes:
        if kind not in self._boxes:
            self._boxes[kind] = boxes_of(self.link, kind, self.context)
        return self._boxes[kind]

    def unreadable(self, kind: SolidKind) -> list[SdfInertiaError]:
        return self.boxes(kind).errors

    def bounds(self, *kinds: SolidKind) -> Bounds | SdfInertiaError | None:
        """The box in link axes; None where there is none or a shape is unbounded."""
        boxes: list[Bounds] = []
        errors: list[SdfInertiaError] = []
        for found in map(self.boxes, kinds or (COLLISION, VISUAL)):
            if found.boxes is None:
                return None
            boxes += found.boxes
            errors += found.errors
        if errors:
            return errors[0]
        return bounds_around(boxes) if boxes else None

    @property
    def known_bounds(self) -> Bounds | SdfInertiaError | None:
        """The box round its solids, or round its collisions where visuals are missing."""
        bounds = self.bounds()
        if not isinstance(bounds, SdfInertiaError):
            return bounds
        are_missing = all(isinstance(error, ResourceError) for error in self.unreadable(VISUAL))
        return self.bounds(COLLISION) if are_missing else bounds

    # For rules: None for unknown facts, with the reason in `unjudged` -------------------------------------------------

    @cached_property
    def box(self) -> Bounds | None:
        box = self.known_bounds
        if isinstance(box, SdfInertiaError) or (box is not None and self.unreadable(VISUAL)):
            self.keep_unreadable(COLLISION, VISUAL)
        self.context.forget_contents()
        return known(box)

    @cached_property
    def geometry(self) -> Computed | None:
        if not self.link.has_solids(COLLISION):
            return None
        computed = self.computed
        if isinstance(computed, SdfInertiaError):
            self.keep_unreadable(COLLISION)
            # SDI101 and SDI106 report masses and other errors that are not about one solid.
            if self.is_hand_written and isinstance(computed, ValueTextError) and computed.collision is not None:
                self.keep(computed)
        return known(computed)

    @property
    def only_geometry(self) -> Computed | None:
        """`geometry`, for rules without other evidence: a mesh without volume is a reason too."""
        if self.is_hand_written and self.geometry is None and isinstance(self.computed, MeshError):
            self.keep(self.computed, is_finding=False)
        return self.geometry

    @cached_property
    def diagnoses(self) -> list[tuple[str, MeshDiagnosis]]:
        meshes = self._outcome(lambda: list(diagnosed(self.link, self.context)))
        found = [] if isinstance(meshes, SdfInertiaError) else meshes
        errors = [each for _, each in found if isinstance(each, SdfInertiaError)]
        if errors or isinstance(meshes, SdfInertiaError):
            self.keep_unreadable(COLLISION)
        for error in errors if self.is_hand_written else ():
            self.keep(error, is_finding=False)
        return [(name, each) for name, each in found if not isinstance(each, SdfInertiaError)]

    def keep_unreadable(self, *kinds: SolidKind) -> None:
        """Keeps why solids of a hand-written link are unreadable; SDI901 reports others."""
        for kind in kinds if self.is_hand_written else ():
            for error in self.unreadable(kind):
                self.keep(error, kind)
        self.context.forget_contents()

    def keep(self, error: SdfInertiaError, kind: SolidKind = COLLISION, *, is_finding: bool = True) -> None:
        """Keeps why a rule could not judge the link: SDI902 reports what is wrong with a file that exists."""
        place = self.own_location(error) or self.link.inertial_location()
        uri = error.uri if isinstance(error, ResourceError) else ""
        is_finding = is_finding and not uri and not isinstance(error, FrameError)
        cause = (error.other_file or uri or place, error.problem)
        if cause not in self.unjudged:
            problem = reason_in_words(error, kind)
            self.unjudged[cause] = Unjudged(self.link.scoped_name, problem, place, error.remedy, uri, is_finding)

    def own_location(self, error: SdfInertiaError) -> Location | None:
        return error.location if error.location is not None and error.location.file == self.link.file else None


def _differ(first: SpatialInertia, second: SpatialInertia) -> bool:
    length = _NOTATION * max(first.gyradius, second.gyradius)
    moment = _NOTATION * max(first.I_BBcm_B.trace, second.I_BBcm_B.trace)
    return (
        abs(first.mass - second.mass) > _NOTATION * max(first.mass, second.mass)
        or any(abs(a - b) > length for a, b in zip(first.p_BoBcm_B, second.p_BoBcm_B, strict=True))
        or any(abs(a - b) > moment for a, b in zip(first.I_BBcm_B, second.I_BBcm_B, strict=True))
    )


def _as_simulated(part: Part) -> Part:
    if part.density_source is not DensitySource.COLLISION:
        part = part._replace(density=DEFAULT_DENSITY)
    if not isinstance(part.shape, MeshShape):
        return part
    method = part.solid.compiled_method
    return part._replace(treatment=MeshTreatment(Method(method) if method is not None else Method.EXACT))
