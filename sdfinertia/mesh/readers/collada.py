"""COLLADA (.dae): the scene's geometry, every instance in its place."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator
from dataclasses import replace

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.affine import IDENTITY, Affine, compose
from sdfinertia.mesh.readers.collada_colours import bound_materials, colour_of
from sdfinertia.mesh.readers.collada_document import Document, Element, child, kind, numbers, wrong
from sdfinertia.mesh.readers.collada_geometry import geometry_mesh
from sdfinertia.mesh.readers.collada_transforms import TRANSFORMS, transform
from sdfinertia.mesh.readers.instances import MAX_DEPTH, MAX_NODES, Geometry, Instance, place, too_many
from sdfinertia.mesh.readers.text_numbers import shown
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.named_tuple import NamedTuple


def read_collada(data: bytes) -> TriangleMesh:
    """The triangles of a COLLADA document's scene, in metres.

    The unit of length applies and the up axis does not, as in Gazebo. The transforms of a node apply in the order in
    which the document lists them.

    Args:
        data: the file's bytes.

    Raises:
        MeshError: not a COLLADA document, a reference that leads nowhere or in a circle, counts that do not fit what
            is there, or a scene beyond the limits of `sdfinertia.mesh.readers.instances`.
    """
    document = Document(data)
    metres = _metres_per_unit(document)

    def geometry(element: Hashable) -> Geometry:
        return geometry_mesh(element, document)

    scene = _scene(document)
    instances = _instances(scene, document) if scene is not None else _every_geometry_once(document)
    mesh = place(instances, geometry, lambda: len(data), metres, lambda key: colour_of(str(key), document))
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
        raise wrong(unit, f"has a decimal comma in meter={shown(text.strip().encode())}; write a point")
    if not 0.0 < metres < math.inf:
        raise wrong(unit, f"needs a positive number meter=, found {shown(text.encode())}")
    return metres


def _scene(document: Document) -> Element | None:
    """The `<visual_scene>` to read, or nothing if the document does not say and there is not just one."""
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
    document.notes["the COLLADA file names no scene, so each of its geometries is read once, where it stands"] = None
    libraries = [each for each in document.root if kind(each) == "library_geometries"]
    geometries = [each for library in libraries for each in library if kind(each) == "geometry"]
    return (Instance(each, IDENTITY, _names(each)) for each in geometries)


def _names(element: Element) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (element.get("name", "").strip(), element.get("id", "").strip()))))


class _Node(NamedTuple):
    """What a `<node>` says, read once however often it is placed.

    Attributes:
        to_parent: its own transforms, in the order of the document.
        content: geometry with its bind transform and names, and further nodes.
    """

    to_parent: Affine
    names: tuple[str, ...]
    content: tuple[Instance | Element, ...]


class _Visit(NamedTuple):
    """A node on the way from the scene: where it stands, the names that lead to it, and what is left of its content."""

    element: Element
    to_scene: Affine
    names: tuple[str, ...]
    left: Iterator[Instance | Element]


def _instances(scene: Element, document: Document) -> Iterator[Instance]:
    """Every geometry the nodes of a scene place, in the document's order.

    The names of the scene itself select nothing: it is no node, and exporters give it the id of one.
    """
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
                raise wrong(found, f"stands deeper than {MAX_DEPTH} nodes")
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
        if name in TRANSFORMS:
            to_parent = compose(to_parent, _transform(element))
        elif name == "node":
            content.append(element)
        elif name == "instance_node":
            content.append(document.find("node", element.get("url", ""), element))
        elif name == "instance_geometry":
            geometry = document.find("geometry", element.get("url", ""), element)
            content.append(Instance(geometry, IDENTITY, _names(geometry), bound_materials(element)))
        elif name == "instance_controller":
            geometry, bind = _controlled(element, document)
            content.append(Instance(geometry, bind, _names(geometry), bound_materials(element)))
    return _Node(to_parent, _names(node), tuple(content))


def _transform(element: Element) -> Affine:
    try:
        return transform(kind(element).replace("bind_shape_", ""), numbers(element).tolist())
    except ValueError as error:
        raise wrong(element, str(error)) from None


def _cycle(node: Element, way: list[Element]) -> MeshError:
    """The error for a node that was found again on the way from the scene to it."""
    chain = [*way[1:], node]
    shown = " -> ".join(repr((_names(each) or ("?",))[-1]) for each in chain)
    return wrong(node, f"contains itself: {shown}")


def _controlled(instance: Element, document: Document) -> tuple[Element, Affine]:
    """The geometry a controller deforms, in the pose in which it was bound, and its bind shape matrix."""
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
