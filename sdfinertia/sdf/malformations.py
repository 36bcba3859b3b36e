"""What is written in an `<inertial>` and in collisions that SDFormat does not have there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sdfinertia.description.facts import Defect
from sdfinertia.description.inertial_text import TENSOR_NAMES
from sdfinertia.description.numbers import is_word
from sdfinertia.errors import ValueTextError
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.inertial import read_density
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import read_number, read_pose

_KNOWN_CHILDREN = ("pose", "mass", "inertia", "density", "auto_inertia_params", "fluid_added_mass", "frame")
_COLLISION_CHILDREN = ("pose", "geometry", "density", "auto_inertia_params")


def malformations(link: Link) -> Iterator[Defect]:
    """What is written in a link's `<inertial>`, or in its collisions, that SDFormat does not have there."""
    for collision in link.element.children_named("collision"):
        name = collision.attribute("name") or ""
        for repeated in _repeated(collision, _COLLISION_CHILDREN):
            yield Defect(f"collision {name!r} gives <{repeated}> twice; the first counts", "keep one")
    inertials = link.element.children_named("inertial")
    if not inertials:
        return
    inertial = inertials[0]
    if len(inertials) > 1:
        yield Defect(f"has {len(inertials)} <inertial> elements; the first counts", "keep one")
    yield from _structure(inertial)
    for read in _readings(link, inertial):
        try:
            read()
        except ValueTextError as error:
            yield Defect(error.problem, error.remedy or "write what SDFormat has there")


def _repeated(parent: Element, names: Sequence[str]) -> list[str]:
    return [name for name in names if len(parent.children_named(name)) > 1]


def _readings(link: Link, inertial: Element) -> Iterator[Callable[[], object]]:
    """What reads the values in a block; numbers of one that asks to be computed do not count."""
    yield link.asks_to_be_filled
    if _is_auto(link):
        return
    yield lambda: read_density(inertial.child("density"))
    yield lambda: read_pose(inertial.child("pose"))
    mass, tensor = inertial.child("mass"), inertial.child("inertia")
    if mass is not None and not is_word(mass.text()):
        yield partial(read_number, mass)
    for name in TENSOR_NAMES:
        entry = tensor.child(name) if tensor is not None else None
        if entry is not None:
            yield partial(read_number, entry)


def _structure(inertial: Element) -> Iterator[Defect]:
    """What stands in a block that does not belong there."""
    tensor = inertial.child("inertia")
    for parent, known in ((inertial, _KNOWN_CHILDREN), (tensor, TENSOR_NAMES)):
        seen: set[str] = set()
        for child in parent.children if parent is not None else ():
            if ":" in child.name:
                continue
            if child.name not in known:
                yield Defect(f"has an unknown <{child.name}> in its <{parent.name if parent else ''}>", "take it out")
            elif child.name in seen:
                yield Defect(f"gives <{child.name}> twice; the first counts", "keep one")
            seen.add(child.name)
    pose = inertial.child("pose")
    if pose is not None and pose.attribute("relative_to"):
        problem = "has a relative_to on the pose of its <inertial>, which is always in the link's frame"
        yield Defect(problem, "take it out")


def _is_auto(link: Link) -> bool:
    """Whether a link asks to be computed; an attribute that is no boolean asks for nothing."""
    try:
        return link.asks_to_be_filled()
    except ValueTextError:
        return False
