"""From triangles to the moments of the solid they bound, by the method asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.mesh.closed_solid import closed_solid
from sdfinertia.mesh.convex_hull import convex_hull
from sdfinertia.mesh.triangle_mesh import TriangleMesh


@dataclass(frozen=True)
class MeshSolid:
    """The solid that a mesh bounds, before scale and pose.

    Attributes:
        extent: size of the bounding box along each axis (m).
        faces: number of triangles read.
        notes: what was repaired or approximated.
    """

    moments: VolumeMoments
    extent: tuple[float, float, float]
    faces: int
    notes: tuple[str, ...]


def solid_of(mesh: TriangleMesh, method: str) -> MeshSolid:
    """The solid that a mesh bounds.

    Args:
        method: "exact" integrates the closed surface; "convex_hull" the hull of its vertices.

    Raises:
        OpenMeshError: the exact solid of a mesh that is not closed is asked for.
        MeshError: the mesh encloses no volume.
    """
    used = mesh.vertices[np.unique(mesh.faces)]
    lower, upper = used.min(axis=0), used.max(axis=0)
    notes = mesh.notes
    if method == "convex_hull":
        vertices, faces = convex_hull(used)
        notes += ("the convex hull stands for the mesh",)
    else:
        solid = closed_solid(mesh.vertices, mesh.faces)
        vertices, faces = solid.vertices, solid.faces
        notes += solid.notes
    result = moments(vertices, faces)
    _require_sane(result, lower, upper)
    x, y, z = (upper - lower).tolist()
    return MeshSolid(result, (x, y, z), len(mesh.faces), notes)


def _require_sane(result: VolumeMoments, lower: npt.NDArray[np.float64], upper: npt.NDArray[np.float64]) -> None:
    """Refuses moments that no body inside the bounding box can have."""
    finite = np.isfinite([result.volume, *result.centroid, *result.second]).all()
    if not finite or result.volume <= 0.0:
        raise MeshError(f"the mesh encloses a volume of {result.volume:g} m³")
    corner = np.maximum(np.abs(lower - result.centroid), np.abs(upper - result.centroid))
    xx, yy, zz = result.second[:3]
    # The mean square distance from the centroid is at most that of the farthest corner; 1e-9 is for rounding.
    if (xx + yy + zz) / result.volume > float(corner @ corner) * (1 + 1e-9):
        raise MeshError("the mesh gives a gyradius above its bounding radius: its surface crosses itself")
