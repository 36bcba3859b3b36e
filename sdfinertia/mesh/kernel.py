"""Kernels of all work on triangles: equal rows, rows in use, areas, closedness.

Vertices are (n, 3), faces (m, 3) rows of them. Sums of products are written out: the order of additions in a library's
matrix product depends on the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sdfinertia.inertia.polyhedron import pairwise_sum
from sdfinertia.inertia.solids import VolumeMoments

Bits = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int64]
Points = npt.NDArray[np.float64]
Surface = tuple[Points, Indices]
Rows = npt.NDArray[np.unsignedinteger[Any]]

# Rows at a time: their temporaries stay in a processor's cache, and below the 128 KB that malloc maps anew each time.
_CHUNK = 4096
# 2^64 / golden ratio (Knuth, volume 3, section 6.4), and the multipliers of SplitMix64's finaliser.
_GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_COLUMNS = np.array([[_GOLDEN], [_FIRST], [_SECOND]], np.uint64)


# Equal rows -----------------------------------------------------------------------------------------------------------


def mixed_bits(words: Bits) -> Bits:
    """SplitMix64's finaliser, a bijection."""
    mixed: Bits = words ^ (words >> np.uint64(30))
    mixed *= np.uint64(_FIRST)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(_SECOND)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def row_hashes(rows: Rows) -> Bits:
    words = rows.T.astype(np.uint64, order="C")
    if rows.dtype.itemsize == 8:
        # Short floats have zeros in their low half, which multiplying keeps.
        words ^= words >> np.uint64(32)
    words *= _COLUMNS
    words ^= words >> np.uint64(29)
    hashes: Bits = (words[0] + words[1] + words[2]) * np.uint64(_GOLDEN)
    hashes ^= hashes >> np.uint64(32)
    return hashes


def distinct_rows(rows: Rows) -> tuple[Indices, Indices]:
    """`(first, number)`: where each distinct row first is, (k,) ascending, and the number of each row's, (n,)."""
    first, places = _first_equals(rows), np.arange(len(rows))
    is_first = first == places
    if is_first.all():
        return places, first
    # Numbered by first appearance: neighbours in the file stay neighbours in memory.
    number = np.cumsum(is_first, out=places)
    number -= 1
    return np.flatnonzero(is_first), number.take(first)


def _first_equals(rows: Rows) -> Indices:
    count = len(rows)
    first, place, hashes = np.empty(count, np.int64), np.arange(count), np.empty(count, np.uint64)
    for part in chunks(count):
        hashes[part] = row_hashes(rows[part])
    # A table by the highest bits of the hashes: half the time of sorting, where processors sort them slowly. Rows whose
    # slot another took go on to a smaller table by the next bits: of three million corners one in twenty.
    left = 64
    while len(place) and (bits := len(place).bit_length() + 1) <= left:
        table, above = np.empty(1 << bits, np.int32), np.uint64(64 - bits)
        for part in reversed(chunks(len(place))):
            # From the end, since the last to be written stays.
            table[(hashes[part] >> above)[::-1]] = place[part][::-1]
        differ = np.empty(len(place), np.bool_)
        for part in chunks(len(place)):
            own, taken = place[part], table[hashes[part] >> above]
            first[own] = taken
            x, y, z = (rows.take(taken, axis=0) != rows.take(own, axis=0)).T
            differ[part] = x | y | z
        place, hashes = place[differ], hashes[differ] << np.uint64(bits)
        left -= bits
    if len(place):
        _, foremost, like = np.unique(rows[place], axis=0, return_index=True, return_inverse=True)
        first[place] = place[foremost[like.reshape(-1)]]
    return first


def distinct_triangles(faces: Indices) -> tuple[Indices, Indices, Flags]:
    """`(first, number, ascending)` of faces (m, 3), whatever their windings.

    The first face on each three vertices, (k,); on which three each is, (m,); whether its numbers go round ascending.
    """
    a, b, c = faces.T
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    first, number = distinct_rows(np.stack((low, a + b + c - low - high, high), axis=1).view(np.uint64))
    return first, number, (a < b) ^ (b < c) ^ (a < c)


def earlier_equals(numbers: Indices) -> Indices:
    """How many equal numbers are before each, (k,)."""
    order = np.argsort(numbers, kind="stable")
    sizes = np.bincount(numbers)
    count = np.empty(len(numbers), np.int64)
    count[order] = np.arange(len(numbers)) - (np.cumsum(sizes) - sizes)[numbers[order]]
    return count


def chunks(count: int, size: int = _CHUNK) -> list[slice]:
    return [slice(start, min(start + size, count)) for start in range(0, count, size)]


def ranges(starts: Indices, counts: Indices | int) -> Indices:
    """The numbers from each start on, so many of each, one range after the other."""
    sizes = np.broadcast_to(np.asarray(counts), starts.shape)
    first = np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
    return np.asarray(first + np.arange(len(first)), dtype=np.int64)


