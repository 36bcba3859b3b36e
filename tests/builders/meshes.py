"""Meshes with known answers: each a pair of vertices, N by 3, and faces, M by 3."""

import math

import numpy as np

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)
OCTAHEDRON = np.concatenate((np.eye(3), -np.eye(3)))
OCTAHEDRON_FACES = np.array([(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)])
# Two triangles a side: -x, +x, -y, +y, -z, +z.
SIDES = np.array(
    [
        *[(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5)],
        *[(0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6)],
        *[(0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)],
    ]
)
BOTTOM = slice(8, 10)
TETRAHEDRON = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
L_OUTLINE = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], np.float64)
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


def cube(corner=(0.0, 0.0, 0.0), size=1.0, inverted=False):
    """Vertices and faces of a cube, or of a box of three sizes; optionally inside out."""
    return CORNERS * size + corner, SIDES[:, ::-1] if inverted else SIDES


def joined(*meshes):
    """The meshes as one, each on its own vertices."""
    offsets = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    return (
        np.concatenate([vertices for vertices, _ in meshes]),
        np.concatenate([faces + offset for (_, faces), offset in zip(meshes, offsets, strict=False)]),
    )


def inverted(mesh):
    return flipped(mesh, slice(None))


def flipped(mesh, which):
    """The mesh with some of its faces wound the other way."""
    faces = mesh[1].copy()
    faces[which] = faces[which][:, ::-1]
    return mesh[0], faces


def with_faces(mesh, *more):
    return mesh[0], np.concatenate((mesh[1], np.array(more)))


def rectangle(corner, u, v):
    """A parallelogram of two triangles."""
    vertices, faces = sheet(corner, u, v)
    return vertices, faces[:2]


def doubled(mesh, which=slice(None)):
    """Both sides of every face, or of some."""
    vertices, faces = mesh
    return vertices, np.concatenate((faces, faces[which][:, ::-1]))


def sheet(corner, u, v, *, other_diagonal=False):
    """A parallelogram of four triangles, two to either side; the back may be cut along the other diagonal."""
    corner, u, v = np.array(corner, float), np.array(u, float), np.array(v, float)
    back = [(0, 3, 1), (1, 3, 2)] if other_diagonal else [(0, 2, 1), (0, 3, 2)]
    return np.stack((corner, corner + u, corner + u + v, corner + v)), np.array([(0, 1, 2), (0, 2, 3), *back])


def prism(outline, height=1.0, caps=None):
    """The prism over a loop of points in the plane z = 0: its walls, its bottom and its top."""
    outline = np.asarray(outline, float)
    k = np.arange(len(outline))
    n, following = len(k), (k + 1) % len(k)
    cap = np.stack((np.zeros(n - 2, int), k[1:-1], k[2:]), 1) if caps is None else np.array(caps, int).reshape(-1, 3)
    vertices = np.concatenate((np.c_[outline, 0 * k], np.c_[outline, 0 * k + height]))
    walls = [np.stack((k, following, following + n), 1), np.stack((k, following + n, k + n), 1)]
    return vertices, np.concatenate((*walls, cap[:, ::-1], cap + n))


def prism_round(outline, centre, height):
    """The prism over an outline that is seen whole from the centre."""
    n = len(outline)
    vertices, walls = prism(outline, height, caps=())
    j = np.arange(n)
    following = (j + 1) % n
    low, high = np.full(n, 2 * n), np.full(n, 2 * n + 1)
    faces = (walls, np.column_stack((following, j, low)), np.column_stack((j + n, following + n, high)))
    return np.concatenate((vertices, [(*centre, 0), (*centre, height)])), np.concatenate(faces)


def star(points=5, inner=0.4, height=0.3):
    """The prism over a star about the origin."""
    angle = np.arange(2 * points) * np.pi / points
    radius = np.where(np.arange(2 * points) % 2, inner, 1.0)
    return prism_round(np.column_stack((radius * np.cos(angle), radius * np.sin(angle))), (0, 0), height)


