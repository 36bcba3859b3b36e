"""COLLADA documents, read without entities, files or network, and the triangles of their meshes."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import numpy as np
from lxml import etree

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Indices, Points, on_used_rows
from sdfinertia.mesh.readers.instances import Geometry
from sdfinertia.mesh.readers.text_numbers import decimals, integers, quoted, whole_numbers
from sdfinertia.mesh.triangle_mesh import fans, non_planarity, strip, triangulated

if TYPE_CHECKING:
    from collections.abc import Callable

Element = Any  # lxml.etree._Element, which has types only with stubs that users do not install

_REFERRED_TO = frozenset(
    ("geometry", "controller", "node", "visual_scene", "source", "vertices", "float_array", "material", "effect")
)

# Markup that may precede a DOCTYPE, which is searched before parsing, because the parser expands entities inside
# attribute values while it reads, whatever its settings for entities elsewhere.
_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|<\?(?:[^?]|\?(?!>))*\?>|<!--(?:[^-]|-(?!->))*-->)*")

_DECLARED_ENCODING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]*)[\"']")
# Encodings that can write `<!DOCTYPE` only in its ASCII bytes, so that searching for these suffices.
_ENCODINGS = re.compile(rb"(utf-?8|(us-)?ascii|(iso[-_]?8859|windows|cp)[-_]?\d+|latin-?1|gbk|gb2312|gb18030)", re.I)


class Document:
    """The elements of one COLLADA file.

    Attributes:
        notes: on content that Gazebo does not read, or that was left out; the keys are the sentences, in order.
    """

    def __init__(self, data: bytes) -> None:
        self.root = _parsed(data)
        self.notes: dict[str, None] = {}
        self._by_id: dict[tuple[str, str], Element] = {}
        self._arrays: dict[Element, Points] = {}
        for element in self.root.iter():
            name, identity = kind(element), element.get("id")
            if identity is not None and name in _REFERRED_TO:
                self._by_id.setdefault((name, identity.strip()), element)

    def find(self, name: str, reference: str, by: Element) -> Element:
        """The element of that kind that `reference` (`#id`) names; exporters repeat ids among kinds."""
        reference = reference.strip()
        if not reference.startswith("#"):
            raise wrong(by, f"refers to {reference[:80]!r} outside this file, which is not followed")
        element = self._by_id.get((name, reference[1:]))
        if element is None and "%" in reference:
            element = self._by_id.get((name, unquote(reference[1:])))
        if element is not None:
            return element
        raise wrong(by, f"refers to the {name} {reference[:80]!r}, which does not exist")

    def array(self, holder: Element) -> Points:
        if holder not in self._arrays:
            values = numbers(holder)
            if whole(holder, "count", len(values)) != len(values):
                raise wrong(holder, f"has count={holder.get('count')!r}, but holds {len(values)} numbers")
            self._arrays[holder] = values
        return self._arrays[holder]


def kind(element: Element) -> str:
    """Its name without the namespace, which differs between COLLADA 1.4 and 1.5."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def child(element: Element, name: str) -> Element | None:
    return next((each for each in element if kind(each) == name), None)


def wrong(element: Element, problem: str) -> MeshError:
    return MeshError(f"line {element.sourceline}: COLLADA <{kind(element)}> {problem}")


def numbers(element: Element) -> Points:
    try:
        return decimals((element.text or "").encode())
    except ValueError as error:
        raise wrong(element, f"needs decimal numbers, found {error}") from None


def indices(element: Element) -> Indices:
    try:
        return whole_numbers((element.text or "").encode())
    except ValueError as error:
        raise wrong(element, f"needs whole numbers, found {error}") from None


def whole(element: Element, attribute: str, default: int | None = None) -> int:
    text = element.get(attribute)
    if text is None and default is not None:
        return default
    try:
        value = int(integers([(text or "").strip().encode()])[0])
    except ValueError:
        value = -1
    if value < 0:
        raise wrong(element, f"needs a whole number {attribute}=, found {quoted((text or '').encode())}")
    return value


def _parsed(data: bytes) -> Element:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data[:4]:
        raise MeshError("its XML encoding UTF-16 or UTF-32 is not read; use UTF-8")
    if (declared := _DECLARED_ENCODING.match(data)) and _ENCODINGS.fullmatch(declared.group(1)) is None:
        raise MeshError(f"its XML encoding {declared.group(1)[:40].decode('latin-1')!r} is not read; use UTF-8")
    prolog = _PROLOG.match(data)
    if prolog is not None and data[prolog.end() : prolog.end() + 9] == b"<!DOCTYPE":
        raise _doctype_error()
    try:
        # No entity is resolved, and nothing else is opened. White space before the declaration is no XML, but occurs.
        parser = etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            remove_comments=True,
            remove_pis=True,
            huge_tree=True,
        )
        root = etree.fromstring(data.lstrip(), parser)
    except etree.XMLSyntaxError as error:
        raise MeshError(_malformation(error)) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _doctype_error()
    if kind(root) != "COLLADA":
        raise MeshError("the root element is not <COLLADA>")
    return root


