"""The values of URDF: attributes, read strictly where others take a prefix, a part, or zero; colours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sdfinertia.errors import GeometryError, SdfInertiaError, TextError, ValueTextError
from sdfinertia.robot.inertial import TENSOR_NAMES
from sdfinertia.robot.numbers import attribute_numbers, parse_numbers, require_scale, shorten
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.solid_kinds import Colour, colour_of
from sdfinertia.robot.unexpanded import is_xacro, xacro_element
from sdfinertia.shapes import PRIMITIVES, MeshShape, NoVolume, Primitive, Shape
from sdfinertia.urdf.requests import XACRO_REMEDY, refuse_xacro

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sdfinertia.markup.document import Document, Element

_ZERO = (0.0, 0.0, 0.0)
QUATERNION = "quat_xyzw"
BREAKS = "tabs or line breaks stand between its numbers, which urdfdom refuses"
# Tabs and line breaks between numbers: urdfdom refuses the file, and Bullet reads zeros.
_BREAK = r"[\t\r\n\v\f]"


def refuse_xacro_elements(document: Document) -> None:
    element = xacro_element(document)
    if element is not None:
        raise TextError(f"holds xacro: <{shorten(element.name)}>", location=element.location(), remedy=XACRO_REMEDY)


def read_text(element: Element, name: str) -> str:
    """A required attribute."""
    text = element.attribute(name)
    if text is None:
        raise ValueTextError(f"<{element.name}> has no {name}", location=element.location())
    # The location is computed only for errors.
    if is_xacro(text):
        refuse_xacro(text, f"the {name} of <{element.name}>", element.location())
    return text


def read_numbers(element: Element, name: str, length: int) -> tuple[float, ...]:
    return attribute_numbers(read_text(element, name), (length,), name, element)


def read_optional_numbers(element: Element, name: str, length: int) -> tuple[float, ...] | None:
    text = element.attribute(name)
    if text is None:
        return None
    if is_xacro(text):
        refuse_xacro(text, f"the {name} of <{element.name}>", element.location())
    return attribute_numbers(text, (length,), name, element)


def read_number(element: Element, name: str) -> float:
    return read_numbers(element, name, 1)[0]


def read_colour(material: Element) -> Colour | None:
    """The `<color rgba>` of a `<material>`; None where it is absent or malformed."""
    element = material.child("color")
    return colour_of(element.attribute("rgba") or "") if element is not None else None


def has_breaks(element: Element, name: str) -> bool:
    """Whether tabs or line breaks separate the numbers of an attribute."""
    text = element.attribute(name)
    return text is not None and re.search(_BREAK, text) is not None


# Poses ----------------------------------------------------------------------------------------------------------------


def read_origin(origin: Element | None, *, has_quaternions: bool) -> Pose:
    """The pose of an `<origin>`; the identity where it is absent."""
    if origin is None:
        return Pose()
    xyz = read_optional_numbers(origin, "xyz", 3) or _ZERO
    if has_quaternions and origin.attribute(QUATERNION) is not None:
        if origin.attribute("rpy") is not None:
            raise ValueTextError(f"<origin> gives both rpy and {QUATERNION}", location=origin.location())
        return Pose((*xyz, *read_numbers(origin, QUATERNION, 4)), QUATERNION)
    return Pose((*xyz, *(read_optional_numbers(origin, "rpy", 3) or _ZERO)))


def origin_notes(origin: Element | None, *, has_quaternions: bool) -> Iterator[str]:
    """Values that parsers read differently."""
    if origin is None:
        return
    if not has_quaternions and origin.attribute(QUATERNION) is not None:
        yield f"{QUATERNION} of <origin> is ignored: it counts from version 1.1 of URDF"
    for name in ("xyz", "rpy", *((QUATERNION,) if has_quaternions else ())):
        if has_breaks(origin, name):
            yield f"{name} of <origin>: {BREAKS}"


def numbers_in(inertial: Element, read_pose: Callable[[Element | None], Pose]) -> tuple[float, ...] | None:
    """The numbers of a block in the order of `InertialText.numbers`; None where it has another form than ours."""
    mass, tensor = inertial.child("mass"), inertial.child("inertia")
    if mass is None or tensor is None:
        return None
    texts = [mass.attribute("value"), *map(tensor.attribute, TENSOR_NAMES)]
    # One number each, since none is empty and all together are seven.
    numbers = parse_numbers(" ".join(map(str, texts))) if all(texts) else None
    if numbers is None or len(numbers) != len(texts):
        return None
    try:
        pose = read_pose(inertial.child("origin"))
    except SdfInertiaError:
        return None
    position, rotation = pose.numbers[:3] or _ZERO, pose.numbers[3:] or _ZERO
    if pose.form != QUATERNION:
        return (*position, *rotation, *numbers)
    return (*position, *_ZERO, *numbers) if is_no_rotation(rotation) else None


def is_no_rotation(quaternion: tuple[float, ...]) -> bool:
    return quaternion[:3] == _ZERO


# Shapes ---------------------------------------------------------------------------------------------------------------

PRIMITIVE_NAMES = ("box", "sphere", "cylinder", "capsule")


def read_shape(owner: Element) -> Shape:
    shape = shape_element(owner)
    if shape.name in PRIMITIVE_NAMES:
        return _read_primitive(shape)
    if shape.name == "mesh":
        return _read_mesh(shape)
    return NoVolume(f"a <{shape.name}>, which URDF does not have,")


def shape_element(owner: Element) -> Element:
    geometry = owner.child("geometry")
    if geometry is None:
        raise GeometryError("there is no <geometry>", location=owner.location())
    # Elements with a prefix are for other programs, unless there are no others.
    shapes = [child for child in geometry.children if ":" not in child.name] or list(geometry.children)
    if not shapes:
        raise GeometryError("the <geometry> holds no shape", location=geometry.location())
    if len(shapes) > 1:
        names = " and ".join(f"<{shape.name}>" for shape in shapes[:3])
        raise GeometryError(f"one <geometry> holds several shapes: {names}", location=shapes[1].location())
    return shapes[0]


def shape_notes(owner: Element, *, has_capsules: bool) -> Iterator[str]:
    """Values that parsers read differently."""
    shape = shape_element(owner)
    if shape.name == "capsule" and not has_capsules:
        yield "a capsule counts from version 1.1 of URDF: urdfdom drops it"
    for name in ("size", "scale"):
        if has_breaks(shape, name):
            yield f"{name} of <{shape.name}>: {BREAKS}"


def _read_primitive(shape: Element) -> Primitive:
    dimensions: tuple[float, ...] = ()
    for name, count in PRIMITIVES[shape.name].dimensions:
        dimensions += read_numbers(shape, name, count)
    return Primitive(shape.name, dimensions)


def _read_mesh(mesh: Element) -> MeshShape:
    filename = read_text(mesh, "filename")
    if not filename:
        raise ValueTextError("the filename of the mesh is empty", location=mesh.location())
    scale = (1.0, 1.0, 1.0)
    if mesh.attribute("scale") is not None:
        x, y, z = scale = read_numbers(mesh, "scale", 3)  # type: ignore[assignment]  # three, as requested
        require_scale((x, y, z), "scale of <mesh>", mesh.location)
    return MeshShape(filename, scale, None, False, "")
