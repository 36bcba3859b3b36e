"""PLY: the text form and both binary forms, of which vertices and faces (or triangle strips) are read."""

from __future__ import annotations

import re
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError, printable
from sdfinertia.mesh.kernel import Indices, Points
from sdfinertia.mesh.readers.text_numbers import floats, integers
from sdfinertia.mesh.triangle_mesh import TriangleMesh, planarity_notes, strip, triangulated
from sdfinertia.named_tuple import NamedTuple

Order = Literal["=", "<", ">"]

# The names of Turk's format (1994), and those that other writers use for the same.
_TYPES = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
_BYTE_ORDERS: dict[str, Order] = {"ascii": "=", "binary_little_endian": "<", "binary_big_endian": ">"}
_INDEX_NAMES = ("vertex_indices", "vertex_index")
_FIRST_LINE = re.compile(rb"ply[ \t]*(\r\n|\n|\r)")
# A header with lone CR ends at a CR, since the next byte may be data that looks like LF.
_END_OF_HEADER = {
    b"\r": re.compile(rb"\rend_header[ \t]*(?:\r|\Z)"),
    b"\n": re.compile(rb"\nend_header[ \t]*(?:\r?\n|\Z)"),
    b"\r\n": re.compile(rb"\nend_header[ \t]*(?:\r?\n|\Z)"),
}


class _Property(NamedTuple):
    name: str
    type: np.dtype[Any]
    length: np.dtype[Any] | None  # of a list: the type of its count


class _Element(NamedTuple):
    name: str
    size: int
    properties: list[_Property]

    def index_list(self) -> int | None:
        lists = (i for i, each in enumerate(self.properties) if each.length is not None and each.name in _INDEX_NAMES)
        return next(lists, None)

    def axes(self) -> list[int]:
        places = {each.name: i for i, each in enumerate(self.properties) if each.length is None}
        if not {"x", "y", "z"} <= places.keys():
            raise MeshError("the vertices of the PLY have no properties x, y and z")
        return [places[axis] for axis in "xyz"]


class _Lists(NamedTuple):
    """Index lists of one element: how many in each, and all after another."""

    counts: Indices
    corners: Indices


def read_ply(data: bytes) -> TriangleMesh:
    form, elements, start, lines = _header(data)
    reader: _Text | _Binary = (
        _Text(data[start:], lines) if form == "ascii" else _Binary(data, start, _BYTE_ORDERS[form])
    )
    vertices = np.empty((0, 3))
    faces = [np.empty((0, 3), dtype=np.int64)]
    polygons: list[tuple[Indices, Indices]] = []
    notes: list[str] = []
    for element in elements:
        if element.name == "vertex":
            vertices = reader.columns(element, element.axes())
        elif element.name in ("face", "tristrips") and element.size:
            place = element.index_list()
            if place is None:
                raise MeshError(f"the {element.name} element of the PLY has no list of vertex_indices")
            lists = reader.lists(element, place)
            if element.name == "face":
                polygons.append((lists.corners, lists.counts))
                if (narrow := int((lists.counts < 3).sum())) > 0:
                    notes.append(f"{narrow} PLY faces with fewer than 3 corners are left out")
            else:
                faces += [strip(each) for each in _strips(lists)]
        else:
            reader.skip(element)
    if reader.remains():
        notes.append("what follows the last element that the PLY header declares is ignored")
    for corners, counts in polygons:
        faces.append(triangulated(vertices, corners, counts))
        notes += planarity_notes("PLY", vertices, corners, counts)
    return TriangleMesh(vertices, np.concatenate(faces), (), tuple(notes))


