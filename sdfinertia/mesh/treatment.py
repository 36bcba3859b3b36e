"""How the triangles of a mesh are taken for a solid."""

from __future__ import annotations

import shlex
from enum import Enum
from typing import Final, Literal

from sdfinertia.named_tuple import NamedTuple


class Method(str, Enum):
    """How the volume of a mesh is found; the values are the words that files, options and reports have for it."""

    EXACT = "exact"
    VOXEL = "voxel"
    CONVEX_HULL = "convex_hull"
    CONVEX_DECOMPOSITION = "convex_decomposition"
    SHELL = "shell"
    FILL_HOLES = "fill_holes"
    DIVERGENCE = "divergence"

    def __str__(self) -> str:
        return self.value


class Overlaps(Enum):
    """What volume that bodies share counts as; the values are the words of files and options."""

    # For each of them.
    SUM = "sum"
    # Once.
    UNION = "union"


_REFUSED: Final = "error"
# The words by which files and options ask, the defaults first; as types for editors, which complete them.
MethodName = Literal["exact", "voxel", "convex_hull", "convex_decomposition", "shell"]
OpenMeshPolicy = Literal["error", "convex_hull", "voxel", "shell", "fill_holes", "divergence"]
OverlapsName = Literal["sum", "union"]
METHODS: tuple[MethodName, ...] = ("exact", "voxel", "convex_hull", "convex_decomposition", "shell")
OPEN_MESH_POLICIES: tuple[OpenMeshPolicy, ...]
OPEN_MESH_POLICIES = (_REFUSED, "convex_hull", "voxel", "shell", "fill_holes", "divergence")
OVERLAPS: tuple[OverlapsName, ...] = ("sum", "union")


# Methods whose result for a stretched mesh is the stretched result; the others have a length of their own.
COMMUTE_WITH_SCALE = (Method.EXACT, Method.CONVEX_HULL, Method.DIVERGENCE, Method.FILL_HOLES)


def policy_named(word: str) -> Method | None:
    """What becomes of an open mesh by one of OPEN_MESH_POLICIES: the method it is taken by, or None to refuse it."""
    return None if word == _REFUSED else Method(word)


class MeshTreatment(NamedTuple):
    """How the triangles of a mesh are taken for a solid.

    Attributes:
        method: of finding its volume.
        open_mesh: the method for a mesh that is not closed where `method` is exact; None refuses it.
        voxel_size: edge of the voxels (m), or None to choose one by the mesh.
        thickness: of the wall (m), for shells.
        overlaps: what volume that bodies share counts as.
        max_convex_hulls, voxel_resolution: of a convex decomposition, None for SDFormat's defaults.
    """

    method: Method = Method.EXACT
    open_mesh: Method | None = None
    voxel_size: float | None = None
    thickness: float | None = None
    overlaps: Overlaps = Overlaps.SUM
    max_convex_hulls: int | None = None
    voxel_resolution: int | None = None

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods by which the solid may be found: its own, and where that is exact, that of an open mesh."""
        if self.method is not Method.EXACT or self.open_mesh is None:
            return (self.method,)
        return self.method, self.open_mesh

    def by(self, method: Method) -> MeshTreatment:
        """By one method alone, with what it looks at: treatments share what does not depend on all that they say."""
        if method in COMMUTE_WITH_SCALE:
            return MeshTreatment(method, overlaps=self.overlaps)
        return self._replace(method=method, open_mesh=None)


def open_policies(
    treatment: MeshTreatment,
    path: str | None,
    *,
    one_sided: bool,
    choices: str = "--open-mesh or <sdfinertia:open_mesh>",
) -> str:
    """The policies open to a mesh that is not closed, and the command that compares them, as a remedy.

    Nothing is computed: a hull and voxels any mesh has, a shell one with a thickness, and on a surface that has only
    one side no lid and no divergence integral means anything.

    Args:
        path: of its file; None where it has none.
    """
    policies = [Method.CONVEX_HULL, Method.VOXEL]
    if not one_sided:
        policies += [Method.FILL_HOLES, Method.DIVERGENCE]
    shell = "shell" if treatment.thickness is not None else "shell with a thickness"
    remedy = f"close it in a modelling program, or choose {choices}: {', '.join(policies)}, or {shell}"
    if path is None:
        return remedy
    # A path that begins with a dash would be taken for an option.
    command = shlex.join(["sdfinertia", "mesh", *(["--"] if path.startswith("-") else []), path])
    return f"{remedy}; `{command}` compares what each would give"
