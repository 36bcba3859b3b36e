"""What a robot description gives, as values that every format shares."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from sdfinertia.errors import printable
from sdfinertia.inertia.rigid_transform import (
    IDENTITY,
    IDENTITY_ROTATION,
    RigidTransform,
    Rotation,
    Vector3,
    rotation_from_quaternion,
    rotation_from_rpy,
)
from sdfinertia.lazy import cached_property
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.numbers import parse_numbers

if TYPE_CHECKING:
    from sdfinertia.errors import Location
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

SDF_SUFFIXES = (".sdf", ".world")
URDF_SUFFIXES = (".urdf",)
# Many other files end so: only those whose root element is <mujoco> count.
MJCF_SUFFIXES = (".xml",)
# Of the files that a walk looks for.
SUFFIXES = (*SDF_SUFFIXES, *URDF_SUFFIXES)
# A program that the package xacro runs.
XACRO_SUFFIX = ".xacro"
# What a URDF file with xacro in it has at least one of.
XACRO_MARKS = (b"<xacro:", b"${", b"$(")
# Templates are programs that print SDF or URDF; they are neither.
TEMPLATE_SUFFIXES = (".erb", ".jinja", ".jinja2", ".em")

# SDFormat's default density, that of water (kg/m³); a blank <density/> counts as having it given.
DEFAULT_DENSITY = 1000.0
# m: what is drawn with all edges shorter marks a place.
_SMALLEST_PART = 0.005

# The six entries of a tensor, in the order in which files have them.
TENSOR_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")

# What to do about numbers that no body has.
CHECK_TELLS_WHY = "`sdfinertia check` says why, and `check --fix` fixes what only rounding broke"

# Red, green, blue and opacity, each from 0 to 1.
Colour = tuple[float, float, float, float]


def colour_of(text: str) -> Colour | None:
    numbers = parse_numbers(text)
    if numbers is None or len(numbers) != 4 or not all(0.0 <= value <= 1.0 for value in numbers):
        return None
    red, green, blue, opacity = numbers
    return red, green, blue, opacity


class SolidKind(Enum):
    COLLISION = "collision"
    VISUAL = "visual"

    def __init__(self, element: str) -> None:
        # The name of their elements; a plain attribute: it is read many times a link, and `value` is a call.
        self.element = element


class InertialPart(Enum):
    """The values are the names of SDF's elements."""

    MASS = "mass"
    POSE = "pose"
    TENSOR = "inertia"


COLLISION, VISUAL = SolidKind.COLLISION, SolidKind.VISUAL
MASS, POSE, TENSOR = InertialPart.MASS, InertialPart.POSE, InertialPart.TENSOR


class LinkKey(NamedTuple):
    """What identifies a link in any version of its file; two worlds may each have one of its scoped name."""

    file: str
    name: str
    # Among the links of that name in the file, from 1.
    number: int = 1

    @property
    def label(self) -> str:
        return self.name if self.number == 1 else self.numbered

    @property
    def numbered(self) -> str:
        """As patterns name one of several."""
        return f"{self.name}#{self.number}"


class Comment(NamedTuple):
    """The span includes the brackets, the text does not."""

    start: int
    stop: int
    text: str


class Command(NamedTuple):
    """A command line that fixes something.

    Attributes:
        words: the program and its arguments, but for what follows.
        links: patterns of links, each for `--link`.
        file: the last argument.
        does: what is said behind it.
    """

    words: tuple[str, ...]
    links: tuple[str, ...] = ()
    file: str = ""
    does: str = ""

    def __str__(self) -> str:
        words = [*self.words]
        for link in self.links:
            words += ("--link", link)
        if self.file.startswith("-") and self.file != "-":
            # It would be taken for an option.
            words.append("--")
        # Loaded where something is advised.
        import shlex

        line = shlex.join([*words, self.file] if self.file else words)
        return printable(f"{line} {self.does}" if self.does else line)


class Problem(NamedTuple):
    """Something that is wrong, in one sentence without a full stop.

    Attributes:
        advice: the command that fixes it, or else what to do.
        location: of the element that is wrong; None for the whole link, or its inertial.
        is_fixable, is_safe: as those of a `Finding`.
    """

    message: str
    advice: str | Command = ""
    location: Location | None = None
    is_fixable: bool = True
    is_safe: bool = True

    @property
    def remedy(self) -> str:
        return str(self.advice)

    def __str__(self) -> str:
        return printable(f"{self.message}; {self.remedy}" if self.remedy else self.message)


