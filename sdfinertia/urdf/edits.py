"""The writer of URDF, and what is malformed in a link."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sdfinertia.errors import SdfInertiaError, shorten
from sdfinertia.markup import Edit, Element
from sdfinertia.robot import Link, Solid, given, problems
from sdfinertia.robot import edits as writing
from sdfinertia.robot.edits import Layout
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial, Texts
from sdfinertia.robot.numbers import is_word, renewed
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Phrases, Problem
from sdfinertia.shapes import PRIMITIVES
from sdfinertia.urdf import values

_ZERO = "0 0 0"


def edits(link: Link, new: NewInertial) -> list[Edit]:
    model: Any = link.model
    block = link.inertial.element if link.inertial is not None else None
    return fill_edits(link.element, block, new, has_quaternions=model.has_quaternions)


def fill_edits(link: Element, inertial: Element | None, new: NewInertial, *, has_quaternions: bool) -> list[Edit]:
    quote, pose = writing.commoner_quote(inertial, link), new.text.pose.split()
    xyz, rpy = " ".join(pose[:3]), " ".join(pose[3:])

    def origin_edits(origin: Element, layout: Layout) -> list[Edit]:
        written = {"xyz": (origin.attribute("xyz") or _ZERO) if new.keeps_pose else xyz}
        if not new.keeps_axes:
            written.update(_rotation(origin, rpy, has_quaternions=has_quaternions))
        return writing.attribute_edits(origin, written, quote)

    parts = []
    if pose:
        moves, turns = (any(map(float, each.split())) for each in (xyz, rpy))
        is_needed = (moves and not new.keeps_pose) or (turns and not new.keeps_axes)
        origin = writing.attribute_part("origin", {"xyz": xyz, "rpy": rpy}, quote)
        parts.append(origin._replace(edits=origin_edits, is_needed=is_needed))
    if new.text.mass:
        parts.append(writing.attribute_part("mass", {"value": new.text.mass}, quote))
    if new.text.tensor:
        entries = {name: text for name, text in zip(TENSOR_NAMES, new.text.tensor, strict=True) if text}
        parts.append(writing.attribute_part("inertia", entries, quote))
    return writing.inertial_edits(link, inertial, parts, new)


def _rotation(origin: Element, rpy: str, *, has_quaternions: bool) -> dict[str, str]:
    pose = values.read_origin(origin, has_quaternions=has_quaternions) if has_quaternions else None
    if pose is None or pose.form != values.QUATERNION:
        return {"rpy": rpy} if origin.attribute("rpy") is not None or rpy != _ZERO else {}
    if rpy != _ZERO:
        problem = f"the axes of the <inertial> are turned by {values.QUATERNION}, and would be by rpy"
        raise origin.error(problem, f"take {values.QUATERNION} out")
    return {} if pose.as_we_write() is not None else {values.QUATERNION: "0 0 0 1"}


def dimension_edits(solid: Solid, dimensions: Sequence[float], digits: int) -> list[Edit]:
    shape = values.shape_element(solid.element)
    texts: dict[str, str] = {}
    place = 0
    for name, count in PRIMITIVES[shape.name].dimensions:
        texts[name] = renewed(shape.attribute(name) or "", dimensions[place : place + count], digits)
        place += count
    return writing.attribute_edits(shape, texts)


def texts(inertial: Element) -> Texts:
    origin, mass, tensor = map(inertial.child, ("origin", "mass", "inertia"))
    pose = [(origin.attribute(name) or "").split() if origin is not None else [] for name in ("xyz", "rpy")]
    (x, y, z), (roll, pitch, yaw) = (each if len(each) == 3 else ("", "", "") for each in pose)
    entries = tuple((tensor.attribute(name) or "") if tensor is not None else "" for name in TENSOR_NAMES)
    return Texts((mass.attribute("value") or "") if mass is not None else "", (x, y, z), (roll, pitch, yaw), entries)


# What is malformed ---------------------------------------------------------------------------------------------------

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
    "geometry": (*values.PRIMITIVE_NAMES, "mesh"),
}
_ATTRIBUTES = {
    "origin": ("xyz", "rpy", "quat_xyzw"),
    "mesh": ("filename", "scale"),
    "inertia": TENSOR_NAMES,
    **{name: tuple(each for each, _ in PRIMITIVES[name].dimensions) for name in values.PRIMITIVE_NAMES},
}
# Of a misspelling; `difflib` gives 0.93 for colision, 0.75 for maas, 0.67 for ixX and ixx, 0.6 for contact and
# collision. Nothing else is customary in an inertial.
_NEAR, _NEAR_IN_INERTIAL = 0.8, 0.7


def poses(link: Link) -> Iterator[tuple[Pose | SdfInertiaError, Element]]:
    found = [(solid.own_pose, solid.element) for solid in (*given(link.collisions), *given(link.visuals))]
    if link.inertial is not None:
        found.append((link.inertial.pose, link.inertial.element))
    return ((pose, owner.child("origin") or owner) for pose, owner in found)


def densities(link: Link) -> Iterator[tuple[float | SdfInertiaError | None, int]]:
    if isinstance(link.request.density, float):
        yield link.request.density, values.requests_of(link)[0][0].start
    yield from ((solid.density, solid.element.start) for solid in given(link.collisions))


PHRASES = Phrases(
    density="the comment <!-- sdfinertia: density=... --> to the collision",
    no_request="remove the comment that asks for its inertial",
    inertial_pose="origin",
    scale='scale="{0} {0} {0}"',
    parameter="<!-- sdfinertia: auto {0}=... --> in its link",
    # Each was tried; see the page of SDI104.
    without_inertial="Gazebo drops it and its children; Drake: 0 kg; MuJoCo: 1000 kg/m³; Bullet: 1 kg",
    # urdfdom, `parseInertial`.
    without_tensor="urdfdom refuses the file, and others take zeros",
    mass="value of <mass>",
    mass_remedy="write that of the part, or take <mass> out to have it computed from a density",
)


def malformations(link: Link) -> Iterator[Problem]:
    for solid in link.element.children:
        if solid.name in ("collision", "visual"):
            yield from _repeated(solid, f"a <{solid.name}>")
    yield from problems.several_inertials(link.element.children_named("inertial"))
    yield from values.stray_comments(link)
    written: list[object] = [link.request.asks, *(solid.density for solid in given(link.collisions))]
    inertial = link.inertial
    if inertial is not None and link.request.asks is not True:
        # A mass that is no finite number is SDI101's, and where there are no moments they are SDI104's.
        mass = inertial.mass if not is_word(inertial.mass_text or "") else None
        written += [inertial.pose, mass, inertial.tensor if link.has_tensor else None]
    yield from problems.unreadable(written, "write what URDF has there")
    if inertial is not None:
        yield from _repeated(inertial.element, "its <inertial>")
        origin = inertial.pose_element if link.request.asks is not True else None
        for name in ("xyz", "rpy", "quat_xyzw"):
            if origin is not None and writing.has_breaks(origin, name):
                yield Problem(f"{name} of <origin>: {values.BREAKS}", "write blanks", origin.location())


def _repeated(parent: Element, what: str) -> Iterator[Problem]:
    for second in problems.given_twice(parent, _ONCE[parent.name]):
        problem = f"{what} gives <{second.name}> twice: the first counts, and MuJoCo refuses it"
        yield Problem(problem, "keep one", second.location())


def unknown_elements(link: Link) -> Iterator[Problem]:
    """Elements whose names are near misses of URDF's; other unknown ones are customary."""
    for parent in problems.searched_elements(link.element):
        near = _NEAR_IN_INERTIAL if parent.name == "inertial" else _NEAR
        yield from problems.misspelt_elements(parent, _KNOWN[parent.name], near, "URDF")
        for child in parent.children if parent.name != "link" else ():
            yield from problems.misspelt_attributes(child, _ATTRIBUTES.get(child.name, ()), _NEAR, "URDF")
    for name in ("mass", "inertia"):
        for child in link.element.children_named(name):
            yield Problem(f"URDF has no <{name}> in <link>", "write it in its <inertial>", child.location())
    mass = link.inertial.mass_element if link.inertial is not None else None
    if mass is not None and mass.attribute("value") is None and mass.text():
        problem = f"URDF has no text in <mass>: {shorten(mass.text())!r}"
        yield Problem(problem, 'write <mass value="..."/>', mass.location())


def unknown_moments(link: Link) -> Iterator[Problem]:
    """Attributes of `<inertia>` that are near misses of its entries."""
    tensor = link.inertial.tensor_element if link.inertial is not None else None
    for name in tensor.attributes if tensor is not None else ():
        if tensor is not None and name not in TENSOR_NAMES and name.lower() in TENSOR_NAMES:
            problem = f"URDF has no {name} in <inertia>"
            yield Problem(problem, f"did you mean {name.lower()}?", tensor.location())
