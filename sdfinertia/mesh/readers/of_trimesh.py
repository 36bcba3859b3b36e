"""Meshes of trimesh, arrays of numpy, and PLY, which trimesh parses: judged like files that we read."""

from __future__ import annotations

import io
import re
import sys
import warnings
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from sdfinertia.errors import MeshError, SdfInertiaError
from sdfinertia.inertia.polyhedron import Positions, moments_if_solid
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.inertia.tensor_arrays import real_array
from sdfinertia.mesh.kernel import Indices, Points, is_closed
from sdfinertia.mesh.readers import require_known
from sdfinertia.mesh.readers.instances import Affine, Geometry, Instance, place
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh, planarity_notes, triangulated

# Metres, by the names that trimesh, and 3MF, have for units.
_METRES = {
    **dict.fromkeys(("meter", "meters", "m"), 1.0),
    **dict.fromkeys(("decimeter", "decimeters", "dm"), 0.1),
    **dict.fromkeys(("centimeter", "centimeters", "cm"), 0.01),
    **dict.fromkeys(("millimeter", "millimeters", "mm"), 1e-3),
    **dict.fromkeys(("micron", "microns", "micrometer", "micrometers", "um"), 1e-6),
    **dict.fromkeys(("inch", "inches", "in"), 0.0254),
    **dict.fromkeys(("foot", "feet", "ft"), 0.3048),
    **dict.fromkeys(("yard", "yards", "yd"), 0.9144),
}
# Rounding that inverting a transform leaves in its last row (0 0 0 1).
_AFFINE = 1e-9
_WANTED = "expected a path, bytes, a trimesh.Trimesh or Scene, or arrays of vertices (#V, 3) and faces (#F, 3)"


def mesh_in_memory(source: object) -> TriangleMesh:
    """The triangles of a `trimesh.Trimesh`, of a `trimesh.Scene` where its graph places them, or of two arrays."""
    # A program that has a mesh of trimesh has loaded it.
    trimesh = sys.modules.get("trimesh")
    if trimesh is not None and isinstance(source, (trimesh.Scene, trimesh.Trimesh)):
        try:
            return _of_scene(source) if isinstance(source, trimesh.Scene) else _of_trimesh(source)
        except SdfInertiaError:
            raise
        except Exception as error:
            # Its attributes can be set to anything.
            raise MeshError(f"trimesh cannot take this {type(source).__name__}: {error!r}"[:300]) from None
    arrays = arrays_in_memory(source)
    if arrays is None:
        raise MeshError(f"{type(source).__name__} is not a mesh: {_WANTED}")
    vertices, corners = arrays
    # Our own copy: safe to keep.
    rows = np.arange(len(vertices)).reshape(-1, 3) if corners is None else corners.copy()
    return TriangleMesh(vertices.astype(np.float64), rows)


def sound_arrays(source: object) -> tuple[Positions, Indices | None] | None:
    """`arrays_in_memory` whose faces are triangles of existing vertices; None for all else."""
    arrays = arrays_in_memory(source)
    if arrays is None:
        return None
    vertices, faces = arrays
    if faces is not None and not (len(faces) and faces.min() >= 0 and faces.max() < len(vertices)):
        return None
    return arrays if len(vertices) else None


def arrays_in_memory(source: object) -> tuple[Positions, Indices | None] | None:
    """Vertices (#V, 3), and faces (#F, 3), None where the vertices are corners of faces; None without arrays."""
    if isinstance(source, (tuple, list)) and len(source) == 2:
        return _arrays(*source)
    if not isinstance(source, np.ndarray):
        return None
    corners = _positions(source)
    if len(corners) % 3:
        raise MeshError(f"{len(corners)} corners are no triangles, of which each has three")
    return corners, None


def name_of(mesh: Any) -> str:
    metadata = mesh.metadata if isinstance(mesh.metadata, Mapping) else {}
    names = (metadata.get(key) for key in ("name", "file_name"))
    return next((name for name in names if isinstance(name, str) and name), "")


