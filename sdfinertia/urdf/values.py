"""The values of URDF: attributes, read strictly where others take a prefix, a part, or zero; malformed ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sdfinertia.errors import GeometryError, TextError, ValueTextError
from sdfinertia.robot.inertial import MASS, TENSOR, TENSOR_NAMES
from sdfinertia.robot.link import Colour, attempt, colour_of, known
from sdfinertia.robot.malformations import (
    given_twice,
    misspelt_attributes,
    misspelt_elements,
    searched_elements,
    several_inertials,
    unreadable,
)
from sdfinertia.robot.marks import is_xacro, xacro_element
from sdfinertia.robot.numbers import attribute_numbers, is_word, parse_numbers, require_scale, shorten
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Phrases, Problem
from sdfinertia.shapes import PRIMITIVES, MeshShape, NoVolume, Primitive, Shape
from sdfinertia.urdf.requests import (
    XACRO_REMEDY,
    read_own_density,
    refuse_xacro,
    stray_comments,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sdfinertia.markup.document import Document, Element
    from sdfinertia.robot.link import Link


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
    element = material.child("color")
    return colour_of(element.attribute("rgba") or "") if element is not None else None


def has_breaks(element: Element, name: str) -> bool:
    text = element.attribute(name)
    return text is not None and re.search(_BREAK, text) is not None


# Poses ----------------------------------------------------------------------------------------------------------------


def read_origin(origin: Element | None, *, has_quaternions: bool) -> Pose:
    if origin is None:
        return Pose()
    xyz = read_optional_numbers(origin, "xyz", 3) or _ZERO
    if has_quaternions and origin.attribute(QUATERNION) is not None:
        if origin.attribute("rpy") is not None:
            raise ValueTextError(f"<origin> gives both rpy and {QUATERNION}", location=origin.location())
        return Pose((*xyz, *read_numbers(origin, QUATERNION, 4)), QUATERNION)
    return Pose((*xyz, *(read_optional_numbers(origin, "rpy", 3) or _ZERO)))


def origin_notes(origin: Element | None, *, has_quaternions: bool) -> Iterator[str]:
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
    pose = known(attempt(read_pose, inertial.child("origin")))
    if pose is None:
        return None
    position, rotation = pose.numbers[:3] or _ZERO, pose.numbers[3:] or _ZERO
    if pose.form != QUATERNION:
        return (*position, *rotation, *numbers)
    return (*position, *_ZERO, *numbers) if is_no_rotation(rotation) else None


def read_mass(inertial: Element) -> float:
    return read_number(_part(inertial, "mass"), "value")


def read_tensor(inertial: Element) -> list[float]:
    """In the order of `TENSOR_NAMES`; URDF has no defaults."""
    return [read_number(_part(inertial, "inertia"), name) for name in TENSOR_NAMES]


def _part(inertial: Element, name: str) -> Element:
    element = inertial.child(name)
    if element is None:
        raise ValueTextError(f"the <inertial> has no <{name}>", location=inertial.location())
    return element


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
    "inertia": TENSOR_NAMES,
    **{name: tuple(each for each, _ in PRIMITIVES[name].dimensions) for name in PRIMITIVE_NAMES},
}
# Of a misspelling; `difflib` gives 0.93 for colision, 0.75 for maas, 0.67 for ixX and ixx, 0.6 for contact and
# collision. Nothing else is customary in an inertial.
_NEAR, _NEAR_IN_INERTIAL = 0.8, 0.7


PHRASES = Phrases(
    density="the comment <!-- sdfinertia: density=... --> to the collision",
    no_request="remove the comment that asks for its inertial",
    inertial_pose="origin",
    scale='scale="{0} {0} {0}"',
    parameter="<!-- sdfinertia: auto {0}=... --> in its link",
    parameter_value="<!-- sdfinertia: auto {0}={1} --> in its link",
    thickness="<!-- sdfinertia: auto thickness=... --> in its link",
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
    yield from several_inertials(link)
    yield from stray_comments(link)
    yield from unreadable(_values(link), "write what URDF has there")
    if link.inertial is not None:
        yield from _repeated(link.inertial.element, "its <inertial>")
        yield from _missing(link, link.inertial.element)


def _repeated(parent: Element, what: str) -> Iterator[Problem]:
    for second in given_twice(parent, _ONCE[parent.name]):
        problem = f"{what} gives <{second.name}> twice: the first counts, and MuJoCo refuses it"
        yield Problem(problem, "keep one", second.location())


def _values(link: Link) -> Iterator[object]:
    yield link.request.asks
    for solid in link.element.children_named("collision"):
        yield attempt(read_own_density, solid)
    inertial = link.inertial
    if inertial is None or inertial.numbers is not None or link.request.asks is True:
        return
    yield inertial.pose
    mass, tensor = inertial.places.get(MASS), inertial.places.get(TENSOR)
    for element, name in ((mass, "value"), *((tensor, name) for name in TENSOR_NAMES)):
        text = element.attribute(name) if element is not None else None
        # A mass that is no finite number is SDI101's.
        if text is not None and not (element is mass and is_word(text)):
            yield attempt(read_number, element, name)


def _missing(link: Link, inertial: Element) -> Iterator[Problem]:
    """Values without a default in URDF, and numbers that parsers read differently."""
    if link.request.asks is True:
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


def unknown_elements(link: Link) -> Iterator[Problem]:
    """Elements whose names are near misses of URDF's; other unknown ones are customary."""
    for parent in searched_elements(link.element):
        near = _NEAR_IN_INERTIAL if parent.name == "inertial" else _NEAR
        yield from misspelt_elements(parent, _KNOWN[parent.name], near, "URDF")
        for child in parent.children if parent.name != "link" else ():
            yield from misspelt_attributes(child, _ATTRIBUTES.get(child.name, ()), _NEAR, "URDF")
    for name in ("mass", "inertia"):
        for child in link.element.children_named(name):
            yield Problem(f"URDF has no <{name}> in <link>", "write it in its <inertial>", child.location())
    mass = link.inertial.places.get(MASS) if link.inertial is not None else None
    if mass is not None and mass.attribute("value") is None and mass.text():
        problem = f"URDF has no text in <mass>: {shorten(mass.text())!r}"
        yield Problem(problem, 'write <mass value="..."/>', mass.location())


def unknown_moments(link: Link) -> Iterator[Problem]:
    """Attributes of `<inertia>` that are near misses of its entries."""
    tensor = link.inertial.places.get(TENSOR) if link.inertial is not None else None
    for name in tensor.attributes() if tensor is not None else ():
        if tensor is not None and name not in TENSOR_NAMES and name.lower() in TENSOR_NAMES:
            problem = f"URDF has no {name} in <inertia>"
            yield Problem(problem, f"did you mean {name.lower()}?", tensor.location())
