"""Whether triangles close, from their positions alone: in linear time, without welding, sorting or merging."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.kernel import Bits, row_hashes

_CHUNK = 16384  # vertices or faces at a time: what is computed of them stays in a processor's cache


def is_closed(vertices: npt.NDArray[np.floating[Any]], faces: npt.NDArray[np.integer[Any]] | None = None) -> bool:
    """Whether every edge is used equally often in both directions, so that the triangles enclose a volume.

    Nothing is repaired, but corners of equal coordinates are one (-0 equals 0), and degenerate triangles change
    nothing. Open triangles are taken for closed with a chance of 2^-64, as a sum of hashes of directed edges then
    vanishes.

    Args:
        vertices: (n, 3), finite, any unit.
        faces: (m, 3) indices into vertices; None where every three vertices are a triangle.
    """
    labels = _labels(vertices)
    total = 0
    corners = labels.reshape(-1, 3) if faces is None else faces
    for start in range(0, len(corners), _CHUNK):
        part = corners[start : start + _CHUNK].T
        a, b, c = np.ascontiguousarray(part) if faces is None else labels[part]
        for tail, head in ((a, b), (b, c), (c, a)):
            total += int(_directed_hashes(tail, head).sum(dtype=np.uint64))
    return total % (1 << 64) == 0


def _labels(vertices: npt.NDArray[np.floating[Any]]) -> Bits:
    number, word = (np.float32, np.uint32) if vertices.dtype == np.float32 else (np.float64, np.uint64)
    labels = np.empty(len(vertices), np.uint64)
    for start in range(0, len(vertices), _CHUNK):
        # -0 + 0 is 0, so equal numbers have equal bits.
        chunk = np.add(vertices[start : start + _CHUNK], 0.0, dtype=number, order="C")
        labels[start : start + _CHUNK] = row_hashes(chunk.view(word))
    return labels


def _directed_hashes(tail: Bits, head: Bits) -> Bits:
    """(k,) For the opposite direction the negative modulo 2^64."""
    lower = np.minimum(tail, head)
    hashes = np.maximum(tail, head)
    # Constants of SplitMix64 (see `kernel.mixed_bits`); the two labels enter differently.
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    hashes += lower
    hashes ^= hashes >> np.uint64(32)
    hashes *= np.uint64(0x94D049BB133111EB)
    hashes ^= hashes >> np.uint64(29)
    # Times 1, -1, or 0 along a side without length.
    hashes *= (tail < head).view(np.uint8).astype(np.uint64) - (tail > head).view(np.uint8).astype(np.uint64)
    return hashes
