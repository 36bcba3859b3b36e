"""What `<compiler>` and `<default>` say: settings of the whole model, and attributes by class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sdfinertia.errors import ValueTextError
from sdfinertia.markup.document import Element
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.numbers import number_error, parse_numbers, shorten

# Attributes of an element with those of its class.
Attributes = Mapping[str, str]
Children = Callable[[Element], Iterable[Element]]

MAIN = "main"
ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")


def numbers(text: str, counts: tuple[int, ...], name: str, element: Element) -> tuple[float, ...]:
    """The numbers of an attribute, of which there may be so many."""
    found = parse_numbers(text)
    if found is None or len(found) not in counts:
        raise number_error(text, counts[-1], f"{name} of <{element.name}>", element.location())
    return found


def word(text: str, words: tuple[str, ...], name: str, element: Element) -> str:
    if text not in words:
        problem = f"{name} of <{element.name}> must be {' or '.join(words)}, not {shorten(text)!r}"
        raise ValueTextError(problem, location=element.location())
    return text


class Compiler(NamedTuple):
    """The settings that count for inertias.

    Attributes:
        inertiafromgeom: "auto", "true" or "false".
        groups: lowest and highest group of the geoms that have mass.
        settotalmass: of all bodies (kg); scales them if it is above zero.
        boundmass, boundinertia: least mass (kg) and least principal moment (kg·m²).
        element: the last that sets one of those that change written numbers.
    """

    angle: str = "degree"
    eulerseq: str = "xyz"
    meshdir: str = ""
    strippath: str = "false"
    inertiafromgeom: str = "auto"
    groups: tuple[float, ...] = (0.0, 5.0)
    settotalmass: float = -1.0
    boundmass: float = 0.0
    boundinertia: float = 0.0
    balanceinertia: str = "false"
    element: Element | None = None


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
        attributes = set(element.attributes())
        # A directory of meshes wins over one of all assets in the same element.
        for name in ("assetdir", "meshdir"):
            if name in attributes:
                values["meshdir"] = element.attribute(name)
        for name in attributes & _WORDS.keys():
            values[name] = word(element.attribute(name) or "", _WORDS[name], name, element)
        for name in attributes & set(_NUMBERS):
            (values[name],) = numbers(element.attribute(name) or "", (1,), name, element)
        if "inertiagrouprange" in attributes:
            text = element.attribute("inertiagrouprange") or ""
            values["groups"] = numbers(text, (2,), "inertiagrouprange", element)
        if "eulerseq" in attributes:
            sequence = values["eulerseq"] = element.attribute("eulerseq") or ""
            if len(sequence) != 3 or not set(sequence) <= set("xyzXYZ"):
                problem = f"eulerseq of <compiler> must be three of x, y, z, X, Y, Z, not {shorten(sequence)!r}"
                raise ValueTextError(problem, location=element.location())
        if attributes & _CHANGING:
            values["element"] = element
    return Compiler(**values)


class Defaults:
    """The attributes that each class gives to geoms, meshes and joints, with those of the classes around it."""

    def __init__(self, roots: Iterable[Element], children: Children) -> None:
        self._classes: dict[str, dict[str, Attributes]] = {MAIN: {"geom": {}, "mesh": {}, "joint": {}}}
        pending = [(root, "") for root in roots][::-1]
        while pending:
            element, outer = pending.pop()
            name = element.attribute("class") or MAIN
            if outer and name in self._classes:
                problem = f"the default class {shorten(name)!r} is given twice, or has no name"
                raise ValueTextError(problem, location=element.location(), remedy="give each its own name")
            own = dict(self._classes[outer or MAIN])
            inner: list[tuple[Element, str]] = []
            for child in children(element):
                if child.name in own:
                    own[child.name] = merged(own[child.name], child)
                elif child.name == "default":
                    inner.append((child, name))
            self._classes[name] = own
            pending += inner[::-1]

    def attributes(self, element: Element, of_class: str) -> Attributes:
        """Those of an element and of its class, or of that which it is in."""
        name = element.attribute("class") or of_class
        found = self._classes.get(name)
        if found is None:
            raise ValueTextError(f"there is no default class {shorten(name)!r}", location=element.location())
        return merged(found[element.name], element)


def merged(inherited: Attributes, element: Element) -> Attributes:
    own = {name: element.attribute(name) or "" for name in element.attributes()}
    if not inherited:
        return own
    result = {**inherited, **own}
    if own.keys() & set(ORIENTATIONS):
        for name in ORIENTATIONS:
            if name not in own:
                result.pop(name, None)
    # Fewer sizes than the class has replace only the first of them.
    if "size" in own and "size" in inherited:
        sizes = own["size"].split()
        result["size"] = " ".join([*sizes, *inherited["size"].split()[len(sizes) :]])
    return result
