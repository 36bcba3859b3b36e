"""The JSON of a glTF asset, its buffers in the GLB, in `data:` URIs or in files, and the arrays in them."""

from __future__ import annotations

import base64
import json
import posixpath
import re
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from urllib.parse import unquote, unquote_to_bytes

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError, ResourceError
from sdfinertia.mesh.readers.formats import refuse_git_lfs_pointer

if TYPE_CHECKING:
    from collections.abc import Callable

    from sdfinertia.mesh.kernel import Indices, Points

Object = dict[str, Any]

# glTF 2.0 specification, section 4.4 "Binary glTF Layout".
_MAGIC = b"glTF"
_JSON_CHUNK = 0x4E4F534A
_BINARY_CHUNK = 0x004E4942

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_DATA = re.compile(r"data:([^,]*),", re.IGNORECASE)


class Asset(NamedTuple):
    json: dict[str, Any]
    chunk: bytes | None
    notes: tuple[str, ...]


def asset(data: bytes) -> Asset:
    if not data.startswith(_MAGIC):
        return Asset(_json(data), None, ())
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
    return Asset(_json(chunks[0][1]), chunk, notes)


def check_version(document: dict[str, Any]) -> None:
    version = child_object(document, "asset", "the top").get("version")
    if not isinstance(version, str) or not version.startswith("2."):
        told = repr(version) if re.fullmatch("[0-9.]{1,10}", str(version)) else "something else"
        raise MeshError(f"glTF version {told} is not read", remedy="export the mesh as glTF 2.0")


def buffer_files(data: bytes) -> list[str]:
    document = asset(data).json
    check_version(document)
    uris = (buffer.get("uri") for buffer in _buffer_declarations(document))
    return list(dict.fromkeys(_relative_path(uri) for uri in uris if isinstance(uri, str) and not _DATA.match(uri)))


def _buffer_declarations(document: dict[str, Any]) -> list[dict[str, Any]]:
    declared = document.get("buffers", [])
    if not isinstance(declared, list) or not all(isinstance(each, dict) for each in declared):
        raise MeshError("'buffers' of the glTF is not a list of objects")
    return declared


def _buffer_bytes(asset: Asset, index: int, open_buffer: Callable[[str], bytes]) -> bytes:
    declared = _buffer_declarations(asset.json)[index]
    size, uri = declared.get("byteLength"), declared.get("uri")
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise MeshError(f"buffer {index} of the glTF has no byteLength")
    if uri is None:
        if index != 0 or asset.chunk is None:
            raise MeshError(f"buffer {index} of the glTF has neither a uri nor the binary chunk of a GLB")
        content = asset.chunk
    elif not isinstance(uri, str):
        raise MeshError(f"the uri of buffer {index} of the glTF is not a text")
    elif data := _DATA.match(uri):
        content = _decoded(data.group(1), uri[data.end() :], index)
    else:
        try:
            content = open_buffer(_relative_path(uri))
        except ResourceError as error:
            raise MeshError(f"the buffer {uri[:80]!r} of the glTF {error.problem}", remedy=error.remedy) from None
        refuse_git_lfs_pointer(content)
    if len(content) < size:
        raise MeshError(f"buffer {index} of the glTF is cut off: {len(content):,} of {size:,} bytes")
    return content[:size]


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


# The JSON -------------------------------------------------------------------------------------------------------------


def whole(declared: Object, key: str, what: str, default: int | None = None) -> int:
    value = declared.get(key, default)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        found = repr(value)[:40] if isinstance(value, (int, float)) else "something else"
        raise MeshError(f"{what} of the glTF needs a whole number {key!r}, found {found}")
    return value


def child_object(declared: Object, key: str, what: str) -> Object:
    value = declared.get(key, {})
    if not isinstance(value, dict):
        raise MeshError(f"{key!r} of {what} of the glTF is not an object")
    return value


def items(declared: Object, key: str, what: str = "the top") -> list[Any]:
    value = declared.get(key, [])
    if not isinstance(value, list):
        raise MeshError(f"{key!r} of {what} of the glTF is not a list")
    return value


def item(document: Object, key: str, index: object, what: str) -> tuple[Object, int]:
    there = items(document, key)
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(there):
        raise MeshError(f"{what} of the glTF refers to number {str(index)[:40]} of {key}, but there are {len(there)}")
    if not isinstance(there[index], dict):
        raise MeshError(f"number {index} of {key} of the glTF is not an object")
    return there[index], index


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


class Accessor(NamedTuple):
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


class Accessors:
    def __init__(self, asset: Asset, open_buffer: Callable[[str], bytes]) -> None:
        self._asset = asset
        self._open_buffer = open_buffer
        self._buffers: dict[int, bytes] = {}
        self._read: dict[int, Accessor] = {}
        self.external_bytes = 0

    def accessor(self, index: object, what: str) -> Accessor:
        declared, number = item(self._asset.json, "accessors", index, what)
        if number not in self._read:
            self._read[number] = self._checked(declared, f"accessor {number}")
        return self._read[number]

    def _checked(self, declared: Object, what: str) -> Accessor:
        width = _SIZES.get(str(declared.get("type")))
        if width is None:
            raise MeshError(f"{what} of the glTF has no known type")
        component = _COMPONENTS.get(whole(declared, "componentType", what))
        if component is None:
            raise MeshError(f"{what} of the glTF has no known componentType")
        if "sparse" in declared:
            raise MeshError(f"{what} of the glTF is sparse, which is not read", remedy="export the mesh without it")
        if "bufferView" not in declared:
            raise MeshError(f"{what} of the glTF has no data, so it may be compressed", remedy="export it uncompressed")
        base = self._view(declared, whole(declared, "count", what), width, component, what)
        return Accessor(base, declared.get("normalized") is True)

    def _view(self, declared: Object, count: int, width: int, component: np.dtype[Any], what: str) -> npt.NDArray[Any]:
        offset = whole(declared, "byteOffset", what, 0)
        view, number = item(self._asset.json, "bufferViews", declared["bufferView"], what)
        name = f"bufferView {number}"
        _, buffer_number = item(self._asset.json, "buffers", view.get("buffer"), name)
        buffer = self._buffer(buffer_number)
        start, length = whole(view, "byteOffset", name, 0), whole(view, "byteLength", name)
        if start + length > len(buffer):
            raise MeshError(f"{name} of the glTF ends at byte {start + length}, but its buffer at {len(buffer)}")
        element = width * component.itemsize
        stride = whole(view, "byteStride", name, element)
        if stride < element:
            raise MeshError(f"{name} of the glTF has a byteStride of {stride}, less than the {element} of an element")
        needed = offset + stride * (count - 1) + element if count else 0
        if needed > length:
            raise MeshError(f"{what} of the glTF needs {needed} bytes, but its bufferView has {length}")
        if not count:
            return np.empty((0, width), dtype=component)
        strides = (stride, component.itemsize)
        view_of_buffer: npt.NDArray[Any] = np.ndarray((count, width), component, buffer, start + offset, strides)
        return view_of_buffer

    def _buffer(self, index: int) -> bytes:
        if index not in self._buffers:
            self._buffers[index] = _buffer_bytes(self._asset, index, self._opened)
        return self._buffers[index]

    def _opened(self, name: str) -> bytes:
        content = self._open_buffer(name)
        self.external_bytes += len(content)
        return content
