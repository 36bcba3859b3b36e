"""Geometry placed by a scene: each instance is a copy, bounded in number before memory is used."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Indices, Points, rotated
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh

# Affine transforms ----------------------------------------------------------------------------------------------------

Row = tuple[float, float, float, float]
Affine = tuple[Row, Row, Row]  # the upper three rows of a 4 by 4 matrix that acts on column vectors

IDENTITY: Affine = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))


def compose(outer: Affine, inner: Affine) -> Affine:
    """Applies `inner` first."""

    def row_of(outer: Row) -> Row:
        first, second, third, fourth = (
            outer[0] * x + outer[1] * y + outer[2] * z for x, y, z in zip(*inner, strict=True)
        )
        return first, second, third, fourth + outer[3]

    first, second, third = map(row_of, outer)
    return first, second, third


def determinant(transform: Affine) -> float:
    (a, b, c, _), (d, e, f, _), (g, h, i, _) = transform
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def translation(x: float, y: float, z: float) -> Affine:
    return (1.0, 0.0, 0.0, x), (0.0, 1.0, 0.0, y), (0.0, 0.0, 1.0, z)


def scaling(x: float, y: float, z: float) -> Affine:
    return (x, 0.0, 0.0, 0.0), (0.0, y, 0.0, 0.0), (0.0, 0.0, z, 0.0)


def rotation_about(axis: Sequence[float], degrees: float) -> Affine:
    """The rotation about an axis of any length; the identity for length zero."""
    length = math.hypot(*axis)
    if length == 0.0:
        return IDENTITY
    x, y, z = (component / length for component in axis)
    c, s = _cosine_and_sine(degrees)
    t = 1.0 - c
    return (
        (c + t * x * x, t * x * y - s * z, t * x * z + s * y, 0.0),
        (t * x * y + s * z, c + t * y * y, t * y * z - s * x, 0.0),
        (t * x * z - s * y, t * y * z + s * x, c + t * z * z, 0.0),
    )


def rotation_from_quaternion(x: float, y: float, z: float, w: float) -> Affine:
    # Divided by the largest first, so that no square underflows and equal components become exact ones.
    largest = max(abs(x), abs(y), abs(z), abs(w))
    x, y, z, w = x / largest, y / largest, z / largest, w / largest
    s = 2.0 / (x * x + y * y + z * z + w * w)
    return (
        (1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w), 0.0),
        (s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w), 0.0),
        (s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y), 0.0),
    )


def _cosine_and_sine(degrees: float) -> tuple[float, float]:
    # Quarter turns are exact, so that they leave axis-parallel faces axis-parallel.
    quarter = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}.get(degrees % 360.0)
    angle = math.radians(degrees)
    return quarter or (math.cos(angle), math.sin(angle))


# Nodes that hold two copies of nodes that hold two copies: no collision mesh comes near; 10 million take 0.5 GB.
MAX_TRIANGLES = 10_000_000
# That any file may have, and bytes of the file for each beyond: the densest measured file takes 25, a strip 4.
FREE_TRIANGLES = 500_000
BYTES_A_TRIANGLE = 4
MAX_INSTANCES = 100_000
MAX_NODES = 200_000
MAX_DEPTH = 500
MAX_NAMES = 5_000_000


class Geometry(NamedTuple):
    vertices: Points  # (n, 3), all used
    faces: Indices  # (m, 3)


class Instance(NamedTuple):
    geometry: Hashable  # by any key
    to_scene: Affine
    names: tuple[str, ...]  # every one that selects it


class Node(NamedTuple):
    to_parent: Affine
    names: tuple[str, ...]
    content: Sequence[Hashable]  # instances, and by any key the nodes in it


def placed_by_nodes(
    roots: Sequence[Hashable], node: Callable[[Any], Node], named: Callable[[Any], str]
) -> Iterator[Instance]:
    """Every instance in the nodes by its place in the scene, with the names of all nodes above it."""
    # Of each node on the way its transform, its names and the rest of its content.
    way: list[tuple[Affine, tuple[str, ...], Iterator[Hashable]]] = [(IDENTITY, (), iter(roots))]
    nodes = 0
    while way:
        to_scene, names, left = way[-1]
        found = next(left, None)
        if found is None:
            way.pop()
        elif isinstance(found, Instance):
            all_names = tuple(dict.fromkeys(names + found.names))
            yield Instance(found.geometry, compose(to_scene, found.to_scene), all_names)
        else:
            nodes += 1
            if nodes > MAX_NODES:
                raise too_many("nodes", MAX_NODES)
            if len(way) > MAX_DEPTH:
                raise MeshError(f"{named(found)} is deeper than {MAX_DEPTH} nodes, or contains itself")
            inner = node(found)
            way.append((compose(to_scene, inner.to_parent), names + inner.names, iter(inner.content)))


def too_many(what: str, limit: int) -> MeshError:
    return MeshError(f"the scene asks for more than {limit} {what}", remedy="simplify the mesh")


def refuse_too_many_triangles(triangles: int, held: int) -> None:
    limit = min(MAX_TRIANGLES, max(FREE_TRIANGLES, held // BYTES_A_TRIANGLE))
    if triangles > limit:
        beside = f", but its file has {held} bytes" if limit < MAX_TRIANGLES else ""
        problem = f"the scene asks for more than {limit} triangles{beside}"
        raise MeshError(problem, remedy="simplify the mesh, or let it repeat less")


NO_FACES = np.empty((0, 3), dtype=np.int64)


def joined(pieces: Sequence[tuple[Points, Indices]]) -> Geometry:
    """All vertices and faces, of each piece (n, 3) and (m, 3), one after the other."""
    vertices, faces, count = [np.empty((0, 3))], [NO_FACES], 0
    for own, own_faces in pieces:
        vertices.append(own)
        faces.append(own_faces + count)
        count += len(own)
    return Geometry(np.concatenate(vertices), np.concatenate(faces))


def place(
    instances: Iterable[Instance],
    geometry: Callable[[Hashable], Geometry],
    held: Callable[[], int],
    scale: float = 1.0,
) -> TriangleMesh:
    read: dict[Hashable, Geometry] = {}
    pieces: list[tuple[Points, Indices]] = []
    parts: list[MeshPart] = []
    total = named = 0
    for number, each in enumerate(instances):
        named += len(each.names)
        if number == MAX_INSTANCES:
            raise too_many("instances", MAX_INSTANCES)
        if named > MAX_NAMES:
            raise too_many("names", MAX_NAMES)
        if each.geometry not in read:
            read[each.geometry] = geometry(each.geometry)
        vertices, faces = read[each.geometry]
        total += len(faces)
        refuse_too_many_triangles(total, held())
        if not len(faces):
            continue
        if each.to_scene != IDENTITY or scale != 1.0:
            vertices = _transformed(vertices, each.to_scene, scale)
        # A mirrored copy is inside out: flip its triangles.
        pieces.append((vertices, faces[:, ::-1] if determinant(each.to_scene) < 0.0 else faces))
        if each.names:
            parts.append(MeshPart(each.names, total - len(faces), total))
    return TriangleMesh(*joined(pieces), tuple(parts))


def _transformed(vertices: Points, transform: Affine, scale: float) -> Points:
    # Overflows are refused later, with all coordinates that are not finite.
    with np.errstate(over="ignore", invalid="ignore"):
        moved: Points = rotated(vertices, [row[:3] for row in transform])
        moved += [row[3] for row in transform]
        moved *= scale
    return moved
