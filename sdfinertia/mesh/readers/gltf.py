"""glTF 2.0 and GLB: the default scene's triangles, every node in its place, with no change of axes."""

from __future__ import annotations

import base64
import json
import posixpath
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, NoReturn
from urllib.parse import unquote, unquote_to_bytes

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError, ResourceError
from sdfinertia.mesh.kernel import Indices, Points, on_used_rows
from sdfinertia.mesh.readers import refuse_git_lfs_pointer
from sdfinertia.mesh.readers.instances import (
    IDENTITY,
    Affine,
    Geometry,
    Instance,
    Node,
    compose,
    joined,
    place,
    placed_by_nodes,
    refuse_too_many_triangles,
    rotation_from_quaternion,
    scaling,
    translation,
)
from sdfinertia.mesh.triangle_mesh import TriangleMesh, strip

# Extensions that change materials or metadata of a surface, not its place; quantization changes component types only.
_HARMLESS = re.compile(
    "KHR_(materials_|techniques?_webgl|texture_|lights_|xmp|animation_pointer|mesh_quantization)"
    "|EXT_(texture_|lights_|mesh_features|structural_metadata)|MSFT_texture_dds|ADOBE_materials_"
)

# Modes of primitives (glTF 2.0, section 3.7.2.1); 0 to 3 are points and lines.
_TRIANGLES, _STRIP, _FAN = 4, 5, 6


def read_gltf(data: bytes, open_buffer: Callable[[str], bytes]) -> TriangleMesh:
    asset = _Asset(data, open_buffer)
    for name in _items(asset.json, "extensionsRequired"):
        if not _HARMLESS.match(str(name)):
            problem = f"the glTF requires the extension {str(name)[:80]!r}, which is not read"
            raise MeshError(problem, remedy="export the mesh without it")
    mesh = place(_instances(asset), lambda index: _mesh(asset, index), asset.held)
    return replace(mesh, notes=tuple(asset.notes))


def buffer_files(data: bytes) -> list[str]:
    uris = (buffer.get("uri") for buffer in _items(_Asset(data).json, "buffers") if isinstance(buffer, dict))
    return list(dict.fromkeys(_relative_path(uri) for uri in uris if isinstance(uri, str) and not _DATA.match(uri)))


# The scene ------------------------------------------------------------------------------------------------------------


def _instances(asset: _Asset) -> Iterator[Instance]:
    if _items(asset.json, "nodes"):
        return placed_by_nodes(_roots(asset.json), partial(_node, asset, set()), "node {} of the glTF".format)
    asset.notes["the glTF has no nodes, so each of its meshes is read once, without transforms"] = None
    meshes = enumerate(_items(asset.json, "meshes"))
    return (Instance(index, IDENTITY, _name(mesh)) for index, mesh in meshes)


def _node(asset: _Asset, passed: set[int], index: object) -> Node:
    node, number = _item(asset.json, "nodes", index, "the scene")
    if number in passed:
        raise MeshError(f"node {number} of the glTF is reached twice: nodes must form a tree")
    passed.add(number)
    children = _items(node, "children", f"node {number}")
    if "mesh" not in node:
        return Node(_transform(node, number), _name(node), children)
    if "EXT_mesh_gpu_instancing" in _child_object(node, "extensions", f"node {number}"):
        raise MeshError(f"node {number} of the glTF uses EXT_mesh_gpu_instancing, which is not read")
    if "skin" in node:
        asset.notes["a glTF skin is read in its bind pose under its own node, its joints are not applied"] = None
    mesh, place_of_mesh = _item(asset.json, "meshes", node["mesh"], f"node {number}")
    content = [Instance(place_of_mesh, IDENTITY, _name(mesh)), *children]
    return Node(_transform(node, number), _name(node), content)


def _roots(document: Object) -> list[object]:
    if "scene" in document or _items(document, "scenes"):
        scene, number = _item(document, "scenes", document.get("scene", 0), "the top")
        return list(_items(scene, "nodes", f"scene {number}"))
    nodes = [_item(document, "nodes", index, "the top")[0] for index in range(len(_items(document, "nodes")))]
    children = {child for node in nodes for child in _items(node, "children", "a node") if isinstance(child, int)}
    roots: list[object] = [index for index in range(len(nodes)) if index not in children]
    if not roots:
        raise MeshError("every node of the glTF is the child of another: nodes must form a tree")
    return roots


def _name(declared: object) -> tuple[str, ...]:
    name = declared.get("name") if isinstance(declared, dict) else None
    return (name.strip(),) if isinstance(name, str) and name.strip() else ()


