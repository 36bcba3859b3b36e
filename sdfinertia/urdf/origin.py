"""`<origin>`: the pose of a collision, a visual, an inertial or a joint."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.description.pose_path import Pose
from sdfinertia.errors import ValueTextError
from sdfinertia.markup.document import Element
from sdfinertia.urdf.values import has_breaks, read_numbers, read_optional_numbers

_ZERO = (0.0, 0.0, 0.0)
QUATERNION = "quat_xyzw"
BREAKS = "tabs or line breaks stand between its numbers, which urdfdom refuses"


def read_origin(origin: Element | None, *, has_quaternions: bool) -> Pose:
    """The pose in an `<origin>`; zero where there is none, or what is absent in it.

    Args:
        origin: the `<origin>`.
        has_quaternions: whether `quat_xyzw` counts: from version 1.1 of URDF.

    Raises:
        ValueTextError: wrong counts, not a number, or a rotation that is given twice.
    """
    if origin is None:
        return Pose()
    xyz = read_optional_numbers(origin, "xyz", 3) or _ZERO
    if has_quaternions and origin.attribute(QUATERNION) is not None:
        if origin.attribute("rpy") is not None:
            raise ValueTextError(f"<origin> gives both rpy and {QUATERNION}", location=origin.location())
        return Pose((*xyz, *read_numbers(origin, QUATERNION, 4)), QUATERNION)
    return Pose((*xyz, *(read_optional_numbers(origin, "rpy", 3) or _ZERO)))


def origin_notes(origin: Element | None, *, has_quaternions: bool) -> Iterator[str]:
    """What is to be said of an `<origin>` that readers take differently."""
    if origin is None:
        return
    if not has_quaternions and origin.attribute(QUATERNION) is not None:
        yield f"{QUATERNION} of <origin> is ignored: it counts from version 1.1 of URDF"
    for name in ("xyz", "rpy", *((QUATERNION,) if has_quaternions else ())):
        if has_breaks(origin, name):
            yield f"{name} of <origin>: {BREAKS}"
