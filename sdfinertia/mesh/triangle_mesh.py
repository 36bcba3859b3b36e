"""The triangles of a mesh file, and the names by which ranges of them can be chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sdfinertia.errors import MeshError, first_few
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.mesh.kernel import Indices, Points, cross, lengths, normals, on_used_rows, only_used, ranges

_NAMES_LISTED = 20  # an error that prints thousands of names hides its own first words


class MeshPart(NamedTuple):
    """A range of faces and every name that selects it: its own and its ancestors'."""

    names: tuple[str, ...]
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Triangles as a file gives them: not checked for closedness, in metres and the mesh file's own frame."""

    vertices: Points  # (n, 3); corners at one position may be one vertex or several
    faces: Indices  # (m, 3), counter-clockwise seen from outside; none where a file gives vertices alone
    parts: tuple[MeshPart, ...] = ()  # the choices of `submesh`; no face is in two
    notes: tuple[str, ...] = ()  # on content that was read otherwise than the file says, or than Gazebo reads it
    uncertainty: float = 0.0  # of the volume, as a part of it, because curved faces were made triangles
    is_welded: bool = False  # all vertices are known to be used, and no two to be equal

    @property
    def nbytes(self) -> int:
        return self.vertices.nbytes + self.faces.nbytes

    def submesh(self, name: str) -> TriangleMesh:
        chosen = [part for part in self.parts if name in part.names]
        if not chosen:
            known = list(dict.fromkeys(repr(name) for part in self.parts for name in part.names))
            listed = f"its names are {first_few(known, _NAMES_LISTED)}"
            remedy = listed if known else "the mesh file names no parts, so remove <submesh>"
            raise MeshError(f"no submesh is named {name!r}", remedy=remedy)
        faces = np.concatenate([self.faces[part.start : part.stop] for part in chosen])
        used, renumbered = on_used_rows(faces, len(self.vertices))
        parts, start = [], 0
        for part in chosen:
            stop = start + part.stop - part.start
            parts.append(MeshPart(part.names, start, stop))
            start = stop
        return replace(self, vertices=self.vertices[used], faces=renumbered, parts=tuple(parts))

    def used_vertices(self) -> Points:
        is_whole = self.is_welded or not len(self.faces)
        return self.vertices if is_whole else only_used(self.vertices, self.faces)[0]

    @cached_property
    def bounds(self) -> tuple[Points, Points]:
        return bounding_box(self.used_vertices())

    def scaled(self, factors: tuple[float, float, float]) -> TriangleMesh:
        """The mesh with its vertices multiplied; mirrored faces are flipped, so that they look outward."""
        if factors == (1.0, 1.0, 1.0):
            return self
        mirrored = factors[0] * factors[1] * factors[2] < 0.0
        faces = self.faces[:, ::-1] if mirrored else self.faces
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow shows in the result
            mesh = replace(self, vertices=self.vertices * np.array(factors), faces=faces, is_welded=False)
        # Vertices that no face uses may be anything, and are seldom there.
        if not np.isfinite(mesh.vertices).all() and not np.isfinite(mesh.used_vertices()).all():
            raise MeshError("the mesh is too large to compute with: its scale makes coordinates that are not finite")
        return mesh

    def centered(self) -> TriangleMesh:
        if not len(self.vertices):
            return self
        lower, upper = self.bounds
        # Halves first: the sum of two coordinates near the largest float would overflow.
        center = lower / 2 + upper / 2
        with np.errstate(over="ignore", invalid="ignore"):  # vertices that no face uses may be anything
            return replace(self, vertices=self.vertices - center, is_welded=False)


def fans(corners: Indices, counts: Indices) -> Indices:
    """(m, 3) triangles of polygons (k,), each cut from its first corner; exact in the signed sense even if concave."""
    if (counts == 3).all():
        return np.asarray(corners, dtype=np.int64).reshape(-1, 3)
    triangles = np.maximum(counts - 2, 0)
    starts = np.cumsum(counts) - counts
    second = ranges(starts + 1, triangles)
    triples = np.column_stack((np.repeat(starts, triangles), second, second + 1))
    return np.asarray(corners[triples], dtype=np.int64)


def strip(corners: Indices) -> Indices:
    """(k - 2, 3) triangles of a strip of k vertex numbers, every second one flipped so that all face the same side."""
    faces = np.column_stack((corners[:-2], corners[1:-1], corners[2:]))
    faces[1::2, [0, 1]] = faces[1::2, [1, 0]]
    return faces


# Clipping ears takes quadratic time; larger concave polygons keep their fans, of the right volume.
_MAX_CORNERS = 1000
_STRAIGHT = 1e-12  # of the product of the lengths: a corner that turns by less is straight
# Of a polygon's radius, and of the size of all polygons: how far a corner may lie off the plane of a flat one.
_UNEVEN, _UNEVEN_OF_ALL = 1e-3, 1e-4


