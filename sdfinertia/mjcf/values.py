"""Poses of MJCF in all their notations, and inertials."""

from __future__ import annotations

import math

from sdfinertia.errors import InertiaError, SdfInertiaError, ValueTextError
from sdfinertia.inertia.orientations import onto, rotation_of, turns
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.markup.document import Element
from sdfinertia.mjcf.compiler import ORIENTATIONS, Attributes, Compiler
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot import poses
from sdfinertia.robot.numbers import attribute_numbers, shorten

ZERO = (0.0, 0.0, 0.0)
_COUNTS = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}


class Pose(poses.Pose):
    """A pose of MJCF as it is written.

    Attributes:
        numbers: x y z (m), then those of the orientation; the two ends of a `fromto`; empty for the identity.
        form: name of the orientation, "quat" w x y z first; behind it the unit of angles, and the sequence of Euler's.
    """

    __slots__ = ()

    def transform(self) -> RigidTransform:
        if not self.numbers:
            return RigidTransform()
        x, y, z, *rest = self.numbers
        kind, *details = self.form.split()
        if kind == "fromto":
            u, v, w = rest
            return RigidTransform(onto((x - u, y - v, z - w)), ((x + u) / 2, (y + v) / 2, (z + w) / 2))
        unit = 1.0 if details[:1] == ["radian"] else math.pi / 180.0
        return RigidTransform(rotation_of(kind, tuple(rest), unit, details[-1] if details else ""), (x, y, z))


def read_pose(given: Attributes, element: Element, compiler: Compiler) -> Pose:
    """The pose of an element; the identity where nothing is given."""
    position = attribute_numbers(given["pos"], (3,), "pos", element) if "pos" in given else ZERO
    several = [name for name in ("quat", *ORIENTATIONS) if element.attribute(name) is not None]
    if len(several) > 1:
        problem = f"<{element.name}> gives both {several[0]} and {several[1]}"
        raise ValueTextError(problem, location=element.location(), remedy="keep one")
    # As in MuJoCo, `quat` of an element does not replace another orientation of its class.
    kind = next((name for name in ORIENTATIONS if name in given), "quat" if "quat" in given else "")
    if not kind:
        return Pose((*position, 1.0, 0.0, 0.0, 0.0), "quat") if "pos" in given else Pose()
    found = attribute_numbers(given[kind], (_COUNTS[kind],), kind, element)
    if not turns(kind, found):
        problem = f"{kind} of <{element.name}> gives no direction: {shorten(given[kind])!r}"
        raise ValueTextError(problem, location=element.location())
    form = {"axisangle": f"axisangle {compiler.angle}", "euler": f"euler {compiler.angle} {compiler.eulerseq}"}
    return Pose((*position, *found), form.get(kind, kind))


# Inertials ------------------------------------------------------------------------------------------------------------

# Of `fullinertia`, in its order, and of `diaginertia`.
FULL = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


class Inertial(NamedTuple):
    """An `<inertial>`, read once.

    Attributes:
        mass: None where there is none, or it cannot be read.
        tensor: in the axes of its pose; None where there is none.
        errors: why a part of it cannot be read.
    """

    pose: Pose
    mass: float | None
    tensor: InertiaTensor | None
    errors: tuple[SdfInertiaError, ...] = ()

    @property
    def inertia(self) -> SpatialInertia:
        """In the body frame.

        Raises:
            SdfInertiaError: a part of it is absent or cannot be read.
        """
        if self.errors:
            raise self.errors[0].copied()
        assert self.mass is not None, "errors say what is absent"
        if self.tensor is None:
            raise InertiaError("the <inertial> has no tensor", remedy="give it diaginertia or fullinertia")
        return SpatialInertia(self.mass, ZERO, self.tensor).transformed(self.pose.transform())

    def numbers(self) -> tuple[float, ...] | None:
        """In the order of `Link.numbers_of`; None where the block is not written as we write them."""
        kind = self.pose.form
        if self.errors or self.mass is None or self.tensor is None or not self.pose.numbers or kind != "quat":
            return None
        w, *axis = self.pose.numbers[3:]
        if w < 0.0:
            return None
        xx, yy, zz, xy, xz, yz = self.tensor
        return (*self.pose.numbers[:3], *axis, self.mass, xx, xy, xz, yy, yz, zz)


def read_inertial(element: Element, compiler: Compiler) -> Inertial:
    """Reads all of it; what is wrong is among its errors."""
    errors: list[SdfInertiaError] = []
    given = element.attributes()
    pose, mass, tensor = Pose(), None, None
    try:
        pose = read_pose(given, element, compiler)
        if "pos" not in given:
            raise ValueTextError("<inertial> has no pos", location=element.location(), remedy='write pos="0 0 0"')
    except SdfInertiaError as error:
        errors.append(error)
    try:
        (mass,) = attribute_numbers(required(given, "mass", element), (1,), "mass", element)
    except SdfInertiaError as error:
        errors.append(error)
    try:
        tensor = _read_tensor(given, element)
    except SdfInertiaError as error:
        errors.append(error)
    return Inertial(pose, mass, tensor, tuple(errors))


def _read_tensor(given: Attributes, element: Element) -> InertiaTensor | None:
    full = given.get("fullinertia")
    if full is None:
        text = given.get("diaginertia")
        return InertiaTensor(*attribute_numbers(text, (3,), "diaginertia", element)) if text is not None else None
    turned = next((name for name in ("quat", *ORIENTATIONS) if name in given), "")
    if turned or "diaginertia" in given:
        problem = f"<inertial> gives both fullinertia and {turned or 'diaginertia'}, which MuJoCo refuses"
        raise ValueTextError(problem, location=element.location(), remedy="keep one")
    return InertiaTensor(*attribute_numbers(full, (6,), "fullinertia", element))


def required(given: Attributes, name: str, element: Element) -> str:
    if name not in given:
        raise ValueTextError(f"<{element.name}> has no {name}", location=element.location(), remedy="give it one")
    return given[name]
