"""The text form of STL."""

from __future__ import annotations

import re
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.text_lines import unmarked
from sdfinertia.mesh.readers.text_numbers import shown
from sdfinertia.mesh.triangle_mesh import TriangleMesh

Coordinates = npt.NDArray[np.float64]

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
_SPACE = re.compile(rb"\s*")
_KEYWORDS = (b"solid", b"facet", b"normal", b"outer", b"loop", b"vertex", b"endloop", b"endfacet", b"endsolid")

# The words of a facet: None is a coordinate, and an empty word is one of the normal.
_VERTEX_WORDS = (b"vertex", None, None, None)
_FACET_WORDS = (
    *(b"facet", b"normal", b"", b"", b"", b"outer", b"loop"),
    *3 * _VERTEX_WORDS,
    *(b"endloop", b"endfacet"),
)
# Whole facets of so much text are read at once: the words they become take five times its memory, and should stay in
# cache.
_PIECE = 1 << 17


def holds_facets(data: bytes) -> bool:
    """Whether there is a facet in what may be the text form."""
    return _ANY_FACET.search(data) is not None


def read_stl_text(data: bytes) -> TriangleMesh:
    """The triangles of an STL file in the text form; it may hold several solids.

    Args:
        data: the file's bytes.

    Raises:
        MeshError: the text is not that of facets of three vertices; the message names the line.
    """
    data = unmarked(data)
    facets = [np.empty((0, 9))]
    position = stop = 0
    while position < len(data):
        opening = _SOLID_LINE.match(data, position)
        if opening is None:
            _fail(data, position, "'solid'")
        position = opening.end()
        while True:
            read = None
            # A piece that is not regular is read to its end facet by facet: tried again from each, or from each of
            # many small solids, it would take quadratic time.
            if position >= stop and data.startswith(b"facet", position):
                stop = _end_of_piece(data, position)
                read = _regular_facets(data, position, stop)
            if read is not None:
                position = stop
            else:
                read, position = _any_facets(data, position, max(stop, position + _PIECE))
            if not len(read):
                break
            facets.append(read)
        closing = _ENDSOLID_LINE.match(data, position)
        if closing is None:
            _fail_in_facet(data, position)
        position = closing.end()
    vertices = np.concatenate(facets).reshape(-1, 3)
    return TriangleMesh(vertices, np.arange(len(vertices), dtype=np.int64).reshape(-1, 3))


def _end_of_piece(data: bytes, position: int) -> int:
    """Where the next facet begins, or the line that ends the solid, after a piece of whole facets."""
    closing = data.find(b"endsolid", position, position + _PIECE)
    last = data.rfind(b"endfacet", position, position + _PIECE if closing < 0 else closing)
    end = position + _PIECE if last < 0 else last + len(b"endfacet")
    space = _SPACE.match(data, end)
    assert space is not None  # no white space is a match too
    return space.end()


def _regular_facets(data: bytes, position: int, stop: int) -> Coordinates | None:
    """(n, 9) coordinates, if there are facets in small letters from `position` to `stop` and nothing else."""
    text = data[position:stop]
    words = text.split()
    size = len(_FACET_WORDS)
    count, rest = divmod(len(words), size)
    ends_in_word = stop < len(data) and text[-1:].strip() != b""
    if rest or ends_in_word or b"_" in text:
        return None
    places = []
    for place, word in enumerate(_FACET_WORDS):
        if word is None:
            places.append(place)
        elif word and words[place::size].count(word) != count:
            return None
    coordinates = np.empty((count, len(places)))
    try:
        for column, place in enumerate(places):
            coordinates[:, column] = np.fromiter(map(float, words[place::size]), np.float64, count)
    except ValueError:
        return None
    # `float` takes decimals, those that overflow, `nan` and `inf`, and with underscores nothing else.
    return coordinates if np.isfinite(coordinates).all() else None


def _any_facets(data: bytes, position: int, stop: int) -> tuple[Coordinates, int]:
    """(n, 9) coordinates of the facets that begin before `stop`, however they are written, and where they end."""
    coordinates: list[tuple[float, ...]] = []
    while position < stop and (facet := _FACET_TEXT.match(data, position)) is not None:
        coordinates.append(tuple(map(float, facet.groups())))
        position = facet.end()
    return np.array(coordinates, dtype=np.float64).reshape(-1, 9), position


def _fail_in_facet(data: bytes, position: int) -> NoReturn:
    """Says which word breaks the facet at `position`, walking through it once more word by word."""
    number = re.compile(_NUMBER, re.IGNORECASE)
    for index, expected in enumerate(_FACET_WORDS):
        match = _WORD.match(data, position)
        word = match.group(1) if match else b""
        if expected is None:
            fits = number.fullmatch(word) is not None
        else:
            fits = word != b"" and word.lower() == (expected or word.lower())
        if not fits:
            wanted = f"'{expected.decode()}'" if expected else "a number"
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
