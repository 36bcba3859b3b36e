"""The values of URDF: attributes, read strictly where others take a prefix, a part, or zero; requests in comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from sdfinertia.declaration import Kind
from sdfinertia.errors import GeometryError, Location, SdfInertiaError, TextError, ValueTextError
from sdfinertia.markup.document import Document, Element
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import PARAMETERS
from sdfinertia.robot.link import walked
from sdfinertia.robot.numbers import number_error, parse_number, parse_numbers, shorten
from sdfinertia.robot.values import OWN_MARK, TENSOR_NAMES, Colour, Comment, InertiaParameters, Pose, own_words
from sdfinertia.shapes import PRIMITIVES, MeshShape, NoVolume, Primitive, Shape

_ZERO = (0.0, 0.0, 0.0)
QUATERNION = "quat_xyzw"
BREAKS = "tabs or line breaks stand between its numbers, which urdfdom refuses"
_XACRO = ("${", "$(")
_XACRO_PREFIX = "xacro:"
XACRO_REMEDY = "`xacro FILE > robot.urdf` first, or `xacro FILE | sdfinertia fill -`"
# What stands between numbers and is no blank: urdfdom refuses the file, and Bullet takes zeros.
_BREAK = r"[\t\r\n\v\f]"
_BREAK_MARK = rb"[\t\r\n\v\f&]"


def is_xacro(text: str) -> bool:
    return "$" in text and any(mark in text for mark in _XACRO)


def refuse_xacro(text: str, what: str, location: Location) -> None:
    if is_xacro(text):
        raise ValueTextError(f"{what} is unexpanded xacro: {shorten(text)!r}", location=location, remedy=XACRO_REMEDY)


def refuse_xacro_elements(document: Document) -> None:
    if _XACRO_PREFIX.encode() not in document.data:
        return
    for element in walked(document.roots, lambda element: element.children):
        if element.name.startswith(_XACRO_PREFIX):
            raise TextError(
                f"<{shorten(element.name)}> is unexpanded xacro", location=element.location(), remedy=XACRO_REMEDY
            )


def read_text(element: Element, name: str) -> str:
    """A required attribute."""
    text = element.attribute(name)
    if text is None:
        raise ValueTextError(f"<{element.name}> has no {name}", location=element.location())
    # Places are looked up only for what is wrong.
    if is_xacro(text):
        refuse_xacro(text, f"the {name} of <{element.name}>", element.location())
    return text


def read_numbers(element: Element, name: str, length: int) -> tuple[float, ...]:
    return _numbers(element, name, read_text(element, name), length)


def read_optional_numbers(element: Element, name: str, length: int) -> tuple[float, ...] | None:
    text = element.attribute(name)
    if text is None:
        return None
    if is_xacro(text):
        refuse_xacro(text, f"the {name} of <{element.name}>", element.location())
    return _numbers(element, name, text, length)


def _numbers(element: Element, name: str, text: str, length: int) -> tuple[float, ...]:
    numbers = parse_numbers(text)
    if numbers is not None and len(numbers) == length:
        return numbers
    raise number_error(text, length, f"{name} of <{element.name}>", element.location())


def read_number(element: Element, name: str) -> float:
    return read_numbers(element, name, 1)[0]


def read_colour(material: Element) -> Colour | None:
    """The `<color rgba>` of a `<material>`; None where it is absent or malformed."""
    element = material.child("color")
    numbers = parse_numbers(element.attribute("rgba") or "") if element is not None else None
    if numbers is None or len(numbers) != 4 or not all(0.0 <= value <= 1.0 for value in numbers):
        return None
    red, green, blue, opacity = numbers
    return red, green, blue, opacity


def has_breaks(element: Element, name: str) -> bool:
    """Whether tabs or line breaks separate the numbers of an attribute."""
    # Nearly always there is none in the whole tag; a reference to a character may stand for one.
    if re.search(_BREAK_MARK, element.raw_attributes) is None:
        return False
    text = element.attribute(name)
    return text is not None and re.search(_BREAK, text) is not None


# Poses ----------------------------------------------------------------------------------------------------------------


def read_origin(origin: Element | None, *, has_quaternions: bool) -> Pose:
    """Zero where it is absent."""
    if origin is None:
        return Pose()
    xyz = read_optional_numbers(origin, "xyz", 3) or _ZERO
    if has_quaternions and origin.attribute(QUATERNION) is not None:
        if origin.attribute("rpy") is not None:
            raise ValueTextError(f"<origin> gives both rpy and {QUATERNION}", location=origin.location())
        return Pose((*xyz, *read_numbers(origin, QUATERNION, 4)), QUATERNION)
    return Pose((*xyz, *(read_optional_numbers(origin, "rpy", 3) or _ZERO)))


def origin_notes(origin: Element | None, *, has_quaternions: bool) -> Iterator[str]:
    """What readers take differently."""
    if origin is None:
        return
    if not has_quaternions and origin.attribute(QUATERNION) is not None:
        yield f"{QUATERNION} of <origin> is ignored: it counts from version 1.1 of URDF"
    for name in ("xyz", "rpy", *((QUATERNION,) if has_quaternions else ())):
        if has_breaks(origin, name):
            yield f"{name} of <origin>: {BREAKS}"


def numbers_in(inertial: Element, read_pose: Callable[[Element | None], Pose]) -> tuple[float, ...] | None:
    """In the order of `InertialText.numbers`; None where the block is not written as we write it."""
    mass, tensor = inertial.child("mass"), inertial.child("inertia")
    if mass is None or tensor is None:
        return None
    texts = [mass.attribute("value"), *map(tensor.attribute, TENSOR_NAMES)]
    # Of one number each, since none is empty and all together are seven.
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
    # What has a prefix is another program's, unless nothing else is there.
    shapes = [child for child in geometry.children if ":" not in child.name] or list(geometry.children)
    if not shapes:
        raise GeometryError("the <geometry> holds no shape", location=geometry.location())
    if len(shapes) > 1:
        names = " and ".join(f"<{shape.name}>" for shape in shapes[:3])
        raise GeometryError(f"one <geometry> holds several shapes: {names}", location=shapes[1].location())
    return shapes[0]


def shape_notes(owner: Element, *, has_capsules: bool) -> Iterator[str]:
    """What readers take differently."""
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
        x, y, z = scale = read_numbers(mesh, "scale", 3)  # type: ignore[assignment]  # three, as asked for
        if 0.0 in (x, y, z):
            raise ValueTextError("a factor of scale of <mesh> is zero", location=mesh.location())
    return MeshShape(filename, scale, None, False, "")


# Comments by which a link asks to be filled, or a collision gives its density; URDF has no elements for either.
# <!-- sdfinertia: auto density=2700 method=convex_hull -->     a child of the link, which stays once it is filled
# <!-- sdfinertia: density=1200 -->                             a child of the collision

_REQUEST, _DENSITY, _SUPPRESSION = "auto", "density", "ignore"
_NAMES = (_DENSITY, *PARAMETERS)
_MARK = OWN_MARK.encode()


class Request(NamedTuple):
    """What a link requests.

    Attributes:
        density: of collisions without their own (kg/m³).
    """

    density: float | None
    parameters: InertiaParameters


def asks(link: Element) -> bool:
    """Whether a comment requests its inertia, even if malformed."""
    return any(words[:1] == [_REQUEST] for _, words in own_comments(link))


def read_request(link: Element) -> Request | None:
    request: Request | None = None
    for comment, words in own_comments(link):
        if words[:1] != [_REQUEST]:
            continue
        location = link.document.location(comment.start)
        if request is not None:
            raise ValueTextError("the link asks twice to be filled", location=location, remedy="keep one comment")
        entries = _entries(words[1:], _NAMES, comment, location)
        density = _density(entries.pop(_DENSITY), location) if _DENSITY in entries else None
        values = {name: _value(name, text, location) for name, text in entries.items()}
        request = Request(density, InertiaParameters(**values))  # type: ignore[arg-type]
    return request


def request_location(link: Element) -> Location:
    """Of the comment that asks."""
    comments = (comment for comment, words in own_comments(link) if words[:1] == [_REQUEST])
    return link.document.location(next(comments).start)


def read_own_density(solid: Element) -> float | None:
    """kg/m³."""
    density: float | None = None
    for comment, words in own_comments(solid):
        location = solid.document.location(comment.start)
        entries = _entries(words, (_DENSITY,), comment, location)
        if density is not None:
            raise ValueTextError("the density is given twice", location=location, remedy="keep one comment")
        density = _density(entries[_DENSITY], location) if entries else None
    return density


def stray_comments(link: Element) -> Iterable[Comment]:
    """Comments that begin as requests do, and ask for nothing."""
    for comment, words in own_comments(link):
        if words[:1] not in ([_REQUEST], [_SUPPRESSION]):
            yield comment


def own_comments(element: Element) -> Iterable[tuple[Comment, list[str]]]:
    """The comments directly in an element that are for this tool, with their words."""
    # Most elements hold none, and need not be taken apart to see it.
    if element.document.data.find(_MARK, element.start, element.end) < 0:
        return
    for found in element.comments():
        words = own_words(found[2])
        if words is not None:
            yield Comment._make(found), words


def _entries(words: Iterable[str], names: Iterable[str], comment: Comment, location: Location) -> dict[str, str]:
    refuse_xacro(comment.text, "the comment", location)
    entries: dict[str, str] = {}
    for word in words:
        name, is_entry, text = word.partition("=")
        if name not in names:
            raise ValueTextError(
                f"the comment asks for {shorten(name)!r}, which is not known", location=location, remedy=_known(names)
            )
        if not is_entry or not text:
            raise ValueTextError(f"{name} has no value in the comment", location=location, remedy=f"write {name}=VALUE")
        if name in entries:
            raise ValueTextError(f"the comment gives {name} twice", location=location, remedy="keep one")
        entries[name] = text
    return entries


def _known(names: Iterable[str]) -> str:
    return f"write {', '.join(f'{name}=VALUE' for name in names)}"


def _density(text: str, location: Location) -> float:
    density = parse_number(text)
    if density is None or density < 0.0:
        raise ValueTextError(
            f"density must be a number (kg/m³), zero or above, not {shorten(text)!r}", location=location
        )
    return density


def _value(name: str, text: str, location: Location) -> str | float:
    declaration = PARAMETERS[name]
    if declaration.kind is Kind.NUMBER:
        number = parse_number(text)
        if number is None or number <= 0.0:
            raise ValueTextError(f"{name} must be a number above zero, not {shorten(text)!r}", location=location)
        return number
    if declaration.kind is Kind.CHOICE and text not in declaration.choices:
        raise ValueTextError(
            f"{name} must be one of {', '.join(declaration.choices)}, not {shorten(text)!r}", location=location
        )
    return text
