"""The inertia of a link in a file: numbers as written, or the request to compute them."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation

if TYPE_CHECKING:
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
    from sdfinertia.markup.document import Comment

# SDFormat's default density, that of water (kg/m³); a blank <density/> counts as having it given.
DEFAULT_DENSITY = 1000.0


# The six entries of a tensor, in the order in which files have them.
TENSOR_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


class InertialPart(Enum):
    """The values are the names of SDF's elements."""

    MASS = "mass"
    POSE = "pose"
    TENSOR = "inertia"


MASS, POSE, TENSOR = InertialPart.MASS, InertialPart.POSE, InertialPart.TENSOR


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
    """The numbers of an inertial as written; "" for absent ones.

    Attributes:
        angles: roll, pitch, yaw (rad); all "" where the rotation is written otherwise.
        tensor: in the order of TENSOR_NAMES.
    """

    mass: str
    centre: tuple[str, str, str]
    angles: tuple[str, str, str]
    tensor: tuple[str, ...]


class NewInertial(NamedTuple):
    """The new content of a link.

    Attributes:
        comment: the provenance or repair comment, or None for none.
        replaced: the comment whose place it takes.
        keeps_pose, keeps_axes: whether position and rotation, or the rotation, stay as they are.
    """

    text: InertialText
    comment: str | None
    replaced: Comment | None
    keeps_pose: bool = False
    keeps_axes: bool = False


class InertiaParameters(NamedTuple):
    """The parameters of a request to compute an inertia; None for absent ones.

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
