"""Surfaces as files, as exporters write them: with normals, which have no part in a mass."""

import struct
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from builders import gltf

from benchmarks.surfaces import Surface

_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
# Numbers of glTF 2.0: component types.
_FLOAT, _UNSIGNED_INT = 5126, 5125


def binary_stl(surface: Surface) -> bytes:
    """The surface as a binary STL."""
    records = np.zeros(len(surface.faces), _FACET)
    records["normal"] = surface.face_normals()
    records["corners"] = surface.vertices[surface.faces]
    return b"\0" * 80 + struct.pack("<I", len(records)) + records.tobytes()


def ascii_stl(surface: Surface) -> bytes:
    """The surface as a text STL."""
    vertices = [f"      vertex {x:.6e} {y:.6e} {z:.6e}\n" for x, y, z in surface.vertices.tolist()]
    facets = (
        f"  facet normal {x:.6e} {y:.6e} {z:.6e}\n    outer loop\n{vertices[a]}{vertices[b]}{vertices[c]}"
        "    endloop\n  endfacet\n"
        for (a, b, c), (x, y, z) in zip(surface.faces.tolist(), surface.face_normals().tolist(), strict=True)
    )
    return "".join(("solid surface\n", *facets, "endsolid surface\n")).encode()


def obj(surface: Surface) -> bytes:
    """The surface as a Wavefront OBJ."""
    positions = (f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in surface.vertices.tolist())
    normals = (f"vn {x:.4f} {y:.4f} {z:.4f}\n" for x, y, z in surface.vertex_normals().tolist())
    faces = (f"f {a}//{a} {b}//{b} {c}//{c}\n" for a, b, c in (surface.faces + 1).tolist())
    return "".join(("o surface\n", *positions, *normals, *faces)).encode()


def collada(surface: Surface) -> bytes:
    """The surface as a COLLADA document."""
    indices = np.repeat(surface.faces.reshape(-1), 2)  # a position and a normal for each corner
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="surface" name="surface"><mesh>
{_collada_source("positions", surface.vertices)}
{_collada_source("normals", surface.vertex_normals())}
<vertices id="vertices"><input semantic="POSITION" source="#positions"/></vertices>
<triangles count="{len(surface.faces)}"><input semantic="VERTEX" source="#vertices" offset="0"/>
<input semantic="NORMAL" source="#normals" offset="1"/><p>{" ".join(map(str, indices.tolist()))}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene"><node id="node"><instance_geometry url="#surface"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
""".encode()


def _collada_source(name: str, rows: npt.NDArray[np.float64]) -> str:
    numbers = " ".join(f"{x:.6f}" for x in rows.reshape(-1).tolist())
    parameters = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ")
    return (
        f'<source id="{name}"><float_array id="{name}-array" count="{rows.size}">{numbers}</float_array>'
        f'<technique_common><accessor source="#{name}-array" count="{len(rows)}" stride="3">{parameters}</accessor>'
        "</technique_common></source>"
    )


def glb(surface: Surface) -> bytes:
    """The surface as a binary glTF."""
    positions = surface.vertices.astype("<f4")
    arrays = (positions, surface.vertex_normals().astype("<f4"), surface.faces.astype("<u4").reshape(-1))
    views, start = [], 0
    for rows in arrays:
        views.append({"buffer": 0, "byteOffset": start, "byteLength": rows.nbytes})
        start += rows.nbytes
    vectors = {"componentType": _FLOAT, "count": len(positions), "type": "VEC3"}
    bounds = {"min": positions.min(axis=0).tolist(), "max": positions.max(axis=0).tolist()}
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}, "indices": 2}]}],
        "accessors": [
            {"bufferView": 0, **vectors, **bounds},
            {"bufferView": 1, **vectors},
            {"bufferView": 2, "componentType": _UNSIGNED_INT, "count": surface.faces.size, "type": "SCALAR"},
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": start}],
    }
    return gltf.glb(document, b"".join(rows.tobytes() for rows in arrays))


WRITERS: dict[str, Callable[[Surface], bytes]] = {
    "binary.stl": binary_stl,
    "ascii.stl": ascii_stl,
    "obj": obj,
    "dae": collada,
    "glb": glb,
}
