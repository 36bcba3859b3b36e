"""STL: triangles without sharing, in the binary or in the text form."""

from __future__ import annotations

import re
from array import array
from typing import NoReturn

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.text_numbers import shown
from sdfinertia.mesh.triangle_mesh import TriangleMesh

# 80 bytes of free text, the number of facets, and 50 bytes for each (3D Systems, StereoLithography Interface
# Specification, 1989).
_HEADER_SIZE = 84
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

_BOM = b"\xef\xbb\xbf"
_SOLID = re.compile(rb"(?:\xef\xbb\xbf)?\s*solid(?!\S)", re.IGNORECASE)
_ANY_FACET = re.compile(rb"\bfacet\s+normal\b", re.IGNORECASE)
# The name is free text to the end of the line.
_SOLID_LINE = re.compile(rb"\s*solid(?!\S)[^\r\n]*\s*", re.IGNORECASE)
_ENDSOLID_LINE = re.compile(rb"endsolid(?!\S)[^\r\n]*\s*", re.IGNORECASE)
_NUMBER = rb"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)"
_VERTEX = rb"vertex\s+" + _NUMBER + rb"\s+" + _NUMBER + rb"\s+" + _NUMBER + rb"\s+"
# The normal is not read (the winding says the same), so that the `nan` of degenerate facets does no harm.
_FACET_TEXT = re.compile(
    rb"facet\s+normal\s+\S+\s+\S+\s+\S+\s+outer\s+loop\s+" + 3 * _VERTEX + rb"endloop\s+endfacet(?!\S)\s*",
    re.IGNORECASE,
)
_WORD = re.compile(rb"\s*(\S+)")
_KEYWORDS = (b"solid", b"facet", b"normal", b"outer", b"loop", b"vertex", b"endloop", b"endfacet", b"endsolid")


def read_stl(data: bytes) -> TriangleMesh:
    """The triangles of an STL file.

    A file is binary if it is exactly as long as its number of facets says; else text if it begins with `solid` and
    holds facets (binary files begin with `solid` too); else binary with something after its end.

    Args:
        data: the file's bytes.

    Raises:
        MeshError: the file ends early, or its text is not that of facets of three vertices.
    """
    facets = int.from_bytes(data[80:84], "little")
    size = _HEADER_SIZE + _FACET.itemsize * facets
    if len(data) >= _HEADER_SIZE and len(data) == size:
        return _binary(data, facets, ())
    if _SOLID.match(data):
        if _ANY_FACET.search(data):
            return _text(data)
        if len(data) < max(size, _HEADER_SIZE):
            raise MeshError("begins as a text STL, but holds no facets")
    if len(data) < _HEADER_SIZE:
        raise MeshError(f"a binary STL has a header of 84 bytes, but the file ends after {len(data)}")
    if len(data) < size:
        raise MeshError(
            f"the header counts {facets} facets, which need {size} bytes, but the file ends after {len(data)}"
        )
    note = f"the {len(data) - size} bytes after the last of the {facets} facets that the STL header counts are ignored"
    return _binary(data, facets, (note,))


def _binary(data: bytes, facets: int, notes: tuple[str, ...]) -> TriangleMesh:
    records = np.frombuffer(data, dtype=_FACET, count=facets, offset=_HEADER_SIZE)
    with np.errstate(invalid="ignore"):  # a NaN is refused later, with all coordinates that are not finite
        vertices = records["corners"].reshape(-1, 3).astype(np.float64)
    return TriangleMesh(vertices, _every_three(len(vertices)), (), notes)


def _text(data: bytes) -> TriangleMesh:
    data = data.removeprefix(_BOM)
    coordinates = array("d")
    position = 0
    while position < len(data):
        opening = _SOLID_LINE.match(data, position)
        if opening is None:
            _fail(data, position, "'solid'")
        position = opening.end()
        while (facet := _FACET_TEXT.match(data, position)) is not None:
            coordinates.extend(map(float, facet.groups()))
            position = facet.end()
        closing = _ENDSOLID_LINE.match(data, position)
        if closing is None:
            _fail_in_facet(data, position)
        position = closing.end()
    vertices = np.array(coordinates, dtype=np.float64).reshape(-1, 3)
    return TriangleMesh(vertices, _every_three(len(vertices)))


def _every_three(vertices: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.arange(vertices, dtype=np.int64).reshape(-1, 3)


def _fail_in_facet(data: bytes, position: int) -> NoReturn:
    """Says which word breaks the facet at `position`, walking through it once more word by word."""
    number = re.compile(_NUMBER, re.IGNORECASE)
    vertex = ["vertex", "number", "number", "number"]
    form = ["facet", "normal", "any", "any", "any", "outer", "loop", *vertex, *vertex, *vertex, "endloop", "endfacet"]
    for index, expected in enumerate(form):
        match = _WORD.match(data, position)
        word = match.group(1) if match else b""
        if expected == "number":
            fits = number.fullmatch(word) is not None
        else:
            fits = word.lower() == expected.encode() or (expected == "any" and word != b"")
        if not fits:
            wanted = {"any": "a number", "number": "a number"}.get(expected, f"'{expected}'")
            _fail(data, position, "'facet' or 'endsolid'" if index == 0 else wanted)
        assert match is not None
        position = match.end()
    _fail(data, position, "'facet' or 'endsolid'")


def _fail(data: bytes, position: int, expected: str) -> NoReturn:
    match = _WORD.match(data, position)
    if match is None:
        raise MeshError(f"the text STL ends where {expected} should stand, so it is cut off")
    before = data[: match.start(1)]
    line = 1 + before.count(b"\n") + before.replace(b"\r\n", b"").count(b"\r")
    word = match.group(1)
    found = repr(word.decode()) if word.lower() in _KEYWORDS else shown(word)
    raise MeshError(f"line {line}: expected {expected}, found {found}")
