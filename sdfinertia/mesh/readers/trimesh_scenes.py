"""Meshes that a program holds in memory, as trimesh and numpy have them, taken as files are."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from lxml import etree

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Indices, Points
from sdfinertia.mesh.readers.collada_geometry import doctype_error, kind, safe_xml
from sdfinertia.mesh.readers.instances import Affine, Geometry, Instance, place, refuse_too_many_triangles
from sdfinertia.mesh.treatment import optional_library, versions_of
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh
from sdfinertia.named_tuple import NamedTuple

# Metres, by the names that trimesh, and 3MF, have for units.
METRES = {
    **dict.fromkeys(("meter", "meters", "m"), 1.0),
    **dict.fromkeys(("decimeter", "decimeters", "dm"), 0.1),
    **dict.fromkeys(("centimeter", "centimeters", "cm"), 0.01),
    **dict.fromkeys(("millimeter", "millimeters", "mm"), 1e-3),
    **dict.fromkeys(("micron", "microns", "micrometer", "micrometers", "um"), 1e-6),
    **dict.fromkeys(("inch", "inches", "in"), 0.0254),
    **dict.fromkeys(("foot", "feet", "ft"), 0.3048),
    **dict.fromkeys(("yard", "yards", "yd"), 0.9144),
}
_WANTED = "expected a path, bytes, a trimesh.Trimesh or Scene, or arrays of vertices (#V, 3) and faces (#F, 3)"


def mesh_in_memory(source: object) -> TriangleMesh:
    """The triangles of a `trimesh.Trimesh`, of a `trimesh.Scene` where its graph places them, or of two arrays.

    Units that trimesh knows of are turned into metres, with a note; where it knows none, lengths are metres.

    Args:
        source: one of these; arrays are vertices (#V, 3) and faces (#F, 3), or corners (3 #F, 3) alone.

    Raises:
        MeshError: it is none of them, or holds no triangles.
    """
    # Whoever holds a mesh of trimesh has loaded it.
    trimesh = sys.modules.get("trimesh")
    if trimesh is not None and isinstance(source, trimesh.Scene):
        try:
            units = source.units
        except ValueError as error:
            raise MeshError(f"the scene has no one unit: {error}") from None
        return _in_metres(mesh_of_scene(source), units)
    if trimesh is not None and isinstance(source, trimesh.Trimesh):
        vertices, faces = _arrays(source.vertices, source.faces)
        name = name_of(source)
        mesh = TriangleMesh(vertices, faces, (MeshPart((name,), 0, len(faces)),) if name else ())
        return _in_metres(mesh, source.units)
    if isinstance(source, (tuple, list)) and len(source) == 2:
        return TriangleMesh(*_arrays(*source))
    if isinstance(source, np.ndarray):
        corners = _positions(source)
        if len(corners) % 3:
            raise MeshError(f"{len(corners)} corners are no triangles, of which each has three")
        return TriangleMesh(corners, np.arange(len(corners)).reshape(-1, 3))
    raise MeshError(f"{type(source).__name__} is not a mesh: {_WANTED}")


def name_of(mesh: Any) -> str:
    """The name that a mesh of trimesh has, or that of the file that it comes from; "" where it has none."""
    names = (mesh.metadata.get(key) for key in ("name", "file_name"))
    return next((name for name in names if isinstance(name, str) and name), "")


def _arrays(vertices: object, faces: object) -> tuple[Points, Indices]:
    positions = _positions(vertices)
    try:
        indices = np.asarray(faces)
    except ValueError as error:
        raise MeshError(f"faces are no array: {error}") from None
    if indices.ndim != 2 or indices.shape[1] != 3:
        raise MeshError(f"faces must have the shape (#F, 3), not {indices.shape}: triangles of rows of vertices")
    if not np.issubdtype(indices.dtype, np.integer):
        raise MeshError(f"faces must be whole numbers, the rows of vertices, not {indices.dtype}")
    return positions, np.array(indices, np.int64)


def _positions(vertices: object) -> Points:
    """The positions as numbers of our own, which nobody else changes."""
    try:
        positions = np.array(vertices, np.float64)
    except (TypeError, ValueError) as error:
        raise MeshError(f"vertices are no numbers: {error}") from None
    if positions.ndim != 2 or positions.shape[1] != 3:
        raise MeshError(f"vertices must have the shape (#V, 3), not {positions.shape}")
    return positions


def mesh_of_scene(scene: Any) -> TriangleMesh:
    """The triangles of a `trimesh.Scene`, in its unit, each geometry as often as its graph places it, and there."""
    geometries: dict[Hashable, Geometry] = {}
    notes: list[str] = []
    for name, geometry in scene.geometry.items():
        if not hasattr(geometry, "faces"):
            notes.append(f"{name!r} of the scene is a {type(geometry).__name__}, which has no faces, and is left out")
            continue
        geometries[name] = Geometry(*_arrays(geometry.vertices, geometry.faces))
    faces = sum(len(geometry.faces) for geometry in geometries.values())
    # In memory they take some fifty bytes each.
    mesh = place(_instances(scene, geometries), geometries.__getitem__, lambda: 50 * faces)
    return replace(mesh, notes=(*notes, *mesh.notes))


def _instances(scene: Any, geometries: dict[Hashable, Geometry]) -> Iterator[Instance]:
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        if name in geometries:
            yield Instance(name, _affine(node, matrix), tuple(dict.fromkeys((str(node), str(name)))))


def _affine(node: object, matrix: Any) -> Affine:
    """The upper three rows of a 4 by 4 matrix."""
    rows = np.asarray(matrix, np.float64)
    if rows.shape != (4, 4) or not np.isfinite(rows).all():
        raise MeshError(f"the node {node!r} of the scene has no transform of 4 by 4 finite numbers")
    first, second, third = (tuple(row) for row in rows[:3].tolist())
    return first, second, third


def _in_metres(mesh: TriangleMesh, units: str | None) -> TriangleMesh:
    """The mesh in metres, with a note where it was not."""
    if units is None:
        return mesh
    factor = METRES.get(units.lower())
    if factor is None:
        raise MeshError(f"its unit {units!r} is not known", remedy=f"one of {', '.join(METRES)} is, or None for metres")
    if factor == 1.0:
        return mesh
    note = f"its lengths are in {units}, and were converted to metres"
    return replace(mesh.scaled((factor, factor, factor)), notes=(note, *mesh.notes))


# 3MF ------------------------------------------------------------------------------------------------------------------


_ROOT = "3d/3dmodel.model"
_UNITS = ("micron", "millimeter", "centimeter", "inch", "foot", "meter")
# Extensions that add nothing to the volume: colours, and meshes in parts of their own.
_KNOWN = ("/material/", "/production/")
_MAX_BYTES = 1 << 30
# Of compressed bytes: no model of numbers is packed tighter.
_TIGHTEST = 200
# Of components in components: nobody nests so deep, and Python can.
_DEPTH = 100
_MODEL_TYPES = ("model", "solidsupport", "")


class _Object(NamedTuple):
    """An object: the triangles of its mesh, and the objects that it is put together of, with the parts they are in."""

    triangles: int
    components: tuple[tuple[str, str], ...]


def read_3mf(data: bytes) -> TriangleMesh:
    """The triangles of the objects that a 3MF package builds, in metres, with their names.

    Raises:
        MeshError: it is not such a package, trimesh would not read all of it, or networkx is not installed.
    """
    unit, expected = _surveyed(data)
    optional_library("networkx", "reading 3MF", "cad")
    # Loaded for this format alone: it takes a second.
    import trimesh

    try:
        scene = trimesh.load(io.BytesIO(data), file_type="3mf", force="scene", process=False)
    except Exception as error:
        # Its message may quote the file.
        raise MeshError(f"trimesh cannot read the 3MF package ({type(error).__name__})") from None
    mesh = mesh_of_scene(scene)
    if len(mesh.faces) != expected:
        raise MeshError(
            f"trimesh reads {len(mesh.faces)} triangles of the {expected} that the 3MF package builds",
            remedy="export it as STL",
        )
    factor = METRES[unit]
    note = f"3MF is read by trimesh ({versions_of(('trimesh',)).removeprefix('trimesh-')}), in its unit, the {unit}"
    return replace(mesh.scaled((factor, factor, factor)), notes=(note, *mesh.notes))


def _surveyed(data: bytes) -> tuple[str, int]:
    """The unit of a package, and how many triangles it builds."""
    parts = _parts(data)
    root = parts.get(_ROOT)
    if root is None:
        raise MeshError("the 3MF package holds no 3D/3dmodel.model")
    unit = root.get("unit", "millimeter").strip()
    if unit not in _UNITS:
        raise MeshError(f"the 3MF package has the unit {unit[:40]!r}, which is none of {', '.join(_UNITS)}")
    objects = dict(_objects(parts))
    build = next((child for child in root if kind(child) == "build"), None)
    items = [] if build is None else [each for each in build if kind(each) == "item"]
    counted: dict[tuple[str, str], int] = {}
    total = sum(_triangles(_reference(item, _ROOT), objects, counted, _DEPTH) for item in items)
    if not total:
        raise MeshError("the 3MF package builds no triangles")
    refuse_too_many_triangles(total, len(data))
    return unit, total


def _parts(data: bytes) -> dict[str, Any]:
    """The root elements of the parts that hold models, by their names in small letters."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            entries = [entry for entry in package.infolist() if not entry.is_dir()]
            unpacked = sum(entry.file_size for entry in entries)
            if unpacked > min(_MAX_BYTES, _TIGHTEST * len(data)):
                raise MeshError(f"the 3MF package of {len(data):,} bytes unpacks to {unpacked:,}, which is too much")
            models = [entry for entry in entries if entry.filename.lower().endswith(".model")]
            return {entry.filename.lower().lstrip("/"): _parsed(package.read(entry)) for entry in models}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise MeshError(f"the 3MF package cannot be unpacked: {error}"[:300]) from None
    except Exception as error:
        if isinstance(error, MeshError):
            raise
        # Of the libraries that unpack: zlib.error, lzma.LZMAError.
        raise MeshError(f"the 3MF package cannot be unpacked: {error}"[:300]) from None


def _parsed(text: bytes) -> Any:
    if b"<!DOCTYPE" in text[:4096]:
        raise doctype_error("a 3MF model")
    try:
        root = safe_xml(text, "a 3MF model", huge_tree=False)
    except etree.XMLSyntaxError as error:
        raise MeshError(f"a 3MF model is not XML: line {error.position[0]}") from None
    for prefix in (root.get("requiredextensions") or "").split():
        namespace = root.nsmap.get(prefix, prefix)
        if not any(known in namespace for known in _KNOWN):
            raise MeshError(f"the 3MF model requires {namespace[:120]!r}, which trimesh leaves out")
    return root


def _objects(parts: dict[str, Any]) -> Iterator[tuple[tuple[str, str], _Object]]:
    """The objects by their part and id."""
    for path, root in parts.items():
        found = [each for each in root.iter() if kind(each) == "object"]
        with_mesh = sum(any(kind(child) == "mesh" for child in each) for each in found)
        if path != _ROOT and with_mesh > 1:
            raise MeshError(
                f"the part {path!r} of the 3MF package holds {with_mesh} meshes, which trimesh takes for one",
                remedy="export it as STL",
            )
        for each in found:
            if each.get("type", "") not in _MODEL_TYPES:
                raise MeshError(
                    f"the 3MF package builds an object of the type {each.get('type')!r}, which is not a solid"
                )
            triangles = sum(kind(inner) == "triangle" for inner in each.iter())
            components = tuple(_reference(inner, path) for inner in each.iter() if kind(inner) == "component")
            elsewhere = [part for part, _ in components if part != path]
            if len(set(elsewhere)) < len(elsewhere):
                raise MeshError(
                    "an object of the 3MF package takes one part twice, which trimesh reads as one mesh with all faces "
                    "twice",
                    remedy="export it as STL",
                )
            yield (path, each.get("id", "")), _Object(triangles, components)


def _reference(element: Any, path: str) -> tuple[str, str]:
    """The part and the id of the object that an element names."""
    other = next((value for name, value in element.attrib.items() if name.endswith("}path")), None)
    return (path if other is None else other.lower().lstrip("/")), element.get("objectid", "")


def _triangles(
    name: tuple[str, str],
    objects: dict[tuple[str, str], _Object],
    counted: dict[tuple[str, str], int],
    depth: int,
) -> int:
    """How many triangles an object has, with those of its components, nested no deeper than so much."""
    if name not in objects:
        raise MeshError(f"the 3MF package builds the object {name[1][:40]!r}, which it does not define")
    if depth == 0:
        raise MeshError("the components of the 3MF package are in a circle, or nested too deep")
    if name not in counted:
        own, components = objects[name]
        for each in components:
            own += _triangles(each, objects, counted, depth - 1)
        counted[name] = own
    return counted[name]
