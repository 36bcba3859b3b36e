"""PLY, parsed by trimesh; its faces are counted against the header."""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.formats import require_known
from sdfinertia.mesh.triangle_mesh import TriangleMesh, planarity_notes, triangulated

if TYPE_CHECKING:
    from sdfinertia.mesh.kernel import Indices

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


def _parsed(data: bytes) -> tuple[dict[str, Any], np.ndarray[Any, np.dtype[np.float64]]]:
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