def ball(rings=8, segments=12, radius=1.0, centre=(0.0, 0.0, 0.0)):
    """A ball with poles, its faces from the north pole to the south; its diagonals have no symmetry."""
    latitude = np.linspace(0, np.pi, rings + 1)[1:-1, None]
    longitude = np.linspace(0, 2 * np.pi, segments, endpoint=False)[None]
    x, y = np.sin(latitude) * np.cos(longitude), np.sin(latitude) * np.sin(longitude)
    ring = np.stack((x, y, np.cos(latitude + 0 * longitude)), axis=-1).reshape(-1, 3)
    j = np.arange(segments)
    following = (j + 1) % segments
    north, south = len(ring), len(ring) + 1
    faces = [np.stack((np.full(segments, north), j, following), 1)]
    for i in range(0, (rings - 2) * segments, segments):
        a, b, c, d = i + j, i + segments + j, i + segments + following, i + following
        faces += [np.stack((a, b, c), 1), np.stack((a, c, d), 1)]
    last = (rings - 2) * segments
    faces.append(np.stack((np.full(segments, south), last + following, last + j), 1))
    return np.concatenate((ring, [(0, 0, 1), (0, 0, -1)])) * radius + centre, np.concatenate(faces)


def torus(tube, around=24, across=12):
    """A torus of radius 1 about z, with a tube of the given radius."""
    u, v = (index.reshape(-1) for index in np.meshgrid(np.arange(around), np.arange(across), indexing="ij"))
    phi, theta = 2 * np.pi * u / around, 2 * np.pi * v / across
    distance = 1 + tube * np.cos(theta)
    vertices = np.column_stack((distance * np.cos(phi), distance * np.sin(phi), tube * np.sin(theta)))
    a, b = u * across + v, (u + 1) % around * across + v
    c, d = (u + 1) % around * across + (v + 1) % across, u * across + (v + 1) % across
    return vertices, np.concatenate((np.column_stack((a, b, c)), np.column_stack((a, c, d))))


def without(mesh, *which):
    """The mesh without some of its faces."""
    return mesh[0], np.delete(mesh[1], np.ravel(which), axis=0)


def soup(mesh):
    """Each triangle on vertices of its own, as in STL."""
    vertices, faces = mesh
    return vertices[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)


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


def stl(mesh):
    """A binary STL, its normals zero."""
    facets = np.zeros(len(mesh[1]), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    facets["corners"] = np.asarray(mesh[0])[mesh[1]]
    return bytes(80) + len(facets).to_bytes(4, "little") + facets.tobytes()


def signed_volume(mesh):
    """The volume that triangles enclose, negative if they face inward."""
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


# The text of an OBJ: a ring of nine squares, turned by half a turn where it closes.
MOEBIUS = (
    "".join(
        f"v {math.cos(a) * (2 + s * math.cos(a / 2)):.6f} {math.sin(a) * (2 + s * math.cos(a / 2)):.6f} "
        f"{s * math.sin(a / 2):.6f}\n"
        for a in (2 * math.pi * i / 9 for i in range(9))
        for s in (-0.5, 0.5)
    )
    + "".join(f"f {2 * i + 1} {2 * i + 2} {2 * i + 4} {2 * i + 3}\n" for i in range(8))
    + "f 17 18 1 2\n"
)

# The text of an OBJ: a box of 1 by 2 by 3 from the origin, the last of its sides its lid.
OBJ_CORNERS = "".join(f"v {x} {y} {z}\n" for z in (0, 3) for y in (0, 2) for x in (0, 1))
OBJ_OPEN = OBJ_CORNERS + "f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
OBJ_BOX = OBJ_OPEN + "f 5 6 8 7\n"
OBJ_TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def obj(mesh):
    """The text of an OBJ."""
    lines = ["v {!r} {!r} {!r}\n".format(*map(float, point)) for point in mesh[0]]
    return "".join([*lines, *("f {} {} {}\n".format(*(corner + 1 for corner in face)) for face in mesh[1])])
