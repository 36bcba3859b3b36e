"""The solid that a mesh stands for: what remains of its triangles once they are integrated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, TypeGuard

from sdfinertia.errors import MeshError, OpenMeshError, ThicknessError
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


_KINDS: dict[str, type[MeshError]] = {kind.__name__: kind for kind in (MeshError, OpenMeshError, ThicknessError)}
_MOST_CHARACTERS = 4000


class OpenSurfaceError(OpenMeshError):
    """An open mesh, with how open it is after all repairs.

    Args:
        problem: see SdfInertiaError.
        open_edges: how many edges are not used equally often in both directions.
        edges: how many edges there are.
        one_sided: whether a part of the surface has only one side, like a Möbius strip.
    """

    def __init__(self, problem: str, open_edges: int = 0, edges: int = 0, one_sided: bool = False) -> None:
        super().__init__(problem, remedy="close it in a modelling program, or choose --open-mesh")
        self.open_edges = open_edges
        self.edges = edges
        self.one_sided = one_sided


def record_of(refusal: MeshError) -> dict[str, Any] | None:
    """What is kept of a refusal, fit for JSON, without the file, which has other names elsewhere.

    None where it says more than can be kept.
    """
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
    """The refusal that a record tells of; None where it is none."""
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
