"""The bodies that a closed surface has, and their volumes."""

from __future__ import annotations

import math

import numpy as np

from sdfinertia.inertia.polyhedron import pairwise_sum
from sdfinertia.mesh.kernel import Flags, Indices, Points, earlier_equals, mixed_bits
from sdfinertia.mesh.surface.topology import Edges, components

_ANGLE_STEP = 1e-7  # rad; faces nearer to each other than this lie on one another: float32 coordinates resolve no more

_CHUNK = 8192  # faces at a time: some thirty arrays of this length fit a processor's second cache


def body_of_each_face(vertices: Points, faces: Indices, edges: Edges) -> Indices:
    """The number of the body of each face of a closed surface, (m,), counted by their first faces.

    Faces belong together across edges with two sides. At an edge with more, a piece that closes by itself stays alone,
    and others are joined two by two as they bound matter: cubes that share an edge or a face are two.
    """
    u, v, _ = edges.pairs()
    piece = components(len(faces), u, v)
    if edges.is_manifold:
        return piece
    sizes = edges.sizes
    crowded = np.repeat(sizes != 2, sizes)
    edge = np.repeat(np.arange(edges.count), sizes)[crowded]
    face, forward = edges.face[crowded], edges.forward[crowded]

    _, use = np.unique(edge * (piece.max() + 1) + piece[face], return_inverse=True)
    use = use.reshape(-1)
    loose = (np.bincount(use, np.where(forward, 1, -1)) != 0)[use]
    edge, face, forward = edge[loose], face[loose], forward[loose]
    if not len(edge):
        return piece
    angle = _angles(vertices, faces, edges.ends[edge], face, edge)
    turn = _copy_of_each_piece(piece[face], edge, forward)[piece[face]] * len(faces) + face
    opening, closing = _facing_sides(edge, turn, angle, ~forward)
    joined = components(int(piece.max()) + 1, piece[face[opening]], piece[face[closing]])
    return joined[piece]


def signed_volumes(vertices: Points, faces: Indices, body: Indices, count: int) -> tuple[Points, Points]:
    """`(volume, area)` of each body, (count,) each; the volume is negative where faces look inward.

    Gauss's theorem (Cha Zhang and Tsuhan Chen 2001, eq. 2), about a vertex of each body, so that none loses digits.
    """
    first = np.zeros(count, np.int64)
    if count > 1:
        first[:] = len(faces)
        np.minimum.at(first, body, np.arange(len(faces)))
    apexes = vertices[faces[first, 0]].T
    volume, area = np.zeros(len(faces)), np.zeros(len(faces))
    for start in range(0, len(faces), _CHUNK):
        part = slice(start, start + _CHUNK)
        a, b, c = vertices.take(faces[part], axis=0).transpose(1, 2, 0)
        u, v = np.subtract(b, a, order="C"), np.subtract(c, a, order="C")
        apex = apexes if count == 1 else apexes[:, body[part]]
        for axis, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
            normal = u[i] * v[j]
            normal -= u[j] * v[i]
            volume[part] += normal * (a[axis] - apex[axis])
            normal *= normal
            area[part] += normal
        np.sqrt(area[part], out=area[part])
    if count == 1:
        return np.array([pairwise_sum(volume) / 6]), np.array([pairwise_sum(area) / 2])
    return np.bincount(body, volume, count) / 6, np.bincount(body, area, count) / 2


def _angles(vertices: Points, faces: Indices, ends: Indices, face: Indices, edge: Indices) -> Indices:
    foot = vertices[ends[:, 0]]
    along = vertices[ends[:, 1]] - foot
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    opposite = faces[face].sum(axis=1) - ends.sum(axis=1)
    out = vertices[opposite] - foot
    out -= np.einsum("ij,ij->i", out, along)[:, None] * along
    starts = np.flatnonzero(np.diff(edge, prepend=-1))
    zero = np.repeat(out[starts], np.diff(starts, append=len(edge)), axis=0)
    angle = np.arctan2(
        np.einsum("ij,ij->i", along, np.cross(zero, out)),
        np.einsum("ij,ij->i", zero, out),
    )
    steps: Indices = np.rint(np.nan_to_num(angle) / _ANGLE_STEP).astype(np.int64)
    steps %= round(2 * math.pi / _ANGLE_STEP)
    return steps


def _copy_of_each_piece(piece: Indices, edge: Indices, forward: Flags) -> Indices:
    """How many pieces before each have the same boundary, (p,); of each side of it (k,)."""
    hashes = mixed_bits((2 * edge + forward).astype(np.uint64))
    by_piece = np.argsort(piece, kind="stable")
    present, start = np.unique(piece[by_piece], return_index=True)
    # Sums modulo 2^64, so that the order of the sides does not matter; a chance of 2^-64 takes two for one.
    _, boundary = np.unique(np.add.reduceat(hashes[by_piece], start), return_inverse=True)
    copy = np.zeros(int(piece.max()) + 1, np.int64)
    copy[present] = earlier_equals(boundary.reshape(-1))
    return copy


def _facing_sides(edge: Indices, turn: Indices, angle: Indices, opens: Flags) -> tuple[Indices, Indices]:
    """Pairs of sides with matter between them about their edge: where it opens and where it closes again.

    Like brackets on a circle. Where faces coincide, matter closes before it opens.

    Args:
        edge, angle, opens: (k,) of each side; of the sides of one edge as many open as close.
        turn: (k,) which comes first where faces of one winding coincide.
    """
    # Faces on one another with one winding: the innermost bracket is the first of them, at each of their edges.
    order = np.lexsort((np.where(opens, -turn, turn), opens, angle, edge))
    depth = np.cumsum(np.where(opens[order], 1, -1))  # zero at the end of each edge: brackets balance
    level = np.where(opens[order], depth, depth + 1)
    by_level = np.lexsort((level, edge[order]))  # stable: within a level the order about the edge stays
    order, level = order[by_level], level[by_level]
    new = np.diff(edge[order], prepend=-1) != 0
    new[1:] |= level[1:] != level[:-1]
    starts = np.flatnonzero(new)
    following = np.arange(1, len(order) + 1)
    following[np.append(starts[1:], len(order)) - 1] = starts  # the circle closes
    at = np.flatnonzero(opens[order])
    return order[at], order[following[at]]