def _arrays(vertices: object, faces: object) -> tuple[Positions, Indices]:
    positions = _positions(vertices)
    try:
        indices = np.asarray(faces)
    except Exception as error:
        # Array-like objects may raise anything.
        raise MeshError(f"faces are no array: {error}") from None
    if indices.ndim != 2 or indices.shape[1] != 3:
        raise MeshError(f"faces must have the shape (#F, 3), not {indices.shape}: triangles of rows of vertices")
    if indices.dtype.kind not in "iu" or np.ma.is_masked(faces):
        raise MeshError(f"faces must be whole numbers, the rows of vertices, not {indices.dtype}")
    return positions, np.asarray(indices, np.int64)


def _positions(vertices: object) -> Positions:
    positions: Positions
    if type(vertices) is np.ndarray and vertices.dtype == np.float32:
        positions = vertices
    else:
        positions = real_array(vertices, "vertices", MeshError)
    if positions.ndim != 2 or positions.shape[1] != 3:
        raise MeshError(f"vertices must have the shape (#V, 3), not {positions.shape}")
    return positions


def _of_trimesh(source: Any) -> TriangleMesh:
    vertices, faces = _arrays(source.vertices, source.faces)
    name = name_of(source)
    mesh = TriangleMesh(vertices.astype(np.float64), faces.copy(), (MeshPart((name,), 0, len(faces)),) if name else ())
    # It keeps the unit there.
    return _in_metres(mesh, source.units if isinstance(source.metadata, Mapping) else None)


def _of_scene(scene: Any) -> TriangleMesh:
    try:
        units = scene.units
    except ValueError as error:
        raise MeshError(f"the scene has no one unit: {error}") from None
    geometries: dict[Hashable, Geometry] = {}
    notes: list[str] = []
    for name, geometry in scene.geometry.items():
        if not hasattr(geometry, "faces"):
            notes.append(f"{name!r} of the scene is a {type(geometry).__name__}, which has no faces, and is left out")
            continue
        vertices, indices = _arrays(geometry.vertices, geometry.faces)
        geometries[name] = Geometry(vertices.astype(np.float64, copy=False), indices)
    faces = sum(len(geometry.faces) for geometry in geometries.values())
    # In memory they take some fifty bytes each.
    mesh = place(_instances(scene, geometries), geometries.__getitem__, lambda: 50 * faces)
    return _in_metres(replace(mesh, notes=(*notes, *mesh.notes)), units)


def _instances(scene: Any, geometries: dict[Hashable, Geometry]) -> Iterator[Instance]:
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        if name in geometries:
            yield Instance(name, _affine(node, matrix), tuple(dict.fromkeys((str(node), str(name)))))


def _affine(node: object, matrix: Any) -> Affine:
    rows = real_array(matrix, "transforms", MeshError)
    if rows.shape != (4, 4) or not np.isfinite(rows).all():
        raise MeshError(f"the node {node!r} of the scene has no transform of 4 by 4 finite numbers")
    if not np.allclose(rows[3], (0.0, 0.0, 0.0, 1.0), rtol=0.0, atol=_AFFINE):
        raise MeshError(f"the node {node!r} of the scene has a projective transform: its last row is not 0 0 0 1")
    first, second, third = (tuple(row) for row in rows[:3].tolist())
    return first, second, third


def _in_metres(mesh: TriangleMesh, units: object) -> TriangleMesh:
    if units is None:
        return mesh
    factor = _METRES.get(units.lower()) if isinstance(units, str) else None
    if factor is None:
        raise MeshError(
            f"its unit {units!r} is not known", remedy=f"one of {', '.join(_METRES)} is, or None for metres"
        )
    if factor == 1.0:
        return mesh
    note = f"its lengths are in {units}, and were converted to metres"
    return replace(mesh.scaled((factor, factor, factor)), notes=(note, *mesh.notes))