def _header(data: bytes) -> tuple[str, list[_Element], int, int]:
    """Format, elements, where the header ends, and how many lines it has."""
    first = _FIRST_LINE.match(data)
    if first is None:
        raise MeshError("does not begin with 'ply'")
    end = _END_OF_HEADER[first.group(1)].search(data)
    if end is None:
        raise MeshError("cut off, maybe: the PLY header has no end_header")
    form = ""
    elements: list[_Element] = []
    # Not by `str.splitlines`, which ends lines at characters that mean nothing here.
    lines = data[: end.end()].splitlines()
    for number, line in enumerate(lines[:-1], start=1):
        words = line.decode("ascii", "replace").split()
        if number == 1 or not words or words[0] in ("comment", "obj_info"):
            continue
        if words[0] == "format" and len(words) == 3 and words[1] in _BYTE_ORDERS:
            form = words[1]
        elif words[0] == "element" and len(words) == 3 and re.fullmatch("[0-9]{1,18}", words[2]):
            elements.append(_Element(printable(words[1]), int(words[2]), []))
        elif words[0] == "property" and elements and (read := _property(words[1:])) is not None:
            elements[-1].properties.append(read)
        else:
            # Not quoted: any file that begins with "ply" comes here.
            raise MeshError(f"line {number} is not valid in a PLY header")
    if not form:
        raise MeshError("the PLY header names no format")
    return form, elements, end.end(), len(lines)


def _property(words: list[str]) -> _Property | None:
    if len(words) == 2 and words[0] in _TYPES:
        return _Property(words[1], np.dtype(_TYPES[words[0]]), None)
    if len(words) == 4 and words[0] == "list" and words[1] in _TYPES and words[2] in _TYPES:
        length, each = np.dtype(_TYPES[words[1]]), np.dtype(_TYPES[words[2]])
        if length.kind in "iu" and (each.kind in "iu" or words[3] not in _INDEX_NAMES):
            return _Property(words[3], each, length)
    return None


def _strips(lists: _Lists) -> list[Indices]:
    """Each strip of each list; -1 ends one strip and begins the next."""
    strips = []
    for corners in np.split(lists.corners, np.cumsum(lists.counts)[:-1]):
        strips += [part[part >= 0] for part in np.split(corners, np.flatnonzero(corners == -1))]
    return strips


def _ends_early(element: _Element, there: int) -> MeshError:
    return MeshError(f"cut off: {there:,} of {element.size:,} {element.name} elements")


class _Text:
    """The text form: one element a line."""

    def __init__(self, data: bytes, lines_before: int) -> None:
        self._lines = data.splitlines()
        self._next = 0
        self._lines_before = lines_before

    def _words(self, element: _Element, number: int) -> list[bytes]:
        while self._next < len(self._lines):
            words = self._lines[self._next].split()
            self._next += 1
            if words:
                return words
        raise _ends_early(element, number)

    def _wrong(self, problem: str) -> MeshError:
        return MeshError(f"line {self._lines_before + self._next}: {problem}")

    def columns(self, element: _Element, places: list[int]) -> Points:
        values: list[list[float]] = []
        has_lists = any(each.length is not None for each in element.properties)
        for number in range(element.size):
            words = self._words(element, number)
            if has_lists:
                spans = self._spans(element, words)
                chosen = [words[spans[place][0]] for place in places]
            elif len(words) != len(element.properties):
                raise self._wrong(f"{element.name} has {len(element.properties)} properties, found {len(words)} values")
            else:
                chosen = [words[place] for place in places]
            try:
                values.append(floats(chosen))
            except ValueError as error:
                raise self._wrong(f"expected a decimal number, found {error}") from None
        return np.array(values, dtype=np.float64).reshape(-1, len(places))

    def lists(self, element: _Element, place: int) -> _Lists:
        counts: list[int] = []
        corners: list[bytes] = []
        for number in range(element.size):
            words = self._words(element, number)
            start, stop = self._spans(element, words)[place]
            counts.append(stop - start)
            corners += words[start:stop]
        try:
            return _Lists(np.array(counts, dtype=np.int64), integers(corners))
        except ValueError as error:
            raise MeshError(f"the {element.name} element of the PLY needs vertex numbers, found {error}") from None

    def skip(self, element: _Element) -> None:
        for number in range(element.size if element.properties else 0):
            self._words(element, number)

    def remains(self) -> bool:
        return any(map(bytes.strip, self._lines[self._next :]))

    def _spans(self, element: _Element, words: list[bytes]) -> list[tuple[int, int]]:
        spans = []
        position = 0
        for each in element.properties:
            length = 1
            if each.length is not None:
                if position >= len(words) or not words[position].isdigit() or len(words[position]) > 18:
                    raise self._wrong(f"{element.name} needs the length of a list as value {position + 1}")
                length = int(words[position])
                position += 1
            spans.append((position, position + length))
            position += length
        if position != len(words):
            raise self._wrong(f"{element.name} should have {position} values, found {len(words)}")
        return spans