def _transform(node: Object, number: int) -> Affine:
    if "matrix" in node:
        m = _floats(node, "matrix", 16, number)  # column after column
        if m[3::4] != [0.0, 0.0, 0.0, 1.0]:
            raise MeshError(f"the matrix of node {number} of the glTF is not affine: its last row is not 0 0 0 1")
        return (m[0], m[4], m[8], m[12]), (m[1], m[5], m[9], m[13]), (m[2], m[6], m[10], m[14])
    transform = IDENTITY
    if "translation" in node:
        x, y, z = _floats(node, "translation", 3, number)
        transform = translation(x, y, z)
    if "rotation" in node:
        x, y, z, w = _floats(node, "rotation", 4, number)
        if not any((x, y, z, w)):
            raise MeshError(f"the rotation of node {number} of the glTF is a quaternion of length zero")
        transform = compose(transform, rotation_from_quaternion(x, y, z, w))
    if "scale" in node:
        x, y, z = _floats(node, "scale", 3, number)
        transform = compose(transform, scaling(x, y, z))
    return transform


def _floats(node: Object, key: str, count: int, number: int) -> list[float]:
    values = _items(node, key, f"node {number}")
    plain = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    # A whole number of more than 308 digits is no float.
    if not plain or len(values) != count or any(abs(value) > sys.float_info.max for value in values):
        raise MeshError(f"{key!r} of node {number} of the glTF needs {count} finite numbers")
    return [float(value) for value in values]


def _mesh(asset: _Asset, index: object) -> Geometry:
    mesh, number = _item(asset.json, "meshes", index, "a node")
    pieces, total = [], 0
    for place_in_mesh, primitive in enumerate(_items(mesh, "primitives", f"mesh {number}")):
        what = f"primitive {place_in_mesh} of mesh {number}"
        if not isinstance(primitive, dict):
            raise MeshError(f"{what} of the glTF is not an object")
        mode = _whole(primitive, "mode", what, _TRIANGLES)
        if mode < _TRIANGLES:
            continue
        position = _child_object(primitive, "attributes", what).get("POSITION")
        if position is None:
            asset.notes["primitives of the glTF without positions are left out"] = None
            continue
        if "targets" in primitive:
            asset.notes["the morph targets of the glTF are not applied"] = None
        positions = asset.accessor(position, what)
        available = len(positions.base)
        if positions.base.shape[1] != 3:
            raise MeshError(f"{what} of the glTF has positions that are not VEC3")
        indices = primitive.get("indices")
        count = available if indices is None else len(asset.accessor(indices, what).base)
        # Before anything is copied: many primitives may use one accessor.
        total += count // 3 if mode == _TRIANGLES else count
        refuse_too_many_triangles(total, asset.held())
        corners = np.arange(count) if indices is None else _indices(asset, indices, available, what)
        used, renumbered = on_used_rows(_triangles(mode, corners, what), available)
        pieces.append((positions.rows(used), renumbered))
    return joined(pieces)


def _indices(asset: _Asset, index: object, vertices: int, what: str) -> Indices:
    accessor = asset.accessor(index, what)
    if accessor.base.shape[1] != 1 or accessor.base.dtype.kind != "u":
        raise MeshError(f"{what} of the glTF has indices that are not unsigned whole numbers")
    corners = accessor.base[:, 0].astype(np.int64)
    if len(corners) and int(corners.max()) >= vertices:
        raise MeshError(f"{what} of the glTF refers to vertex {corners.max()}, but there are {vertices}")
    return corners


def _triangles(mode: int, corners: Indices, what: str) -> Indices:
    if mode == _TRIANGLES:
        if len(corners) % 3:
            raise MeshError(f"{what} of the glTF has {len(corners)} corners, which is not a multiple of 3")
        return corners.reshape(-1, 3)
    if mode == _STRIP:
        return strip(corners)
    if mode == _FAN:
        return np.column_stack((np.broadcast_to(corners[:1], (max(len(corners) - 2, 0),)), corners[1:-1], corners[2:]))
    raise MeshError(f"{what} of the glTF has the mode {mode}, which does not exist")


# The JSON, the buffers in the GLB, in `data:` URIs or in files, and the arrays in them --------------------------------

Object = dict[str, Any]

# glTF 2.0 specification, section 4.4 "Binary glTF Layout".
_MAGIC = b"glTF"
_JSON_CHUNK = 0x4E4F534A
_BINARY_CHUNK = 0x004E4942

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_DATA = re.compile(r"data:([^,]*),", re.IGNORECASE)