def moments_of_closed(source: object) -> VolumeMoments | None:
    """The moments of arrays that are a closed surface; None for other sources, and arrays to repair or refuse."""
    arrays = sound_arrays(source)
    return moments_if_solid(*arrays) if arrays is not None and is_closed(*arrays) else None


def is_closed_array(source: object) -> bool | None:
    """Whether arrays are a closed surface; None for other sources, and arrays to refuse."""
    arrays = sound_arrays(source)
    return is_closed(*arrays) if arrays is not None and np.isfinite(arrays[0]).all() else None


# PLY ------------------------------------------------------------------------------------------------------------------

_HEADER = re.compile(rb"ply[ \t]*\r?\n.*?\nend_header[ \t]*\r?\n", re.DOTALL)
_ELEMENT = re.compile(rb"^element[ \t]+(\w+)[ \t]+([0-9]{1,18})[ \t]*\r?$", re.MULTILINE)
# trimesh rounds the numbers of a text to the type that the header names.
_SINGLE = re.compile(rb"(^property[ \t]+)float(?:32)?\b", re.MULTILINE)


def read_ply(data: bytes) -> TriangleMesh:
    header = _HEADER.match(data)
    if header is None:
        raise MeshError("does not begin with 'ply', or its header has no end_header")
    declared = {name: int(count) for name, count in _ELEMENT.findall(header[0])}
    if declared.get(b"tristrips"):
        raise MeshError("holds triangle strips, which are not read from PLY", remedy="export it with faces")
    text = b"format ascii" in header[0]
    head = _SINGLE.sub(rb"\1double", header[0]) if text else header[0]
    elements, vertices = _parsed(head + data[header.end() :])
    if len(vertices) != declared.get(b"vertex", 0):
        raise MeshError(f"cut off: {len(vertices):,} of {declared[b'vertex']:,} vertices")
    corners, counts = _polygons(elements.get("face", {}).get("data"))
    if len(counts) != declared.get(b"face", 0):
        raise MeshError(f"cut off: {len(counts):,} of {declared[b'face']:,} faces")
    require_known(corners, len(vertices))
    narrow = int((counts < 3).sum())
    notes = (f"{narrow} PLY faces with fewer than 3 corners are left out",) if narrow else ()
    faces = triangulated(vertices, corners, counts)
    return TriangleMesh(vertices, faces, (), (*notes, *planarity_notes("PLY", vertices, corners, counts)))


def _parsed(data: bytes) -> tuple[dict[str, Any], Points]:
    from trimesh.exchange.ply import load_ply

    try:
        with warnings.catch_warnings():
            # numpy only warns of text that is no number.
            warnings.simplefilter("error", DeprecationWarning)
            loaded = load_ply(io.BytesIO(data), fix_texture=False, skip_materials=True)
    except Exception as error:  # a damaged file may raise anything there
        if "unexpected length" in str(error):
            problem = "cut off, or a binary PLY with polygons of unlike size or bytes behind the last element"
            raise MeshError(problem, remedy="export it again, as triangles") from None
        # Its message may quote the file.
        raise MeshError(f"trimesh cannot read the PLY: {type(error).__name__}") from None
    return loaded["metadata"]["_ply_raw"], np.asarray(loaded.get("vertices", np.empty((0, 3))), np.float64)


def _polygons(data: Any) -> tuple[Indices, Indices]:
    names = data.dtype.names if isinstance(data, np.ndarray) else data or ()
    name = next((name for name in ("vertex_indices", "vertex_index") if name in names), None)
    if name is None:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    lists = data[name]["f1"] if isinstance(data, np.ndarray) else data[name]
    counts = np.array([len(each) for each in lists], np.int64)
    corners = np.concatenate([np.asarray(each, np.int64) for each in lists]) if len(lists) else np.empty(0, np.int64)
    return corners, counts
