"""What a description tells of a link, as values that every format shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sdfinertia.errors import Location
    from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

# The two kinds of solids that a link has.
COLLISION, VISUAL = "collision", "visual"

# The parts of an inertial that have a place of their own.
MASS, POSE, TENSOR = "mass", "pose", "inertia"

# The six entries of a tensor, in the order in which files have them.
TENSOR_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


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


class WrittenInertia(NamedTuple):
    """The explicit numbers of a link, with the format's defaults for what is absent.

    Attributes:
        inertia: in the link frame.
        tensor: as written, in the axes of its own pose.
    """

    inertia: SpatialInertia
    tensor: InertiaTensor


class ParentJoint(NamedTuple):
    """A joint whose child a link is.

    Attributes:
        parent_mass: that is written in the parent (kg), if it is above zero.
        is_fixed: whether it lets nothing move.
    """

    name: str
    parent_mass: float | None
    is_fixed: bool = False
