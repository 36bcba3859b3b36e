"""How triangles connect: their edges, the pieces and bodies they form, and whether their windings agree.

An edge is *closed* when it is used equally often in both directions, and a surface is when all its edges are.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box, pairwise_sum
from sdfinertia.mesh.kernel import (
    Flags,
    Indices,
    Points,
    chunks,
    distinct_triangles,
    earlier_equals,
    mixed_bits,
    only_used,
    ranges,
)

# Alternatives in a sentence for one, if any, and for several: "[was|were]", "[s]".
_NUMBER = r"\[(?:([^][|]*)\|)?([^][]*)\]"


@dataclass(frozen=True, eq=False)
class Edges:
    """The sides of triangles, grouped by the undirected edge along which they run."""

    face: Indices  # (3 m,), of each side, edge by edge, and within an edge by direction
    forward: Flags  # (3 m,), True if the side runs from the edge's lower vertex number to its higher
    start: Indices  # (e + 1,), where the sides of each edge begin
    key: Indices  # (e,), lower vertex number times `stride`, and the higher; ascending
    stride: int

    @property
    def count(self) -> int:
        return len(self.start) - 1

    @cached_property
    def sizes(self) -> Indices:
        return np.diff(self.start)

    @cached_property
    def ends(self) -> Indices:
        """The vertices of each edge, the lower number first, (e, 2)."""
        return np.stack((self.key // self.stride, self.key % self.stride), axis=1)

    @cached_property
    def excess(self) -> Indices:
        """How many more sides run forward than back, (e,)."""
        if not self.count or self.is_manifold:
            return np.zeros(self.count, np.int64)
        forward_before = np.zeros(len(self.forward) + 1, np.int64)
        np.cumsum(self.forward, dtype=np.int64, out=forward_before[1:])
        return 2 * np.diff(forward_before[self.start]) - self.sizes

    @cached_property
    def open(self) -> Indices:
        return np.flatnonzero(self.excess)

    def sides(self, numbers: Indices) -> Indices:
        return ranges(self.start[numbers], self.sizes[numbers])

    @cached_property
    def is_manifold(self) -> bool:
        if len(self.face) != 2 * self.count or not (self.sizes == 2).all():
            return False
        return not bool(self.forward[0::2].any()) and bool(self.forward[1::2].all())

    def pairs(self) -> tuple[Indices, Indices, Flags]:
        """Of each edge with exactly two sides: their two faces, and whether their windings agree there."""
        if self.is_manifold:
            return self.face[0::2], self.face[1::2], np.ones(self.count, np.bool_)
        at = self.start[:-1][self.sizes == 2]
        return self.face[at], self.face[at + 1], self.forward[at] != self.forward[at + 1]


def edges_of(faces: Indices) -> Edges:
    """Of faces (m, 3) without a repeated vertex, in the order of vertex numbers, which are below 2^31."""
    stride = int(faces.max()) + 1 if len(faces) else 1
    m = len(faces)
    bits = m.bit_length()
    # A key and its face as one number, which processors sort many at a time, if 63 bits hold both.
    is_packed = (2 * stride * stride).bit_length() + bits <= 63
    keys = np.empty((m, 3), np.int64)
    for part in chunks(m):
        for side in range(3):
            tail, head = faces[part, side], faces[part, (side + 1) % 3]
            key = (np.minimum(tail, head) * stride + np.maximum(tail, head)) * 2 + (tail < head)
            keys[part, side] = key << bits | np.arange(part.start, part.stop) if is_packed else key
    flat = keys.reshape(-1)
    order = None if is_packed else np.argsort(flat, kind="stable")
    flat.sort()
    face = flat & ((1 << bits) - 1) if order is None else np.floor_divide(order, 3, out=order)
    if is_packed:
        flat >>= bits
    forward = (flat.astype(np.uint8) & np.uint8(1)).view(np.bool_)
    flat >>= 1
    start = np.flatnonzero(np.concatenate((flat[:1] >= 0, flat[1:] != flat[:-1], np.ones(1, np.bool_))))
    return Edges(face, forward, start, flat[start[:-1]], stride)


def components(n: int, u: Indices, v: Indices) -> Indices:
    """The number of the connected component of each of n nodes, (n,), counted by their first nodes."""
    root, above = np.arange(n), np.empty(n, np.int64)
    while len(u):
        np.minimum.at(root, np.maximum(u, v), np.minimum(u, v))
        while (np.take(root, root, out=above, mode="clip") != root).any():
            root, above = above, root
        u, v = root[u], root[v]
        apart = u != v
        u, v = u[apart], v[apart]
    is_root = root == np.arange(n)  # the root is the least node, so this numbers by first nodes
    number: Indices = (np.cumsum(is_root) - 1)[root]
    return number


def connected_parts(face_count: int, edges: Edges) -> Indices:
    at = np.delete(np.arange(len(edges.face)), edges.start[:-1])
    return components(face_count, edges.face[at - 1], edges.face[at])


def without_repeated_vertex(faces: Indices) -> Indices:
    a, b, c = faces[:, 0], faces[:, 1], faces[:, 2]
    sound = (a != b) & (b != c) & (c != a)
    return faces if sound.all() else faces[sound]


def disagreeing_faces(face_count: int, edges: Edges, weight: Indices) -> tuple[Flags, bool]:
    """`(flipped, one_sided)`: which faces to flip so that windings agree over every edge with two sides."""
    u, v, agree = edges.pairs()
    if agree.all() and weight.all():
        return np.zeros(face_count, np.bool_), False
    # The double cover of the pieces of which all faces agree.
    piece = components(face_count, u[agree], v[agree])
    count = int(piece.max(initial=-1)) + 1
    u, v = piece[u[~agree]], piece[v[~agree]]
    cover = components(2 * count, np.concatenate((u, u + count)), np.concatenate((v + count, v)))
    as_is, reverse = cover[:count][piece], cover[count:][piece]
    one_sided = as_is == reverse
    second = as_is > reverse
    piece = np.minimum(as_is, reverse)
    balance = np.bincount(piece, np.where(second, weight, -weight))
    flipped = second != (balance > 0)[piece]
    flipped[one_sided] = False
    return flipped, bool(one_sided.any())


@dataclass(frozen=True, eq=False)
class RepairedSurface:
    """A triangle surface after repair, closed if `open_edges` is empty."""

    vertices: Points  # (n, 3), no two equal, each used
    faces: Indices  # (m, 3), no vertex twice in one face; wound consistently, but not yet outward
    edges: Edges
    one_sided: bool  # a part of it has only one side
    notes: tuple[str, ...]

    @property
    def open_edges(self) -> Indices:
        return self.edges.open

    @cached_property
    def has_coincident_faces(self) -> bool:
        """True if two faces have the same three vertices, however wound."""
        edges, corners = self.edges, self.faces[:, 0] + self.faces[:, 1] + self.faces[:, 2]
        u, v, _ = edges.pairs()
        # On one edge, they have one third vertex too.
        if (corners[u] == corners[v]).any():
            return True
        crowded = np.flatnonzero(edges.sizes > 2)
        third = corners[edges.face[edges.sides(crowded)]]
        on_edge = np.repeat(crowded, edges.sizes[crowded]) * (3 * edges.stride) + third
        return len(np.unique(on_edge)) < len(on_edge)

    @cached_property
    def triangles(self) -> tuple[Indices, Indices, Flags]:
        return distinct_triangles(self.faces)

    def subset(self, kept: Flags) -> RepairedSurface:
        return self._with_faces(self.faces[kept])

    def with_flipped(self, flipped: Flags) -> RepairedSurface:
        return self._with_faces(np.where(flipped[:, None], self.faces[:, ::-1], self.faces))

    def faces_at_open_edges(self) -> Indices:
        return np.unique(self.edges.face[self.edges.sides(self.open_edges)])

    def open_positions(self) -> list[list[float]]:
        ends = self.edges.ends[self.open_edges[:3]]
        middles: list[list[float]] = (self.vertices[ends[:, 0]] / 2 + self.vertices[ends[:, 1]] / 2).tolist()
        return middles

    def _with_faces(self, faces: Indices) -> RepairedSurface:
        return replace(self, faces=faces, edges=edges_of(faces))


def surface_as_listed(positions: Points, faces: Indices) -> RepairedSurface:
    """Of faces on positions of which no two are equal, but the degenerate ones."""
    sound = without_repeated_vertex(faces)
    if not len(sound):
        what = "only degenerate faces: it encloses no volume" if len(faces) else "no faces"
        raise MeshError(f"the mesh has {what}")
    if sound is not faces:
        positions, sound = only_used(positions, sound)
    return surface_of(positions, sound, noted((), len(faces) - len(sound), "degenerate face[s] dropped"))


def surface_of(vertices: Points, faces: Indices, notes: tuple[str, ...], one_sided: bool = False) -> RepairedSurface:
    return RepairedSurface(vertices, faces, edges_of(faces), one_sided, notes)


def extent(vertices: Points) -> float:
    return diagonal(*bounding_box(vertices))


def diagonal(lower: Points, upper: Points) -> float:
    """The diagonal of a box between two corners, (3,) each; a MeshError if it is not finite."""
    with np.errstate(all="ignore"):
        sides = upper - lower
        longest = float(sides.max())
        length = longest * float(np.sqrt(((sides / longest) ** 2).sum())) if longest > 0 else longest
    if not np.isfinite(length):
        raise MeshError("the mesh has coordinates that are not finite, or too large to compute with")
    return length


def noted(notes: tuple[str, ...], count: int, sentence: str) -> tuple[str, ...]:
    """The notes and one more, if there is anything to count: "face[s] dropped"."""
    if not count:
        return notes
    return (*notes, f"{count:,} " + re.sub(_NUMBER, lambda match: match[1] or "" if count == 1 else match[2], sentence))


_ANGLE_STEP = 1e-7  # rad; faces nearer to each other than this lie on one another: float32 coordinates resolve no more


def body_of_each_face(vertices: Points, faces: Indices, edges: Edges) -> Indices:
    """The number of the body of each face of a closed surface, (m,), counted by their first faces."""
    u, v, _ = edges.pairs()
    piece = components(len(faces), u, v)
    if edges.is_manifold:
        return piece
    crowded = np.repeat(edges.sizes != 2, edges.sizes)
    edge = np.repeat(np.arange(edges.count), edges.sizes)[crowded]
    face, forward = edges.face[crowded], edges.forward[crowded]

    _, use = np.unique(edge * (piece.max() + 1) + piece[face], return_inverse=True)
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
    """`(volume, area)` of each body, (count,) each; the volume is negative where faces look inward."""
    first = np.zeros(count, np.int64)
    if count > 1:
        first[:] = len(faces)
        np.minimum.at(first, body, np.arange(len(faces)))
    apexes = vertices[faces[first, 0]].T
    volume, area = np.zeros(len(faces)), np.zeros(len(faces))
    for part in chunks(len(faces), 8192):  # some thirty arrays of this length fit a processor's second cache
        a, b, c = vertices.take(faces[part], axis=0).transpose(1, 2, 0)
        u, v = np.subtract(b, a, order="C"), np.subtract(c, a, order="C")
        apex = apexes if count == 1 else apexes[:, body[part]]
        for axis, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
            normal = u[i] * v[j] - u[j] * v[i]
            volume[part] += normal * (a[axis] - apex[axis])
            area[part] += normal * normal
    np.sqrt(area, out=area)
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
    angle = np.arctan2(np.einsum("ij,ij->i", along, np.cross(zero, out)), np.einsum("ij,ij->i", zero, out))
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
    copy[present] = earlier_equals(boundary)
    return copy


def _facing_sides(edge: Indices, turn: Indices, angle: Indices, opens: Flags) -> tuple[Indices, Indices]:
    """Pairs of sides (k,) with matter between them about their edge: where it opens and where it closes again."""
    # Of faces on one another with one winding the innermost bracket is that of the least turn, at each of their edges.
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
