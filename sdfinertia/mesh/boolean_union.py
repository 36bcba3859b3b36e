"""Solids that overlap, as one that counts every place once, and solids cut out of others.

By Manifold itself: trimesh (5.2.0) passes single precision on, so that 1.5 mm³ come out as 1.5000002.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh import optional_library
from sdfinertia.mesh.closed_solid import ClosedSolid
from sdfinertia.mesh.kernel import Indices, Points, Surface, only_used
from sdfinertia.mesh.topology import body_of_each_face, edges_of, extent, signed_volumes
from sdfinertia.mesh.windings import points_inside, sample_points

# Part of a body's area times the size of all: a smaller volume is rounding (2^-52, with room for a thousand).
_NO_VOLUME = 1e-13
# Some 0.5 µs for a triangle that cuts, ten times that for one that is cut: at most four seconds.
_WORK_A_FACE = 10
_MAX_WORK = 5_500_000


def united(solids: Sequence[Surface]) -> Surface:
    """The union of closed solids, in which overlaps within one solid count once too."""
    manifold3d = optional_library("manifold3d", "uniting solids that overlap")
    middle, size = _frame(solids)
    pieces = [piece for solid in solids for piece in _pieces(manifold3d, solid, middle, size)]
    return _surface(_union(manifold3d, pieces), middle, size)


def with_bodies_united(solid: ClosedSolid) -> ClosedSolid:
    vertices, faces = united([(solid.vertices, solid.faces)])
    note = f"what its {solid.bodies} bodies share is counted once"
    total = moments(vertices, faces)
    return replace(solid, vertices=vertices, faces=faces, moments=total, notes=(*solid.notes, note))


def without_those_before(solids: Sequence[Surface]) -> Iterator[Surface | None]:
    """The part of each solid in none before it, as `united` gives it; None for all of it."""
    middle, size = _frame(solids)
    low, high = (np.array([end(vertices, axis=0) for vertices, _ in solids]) for end in (np.min, np.max))
    groups: dict[int, Any] = {}  # by the last solid in it
    group_of = np.arange(len(solids))
    work = 0
    for index, solid in enumerate(solids):
        meets = (low < high[index]).all(axis=1) & (low[index] < high).all(axis=1)
        if not meets[np.arange(len(solids)) != index].any():
            yield None
            continue
        manifold3d = optional_library("manifold3d", "cutting a solid out of another")
        own = _union(manifold3d, _pieces(manifold3d, solid, middle, size))
        near = np.unique(group_of[:index][meets[:index]]).tolist()
        if not near:
            yield None
        else:
            work += _WORK_A_FACE * own.num_tri() + sum(groups[number].num_tri() for number in near)
            if work > _MAX_WORK:
                raise MeshError(
                    f"uniting its {len(solids):,} solids takes too long: after {index:,} of them the limit is reached,"
                    f" with {own.num_tri():,} triangles to be cut by {sum(groups[n].num_tri() for n in near):,}",
                    remedy="describe the link by fewer or simpler solids, or choose --overlaps sum",
                )
            cut = _union(manifold3d, [groups[number] for number in near])
            yield _surface(_checked(manifold3d, own - cut), middle, size)
            # A solid near one group alone stays beside it, so that a long row does not grow into one.
            if len(near) > 1:
                own = _checked(manifold3d, cut + own)
                group_of[np.isin(group_of, near)] = index
                for number in near:
                    del groups[number]
        groups[index] = own


def _frame(solids: Sequence[Surface]) -> tuple[Points, float]:
    """The middle of the box about all used vertices, and a power of two near its size, so that scaling is exact."""
    used = [vertices for vertices, faces in (only_used(*solid) for solid in solids) if len(faces)]
    if not used:
        return np.zeros(3), 1.0
    ends = np.array([end for vertices in used for end in (vertices.min(axis=0), vertices.max(axis=0))])
    size = extent(ends)
    middle: Points = ends.min(axis=0) / 2 + ends.max(axis=0) / 2
    return middle, 2.0 ** math.ceil(math.log2(size)) if size > 0 else 1.0


def _pieces(manifold3d: Any, solid: Surface, middle: Points, size: float) -> list[Any]:
    vertices, faces = only_used(*solid)
    if not len(faces):
        return []
    edges = edges_of(faces)
    if len(edges.open):
        raise MeshError(f"only closed surfaces can be united or cut: one has {len(edges.open):,} open edges")
    scaled = (vertices - middle) / size
    body = body_of_each_face(scaled, faces, edges)
    count = int(body.max()) + 1
    volume, area = signed_volumes(scaled, faces, body, count)
    solid_bodies = np.abs(volume) > _NO_VOLUME * area
    # Bodies that touch share vertices; each gets its own.
    by_body = np.argsort(body, kind="stable")
    parts = np.split(faces[by_body], np.searchsorted(body[by_body], np.arange(1, count)))
    surfaces = [only_used(scaled, part) for part in parts]
    matter = np.flatnonzero(solid_bodies & (volume > 0))
    cavities = np.flatnonzero(solid_bodies & (volume < 0))
    hollows: dict[int, list[Any]] = {}
    for cavity in cavities.tolist():
        around = _body_around(surfaces, matter[np.argsort(volume[matter], kind="stable")], cavity)
        inverted = surfaces[cavity][0], surfaces[cavity][1][:, ::-1]
        hollows.setdefault(around, []).append(_manifold(manifold3d, inverted))
    pieces = []
    for number in matter.tolist():
        piece = _manifold(manifold3d, surfaces[number])
        if number in hollows:
            piece = _checked(manifold3d, piece - _union(manifold3d, hollows[number]))
        pieces.append(piece)
    return pieces


def _body_around(surfaces: Sequence[Surface], ascending: Indices, cavity: int) -> int:
    vertices, faces = surfaces[cavity]
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    samples = sample_points(vertices, faces, np.zeros(len(faces), np.int64), 1)
    for number in ascending.tolist():
        outer, outer_faces = surfaces[number]
        in_box = (outer.min(axis=0) <= low).all() and (outer.max(axis=0) >= high).all()
        if in_box and points_inside(outer, outer_faces, samples).all():
            return int(number)
    raise MeshError("a body that is inside out cannot be united with others, nor cut")


def _manifold(manifold3d: Any, surface: Surface) -> Any:
    vertices, faces = surface
    mesh = manifold3d.Mesh64(np.ascontiguousarray(vertices), np.ascontiguousarray(faces, dtype=np.uint64))
    return _checked(manifold3d, manifold3d.Manifold(mesh))


def _union(manifold3d: Any, pieces: list[Any]) -> Any:
    if not pieces:
        return manifold3d.Manifold()
    return _checked(manifold3d, manifold3d.Manifold.batch_boolean(pieces, manifold3d.OpType.Add))


def _checked(manifold3d: Any, manifold: Any) -> Any:
    status = manifold.status()
    if status == manifold3d.Error.NoError:
        return manifold
    is_crowded = status == manifold3d.Error.NotManifold
    why = "a body has an edge whose faces cannot be paired" if is_crowded else status.name
    raise MeshError(f"the solids cannot be united or cut: {why}")


def _surface(manifold: Any, middle: Points, size: float) -> Surface:
    mesh = manifold.to_mesh64()
    vertices = np.asarray(mesh.vert_properties, np.float64)[:, :3]
    return vertices * size + middle, np.asarray(mesh.tri_verts).astype(np.int64)
