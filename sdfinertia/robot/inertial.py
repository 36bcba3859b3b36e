"""The inertia of a link in a file: numbers as written or as a request, and new texts in place of an author's."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.inertial_text import (
    InertialText,
    format_number,
    inertial_text,
    text_as_given,
)
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation, rpy_from_rotation, transpose
from sdfinertia.markup import Comment
from sdfinertia.robot.problems import CHECK_TELLS_WHY

# SDFormat's default density, that of water (kg/m³); a blank <density/> counts as having it given.
DEFAULT_DENSITY = 1000.0


# The six entries of a tensor, in the order in which files have them.
TENSOR_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


# By the names of SDF's elements.
InertialPart = Literal["mass", "pose", "inertia"]
MASS: Final = "mass"
POSE: Final = "pose"
TENSOR: Final = "inertia"


class Written(NamedTuple):
    """The explicit numbers of a link, with the format's defaults."""

    inertia: SpatialInertia  # in the link frame
    tensor: InertiaTensor  # as written, in the axes of its own pose
    rotation: Rotation = IDENTITY_ROTATION  # R_LC, of these axes in the link


class Texts(NamedTuple):
    """The numbers of an inertial as written; "" for absent ones."""

    mass: str
    centre: tuple[str, str, str]
    angles: tuple[str, str, str]  # roll, pitch, yaw (rad); all "" where the rotation is written otherwise
    tensor: tuple[str, ...]  # in the order of TENSOR_NAMES


class NewInertial(NamedTuple):
    """The new content of a link."""

    text: InertialText  # "" and () for unchanged parts; a request stays unless all are written
    comment: str | None = None  # the provenance or repair comment, or None for none
    replaced: Comment | None = None  # the comment whose place it takes
    keeps_pose: bool = False  # position and rotation
    keeps_axes: bool = False  # the rotation


class InertiaParameters(NamedTuple):
    """The parameters of a request to compute an inertia; None for absent ones."""

    method: str | None = None
    open_mesh: str | None = None
    overlaps: str | None = None
    voxel_size: float | None = None  # m
    thickness: float | None = None  # m
    calculator: str | None = None
    others: tuple[tuple[str, str], ...] = ()  # unknown children by local name, for a calculator
    notes: tuple[str, ...] = ()


NO_PARAMETERS = InertiaParameters()


# A block with its digits, which are evidence --------------------------------------------------------------------------


# Scaled ---------------------------------------------------------------------------------------------------------------


def scaled_texts(
    old: Texts, written: Written, after: SpatialInertia, *, digits: int, is_body: bool
) -> tuple[InertialText, bool]:
    """The texts of a scaled inertia, and whether they are in the author's axes; equal numbers keep their text.

    A thin body whose tensor libsdformat would refuse in these axes is written in its principal ones.
    """
    before, rotation = written.inertia, written.rotation
    scaled = SpatialInertia(after.mass, after.p_BoBcm_B, after.I_BBcm_B.rotated(transpose(rotation)))
    try:
        text = inertial_text(scaled, digits=digits) if is_body else text_as_given(scaled, digits=digits)
        if text.note:
            return inertial_text(after, digits=digits, principal_axes=True), False
    except InertiaError:
        problem = f"scaled and written with {digits} digits, its tensor is physically impossible"
        raise InertiaError(problem, remedy=CHECK_TELLS_WHY) from None
    angles = old.angles if all(old.angles) else [format_number(each, digits) for each in rpy_from_rotation(rotation)]
    position = map(_kept, old.centre, text.pose.split(), after.p_BoBcm_B)
    if after.I_BBcm_B == before.I_BBcm_B:
        # Turned there and back, its numbers may have lost their last bits.
        tensor = tuple(each or new for each, new in zip(old.tensor, text.tensor, strict=True))
    else:
        tensor = tuple(map(_kept, old.tensor, text.tensor, (getattr(scaled.I_BBcm_B, name) for name in TENSOR_NAMES)))
    return InertialText(" ".join([*position, *angles]), _kept(old.mass, text.mass, after.mass), tensor), True


def _kept(old: str, new: str, value: float) -> str:
    return old if old and float(old) in (value, float(new)) else new
