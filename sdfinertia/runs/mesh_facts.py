"""The diagnosis and the body of one mesh file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import MeshError, OpenMeshError, SdfInertiaError
from sdfinertia.links.context import mesh_cache
from sdfinertia.mesh.method import NO_SCALE, Factors, MeshDiagnosis, MeshSource, MeshTreatment, Method
from sdfinertia.mesh.store import MeshStore

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
    from sdfinertia.options import Options
    from sdfinertia.runs.outcomes import FileTask


class MeshFacts(NamedTuple):
    """The report on a mesh file; `refusal` says why `inertia` is None, and compares the policies."""

    path: str
    density: float
    diagnosis: MeshDiagnosis
    inertia: SpatialInertia | None
    method: str
    refusal: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class MeshWeighing:
    """How meshes are weighed; called with the task of a file, it gives the report on it."""

    density: float
    treatment: MeshTreatment
    options: Options
    scale: Factors = NO_SCALE
    submesh: str | None = None

    def __call__(self, task: FileTask) -> MeshFacts:
        store = MeshStore(cache=mesh_cache(self.options, keeps=True))
        if task.data is not None:
            store.hold(task.path, task.data)
        return mesh_facts(store, task.path, self)


def mesh_facts(store: MeshStore, path: str, weighing: MeshWeighing) -> MeshFacts:
    source = MeshSource(path, weighing.submesh)
    diagnosis = store.diagnosis(source, weighing.scale, takes_points=weighing.treatment.method is Method.CONVEX_HULL)
    try:
        solid = store.solid(source, weighing.treatment, weighing.scale)
        inertia = solid.spatial_inertia(weighing.density)
    except OpenMeshError as error:
        compared = alternatives(store, source, weighing.treatment, weighing.scale, weighing.density)
        return MeshFacts(path, weighing.density, diagnosis, None, "", f"{error.problem}; {compared}", diagnosis.notes)
    except SdfInertiaError as error:
        return MeshFacts(path, weighing.density, diagnosis, None, "", error.problem, diagnosis.notes)
    # The diagnosis covers more than the integrated surface, and notes what it skipped.
    others = [note for note in diagnosis.notes if solid.method is Method.EXACT and note not in solid.notes]
    return MeshFacts(path, weighing.density, diagnosis, inertia, solid.method, "", (*solid.notes, *others))


# Ways to take an open mesh -------------------------------------------------------------------------------------------

# In the order of the report; the others are compared with the hull.
_COMPARED = (Method.CONVEX_HULL, Method.FILL_HOLES, Method.VOXEL, Method.SHELL)
# Limits for comparing policies: below a second each. A chosen policy takes the time that it needs.
_MAX_FACES = 1_000_000
_MAX_FACES_FOR_VOXELS = 200_000
# Faces of voxels that would cover the surface; the policy itself takes ten times as many and so its noise is a third.
_VOXEL_COVER = 4e3
# Per cent: a change below this is rounding.
_SAME = 1e-7


def alternatives(store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float) -> str:
    """A line for each policy: its mass, and its tensor beside that of the hull."""
    lines = ["close it in a modelling program, or choose --open-mesh or <sdfinertia:open_mesh>:"]
    reference: InertiaTensor | None = None
    for policy in _COMPARED:
        try:
            inertia, uncertainty, remark = _outcome(store, source, treatment._replace(open_mesh=policy), scale, density)
        except MeshError as error:
            lines.append(f"    {policy:<12} {error.problem}")
            continue
        text = f"{inertia.mass:.6g} kg"
        if uncertainty:
            text += f" ± {100 * uncertainty:.2g} %"
        if reference is None:
            reference = inertia.I_BBcm_B
        else:
            change = _change(inertia.I_BBcm_B, reference)
            text += f", tensor {change:+.2g} % against the hull" if abs(change) > _SAME else ", same tensor as the hull"
        lines.append(f"    {policy:<12} {text}{remark}")
    return "\n".join(lines)


def _outcome(
    store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float
) -> tuple[SpatialInertia, float, str]:
    maximum = _MAX_FACES_FOR_VOXELS if treatment.open_mesh is Method.VOXEL else _MAX_FACES
    if store.diagnosis(source, scale).faces > maximum:
        raise MeshError(f"left out: the mesh has more than {maximum:,} faces")
    remark = ""
    if treatment.open_mesh is Method.VOXEL:
        least = math.sqrt(store.diagnosis(source, scale).surface_area / _VOXEL_COVER)
        if treatment.voxel_size is None and math.isfinite(least) and least > 0.0:
            treatment = treatment._replace(voxel_size=float(f"{least:.1e}"))
            remark = f", in voxels of {treatment.voxel_size:g} m; the policy takes a third of that"
        elif treatment.voxel_size is not None and treatment.voxel_size < 0.9 * least:
            raise MeshError(f"left out: voxels of {treatment.voxel_size:g} m are too many to compare")
    solid = store.solid(source, treatment, scale)
    return solid.spatial_inertia(density), solid.uncertainty, remark


def _change(tensor: InertiaTensor, reference: InertiaTensor) -> float:
    """The largest change of an entry, in per cent of the reference's largest moment."""
    scale = max(reference.ixx, reference.iyy, reference.izz)
    changes = [a - b for a, b in zip(tensor, reference, strict=True)]
    return 100.0 * max(changes, key=abs) / scale
