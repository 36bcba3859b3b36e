"""What is known of a mesh: its solid, and its quality."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from sdfinertia.errors import MeshError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.mesh import NO_SCALE, Factors, Method


class MeshSolid(NamedTuple):
    moments: VolumeMoments
    method: Method
    extent: Factors  # size of the bounding box along each axis (m)
    faces: int  # triangles read
    uncertainty: float  # of the mass, as a part of it; 0 where the method is exact for the solid it takes
    notes: tuple[str, ...]

    def spatial_inertia(self, density: float) -> SpatialInertia:
        inertia = self.moments.spatial_inertia(density)
        trace = inertia.I_BBcm_B.trace
        if not (inertia.mass > 0.0 and trace > 0.0 and isfinite(sum((inertia.mass, trace, *inertia.p_BoBcm_B)))):
            raise MeshError("its size and density give a mass or moments that overflow double precision")
        return inertia

    def scaled(self, factors: Factors) -> MeshSolid:
        if factors == NO_SCALE:
            return self
        x, y, z = (abs(size * factor) for size, factor in zip(self.extent, factors, strict=True))
        return self._replace(moments=self.moments.scaled(factors), extent=(x, y, z))


class MeshDiagnosis(NamedTuple):
    """In m, m² and m³ in the frame of the mesh; edges, volumes and the area after all repairs. None where unknown."""

    faces: int
    vertices: int  # different positions that the faces use
    degenerate_faces: int  # with two equal corners, or a height below 1e-7 of the mesh's diagonal
    duplicate_faces: int  # that repeat an earlier one, with its winding
    double_sided_share: float  # of the other faces: those whose reverse is there too
    inconsistent_faces: int  # to be flipped for all to agree with their neighbours
    lower: Factors
    upper: Factors
    one_sided: bool = False  # a part has only one side, like a Möbius strip
    bodies: int = 0  # of matter; of an open mesh, pieces connected by edges
    cavities: int | None = None  # surfaces that bound a hollow inside a body
    inside_out_bodies: int | None = None  # bodies or cavities that face the wrong way
    open_edges: int = 0  # not used equally often in both directions
    open_positions: tuple[Factors, ...] = ()  # the middles of the first three
    boundary_loops: int = 0  # closed chains of open edges: the holes
    non_manifold_edges: int = 0  # with more than two faces
    surface_area: float = 0.0
    # Beside the faces of a closed surface, by samples: 0 and 1; below 0 it crosses itself, above 1 places count twice.
    min_winding: int | None = None
    max_winding: int | None = None
    volume: float | None = None  # enclosed by the closed surface, exactly
    hull_volume: float | None = None
    may_be_millimetres: bool = False
    notes: tuple[str, ...] = ()
