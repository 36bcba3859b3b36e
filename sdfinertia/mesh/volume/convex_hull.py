"""The convex hull of points."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.surface.bodies import signed_volumes
from sdfinertia.mesh.surface.repaired_surface import extent
from sdfinertia.mesh.surface.topology import Indices, disagreeing_faces, edges_of

Points = npt.NDArray[np.float64]

_FLAT = "the convex hull encloses no volume: the points lie in one plane"


def convex_hull(vertices: Points) -> tuple[Points, Indices]:
    """`(vertices, faces)`, (n, 3) and (m, 3): the corners of the points' convex hull and the triangles between them.

    The corners are points given, unchanged; faces are counter-clockwise seen from outside.

    Args:
        vertices: (p, 3), finite, any unit.

    Raises:
        MeshError: the points lie in a plane, or are too far apart to compute with.

    Source: Quickhull (Barber, Dobkin and Huhdanpaa 1996), as Qhull does it, with facets of more corners triangulated.
    """
    # Qhull itself, not trimesh, which wraps it: that (5.2.0) drops faces that are small by an absolute measure, so that
    # of the hull of 300 points on a ball 2e-6 across it leaves a quarter of the volume, and open edges.
    # Imported here because only meshes that ask for their hull need it, and it takes longer to load than most runs.
    from scipy.spatial import ConvexHull, QhullError

    with np.errstate(all="ignore"):
        if len(vertices) < 4:
            raise MeshError(_FLAT)
        size = extent(vertices)
        if size == 0:
            raise MeshError(_FLAT)
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        scaled = (vertices - (low / 2 + high / 2)) / size
        try:
            hull = ConvexHull(scaled)
        except QhullError:
            # Its message is a page about precision; the one cause that points of finite size leave is flatness.
            raise MeshError(_FLAT) from None
        corners = np.sort(hull.vertices).astype(np.int64)
        number = np.full(len(vertices), -1, np.int64)
        number[corners] = np.arange(len(corners))
        faces = _outward(scaled[corners], number[hull.simplices], hull.equations[:, :3])
    return vertices[corners], faces


def _outward(vertices: Points, faces: Indices, normals: Points) -> Indices:
    """The faces of a hull turned outward.

    Where every edge has two faces, as it should, they are made to agree and then turned as one: normals of slivers
    between nearly coplanar corners are rounding and tell nothing. Else each goes by the normal of its facet, (m, 3).
    """
    edges = edges_of(faces)
    turned, _ = disagreeing_faces(len(faces), edges, np.ones(len(faces), np.int64))
    agreeing = np.where(turned[:, None], faces[:, ::-1], faces)
    if not edges_of(agreeing).is_manifold():
        a, b, c = (vertices[faces[:, corner]] for corner in range(3))
        turned = np.einsum("ij,ij->i", np.cross(b - a, c - a), normals) < 0
        return np.where(turned[:, None], faces[:, ::-1], faces)
    volume, _ = signed_volumes(vertices, agreeing, np.zeros(len(agreeing), np.int64), 1)
    return agreeing if volume[0] > 0 else agreeing[:, ::-1]
