"""The writer of SDF, and what is malformed in a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sdfinertia.errors import SdfInertiaError, shorten
from sdfinertia.markup import Edit, Element
from sdfinertia.robot import Inertial, Link, Request, Solid, attempt, known, problems
from sdfinertia.robot import edits as writing
from sdfinertia.robot.edits import Layout, Part
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial, Texts
from sdfinertia.robot.numbers import is_word, renewed
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Phrases, Problem
from sdfinertia.sdf.values import dimension_elements, read_number, read_pose
from sdfinertia.shapes import PRIMITIVES


def edits(link: Link, new: NewInertial) -> list[Edit]:
    block, own = (link.inertial.element if link.inertial is not None else None), link.element.child("pose")
    request: list[Edit] = []
    if block is not None and new.text.pose:
        span, said = block.attribute_span("auto"), block.attribute("auto") or ""
        request = [Edit(span[0], span[1], b"")] if span is not None and said.lower() in ("true", "1") else []
    at = own.end if own is not None else link.element.inner_start
    return writing.inertial_edits(link.element, block, _parts(new), new, tag_edits=request, at=at)


def _parts(new: NewInertial) -> list[Part]:
    text, parts = new.text, list[Part]()
    if text.pose:
        tag = f"<pose>{text.pose}</pose>".encode()
        parts.append(Part("pose", tag, partial(_pose_edits, new), is_needed=not new.keeps_pose))
    if text.mass:
        parts.append(writing.text_part("mass", text.mass))
    if text.tensor:
        values = {name: value for name, value in zip(TENSOR_NAMES, text.tensor, strict=True) if value}
        content = "".join([f"\n\t<{name}>{value}</{name}>" for name, value in values.items()]) + "\n"
        tag = f"<inertia>{content}</inertia>".encode()
        parts.append(Part("inertia", tag, partial(_tensor_edits, values, content.encode())))
    return parts


def _pose_edits(new: NewInertial, pose: Element, layout: Layout) -> list[Edit]:
    if new.keeps_pose:
        return []
    start, stop = pose.attributes_span()
    if pose.is_self_closing:
        stop = min(stop, writing.empty_tag_end(pose))
    return [*([Edit(start, stop, b"")] if stop > start else []), *writing.text_edits(pose, new.text.pose)]


def _tensor_edits(values: Mapping[str, str], content: bytes, tensor: Element, outer: Layout) -> list[Edit]:
    content = outer.tag(content).removeprefix(outer.newline + outer.indent)
    if tensor.is_self_closing:
        return [Edit(writing.empty_tag_end(tensor), tensor.inner_start, b">" + content + b"</inertia>")]
    if writing.is_blank(tensor):
        return [Edit(tensor.inner_start, tensor.inner_end, content)]
    entries = [writing.text_part(*each) for each in values.items()]
    return writing.part_edits(tensor, entries, tensor.inner_start, writing.layout_of(tensor))


def dimension_edits(solid: Solid, dimensions: Sequence[float], digits: int) -> list[Edit]:
    found: list[Edit] = []
    place = 0
    for element, count in dimension_elements(solid.element):
        found += writing.text_edits(element, renewed(element.text(), dimensions[place : place + count], digits))
        place += count
    return found


def texts(inertial: Element) -> Texts:
    pose, mass, tensor = map(inertial.child, ("pose", "mass", "inertia"))
    numbers = pose.text().split() if pose is not None else []
    is_plain = pose is not None and read_pose(pose).form == "rpy" and len(numbers) == 6
    x, y, z = numbers[:3] if len(numbers) >= 3 else ("", "", "")
    roll, pitch, yaw = numbers[3:] if is_plain else ("", "", "")
    entries = tuple(tensor.child_text(name) if tensor is not None else "" for name in TENSOR_NAMES)
    return Texts(mass.text() if mass is not None else "", (x, y, z), (roll, pitch, yaw), entries)


# What is malformed ---------------------------------------------------------------------------------------------------

_INERTIAL_CHILDREN = ("pose", "mass", "inertia", "density", "auto_inertia_params", "fluid_added_mass", "frame")
_COLLISION_CHILDREN = ("pose", "geometry", "density", "auto_inertia_params")


def poses(link: Link) -> Iterator[tuple[Pose | SdfInertiaError, Element]]:
    model: Any = link.model
    own = link.element.child("pose")
    if own is not None:
        yield attempt(read_pose, own, model.root.frame_attribute), own
    if link.inertial is not None and link.inertial.pose_element is not None:
        yield link.inertial.pose, link.inertial.pose_element
    for solid in known(link.collisions) or ():
        yield solid.own_pose, solid.element.child("pose") or solid.element


def densities(link: Link) -> list[tuple[float | SdfInertiaError | None, int]]:
    owners = [(link.request.density, link.inertial.element)] if link.inertial is not None else []
    owners += [(solid.density, solid.element) for solid in known(link.collisions) or ()]
    return [(density, (owner.child("density") or owner).start) for density, owner in owners if density is not None]


PHRASES = Phrases(
    density="a <density> to the collision or the link",
    no_request="set auto to false",
    inertial_pose="pose",
    scale="<scale>{0} {0} {0}</scale>",
    parameter="<sdfinertia:{0}>",
    without_inertial="simulators assume 1 kg and a unit tensor",
    without_tensor="simulators assume a unit tensor",
    mass="<mass>",
)


def malformations(link: Link) -> Iterator[Problem]:
    for collision in link.element.children_named("collision"):
        for second in problems.given_twice(collision, _COLLISION_CHILDREN):
            problem = f"collision {collision.attribute('name') or ''!r} gives <{second.name}> twice: the first counts"
            yield Problem(problem, "keep one", second.location())
    inertial = link.inertial
    if inertial is None:
        return
    yield from problems.several_inertials(link.element.children_named("inertial"))
    yield from unknown_moments(link)
    tensor, pose = inertial.tensor_element, inertial.pose_element
    for parent, names in ((inertial.element, _INERTIAL_CHILDREN), (tensor, TENSOR_NAMES)):
        for second in problems.given_twice(parent, names) if parent is not None else ():
            yield Problem(f"<{second.name}> twice: the first counts", "keep one", second.location())
    if pose is not None and pose.attribute("relative_to"):
        problem = "relative_to on the pose of its <inertial>, which is always in the link's frame"
        yield Problem(problem, "remove it", pose.location())
    yield from problems.unreadable(_values(link.request, inertial), "write what SDFormat has there")


def _values(request: Request, inertial: Inertial) -> list[object]:
    if request.asks is True:
        return []
    if inertial.numbers is not None:
        return [request.asks, request.density]
    # A mass that is no finite number is SDI101's.
    weight = inertial.mass if not is_word(inertial.mass_text or "") else None
    entries = inertial.tensor_element.children if inertial.tensor_element is not None else ()
    numbers = (attempt(read_number, each) for each in entries if each.name in TENSOR_NAMES)
    return [request.asks, request.density, inertial.pose, weight, *numbers]


# Elements by version --------------------------------------------------------------------------------------------------

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
# The children of shapes that shape the numbers.
_IN_SHAPES: dict[str, tuple[str, ...]] = {
    **{name: tuple(child for child, _ in kind.dimensions) for name, kind in PRIMITIVES.items()},
    "polyline": ("point", "height"),
    "mesh": ("uri", "scale", "submesh", "convex_decomposition"),
}
# Of a misspelling; `difflib` gives 0.75 for maas and mass, 0.62 for contact and collision.
_NEAR = 0.7
# Elements for other programs, allowed anywhere.
_FOR_OTHERS = ("plugin", "gazebo")
# By minor version.
_NAMES = [
    {
        parent: {*_FOR_OTHERS, *(name for name, (first, last) in known.items() if first <= minor <= last)}
        for parent, known in _KNOWN.items()
    }
    for minor in range(_NEWEST + 1)
]


def unknown_elements(link: Link) -> Iterator[Problem]:
    model: Any = link.model
    minor = model.root.version[1]
    for parent in problems.searched_elements(link.element):
        names = _NAMES[minor][parent.name]
        for child in parent.children:
            if child.name not in names and ":" not in child.name:
                yield _unknown(parent, child, minor)
        for shape in parent.children if parent.name == "geometry" else ():
            yield from problems.misspelt_elements(shape, _IN_SHAPES.get(shape.name, ()), _NEAR, "SDFormat")


def _unknown(parent: Element, child: Element, minor: int) -> Problem:
    where = f"<{shorten(child.name)}> in <{parent.name}>"
    versions = _KNOWN[parent.name].get(child.name)
    if versions is None:
        meant = problems.similar_name(child.name, _KNOWN[parent.name], _NEAR)
        remedy = (
            f"did you mean <{meant}>?" if meant else f"remove it, or give it a namespace, e.g. <myapp:{child.name}>"
        )
        return Problem(f"SDFormat has no {where}", remedy, child.location(), meant=meant)
    first, last = versions
    if minor < first:
        return Problem(
            f"SDFormat 1.{minor} has no {where}: it came with 1.{first}",
            f"give <sdf> the version 1.{first} or a later one",
            child.location(),
        )
    return Problem(f"SDFormat 1.{minor} has no {where}: 1.{last} was the last", "remove it", child.location())


def unknown_moments(link: Link) -> Iterator[Problem]:
    tensor = link.inertial.tensor_element if link.inertial is not None else None
    for child in tensor.children if tensor is not None else ():
        if child.name not in TENSOR_NAMES and ":" not in child.name:
            problem = f"unknown <{shorten(child.name)}> in its <inertia>"
            meant = problems.similar_name(child.name, TENSOR_NAMES)
            yield Problem(problem, f"did you mean <{meant}>?" if meant else "remove it", child.location())
