"""What a rule is, what it looks at, and what it finds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cached_property
from glob import escape
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from sdfinertia.errors import FrameError, Location, MeshError, ResourceError, SdfInertiaError, ValueTextError, printable
from sdfinertia.links import warnings
from sdfinertia.links.provenance import Provenance
from sdfinertia.links.study import Study
from sdfinertia.options import Options
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.values import COLLISION, VISUAL, Command, LinkKey, Problem
from sdfinertia.shapes import NoVolume

if TYPE_CHECKING:
    from sdfinertia.causes.case import Case, Explanation, WrittenBlock
    from sdfinertia.inertia.rigid_transform import Vector3
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.computed import Computed
    from sdfinertia.links.study import Status
    from sdfinertia.links.warnings import SizeDoubt
    from sdfinertia.mesh.diagnosis import MeshDiagnosis
    from sdfinertia.robot.values import SolidKind, Written
    from sdfinertia.shapes import Bounds

_T = TypeVar("_T")

# Findings in the numbers of an inertial, which a mistake in them explains.
ABOUT_NUMBERS = frozenset(
    {
        *("SDI102", "SDI103", "SDI105", "SDI107"),
        *("SDI201", "SDI202", "SDI203", "SDI204", "SDI205", "SDI207", "SDI208", "SDI209", "SDI210"),
    }
)
# Those in numbers that were never the part's.
PLACEHOLDERS = frozenset({"SDI105", "SDI209"})
# What the first digit of a code says.
_TOPICS = {
    "0": "provenance",
    "1": "physics",
    "2": "plausibility",
    "3": "simulation",
    "4": "mesh",
    "8": "suppression",
    "9": "reading",
}
_LONGEST_REASON = 100
# Of the trace: three digits, which break the triangle inequality of thin plates.
_ROUNDED = 1e-3


class Level(Enum):
    """The values are the words of reports."""

    # Provably wrong, whatever the simulator: not filled, not as filled, not physical, not readable.
    ERROR = "error"
    # It rests on a judgement of some size or distance, or harms no number.
    WARNING = "warning"


# What is safe `--fix` does: it writes nothing that the file does not ask for.
Fix = Literal["safe", "unsafe", "repair", "none"]


class Fixer(Enum):
    NONE = "none", "leaves them to people"
    FILL = "safe", "fills the link"
    FILL_MISSING = "unsafe", "fills the link, although it has no `<inertial>`"
    NUDGE = "safe", "moves the last digits of the tensor"

    def __init__(self, fix: Fix, does: str) -> None:
        self.fix = fix
        self.does = does


class Why(NamedTuple):
    """What explains the numbers of a link.

    Attributes:
        explanations: the likeliest first; none where no known mistake explains them.
        computed: from the geometry, at the same mass.
        obstacle: why `repair` does not write what undoes the likeliest; "" where it does.
    """

    written: WrittenBlock
    explanations: tuple[Explanation, ...]
    computed: SpatialInertia | None
    obstacle: str = ""

    @property
    def unexplained(self) -> str:
        """Why there is no explanation."""
        if self.written.is_judged:
            return "no mistake that is known explains these numbers"
        return "these numbers are too large or too small for a cause to be judged in double precision"


class Finding(NamedTuple):
    """One thing that is wrong, or may be.

    Attributes:
        code: of the rule, such as SDI102.
        message: one sentence without a full stop.
        location: the opening tag of what it is about.
        link: scoped name of the link, or "" for a file as a whole.
        advice: the command that fixes it, or else what to do; `remedy` is its text.
        is_fixable: False where what fixes findings of the rule would fail here.
        is_safe: False where only `--unsafe-fixes` does it, although the fix of the rule is safe: units are in doubt, or
            a density would be made up.
        why: what explains the numbers of its link, if that was asked for and anything is known of them.
        number: of its link among those of that name in the file, from 1.
    """

    code: str
    message: str
    location: Location
    link: str = ""
    advice: str | Command = ""
    is_fixable: bool = True
    is_safe: bool = True
    why: Why | None = None
    number: int = 1

    @property
    def key(self) -> LinkKey:
        """What its link is known by."""
        return LinkKey(self.location.file, self.link, self.number)

    @property
    def remedy(self) -> str:
        """The command that fixes it, or else what to do, in words."""
        return str(self.advice)

    def __repr__(self) -> str:
        return printable(f"Finding({self.location}: {self.code} {self.link}: {self.message})")

    def _row(self) -> dict[str, object]:
        return {
            "place": self.location,
            "code": self.code,
            "link": self.link,
            "finding": self.message,
            "what to do": self.remedy,
        }


class Rule(NamedTuple):
    """A rule of `check`.

    Attributes:
        code: SDI and three digits; it never changes its meaning.
        name: words with dashes, which users may write for the code.
        tags: topics, for services that sort, where they are not those of its first digit.
        example: a piece of SDF that it finds.
        find: yields what is wrong with a link; None for rules about files and comments.
        is_default: whether it is on when nothing is selected.
        fails_run: whether a finding means that the run could not judge (exit status 2).
    """

    code: str
    name: str
    what: str
    why: str
    example: str
    fix: str
    find: Callable[[LinkFacts], Iterator[Problem]] | None = None
    level: Level = Level.ERROR
    is_default: bool = True
    fixer: Fixer = Fixer.NONE
    fails_run: bool = False
    tags: tuple[str, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        return self.tags or (_TOPICS[self.code[3]],)


# What it looks at -----------------------------------------------------------------------------------------------------


class Unjudged(NamedTuple):
    """Why rules could not judge a link.

    Attributes:
        problem: begins with the solid that it is about.
        uri: what was not found; "" for other reasons.
        is_finding: whether SDI902 reports it, since the file exists and is wrong.
    """

    link: str
    problem: str
    location: Location
    remedy: str
    uri: str
    is_finding: bool


class LinkFacts:
    """The facts of a link for rules, None where they are unknown; `unjudged` has once why a rule could not judge it."""

    def __init__(self, study: Study, options: Options, beside_meshes: Callable[[], Case | None] | None = None) -> None:
        self.study, self.options = study, options
        self.beside_meshes = beside_meshes
        self.link, self.context = study.link, study.context
        self.unjudged: list[Unjudged] = []
        self._causes: set[tuple[object, str]] = set()

    # The block -------------------------------------------------------------------------------------------------------

    @property
    def is_auto(self) -> bool:
        return self.asks is True

    @cached_property
    def asks(self) -> bool | None:
        """Whether it asks to be computed; None where that is malformed."""
        return _known(lambda: self.study.is_auto)

    @cached_property
    def provenance(self) -> Provenance | None:
        """Of a block that was filled and asks for nothing now."""
        return self.study.provenance if not self.is_auto else None

    @cached_property
    def written(self) -> Written | None:
        """The numbers, where they count and can be read."""
        return _known(lambda: self.study.written) if not self.is_auto else None

    @property
    def explicit(self) -> SpatialInertia | None:
        return self.written.inertia if self.written is not None else None

    @property
    def hand_written(self) -> SpatialInertia | None:
        """The inertia that others wrote: what we computed is what its geometry gives."""
        return self.explicit if self.provenance is None else None

    @cached_property
    def is_nearly_a_body(self) -> bool:
        """Whether the hand-written inertia is physically possible but for rounding; else SDI102 reports it."""
        return self.hand_written is not None and self.hand_written.is_physically_valid(rtol=_ROUNDED)

    @property
    def has_default_tensor(self) -> bool:
        """Whether the tensor is the simulators' default, written or not."""
        return self.written is not None and self.written.tensor == (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)

    @cached_property
    def principal_moments(self) -> Vector3 | None:
        """In ascending order (kg·m²)."""
        return self.explicit.principal_moments() if self.explicit is not None else None

    @cached_property
    def is_static(self) -> bool:
        """A malformed `<static>` counts as false."""
        return _known(lambda: self.link.is_static) is True

    # What it is computed from -----------------------------------------------------------------------------------------

    @cached_property
    def verification(self) -> Status | SdfInertiaError | None:
        """The status of a filled block, or why it cannot be verified."""
        return self._attempt(lambda: self.study.status) if self.provenance is not None else None

    @property
    def computation(self) -> Computed | SdfInertiaError:
        return self._attempt(lambda: self.study.computed)

    @cached_property
    def obstacle(self) -> SdfInertiaError | None:
        """Why the link cannot be filled."""
        if self.link.naming_problem is not None:
            return ValueTextError(self.link.naming_problem.message)

        def fill() -> None:
            self.study.computed.text()
            warnings.require_likely_size(warnings.size_doubt(self.study, self.study.computed), self.options)

        return self._attempt(fill)

    @cached_property
    def number_warnings(self) -> list[Problem]:
        return list(warnings.number_warnings(self.study))

    @cached_property
    def size_doubt(self) -> SizeDoubt | None:
        computation = self.computation if self.is_auto else None
        return warnings.size_doubt(self.study, None if isinstance(computation, SdfInertiaError) else computation)

    @cached_property
    def is_safely_filled(self) -> bool:
        """Whether filling it needs neither doubtful units nor a density that nobody gave."""
        computation = self.computation
        is_size_doubted = self.size_doubt is not None and not self.options.accept_size
        if isinstance(computation, SdfInertiaError) or self.number_warnings or is_size_doubted:
            return False
        asks = self.is_auto or self.link.has_request
        return asks or computation.inputs.mass is not None or not computation.inputs.assumes_density

    @cached_property
    def geometry(self) -> Computed | None:
        """The link computed, as evidence; None, with the reason in `unjudged`, where that fails."""
        if not self.link.has_solids(COLLISION):
            return None
        computation = self.computation
        if isinstance(computation, SdfInertiaError):
            self.keep_unreadable(COLLISION)
            # SDI101 and SDI106 report masses and what else is not about one solid.
            if self._is_hand_written and isinstance(computation, ValueTextError) and computation.collision is not None:
                self.keep(computation, is_finding=True)
            return None
        return computation

    @property
    def only_geometry(self) -> Computed | None:
        """`geometry`, for rules without other evidence: a mesh without volume is a reason too."""
        if self._is_hand_written and self.geometry is None and isinstance(self.computation, MeshError):
            self.keep(self.computation, is_finding=False)
        return self.geometry

    @cached_property
    def bounds(self) -> Bounds | None:
        """The box round its solids, or round its collisions where visuals are missing.

        Reasons are in `unjudged`; None where collisions have no box either.
        """
        box = self._attempt(lambda: self.study.known_bounds)
        if isinstance(box, SdfInertiaError) or (box is not None and self.study.unreadable(VISUAL)):
            self.keep_unreadable(COLLISION, VISUAL)
        return None if isinstance(box, SdfInertiaError) else box

    def keep_unreadable(self, *kinds: SolidKind) -> None:
        """Keeps why solids of a hand-written link are unreadable; SDI901 reports others."""
        for kind in kinds if self._is_hand_written else ():
            for error in self.study.unreadable(kind):
                self.keep(error, kind, is_finding=not isinstance(error, FrameError) and not _missing_uri(error))
        self.context.forget_contents()

    @cached_property
    def has_volume(self) -> bool:
        """Whether a collision encloses volume, or cannot be read and may."""
        solids = self.link.solids
        return _known(lambda: all(isinstance(each.shape(), NoVolume) for each in solids(COLLISION))) is not True

    @cached_property
    def diagnoses(self) -> list[tuple[str, MeshDiagnosis]]:
        """The meshes among its collisions by name; the unreadable ones are reasons in `unjudged`."""
        found = self._attempt(lambda: self.study.meshes)
        if isinstance(found, SdfInertiaError):
            self.keep_unreadable(COLLISION)
            return []
        errors = [diagnosis for _, diagnosis in found if isinstance(diagnosis, SdfInertiaError)]
        if errors and self._is_hand_written:
            self.keep_unreadable(COLLISION)
            for error in errors:
                self.keep(error, is_finding=False)
        return [(name, diagnosis) for name, diagnosis in found if not isinstance(diagnosis, SdfInertiaError)]

    def own_location(self, error: SdfInertiaError) -> Location | None:
        return error.location if error.location is not None and error.location.file == self.link.file else None

    @property
    def _is_hand_written(self) -> bool:
        return not self.is_auto and self.provenance is None

    def keep(self, error: SdfInertiaError, kind: SolidKind = COLLISION, *, is_finding: bool) -> None:
        place = self.own_location(error) or self.link.inertial_location()
        uri = _missing_uri(error)
        cause = (error.other_file or uri or place, error.problem)
        if cause not in self._causes:
            self._causes.add(cause)
            problem = reason_in_words(error, kind)
            self.unjudged.append(Unjudged(self.link.scoped_name, problem, place, error.remedy, uri, is_finding))

    def is_selected_by_name(self, code: str) -> bool:
        """Whether a rule was selected by its own code."""
        return any(prefix == "ALL" or code.startswith(prefix) for prefix in self.options.select)

    def fill_advice(self, *arguments: str, does: str = "", otherwise: str) -> str | Command:
        obstacle = self.obstacle
        if obstacle is None:
            return self.command("fill", *arguments, does=does)
        return f"{otherwise}: it cannot be computed, since {reason_in_words(obstacle, is_short=True)}"

    def command(self, *words: str, does: str = "") -> Command:
        return Command(("sdfinertia", *words), (escape(self.link.own_name),), self.link.element.document.path, does)

    def _attempt(self, find: Callable[[], _T]) -> _T | SdfInertiaError:
        try:
            return find()
        except SdfInertiaError as error:
            return error
        finally:
            self.context.forget_contents()


def _known(find: Callable[[], _T]) -> _T | None:
    try:
        return find()
    except SdfInertiaError:
        return None


def _missing_uri(error: SdfInertiaError) -> str:
    return error.uri if isinstance(error, ResourceError) else ""


def reason_in_words(error: SdfInertiaError, kind: SolidKind = COLLISION, *, is_short: bool = False) -> str:
    """The reason with solid and file; in short without directory, and cut."""
    where = f"{kind.element} {error.collision!r}: " if error.collision else ""
    path = os.path.basename(error.other_file) if is_short else error.other_file
    problem = shorten(error.problem, _LONGEST_REASON) if is_short else error.problem
    return f"{where}{path and f'{path}: '}{problem}"
