"""COLLADA (.dae): the scene's geometry, every instance in its place."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.collada_geometry import Document, Element, child, geometry_mesh, kind, numbers, wrong
from sdfinertia.mesh.readers.instances import (
    IDENTITY,
    MAX_DEPTH,
    MAX_NODES,
    Affine,
    Instance,
    compose,
    place,
    rotation_about,
    scaling,
    too_many,
    translation,
)
from sdfinertia.mesh.readers.text_numbers import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sdfinertia.mesh.triangle_mesh import Colour, TriangleMesh


def read_collada(data: bytes) -> TriangleMesh:
    """The triangles of the scene, in metres; as in Gazebo the up axis does not apply."""
    document = Document(data)
    metres = _metres_per_unit(document)

    scene = _scene(document)
    instances = _instances(scene, document) if scene is not None else _every_geometry_once(document)
    mesh = place(
        instances,
        lambda each: geometry_mesh(each, document),
        lambda: len(data),
        metres,
        lambda key: colour_of(str(key), document),
    )
    return replace(mesh, notes=tuple(document.notes))


def _metres_per_unit(document: Document) -> float:
    asset = child(document.root, "asset")
    up_axis = child(asset, "up_axis") if asset is not None else None
    if up_axis is not None and (up_axis.text or "").strip() in ("X_UP", "Y_UP"):
        document.notes[f"COLLADA <up_axis> {(up_axis.text or '').strip()} is not applied, as in Gazebo"] = None
    unit = child(asset, "unit") if asset is not None else None
    text = unit.get("meter") if unit is not None else None
    if text is None:
        return 1.0
    try:
        metres = float(text.strip().replace("_", "?"))
    except ValueError:
        metres = math.nan
    if re.fullmatch(r"\s*\d*,\d+\s*", text):
        # Not guessed: a file that has one decimal comma may have more, and other programs read it as 0 or 1.
        raise wrong(unit, f"has a decimal comma in meter={quoted(text.strip().encode())}; write a point")
    if not 0.0 < metres < math.inf:
        raise wrong(unit, f"needs a positive number meter=, found {quoted(text.encode())}")
    return metres


def _scene(document: Document) -> Element | None:
    scene = child(document.root, "scene")
    instance = child(scene, "instance_visual_scene") if scene is not None else None
    if instance is not None:
        return document.find("visual_scene", instance.get("url", ""), instance)
    libraries = [each for each in document.root if kind(each) == "library_visual_scenes"]
    scenes = [each for library in libraries for each in library if kind(each) == "visual_scene"]
    if len(scenes) != 1:
        return None
    document.notes["the COLLADA file names no scene, so its only one is read"] = None
    return scenes[0]


def _every_geometry_once(document: Document) -> Iterator[Instance]:
    document.notes["the COLLADA file names no scene, so each of its geometries is read once, without transforms"] = None
    libraries = [each for each in document.root if kind(each) == "library_geometries"]
    geometries = [each for library in libraries for each in library if kind(each) == "geometry"]
    return (Instance(each, IDENTITY, _names(each)) for each in geometries)


def _names(element: Element) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (element.get("name", "").strip(), element.get("id", "").strip()))))


class _Node(NamedTuple):
    to_parent: Affine
    names: tuple[str, ...]
    content: tuple[Instance | Element, ...]


class _Visit(NamedTuple):
    element: Element
    to_scene: Affine
    names: tuple[str, ...]
    left: Iterator[Instance | Element]


def _instances(scene: Element, document: Document) -> Iterator[Instance]:
    read: dict[Element, _Node] = {}
    way = [_Visit(scene, IDENTITY, (), iter([node for node in scene if kind(node) == "node"]))]
    on_way: set[Element] = set()
    nodes = 0
    while way:
        _, to_scene, names, left = way[-1]
        found = next(left, None)
        if found is None:
            on_way.discard(way.pop().element)
        elif isinstance(found, Instance):
            all_names = tuple(dict.fromkeys(names + found.names))
            yield Instance(found.geometry, compose(to_scene, found.to_scene), all_names, found.bound)
        else:
            nodes += 1
            if nodes > MAX_NODES:
                raise too_many("nodes", MAX_NODES)
            if found in on_way:
                raise _cycle(found, [visit.element for visit in way])
            if len(way) > MAX_DEPTH:
                raise wrong(found, f"is deeper than {MAX_DEPTH} nodes")
            if found not in read:
                read[found] = _node(found, document)
            node = read[found]
            way.append(_Visit(found, compose(to_scene, node.to_parent), names + node.names, iter(node.content)))
            on_way.add(found)


def _node(node: Element, document: Document) -> _Node:
    to_parent = IDENTITY
    content: list[Instance | Element] = []
    for element in node:
        name = kind(element)
        if name in _TRANSFORMS:
            to_parent = compose(to_parent, _transform(element))
        elif name in ("skew", "lookat"):
            raise wrong(element, "is not read; export the node with a <matrix>")
        elif name == "node":
            content.append(element)
        elif name == "instance_node":
            content.append(document.find("node", element.get("url", ""), element))
        elif name == "instance_geometry":
            geometry = document.find("geometry", element.get("url", ""), element)
            content.append(Instance(geometry, IDENTITY, _names(geometry), _bound_materials(element)))
        elif name == "instance_controller":
            geometry, bind = _controlled(element, document)
            content.append(Instance(geometry, bind, _names(geometry), _bound_materials(element)))
    return _Node(to_parent, _names(node), tuple(content))


def _transform(element: Element) -> Affine:
    count, function = _TRANSFORMS[kind(element).replace("bind_shape_", "")]
    values = numbers(element).tolist()
    if len(values) != count:
        raise wrong(element, f"needs {count} numbers, found {len(values)}")
    try:
        return function(values)
    except ValueError as error:
        raise wrong(element, str(error)) from None


def _cycle(node: Element, way: list[Element]) -> MeshError:
    chain = [*way[1:], node]
    path = " -> ".join(repr((_names(each) or ("?",))[-1]) for each in chain)
    return wrong(node, f"contains itself: {path}")


def _controlled(instance: Element, document: Document) -> tuple[Element, Affine]:
    bind = IDENTITY
    element = document.find("controller", instance.get("url", ""), instance)
    passed = {element}
    while kind(element) != "geometry":
        skin, morph = child(element, "skin"), child(element, "morph")
        deformer = skin if skin is not None else morph
        if deformer is None:
            raise wrong(element, "has neither <skin> nor <morph>")
        if skin is not None and (matrix := child(skin, "bind_shape_matrix")) is not None:
            bind = compose(bind, _transform(matrix))
        document.notes[
            "a COLLADA controller is read in its bind pose, its joints and morph targets are not applied"
        ] = None
        source = deformer.get("source", "")
        try:
            element = document.find("geometry", source, deformer)
        except MeshError:
            element = document.find("controller", source, deformer)
        if element in passed:
            raise wrong(element, "is its own source")
        passed.add(element)
    return element, bind


# The reflected colours by the models of COLLADA 1.4, chapter 8; `constant` has none but its own.
_SHADERS = {"phong": "diffuse", "lambert": "diffuse", "blinn": "diffuse", "constant": "emission"}


def _bound_materials(instance: Element) -> tuple[tuple[str, str], ...]:
    bind = child(instance, "bind_material")
    common = child(bind, "technique_common") if bind is not None else None
    if common is None:
        return ()
    found = (each for each in common if kind(each) == "instance_material")
    return tuple((each.get("symbol", ""), each.get("target", "")) for each in found)


def colour_of(reference: str, document: Document) -> Colour | None:
    """The colour of a material, in sRGB and opaque; None where there is none, or it is an image."""
    try:
        material = document.find("material", reference if reference.startswith("#") else f"#{reference}", document.root)
        instance = child(material, "instance_effect")
        if instance is None:
            return None
        profile = child(document.find("effect", instance.get("url", ""), instance), "profile_COMMON")
        technique = child(profile, "technique") if profile is not None else None
        shader = next((each for each in technique if kind(each) in _SHADERS), None) if technique is not None else None
        light = child(shader, _SHADERS[kind(shader)]) if shader is not None else None
        colour = child(light, "color") if light is not None else None
        values = numbers(colour).tolist() if colour is not None else []
    except MeshError:
        return None
    if len(values) < 3 or not all(map(isfinite, values)):
        return None
    red, green, blue = (min(max(value, 0.0), 1.0) for value in values[:3])
    # Opaque: COLLADA has four notations of transparency, which exporters confuse.
    return red, green, blue, 1.0


def _matrix(m: Sequence[float]) -> Affine:
    if tuple(m[12:]) != (0.0, 0.0, 0.0, 1.0):
        raise ValueError("is not affine: its last row is not 0 0 0 1")
    return (m[0], m[1], m[2], m[3]), (m[4], m[5], m[6], m[7]), (m[8], m[9], m[10], m[11])


# The count of numbers of each element, and the transform that they make.
_TRANSFORMS: dict[str, tuple[int, Callable[[Sequence[float]], Affine]]] = {
    "matrix": (16, _matrix),
    "translate": (3, lambda v: translation(*v)),
    "rotate": (4, lambda v: rotation_about(v[:3], v[3])),
    "scale": (3, lambda v: scaling(*v)),
}
