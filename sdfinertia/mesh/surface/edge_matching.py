"""Matching the sides of triangles that run along one edge in opposite directions, in linear time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.arrays.hash_places import Bits, mixed_bits, places_of

Indices = npt.NDArray[np.int64]

_CHUNK = 16384  # keys at a time: what is computed of them stays in a processor's cache
_ROUNDS = 32  # with a good hash each leaves less than two thirds of the keys


def matched(forward: Indices, backward: Indices, hash_keys: Callable[[Bits], Bits] = mixed_bits) -> Indices | None:
    """For each forward key the number of the backward key equal to it, (k,); None unless that is one to one.

    Where it is, no key stands twice on either side. None is also the answer where the hash is too poor to tell.

    Args:
        forward, backward: (k,) keys, not negative.
        hash_keys: gives (n,) hashes of keys.

    In each round the forward keys still without a match are written into a table by their hash, where some of equal
    place are lost to others; then each backward key looks into its place. Keys that are equal come to one place in
    every round, so if any stands twice, one of its forward sides goes without a match.
    """
    if len(forward) != len(backward):
        return None
    match = np.full(len(forward), -1, np.int64)
    left = right = np.arange(len(forward))
    for number in range(_ROUNDS):
        if len(left) != len(right):
            return None
        if not len(left):
            break
        size = len(left).bit_length() + 1  # two to four places for each: fewer collide, and the table is still small
        places = _places(forward[left] if number else forward, number, size, hash_keys)
        table = np.zeros(1 << size, np.int32 if len(forward) < 1 << 31 else np.int64)
        table[places] = left
        written = table[places] == left
        keys = backward[right] if number else backward
        found = table[_places(keys, number, size, hash_keys)]
        equal = forward[found] == keys
        match[found[equal]] = right[equal]
        left, right = left[~written], right[~equal]
    return None if len(left) or (match < 0).any() else match


def _places(keys: Indices, number: int, size: int, hash_keys: Callable[[Bits], Bits]) -> Indices:
    """The place of each key in a table of 2^size places, another in each round."""
    places = np.empty(len(keys), np.int64)
    for start in range(0, len(keys), _CHUNK):
        part = slice(start, start + _CHUNK)
        places[part] = places_of(hash_keys(keys[part].view(np.uint64)), size, number)
    return places
