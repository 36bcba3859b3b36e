"""The loops of open edges by which a surface fails to be closed: their size, caps on them, and T-junctions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sdfinertia.mesh.kernel import Flags, Indices, Points, cross, distinct_triangles, earlier_equals, lengths, only_used
from sdfinertia.mesh.topology import Edges, RepairedSurface, components, noted, surface_of


@dataclass(frozen=True, slots=True, eq=False)
class BoundaryLoops:
    """Closed chains of directed edges, (k,), which run as the edges of a cap would.

    Args:
        start: (l + 1,) where the edges of each loop begin; within a loop they are in no order.
    """

    tail: Indices
    head: Indices
    start: Indices

    @property
    def count(self) -> int:
        return len(self.start) - 1

    @property
    def sizes(self) -> Indices:
        return np.diff(self.start)

    @property
    def loop(self) -> Indices:
        return np.repeat(np.arange(self.count), self.sizes)

    def subset(self, kept: Flags) -> BoundaryLoops:
        at = np.repeat(kept, self.sizes)
        return BoundaryLoops(self.tail[at], self.head[at], np.concatenate(([0], np.cumsum(self.sizes[kept]))))


class LoopShapes(NamedTuple):
    centre: Points  # (l, 3), of each loop as a wire
    area: Points  # (l,), of the cone from each loop to its centre
    radius: Points  # (l,), the greatest distance of a vertex from the centre
    height: Points  # (l,), the same from the plane across the loop's vector area (M. Newell's normal), if it has one


# Of the area of the cone: a loop whose vector area is below it is so folded that no plane is its own.
_FOLDED = 1e-3


def boundary_loops(edges: Edges) -> BoundaryLoops:
    """The boundary as simple loops: it enters each vertex as often as it leaves it."""
    tail, head = _boundary_edges(edges)
    return _loops(tail, head, _loop_of_each_edge(tail, head) if len(tail) else tail)


def _loops(tail: Indices, head: Indices, loop: Indices) -> BoundaryLoops:
    order = np.argsort(loop, kind="stable")
    return BoundaryLoops(tail[order], head[order], np.concatenate(([0], np.cumsum(np.bincount(loop)))).astype(np.int64))


def _boundary_edges(edges: Edges) -> tuple[Indices, Indices]:
    excess = edges.excess[edges.open]
    # Faces that run forward, from the lower number to the higher, need a cap that runs back.
    lower, higher = edges.ends[edges.open].T
    times = np.abs(excess)
    tail = np.repeat(np.where(excess > 0, higher, lower), times)
    head = np.repeat(np.where(excess > 0, lower, higher), times)
    return tail, head


def loop_shapes(vertices: Points, loops: BoundaryLoops) -> LoopShapes:
    loop, count = loops.loop, loops.count
    if not count:
        return LoopShapes(np.zeros((0, 3)), np.zeros(0), np.zeros(0), np.zeros(0))
    # From a vertex of the loop, so that one far from the origin loses no digits.
    foot = vertices[loops.tail[loops.start[:-1]]]
    ends = (loops.tail, loops.head)
    u, v = (vertices.take(end, axis=0) - foot.take(loop, axis=0) for end in ends)
    length = lengths(v - u)
    total = np.bincount(loop, length, count)
    middle = _sums(loop, length[:, None] * (u + v) / 2, count) / np.where(total > 0, total, 1.0)[:, None]

    u -= middle[loop]
    v -= middle[loop]
    normal = cross(u, v) / 2
    area = np.asarray(np.bincount(loop, lengths(normal), count), np.float64)
    vector = _sums(loop, normal, count)
    vector_area = lengths(vector)
    radius = np.maximum.reduceat(lengths(u), loops.start[:-1])
    folded = ~(vector_area > _FOLDED * area)
    unit = vector / np.where(folded, 1.0, vector_area)[:, None]
    across = unit[loop]
    away = np.abs(u[:, 0] * across[:, 0] + u[:, 1] * across[:, 1] + u[:, 2] * across[:, 2])
    height = np.where(folded, radius, np.maximum.reduceat(away, loops.start[:-1]))
    return LoopShapes(foot + middle, area, radius, height)


def with_caps(vertices: Points, faces: Indices, loops: BoundaryLoops, centre: Points) -> tuple[Points, Indices]:
    """`(vertices, faces)`: the surface and a cap on each loop, the cone to its centre (l, 3); exact if planar."""
    triangular = loops.sizes == 3
    first = loops.start[:-1][triangular]
    tail, head = loops.tail[first], loops.head[first]
    third = loops.tail[first] + loops.tail[first + 1] + loops.tail[first + 2] - tail - head
    others = loops.subset(~triangular)
    apex = len(vertices) + others.loop
    caps = np.concatenate((np.stack((tail, head, third), axis=1), np.stack((apex, others.tail, others.head), axis=1)))
    return np.concatenate((vertices, centre[~triangular])), np.concatenate((faces, caps))


def _sums(loop: Indices, values: Points, count: int) -> Points:
    return np.stack([np.bincount(loop, column, count) for column in values.T], axis=1)


def _loop_of_each_edge(tail: Indices, head: Indices) -> Indices:
    vertices, place = np.unique(np.concatenate((tail, head)), return_inverse=True)
    source, target = place[: len(tail)], place[len(tail) :]
    loop = components(len(vertices), source, target)[source]
    # A connected piece that leaves each of its vertices once is one loop; only the others need a walk.
    crowded = np.bincount(source, minlength=len(vertices)) > 1
    walk = np.zeros(int(loop.max()) + 1, np.bool_)
    walk[loop[crowded[source]]] = True
    at = np.flatnonzero(walk[loop])
    if len(at):
        loop[at] = len(walk) + _walked(source[at], target[at])
        _, loop = np.unique(loop, return_inverse=True)
    return loop


def _walked(tail: Indices, head: Indices) -> Indices:
    """The simple loop of each directed edge, (k,), by walking until the walk meets itself (Hierholzer 1873)."""
    source, target = tail.tolist(), head.tolist()
    leaving: list[list[int]] = [[] for _ in range(max(source) + 1)]
    for edge in range(len(source) - 1, -1, -1):
        leaving[source[edge]].append(edge)
    loop = [-1] * len(source)
    count = 0
    met = [-1] * len(leaving)  # where the present walk left each vertex
    walk: list[int] = []
    for begin in range(len(leaving)):
        at = begin
        while leaving[at]:
            met[at] = len(walk)
            edge = leaving[at].pop()
            walk.append(edge)
            at = target[edge]
            if met[at] >= 0:
                back = met[at]
                for run in walk[back:]:
                    loop[run] = count
                    met[source[run]] = -1
                del walk[back:]
                count += 1
    return np.array(loop, np.int64)


# T-junctions ----------------------------------------------------------------------------------------------------------

# Edges that enter one vertex and are ordered by direction; where more meet, the input order decides.
_MAX_AT_A_VERTEX = 8


def with_t_junctions_closed(surface: RepairedSurface, tolerance: float) -> RepairedSurface:
    """The surface with flat faces in those loops of open edges whose cap has no area."""
    loops = _folded_loops(surface)
    if not loops.count:
        return surface
    shapes = loop_shapes(surface.vertices, loops)
    length = np.bincount(loops.loop, lengths(surface.vertices[loops.head] - surface.vertices[loops.tail]))
    flat = shapes.area <= tolerance * length
    if not flat.any():
        return surface
    caps = _fans(loops.subset(flat))
    opposite, of_cap = _opposites(surface.faces, caps)
    vertices, faces = only_used(surface.vertices, np.concatenate((surface.faces[~opposite], caps[~of_cap])))
    if not len(faces):
        return surface
    what = "T-junction[s], where [an edge meets|edges meet] the middle of [another|others], closed"
    gone = "flat face[s] whose reverse[s] would close [a T-junction|T-junctions] dropped"
    notes = noted(noted(surface.notes, int(flat.sum()), what), int(opposite.sum()), gone)
    return surface_of(vertices, faces, notes, surface.one_sided)


def _opposites(faces: Indices, caps: Indices) -> tuple[Flags, Flags]:
    """Which faces (m, 3) have their reverse among the caps (k, 3), one for one, and which caps theirs."""
    _, number, ascending = distinct_triangles(np.concatenate((faces, caps[:, ::-1])))
    wound = 2 * number + ascending
    of_faces, of_caps = wound[: len(faces)], wound[len(faces) :]
    kinds = int(wound.max(initial=-1)) + 1
    pairs = np.minimum(np.bincount(of_faces, minlength=kinds), np.bincount(of_caps, minlength=kinds))
    return earlier_equals(of_faces) < pairs[of_faces], earlier_equals(of_caps) < pairs[of_caps]


def _folded_loops(surface: RepairedSurface) -> BoundaryLoops:
    tail, head = _boundary_edges(surface.edges)
    following = _following(surface.vertices, tail, head)
    return _loops(tail, head, components(len(tail), np.arange(len(tail)), following))


def _following(vertices: Points, tail: Indices, head: Indices) -> Indices:
    entering, leaving = np.argsort(head, kind="stable"), np.argsort(tail, kind="stable")
    following = np.empty(len(tail), np.int64)
    following[entering] = leaving  # each vertex is entered as often as it is left
    sizes = np.unique(head, return_counts=True)[1]
    start = np.cumsum(sizes) - sizes
    along = vertices[head] - vertices[tail]
    along /= np.maximum(lengths(along), 1e-300)[:, None]
    for size in range(2, min(int(sizes.max(initial=0)), _MAX_AT_A_VERTEX) + 1):
        at = start[sizes == size][:, None] + np.arange(size)
        into, out = entering[at], leaving[at]
        u, v = along[into][:, :, None, :], along[out][:, None, :, :]
        back = -(u[..., 0] * v[..., 0] + u[..., 1] * v[..., 1] + u[..., 2] * v[..., 2])
        vertex = np.arange(len(at))
        for _ in range(size):
            one, other = np.divmod(back.reshape(len(at), size * size).argmax(axis=1), size)
            following[into[vertex, one]] = out[vertex, other]
            back[vertex, one], back[vertex, :, other] = -np.inf, -np.inf
    return following


def _fans(loops: BoundaryLoops) -> Indices:
    apex = loops.tail[loops.start[:-1]][loops.loop]
    away = (apex != loops.tail) & (apex != loops.head)
    return np.stack((apex[away], loops.tail[away], loops.head[away]), axis=1)