class _Binary:
    """The binary forms: values one after the other."""

    def __init__(self, data: bytes, start: int, order: Order) -> None:
        self._data = data
        self._next = start
        self._order = order

    def columns(self, element: _Element, places: list[int]) -> Points:
        if any(each.length is not None for each in element.properties):
            raise MeshError(f"the {element.name} element of the PLY has a list, which is not read")
        records = self._records(element, self._record(element, 0))
        with np.errstate(invalid="ignore"):
            return np.column_stack([records[str(place)].astype(np.float64) for place in places])

    def lists(self, element: _Element, place: int) -> _Lists:
        if sum(each.length is not None for each in element.properties) == 1 and element.size:
            alike = self._lists_of_one_length(element, place)
            if alike is not None:
                return alike
        return self._one_by_one(element, place)

    def skip(self, element: _Element) -> None:
        if any(each.length is not None for each in element.properties):
            self._one_by_one(element, None)
        elif element.properties:
            self._records(element, self._record(element, 0))

    def remains(self) -> bool:
        return self._next < len(self._data)

    def _record(self, element: _Element, length: int) -> np.dtype[Any]:
        """The record of an element whose lists all have `length` members; fields are named by number."""
        fields: list[Any] = []
        for number, each in enumerate(element.properties):
            if each.length is None:
                fields.append((str(number), each.type.newbyteorder(self._order)))
            else:
                fields.append((f"length {number}", each.length.newbyteorder(self._order)))
                fields.append((str(number), each.type.newbyteorder(self._order), (length,)))
        return np.dtype(fields)

    def _records(self, element: _Element, record: np.dtype[Any]) -> npt.NDArray[Any]:
        there = (len(self._data) - self._next) // record.itemsize
        if there < element.size:
            raise _ends_early(element, there)
        records = np.frombuffer(self._data, record, element.size, self._next)
        self._next += record.itemsize * element.size
        return records

    def _lists_of_one_length(self, element: _Element, place: int) -> _Lists | None:
        """The lists if all are as long as the first, as in every mesh of triangles; else None, and nothing read."""
        before = sum(each.type.itemsize for each in element.properties[:place])
        lengths = element.properties[place].length
        assert lengths is not None
        first = self._data[self._next + before : self._next + before + lengths.itemsize]
        if len(first) < lengths.itemsize:
            raise _ends_early(element, 0)
        length = int(np.frombuffer(first, lengths.newbyteorder(self._order))[0])
        # Any length is tried only if the whole element fits, so that no wild number becomes a record.
        fixed = sum(each.type.itemsize for each in element.properties if each.length is None) + lengths.itemsize
        size = fixed + length * element.properties[place].type.itemsize
        if length < 0 or size * element.size > len(self._data) - self._next:
            return None
        start = self._next
        records = self._records(element, self._record(element, length))
        if not (records[f"length {place}"] == length).all():
            self._next = start
            return None
        return _Lists(np.full(element.size, length), records[str(place)].astype(np.int64).reshape(-1))

    def _one_by_one(self, element: _Element, place: int | None) -> _Lists:
        counts: list[int] = []
        pieces: list[bytes] = []
        for number in range(element.size):
            for index, each in enumerate(element.properties):
                length = 1
                if each.length is not None:
                    raw = self._take(each.length.itemsize, element, number)
                    length = int.from_bytes(
                        raw, "little" if self._order == "<" else "big", signed=each.length.kind == "i"
                    )
                    if length < 0:
                        raise MeshError(f"{element.name} {number} of the PLY has a list of {length} members")
                content = self._take(length * each.type.itemsize, element, number)
                if index == place:
                    counts.append(length)
                    pieces.append(content)
        if place is None:
            return _Lists(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
        stored = element.properties[place].type.newbyteorder(self._order)
        corners = np.frombuffer(b"".join(pieces), stored).astype(np.int64)
        return _Lists(np.array(counts, dtype=np.int64), corners)

    def _take(self, size: int, element: _Element, number: int) -> bytes:
        if size > len(self._data) - self._next:
            raise _ends_early(element, number)
        content = self._data[self._next : self._next + size]
        self._next += size
        return content
