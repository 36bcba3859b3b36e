"""64-bit hashes, and the places they give in tables."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
