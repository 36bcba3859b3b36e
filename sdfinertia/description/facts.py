"""What a description tells of a link, as values that every format shares."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.errors import Location
    from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia


class SolidKind(Enum):
    """The two kinds of solids that a link has.

    Attributes:
        element: the name of their elements, in SDF as in URDF; a plain attribute, since it is asked for many times a
            link, and `value` takes a call each time.
    """

    COLLISION = "collision"
    VISUAL = "visual"

    def __init__(self, element: str) -> None:
        self.element = element


class InertialPart(Enum):
    """The parts of an inertial that have a place of their own; the values are the names of their elements in SDF."""

    MASS = "mass"
    POSE = "pose"
    TENSOR = "inertia"


# By these names those who ask for them say which they mean.
COLLISION, VISUAL = SolidKind.COLLISION, SolidKind.VISUAL
MASS, POSE, TENSOR = InertialPart.MASS, InertialPart.POSE, InertialPart.TENSOR

# The six entries of a tensor, in the order in which files have them.
TENSOR_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


# What to do about numbers that no body has.
CHECK_TELLS_WHY = "`sdfinertia check` tells why, and `check --fix` mends what only rounding broke"


class LinkKey(NamedTuple):
    """What a link is known by, in whatever version of its file.

    Attributes:
        name: scoped; two worlds may each have a link of that name.
        number: among the links of that name in the file, from 1.
    """

    file: str
    name: str
    number: int = 1

    @property
    def label(self) -> str:
        """Its scoped name, with its number where another comes before it."""
        return self.name if self.number == 1 else self.numbered

    @property
    def numbered(self) -> str:
        """Its scoped name with its number, as patterns name one of several."""
        return f"{self.name}#{self.number}"


class Comment(NamedTuple):
    """A comment of the file: its span, brackets included, and the text inside."""

    start: int
    stop: int
    text: str


class Defect(NamedTuple):
    """Something that a description says wrongly.

    Attributes:
        problem: one sentence without a full stop.
        location: what it is about, where that is not the whole link.
    """

    problem: str
    remedy: str = ""
    location: Location | None = None

    def __str__(self) -> str:
        return f"{self.problem}; {self.remedy}" if self.remedy else self.problem


class WrittenInertia(NamedTuple):
    """The explicit numbers of a link, with the format's defaults for what is absent.

    Attributes:
        inertia: in the link frame.
        tensor: as written, in the axes of its own pose.
        rotation: R_LC, of these axes in the link.
    """

    inertia: SpatialInertia
    tensor: InertiaTensor
    rotation: Rotation = IDENTITY_ROTATION


class WrittenTexts(NamedTuple):
    """The numbers of an inertial as they stand, without space around them; "" for one that is not written.

    Attributes:
        mass: as it stands.
        centre: x, y and z.
        angles: roll, pitch and yaw; all "" where the rotation is written in another way than by angles in radians.
        tensor: in the order of TENSOR_NAMES.
    """

    mass: str
    centre: tuple[str, str, str]
    angles: tuple[str, str, str]
    tensor: tuple[str, ...]


class ParentJoint(NamedTuple):
    """A joint whose child a link is.

    Attributes:
        parent_mass: that is written in the parent (kg), if it is above zero.
        is_fixed: whether it lets nothing move.
    """

    name: str
    parent_mass: float | None
    is_fixed: bool = False
