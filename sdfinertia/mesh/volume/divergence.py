"""The divergence integral of an open surface from the mesh's origin, and how wrong it may be."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from sdfinertia.inertia.polyhedron import moments, pairwise_sum
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.spatial_inertia import VolumeMoments
from sdfinertia.mesh.surface.boundary_loops import BoundaryLoops, boundary_loops, loop_shapes, with_lids
from sdfinertia.mesh.surface.topology import Indices, edges_of

Points = npt.NDArray[np.float64]

_ORIGIN: Vector3 = (0.0, 0.0, 0.0)


def divergence_moments(
    vertices: Points, faces: Indices, loops: BoundaryLoops | None = None
) -> tuple[VolumeMoments, float]:
    """`(moments, uncertainty)` of the signed tetrahedra between the faces and the origin of the mesh.

    Of a surface that is not closed this is the solid that it makes together with cones from its boundary to the
    origin. It does not depend on how the mesh is turned, but on where its origin lies. The volume is not positive
    where more faces look at the origin than away from it; then nothing is known of the mass.

    The uncertainty is that of the mass, as a part of it: the volume that lids on all boundary loops would add, each
    the cone to the loop's centroid, and for what may bulge beyond a lid its area times the loop's radius. It is
    infinite where the volume is not positive, and tells nothing of pieces that are inside out.

    Args:
        vertices: (n, 3) from the origin of the mesh (m).
        faces: (m, 3), no vertex twice in one face, wound consistently.
        loops: the boundary loops of the faces, if they are known already.
    """
    result = moments(vertices, faces, _ORIGIN)
    with np.errstate(all="ignore"):
        if loops is None:
            loops = boundary_loops(edges_of(faces))
        if not loops.count:
            return result, 0.0
        shapes = loop_shapes(vertices, loops)
        lidded, closed = with_lids(vertices, faces, loops, shapes.centre)
        lids = moments(lidded, closed[len(faces) :], _ORIGIN).volume
        # Beyond the flat lid of a sphere's cap, with h its height in radii of the loop, lie h(3 + h²)/6 of this: two
        # thirds for half a sphere. Of random solids without up to a tenth of their faces none needs more than 0.4.
        bulge = pairwise_sum(shapes.area * shapes.radius)
        error = abs(lids) + bulge
        known = result.volume > 0.0 and math.isfinite(error)
        return result, error / result.volume if known else math.inf
