"""The statements of an OBJ file that is written regularly, read all vertices at once and then all polygons at once.

Nearly every exporter writes such files, and line by line they take ten times as long. Whatever is not plainly regular,
and whatever is wrong, is left to `obj_statements` beside this, which alone knows all forms and says what is wrong.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.readers.obj_statements import Naming, Statements, without_comment
from sdfinertia.mesh.readers.text_lines import TextLines, text_lines, unmarked
from sdfinertia.mesh.readers.text_numbers import decimals, small_whole_numbers

Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


def regular_statements(data: bytes) -> Statements | None:
    """What `sdfinertia.mesh.readers.obj_statements.statements` makes of a file, or None if it has to be asked itself.

    Raises:
        MeshError: as that.
    """
    lines = text_lines(unmarked(data))
    if b"\\\n" in lines.data:
        return None
    first, second = lines.first_characters(), lines.first_characters(1)
    is_alone = second <= ord(" ")  # the first character is the keyword
    is_vertex = (first == ord("v")) & is_alone
    is_polygon = (first == ord("f")) & is_alone
    is_name = (first == ord("o")) | (first == ord("g"))
    if _has_other_forms(lines, first, second, is_alone):
        return None
    vertices = _vertices(lines, is_vertex)
    polygons = _polygons(lines, is_polygon, is_vertex)
    if vertices is None or polygons is None:
        return None
    positions, has_weights = vertices
    corners, counts = polygons
    starts = _starts(lines, np.flatnonzero(is_name), is_polygon)
    return Statements(positions, corners, counts, np.flatnonzero(is_polygon) + 1, starts, has_weights)


def _has_other_forms(
    lines: TextLines, first: npt.NDArray[np.uint8], second: npt.NDArray[np.uint8], is_alone: Flags
) -> bool:
    """Whether a line may be more than a comment, a name, or a statement that is passed over or is regular."""
    is_indented = (first <= ord(" ")) & (lines.words > 0)
    has_comment = (first == ord("v")) & (second == ord("#"))
    # The keywords that are refused begin with b, c and s, of which only the smoothing group `s` is frequent.
    is_rare = (first == ord("b")) | (first == ord("c")) | ((first == ord("s")) | (first == ord("f"))) & ~is_alone
    return bool((is_indented | has_comment | is_rare).any())


def _vertices(lines: TextLines, is_vertex: Flags) -> tuple[npt.NDArray[np.float64], bool] | None:
    """(n, 3) positions, and whether one has a weight that is not 1."""
    widths = lines.words[is_vertex] - 1
    text = lines.text(is_vertex)
    if text.count(b"v") != len(widths) or (len(widths) and not 3 <= int(widths.min()) <= int(widths.max()) <= 8):
        return None
    try:
        values = decimals(text.replace(b"v", b" "))
    except ValueError:
        return None
    # White space that is no space to TextLines, or the reverse.
    if len(values) != int(widths.sum()):
        return None
    if (widths == 3).all():
        return values.reshape(-1, 3), False
    starts = np.cumsum(widths) - widths
    has_weights = bool((values[starts[widths == 4] + 3] != 1.0).any())
    return values[starts.reshape(-1, 1) + np.arange(3)], has_weights


def _polygons(lines: TextLines, is_polygon: Flags, is_vertex: Flags) -> tuple[Integers, Integers] | None:
    """Corners and counts of all polygons."""
    counts = lines.words[is_polygon] - 1
    text = lines.text(is_polygon)
    if text.count(b"f") != len(counts) or (len(counts) and int(counts.min()) < 1):
        return None
    indices = _positions(text.replace(b"f", b" "), int(counts.sum()))
    if indices is None:
        return None
    if not len(indices) or int(indices.min()) > 0:
        return indices - 1, counts
    # Negative ones count back from the last vertex before their line.
    before = np.repeat(np.cumsum(is_vertex)[is_polygon], counts)
    corners = np.where(indices > 0, indices - 1, before + indices)
    is_known = (indices != 0) & (corners >= 0)
    return (corners, counts) if is_known.all() else None


def _positions(text: bytes, words: int) -> Integers | None:
    """(words,) The first number of each corner, if all corners have the same form: v, v/vt, v//vn or v/vt/vn."""
    slashes = text.count(b"/")
    if not slashes:
        values = small_whole_numbers(text)
        return values if values is not None and len(values) == words else None
    apart = text.replace(b"/", b" ")
    values = small_whole_numbers(apart)
    if values is None or not words or len(values) % words:
        return None
    each = len(values) // words
    # One slash between any two numbers of a corner, or two between the two of v//vn, and none behind the last.
    single = slashes == (each - 1) * words
    double = each == 2 and slashes == 2 * words == 2 * text.count(b"//") and b"///" not in text
    if each > 3 or not (single or double):
        return None
    # Every corner begins with one of every `each` numbers, and so has just as many.
    if not np.array_equal(_word_starts(apart)[::each], _word_starts(text)):
        return None
    return values[::each]


def _word_starts(text: bytes) -> Integers:
    is_word = np.frombuffer(text, dtype=np.uint8) > ord(" ")
    # Every text here begins with the space that was a keyword.
    return np.flatnonzero(is_word[1:] > is_word[:-1])


def _starts(lines: TextLines, named: Integers, is_polygon: Flags) -> list[tuple[tuple[str, ...], int]]:
    """Names, and the number of the first polygon that bears them."""
    naming = Naming()
    polygons = np.cumsum(is_polygon)[named].tolist()
    for number, polygon in zip(named.tolist(), polygons, strict=True):
        line = without_comment(lines.line(number))
        if line.split()[:1] in ([b"o"], [b"g"]):
            naming.read(line, polygon)
    return naming.starts
