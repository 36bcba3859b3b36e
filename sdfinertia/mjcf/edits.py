"""The writer of MJCF, and what is malformed in a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sdfinertia.errors import ValueTextError
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import InertialText, format_number
from sdfinertia.inertia.rigid_transform import Rotation, quaternion_from_rpy
from sdfinertia.markup import Edit, Element
from sdfinertia.mjcf.values import FULL, ORIENTATIONS
from sdfinertia.robot import Inertial, Link, Solid, given, problems
from sdfinertia.robot.edits import attribute_edits, commoner_quote, inertial_edits, tag_of
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial, Texts
from sdfinertia.robot.numbers import parse_number, parse_numbers, renewed
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Phrases, Problem
from sdfinertia.urdf.values import stray_comments

_DIGITS = 12
_ZERO = (0.0, 0.0, 0.0)


def quaternion_text(text: InertialText) -> str:
    """The orientation w x y z of a text, w not negative; "" where it is not turned."""
    x, y, z, w = quaternion_from_rpy(*(float(angle) for angle in text.pose.split()[3:] or _ZERO))
    sign = -1.0 if w < 0.0 else 1.0
    return " ".join(format_number(sign * value, _DIGITS) for value in (w, x, y, z)) if x or y or z else ""


def numbers_of(text: InertialText) -> tuple[float, ...]:
    """The value of `Inertial.numbers` once a text is written."""
    quaternion = quaternion_text(text)
    axis = map(float, quaternion.split()[1:]) if quaternion else (0.0, 0.0, 0.0)
    return (*map(float, text.pose.split()[:3]), *axis, float(text.mass), *map(float, text.tensor))


def edits(link: Link, new: NewInertial) -> list[Edit]:
    values = _values(link.inertial, new)
    if link.inertial is None:
        quote = commoner_quote(link.element.children[0], link.element)
        return inertial_edits(link.element, None, (), new, tag=tag_of("inertial", values, quote))
    block = link.inertial.element
    tag_edits = _tag_edits(block, values) if new.text.tensor else attribute_edits(block, values)
    return inertial_edits(link.element, block, (), new, tag_edits=tag_edits)


def _values(written: Inertial | None, new: NewInertial) -> dict[str, str]:
    position, quaternion = " ".join(new.text.pose.split()[:3]), quaternion_text(new.text)
    values = {"pos": position, "mass": new.text.mass}
    values = {name: value for name, value in values.items() if value}
    if not new.text.tensor:
        return values
    tensor = dict(zip(TENSOR_NAMES, new.text.tensor, strict=True))
    if written is not None:
        inertial = written.element
        if new.keeps_pose and position:
            values["pos"] = inertial.attribute("pos") or position
        turned = next((name for name in ("quat", *ORIENTATIONS) if inertial.attribute(name) is not None), "")
        if new.keeps_axes and (turned or inertial.attribute("diaginertia") is not None):
            if not any(float(tensor[name] or 0.0) for name in FULL[3:]):
                kept = {turned: inertial.attribute(turned) or ""} if turned else {}
                return {**values, **kept, "diaginertia": _joined(tensor, FULL[:3])}
            # MuJoCo takes no products beside an orientation.
            return {**values, "fullinertia": _turned(tensor, given(written.pose).transform().rotation)}
    if quaternion:
        return {**values, "quat": quaternion, "diaginertia": _joined(tensor, FULL[:3])}
    return {**values, "fullinertia": _joined(tensor, FULL)}


def _joined(tensor: Mapping[str, str], names: Sequence[str]) -> str:
    return " ".join(tensor[name] for name in names)


def _turned(tensor: Mapping[str, str], rotation: Rotation) -> str:
    turned = InertiaTensor(*(float(tensor[name]) for name in FULL)).rotated(rotation)
    return " ".join(format_number(value, _DIGITS) for value in turned)


def _tag_edits(inertial: Element, values: Mapping[str, str]) -> list[Edit]:
    """Sets the attributes; one notation replaces another, and attributes that MuJoCo refuses beside it are removed."""
    edits: list[Edit] = []
    left = dict(values)
    data = inertial.document.data
    tensors = ("fullinertia", "diaginertia")
    written = [name for name in ("quat", *ORIENTATIONS, *tensors) if inertial.attribute_span(name) is not None]
    for name in written:
        if name in values:
            continue
        start, stop, first, last = inertial.attribute_span(name) or (0, 0, 0, 0)
        others = tensors if name in tensors else ("quat", *ORIENTATIONS)
        other = next((each for each in others if each in left and each not in written), "")
        if not other:
            edits.append(Edit(start, stop, b""))
            continue
        begin = data.index(name.encode(), start)
        edits += (Edit(begin, begin + len(name), other.encode()), Edit(first, last, left.pop(other).encode()))
    return [*edits, *attribute_edits(inertial, left)]


def dimension_edits(solid: Solid, dimensions: Sequence[float], digits: int) -> list[Edit]:
    attributes = solid.attributes or {}
    if "fromto" in attributes:
        raise ValueTextError("the size of a geom with fromto is changed by its ends", location=solid.location())
    halved = {"box": (0.5, 0.5, 0.5), "capsule": (1.0, 0.5), "cylinder": (1.0, 0.5)}
    factors = halved.get(attributes.get("type", "sphere"), (1.0, 1.0, 1.0))
    sizes = [factor * value for factor, value in zip(factors, dimensions, strict=False)]
    text = " ".join(attributes["size"].split()[: len(sizes)])
    return attribute_edits(solid.element, {"size": renewed(text, sizes, digits)})


def texts(inertial: Element) -> Texts:
    attributes = inertial.attributes
    tensor = (attributes.get("fullinertia") or attributes.get("diaginertia") or "").split()
    entries = (FULL.index(name) for name in TENSOR_NAMES)
    is_turned = any((parse_numbers(attributes.get("quat", "")) or ())[1:]) or any(
        name in attributes for name in ORIENTATIONS
    )
    x, y, z = position if len(position := attributes.get("pos", "").split()) == 3 else ("", "", "")
    angle = "" if is_turned else "0"
    written = tuple(tensor[place] if place < len(tensor) else "" for place in entries)
    return Texts(attributes.get("mass") or "", (x, y, z), (angle, angle, angle), written)


# What is malformed ----------------------------------------------------------------------------------------------------


def poses(link: Link) -> Iterator[tuple[Pose, Element]]:
    return iter(())


def densities(link: Link) -> Iterator[tuple[float | None, int]]:
    for solid in (*given(link.collisions), *given(link.visuals)):
        yield parse_number(solid.element.attribute("density") or ""), solid.element.start


PHRASES = Phrases(
    density="density to the geom",
    no_request="remove the comment that asks for its inertial",
    inertial_pose="pos",
    scale='scale="{0} {0} {0}"',
    parameter="<!-- sdfinertia: auto {0}=... --> in its body",
    without_inertial='MuJoCo infers none, since inertiafromgeom="false", and refuses a body that moves without mass',
    without_tensor="MuJoCo takes zeros",
    mass="mass of <inertial>",
    mass_remedy="write that of the part, or take the <inertial> out to have it inferred from the geoms",
)
_IN_BODY = ("inertial", "geom", "body", "joint", "freejoint", "site", "camera", "light", "frame", "replicate", "attach")
_NEAR = 0.8
_PLACING = ("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler")
_OF_INERTIAL = ("mass", "diaginertia", "fullinertia", *_PLACING)
# The XML reference of MuJoCo 4.0, `body/geom`.
_OF_GEOM = (
    *("name", "class", "type", "contype", "conaffinity", "condim", "group", "priority", "size", "material", "rgba"),
    *("friction", "mass", "density", "shellinertia", "solmix", "solref", "solimp", "margin", "gap", "surfacevel"),
    *("fromto", *_PLACING, "hfield", "mesh", "fitscale", "fluidshape", "fluidcoef", "user"),
)


def malformations(link: Link) -> Iterator[Problem]:
    model: Any = link.model
    inertials = [child for child in model.children(link.element) if child.name == "inertial"]
    yield from problems.several_inertials(inertials, ", which MuJoCo refuses")
    yield from stray_comments(link)
    values: list[object] = [link.request.asks]
    if link.inertial is not None and link.request.asks is not True:
        values += (link.inertial.pose, link.inertial.mass, *((link.inertial.tensor,) if link.has_tensor else ()))
    yield from problems.unreadable(values, "write what MJCF has there")


def unknown_elements(link: Link) -> Iterator[Problem]:
    """Elements and attributes whose names are near misses; MuJoCo refuses a file with any unknown one."""
    yield from problems.misspelt_elements(link.element, _IN_BODY, _NEAR, "MJCF")
    if link.inertial is not None:
        yield from problems.misspelt_attributes(link.inertial.element, _OF_INERTIAL, _NEAR, "MJCF")
    for solid in sorted((*given(link.collisions), *given(link.visuals)), key=lambda solid: solid.element.start):
        yield from problems.misspelt_attributes(solid.element, _OF_GEOM, _NEAR, "MJCF")


def unknown_moments(link: Link) -> Iterator[Problem]:
    return iter(())
