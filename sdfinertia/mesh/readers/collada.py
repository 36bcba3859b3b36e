"""COLLADA (.dae): the scene's geometry, every instance in its place, read without entities, files or network."""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np
from lxml import etree

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Indices, Points, on_used_rows
from sdfinertia.mesh.readers.instances import (
    IDENTITY,
    NO_FACES,
    Affine,
    Geometry,
    Instance,
    Node,
    compose,
    joined,
    place,
    placed_by_nodes,
    rotation_about,
    scaling,
    translation,
)
from sdfinertia.mesh.readers.text_numbers import decimals, quoted, whole_numbers
from sdfinertia.mesh.triangle_mesh import TriangleMesh, fans, non_planarity, strip, triangulated

Element = Any  # lxml.etree._Element, which has types only with stubs that users do not install


def read_collada(data: bytes) -> TriangleMesh:
    """The triangles of the scene, in metres; as in Gazebo the up axis does not apply."""
    document = _Document(data)
    metres = _metres_per_unit(document)
    scene = _scene(document)
    if scene is not None:
        roots = [node for node in scene if _kind(node) == "node"]
        instances = placed_by_nodes(roots, cache(lambda node: _node(node, document)), _place)
    else:
        instances = _every_geometry_once(document)
    mesh = place(instances, lambda each: _geometry(each, document), lambda: len(data), metres)
    return replace(mesh, notes=tuple(document.notes))


# The document ---------------------------------------------------------------------------------------------------------

_REFERRED_TO = frozenset(("geometry", "controller", "node", "visual_scene", "source", "vertices", "float_array"))

_DECLARED_ENCODING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]*)[\"']")
# Encodings that can write `<!DOCTYPE` only in its ASCII bytes, so that searching for these suffices.
_ENCODINGS = re.compile(rb"(utf-?8|(us-)?ascii|(iso[-_]?8859|windows|cp)[-_]?\d+|latin-?1|gbk|gb2312|gb18030)", re.I)

_Near = dict[tuple[str, str | None], Element]


def _near(element: Element) -> _Near:
    """Its children: ids that exporters repeat in every geometry mean the one in their own mesh."""
    return {(_kind(each), each.get("id")): each for each in reversed(element)}


class _Document:
    def __init__(self, data: bytes) -> None:
        self.root = _parsed(data)
        self.notes: dict[str, None] = {}  # the keys are the sentences, in order
        self._by_id: dict[tuple[str, str], Element] = {}
        self._arrays: dict[Element, Points] = {}
        for element in self.root.iter():
            name, identity = _kind(element), element.get("id")
            if identity is not None and name in _REFERRED_TO:
                self._by_id.setdefault((name, identity.strip()), element)

    def all_in(self, library: str, name: str) -> list[Element]:
        return [each for found in self.root if _kind(found) == library for each in found if _kind(each) == name]

    def find(self, name: str, reference: str, by: Element) -> Element:
        """The element of that kind that `reference` (`#id`) names; exporters repeat ids among kinds."""
        reference = reference.strip()
        if not reference.startswith("#"):
            raise _wrong(by, f"refers to {reference[:80]!r} outside this file, which is not followed")
        for identity in (reference[1:], unquote(reference[1:])):
            if (name, identity) in self._by_id:
                return self._by_id[name, identity]
        raise _wrong(by, f"refers to the {name} {reference[:80]!r}, which does not exist")

    def resolved(self, name: str, by: Element, near: _Near) -> Element:
        reference = by.get("source", "").strip()
        element = near.get((name, reference.removeprefix("#")))
        return self.find(name, reference, by) if element is None else element

    def array(self, holder: Element) -> Points:
        if holder not in self._arrays:
            values = _decimals(holder)
            if _whole(holder, "count", len(values)) != len(values):
                raise _wrong(holder, f"has count={holder.get('count')!r}, but holds {len(values)} numbers")
            self._arrays[holder] = values
        return self._arrays[holder]


