"""The triangles of one `<mesh>` of a COLLADA document."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sdfinertia.mesh.kernel import Indices, Points, on_used_rows
from sdfinertia.mesh.readers.collada_document import Document, Element, child, indices, kind, whole, wrong
from sdfinertia.mesh.readers.instances import Geometry
from sdfinertia.mesh.triangle_mesh import fans, non_planarity, strip, triangulated

_NO_FACES = np.empty((0, 3), dtype=np.int64)
_BEYOND_GAZEBO = frozenset(("polygons", "tristrips", "trifans"))


class _Positions(NamedTuple):
    """Positions as an accessor describes them: only used ones are copied."""

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
        """(m, 3) triangles of polygons: counts (k,), and corners (sum of counts,)."""
        if (counts <= 3).all():
            return fans(corners, counts)
        used, renumbered = on_used_rows(corners, self.positions.size)
        rows = self.positions.rows(used)
        if (off_plane := non_planarity(rows, renumbered, counts)) is not None:
            # To one digit and without a count, so that many geometries share a few notes.
            share = float(f"{100 * off_plane.share:.0e}")
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
    """(3,) Twice the area of a closed loop (n, 3), along its normal."""
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
