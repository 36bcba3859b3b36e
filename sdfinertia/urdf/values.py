"""The values of URDF: attributes, read strictly where others take a prefix, a part, or zero; and requests.

Requests stand in comments, also in other formats that have no elements for them:

<!-- sdfinertia: auto density=2700 method=convex_hull -->     a child of the link, which stays once it is filled
<!-- sdfinertia: density=1200 -->                             a child of the collision
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sdfinertia.errors import GeometryError, Location, SdfInertiaError, ValueTextError, shorten
from sdfinertia.markup import Comment, Element
from sdfinertia.options import PARAMETERS
from sdfinertia.robot import Colour, Link, Request, attempt, colour_of
from sdfinertia.robot.edits import has_breaks
from sdfinertia.robot.inertial import TENSOR_NAMES, InertiaParameters
from sdfinertia.robot.names import filled_entries, own_words
from sdfinertia.robot.numbers import exact_numbers, one_of_each, parse_number, require_scale
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Problem
from sdfinertia.shapes import PRIMITIVES, MeshShape, NoVolume, Primitive, Shape

_ZERO = (0.0, 0.0, 0.0)
QUATERNION = "quat_xyzw"
BREAKS = "tabs or line breaks stand between its numbers, which urdfdom refuses"


def read_numbers(element: Element, name: str, length: int) -> tuple[float, ...]:
    text = element.attribute(name)
    if text is None:
        raise element.error(f"<{element.name}> has no {name}", "give it one")
    return exact_numbers(text, (length,), element, name)


def read_optional_numbers(element: Element, name: str, length: int) -> tuple[float, ...] | None:
    return read_numbers(element, name, length) if element.attribute(name) is not None else None


def read_number(element: Element, name: str) -> float:
    return read_numbers(element, name, 1)[0]


def read_colour(material: Element) -> Colour | None:
    element = material.child("color")
    return colour_of(element.attribute("rgba") or "") if element is not None else None


# Poses ----------------------------------------------------------------------------------------------------------------


def read_origin(origin: Element | None, *, has_quaternions: bool) -> Pose:
    if origin is None:
        return Pose()
    xyz = read_optional_numbers(origin, "xyz", 3) or _ZERO
    if has_quaternions and origin.attribute(QUATERNION) is not None:
        if origin.attribute("rpy") is not None:
            raise origin.error(f"<origin> gives both rpy and {QUATERNION}")
        return Pose((*xyz, *read_numbers(origin, QUATERNION, 4)), QUATERNION)
    return Pose((*xyz, *(read_optional_numbers(origin, "rpy", 3) or _ZERO)))


def read_mass(inertial: Element) -> float:
    return read_number(_part(inertial, "mass"), "value")


def read_tensor(inertial: Element) -> Sequence[float]:
    """In the order of `TENSOR_NAMES`; URDF has no defaults."""
    tensor = _part(inertial, "inertia")
    texts = {name: tensor.attribute(name) for name in TENSOR_NAMES}
    absent = [name for name, text in texts.items() if text is None]
    if absent:
        raise tensor.error(f"<inertia> has no {', '.join(absent)}", "give it all six")
    numbers = one_of_each([*texts.values()])
    return numbers if numbers is not None else [read_number(tensor, name) for name in TENSOR_NAMES]


def _part(inertial: Element, name: str) -> Element:
    element = inertial.child(name)
    if element is None:
        raise inertial.error(f"the <inertial> has no <{name}>", "give it one")
    return element


# Shapes ---------------------------------------------------------------------------------------------------------------

PRIMITIVE_NAMES = ("box", "sphere", "cylinder", "capsule")


def read_shape(shape: Element) -> Shape:
    if shape.name in PRIMITIVE_NAMES:
        return _read_primitive(shape)
    if shape.name == "mesh":
        return _read_mesh(shape)
    return NoVolume(f"a <{shape.name}>, which URDF does not have,")


def shape_element(owner: Element) -> Element:
    geometry = owner.child("geometry")
    if geometry is None:
        raise owner.error("there is no <geometry>", kind=GeometryError)
    # Elements with a prefix are for other programs, unless there are no others.
    shapes = [child for child in geometry.children if ":" not in child.name] or list(geometry.children)
    if not shapes:
        raise geometry.error("the <geometry> holds no shape", kind=GeometryError)
    if len(shapes) > 1:
        names = " and ".join(f"<{shape.name}>" for shape in shapes[:3])
        raise shapes[1].error(f"one <geometry> holds several shapes: {names}", kind=GeometryError)
    return shapes[0]


def solid_notes(shape: Element, origin: Element | None, *, has_quaternions: bool) -> Iterator[str]:
    if shape.name == "capsule" and not has_quaternions:
        yield "a capsule counts from version 1.1 of URDF: urdfdom drops it"
    if origin is not None and origin.attribute(QUATERNION) is not None and not has_quaternions:
        yield f"{QUATERNION} of <origin> is ignored: it counts from version 1.1 of URDF"
    for element, names in ((shape, ("size", "scale")), (origin, ("xyz", "rpy", QUATERNION))):
        for name in names:
            if element is not None and has_breaks(element, name):
                yield f"{name} of <{element.name}>: {BREAKS}"


def _read_primitive(shape: Element) -> Primitive:
    dimensions: tuple[float, ...] = ()
    for name, count in PRIMITIVES[shape.name].dimensions:
        dimensions += read_numbers(shape, name, count)
    return Primitive(shape.name, dimensions)


def _read_mesh(mesh: Element) -> MeshShape:
    filename = mesh.attribute("filename")
    if not filename:
        raise mesh.error("<mesh> has no filename" if filename is None else "the filename of the mesh is empty")
    scale = (1.0, 1.0, 1.0)
    if mesh.attribute("scale") is not None:
        x, y, z = scale = read_numbers(mesh, "scale", 3)  # type: ignore[assignment]  # three, as requested
        require_scale((x, y, z), "scale of <mesh>", mesh)
    return MeshShape(filename, scale, None, False, "")


# Requests ------------------------------------------------------------------------------------------------------------

_REQUEST, _DENSITY, _SUPPRESSION = "auto", "density", "ignore"
_NAMES = (_DENSITY, *PARAMETERS)


def requests_of(link: Link) -> list[tuple[Comment, list[str]]]:
    return [(comment, words[1:]) for comment, words in own_comments(link.element) if words[:1] == [_REQUEST]]


def read_request(link: Link) -> Request:
    asking = requests_of(link)
    if not asking:
        return Request()
    found = attempt(_asked, link, asking)
    if isinstance(found, SdfInertiaError):
        return Request(found, True, found, found)
    is_filled = any(filled_entries(comment.text) is not None for comment in link.inertial_comments())
    return Request(not is_filled, True, *found)


def _asked(link: Link, asking: Sequence[tuple[Comment, list[str]]]) -> tuple[float | None, InertiaParameters]:
    (comment, words), *others = asking
    where = link.location_of(comment)
    entries = _entries(words, _NAMES, where)
    density = _density(entries.pop(_DENSITY), where) if _DENSITY in entries else None
    values = {name: attempt(PARAMETERS[name].read, text, name) for name, text in entries.items()}
    for error in values.values():
        if isinstance(error, SdfInertiaError):
            raise ValueTextError(error.problem, location=where, remedy=error.remedy)
    if others:
        where = link.location_of(others[0][0])
        raise ValueTextError("the link asks twice to be filled", location=where, remedy="keep one comment")
    return density, InertiaParameters(**values)  # type: ignore[arg-type]


def read_own_density(solid: Element) -> float | None:
    """kg/m³."""
    density: float | None = None
    for comment, words in own_comments(solid):
        where = solid.document.location(comment.start)
        entries = _entries(words, (_DENSITY,), where)
        if density is not None:
            raise ValueTextError("the density is given twice", location=where, remedy="keep one comment")
        density = _density(entries[_DENSITY], where) if entries else None
    return density


def stray_comments(link: Link) -> Iterator[Problem]:
    for comment, words in own_comments(link.element):
        if words[:1] not in ([_REQUEST], [_SUPPRESSION]):
            problem = f"a comment asks for nothing: {shorten(comment.text.strip())!r}"
            yield Problem(problem, "write `sdfinertia: auto`, or remove it", link.location_of(comment))


def own_comments(element: Element) -> Sequence[tuple[Comment, list[str]]]:
    found = [(comment, own_words(comment.text)) for comment in element.comments]
    return [(comment, words) for comment, words in found if words is not None]


def _entries(words: Iterable[str], names: Sequence[str], where: Location) -> dict[str, str]:
    entries: dict[str, str] = {}
    for word in words:
        name, _, text = word.partition("=")
        if name not in names:
            problem = f"the comment asks for {shorten(name)!r}, which is not known"
            remedy = f"write {', '.join(f'{each}=VALUE' for each in names)}"
        elif not text:
            problem, remedy = f"{name} has no value in the comment", f"write {name}=VALUE"
        elif name in entries:
            problem, remedy = f"the comment gives {name} twice", "keep one"
        else:
            entries[name] = text
            continue
        raise ValueTextError(problem, location=where, remedy=remedy)
    return entries


def _density(text: str, where: Location) -> float:
    density = parse_number(text)
    if density is None or density < 0.0:
        problem = f"density must be a number (kg/m³), zero or above, not {shorten(text)!r}"
        raise ValueTextError(problem, location=where)
    return density