def on_used_rows(faces: Indices, count: int) -> tuple[Indices, Indices]:
    """The vertex numbers in use, ascending, and faces of any shape renumbered to them."""
    if count > 3 * faces.size:
        # A table of all vertices for each of many sets of few faces would take quadratic time.
        used, renumbered = np.unique(faces, return_inverse=True)
        return used.astype(np.int64, copy=False), renumbered.reshape(faces.shape).astype(np.int64, copy=False)
    is_used = np.zeros(count, np.bool_)
    is_used[faces.reshape(-1)] = True
    used = np.flatnonzero(is_used)
    if len(used) == count:
        return used, faces
    number = np.zeros(count, np.int64)
    number[used] = np.arange(len(used))
    return used, number[faces]


def only_used(vertices: Points, faces: Indices) -> tuple[Points, Indices]:
    """Without unused vertices; the same arrays if all are used."""
    used, renumbered = on_used_rows(faces, len(vertices))
    return (vertices, faces) if len(used) == len(vertices) else (vertices.take(used, axis=0), renumbered)


# Triangles ------------------------------------------------------------------------------------------------------------


def cross(u: Points, v: Points) -> Points:
    """The vector products of rows (k, 3); `np.cross` takes five times as long for few."""
    (a, b, c), (d, e, f) = u.T, v.T
    return np.stack((b * f - c * e, c * d - a * f, a * e - b * d), axis=1)


def rotated(points: Points, rows: Sequence[Sequence[float]]) -> Points:
    """The points (k, 3) times a matrix, given row by row."""
    x, y, z = points.T
    return np.stack([row[0] * x + row[1] * y + row[2] * z for row in rows], axis=1)


def lengths(vectors: Points) -> Points:
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    result: Points = np.sqrt(x * x + y * y + z * z)
    return result


def normals(vertices: Points, faces: Indices) -> Points:
    """Twice as long as the areas of the faces, (m, 3)."""
    a, b, c = (vertices.take(faces[:, corner], axis=0) for corner in range(3))
    return cross(b - a, c - a)


def longest_sides(vertices: Points, faces: Indices) -> Points:
    a, b, c = (vertices.take(faces[:, corner], axis=0) for corner in range(3))
    longest: Points = np.maximum(np.maximum(lengths(b - a), lengths(c - b)), lengths(a - c))
    return longest


def are_flat(vertices: Points, faces: Indices, tolerance: float) -> Flags:
    scaled = vertices / tolerance
    parts = [faces[part] for part in chunks(len(faces))]
    flat = [lengths(normals(scaled, part)) <= longest_sides(scaled, part) for part in parts]
    return np.concatenate(flat or [np.zeros(0, np.bool_)])


def surface_area(vertices: Points, faces: Indices) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        doubled = [lengths(normals(vertices, faces[part])) for part in chunks(len(faces))]
        return pairwise_sum(np.concatenate(doubled or [np.zeros(0)])) / 2


def volume_moments(volume: float, centroid: npt.ArrayLike, second: npt.ArrayLike) -> VolumeMoments:
    (x, y, z), (xx, yy, zz, xy, xz, yz) = np.asarray(centroid).tolist(), np.asarray(second).tolist()
    return VolumeMoments(volume, (x, y, z), (xx, yy, zz, xy, xz, yz))


def boxes_of_groups(vertices: Points, faces: Indices, group: Indices, count: int) -> tuple[Points, Points]:
    """The corners of the boxes about each group of faces, (count, 3) each; lower above upper if it has none."""
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    by_group = np.argsort(group, kind="stable")
    present, start = np.unique(group[by_group], return_index=True)
    a, b, c = (vertices.take(faces[by_group, corner], axis=0) for corner in range(3))
    low[present] = np.minimum.reduceat(np.minimum(np.minimum(a, b), c), start)
    high[present] = np.maximum.reduceat(np.maximum(np.maximum(a, b), c), start)
    return low, high


def is_closed(vertices: npt.NDArray[np.floating[Any]], faces: npt.NDArray[np.integer[Any]] | None = None) -> bool:
    """True if every edge is used equally often in both directions, so that the triangles enclose a volume.

    Formula: each corner has a number h, a hash of its coordinates. An edge counts h k (k - h), which its opposite takes
    away, so that the sum over a triangle is the product of its three differences. Of a closed surface the sum vanishes,
    of an open one with a chance of about 2^-53.

    Args:
        vertices: (n, 3), finite, any unit.
        faces: (m, 3) indices into vertices; None where every three vertices are a triangle.
    """
    count = len(vertices) // 3 if faces is None else len(faces)
    if faces is not None:
        labels = np.empty(len(vertices), np.uint64)
        for part in chunks(len(vertices)):
            labels[part] = _labels(vertices[part])
    total = 0
    for part in chunks(count, 4 * _CHUNK // 3):
        # Without faces no array of all labels, which takes longer to allocate than to fill.
        soup = (
            _labels(vertices[3 * part.start : 3 * part.stop]).reshape(-1, 3) if faces is None else labels[faces[part]]
        )
        a, b, c = soup.T
        total += int(((a - b) * (b - c) * (c - a)).sum(dtype=np.uint64))
    return total % (1 << 64) == 0


def _labels(vertices: npt.NDArray[np.floating[Any]]) -> Bits:
    number, word = (np.float32, np.uint32) if vertices.dtype == np.float32 else (np.float64, np.uint64)
    # -0 + 0 is 0, so equal numbers have equal bits.
    return row_hashes(np.add(vertices, 0.0, dtype=number, order="C").view(word))
