"""The solid that a mesh represents: its moments, once its triangles are integrated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, TypeGuard

from sdfinertia.errors import MeshError, OpenMeshError, ThicknessError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.mesh.treatment import MeshTreatment, Method

_MAX_COUNTED = 1 << 40


def is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < _MAX_COUNTED


def can_be_of_solid(inertia: SpatialInertia, volume: float, method: object, treatment: MeshTreatment) -> bool:
    return volume > 0.0 and method in treatment.methods and inertia.is_physically_valid()


@dataclass(frozen=True, slots=True)
class MeshSolid:
    """The solid that a mesh represents, before its pose.

    Attributes:
        extent: size of the bounding box along each axis (m).
        faces: number of triangles read.
        uncertainty: of the mass, as a part of it; 0 where the method is exact for the solid it takes.
    """

    moments: VolumeMoments
    method: Method
    extent: tuple[float, float, float]
    faces: int
    uncertainty: float
    notes: tuple[str, ...]

    def spatial_inertia(self, density: float) -> SpatialInertia:
        inertia = self.moments.spatial_inertia(density)
        trace = inertia.I_BBcm_B.trace
        if not (inertia.mass > 0.0 and trace > 0.0 and isfinite(sum((inertia.mass, trace, *inertia.p_BoBcm_B)))):
            raise MeshError("its size and density give a mass or moments that overflow double precision")
        return inertia

    def scaled(self, factors: tuple[float, float, float]) -> MeshSolid:
        """The solid stretched along the axes, and mirrored where a factor is negative."""
        if factors == (1.0, 1.0, 1.0):
            return self
        x, y, z = (abs(size * factor) for size, factor in zip(self.extent, factors, strict=True))
        return replace(self, moments=self.moments.scaled(factors), extent=(x, y, z))


class OpenSurfaceError(OpenMeshError):
    """An open mesh, and whether a part of its surface has only one side, like a Möbius strip."""

    def __init__(self, problem: str, one_sided: bool = False) -> None:
        super().__init__(problem, remedy="close it in a modelling program, or choose --open-mesh")
        self.one_sided = one_sided


_MAX_CHARACTERS = 4000
_KINDS: dict[str, type[MeshError]] = {
    kind.__name__: kind for kind in (MeshError, OpenMeshError, OpenSurfaceError, ThicknessError)
}


def record_of(refusal: MeshError) -> dict[str, Any] | None:
    """What is cached of a refusal; None where it names a file or is too long."""
    if refusal.location is not None or refusal.link is not None or refusal.collision is not None:
        return None
    kind = type(refusal).__name__
    if kind not in _KINDS or max(len(refusal.problem), len(refusal.remedy)) > _MAX_CHARACTERS:
        return None
    one_sided = isinstance(refusal, OpenSurfaceError) and refusal.one_sided
    return {"kind": kind, "problem": refusal.problem, "remedy": refusal.remedy, "one_sided": one_sided}


def refusal_of(record: object) -> MeshError | None:
    if not isinstance(record, Mapping):
        return None
    kind, problem, remedy, one_sided = (record.get(name) for name in ("kind", "problem", "remedy", "one_sided"))
    if not (isinstance(problem, str) and 0 < len(problem) <= _MAX_CHARACTERS):
        return None
    if not (isinstance(remedy, str) and len(remedy) <= _MAX_CHARACTERS and isinstance(one_sided, bool)):
        return None
    if kind == OpenSurfaceError.__name__:
        return OpenSurfaceError(problem, one_sided)
    return _KINDS[kind](problem, remedy=remedy) if isinstance(kind, str) and kind in _KINDS else None
