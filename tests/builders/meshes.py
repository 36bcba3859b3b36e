"""Meshes with known answers that several tests of meshes build from."""

from __future__ import annotations

import numpy as np

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)
# Two triangles a side: -x, +x, -y, +y, -z, +z.
SIDES = np.array(
    [
        *[(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5)],
        *[(0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6)],
        *[(0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)],
    ]
)
BOTTOM = slice(8, 10)
OTHER_DIAGONALS = np.array(
    [
        *[(0, 1, 2), (1, 3, 2), (4, 6, 5), (6, 7, 5)],
        *[(0, 4, 1), (4, 5, 1), (2, 3, 6), (3, 7, 6)],
        *[(0, 2, 4), (2, 6, 4), (1, 5, 3), (5, 7, 3)],
    ]
)


def box(size=(1.0, 1.0, 1.0), corner=(0.0, 0.0, 0.0), *, other_diagonals=False):
    """Vertices and faces of a box, twelve triangles."""
    return CORNERS * size + corner, OTHER_DIAGONALS if other_diagonals else SIDES


def joined(*meshes):
    """The meshes as one, each on its own vertices."""
    offsets = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    return (
        np.concatenate([vertices for vertices, _ in meshes]),
        np.concatenate([faces + offset for (_, faces), offset in zip(meshes, offsets, strict=False)]),
    )


def inverted(mesh):
    vertices, faces = mesh
    return vertices, faces[:, ::-1]


def doubled(mesh):
    """Both sides of every face."""
    vertices, faces = mesh
    return vertices, np.concatenate((faces, faces[:, ::-1]))


def sheet(corner, u, v, *, other_diagonal=False):
    """A parallelogram of four triangles, two to either side; the back may be cut along the other diagonal."""
    corner, u, v = np.array(corner, float), np.array(u, float), np.array(v, float)
    back = [(0, 3, 1), (1, 3, 2)] if other_diagonal else [(0, 2, 1), (0, 3, 2)]
    return np.stack((corner, corner + u, corner + u + v, corner + v)), np.array([(0, 1, 2), (0, 2, 3), *back])


def prism(outline, height=1.0, caps=None):
    """The prism over a loop of points in the plane z = 0; its caps are fans, whatever the loop crosses."""
    outline = np.asarray(outline, float)
    k = np.arange(len(outline))
    n, following = len(k), (k + 1) % len(k)
    fan = np.stack((np.zeros(n - 2, int), k[1:-1], k[2:]), 1) if caps is None else np.asarray(caps)
    vertices = np.concatenate((np.c_[outline, 0 * k], np.c_[outline, 0 * k + height]))
    walls = [np.stack((k, following, following + n), 1), np.stack((k, following + n, k + n), 1)]
    return vertices, np.concatenate((fan[:, ::-1], fan + n, *walls))


def turned(mesh, angle):
    """The mesh turned about the axis (1, 2, 3)."""
    x, y, z = np.array((1.0, 2.0, 3.0)) / np.sqrt(14)
    cross = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    return mesh[0] @ (np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross).T, mesh[1]


def shuffled(mesh, seed=0):
    """The same triangles in another order, on vertices in another order."""
    vertices, faces = mesh
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(vertices))
    moved = np.empty_like(order)
    moved[order] = np.arange(len(order))
    return vertices[order], moved[faces][rng.permutation(len(faces))]
