"""The elements that SDFormat has where inertia comes from, by version, and what stands there beside them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sdfinertia.description.facts import TENSOR_NAMES, Defect
from sdfinertia.description.numbers import shorten
from sdfinertia.markup.document import Element
from sdfinertia.sdf.model import Link

_OLDEST, _NEWEST = 2, 12
_ALWAYS = (_OLDEST, _NEWEST)

# The children of each element with the first and the last minor version of SDFormat 1.x that has them, from the
# descriptions of the format, 1.2 to 1.12 (https://github.com/gazebosim/sdformat/tree/main/sdf).
_KNOWN: dict[str, dict[str, tuple[int, int]]] = {
    "link": {
        **dict.fromkeys(("pose", "inertial", "collision", "visual", "sensor", "projector"), _ALWAYS),
        **dict.fromkeys(("gravity", "kinematic", "self_collide", "velocity_decay"), _ALWAYS),
        **dict.fromkeys(("must_be_base_link", "audio_sink", "audio_source"), (4, _NEWEST)),
        "battery": (5, _NEWEST),
        "frame": (5, 6),
        **dict.fromkeys(("enable_wind", "light", "particle_emitter"), (6, _NEWEST)),
    },
    "inertial": {
        **dict.fromkeys(("pose", "mass", "inertia"), _ALWAYS),
        "frame": (5, 6),
        "fluid_added_mass": (10, _NEWEST),
        **dict.fromkeys(("density", "auto_inertia_params"), (11, _NEWEST)),
    },
    "collision": {
        **dict.fromkeys(("pose", "geometry", "surface", "max_contacts", "laser_retro"), _ALWAYS),
        "frame": (5, 6),
        **dict.fromkeys(("density", "auto_inertia_params"), (11, _NEWEST)),
    },
    "geometry": {
        **dict.fromkeys(("box", "sphere", "cylinder", "mesh", "plane", "heightmap", "image"), _ALWAYS),
        "empty": (3, _NEWEST),
        "polyline": (5, _NEWEST),
        **dict.fromkeys(("capsule", "ellipsoid"), (8, _NEWEST)),
        "cone": (11, _NEWEST),
    },
}
# Readers pass them on, wherever they stand, to those whom they concern.
_FOR_OTHERS = ("plugin", "gazebo")
# Longer names are no slips of a hand, and comparing takes time that grows with their length.
_LONGEST_COMPARED = 40


def unknown_elements(link: Link) -> Iterator[Defect]:
    """The elements in a link, its inertial, its collisions and its geometries that SDFormat of its version lacks."""
    minor = link.model.root.version[1]
    for parent in _parents(link.element):
        known = _known_in(parent.name, minor)
        for child in parent.children:
            if child.name not in known and not _is_for_others(child):
                yield _defect(parent, child, minor)


@cache
def _known_in(parent: str, minor: int) -> frozenset[str]:
    """The children of an element in a version of SDFormat."""
    return frozenset(name for name, (first, last) in _KNOWN[parent].items() if first <= minor <= last)


def _parents(link: Element) -> Iterator[Element]:
    yield link
    for child in link.children:
        if child.name == "inertial":
            yield child
        elif child.name in ("collision", "visual"):
            if child.name == "collision":
                yield child
            yield from (grandchild for grandchild in child.children if grandchild.name == "geometry")


def _is_for_others(element: Element) -> bool:
    return ":" in element.name or element.name in _FOR_OTHERS


def _defect(parent: Element, child: Element, minor: int) -> Defect:
    where = f"<{shorten(child.name)}> in <{parent.name}>"
    versions = _KNOWN[parent.name].get(child.name)
    if versions is None:
        remedy = meant_by(child.name, _KNOWN[parent.name]) or f"take it out, or say whose it is: <whose:{child.name}>"
        return Defect(f"SDFormat has no {where}", remedy, child.location())
    first, last = versions
    if minor < first:
        return Defect(
            f"SDFormat 1.{minor} has no {where}: it came with 1.{first}",
            f"give <sdf> the version 1.{first} or a later one",
            child.location(),
        )
    return Defect(f"SDFormat 1.{minor} has no {where}: 1.{last} was the last", "take it out", child.location())


def unknown_moments(inertial: Element) -> Iterator[Defect]:
    """The children of the `<inertia>` in an `<inertial>` that are no entries of a tensor."""
    tensor = inertial.child("inertia")
    for child in tensor.children if tensor is not None else ():
        if child.name not in TENSOR_NAMES and ":" not in child.name:
            problem = f"has an unknown <{shorten(child.name)}> in its <inertia>"
            yield Defect(problem, meant_by(child.name, TENSOR_NAMES) or "take it out", child.location())


def meant_by(name: str, known: dict[str, tuple[int, int]] | tuple[str, ...]) -> str:
    """The question whether a known name was meant, or "" where none is like it."""
    if len(name) > _LONGEST_COMPARED:
        return ""
    # Loaded where something is wrong.
    from difflib import get_close_matches

    # Letters in another order before letters that differ: <iyx> is <ixy>.
    near = [other for other in known if sorted(other) == sorted(name)] or get_close_matches(name.lower(), known, 1)
    return f"did you mean <{near[0]}>?" if near else ""