def _parsed(data: bytes) -> Element:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data[:4]:
        raise MeshError("its XML encoding UTF-16 or UTF-32 is not read; use UTF-8")
    if (declared := _DECLARED_ENCODING.match(data)) and _ENCODINGS.fullmatch(declared.group(1)) is None:
        raise MeshError(f"its XML encoding {declared.group(1)[:40].decode('latin-1')!r} is not read; use UTF-8")
    # Before parsing, since the parser expands entities in attributes as it reads.
    if b"<!DOCTYPE" in data:
        raise MeshError("a COLLADA file with a DOCTYPE is not read, since a DOCTYPE may define entities")
    # No entity is resolved, and nothing else is opened.
    safe: dict[str, Any] = {"resolve_entities": False, "no_network": True, "load_dtd": False}
    try:
        parser = etree.XMLParser(**safe, remove_comments=True, remove_pis=True, huge_tree=True)
        # White space before the declaration is no XML, but occurs.
        root = etree.fromstring(data.lstrip(), parser)
    except etree.XMLSyntaxError as error:
        # By libxml2's name for the mistake: its message would quote the file.
        line, column = error.position
        last = error.error_log.last_error  # type: ignore[attr-defined]  # is not in the stubs
        name = last.type_name.partition("ERR_")[2].replace("_", " ").lower() if last is not None else ""
        problem = f"not well-formed XML at line {line}, column {column}"
        raise MeshError(f"{problem}: {name}" if name else problem) from None
    if _kind(root) != "COLLADA":
        raise MeshError("the root element is not <COLLADA>")
    return root


