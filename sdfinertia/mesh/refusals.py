"""Why a mesh stands for no solid, and how that is kept from one run to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sdfinertia.errors import MeshError, OpenMeshError, ThicknessError

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