def triangulated(vertices: Points, corners: Indices, counts: Indices) -> Indices:
    """(m, 3) triangles of polygons: fans of convex ones; clipped ears of concave ones, whose fans overlap."""
    faces = fans(corners, counts)
    if not (counts > 3).any():
        return faces
    sizes = np.maximum(counts - 2, 0)
    polygon = np.repeat(np.arange(len(counts)), sizes)
    with np.errstate(all="ignore"):
        normal = normals(vertices, faces)
        whole: Points = np.stack([np.bincount(polygon, normal[:, axis], len(counts)) for axis in range(3)], axis=1)
        turned = (normal * whole[polygon]).sum(axis=1)
        scale = lengths(normal) * lengths(whole)[polygon]
    starts, firsts = np.cumsum(counts) - counts, np.cumsum(sizes) - sizes
    for number in np.unique(polygon[turned < -_STRAIGHT * scale]).tolist():
        start, count, first = int(starts[number]), int(counts[number]), int(firsts[number])
        loop = corners[start : start + count]
        if count <= _MAX_CORNERS and (clipped := _without_ears(_flat(vertices[loop], whole[number]))) is not None:
            faces[first : first + count - 2] = loop[np.array(clipped)]
    return faces


def non_planarity(vertices: Points, corners: Indices, counts: Indices) -> tuple[int, float, float] | None:
    """`(polygons, height, share)`: how many are not flat, how far corners lie off their planes, and that by radius."""
    many = counts > 3
    if not many.any():
        return None
    sizes = counts[many]
    start = np.cumsum(sizes) - sizes
    polygon = np.repeat(np.arange(len(sizes)), sizes)
    with np.errstate(all="ignore"):
        points = vertices[corners[np.repeat(many, counts)]]
        size = float(np.max(np.ptp(points, axis=0)))
        points = points - (np.add.reduceat(points, start) / sizes[:, None])[polygon]
        following = np.arange(1, len(points) + 1)
        following[start + sizes - 1] = start
        normal = np.add.reduceat(cross(points, points[following]), start)
        normal /= np.maximum(lengths(normal), 1e-300)[:, None]
        height = np.maximum.reduceat(np.abs((points * normal[polygon]).sum(axis=1)), start)
        radius = np.maximum.reduceat(lengths(points), start)
        off_plane = (height > _UNEVEN * radius) & (height > _UNEVEN_OF_ALL * size)
        if not off_plane.any():
            return None
        height, radius = height[off_plane], radius[off_plane]
        return len(height), float(height.max()), float((height / radius).max())


def planarity_notes(kind: str, vertices: Points, corners: Indices, counts: Indices) -> tuple[str, ...]:
    found = non_planarity(vertices, corners, counts)
    if found is None:
        return ()
    polygons, height, share = found
    return (
        f"{polygons:,} {kind} polygon{' is' if polygons == 1 else 's are'} not flat: corners lie up to {height:.3g} (in"
        f" the file's unit; {100 * share:.2g} % of a radius) off the plane, so other triangles would enclose another "
        "volume",
    )


Point = tuple[float, float]


def _flat(points: Points, normal: Points) -> list[Point]:
    """The points projected along the normal, so that their loop runs counter-clockwise."""
    drop = int(np.abs(normal).argmax())
    one, other = ((1, 2), (2, 0), (0, 1))[drop]
    if normal[drop] < 0:
        one, other = other, one
    return [(float(point[one]), float(point[other])) for point in points]


def _without_ears(loop: list[Point]) -> list[tuple[int, int, int]] | None:
    """The triangles of a counter-clockwise loop (Meisters 1975), or None."""
    rest = list(range(len(loop)))

    def turn(at: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = loop[rest[at - 1]], loop[rest[at]], loop[rest[(at + 1) % len(rest)]]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    turns = list(map(turn, rest))
    triangles: list[tuple[int, int, int]] = []
    while len(rest) > 3:
        # Only corners that turn back can lie in an ear.
        hollow = [loop[each] for each, turned in zip(rest, turns, strict=True) if turned <= 0]
        for at, turned in enumerate(turns):
            if turned > 0:
                a, b, c = rest[at - 1], rest[at], rest[(at + 1) % len(rest)]
                if not _holds_any(loop[a], loop[b], loop[c], hollow):
                    break
        else:
            return None
        triangles.append((a, b, c))
        del rest[at], turns[at]
        for near in (at - 1, at % len(rest)):
            turns[near] = turn(near)
    return [*triangles, (rest[0], rest[1], rest[2])]


def _holds_any(a: Point, b: Point, c: Point, points: list[Point]) -> bool:
    """Whether any of the points, but the corners, lies in a counter-clockwise triangle."""
    (ax, ay), (bx, by), (cx, cy) = a, b, c
    abx, aby, bcx, bcy, cax, cay = bx - ax, by - ay, cx - bx, cy - by, ax - cx, ay - cy
    for p in points:
        x, y = p
        if (
            abx * (y - ay) - aby * (x - ax) >= 0
            and bcx * (y - by) - bcy * (x - bx) >= 0
            and cax * (y - cy) - cay * (x - cx) >= 0
            and p not in (a, b, c)
        ):
            return True
    return False
