"""STL: triangles without sharing, in the binary or in the text form."""

from __future__ import annotations

import re
from itertools import cycle
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.mesh.kernel import Points, distinct_rows
from sdfinertia.mesh.readers.text_numbers import is_decimal, quoted, without_byte_order_mark
from sdfinertia.mesh.triangle_mesh import TriangleMesh

# 80 bytes of free text, the number of facets, and 50 bytes for each (3D Systems 1989).
_HEADER_SIZE = 84
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

_SOLID = re.compile(rb"(?:\xef\xbb\xbf)?\s*solid(?!\S)", re.IGNORECASE)


def read_stl(data: bytes) -> TriangleMesh:
    """The triangles of an STL file."""
    facets = int.from_bytes(data[80:84], "little")
    size = _HEADER_SIZE + _FACET.itemsize * facets
    if len(data) >= _HEADER_SIZE and len(data) == size:
        return _binary(data, facets, ())
    if _SOLID.match(data):
        if _ANY_FACET.search(data) is not None:
            return read_stl_text(data)
        if len(data) < max(size, _HEADER_SIZE) and b"\0" not in data:
            raise MeshError("begins as a text STL, but holds no facets")
    if len(data) < _HEADER_SIZE:
        raise MeshError(f"binary STL cut off: {len(data)} of the 84 bytes of its header")
    if len(data) < size:
        there = (len(data) - _HEADER_SIZE) // _FACET.itemsize
        raise MeshError(f"binary STL cut off: {there:,} of {facets:,} facets", remedy="fetch or export it again")
    note = f"the {len(data) - size} bytes after the last of the {facets} facets that the STL header counts are ignored"
    return _binary(data, facets, (note,))


def _binary(data: bytes, facets: int, notes: tuple[str, ...]) -> TriangleMesh:
    corners = corners_of_facets(data, facets)
    if facets and not np.isfinite((corners.min(), corners.max())).all():
        # Refused later, with all coordinates that are not finite, by the number of the corner in the file.
        with np.errstate(invalid="ignore"):
            return TriangleMesh(
                corners.astype(np.float64), np.arange(len(corners), dtype=np.int64).reshape(-1, 3), (), notes
            )
    # Welded as 32-bit floats: of six corners at one position one is left.
    first, number = distinct_rows(corners.view(np.uint32))
    return TriangleMesh(corners[first].astype(np.float64), number.reshape(-1, 3), (), notes, is_welded=True)


def box_of_binary(data: bytes) -> tuple[Points, Points] | None:
    """The corners of the box around the facets of a binary STL; None where it is not just that and finite."""
    facets = int.from_bytes(data[80:84], "little")
    if not facets or len(data) != _HEADER_SIZE + _FACET.itemsize * facets:
        return None
    lower, upper = bounding_box(corners_of_facets(data, facets))
    return (lower, upper) if np.isfinite(lower).all() and np.isfinite(upper).all() else None


def corners_of_facets(data: bytes, facets: int) -> npt.NDArray[np.float32]:
    """The corners of a binary STL's facets, three after three, (3 facets, 3); a zero is never negative."""
    records = np.frombuffer(data, dtype=_FACET, count=facets, offset=_HEADER_SIZE)
    corners = np.empty((3 * facets, 3), np.float32)
    with np.errstate(invalid="ignore"):
        # -0 + 0 is 0, so equal numbers have equal bits.
        np.add(records["corners"], np.float32(0.0), out=corners.reshape(-1, 3, 3))
    return corners


_ANY_FACET = re.compile(rb"\bfacet\s+normal\b", re.IGNORECASE)
# The name is free text to the end of the line.
_SOLID_LINE = re.compile(rb"\s*solid(?!\S)[^\r\n]*\s*")
_ENDSOLID_LINE = re.compile(rb"endsolid(?!\S)[^\r\n]*\s*")
_WORD = re.compile(rb"\s*(\S+)")
_WORDS = re.compile(rb"\S+")
_END_OF_WORD = re.compile(rb"\S*\s*")
_KEYWORDS = (b"solid", b"facet", b"normal", b"outer", b"loop", b"vertex", b"endloop", b"endfacet", b"endsolid")