class Written(NamedTuple):
    """The explicit numbers of a link, with the format's defaults.

    Attributes:
        inertia: in the link frame.
        tensor: as written, in the axes of its own pose.
        rotation: R_LC, of these axes in the link.
    """

    inertia: SpatialInertia
    tensor: InertiaTensor
    rotation: Rotation = IDENTITY_ROTATION


class Texts(NamedTuple):
    """The numbers of an inertial as written; "" for what is absent.

    Attributes:
        angles: roll, pitch, yaw (rad); all "" where the rotation is written otherwise.
        tensor: in the order of TENSOR_NAMES.
    """

    mass: str
    centre: tuple[str, str, str]
    angles: tuple[str, str, str]
    tensor: tuple[str, ...]


class NewInertial(NamedTuple):
    """What is written into a link.

    Attributes:
        comment: the provenance or repair comment, or None for none.
        replaced: the comment whose place it takes.
        auto: "remove" removes the request to be computed, "false" sets it to false.
        keeps_pose, keeps_axes: whether position and rotation, or the rotation, stay as they are.
    """

    text: InertialText
    comment: str | None
    replaced: Comment | None
    auto: str = "remove"
    keeps_pose: bool = False
    keeps_axes: bool = False


class ParentJoint(NamedTuple):
    """Its parent's mass counts if it is above zero (kg).

    Attributes:
        parent: where the element of the parent begins in the document.
    """

    name: str
    parent_mass: float | None
    is_fixed: bool = False
    parent: int = -1


class InertiaParameters(NamedTuple):
    """How a file requests computed inertia; None where it does not say.

    Attributes:
        voxel_size, thickness: in m.
        others: unknown children by local name, for a calculator.
    """

    method: str | None = None
    open_mesh: str | None = None
    overlaps: str | None = None
    voxel_size: float | None = None
    thickness: float | None = None
    calculator: str | None = None
    others: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


NO_PARAMETERS = InertiaParameters()


class Phrases(NamedTuple):
    """The words of a format in messages; `{0}` and `{1}` take a name and a value.

    Attributes:
        without_inertial: what simulators do with a link that has collisions and no inertial.
        without_tensor: what they do with an inertial without a tensor.
        mass: where the mass is written.
        mass_remedy: what to do about one that is not above zero.
    """

    density: str
    no_request: str
    inertial_pose: str
    scale: str
    parameter: str
    parameter_value: str
    thickness: str
    without_inertial: str
    without_tensor: str
    mass: str
    mass_remedy: str = ""


# Poses from frame to frame, as written, and their product ------------------------------------------------------------


class Pose(NamedTuple):
    """A pose as it is written: what it is relative to, and its numbers before any trigonometry.

    Attributes:
        numbers: x y z (m), then roll pitch yaw or a quaternion x y z w; empty for the identity.
        form: "rpy" (rad), "degrees" or "quat_xyzw".
        relative_to: name of the frame it is given in, or "" for the element's default.
    """

    numbers: tuple[float, ...] = ()
    form: str = "rpy"
    relative_to: str = ""

    def transform(self) -> RigidTransform:
        """X_RF, of the element's frame F in the frame R that it is given in."""
        if not self.numbers:
            return IDENTITY
        translation: Vector3 = (self.numbers[0], self.numbers[1], self.numbers[2])
        angles = self.numbers[3:]
        if self.form == "quat_xyzw":
            return RigidTransform(rotation_from_quaternion(*angles), translation)
        if self.form == "degrees":
            angles = tuple(map(math.radians, angles))
        return RigidTransform(rotation_from_rpy(*angles), translation)


# A path of more poses than any real model has is a digest in texts, so that thousands of long paths through the same
# frames are not written out thousands of times.
_MAX_POSES_IN_TEXT = 256


class PoseStep(NamedTuple):
    pose: Pose
    is_inverted: bool = False

    def inverse(self) -> PoseStep:
        return PoseStep(self.pose, not self.is_inverted)