def _doctype_error() -> MeshError:
    return MeshError("a COLLADA file with a DOCTYPE is not read, since a DOCTYPE may define entities")


def _malformation(error: etree.XMLSyntaxError) -> str:
    """Where the XML is malformed, by libxml2's name for the mistake; its message would quote the file."""
    line, column = error.position
    last = error.error_log.last_error  # type: ignore[attr-defined]  # is not in the stubs
    name = last.type_name.partition("ERR_")[2].replace("_", " ").lower() if last is not None else ""
    return f"not well-formed XML at line {line}, column {column}" + (f": {name}" if name else "")


_NO_FACES = np.empty((0, 3), dtype=np.int64)
_BEYOND_GAZEBO = frozenset(("polygons", "tristrips", "trifans"))


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

    def corners(self, holder: Element) -> Indices:
        values = indices(holder)
        if len(values) % self.stride:
            raise wrong(
                holder, f"holds {len(values)} numbers, which is not a multiple of the {self.stride} of each corner"
            )
        corners = values[self.offset :: self.stride]
        if len(corners) and not 0 <= int(corners.min()) <= int(corners.max()) < self.positions.size:
            beyond = corners[(corners < 0) | (corners >= self.positions.size)]
            raise wrong(holder, f"refers to vertex {beyond[0]}, but there are {self.positions.size}")
        return corners

    def triangles(self, corners: Indices, counts: Indices, notes: dict[str, None]) -> Indices:
        if (counts <= 3).all():
            return fans(corners, counts)
        used, renumbered = on_used_rows(corners, self.positions.size)
        rows = self.positions.rows(used)
        if (off_plane := non_planarity(rows, renumbered, counts)) is not None:
            # To one digit and without a count, so that many geometries share a few notes.
            share = float(f"{100 * off_plane[2]:.0e}")
            notes[f"COLLADA polygons are not flat: corners lie up to {share:g} % of a radius off the plane"] = None
        return used[triangulated(rows, renumbered, counts)]

    def loops(self) -> list[Indices]:
        return [self.corners(p) for p in self.element if kind(p) == "p"]


def geometry_mesh(geometry: Element, document: Document) -> Geometry:
    mesh = child(geometry, "mesh")
    if mesh is not None:
        return _read_mesh_element(mesh, document)
    for other in ("convex_mesh", "brep"):
        if (element := child(geometry, other)) is not None:
            raise wrong(element, "is not read; export the geometry as a <mesh>")
    return Geometry(np.empty((0, 3)), _NO_FACES)


def _read_mesh_element(mesh: Element, document: Document) -> Geometry:
    # Ids that exporters repeat in every geometry mean the one in their own mesh.
    near = {(kind(each), each.get("id")): each for each in reversed(mesh)}
    vertices: list[Points] = [np.empty((0, 3))]
    faces: list[Indices] = [_NO_FACES]
    materials: list[tuple[str | None, int]] = []
    total = 0
    for element in mesh:
        reader = _PRIMITIVES.get(kind(element))
        if reader is None:
            continue
        primitive = _primitive(element, near, document)
        triangles = reader(primitive, document.notes)
        if kind(element) in _BEYOND_GAZEBO:
            document.notes[f"COLLADA <{kind(element)}> are read, which Gazebo leaves out"] = None
        used, renumbered = on_used_rows(triangles, primitive.positions.size)
        vertices.append(primitive.positions.rows(used))
        faces.append(renumbered + total)
        materials.append((element.get("material"), len(triangles)))
        total += len(used)
    return Geometry(np.concatenate(vertices), np.concatenate(faces), tuple(materials))


_Near = dict[tuple[str, str | None], Element]


def _resolved(name: str, by: Element, near: _Near, document: Document) -> Element:
    reference = by.get("source", "")
    element = near.get((name, reference.strip().removeprefix("#")))
    return document.find(name, reference, by) if element is None else element


def _primitive(element: Element, near: _Near, document: Document) -> _Primitive:
    inputs = [(each, whole(each, "offset", 0)) for each in element if kind(each) == "input"]
    stride = 1 + max((offset for _, offset in inputs), default=0)
    for each, offset in inputs:
        if each.get("semantic") == "POSITION":  # not by the standard, but unmistakable
            return _Primitive(element, _positions(_resolved("source", each, near, document), document), offset, stride)
        if each.get("semantic") == "VERTEX":
            container = _resolved("vertices", each, near, document)
            for inner in container:
                if kind(inner) == "input" and inner.get("semantic") == "POSITION":
                    source = _resolved("source", inner, near, document)
                    return _Primitive(element, _positions(source, document), offset, stride)
            raise wrong(container, "has no input of POSITION")
    raise wrong(element, "has no input of VERTEX")


