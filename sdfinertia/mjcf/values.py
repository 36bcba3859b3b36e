"""Settings, classes, poses in all notations, and inertials of MJCF."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from sdfinertia.errors import shorten
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import RigidTransform, onto, rotation_of, turns
from sdfinertia.markup import Element
from sdfinertia.robot import poses
from sdfinertia.robot.numbers import attribute_word, exact_numbers

# Attributes of an element with those of its class.
Attributes = Mapping[str, str]
Children = Callable[[Element], Iterable[Element]]

MAIN = "main"
ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")


class Compiler(NamedTuple):
    """The settings that count for inertias."""

    angle: str = "degree"
    eulerseq: str = "xyz"
    meshdir: str = ""
    strippath: str = "false"
    inertiafromgeom: str = "auto"  # "auto", "true" or "false"
    groups: tuple[float, ...] = (0.0, 5.0)  # lowest and highest group of the geoms that have mass
    settotalmass: float = -1.0  # of all bodies (kg); scales them if it is above zero
    boundmass: float = 0.0  # least mass (kg)
    boundinertia: float = 0.0  # least principal moment (kg·m²)
    balanceinertia: str = "false"
    element: Element | None = None  # the last that sets one of those that change written numbers

    def changes(self, *, has_geoms: bool) -> str:
        names = {
            'inertiafromgeom="true"': self.inertiafromgeom == "true" and has_geoms,
            "settotalmass": self.settotalmass > 0.0,
            "boundmass": self.boundmass > 0.0,
            "boundinertia": self.boundinertia > 0.0,
            "balanceinertia": self.balanceinertia == "true",
        }
        return ", ".join(name for name, is_set in names.items() if is_set)

    def compiled(self, inertia: SpatialInertia) -> SpatialInertia:
        """The inertia within the bounds, which are those of principal moments."""
        axes = inertia.principal()
        moments = [max(moment, self.boundinertia) for moment in axes.moments]
        low, middle, high = sorted(moments)
        if low + middle < high and self.balanceinertia == "true":
            moments = [sum(moments) / 3.0] * 3
        mass = max(inertia.mass, self.boundmass)
        if tuple(moments) == axes.moments:
            return inertia if mass == inertia.mass else SpatialInertia(mass, inertia.p_BoBcm_B, inertia.I_BBcm_B)
        return SpatialInertia(mass, inertia.p_BoBcm_B, InertiaTensor(*moments).rotated(axes.rotation))


_WORDS = {
    "angle": ("degree", "radian"),
    "strippath": ("false", "true"),
    "inertiafromgeom": ("false", "true", "auto"),
    "balanceinertia": ("false", "true"),
}
_NUMBERS = ("settotalmass", "boundmass", "boundinertia")
_CHANGING = frozenset({"inertiafromgeom", "balanceinertia", *_NUMBERS})


def read_compiler(elements: Iterable[Element]) -> Compiler:
    """All `<compiler>` together: of each attribute the last counts."""
    values: dict[str, Any] = {}
    for element in elements:
        attributes = element.attributes
        # A directory of meshes wins over one of all assets in the same element.
        for name in ("assetdir", "meshdir"):
            if name in attributes:
                values["meshdir"] = attributes[name]
        for name, text in attributes.items():
            if name in _WORDS:
                values[name] = attribute_word(text, _WORDS[name], name, element)
            elif name in _NUMBERS:
                (values[name],) = exact_numbers(text, (1,), element, name)
            elif name == "inertiagrouprange":
                values["groups"] = exact_numbers(text, (2,), element, name)
            elif name == "eulerseq":
                values[name] = text
                if len(text) != 3 or not set(text) <= set("xyzXYZ"):
                    problem = f"eulerseq of <compiler> must be three of x, y, z, X, Y, Z, not {shorten(text)!r}"
                    raise element.error(problem)
        if attributes.keys() & _CHANGING:
            values["element"] = element
    return Compiler(**values)


_PLACING = ("pos", "quat", *ORIENTATIONS)
_WEIGHING = ("type", "size", "fromto", "mesh", "mass", "density", "shellinertia", "group", "contype", "conaffinity")
# The attributes of a class that count here.
_INHERITED = {
    "geom": (*_PLACING, *_WEIGHING, "rgba"),
    "mesh": ("file", "scale", "inertia", "refpos", "refquat"),
    "joint": ("type", "pos", "axis"),
}
# Characters of an attribute of a class: six numbers and names are far shorter, and every geom reads it.
_LONGEST = 1000


class Defaults:
    """The attributes that each class gives to geoms, meshes and joints, with those of the classes around it."""

    def __init__(self, roots: Iterable[Element], children: Children) -> None:
        self._classes: dict[str, dict[str, Attributes]] = {MAIN: {name: {} for name in _INHERITED}}
        pending = [(root, "") for root in roots][::-1]
        while pending:
            element, outer = pending.pop()
            name = element.attribute("class") or MAIN
            if outer and name in self._classes:
                problem = f"the default class {shorten(name)!r} is given twice, or has no name"
                raise element.error(problem, "give each its own name")
            own = dict(self._classes[outer or MAIN])
            inner: list[tuple[Element, str]] = []
            for child in children(element):
                if child.name in own:
                    given = merged(own[child.name], child)
                    own[child.name] = {name: _short(given[name]) for name in _INHERITED[child.name] if name in given}
                elif child.name == "default":
                    inner.append((child, name))
            self._classes[name] = own
            pending += inner[::-1]

    def attributes(self, element: Element, of_class: str) -> Attributes:
        name = element.attribute("class") or of_class
        found = self._classes.get(name)
        if found is None:
            raise element.error(f"there is no default class {shorten(name)!r}")
        return merged(found[element.name], element)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def merged(inherited: Attributes, element: Element) -> Attributes:
    own = element.attributes
    if not inherited:
        return own
    result = {**inherited, **own}
    # The innermost orientation counts. What a `quat` replaces is left: MuJoCo took that until 3.14.
    if own.keys() & set(ORIENTATIONS):
        for name in ("quat", *ORIENTATIONS):
            if name not in own:
                result.pop(name, None)
    # Fewer sizes than the class has replace only the first of them.
    if "size" in own and "size" in inherited:
        sizes = own["size"].split()
        result["size"] = " ".join([*sizes, *inherited["size"].split()[len(sizes) :]])
    return result


ZERO = (0.0, 0.0, 0.0)
_COUNTS = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}


class Pose(poses.Pose):
    """A pose of MJCF as it is written.

    Attributes:
        numbers: x y z (m), then those of the orientation; the two ends of a `fromto`; empty for the identity.
        form: name of the orientation, "quat" w x y z first; behind it the unit of angles, and the sequence of Euler's.
    """

    __slots__ = ()

    def as_we_write(self) -> tuple[float, ...] | None:
        """In the order of `edits.numbers_of`."""
        is_ours = self.form == "quat" and self.numbers[3] >= 0.0
        return (*self.numbers[:3], *self.numbers[4:]) if is_ours else None

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
    position = exact_numbers(given["pos"], (3,), element, "pos") if "pos" in given else ZERO
    several = [name for name in ("quat", *ORIENTATIONS) if element.attribute(name) is not None]
    if len(several) > 1:
        problem = f"<{element.name}> gives both {several[0]} and {several[1]}"
        raise element.error(problem, "keep one")
    # Behind a `quat` those of outer classes may be left; see `merged`.
    kind = next((name for name in ("quat", *ORIENTATIONS) if name in given), "")
    if not kind:
        return Pose((*position, 1.0, 0.0, 0.0, 0.0), "quat") if "pos" in given else Pose()
    found = exact_numbers(given[kind], (_COUNTS[kind],), element, kind)
    if not turns(kind, found):
        problem = f"{kind} of <{element.name}> gives no direction: {shorten(given[kind])!r}"
        raise element.error(problem)
    form = {"axisangle": f"axisangle {compiler.angle}", "euler": f"euler {compiler.angle} {compiler.eulerseq}"}
    return Pose((*position, *found), form.get(kind, kind))


# Inertials ------------------------------------------------------------------------------------------------------------

# The entries of `fullinertia`, in its order; `diaginertia` has the first three.
FULL = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def read_inertial_pose(element: Element, compiler: Compiler) -> Pose:
    given = element.attributes
    required(given, "pos", element)
    return read_pose(given, element, compiler)


def read_mass(element: Element) -> float:
    return exact_numbers(required(element.attributes, "mass", element), (1,), element, "mass")[0]


def read_tensor(element: Element) -> tuple[float, ...]:
    """In the order of `TENSOR_NAMES`."""
    given = element.attributes
    if "fullinertia" not in given:
        text = required(given, "diaginertia", element)
        xx, yy, zz = exact_numbers(text, (3,), element, "diaginertia")
        return xx, 0.0, 0.0, yy, 0.0, zz
    beside = next((name for name in ("quat", *ORIENTATIONS, "diaginertia") if name in given), "")
    if beside:
        problem = f"<inertial> gives both fullinertia and {beside}, which MuJoCo refuses"
        raise element.error(problem, "keep one")
    xx, yy, zz, xy, xz, yz = exact_numbers(given["fullinertia"], (6,), element, "fullinertia")
    return xx, xy, xz, yy, yz, zz


def required(given: Attributes, name: str, element: Element) -> str:
    if name not in given:
        raise element.error(f"<{element.name}> has no {name}", "give it one")
    return given[name]