class PosePath:
    """The poses along a way, multiplied from left to right.

    Links placed through the same frames share a path, with its product and digest text.

    Args:
        before: the path that these poses continue.
    """

    def __init__(self, steps: Iterable[PoseStep], before: PosePath | None = None) -> None:
        self._own_steps = tuple(steps)
        self._before = before
        self._count: int = len(self._own_steps) + (before._count if before is not None else 0)

    @property
    def steps(self) -> tuple[PoseStep, ...]:
        return tuple(step for path in self._continued(None) for step in path._own_steps)

    @cached_property
    def transform(self) -> RigidTransform:
        transform = IDENTITY
        for path in self._continued("transform") if self._before is not None else (self,):
            if "transform" in path.__dict__:
                transform = path.transform
                continue
            for pose, is_inverted in path._own_steps:
                step = pose.transform()
                transform = transform @ (step.inverse() if is_inverted else step)
            path.__dict__["transform"] = transform
        return transform

    @property
    def text(self) -> str:
        """What the product depends on, before any trigonometry."""
        if self._before is None:
            return self._own_text
        if self._count <= _MAX_POSES_IN_TEXT:
            return ";".join(path._own_text for path in self._continued(None))
        return f"{self._before._digest};{self._own_text}"

    @cached_property
    def _own_text(self) -> str:
        return ";".join(f"{pose.form} {is_inverted} {pose.numbers}" for pose, is_inverted in self._own_steps)

    @cached_property
    def _digest(self) -> str:
        # Loaded for paths of hundreds of poses.
        from hashlib import sha256

        digest = ""
        for path in self._continued("_digest"):
            digest = path.__dict__.get("_digest") or sha256(f"{digest};{path._own_text}".encode()).hexdigest()
            path.__dict__["_digest"] = digest
        return digest

    def _continued(self, known: str | None) -> list[PosePath]:
        """The path and those before it, first to last, back to one where something is known."""
        # Not by recursion: a path may have thousands of parts.
        paths = [self]
        while (before := paths[-1]._before) is not None and (known is None or known not in paths[-1].__dict__):
            paths.append(before)
        return paths[::-1]


Placement = tuple[PosePath, ...]


def is_marker(sizes: Sequence[float]) -> bool:
    """Whether a box of these edges (m) marks a place, and is not a part."""
    return max(sizes) < _SMALLEST_PART


def product(placement: Placement) -> RigidTransform:
    transform = IDENTITY
    for path in placement:
        transform = transform @ path.transform
    return transform


# Comments that begin with `sdfinertia:`, by which a file speaks to this tool and this tool to itself -----------------

OWN_MARK = "sdfinertia:"
_FILLED = r"\s*sdfinertia:((?:\s+[a-z][a-z-]*=[^\s=]+)+)\s*"
_REPAIRED = r"\s*sdfinertia:\s+repaired=([a-z][a-z0-9-]*)\s*"


@cache
def _filled() -> re.Pattern[str]:
    return re.compile(_FILLED)


def own_words(comment: str) -> list[str] | None:
    """The words after our name in a comment for this tool."""
    before, mark, words = comment.partition(OWN_MARK)
    return words.split() if mark and not before.strip() else None


def filled_entries(comment: str) -> dict[str, str] | None:
    match = _filled().fullmatch(comment) if OWN_MARK in comment else None
    if match is None:
        return None
    entries = dict(entry.split("=") for entry in match[1].split())
    return entries if entries.get("inputs") and entries.get("values") else None


def repair_comment(cause: str) -> str:
    """The comment that says what was repaired."""
    return f"<!-- sdfinertia: repaired={cause} -->"


def repaired_cause(comment: str) -> str | None:
    match = re.fullmatch(_REPAIRED, comment) if OWN_MARK in comment else None
    return match[1] if match is not None else None


def numbers_of_namesakes(links: Iterable[tuple[str, int]]) -> dict[int, int]:
    """The number of each link among those of its scoped name, from 1, by its start; unique names are left out."""
    links = list(links)
    if len({name for name, _ in links}) == len(links):
        return {}
    starts: dict[str, list[int]] = {}
    for name, start in links:
        starts.setdefault(name, []).append(start)
    return {start: number for each in starts.values() if len(each) > 1 for number, start in enumerate(each, start=1)}
