"""How the triangles of a mesh are taken for a solid."""

from __future__ import annotations

from typing import NamedTuple

EXACT, VOXEL, SHELL = "exact", "voxel", "shell"
CONVEX_HULL, CONVEX_DECOMPOSITION = "convex_hull", "convex_decomposition"
DIVERGENCE, FILL_HOLES, ERROR = "divergence", "fill_holes", "error"
METHODS = (EXACT, VOXEL, CONVEX_HULL, CONVEX_DECOMPOSITION, SHELL)
OPEN_MESH_POLICIES = (ERROR, CONVEX_HULL, VOXEL, SHELL, FILL_HOLES, DIVERGENCE)
# Methods whose result for a stretched mesh is the stretched result; the others have a length of their own.
COMMUTE_WITH_SCALE = (EXACT, CONVEX_HULL, DIVERGENCE, FILL_HOLES)
SUM, UNION = "sum", "union"
OVERLAPS = (SUM, UNION)


class MeshTreatment(NamedTuple):
    """How the triangles of a mesh are taken for a solid.

    Attributes:
        method: one of METHODS.
        open_mesh: what becomes of a mesh that is not closed where the method is exact; one of OPEN_MESH_POLICIES.
        voxel_size: edge of the voxels (m), or None to choose one by the mesh.
        thickness: of the wall (m), for shells.
        overlaps: "sum" counts what bodies share twice, "union" once.
        max_convex_hulls, voxel_resolution: of a convex decomposition, None for SDFormat's defaults.
    """

    method: str = EXACT
    open_mesh: str = ERROR
    voxel_size: float | None = None
    thickness: float | None = None
    overlaps: str = SUM
    max_convex_hulls: int | None = None
    voxel_resolution: int | None = None

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods by which the solid may be found: its own, and where that is exact, that of an open mesh."""
        if self.method != EXACT or self.open_mesh == ERROR:
            return (self.method,)
        return self.method, self.open_mesh

    @property
    def commutes_with_scale(self) -> bool:
        """Whether the solid of a stretched mesh is the stretched solid."""
        return all(method in COMMUTE_WITH_SCALE for method in self.methods)
