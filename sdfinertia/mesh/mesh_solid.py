"""The solid that a mesh represents: its moments, once its triangles are integrated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, TypeGuard

from sdfinertia.errors import MeshError, OpenMeshError, ThicknessError
from sdfinertia.inertia.spatial_inertia import SpatialInertia, VolumeMoments
from sdfinertia.mesh.treatment import MeshTreatment, Method

_MOST_COUNTED = 1 << 40


def is_count(value: object) -> TypeGuard[int]:
    """Whether a cached value can be a number of faces, bodies or bytes."""
    return type(value) is int and 0 <= value < _MOST_COUNTED


def can_be_of_solid(inertia: SpatialInertia, volume: float, method: object, treatment: MeshTreatment) -> bool:
    """Whether cached numbers can be those of a solid by this treatment."""
    return volume > 0.0 and method in treatment.methods and inertia.is_physically_valid()


@dataclass(frozen=True, slots=True)
class MeshSolid:
    """The solid that a mesh represents, before its pose.

    Attributes:
        extent: size of the bounding box along each axis (m).
        faces: number of triangles read.
        uncertainty: of the mass, as a part of it; 0 where the method is exact for the solid it takes.
        greatest_winding: by samples; volume above 1 counts as often. None for approximations and where sampling would
            take too long.
    """

    moments: VolumeMoments
    method: Method
    extent: tuple[float, float, float]
    faces: int
    uncertainty: float
    notes: tuple[str, ...]
    greatest_winding: int | None = None

    def spatial_inertia(self, density: float) -> SpatialInertia:
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


_KINDS: dict[str, type[MeshError]] = {kind.__name__: kind for kind in (MeshError, OpenMeshError, ThicknessError)}
_MOST_CHARACTERS = 4000


class OpenSurfaceError(OpenMeshError):
    """An open mesh, with how open it is after all repairs."""

    def __init__(self, problem: str, open_edges: int = 0, edges: int = 0, one_sided: bool = False) -> None:
        super().__init__(problem, remedy="close it in a modelling program, or choose --open-mesh")
        self.open_edges = open_edges
        self.edges = edges
        self.one_sided = one_sided


def record_of(refusal: MeshError) -> dict[str, Any] | None:
    """What is cached of a refusal, fit for JSON; None where it names a file or is too long."""
    if refusal.location is not None or refusal.link is not None or refusal.collision is not None:
        return None
    if max(len(refusal.problem), len(refusal.remedy)) > _MOST_CHARACTERS:
        return None
    if isinstance(refusal, OpenSurfaceError):
        return {
            "problem": refusal.problem,
            "open_edges": refusal.open_edges,
            "edges": refusal.edges,
            "one_sided": refusal.one_sided,
        }
    kind = type(refusal).__name__
    if kind not in _KINDS:
        return None
    return {"kind": kind, "problem": refusal.problem, "remedy": refusal.remedy}


def refusal_of(record: object) -> MeshError | None:
    """The refusal of a record; None where it is none."""
    if not isinstance(record, Mapping):
        return None
    problem = record.get("problem")
    if not (isinstance(problem, str) and 0 < len(problem) <= _MOST_CHARACTERS):
        return None
    kind, remedy = record.get("kind"), record.get("remedy")
    if kind is not None:
        if not (isinstance(kind, str) and kind in _KINDS):
            return None
        if not (isinstance(remedy, str) and len(remedy) <= _MOST_CHARACTERS):
            return None
        return _KINDS[kind](problem, remedy=remedy)
    open_edges, edges, one_sided = record.get("open_edges"), record.get("edges"), record.get("one_sided")
    if type(open_edges) is not int or type(edges) is not int or type(one_sided) is not bool:
        return None
    return OpenSurfaceError(problem, open_edges, edges, one_sided)
