"""Polygons of mesh files cut into triangles that lie inside them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.mesh.triangle_mesh import fans
from sdfinertia.named_tuple import NamedTuple

Points = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

# Clipping ears takes time that grows with the square of the corners; a file of larger concave polygons keeps its fans,
# whose volume is right all the same.
_MOST_CORNERS = 1000
# Of the product of the lengths: a corner that turns by less is straight.
_STRAIGHT = 1e-12
# Of a polygon's radius, and of the size of all polygons: how far a corner may lie off the plane of a flat one.
_UNEVEN = 1e-3
_UNEVEN_OF_ALL = 1e-4


def triangulated(vertices: Points, corners: Indices, counts: Indices) -> Indices:
    """(m, 3) triangles of polygons: fans of convex ones, and of concave ones what is left when ears are clipped.

    A fan of a concave polygon is right in the signed sense, and so for volumes; but its triangles overlap, and what
    counts area, as a shell does, needs triangles that cover the polygon once.

    Args:
        vertices: (n, 3) positions.
        corners: (sum of counts,) vertex numbers of all polygons, one after the other.
        counts: (k,) number of corners of each polygon, none negative.
    """
    faces = fans(corners, counts)
    if not (counts > 3).any():
        return faces
    sizes = np.maximum(counts - 2, 0)
    polygon = np.repeat(np.arange(len(counts)), sizes)
    with np.errstate(all="ignore"):
        normals = _normals(vertices, faces)
        whole = np.stack([np.bincount(polygon, normals[:, axis], len(counts)) for axis in range(3)], axis=1)
        turned = (normals * whole[polygon]).sum(axis=1)
        scale = np.linalg.norm(normals, axis=1) * np.linalg.norm(whole, axis=1)[polygon]
    starts, firsts = np.cumsum(counts) - counts, np.cumsum(sizes) - sizes
    for number in np.unique(polygon[turned < -_STRAIGHT * scale]).tolist():
        start, count, first = int(starts[number]), int(counts[number]), int(firsts[number])
        loop = corners[start : start + count]
        if count <= _MOST_CORNERS and (loop >= 0).all() and (loop < len(vertices)).all():
            clipped = _without_ears(_flat(vertices[loop], whole[number]))
            if clipped is not None:
                faces[first : first + count - 2] = loop[np.array(clipped)]
    return faces


class Unevenness(NamedTuple):
    """How far polygons are from being flat, so that their volume depends on how they are cut into triangles.

    Attributes:
        polygons: how many are not flat.
        height: the greatest distance of a corner from the plane of its polygon, in the unit of the vertices.
        share: the greatest part of a polygon's radius that a corner lies off its plane.
    """

    polygons: int
    height: float
    share: float

    def note(self, what: str) -> str:
        """The sentence that tells it; `what` is the format with a space behind."""
        many = f"{what}polygon is" if self.polygons == 1 else f"{what}polygons are"
        return (
            f"{self.polygons:,} {many} not flat: corners lie up to {self.height:.3g} (in the file's unit; "
            f"{100 * self.share:.2g} % of a radius) off the plane, so other triangles would enclose another volume"
        )


def unevenness(vertices: Points, corners: Indices, counts: Indices) -> Unevenness | None:
    """How far polygons are from being flat; None if all are, or near enough.

    A polygon's plane is that of M. Newell: through the mean of its corners, across the sum of the normals of a fan.
    One is not flat if a corner lies off it by more than a thousandth of the polygon's radius, and by more than a ten
    thousandth of the size of all: rounding and the finest bevels are no reason to say anything.

    Args: as of `triangulated`.
    """
    many = counts > 3
    if not many.any():
        return None
    chosen = corners[np.repeat(many, counts)]
    sizes = counts[many]
    if not len(vertices) or (chosen < 0).any() or (chosen >= len(vertices)).any():
        return None  # refused later, with their place
    with np.errstate(all="ignore"):
        start = np.cumsum(sizes) - sizes
        polygon = np.repeat(np.arange(len(sizes)), sizes)
        points = vertices[chosen]
        extent = float(np.max(points.max(axis=0) - points.min(axis=0)))
        points = points - (np.add.reduceat(points, start) / sizes[:, None])[polygon]
        following = np.arange(1, len(chosen) + 1)
        following[start + sizes - 1] = start
        normal = np.add.reduceat(np.cross(points, points[following]), start)
        normal /= np.maximum(np.sqrt((normal * normal).sum(axis=1)), 1e-300)[:, None]
        height = np.maximum.reduceat(np.abs((points * normal[polygon]).sum(axis=1)), start)
        radius = np.maximum.reduceat(np.sqrt((points * points).sum(axis=1)), start)
        uneven = (height > _UNEVEN * radius) & (height > _UNEVEN_OF_ALL * extent)
        if not uneven.any():
            return None
        return Unevenness(
            int(uneven.sum()), float(height[uneven].max()), float((height[uneven] / radius[uneven]).max())
        )


def _normals(vertices: Points, faces: Indices) -> Points:
    known = np.logical_and(faces >= 0, faces < len(vertices)).all(axis=1)
    # Indices out of range are refused later, with their place.
    corners = vertices[faces * known.reshape(-1, 1)] if len(vertices) else np.zeros((len(faces), 3, 3))
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _flat(points: Points, normal: Points) -> list[tuple[float, float]]:
    """The points seen along the normal, so that their loop runs counter-clockwise."""
    drop = int(np.abs(normal).argmax())
    one, other = ((1, 2), (2, 0), (0, 1))[drop]
    if normal[drop] < 0:
        one, other = other, one
    return [(float(point[one]), float(point[other])) for point in points]


def _without_ears(loop: list[tuple[float, float]]) -> list[tuple[int, int, int]] | None:
    """The triangles of a counter-clockwise loop, one ear after the other (Meisters 1975), or None if it has none."""
    rest = list(range(len(loop)))
    triangles: list[tuple[int, int, int]] = []
    while len(rest) > 3:
        for at in range(len(rest)):
            a, b, c = rest[at - 1], rest[at], rest[(at + 1) % len(rest)]
            if _turn(loop[a], loop[b], loop[c]) > 0 and not any(
                _is_inside(loop[p], loop[a], loop[b], loop[c]) for p in rest if p not in (a, b, c)
            ):
                triangles.append((a, b, c))
                del rest[at]
                break
        else:
            return None
    return [*triangles, (rest[0], rest[1], rest[2])]


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_inside(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Whether a point lies in a counter-clockwise triangle, or on its border without being a corner."""
    return p not in (a, b, c) and _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0
