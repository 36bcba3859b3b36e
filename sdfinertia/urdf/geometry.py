"""The shape in the `<geometry>` of a collision or visual."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.errors import GeometryError, ValueTextError
from sdfinertia.markup.document import Element
from sdfinertia.shapes.primitives import PRIMITIVES
from sdfinertia.shapes.shape import MeshShape, NoVolume, Primitive, Shape
from sdfinertia.urdf.values import BREAKS, has_breaks, read_numbers, read_text

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