# glTF 2.0 specification, section 3.6.2.2 "Accessor Data Types".
_COMPONENTS: dict[int, np.dtype[Any]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
_SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


class _Accessor(NamedTuple):
    """(n, k) Numbers as they are in a buffer; only used rows are copied."""

    base: npt.NDArray[Any]
    normalized: bool

    def rows(self, numbers: Indices) -> Points:
        """Rows as float64, which holds every component type exactly."""
        stored = self.base[numbers]
        with np.errstate(invalid="ignore"):  # a NaN is refused later, with all coordinates that are not finite
            values = stored.astype(np.float64)
        if self.normalized and stored.dtype.kind in "iu":
            # glTF 2.0, section 3.6.2.2: the largest integer means 1, and signed ones stop at -1.
            values = np.maximum(values / np.iinfo(stored.dtype).max, -1.0)
        return values


class _Asset:
    def __init__(self, data: bytes, open_buffer: Callable[[str], bytes] | None = None) -> None:
        text, self._chunk, notes = _parts(data)
        self.json = _json(text)
        self.notes = dict.fromkeys(notes)
        self._open_buffer = open_buffer
        self._buffers: dict[int, bytes] = {}
        self._accessors: dict[int, _Accessor] = {}
        self._bytes = len(data)
        version = _child_object(self.json, "asset", "the top").get("version")
        if not isinstance(version, str) or not version.startswith("2."):
            told = repr(version) if re.fullmatch("[0-9.]{1,10}", str(version)) else "something else"
            raise MeshError(f"glTF version {told} is not read", remedy="export the mesh as glTF 2.0")

    def held(self) -> int:
        """The bytes of the file, and of the external buffers that were opened."""
        return self._bytes

    def accessor(self, index: object, what: str) -> _Accessor:
        declared, number = _item(self.json, "accessors", index, what)
        if number not in self._accessors:
            base = self._array(declared, f"accessor {number}")
            self._accessors[number] = _Accessor(base, declared.get("normalized") is True)
        return self._accessors[number]

    def _array(self, declared: Object, what: str) -> npt.NDArray[Any]:
        width = _SIZES.get(str(declared.get("type")))
        if width is None:
            raise MeshError(f"{what} of the glTF has no known type")
        component = _COMPONENTS.get(_whole(declared, "componentType", what))
        if component is None:
            raise MeshError(f"{what} of the glTF has no known componentType")
        if "sparse" in declared:
            raise MeshError(f"{what} of the glTF is sparse, which is not read", remedy="export the mesh without it")
        if "bufferView" not in declared:
            raise MeshError(f"{what} of the glTF has no data, so it may be compressed", remedy="export it uncompressed")
        count, offset = _whole(declared, "count", what), _whole(declared, "byteOffset", what, 0)
        view, number = _item(self.json, "bufferViews", declared["bufferView"], what)
        name = f"bufferView {number}"
        buffer = self._buffer(view.get("buffer"), name)
        start, length = _whole(view, "byteOffset", name, 0), _whole(view, "byteLength", name)
        if start + length > len(buffer):
            raise MeshError(f"{name} of the glTF ends at byte {start + length}, but its buffer at {len(buffer)}")
        element = width * component.itemsize
        stride = _whole(view, "byteStride", name, element)
        if stride < element:
            raise MeshError(f"{name} of the glTF has a byteStride of {stride}, less than the {element} of an element")
        needed = offset + stride * (count - 1) + element if count else 0
        if needed > length:
            raise MeshError(f"{what} of the glTF needs {needed} bytes, but its bufferView has {length}")
        if not count:
            return np.empty((0, width), dtype=component)
        return np.ndarray((count, width), component, buffer, start + offset, (stride, component.itemsize))

    def _buffer(self, number: object, what: str) -> bytes:
        declared, index = _item(self.json, "buffers", number, what)
        if index not in self._buffers:
            size = declared.get("byteLength")
            if not isinstance(size, int) or isinstance(size, bool) or size < 0:
                raise MeshError(f"buffer {index} of the glTF has no byteLength")
            content = self._content(declared.get("uri"), index)
            if len(content) < size:
                raise MeshError(f"buffer {index} of the glTF is cut off: {len(content):,} of {size:,} bytes")
            self._buffers[index] = content[:size]
        return self._buffers[index]

    def _content(self, uri: object, index: int) -> bytes:
        if uri is None:
            if index != 0 or self._chunk is None:
                raise MeshError(f"buffer {index} of the glTF has neither a uri nor the binary chunk of a GLB")
            return self._chunk
        if not isinstance(uri, str):
            raise MeshError(f"the uri of buffer {index} of the glTF is not a text")
        if data := _DATA.match(uri):
            return _decoded(data.group(1), uri[data.end() :], index)
        assert self._open_buffer is not None, "a reader of the files' names reads no buffer"
        try:
            content = self._open_buffer(_relative_path(uri))
        except ResourceError as error:
            raise MeshError(f"the buffer {uri[:80]!r} of the glTF {error.problem}", remedy=error.remedy) from None
        refuse_git_lfs_pointer(content)
        self._bytes += len(content)
        return content


def _parts(data: bytes) -> tuple[bytes, bytes | None, tuple[str, ...]]:
    """The JSON, the binary chunk of a GLB, and notes."""
    if not data.startswith(_MAGIC):
        return data, None, ()
    if len(data) < 20:
        raise MeshError(f"cut off: {len(data)} of the 20 bytes of a GLB's header")
    version, length = (int.from_bytes(data[start : start + 4], "little") for start in (4, 8))
    if version != 2:
        raise MeshError(f"GLB version {version} is not read", remedy="export the mesh as glTF 2.0")
    if length > len(data):
        raise MeshError(f"cut off: {len(data):,} of {length:,} bytes")
    notes = () if length == len(data) else (f"the {len(data) - length} bytes after the end of the GLB are ignored",)
    chunks: list[tuple[int, bytes]] = []
    position = 12
    # Chunks after the second are extensions, to be skipped.
    while position + 8 <= length and len(chunks) < 2:
        size, kind = (int.from_bytes(data[start : start + 4], "little") for start in (position, position + 4))
        position += 8
        if size > length - position:
            raise MeshError(f"cut off: {length - position:,} of {size:,} bytes of a GLB chunk")
        chunks.append((kind, data[position : position + size]))
        position += size
    if not chunks or chunks[0][0] != _JSON_CHUNK:
        raise MeshError("the first chunk of the GLB is not JSON")
    chunk = chunks[1][1] if len(chunks) > 1 and chunks[1][0] == _BINARY_CHUNK else None
    return chunks[0][1], chunk, notes


def _json(data: bytes) -> dict[str, Any]:
    def refused(text: str) -> NoReturn:
        raise ValueError(f"{text} is not a JSON number")

    try:
        document = json.loads(data.decode("utf-8-sig"), parse_constant=refused)
    except RecursionError:
        raise MeshError("the JSON of the glTF is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise MeshError(f"the JSON of the glTF is not UTF-8, at byte {error.start}") from None
    except ValueError as error:
        raise MeshError(f"the glTF is not valid JSON: {error}") from None
    if not isinstance(document, dict):
        raise MeshError("the JSON of the glTF is not an object")
    return document


def _decoded(media_type: str, text: str, index: int) -> bytes:
    if not media_type.lower().endswith(";base64"):
        return unquote_to_bytes(text)
    try:
        return base64.b64decode(unquote(text), validate=True)
    except ValueError:
        raise MeshError(f"the data: URI of buffer {index} of the glTF is not base64") from None


def _relative_path(uri: str) -> str:
    shown = uri[:80]
    if _SCHEME.match(uri):
        raise MeshError(f"the buffer {shown!r} of the glTF is not in a file beside it, and nothing else is read")
    relative = unquote(uri)
    inside = posixpath.normpath(relative)
    # A backslash separates directories on one system and not on another; a colon may begin a drive or a stream.
    if not relative or "\0" in relative or "\\" in relative or ":" in relative or inside == ".":
        raise MeshError(f"the buffer uri {shown!r} of the glTF names no file")
    if inside.startswith("/") or inside.split("/")[0] == "..":
        raise MeshError(f"the buffer {shown!r} of the glTF is outside the directory of the mesh, and is not read")
    return inside


def _whole(declared: Object, key: str, what: str, default: int | None = None) -> int:
    value = declared.get(key, default)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        found = repr(value)[:40] if isinstance(value, (int, float)) else "something else"
        raise MeshError(f"{what} of the glTF needs a whole number {key!r}, found {found}")
    return value


def _child_object(declared: Object, key: str, what: str) -> Object:
    value = declared.get(key, {})
    if not isinstance(value, dict):
        raise MeshError(f"{key!r} of {what} of the glTF is not an object")
    return value


def _items(declared: Object, key: str, what: str = "the top") -> list[Any]:
    value = declared.get(key, [])
    if not isinstance(value, list):
        raise MeshError(f"{key!r} of {what} of the glTF is not a list")
    return value


def _item(document: Object, key: str, index: object, what: str) -> tuple[Object, int]:
    there = _items(document, key)
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(there):
        raise MeshError(f"{what} of the glTF refers to number {str(index)[:40]} of {key}, but there are {len(there)}")
    if not isinstance(there[index], dict):
        raise MeshError(f"number {index} of {key} of the glTF is not an object")
    return there[index], index
