"""Which rows of three numbers are equal, in linear time: a table by hash, and every match verified."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from sdfinertia.inertia.polyhedron import pairwise_sum

Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int64]
Rows = npt.NDArray[np.unsignedinteger[Any]]

_CHUNK = 16384  # rows at a time: what is computed of them stays in a processor's cache
# Rounds of putting rows into a table. With a good hash each leaves less than two thirds of the rows, and then ever
# fewer; rows that are still left after these share all 64 bits of their hash with others, and are sorted.
_ROUNDS = 24
_FEW = 512  # rows that are sorted at once: faster than more rounds
_SOME = 1024  # rows among which two are equal if equal ones are nothing rare, as files list neighbours together


def row_hashes(rows: Rows) -> Bits:
    """One 64-bit hash per row; the columns enter in order, so that rows with exchanged columns differ.

    Args:
        rows: (n, 3), of 32 or 64 bits.
    """
    hashes = mixed_bits(rows[:, 0].astype(np.uint64) + np.uint64(GOLDEN))
    for column in (1, 2):
        hashes += rows[:, column]
        hashes = mixed_bits(hashes)
    return hashes


def distinct_rows(rows: Rows, hash_rows: Callable[[Rows], Bits] = row_hashes) -> tuple[Indices, Indices]:
    """`(first, number)`: where each distinct row first stands, (k,) ascending, and the number of each row's, (n,).

    The hash only brings equal rows together; that they are equal is verified, so the result never depends on it.

    Args:
        rows: (n, 3), of 32 or 64 bits.
        hash_rows: gives (n,) hashes of them.
    """
    if len(rows) <= _FEW:
        first_like = _first_by_sorting(rows)
    elif _all_differ(rows[:_SOME], hash_rows) and (len(rows) <= _SOME or _all_differ(rows, hash_rows)):
        return np.arange(len(rows)), np.arange(len(rows))
    else:
        first_like = _first_like_each(rows, hash_rows)
    is_first = np.empty(len(rows), np.bool_)
    for part in _chunks(len(rows)):
        np.equal(first_like[part], np.arange(part.start, part.stop), out=is_first[part])
    first = np.flatnonzero(is_first)
    if len(first) == len(rows):
        return first, first_like
    # Numbered by first appearance: neighbours in the file stay neighbours in memory, and no order of a table shows.
    number = np.empty(len(rows), np.int32 if len(rows) < 1 << 31 else np.int64)
    number[first] = np.arange(len(first))
    for part in _chunks(len(rows)):
        first_like[part] = number[first_like[part]]
    return first, first_like


def _all_differ(rows: Rows, hash_rows: Callable[[Rows], Bits]) -> bool:
    """Whether no two hashes are equal, so that no two rows are; it takes a quarter of the time of finding equal ones.

    Processors sort numbers many at a time, without a table that outgrows their caches.
    """
    hashes = np.empty(len(rows), np.uint64)
    for part in _chunks(len(rows)):
        hashes[part] = hash_rows(rows[part])
    hashes.sort()
    return not bool((hashes[1:] == hashes[:-1]).any())


def _first_like_each(rows: Rows, hash_rows: Callable[[Rows], Bits]) -> Indices:
    """For each row the least number of a row equal to it, (n,)."""
    first = _holders(_places(rows, None, hash_rows, 0), None)
    pending = np.flatnonzero(~_equal_rows(rows, None, first))
    for number in range(1, _ROUNDS):
        if len(pending) <= _FEW:
            break
        held = _holders(_places(rows, pending, hash_rows, number), pending)
        resolved = _equal_rows(rows, pending, held)
        first[pending[resolved]] = held[resolved]
        pending = pending[~resolved]
    first[pending] = pending[_first_by_sorting(rows[pending])]
    return first


def _places(rows: Rows, which: Indices | None, hash_rows: Callable[[Rows], Bits], number: int) -> Indices:
    """The place of each of the rows in a table, another in each round."""
    count = len(rows) if which is None else len(which)
    size = _table_size(count)
    places = np.empty(count, np.int64)
    for part in _chunks(count):
        places[part] = places_of(hash_rows(_chosen(rows, which, part)), size, number)
    return places


def _table_size(count: int) -> int:
    """Of how many places, as a power of two, a table is for so many rows; of six at one position one takes a place."""
    return max(count.bit_length() - 1, 1)


def _holders(places: Indices, which: Indices | None) -> Indices:
    """Of each row the least of the rows (`which`, ascending) that have the same place, (k,); `places` is reused."""
    count = len(places)
    width: type[np.signedinteger[Any]] = np.int32 if count < 1 << 31 else np.int64
    numbers: npt.NDArray[np.signedinteger[Any]] = np.arange(count, dtype=width)
    table = np.empty(1 << _table_size(count), numbers.dtype)
    table[places[::-1]] = numbers[::-1]
    holder = table[places]
    # Backwards, the least number is written last; numpy does not promise that the last one stays.
    if (holder > numbers).any():
        table.fill(count)
        np.minimum.at(table, places, numbers)
        holder = table[places]
    if which is None:
        places[...] = holder
        return places
    held: Indices = which[holder]
    return held


def _equal_rows(rows: Rows, which: Indices | None, others: Indices) -> Flags:
    """Whether each of the rows is equal to another, (k,)."""
    equal = np.empty(len(others), np.bool_)
    for part in _chunks(len(others)):
        same = rows.take(others[part], axis=0) == _chosen(rows, which, part)
        np.logical_and(same[:, 0], same[:, 1], out=equal[part])
        equal[part] &= same[:, 2]
    return equal


def _first_by_sorting(rows: Rows) -> Indices:
    """For each row the least number of a row equal to it, (n,), without a hash."""
    order = np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))  # stable: of equal rows the least number comes first
    differs = np.ones(len(rows), np.bool_)
    differs[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    starts = np.flatnonzero(differs)
    first = np.empty(len(rows), np.int64)
    first[order] = np.repeat(order[starts], np.diff(starts, append=len(rows)))
    return first


def _chosen(rows: Rows, which: Indices | None, part: slice) -> Rows:
    """A part of those rows that are chosen; of all if `which` is None."""
    return rows[part] if which is None else rows[which[part]]


def _chunks(count: int) -> list[slice]:
    return [slice(start, min(start + _CHUNK, count)) for start in range(0, count, _CHUNK)]


Bits = npt.NDArray[np.uint64]

GOLDEN = 0x9E3779B97F4A7C15  # 2^64 / golden ratio: its multiples are spread evenly (Knuth, volume 3, section 6.4)
_MASK = (1 << 64) - 1


def mixed_bits(words: Bits) -> Bits:
    """The 64-bit words with every input bit spread over all output bits: a bijection.

    Args:
        words: any shape; they are left as they are.

    Source: the finaliser of SplitMix64 (Steele, Lea and Flood 2014, with the constants of Stafford's variant 13).
    """
    mixed: Bits = words ^ (words >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def places_of(hashes: Bits, size: int, number: int) -> npt.NDArray[np.int64]:
    """The place of each hash in a table of 2^size places: other hashes share one in each round, equal ones always.

    Args:
        hashes: (k,); they are written over.
        size: 1 to 62.
        number: of the round, from 0.
    """
    hashes *= np.uint64((2 * number * GOLDEN + 1) & _MASK)
    hashes >>= np.uint64(64 - size)
    return hashes.view(np.int64)


Points = npt.NDArray[np.float64]


def surface_area(vertices: Points, faces: Indices) -> float:
    """The sum of the areas of the faces, in the square of the vertices' unit; not finite where floats end before it.

    Args:
        vertices: (n, 3).
        faces: (m, 3).
    """
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is found in the result
        a, b, c = (vertices[faces[:, corner]] for corner in range(3))
        return pairwise_sum(lengths(np.cross(b - a, c - a))) / 2


def lengths(vectors: Points) -> Points:
    """The lengths of (k, 3) vectors, (k,)."""
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    result: Points = np.sqrt(x * x + y * y + z * z)
    return result
