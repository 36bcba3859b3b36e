"""Cracks: loops of open edges that enclose no area, as where the end of an edge meets the middle of another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.arrays.distinct_rows import distinct_rows
from sdfinertia.mesh.surface.boundary_loops import BoundaryLoops, boundary_edges, loop_shapes
from sdfinertia.mesh.surface.repaired_surface import RepairedSurface, noted, only_used
from sdfinertia.mesh.surface.surface_area import lengths
from sdfinertia.mesh.surface.topology import Flags, Indices, components, edges_of, least_vertex_first

Points = npt.NDArray[np.float64]

# Edges that enter one vertex and are told apart by their directions; where more meet, their order decides.
_MOST_AT_A_VERTEX = 8


def with_cracks_closed(surface: RepairedSurface, tolerance: float) -> RepairedSurface:
    """The surface with faces without area in those loops of open edges of which the lid has none.

    A lid has no area if it is at most the tolerance times the length of its loop; what it encloses is within rounding.
    A face of a lid that is the reverse of one there takes that away: both would be a sheet, and closed no better.

    Args:
        tolerance: in the unit of the vertices, > 0.
    """
    loops = _folded_loops(surface)
    if not loops.count:
        return surface
    shapes = loop_shapes(surface.vertices, loops)
    length = np.bincount(loops.loop, lengths(surface.vertices[loops.head] - surface.vertices[loops.tail]))
    flat = shapes.area <= tolerance * length
    if not flat.any():
        return surface
    lids = _fans(loops.subset(flat))
    opposite, of_lid = _opposites(surface.faces, lids)
    vertices, faces = only_used(surface.vertices, np.concatenate((surface.faces[~opposite], lids[~of_lid])))
    if not len(faces):
        return surface
    notes = noted(
        surface.notes,
        int(flat.sum()),
        "crack without area, where edges meet the middle of others, was closed",
        "cracks without area, where edges meet the middle of others, were closed",
    )
    notes = noted(
        notes,
        int(opposite.sum()),
        "flat face whose reverse would close a crack was dropped",
        "flat faces whose reverses would close cracks were dropped",
    )
    return RepairedSurface(vertices, faces, edges_of(faces), surface.one_sided, notes)


def _opposites(faces: Indices, lids: Indices) -> tuple[Flags, Flags]:
    """Which faces (m, 3) have their reverse among the lids (k, 3), one for one, and which lids theirs."""
    _, number = distinct_rows(least_vertex_first(np.concatenate((faces, lids[:, ::-1]))).view(np.uint64))
    of_faces, of_lids = number[: len(faces)], number[len(faces) :]
    kinds = int(number.max(initial=-1)) + 1
    pairs = np.minimum(np.bincount(of_faces, minlength=kinds), np.bincount(of_lids, minlength=kinds))
    return _turn(of_faces) < pairs[of_faces], _turn(of_lids) < pairs[of_lids]


def _turn(number: Indices) -> Indices:
    """How many equal numbers stand before each, (k,)."""
    order = np.argsort(number, kind="stable")
    sizes = np.bincount(number)
    turn = np.empty(len(number), np.int64)
    turn[order] = np.arange(len(number)) - (np.cumsum(sizes) - sizes)[number[order]]
    return turn


def _folded_loops(surface: RepairedSurface) -> BoundaryLoops:
    """The boundary as loops that turn back where they can.

    Where cracks meet, each is left by the edge that lies nearest to the one by which it was entered: so a loop runs
    along both sides of one crack, and not along one side of several. A loop may pass a vertex more than once.
    """
    tail, head = boundary_edges(surface.edges)
    following = _following(surface.vertices, tail, head)
    loop = components(len(tail), np.arange(len(tail)), following)
    order = np.argsort(loop, kind="stable")
    start = np.concatenate(([0], np.cumsum(np.bincount(loop))))
    return BoundaryLoops(tail[order], head[order], start)


def _following(vertices: Points, tail: Indices, head: Indices) -> Indices:
    """For each edge that which is taken next, (k,), each once."""
    entering, leaving = np.argsort(head, kind="stable"), np.argsort(tail, kind="stable")
    following = np.empty(len(tail), np.int64)
    following[entering] = leaving  # each vertex is entered as often as it is left
    sizes = np.unique(head, return_counts=True)[1]
    start = np.cumsum(sizes) - sizes
    along = vertices[head] - vertices[tail]
    along /= np.maximum(lengths(along), 1e-300)[:, None]
    for size in range(2, min(int(sizes.max(initial=0)), _MOST_AT_A_VERTEX) + 1):
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
    """The triangles from the first vertex of each loop to its edges, (k, 3), but for those at that vertex."""
    apex = loops.tail[loops.start[:-1]][loops.loop]
    away = (apex != loops.tail) & (apex != loops.head)
    return np.stack((apex[away], loops.tail[away], loops.head[away]), axis=1)
