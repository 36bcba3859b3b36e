"""STL: triangles without sharing, in the binary or in the text form."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from itertools import islice

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import distinct_rows
from sdfinertia.mesh.readers.text_numbers import decimals, is_decimal
from sdfinertia.mesh.triangle_mesh import TriangleMesh

# 80 bytes of free text, the number of facets, and 50 bytes for each (3D Systems 1989).
_HEADER_SIZE = 84
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

_SOLID = rb"(?i)(?:\xef\xbb\xbf)?\s*solid(?!\S)"


def read_stl(data: bytes) -> TriangleMesh:
    """The triangles of an STL file."""
    facets = int.from_bytes(data[80:84], "little")
    size = _HEADER_SIZE + _FACET.itemsize * facets
    if len(data) >= _HEADER_SIZE and len(data) == size:
        return _binary(data, facets, ())
    if re.match(_SOLID, data):
        if re.search(_ANY_FACET, data) is not None:
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


def corners_of_facets(data: bytes, facets: int) -> npt.NDArray[np.float32]:
    """The corners of a binary STL's facets, three after three, (3 facets, 3); a zero is never negative."""
    records = np.frombuffer(data, dtype=_FACET, count=facets, offset=_HEADER_SIZE)
    corners = np.empty((3 * facets, 3), np.float32)
    with np.errstate(invalid="ignore"):
        # -0 + 0 is 0, so equal numbers have equal bits.
        np.add(records["corners"], np.float32(0.0), out=corners.reshape(-1, 3, 3))
    return corners


# Compiled by `re` where a text STL is read, since binary ones need none of them.
_ANY_FACET = rb"(?i)\bfacet\s+normal\b"
# The normal is not read: it is `nan` in degenerate facets.
_TEXT_FACET = (
    rb"facet\s+normal(?:\s+\S+){3}\s+outer\s+loop"
    + 3 * rb"\s+vertex\s+(\S+\s+\S+\s+\S+)"
    + rb"\s+endloop\s+endfacet(?!\S)"
)
# The name is free text to the end of the line.
_BEGIN, _END = rb"solid(?!\S)[^\r\n]*(?:[\r\n]\s*|\Z)", rb"endsolid(?!\S)[^\r\n]*(?:[\r\n]\s*|\Z)"
_BEFORE = rb"\s*%b(?:%b%b)*" % (_BEGIN, _END, _BEGIN)
_BETWEEN = rb"\s*(?:%b%b)*" % (_END, _BEGIN)
_AFTER = rb"\s*%b(?:%b%b)*" % (_END, _BEGIN, _END)


def read_stl_text(data: bytes) -> TriangleMesh:
    text = data.removeprefix(BOM_UTF8).lower()
    vertices = re.split(_TEXT_FACET, text)  # three of each facet, and what is before the first and after each
    gaps = vertices[::4]
    del vertices[::4]
    facets = len(gaps) - 1
    places = [
        (0, _BEFORE),
        *((place, _BETWEEN) for place in range(1, facets) if not gaps[place].isspace()),
        (facets, _AFTER),
    ]
    for place, expected in places:
        if re.fullmatch(expected, gaps[place]) is None:
            raise _wrong(text, place, "expected 'facet' with three vertices, 'solid' or 'endsolid'")
    try:
        corners = decimals(b" ".join(vertices)).reshape(-1, 3)
    except ValueError as error:
        wrong = next(place for place, vertex in enumerate(vertices) if not all(map(is_decimal, vertex.split())))
        raise _wrong(text, wrong // 3, f"a vertex needs decimal numbers, found {error}") from None
    return TriangleMesh(corners, np.arange(len(corners), dtype=np.int64).reshape(-1, 3))


def _wrong(text: bytes, facets: int, problem: str) -> MeshError:
    """The problem with the line on which the facet after so many begins."""
    ends = (facet.end() for facet in re.finditer(_TEXT_FACET, text))
    begin = next(islice(ends, facets - 1, None)) if facets else 0
    lines = re.match(rb"\s*(?:%b|%b)*" % (_BEGIN, _END), text[begin:])
    assert lines is not None  # nothing is a match too
    if text.find(b"endsolid", begin) < 0:
        return MeshError("cut off: the text STL ends before 'endsolid'")
    return MeshError(f"line {len(text[: begin + lines.end() + 1].splitlines())}: {problem}")
