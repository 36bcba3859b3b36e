"""The ways to take an open mesh: which are open to it, and what each would give."""

from __future__ import annotations

import math
import shlex

from sdfinertia.errors import MeshError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.mesh.store import Factors, MeshSource, MeshStore
from sdfinertia.mesh.treatment import MeshTreatment, Method

# In the order in which they are told; the hull is what the others are compared with.
_COMPARED = (Method.CONVEX_HULL, Method.FILL_HOLES, Method.VOXEL, Method.SHELL, Method.DIVERGENCE)
# What is computed to compare policies: below a second each. A policy that is chosen takes the time that it needs.
_MOST_FACES = 1_000_000
_MOST_FACES_FOR_VOXELS = 200_000
# Faces of voxels that would cover the surface; the policy itself takes ten times as many and so its noise is a third.
_VOXEL_COVER = 4e3
# Per cent: a change below this is rounding.
_SAME = 1e-7


def open_policies(
    treatment: MeshTreatment, path: str, *, one_sided: bool, choices: str = "--open-mesh or <sdfinertia:open_mesh>"
) -> str:
    """The policies open to a mesh that is not closed, and the command that compares them, as a remedy.

    Nothing is computed: a hull and voxels any mesh has, a shell one with a thickness, and on a surface that has only
    one side no lid and no divergence integral means anything.

    Args:
        path: of the mesh file.
        one_sided: whether a part of it has only one side.
        choices: what chooses one.
    """
    policies = [Method.CONVEX_HULL, Method.VOXEL]
    if not one_sided:
        policies += [Method.FILL_HOLES, Method.DIVERGENCE]
    shell = "shell" if treatment.thickness is not None else "shell with a thickness"
    # A path that begins with a dash would be taken for an option.
    command = shlex.join(["sdfinertia", "mesh", *(["--"] if path.startswith("-") else []), path])
    return (
        f"close it in a modelling program, or choose {choices}: "
        f"{', '.join(policies)}, or {shell}; `{command}` compares what each would give"
    )


def alternatives(store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float) -> str:
    """One line for each policy: the mass it would give, and its tensor against that of the convex hull.

    What is computed keeps to a budget of faces and voxels, so that the same is told on every machine: voxels are
    coarser than the policy takes them unless their size is given, and what would take longer is named as left out.

    Args:
        density: of the collision (kg/m³).
    """
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
            text += f", tensor {change:+.2g} % against the hull" if abs(change) > _SAME else ", tensor as the hull's"
        lines.append(f"    {policy:<12} {text}{remark}")
    return "\n".join(lines)


def _outcome(
    store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float
) -> tuple[SpatialInertia, float, str]:
    """The inertia, its uncertainty, and what is to be said of how it was computed.

    Raises:
        MeshError: the mesh has none by this policy, or it is left out, with the reason.
    """
    mesh = store.mesh(source)
    most = _MOST_FACES_FOR_VOXELS if treatment.open_mesh is Method.VOXEL else _MOST_FACES
    if len(mesh.faces) > most:
        raise MeshError(f"left out: the mesh has more than {most:,} faces")
    remark = ""
    if treatment.open_mesh is Method.VOXEL:
        from sdfinertia.mesh.kernel import surface_area

        scaled = mesh.scaled(scale)
        least = math.sqrt(surface_area(scaled.vertices, scaled.faces) / _VOXEL_COVER)
        if treatment.voxel_size is None and math.isfinite(least) and least > 0.0:
            treatment = treatment._replace(voxel_size=float(f"{least:.1e}"))
            remark = f", in voxels of {treatment.voxel_size:g} m; the policy takes a third of that"
        elif treatment.voxel_size is not None and treatment.voxel_size < 0.9 * least:
            raise MeshError(f"left out: voxels of {treatment.voxel_size:g} m are too many to compare")
    solid = store.solid(source, treatment, scale)
    return solid.spatial_inertia(density), solid.uncertainty, remark


def _change(tensor: InertiaTensor, reference: InertiaTensor) -> float:
    """The largest change of an entry, in per cent of the reference's largest moment, with its sign."""
    scale = max(reference.ixx, reference.iyy, reference.izz)
    changes = [a - b for a, b in zip(tensor, reference, strict=True)]
    return 100.0 * max(changes, key=abs) / scale
