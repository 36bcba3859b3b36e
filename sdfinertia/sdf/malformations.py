"""What is written in an `<inertial>` and in collisions that SDFormat does not have there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sdfinertia.description.facts import TENSOR_NAMES, Defect
from sdfinertia.description.numbers import is_word
from sdfinertia.errors import ValueTextError
from sdfinertia.markup.document import Element
from sdfinertia.sdf.inertial import read_density
from sdfinertia.sdf.known_elements import unknown_moments
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import read_number, read_pose

_INERTIAL_CHILDREN = ("pose", "mass", "inertia", "density", "auto_inertia_params", "fluid_added_mass", "frame")
_COLLISION_CHILDREN = ("pose", "geometry", "density", "auto_inertia_params")


def malformations(link: Link, *, are_numbers_plain: bool) -> Iterator[Defect]:
    """What is written in a link's `<inertial>`, or in its collisions, that SDFormat does not have there.

    Args:
        are_numbers_plain: whether its first `<inertial>` is known to hold all its numbers, so that none can be amiss.
    """
    for collision in link.element.children_named("collision"):
        name = collision.attribute("name") or ""
        for second in _repeated(collision, _COLLISION_CHILDREN):
            problem = f"collision {name!r} gives <{second.name}> twice; the first counts"
            yield Defect(problem, "keep one", second.location())
    inertials = link.element.children_named("inertial")
    if not inertials:
        return
    inertial = inertials[0]
    if len(inertials) > 1:
        problem = f"has {len(inertials)} <inertial> elements; the first counts"
        yield Defect(problem, "keep one", inertials[1].location())
    yield from _structure(inertial)
    for read in _readings(link, inertial, are_numbers_plain=are_numbers_plain):
        try:
            read()
        except ValueTextError as error:
            yield Defect(error.problem, error.remedy or "write what SDFormat has there", error.location)


def _repeated(parent: Element, names: Sequence[str]) -> Iterator[Element]:
    """The second element of each of these names that an element holds more than once."""
    if len({child.name for child in parent.children}) == len(parent.children):
        return
    for name in names:
        yield from parent.children_named(name)[1:2]


def _readings(link: Link, inertial: Element, *, are_numbers_plain: bool) -> Iterator[Callable[[], object]]:
    """What reads the values in a block; numbers of one that asks to be computed do not count."""
    yield link.asks_to_be_filled
    if _is_auto(link):
        return
    yield lambda: read_density(inertial.child("density"))
    if are_numbers_plain:
        return
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
    tensor, pose = inertial.child("inertia"), inertial.child("pose")
    yield from unknown_moments(inertial)
    for parent, known in ((inertial, _INERTIAL_CHILDREN), (tensor, TENSOR_NAMES)):
        for second in _repeated(parent, known) if parent is not None else ():
            yield Defect(f"gives <{second.name}> twice; the first counts", "keep one", second.location())
    if pose is not None and pose.attribute("relative_to"):
        problem = "has a relative_to on the pose of its <inertial>, which is always in the link's frame"
        yield Defect(problem, "take it out", pose.location())


def _is_auto(link: Link) -> bool:
    """Whether a link asks to be computed; an attribute that is no boolean asks for nothing."""
    try:
        return link.asks_to_be_filled()
    except ValueTextError:
        return False
