"""The solid that a mesh stands for: what remains of its triangles once they are integrated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TypeGuard

from sdfinertia.errors import MeshError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.mesh.treatment import MeshTreatment, Method

_MOST_COUNTED = 1 << 40


def is_count(value: object) -> TypeGuard[int]:
    """Whether a value that was kept can be a number of faces, bodies or bytes."""
    return type(value) is int and 0 <= value < _MOST_COUNTED


def can_be_of_solid(inertia: SpatialInertia, volume: float, method: object, treatment: MeshTreatment) -> bool:
    """Whether numbers that were kept can be those of a solid that a treatment finds, as far as they tell."""
    return volume > 0.0 and method in treatment.methods and inertia.is_physically_valid()


@dataclass(frozen=True, slots=True)
class MeshSolid:
    """The solid that a mesh stands for, before its pose.

    Attributes:
        method: how its volume was found.
        extent: size of the bounding box along each axis (m).
        faces: number of triangles read.
        uncertainty: how wrong the mass may be, as a part of it; 0 where the method is exact for the solid it takes.
        notes: what was repaired or approximated.
        greatest_winding: how often the surface winds round the place where it does most, as far as it was sampled;
            above 1 the volume there counts as often. None where it was not looked at: for approximations, and where
            that would take more than a twentieth of the time, for meshes of very many long faces; `diagnose` does.
    """

    moments: VolumeMoments
    method: Method
    extent: tuple[float, float, float]
    faces: int
    uncertainty: float
    notes: tuple[str, ...]
    greatest_winding: int | None = None

    def spatial_inertia(self, density: float) -> SpatialInertia:
        """The body that fills it.

        Args:
            density: (kg/m³).

        Raises:
            MeshError: its mass, centre or moments are too large or too small for a float.
        """
        inertia = self.moments.spatial_inertia(density)
        trace = inertia.I_BBcm_B.trace
        if not (inertia.mass > 0.0 and trace > 0.0 and isfinite(sum((inertia.mass, trace, *inertia.p_BoBcm_B)))):
            raise MeshError("its size and density give a mass or moments that no number can hold")
        return inertia

    def scaled(self, factors: tuple[float, float, float]) -> MeshSolid:
        """The solid stretched along the axes, and mirrored where a factor is negative."""
        if factors == (1.0, 1.0, 1.0):
            return self
        x, y, z = (abs(size * factor) for size, factor in zip(self.extent, factors, strict=True))
        return replace(self, moments=self.moments.scaled(factors), extent=(x, y, z))
