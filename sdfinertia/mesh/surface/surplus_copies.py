"""Faces that stand more than once with the same winding: which of their copies go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdfinertia.mesh.arrays.distinct_rows import distinct_rows
from sdfinertia.mesh.surface.repaired_surface import RepairedSurface, noted
from sdfinertia.mesh.surface.topology import (
    Edges,
    Flags,
    Indices,
    components,
    connected_parts,
    edges_of,
    least_vertex_first,
)

# Copies of one face that are judged; further ones go. Of bodies that share a face there are never so many.
_MOST_COPIES = 64


def without_surplus_copies(surface: RepairedSurface) -> RepairedSurface:
    """The surface without those copies of faces that its closedness does not need.

    The second copies of all faces are a surface of their own, and so are the third. Each of its connected patches is
    judged: one without a boundary is a body listed again, and goes; one whose removal leaves fewer open edges goes
    (an edge that k more faces use in one direction than in the other counts k times); else it stays, as where two
    bodies that stand in each other share a wall. Patches are parted along open edges: what lies on the two sides of
    one is not needed alike.
    """
    if not surface.has_faces_alike:
        return surface
    copy, times = _copies(surface.faces)
    if not copy.any():
        return surface
    # Where all faces of a part stand there twice, or a multiple of it, the part does.
    part = connected_parts(len(surface.faces), surface.edges)
    whole = np.zeros(int(part.max()) + 1, np.int64)
    np.gcd.at(whole, part, times)
    gone = copy >= times // whole[part]
    if gone.any():
        surface = _without(surface, gone)
        copy = copy[~gone]
    surplus = np.flatnonzero(copy)
    if not len(surplus):
        return surface
    gone = np.zeros(len(surface.faces), np.bool_)
    gone[surplus[_removable(surface, surplus, copy[surplus])]] = True
    return _without(surface, gone) if gone.any() else surface


def each_face_once(surface: RepairedSurface) -> RepairedSurface:
    """The surface without any copy of a face; the same if each face stands once."""
    if not surface.has_faces_alike:
        return surface
    gone = _copies(surface.faces)[0] > 0
    return _without(surface, gone) if gone.any() else surface


def _without(surface: RepairedSurface, gone: Flags) -> RepairedSurface:
    notes = noted(
        surface.notes,
        int(gone.sum()),
        "face listed twice was counted once",
        "faces listed twice were counted once",
    )
    return replace(surface.subset(~gone), notes=notes)


def _copies(faces: Indices) -> tuple[Indices, Indices]:
    """How many faces with the same corners and winding stand before each, and how many there are, (m,) each."""
    first, number = distinct_rows(least_vertex_first(faces).view(np.uint64))
    copy = np.zeros(len(faces), np.int64)
    if len(first) == len(faces):
        return copy, copy + 1
    order = np.argsort(number, kind="stable")
    times = np.bincount(number)
    copy[order] = np.arange(len(faces)) - (np.cumsum(times) - times)[number[order]]
    return copy, times[number]


def _removable(surface: RepairedSurface, surplus: Indices, copy: Indices) -> Flags:
    """Which of the surplus faces go, (k,)."""
    faces = surface.faces[surplus]
    edges = surface.edges
    excess = edges.excess.copy()
    patch, closed = _patches(faces, copy, edges, excess)
    gone = closed[patch] | (copy > _MOST_COPIES)
    if not excess.any() or gone.all():
        return gone
    too_many = np.flatnonzero((copy > _MOST_COPIES) & ~closed[patch])
    _count(excess, *_sides(edges, faces[too_many]), -1)
    # From the last copies to the second, since those of one face are judged one after the other.
    for number in range(min(int(copy.max()), _MOST_COPIES), 0, -1):
        at = np.flatnonzero((copy == number) & ~gone)
        if not len(at):
            continue
        edge, direction = _sides(edges, faces[at])
        pair, place = np.unique(np.tile(patch[at], 3) * edges.count + edge, return_inverse=True)
        net = np.rint(np.bincount(place.reshape(-1), direction, len(pair))).astype(np.int64)
        before = excess[pair % edges.count]
        gain = np.bincount(pair // edges.count, np.abs(before) - np.abs(before - net), int(patch.max()) + 1)
        going = (gain > 0)[patch[at]]
        gone[at[going]] = True
        _count(excess, *_sides(edges, faces[at[going]]), -1)
    return gone


def _patches(faces: Indices, copy: Indices, edges: Edges, excess: Indices) -> tuple[Indices, Flags]:
    """`(patch, closed)`: the patch of each face, (k,), and whether each patch has no boundary, (p,)."""
    # Copies of one number are connected only with each other, so each number has vertices of its own.
    stride = edges.stride
    keys, number = np.unique(copy[:, None] * stride + faces, return_inverse=True)
    own = edges_of(number.reshape(-1, 3))
    part = connected_parts(len(faces), own)
    closed = _closed(part, own)
    if closed.all():
        return part, closed
    u, v, _ = own.pairs()
    ends = keys[own.ends[own.sizes == 2]] % stride
    at = np.searchsorted(edges.key, ends.min(axis=1) * stride + ends.max(axis=1))
    needed_alike = excess[at] == 0
    piece = components(len(faces), u[needed_alike], v[needed_alike])
    patch = np.where(closed[part], part, len(closed) + piece)
    return patch, _closed(patch, own)


def _closed(patch: Indices, edges: Edges) -> Flags:
    """Whether each patch of faces uses every edge equally often in both directions, (p,)."""
    edge = np.repeat(np.arange(edges.count), edges.sizes)
    pair, place = np.unique(patch[edges.face] * edges.count + edge, return_inverse=True)
    net = np.bincount(place.reshape(-1), np.where(edges.forward, 1, -1), len(pair))
    closed = np.ones(int(patch.max()) + 1, np.bool_)
    closed[pair[net != 0] // edges.count] = False
    return closed


def _sides(edges: Edges, faces: Indices) -> tuple[Indices, Indices]:
    """`(edge, direction)` of the three sides of each face, (3 k,), corner by corner; 1 where it runs forward."""
    keys, directions = [], []
    for side in range(3):
        tail, head = faces[:, side], faces[:, (side + 1) % 3]
        keys.append(np.minimum(tail, head) * edges.stride + np.maximum(tail, head))
        directions.append(np.where(tail < head, 1, -1))
    return np.searchsorted(edges.key, np.concatenate(keys)), np.concatenate(directions)


def _count(excess: Indices, edge: Indices, direction: Indices, times: int) -> None:
    """Adds the sides so many times to how much more often edges run forward, in place."""
    np.add.at(excess, edge, times * direction)
