"""The accessors of glTF: arrays in buffers, checked before they are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Indices, Points
from sdfinertia.mesh.readers.gltf_buffers import (
    Asset,
    Object,
    buffer_bytes,
    buffer_declarations,
    child_object,
    item,
    whole,
)

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


class _Sparse(NamedTuple):
    indices: npt.NDArray[Any]
    values: npt.NDArray[Any]


class Accessor(NamedTuple):
    """(length, n) Numbers as they are in a buffer; only used rows are copied."""

    base: npt.NDArray[Any] | None
    sparse: _Sparse | None
    length: int
    width: int
    normalized: bool

    def rows(self, numbers: Indices) -> Points:
        """(k, n) Rows as float64, which holds every component type exactly."""
        if self.base is None:
            rows = np.zeros((len(numbers), self.width))
        else:
            rows = _plain(self.base[numbers], self.normalized)
        if self.sparse is not None and len(self.sparse.indices):
            place = np.searchsorted(self.sparse.indices, numbers).clip(max=len(self.sparse.indices) - 1)
            replaced = self.sparse.indices[place] == numbers
            rows[replaced] = _plain(self.sparse.values[place[replaced]], self.normalized)
        return rows


class Accessors:
    def __init__(self, asset: Asset, open_buffer: Callable[[str], bytes]) -> None:
        self._asset = asset
        self._open_buffer = open_buffer
        self._buffers: dict[int, bytes] = {}
        self._read: dict[int, Accessor] = {}

    def accessor(self, index: object, what: str) -> Accessor:
        declared, number = item(self._asset.json, "accessors", index, what)
        if number not in self._read:
            self._read[number] = self._checked(declared, f"accessor {number}")
        return self._read[number]

    def _checked(self, declared: Object, what: str) -> Accessor:
        count = whole(declared, "count", what)
        width = _SIZES.get(str(declared.get("type")))
        if width is None:
            raise MeshError(f"{what} of the glTF has no known type")
        component = _component(declared, what)
        base = None
        if "bufferView" in declared:
            offset = whole(declared, "byteOffset", what, 0)
            base = self._view(declared["bufferView"], offset, count, width, component, what)
        sparse = None
        if "sparse" in declared:
            sparse = self._sparse(child_object(declared, "sparse", what), count, width, component, what)
        if base is None:
            self._require_data(declared, sparse, count, what)
        return Accessor(base, sparse, count, width, declared.get("normalized") is True)

    def _require_data(self, declared: Object, sparse: _Sparse | None, count: int, what: str) -> None:
        if sparse is None:
            raise MeshError(f"{what} of the glTF has no data, so it may be compressed", remedy="export it uncompressed")
        # Elements outside any buffer are zeros: there may be no more of them than the asset has bytes.
        there = sum(len(self._buffer(index)) for index in range(len(buffer_declarations(self._asset.json))))
        if count > there:
            raise MeshError(f"{what} of the glTF counts {count} elements, but all buffers hold {there} bytes")

    def _sparse(self, declared: Object, count: int, width: int, component: np.dtype[Any], what: str) -> _Sparse:
        what = f"the sparse part of {what}"
        replaced = whole(declared, "count", what)
        places, values = child_object(declared, "indices", what), child_object(declared, "values", what)
        index_type = _component(places, what)
        if index_type.kind != "u":
            raise MeshError(f"{what} of the glTF has indices that are not unsigned whole numbers")
        place = whole(places, "byteOffset", what, 0)
        indices = self._view(places.get("bufferView"), place, replaced, 1, index_type, what)[:, 0].astype(np.int64)
        if len(indices) and (int(indices[-1]) >= count or bool((np.diff(indices) <= 0).any())):
            raise MeshError(f"{what} of the glTF has indices that do not increase, or lie beyond its {count} elements")
        place = whole(values, "byteOffset", what, 0)
        return _Sparse(indices, self._view(values.get("bufferView"), place, replaced, width, component, what))

    def _view(
        self, index: object, offset: int, count: int, width: int, component: np.dtype[Any], what: str
    ) -> npt.NDArray[Any]:
        view, number = item(self._asset.json, "bufferViews", index, what)
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
            self._buffers[index] = buffer_bytes(self._asset, index, self._open_buffer)
        return self._buffers[index]


def _component(declared: Object, what: str) -> np.dtype[Any]:
    component = _COMPONENTS.get(whole(declared, "componentType", what))
    if component is None:
        raise MeshError(f"{what} of the glTF has no known componentType")
    return component


def _plain(stored: npt.NDArray[Any], normalized: bool) -> Points:
    with np.errstate(invalid="ignore"):  # a NaN is refused later, with all coordinates that are not finite
        values = stored.astype(np.float64)
    if normalized and stored.dtype.kind in "iu":
        # glTF 2.0, section 3.6.2.2: the largest integer means 1, and signed ones stop at -1.
        values = np.maximum(values / np.iinfo(stored.dtype).max, -1.0)
    return values