def _positions(source: Element, document: Document) -> _Positions:
    common = child(source, "technique_common")
    accessor = child(common, "accessor") if common is not None else None
    if accessor is None:
        raise wrong(source, "has no accessor")
    inside = {(kind(each), each.get("id")): each for each in source}
    values = document.array(_resolved("float_array", accessor, inside, document))
    count, stride, offset = whole(accessor, "count"), whole(accessor, "stride", 1), whole(accessor, "offset", 0)
    columns = _columns(accessor, stride)
    if count == len(values) > offset and stride > 1 and (count - offset) % stride == 0:
        # As ImageToStl.com writes it.
        document.notes["a COLLADA accessor counts numbers instead of positions, and all of them are read"] = None
        count = (count - offset) // stride
    if count and offset + (count - 1) * stride + max(columns) >= len(values):
        problem = f"counts {count} positions of {stride} numbers from number {offset} on, but there are {len(values)}"
        raise wrong(accessor, problem)
    return _Positions(values, count, offset, stride, columns)


def _columns(accessor: Element, stride: int) -> tuple[int, ...]:
    """Where x, y and z are in each tuple: by the names of the parameters, else the first three."""
    names = [(each.get("name") or "").strip().upper() for each in accessor if kind(each) == "param"]
    columns = tuple(names.index(axis) for axis in "XYZ" if axis in names)
    if len(columns) < 3:
        columns = (0, 1, 2)
    if max(columns) >= stride:
        raise wrong(accessor, f"has tuples of {stride}, but a position needs X, Y and Z")
    return columns


def _joined(primitive: _Primitive) -> Indices:
    return np.concatenate([_NO_FACES.reshape(-1), *primitive.loops()])


def _triangles(primitive: _Primitive, notes: dict[str, None]) -> Indices:
    corners = _joined(primitive)
    count = whole(primitive.element, "count")
    if 3 * count != len(corners):
        raise wrong(primitive.element, f"counts {count} triangles, but holds {len(corners)} corners")
    return corners.reshape(-1, 3)


def _polylist(primitive: _Primitive, notes: dict[str, None]) -> Indices:
    corners = _joined(primitive)
    holder = child(primitive.element, "vcount")
    counts = indices(holder) if holder is not None else np.empty(0, dtype=np.int64)
    if whole(primitive.element, "count") != len(counts):
        raise wrong(primitive.element, f"counts {primitive.element.get('count')} polygons, but lists {len(counts)}")
    # Each count is checked by itself, because a sum of wrong ones could wrap round to the right one.
    if (len(counts) and (counts.min() < 0 or counts.max() > len(corners))) or counts.sum() != len(corners):
        raise wrong(primitive.element, f"has a <vcount> that does not fit the {len(corners)} corners it holds")
    _note_narrow(counts, notes)
    return primitive.triangles(corners, counts, notes)


def _polygons(primitive: _Primitive, notes: dict[str, None]) -> Indices:
    loops: list[Indices] = []
    for element in primitive.element:
        if kind(element) == "p":
            loops.append(primitive.corners(element))
        elif kind(element) == "ph":
            loops += _polygon_with_holes(primitive, element)
    counts = _lengths(loops, notes)
    return primitive.triangles(np.concatenate([_NO_FACES.reshape(-1), *loops]), counts, notes)


def _polygon_with_holes(primitive: _Primitive, holed: Element) -> list[Indices]:
    """The outer loop, and every hole wound against it, so that their signed areas add up."""
    outer: Indices | None = None
    holes = []
    for element in holed:
        if kind(element) == "p":
            outer = primitive.corners(element)
        elif kind(element) == "h":
            holes.append(primitive.corners(element))
    if outer is None:
        raise wrong(holed, "has no outer loop <p>")
    area = _area_vector(primitive.positions.rows(outer))
    loops = [outer]
    for hole in holes:
        alike = float((area * _area_vector(primitive.positions.rows(hole))).sum())
        if not abs(alike) > 0.0:
            raise wrong(holed, "has a hole or an outer loop without area")
        loops.append(hole[::-1] if alike > 0.0 else hole)
    return loops


def _area_vector(loop: Points) -> Points:
    with np.errstate(over="ignore", invalid="ignore"):
        spokes = loop - loop[:1]
        return np.asarray(np.cross(spokes, np.roll(spokes, -1, axis=0)).sum(axis=0))


def _trifans(primitive: _Primitive, notes: dict[str, None]) -> Indices:
    loops = primitive.loops()
    return fans(np.concatenate([_NO_FACES.reshape(-1), *loops]), _lengths(loops, notes))


def _tristrips(primitive: _Primitive, notes: dict[str, None]) -> Indices:
    return np.concatenate([_NO_FACES, *map(strip, primitive.loops())])


def _lengths(loops: list[Indices], notes: dict[str, None]) -> Indices:
    counts = np.array([len(loop) for loop in loops], dtype=np.int64)
    _note_narrow(counts, notes)
    return counts


def _note_narrow(counts: Indices, notes: dict[str, None]) -> None:
    if (narrow := int((counts < 3).sum())) > 0:
        notes[f"{narrow} COLLADA polygons with fewer than 3 corners are left out"] = None


# `lines` and `linestrips` are no surface.
_PRIMITIVES: dict[str, Callable[[_Primitive, dict[str, None]], Indices]] = {
    "triangles": _triangles,
    "polylist": _polylist,
    "polygons": _polygons,
    "trifans": _trifans,
    "tristrips": _tristrips,
}
