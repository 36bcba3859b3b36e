"""Poses of MJCF in all their notations, and inertials."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sdfinertia.errors import ValueTextError
from sdfinertia.inertia.orientations import onto, rotation_of, turns
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.mjcf.compiler import ORIENTATIONS, Attributes, Compiler
from sdfinertia.robot import poses
from sdfinertia.robot.numbers import attribute_numbers, shorten

if TYPE_CHECKING:
    from sdfinertia.markup.document import Element

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
    # Behind a `quat` those of outer classes may be left; see `merged`.
    kind = next((name for name in ("quat", *ORIENTATIONS) if name in given), "")
    if not kind:
        return Pose((*position, 1.0, 0.0, 0.0, 0.0), "quat") if "pos" in given else Pose()
    found = attribute_numbers(given[kind], (_COUNTS[kind],), kind, element)
    if not turns(kind, found):
        problem = f"{kind} of <{element.name}> gives no direction: {shorten(given[kind])!r}"
        raise ValueTextError(problem, location=element.location())
    form = {"axisangle": f"axisangle {compiler.angle}", "euler": f"euler {compiler.angle} {compiler.eulerseq}"}
    return Pose((*position, *found), form.get(kind, kind))


# Inertials ------------------------------------------------------------------------------------------------------------

# The entries of `fullinertia`, in its order; `diaginertia` has the first three.
FULL = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def read_inertial_pose(element: Element, compiler: Compiler) -> Pose:
    given = element.attributes()
    required(given, "pos", element)
    return read_pose(given, element, compiler)


def read_mass(element: Element) -> float:
    return attribute_numbers(required(element.attributes(), "mass", element), (1,), "mass", element)[0]


def read_tensor(element: Element) -> InertiaTensor:
    """In the axes of its pose."""
    given = element.attributes()
    if "fullinertia" not in given:
        return InertiaTensor(*attribute_numbers(required(given, "diaginertia", element), (3,), "diaginertia", element))
    beside = next((name for name in ("quat", *ORIENTATIONS, "diaginertia") if name in given), "")
    if beside:
        problem = f"<inertial> gives both fullinertia and {beside}, which MuJoCo refuses"
        raise ValueTextError(problem, location=element.location(), remedy="keep one")
    return InertiaTensor(*attribute_numbers(given["fullinertia"], (6,), "fullinertia", element))


def required(given: Attributes, name: str, element: Element) -> str:
    if name not in given:
        raise ValueTextError(f"<{element.name}> has no {name}", location=element.location(), remedy="give it one")
    return given[name]
