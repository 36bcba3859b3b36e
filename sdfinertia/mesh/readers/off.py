"""OFF, the Object File Format of Geomview, in its text form.

The loader of trimesh silently accepts cut-off files, polygons that name too few corners, `nan`, and 4OFF.
"""

from __future__ import annotations

import re

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Indices, ranges
from sdfinertia.mesh.readers.text_numbers import (
    TextLines,
    integers,
    is_whole_number,
    positions,
    quoted,
    small_whole_numbers,
    text_lines,
    whole_numbers,
    without_byte_order_mark,
)
from sdfinertia.mesh.triangle_mesh import TriangleMesh, planarity_notes, triangulated

# Texture coordinates, colours and normals follow the position. Some files give the counts right behind OFF.
_KEYWORD = re.compile(rb"(?:ST)?C?N?OFF(?=[\s\d]|$)")
_COMMENT = re.compile(rb"#[^\r\n]*")


def read_off(data: bytes) -> TriangleMesh:
    lines = text_lines(_COMMENT.sub(b"", without_byte_order_mark(data)))
    written = np.flatnonzero(lines.words)
    words = lines.line(int(written[0])).split() if len(written) else []
    keyword = _KEYWORD.match(words[0]) if words else None
    if keyword is None:
        raise MeshError("does not begin with 'OFF'")
    words = [word for word in (words[0][keyword.end() :], *words[1:]) if word]
    header = 0
    if not words and len(written) > 1:
        header = 1
        words = lines.line(int(written[1])).split()
    vertices, faces = _counts(words, int(written[header]) + 1)

    written = written[header + 1 :]
    if len(written) < vertices:
        raise MeshError(f"cut off: {len(written):,} of {vertices:,} vertices")
    points, _ = positions(_chosen(lines, written[:vertices]))
    corners, lengths, has_more = _faces(_chosen(lines, written[vertices:]), faces, vertices)
    notes = []
    if (narrow := int((lengths < 3).sum())) > 0:
        notes.append(f"{narrow} OFF faces with fewer than 3 corners are left out")
    if has_more:
        notes.append("what follows the last face that the OFF header counts is ignored")
    notes += planarity_notes("OFF", points, corners, lengths)
    return TriangleMesh(points, triangulated(points, corners, lengths), (), tuple(notes))


def _chosen(lines: TextLines, places: Indices) -> TextLines:
    which = np.zeros(len(lines.starts), dtype=np.bool_)
    which[places] = True
    return lines.chosen(which)


def _counts(words: list[bytes], line: int) -> tuple[int, int]:
    """Numbers of vertices and faces; the number of edges may follow and is not used."""
    try:
        counts = integers(words)
    except ValueError as error:
        raise MeshError(f"line {line}: expected the numbers of vertices, faces and edges, found {error}") from None
    if not 2 <= len(counts) <= 3 or counts.min() < 0:
        raise MeshError(f"line {line}: expected the numbers of vertices, faces and edges")
    return int(counts[0]), int(counts[1])


def _faces(rows: TextLines, count: int, vertices: int) -> tuple[Indices, Indices, bool]:
    """The corners of so many faces, each on a line of its own, where a colour may follow them, or on several.

    Returns:
        `(corners, lengths, has_more)`: (sum of lengths,) and (k,), and whether something follows the last face.
    """
    firsts, widths = rows.first_words(), rows.words
    begins, used = np.arange(min(count, len(widths))), count
    all_at_once = small_whole_numbers(rows.data)
    lengths = _whole(rows, firsts[begins], all_at_once)
    if (lengths >= widths[begins]).any():
        lengths, begins, used = _continued(rows, count)
    if len(begins) < count:
        raise MeshError(f"cut off: {len(begins):,} of {count:,} faces")
    if len(wrong := np.flatnonzero(lengths < 0)):
        raise _miscounted(rows, begins, lengths, int(wrong[0]))
    corners = _whole(rows, ranges(firsts[begins] + 1, lengths), all_at_once)
    if len(wrong := np.flatnonzero((corners < 0) | (corners >= vertices))):
        line = np.repeat(rows.numbers[begins], lengths)[wrong[0]]
        raise MeshError(f"line {line}: a face names a vertex that does not exist, there are {vertices}")
    return corners, lengths, len(widths) > used


def _continued(rows: TextLines, count: int) -> tuple[Indices, Indices, int]:
    """The lengths (k,) of faces that go on over lines, the line (k,) where each begins, and how many lines they have.

    The last line of a face must end with it, so that one that lacks a corner does not take a number of the next.
    """
    words, firsts, widths = rows.data.split(), rows.first_words().tolist(), rows.words.tolist()
    lengths: list[int] = []
    begins: list[int] = []
    at = 0
    while len(begins) < count and at < len(widths):
        begins.append(at)
        try:
            lengths.append(int(integers([words[firsts[at]]])[0]))
        except ValueError as error:
            raise MeshError(f"line {rows.numbers[at]}: a face needs whole numbers, found {error}") from None
        missing = lengths[-1] - (widths[at] - 1)
        at += 1
        while missing > 0 and at < len(widths) and widths[at] <= missing:
            missing -= widths[at]
            at += 1
        if missing > 0:
            raise _miscounted(rows, np.array(begins), np.array(lengths), len(begins) - 1)
    return np.array(lengths, dtype=np.int64), np.array(begins, dtype=np.int64), at


def _miscounted(rows: TextLines, begins: Indices, lengths: Indices, face: int) -> MeshError:
    line = int(begins[face])
    return MeshError(f"line {rows.numbers[line]}: a face of {lengths[face]} corners names {int(rows.words[line]) - 1}")


def _whole(rows: TextLines, places: Indices, all_at_once: Indices | None) -> Indices:
    """The whole numbers at some places, counted in words from 0; `all_at_once` has those of all words, if known."""
    if all_at_once is not None:
        return all_at_once[places]
    text = rows.chosen_words(places)
    try:
        return whole_numbers(text)
    except ValueError:
        word = next(at for at, word in enumerate(text.split()) if not is_whole_number(word))
        line = np.repeat(rows.numbers, rows.words)[places[word]]
        found = quoted(text.split()[word])
        raise MeshError(f"line {line}: a face needs whole numbers, found {found}") from None