def _kind(element: Element) -> str:
    """Its name without the namespace, which differs between COLLADA 1.4 and 1.5."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _child(element: Element | None, *names: str) -> Element | None:
    """The first child of a name, in it the first of the next name, and so on."""
    for name in names:
        if element is not None:
            element = next((each for each in element if _kind(each) == name), None)
    return element


def _place(element: Element) -> str:
    return f"line {element.sourceline}: COLLADA <{_kind(element)}>"


def _wrong(element: Element, problem: str) -> MeshError:
    return MeshError(f"{_place(element)} {problem}")


def _decimals(element: Element) -> Points:
    try:
        return decimals((element.text or "").encode())
    except ValueError as error:
        raise _wrong(element, f"needs decimal numbers, found {error}") from None


def _indices(element: Element) -> Indices:
    try:
        return whole_numbers((element.text or "").encode())
    except ValueError as error:
        raise _wrong(element, f"needs whole numbers, found {error}") from None


def _whole(element: Element, attribute: str, default: int | None = None) -> int:
    text = element.get(attribute)
    if text is None and default is not None:
        return default
    word = (text or "").encode()
    try:
        value = int(whole_numbers(word).item())
    except ValueError:
        value = -1
    if value < 0:
        raise _wrong(element, f"needs a whole number {attribute}=, found {quoted(word)}")
    return value


# The scene ------------------------------------------------------------------------------------------------------------


def _metres_per_unit(document: _Document) -> float:
    up_axis = _child(document.root, "asset", "up_axis")
    axis = (up_axis.text or "").strip() if up_axis is not None else ""
    if axis in ("X_UP", "Y_UP"):
        document.notes[f"COLLADA <up_axis> {axis} is not applied, as in Gazebo"] = None
    unit = _child(document.root, "asset", "unit")
    text = unit.get("meter") if unit is not None else None
    if text is None:
        return 1.0
    try:
        metres = float(text.strip().replace("_", "?"))
    except ValueError:
        metres = math.nan
    if not 0.0 < metres < math.inf:
        raise _wrong(unit, f"needs a positive number meter=, found {quoted(text.encode())}")
    return metres


def _scene(document: _Document) -> Element | None:
    instance = _child(document.root, "scene", "instance_visual_scene")
    if instance is not None:
        return document.find("visual_scene", instance.get("url", ""), instance)
    scenes = document.all_in("library_visual_scenes", "visual_scene")
    if len(scenes) != 1:
        return None
    document.notes["the COLLADA file names no scene, so its only one is read"] = None
    return scenes[0]


def _every_geometry_once(document: _Document) -> Iterator[Instance]:
    document.notes["the COLLADA file names no scene, so each of its geometries is read once, without transforms"] = None
    geometries = document.all_in("library_geometries", "geometry")
    return (Instance(each, IDENTITY, _names(each)) for each in geometries)


def _names(element: Element) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (element.get("name", "").strip(), element.get("id", "").strip()))))


def _node(node: Element, document: _Document) -> Node:
    to_parent = IDENTITY
    content: list[Instance | Element] = []
    for element in node:
        name = _kind(element)
        if name in _TRANSFORMS:
            to_parent = compose(to_parent, _transform(element))
        elif name in ("skew", "lookat"):
            raise _wrong(element, "is not read; export the node with a <matrix>")
        elif name == "node":
            content.append(element)
        elif name == "instance_node":
            content.append(document.find("node", element.get("url", ""), element))
        elif name == "instance_geometry":
            geometry = document.find("geometry", element.get("url", ""), element)
            content.append(Instance(geometry, IDENTITY, _names(geometry)))
        elif name == "instance_controller":
            content.append(_controlled(element, document))
    return Node(to_parent, _names(node), tuple(content))


def _transform(element: Element) -> Affine:
    count, function = _TRANSFORMS[_kind(element).replace("bind_shape_", "")]
    values = _decimals(element).tolist()
    if len(values) != count:
        raise _wrong(element, f"needs {count} numbers, found {len(values)}")
    try:
        return function(values)
    except ValueError as error:
        raise _wrong(element, str(error)) from None


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


def _controlled(instance: Element, document: _Document) -> Instance:
    bind = IDENTITY
    element = document.find("controller", instance.get("url", ""), instance)
    passed = {element}
    while _kind(element) != "geometry":
        skin, morph = _child(element, "skin"), _child(element, "morph")
        deformer = skin if skin is not None else morph
        if deformer is None:
            raise _wrong(element, "has neither <skin> nor <morph>")
        if (matrix := _child(skin, "bind_shape_matrix")) is not None:
            bind = compose(bind, _transform(matrix))
        note = "a COLLADA controller is read in its bind pose, its joints and morph targets are not applied"
        document.notes[note] = None
        source = deformer.get("source", "")
        try:
            element = document.find("geometry", source, deformer)
        except MeshError:
            element = document.find("controller", source, deformer)
        if element in passed:
            raise _wrong(element, "is its own source")
        passed.add(element)
    return Instance(element, bind, _names(element))


# Geometry -------------------------------------------------------------------------------------------------------------


def _geometry(geometry: Element, document: _Document) -> Geometry:
    mesh = _child(geometry, "mesh")
    for other in ("convex_mesh", "brep"):
        if mesh is None and (element := _child(geometry, other)) is not None:
            raise _wrong(element, "is not read; export the geometry as a <mesh>")
    if mesh is None:
        return joined([])
    near, pieces = _near(mesh), []
    for element in mesh:
        name = _kind(element)
        if name not in _PRIMITIVES:
            continue
        primitive = _primitive(element, near, document)
        triangles = _PRIMITIVES[name](primitive)
        if name in ("polygons", "tristrips", "trifans"):
            document.notes[f"COLLADA <{name}> are read, which Gazebo leaves out"] = None
        used, renumbered = on_used_rows(triangles, primitive.positions.size)
        pieces.append((primitive.positions.rows(used), renumbered))
    return joined(pieces)


class _Positions(NamedTuple):
    values: Points
    size: int
    offset: int
    stride: int
    columns: tuple[int, ...]

    def rows(self, numbers: Indices) -> Points:
        if self.stride == 3 and self.columns == (0, 1, 2):
            return self.values[self.offset : self.offset + 3 * self.size].reshape(-1, 3).take(numbers, axis=0)
        starts = self.offset + self.stride * numbers
        return self.values[np.column_stack([starts + column for column in self.columns])]


class _Primitive(NamedTuple):
    element: Element
    positions: _Positions
    offset: int
    stride: int
    notes: dict[str, None]

    def corners(self, holder: Element) -> Indices:
        values, size = _indices(holder), self.positions.size
        if len(values) % self.stride:
            problem = f"holds {len(values)} numbers, which is not a multiple of the {self.stride} of each corner"
            raise _wrong(holder, problem)
        corners = values[self.offset :: self.stride]
        if len(corners) and not 0 <= int(corners.min()) <= int(corners.max()) < size:
            beyond = corners[(corners < 0) | (corners >= size)]
            raise _wrong(holder, f"refers to vertex {beyond[0]}, but there are {size}")
        return corners

    def loops(self) -> list[Indices]:
        return [self.corners(p) for p in self.element if _kind(p) == "p"]

    def polygons(self) -> tuple[Indices, Indices]:
        """`(corners, counts)` of all loops."""
        loops = self.loops()
        return _all(loops), self.noted(np.array([len(loop) for loop in loops], dtype=np.int64))

    def noted(self, counts: Indices) -> Indices:
        if narrow := int((counts < 3).sum()):
            self.notes[f"{narrow} COLLADA polygons with fewer than 3 corners are left out"] = None
        return counts

    def triangles(self, corners: Indices, counts: Indices) -> Indices:
        if (counts <= 3).all():
            return fans(corners, counts)
        used, renumbered = on_used_rows(corners, self.positions.size)
        rows = self.positions.rows(used)
        if (off_plane := non_planarity(rows, renumbered, counts)) is not None:
            # To one digit and without a count, so that many geometries share a few notes.
            share = float(f"{100 * off_plane[2]:.0e}")
            self.notes[f"COLLADA polygons are not flat: corners lie up to {share:g} % of a radius off the plane"] = None
        return used[triangulated(rows, renumbered, counts)]


def _primitive(element: Element, near: _Near, document: _Document) -> _Primitive:
    inputs = [(each, _whole(each, "offset", 0)) for each in element if _kind(each) == "input"]
    stride = 1 + max((offset for _, offset in inputs), default=0)
    for each, offset in inputs:
        found = None
        if each.get("semantic") == "POSITION":  # not by the standard, but unmistakable
            found = each
        elif each.get("semantic") == "VERTEX":
            vertices = document.resolved("vertices", each, near)
            inner = (it for it in vertices if _kind(it) == "input" and it.get("semantic") == "POSITION")
            found = next(inner, None)
            if found is None:
                raise _wrong(vertices, "has no input of POSITION")
        if found is not None:
            positions = _positions(document.resolved("source", found, near), document)
            return _Primitive(element, positions, offset, stride, document.notes)
    raise _wrong(element, "has no input of VERTEX")


def _positions(source: Element, document: _Document) -> _Positions:
    accessor = _child(source, "technique_common", "accessor")
    if accessor is None:
        raise _wrong(source, "has no accessor")
    values = document.array(document.resolved("float_array", accessor, _near(source)))
    count, stride, offset = _whole(accessor, "count"), _whole(accessor, "stride", 1), _whole(accessor, "offset", 0)
    # x, y and z by the names of the parameters, else the first three.
    names = [(each.get("name") or "").strip().upper() for each in accessor if _kind(each) == "param"]
    columns = tuple(names.index(axis) for axis in "XYZ" if axis in names)
    columns = columns if len(columns) == 3 else (0, 1, 2)
    if max(columns) >= stride:
        raise _wrong(accessor, f"has tuples of {stride}, but a position needs X, Y and Z")
    if count == len(values) > offset and stride > 1 and (count - offset) % stride == 0:
        # As ImageToStl.com writes it.
        document.notes["a COLLADA accessor counts numbers instead of positions, and all of them are read"] = None
        count = (count - offset) // stride
    if count and offset + (count - 1) * stride + max(columns) >= len(values):
        problem = f"counts {count} positions of {stride} numbers from number {offset} on, but there are {len(values)}"
        raise _wrong(accessor, problem)
    return _Positions(values, count, offset, stride, columns)


def _all(loops: list[Indices]) -> Indices:
    return np.concatenate([NO_FACES.reshape(-1), *loops])


def _triangles(primitive: _Primitive) -> Indices:
    corners, count = _all(primitive.loops()), _whole(primitive.element, "count")
    if 3 * count != len(corners):
        raise _wrong(primitive.element, f"counts {count} triangles, but holds {len(corners)} corners")
    return corners.reshape(-1, 3)


def _polylist(primitive: _Primitive) -> Indices:
    element, corners = primitive.element, _all(primitive.loops())
    holder = _child(element, "vcount")
    counts = _indices(holder) if holder is not None else np.empty(0, dtype=np.int64)
    if _whole(element, "count") != len(counts):
        raise _wrong(element, f"counts {element.get('count')} polygons, but lists {len(counts)}")
    # Each count is checked by itself, because a sum of wrong ones could wrap round to the right one.
    if (len(counts) and (counts.min() < 0 or counts.max() > len(corners))) or counts.sum() != len(corners):
        raise _wrong(element, f"has a <vcount> that does not fit the {len(corners)} corners it holds")
    return primitive.triangles(corners, primitive.noted(counts))


def _polygons(primitive: _Primitive) -> Indices:
    holed = _child(primitive.element, "ph")
    if holed is not None:
        raise _wrong(holed, "is not read; export the geometry as triangles, or polygons without holes")
    return primitive.triangles(*primitive.polygons())


# `lines` and `linestrips` are no surface.
_PRIMITIVES: dict[str, Callable[[_Primitive], Indices]] = {
    "triangles": _triangles,
    "polylist": _polylist,
    "polygons": _polygons,
    "trifans": lambda primitive: fans(*primitive.polygons()),
    "tristrips": lambda primitive: np.concatenate([NO_FACES, *map(strip, primitive.loops())]),
}
