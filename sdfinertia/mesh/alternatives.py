"""What each way to take an open mesh would give, for the message that refuses it."""

from __future__ import annotations

from sdfinertia.errors import MeshError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.mesh.store import Factors, MeshSource, MeshStore
from sdfinertia.mesh.treatment import CONVEX_HULL, DIVERGENCE, FILL_HOLES, SHELL, VOXEL, MeshTreatment

# Voxels of larger meshes take longer than a message should.
_MOST_FACES = 200_000
# Per cent: a change below this is rounding.
_SAME = 1e-7


def alternatives(store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float) -> str:
    """One line for each policy: the mass it would give, and its tensor against that of the convex hull.

    Args:
        density: of the collision (kg/m³).
    """
    lines = ["close it in a modelling program, or choose --open-mesh or <sdfinertia:open_mesh>:"]
    reference: InertiaTensor | None = None
    for policy in (CONVEX_HULL, FILL_HOLES, VOXEL, SHELL, DIVERGENCE):
        try:
            outcome = _outcome(store, source, treatment._replace(open_mesh=policy), scale, density)
        except MeshError as error:
            lines.append(f"    {policy:<12} {error.problem}")
            continue
        inertia, uncertainty = outcome
        text = f"{inertia.mass:.6g} kg"
        if uncertainty:
            text += f" ± {100 * uncertainty:.2g} %"
        if reference is None:
            reference = inertia.I_BBcm_B
        else:
            change = _change(inertia.I_BBcm_B, reference)
            text += f", tensor {change:+.2g} % against the hull" if abs(change) > _SAME else ", tensor as the hull's"
        lines.append(f"    {policy:<12} {text}")
    return "\n".join(lines)


def _outcome(
    store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float
) -> tuple[SpatialInertia, float]:
    if treatment.open_mesh == VOXEL and len(store.mesh(source).faces) > _MOST_FACES:
        raise MeshError(f"not tried on more than {_MOST_FACES:,} faces")
    solid = store.solid(source, treatment, scale)
    return solid.spatial_inertia(density), solid.uncertainty


def _change(tensor: InertiaTensor, reference: InertiaTensor) -> float:
    """The largest change of an entry, in per cent of the reference's largest moment, with its sign."""
    scale = max(reference.ixx, reference.iyy, reference.izz)
    changes = [a - b for a, b in zip(tensor, reference, strict=True)]
    return 100.0 * max(changes, key=abs) / scale