# None is a coordinate, an empty word one of the normal, which is not read: it is `nan` in degenerate facets.
_VERTEX_WORDS = (b"vertex", None, None, None)
_FACET_WORDS = (
    *(b"facet", b"normal", b"", b"", b"", b"outer", b"loop"),
    *3 * _VERTEX_WORDS,
    *(b"endloop", b"endfacet"),
)
# Facets of so much text are read at once: the words they become take five times its memory, and should stay in cache.
_PIECE = 1 << 17


def read_stl_text(data: bytes) -> TriangleMesh:
    data = without_byte_order_mark(data)
    text = data.lower()
    facets = [np.empty((0, 9))]
    position = 0
    while position < len(text):
        opening = _SOLID_LINE.match(text, position)
        if opening is None:
            _fail(data, position, "'solid'")
        position = opening.end()
        end = text.find(b"endsolid", position)
        end = len(text) if end < 0 else end
        while (closing := _ENDSOLID_LINE.match(text, position)) is None:
            stop = _end_of_piece(text, position, end)
            coordinates = _by_columns(text[position:stop])
            if coordinates is None:
                _fail_in_facets(data, position)
            facets.append(coordinates)
            position = stop
        position = closing.end()
    vertices = np.concatenate(facets).reshape(-1, 3)
    return TriangleMesh(vertices, np.arange(len(vertices), dtype=np.int64).reshape(-1, 3))


def _end_of_piece(text: bytes, position: int, end: int) -> int:
    last = text.rfind(b"endfacet", position, min(position + _PIECE, end))
    if last < 0:
        last = text.find(b"endfacet", position, end)
    match = _END_OF_WORD.match(text, end if last < 0 else last)
    assert match is not None  # nothing is a match too
    return match.end()


def _by_columns(text: bytes) -> Points | None:
    """(n, 9) The coordinates of the facets in a text, or None if it is not theirs."""
    words = text.split()
    size = len(_FACET_WORDS)
    count, rest = divmod(len(words), size)
    places = []
    for place, word in enumerate(_FACET_WORDS):
        if word is None:
            places.append(place)
        elif word and words[place::size].count(word) != count:
            return None
    # A word of the normal that ends a facet would end it where the text is cut into pieces, and only there.
    if rest or not count or text.count(b"endfacet") != count:
        return None
    columns = [words[place::size] for place in places]
    if b"_" in text and any(b"_" in b"".join(column) for column in columns):
        return None
    try:
        # Beside decimals `float` takes `nan` and `inf`; it takes three quarters of the time of `decimals`.
        coordinates = np.column_stack([np.fromiter(map(float, column), np.float64, count) for column in columns])
    except ValueError:
        return None
    return coordinates if np.isfinite(coordinates).all() else None


def _fail_in_facets(data: bytes, position: int) -> NoReturn:
    words = _WORDS.finditer(data, position)
    for place in cycle(range(len(_FACET_WORDS))):
        expected = _FACET_WORDS[place]
        match = next(words, None)
        word = match.group() if match else b""
        lower = word.lower()
        if expected is None:
            fits = is_decimal(word)
        else:
            ends = expected == b"" and (b"endfacet" in lower or b"endsolid" in lower)
            fits = word != b"" and lower == (expected or lower) and not ends
        if not fits:
            wanted = f"'{expected.decode()}'" if expected else "a number"
            _fail(data, match.start() if match else len(data), "'facet' or 'endsolid'" if place == 0 else wanted)
    raise AssertionError("facets that cannot be read are wrong somewhere")


def _fail(data: bytes, position: int, expected: str) -> NoReturn:
    match = _WORD.match(data, position)
    if match is None:
        raise MeshError(f"cut off: the text STL ends where {expected} is expected")
    before = data[: match.start(1)]
    line = 1 + before.count(b"\n") + before.replace(b"\r\n", b"").count(b"\r")
    word = match.group(1)
    found = repr(word.decode()) if word.lower() in _KEYWORDS else quoted(word)
    raise MeshError(f"line {line}: expected {expected}, found {found}")
