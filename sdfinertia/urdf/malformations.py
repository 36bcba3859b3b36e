"""Missing, malformed and repeated values of links, and near misses of URDF's names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.robot.inertial import TENSOR_NAMES
from sdfinertia.robot.malformations import (
    asks_well,
    given_twice,
    misspelt_attributes,
    misspelt_elements,
    readings_of_numbers,
    searched_elements,
    several_inertials,
    unreadable_values,
)
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.problems import Problem
from sdfinertia.shapes import PRIMITIVES
from sdfinertia.urdf.requests import AskingLink, read_own_density, read_request, stray_comments
from sdfinertia.urdf.values import BREAKS, PRIMITIVE_NAMES, has_breaks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sdfinertia.markup.document import Element
    from sdfinertia.robot.link import Link

_ONCE = {
    "inertial": ("origin", "mass", "inertia"),
    "collision": ("origin", "geometry"),
    "visual": ("origin", "geometry"),
}
# The elements that URDF has in each element; <contact> and <verbose> are customary, and no slips.
_KNOWN = {
    "link": ("inertial", "collision", "visual"),
    "inertial": ("origin", "mass", "inertia"),
    "collision": ("origin", "geometry"),
    "geometry": (*PRIMITIVE_NAMES, "mesh"),
}
_ATTRIBUTES = {
    "origin": ("xyz", "rpy", "quat_xyzw"),
    "mesh": ("filename", "scale"),
    **{name: tuple(each for each, _ in PRIMITIVES[name].dimensions) for name in PRIMITIVE_NAMES},
}
# Of a misspelling; `difflib` gives 0.93 for colision, 0.75 for maas, 0.67 for ixX and ixx, 0.6 for contact and
# collision. Nothing else is customary in an inertial.
_NEAR, _NEAR_IN_INERTIAL = 0.8, 0.7


def malformations(link: AskingLink) -> Iterator[Problem]:
    for solid in link.element.children:
        if solid.name in ("collision", "visual"):
            yield from _repeated(solid, f"a <{solid.name}>")
    yield from several_inertials(link)
    yield from stray_comments(link)
    yield from unreadable_values(_readings(link), "write what URDF has there")
    if link.inertial is not None:
        yield from _repeated(link.inertial, "its <inertial>")
        yield from _missing(link, link.inertial)


def _repeated(parent: Element, what: str) -> Iterator[Problem]:
    for second in given_twice(parent, _ONCE[parent.name]):
        problem = f"{what} gives <{second.name}> twice: the first counts, and MuJoCo refuses it"
        yield Problem(problem, "keep one", second.location())


def _readings(link: AskingLink) -> Iterator[Callable[[], object]]:
    yield partial(read_request, link)
    for solid in link.children.get("collision", ()):
        yield partial(read_own_density, solid)
    if not asks_well(link):
        yield from readings_of_numbers(link)


def _missing(link: Link, inertial: Element) -> Iterator[Problem]:
    """Values without a default in URDF, and numbers that parsers read differently."""
    if asks_well(link):
        return
    origin, mass, tensor = inertial.child("origin"), inertial.child("mass"), inertial.child("inertia")
    if mass is None:
        yield Problem("no <mass> in its <inertial>", "give it one", inertial.location())
    elif mass.attribute("value") is None:
        yield Problem("no value in its <mass>", 'write <mass value="..."/>', mass.location())
    absent = [name for name in TENSOR_NAMES if tensor is not None and tensor.attribute(name) is None]
    if absent and tensor is not None:
        yield Problem(f"no {', '.join(absent)} in its <inertia>", "give it all six", tensor.location())
    for name in ("xyz", "rpy", "quat_xyzw"):
        if origin is not None and has_breaks(origin, name):
            yield Problem(f"{name} of <origin>: {BREAKS}", "write blanks", origin.location())


def near_misses(link: Link) -> Iterator[Problem]:
    """Elements whose names are near misses of URDF's."""
    for parent in searched_elements(link.element):
        near = _NEAR_IN_INERTIAL if parent.name == "inertial" else _NEAR
        yield from misspelt_elements(parent, _KNOWN[parent.name], near, "URDF")
        for child in parent.children if parent.name != "link" else ():
            yield from misspelt_attributes(child, _ATTRIBUTES.get(child.name, ()), _NEAR, "URDF")
    mass = link.inertial.child("mass") if link.inertial is not None else None
    if mass is not None and mass.attribute("value") is None and mass.text():
        problem = f"URDF has no text in <mass>: {shorten(mass.text())!r}"
        yield Problem(problem, 'write <mass value="..."/>', mass.location())


def unknown_moments(inertial: Element) -> Iterator[Problem]:
    """Attributes of `<inertia>` that are near misses of its entries."""
    tensor = inertial.child("inertia")
    for name in tensor.attributes() if tensor is not None else ():
        if tensor is not None and name not in TENSOR_NAMES and name.lower() in TENSOR_NAMES:
            problem = f"URDF has no {name} in <inertia>"
            yield Problem(problem, f"did you mean {name.lower()}?", tensor.location())
