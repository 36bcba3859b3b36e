"""Rigid bodies by textbook formulas and 4 by 4 matrices: an oracle that shares no code with the package."""

from collections.abc import Sequence
from math import cos, pi, sin
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Body(NamedTuple):
    """Mass (kg), centre of mass (m) and tensor about it (kg·m²), in some frame."""

    mass: float
    com: Array
    tensor: Array


def body_of(inertia: Any) -> Body:
    """A body of the package in this form."""
    xx, yy, zz, xy, xz, yz = inertia.I_BBcm_B
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Body(inertia.mass, np.array(inertia.p_BoBcm_B), tensor)


def diagonal(mass: float, moments: Sequence[float], com: Sequence[float] = (0.0, 0.0, 0.0)) -> Body:
    return Body(mass, np.array(com, float), np.diag(np.array(moments, float)))


def box(x: float, y: float, z: float, density: float) -> Body:
    m = density * x * y * z
    return diagonal(m, (m / 12 * (y * y + z * z), m / 12 * (x * x + z * z), m / 12 * (x * x + y * y)))


def sphere(r: float, density: float) -> Body:
    m = density * 4 / 3 * pi * r**3
    return diagonal(m, [2 / 5 * m * r * r] * 3)


def ellipsoid(a: float, b: float, c: float, density: float) -> Body:
    m = density * 4 / 3 * pi * a * b * c
    return diagonal(m, (m / 5 * (b * b + c * c), m / 5 * (a * a + c * c), m / 5 * (a * a + b * b)))


def cylinder(r: float, length: float, density: float) -> Body:
    m = density * pi * r * r * length
    transverse = m / 12 * (3 * r * r + length * length)
    return diagonal(m, (transverse, transverse, m / 2 * r * r))


def capsule(r: float, length: float, density: float) -> Body:
    tube, ends = cylinder(r, length, density), density * 4 / 3 * pi * r**3
    transverse = tube.tensor[0, 0] + ends * (2 / 5 * r * r + length * length / 4 + 3 / 8 * length * r)
    return diagonal(tube.mass + ends, (transverse, transverse, tube.tensor[2, 2] + 2 / 5 * ends * r * r))


def cone(r: float, length: float, density: float) -> Body:
    m = density * pi * r * r * length / 3
    transverse = 3 / 80 * m * (4 * r * r + length * length)
    return diagonal(m, (transverse, transverse, 3 / 10 * m * r * r), (0.0, 0.0, -length / 4))


def prism(outline: Sequence[Sequence[float]], holes: Sequence[Sequence[Sequence[float]]], h: float, rho: float) -> Body:
    """An outline less its holes, extruded from z = 0; triangles from the origin to each edge, by the shoelace rule."""
    area, first, second = 0.0, np.zeros(2), np.zeros((2, 2))
    for loop, sign in [(outline, 1.0), *((hole, -1.0) for hole in holes)]:
        points = np.array(loop, float)
        nexts = np.roll(points, -1, axis=0)
        crosses = points[:, 0] * nexts[:, 1] - nexts[:, 0] * points[:, 1]
        sign = sign if crosses.sum() > 0 else -sign
        for a, p, q in zip(crosses / 2 * sign, points, nexts, strict=True):
            area += a
            first += a * (p + q) / 3
            second += a / 12 * (np.outer(p, p) + np.outer(q, q) + np.outer(p + q, p + q))
    centre = first / area
    second = rho * h * (second - area * np.outer(centre, centre))
    m = rho * h * area
    covariance = np.zeros((3, 3))
    covariance[:2, :2], covariance[2, 2] = second, m * h * h / 12
    return Body(m, np.array([*centre, h / 2]), np.eye(3) * np.trace(covariance) - covariance)


def triangles_body(triangles: Array, density: float) -> Body:
    """The solid inside closed triangles (n, 3, 3), from signed tetrahedra; which way they are wound does not matter."""
    origin = triangles.reshape(-1, 3).mean(axis=0)
    triangles = triangles - origin
    determinants = np.linalg.det(triangles)
    sums = triangles.sum(axis=1)
    volume = determinants.sum() / 6
    determinants, volume = determinants * np.sign(volume), abs(volume)
    centre = (determinants[:, None] * sums).sum(axis=0) / 24 / volume
    outer = np.einsum("nki,nkj->nij", triangles, triangles) + np.einsum("ni,nj->nij", sums, sums)
    covariance = np.einsum("n,nij->ij", determinants, outer) / 120 - volume * np.outer(centre, centre)
    return Body(density * volume, origin + centre, density * (np.eye(3) * np.trace(covariance) - covariance))


def obj_triangles(path: Path) -> Array:
    """The triangles (n, 3, 3) of a plain OBJ file, its polygons cut into fans."""
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    vertices = np.array([row[1:] for row in rows if row[:1] == ["v"]], float)
    polygons = [[int(index) - 1 for index in row[1:]] for row in rows if row[:1] == ["f"]]
    return np.array([vertices[[p[0], p[i], p[i + 1]]] for p in polygons for i in range(1, len(p) - 1)])


def pose(x: float = 0, y: float = 0, z: float = 0, roll: float = 0, pitch: float = 0, yaw: float = 0) -> Array:
    about_x = np.array([[1, 0, 0], [0, cos(roll), -sin(roll)], [0, sin(roll), cos(roll)]])
    about_y = np.array([[cos(pitch), 0, sin(pitch)], [0, 1, 0], [-sin(pitch), 0, cos(pitch)]])
    about_z = np.array([[cos(yaw), -sin(yaw), 0], [sin(yaw), cos(yaw), 0], [0, 0, 1]])
    transform = np.eye(4)
    transform[:3, :3], transform[:3, 3] = about_z @ about_y @ about_x, (x, y, z)
    return transform


def quaternion_pose(position: Sequence[float], xyzw: Sequence[float]) -> Array:
    """A pose by a quaternion of any length."""
    x, y, z, w = np.array(xyzw) / np.linalg.norm(xyzw)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    transform = np.eye(4)
    transform[:3, :3], transform[:3, 3] = np.eye(3) + 2 * w * cross + 2 * cross @ cross, position
    return transform


def placed(body: Body, transform: Array) -> Body:
    rotation = transform[:3, :3]
    return Body(body.mass, rotation @ body.com + transform[:3, 3], rotation @ body.tensor @ rotation.T)


def total(*bodies: Body) -> Body:
    mass = sum(body.mass for body in bodies)
    com = sum((body.mass * body.com for body in bodies), np.zeros(3)) / mass
    tensor = np.zeros((3, 3))
    for body in bodies:
        d = body.com - com
        tensor += body.tensor + body.mass * (np.eye(3) * (d @ d) - np.outer(d, d))
    return Body(mass, com, tensor)


def weighing(mass: float, body: Body) -> Body:
    return Body(mass, body.com, body.tensor * (mass / body.mass))
