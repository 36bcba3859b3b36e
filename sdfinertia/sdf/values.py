"""The values of SDF elements, read strictly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import hypot

from sdfinertia.errors import GeometryError, SdfInertiaError, shorten
from sdfinertia.markup import Element, text_pieces
from sdfinertia.options import PARAMETERS
from sdfinertia.robot import Colour, Inertial, Link, Request, Solid, SolidKind, Solids, attempt, colour_of
from sdfinertia.robot.inertial import DEFAULT_DENSITY, NO_PARAMETERS, TENSOR_NAMES, InertiaParameters
from sdfinertia.robot.numbers import exact_numbers, one_of_each, parse_numbers, require_scale
from sdfinertia.robot.poses import NO_POSE, Pose
from sdfinertia.shapes import PRIMITIVES, MeshShape, NoVolume, Plane, Polyline, Primitive, Shape

_BOOLEANS = {"": False, "true": True, "1": True, "false": False, "0": False}


def read_number(element: Element) -> float:
    return exact_numbers(element.text(), (1,), element)[0]


def read_vector(element: Element, length: int) -> tuple[float, ...]:
    return exact_numbers(element.text(), (length,), element)


def read_flag(element: Element | None, attribute: str = "") -> bool:
    """`true`, `1`, `false`, `0` in any case, as the text of an element or an attribute; false where there is none."""
    if element is None:
        return False
    text = (element.attribute(attribute) or "") if attribute else element.text()
    value = _BOOLEANS.get(text.strip(" \t\r\n\v\f").lower())
    if value is None:
        what = f"the attribute {attribute} of <{element.name}>" if attribute else f"<{element.name}>"
        raise element.error(f"{what} must be true, false, 1 or 0, not {shorten(text)!r}")
    return value


def read_pose(element: Element | None, frame_attribute: str = "relative_to") -> Pose:
    """The pose of an element; the identity where it is absent or blank. Up to 1.6 the frame attribute is `frame`."""
    if element is None:
        return NO_POSE
    relative_to, form = "", "rpy"
    if element.attributes:
        relative_to = element.attribute(frame_attribute) or element.attribute("relative_to") or ""
        form = _rotation_form(element)
    text = element.text()
    return Pose(exact_numbers(text, (7 if form == "quat_xyzw" else 6,), element) if text else (), form, relative_to)


def _rotation_form(pose: Element) -> str:
    form = pose.attribute("rotation_format") or "euler_rpy"
    if form not in ("euler_rpy", "quat_xyzw"):
        raise pose.error(f"rotation_format must be euler_rpy or quat_xyzw, not {shorten(form)!r}")
    if not read_flag(pose, "degrees"):
        return "rpy" if form == "euler_rpy" else form
    if form == "quat_xyzw":
        raise pose.error("degrees cannot be combined with rotation_format='quat_xyzw'")
    return "degrees"


def read_density(element: Element) -> float:
    """kg/m³; a blank `<density>` means the default, given."""
    text = element.text()
    if not text and not element.children:
        return DEFAULT_DENSITY
    density = exact_numbers(text, (1,), element)[0]
    if density < 0:
        raise element.error(f"<density> is {density:g}, which is negative")
    return density


def read_colour(solid: Element) -> Colour | None:
    material = solid.child("material")
    diffuse = material.child("diffuse") if material is not None else None
    return colour_of(diffuse.text(), (3, 4)) if diffuse is not None else None


# Shapes and parameters ------------------------------------------------------------------------------------------------

_WITHOUT_VOLUME = {
    "plane": NoVolume("a plane", is_unbounded=True),
    "heightmap": NoVolume("a heightmap", is_unbounded=True),
    "image": NoVolume("an image"),
    "empty": NoVolume("an empty geometry"),
}


def read_shape(owner: Element) -> Shape:
    geometry = owner.child("geometry")
    if geometry is None:
        return NoVolume("no geometry")
    shapes = [child for child in geometry.children if child.name in _READERS]
    if not shapes:
        unknown = next(iter(geometry.children), None)
        return NoVolume("an empty geometry") if unknown is None else _unknown(unknown)
    shape = shapes[0]
    if len(shapes) > 1 and not all(other.name == "polyline" for other in shapes):
        names = " and ".join(f"<{other.name}>" for other in shapes[:3])
        raise shapes[1].error(f"one <geometry> holds several shapes: {names}", kind=GeometryError)
    if shape.name == "polyline":
        return _read_polyline(shapes)
    return _READERS[shape.name](shape)


def _unknown(shape: Element) -> NoVolume:
    return NoVolume(f"<{shorten(shape.name)}>", problem=f"is not a shape of SDFormat, which has {', '.join(_READERS)}")


def dimension_elements(owner: Element) -> Iterator[tuple[Element, int]]:
    geometry = owner.child("geometry")
    shape = next((child for child in geometry.children if child.name in PRIMITIVES), None) if geometry else None
    for name, count in PRIMITIVES[shape.name].dimensions if shape is not None else ():
        element = shape.child(name) if shape is not None else None
        if element is not None:
            yield element, count


def wrong_dimension(owner: Element) -> Element | None:
    for element, _ in dimension_elements(owner):
        numbers = parse_numbers(element.text())
        if not (numbers and min(numbers) > 0.0):
            return element
    return None


def _required(shape: Element, name: str) -> Element:
    element = shape.child(name)
    if element is None:
        raise shape.error(f"<{shape.name}> has no <{name}>")
    return element


def _read_primitive(shape: Element) -> Primitive:
    dimensions: tuple[float, ...] = ()
    for name, count in PRIMITIVES[shape.name].dimensions:
        dimensions += read_vector(_required(shape, name), count)
    return Primitive(shape.name, dimensions)


def _read_polyline(shapes: list[Element]) -> Polyline:
    loops: list[tuple[tuple[float, float], ...]] = []
    heights: list[float] = []
    for shape in shapes:
        points = []
        for element in shape.children_named("point"):
            x, y = read_vector(element, 2)
            points.append((x, y))
        loops.append(tuple(points))
        heights.append(read_number(_required(shape, "height")))
    return Polyline(tuple(loops), tuple(heights))


def _read_mesh(shape: Element) -> MeshShape:
    scale = (1.0, 1.0, 1.0)
    scale_element = shape.child("scale")
    if scale_element is not None and scale_element.text():
        x, y, z = read_vector(scale_element, 3)
        scale = (x, y, z)
        require_scale(scale, "<scale>", scale_element)
    inner = shape.child("submesh")
    submesh = _required(inner, "name").text() if inner is not None else None
    center = read_flag(inner.child("center")) if inner is not None else False
    uri = _required(shape, "uri").text()
    if not uri:
        raise shape.error("the <uri> of the mesh is empty")
    optimization = shape.attribute("optimization") or ""
    if optimization not in ("", "convex_hull", "convex_decomposition"):
        raise shape.error(f"optimization must be convex_hull or convex_decomposition, not {shorten(optimization)!r}")
    hulls, voxels = (_decomposition_setting(shape, name) for name in ("max_convex_hulls", "voxel_resolution"))
    return MeshShape(uri, scale, submesh, center, optimization, hulls, voxels)


def _decomposition_setting(mesh: Element, name: str) -> int | None:
    settings = mesh.child("convex_decomposition")
    element = settings.child(name) if settings is not None else None
    if element is None or not element.text():
        return None
    number = read_number(element)
    if number < 1 or number != int(number):
        raise element.error(f"<{name}> must be a whole number above zero")
    return int(number)


def _read_plane(shape: Element) -> NoVolume:
    """A plane; a malformed normal or size counts as the default, since only drawings use them."""
    normal_element, size_element = shape.child("normal"), shape.child("size")
    normal = parse_numbers(normal_element.text()) if normal_element is not None else None
    size = parse_numbers(size_element.text()) if size_element is not None else None
    x, y, z = normal if normal is not None and len(normal) == 3 else (0.0, 0.0, 1.0)
    length = hypot(x, y, z)
    unit = (x / length, y / length, z / length) if length > 0.0 else (0.0, 0.0, 1.0)
    width, depth = size if size is not None and len(size) == 2 and min(size) > 0.0 else (1.0, 1.0)
    return _WITHOUT_VOLUME["plane"]._replace(plane=Plane(unit, (width, depth)))


_READERS: dict[str, Callable[[Element], Shape]] = {
    **dict.fromkeys(PRIMITIVES, _read_primitive),
    **dict.fromkeys(_WITHOUT_VOLUME, lambda shape: _WITHOUT_VOLUME[shape.name]),
    "plane": _read_plane,
    "polyline": lambda shape: _read_polyline([shape]),
    "mesh": _read_mesh,
}


def read_parameters(element: Element) -> InertiaParameters:
    """Of an `<auto_inertia_params>`; children count by local name."""
    values: dict[str, str | float] = {}
    others: list[tuple[str, str]] = []
    notes: list[str] = []
    for child in element.children:
        prefix, _, name = child.name.rpartition(":")
        if not prefix:
            notes.append(f"<{child.name}> in <auto_inertia_params> has no namespace prefix, which Drake refuses")
        if name not in PARAMETERS:
            others.append((name, child.text()))
        elif text := child.text():
            value = attempt(PARAMETERS[name].read, text, f"<{child.name}>")
            if isinstance(value, SdfInertiaError):
                raise child.error(value.problem, value.remedy)
            values.setdefault(name, value)
    if others and "calculator" not in values:
        notes += (f"<{name}> in <auto_inertia_params> is not known and has no effect" for name, _ in others)
    return InertiaParameters(**values, others=tuple(others), notes=tuple(notes))  # type: ignore[arg-type]


# Links ----------------------------------------------------------------------------------------------------------------


# One for absent moments and zero for absent products, as in SDFormat.
_UNIT = (1.0, 0.0, 0.0, 1.0, 0.0, 1.0)


def read_inertial(block: Element, frame_attribute: str) -> Inertial:
    children = block.first_children()
    pose, mass, tensor = children.get("pose"), children.get("mass"), children.get("inertia")
    first = tensor.first_children() if tensor is not None else {}
    entries = [first.get(name) for name in TENSOR_NAMES]
    placing = attempt(read_pose, pose, frame_attribute) if pose is not None else NO_POSE
    moments = attempt(_tensor, entries) if tensor is not None else _UNIT
    text = mass.text() if mass is not None else None
    # One where it is absent, as in SDFormat.
    numbers = attempt(exact_numbers, text, (1,), mass) if mass is not None else (1.0,)
    weight = numbers if isinstance(numbers, SdfInertiaError) else numbers[0]
    is_plain = pose is not None and placing != NO_POSE and not pose.attributes
    for each in (pose, mass, *entries):
        is_plain = is_plain and each is not None and (not each.holds_markup or _is_one_text(each))
    return Inertial(block, placing, weight, moments, text, pose, mass, tensor, block.comments, is_plain)


def _tensor(entries: Sequence[Element | None]) -> Sequence[float]:
    numbers = one_of_each([each.text() if each is not None else None for each in entries])
    if numbers is not None:
        return numbers
    return [read_number(each) if each is not None else unit for each, unit in zip(entries, _UNIT, strict=True)]


def _is_one_text(element: Element) -> bool:
    """Whether tinyxml2, which reads up to the next markup but for leading comments, takes the whole text."""
    data, start, stop = element.document.data, element.inner_start, element.inner_end
    spans = [(a, b) for a, b, _ in text_pieces(data, start, stop) if data[a:b].strip()]
    return not element.children and len(spans) == 1


def read_request(block: Element) -> Request:
    density, parameters = block.child("density"), block.child("auto_inertia_params")
    if not block.attributes and density is None and parameters is None:
        return Request()
    return Request(
        attempt(_asks, block),
        # Filling removes `auto`, or sets it to false.
        stays=False,
        density=attempt(read_density, density) if density is not None else None,
        parameters=attempt(read_parameters, parameters) if parameters is not None else NO_PARAMETERS,
    )


def _asks(block: Element) -> bool:
    if block.attribute("auto") is not None:
        return read_flag(block, "auto")
    for name in block.attributes:
        if name.lower() == "auto":
            problem = f"<inertial> has the attribute {name}, which no simulator reads: the case of letters counts"
            raise block.error(problem, "write auto")
    return False


def read_solids(link: Link, kind: SolidKind, frame_attribute: str) -> Solids:
    solids: list[Solid] = []
    names: set[str] = set()
    for element in link.element.children_named(kind.value):
        name, children = element.attribute("name") or "", element.first_children()
        parameters, density, pose = map(children.get, ("auto_inertia_params", "density", "pose"))
        if name in names:
            problem = f"two {kind.value}s are named {shorten(name)!r}"
            return element.error(problem, "give each its own name")
        shape = attempt(read_shape, element)
        is_sound = isinstance(shape, Primitive) and min(shape.dimensions) > 0.0
        solid = Solid(
            link,
            element,
            name,
            shape,
            attempt(read_pose, pose, frame_attribute) if pose is not None else NO_POSE,
            attempt(read_parameters, parameters) if parameters is not None else link.request.parameters,
            attempt(read_density, density) if density is not None else None,
            colour=read_colour(element) if "material" in children else None,
            size=wrong_dimension(element) if not is_sound else None,
        )
        solids.append(solid)
        names.add(name)
    return solids
