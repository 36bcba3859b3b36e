"""3MF packages, read by trimesh, once it is known that trimesh reads all of them.

trimesh (5.2) leaves out components that are not defined and geometry of extensions, stops at numbers that are none, and
takes all meshes of a part for one that a component names there. What it is to read is counted first, and what it reads
is compared with that.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from lxml import etree

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.collada_geometry import doctype_error, kind, safe_xml
from sdfinertia.mesh.readers.in_memory import METRES, mesh_of_scene
from sdfinertia.mesh.readers.instances import refuse_too_many_triangles
from sdfinertia.mesh.treatment import optional_library, versions_of
from sdfinertia.mesh.triangle_mesh import TriangleMesh

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
