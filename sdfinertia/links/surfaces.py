"""The surfaces of a link's parts, the volume that they share, and the bodies of surfaces alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia, less
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.mesh import MeshSource, Method, Overlaps
from sdfinertia.mesh.boolean_union import without_those_before
from sdfinertia.mesh.kernel import Surface, rotated
from sdfinertia.mesh.pipeline import Pipeline
from sdfinertia.mesh.repair import weld_equal
from sdfinertia.mesh.solid_moments import exact_volume
from sdfinertia.robot.poses import product
from sdfinertia.shapes import MeshShape, NoVolume, surface_of

if TYPE_CHECKING:
    from sdfinertia.links.context import Context
    from sdfinertia.links.inputs import Body, Part
    from sdfinertia.mesh.store import MeshStore

# Shared volume below this part of a solid's volume is rounding.
_NOTHING = 1e-12


def part_surface(part: Part, method: str, context: Context) -> Surface:
    shape = part.shape
    assert not isinstance(shape, NoVolume), "a part of a body has volume"
    if not isinstance(shape, MeshShape):
        points, faces = surface_of(shape)
    else:
        mesh = context.meshes.points(shape.source(part.mesh_path)).scaled(shape.scale)
        (points, faces), _ = Pipeline(mesh).closed(method, part.treatment)
    r, translation = product(part.placement)
    return rotated(points, (r[:3], r[3:6], r[6:])) + np.array(translation), faces


def volume_in_mujoco(source: MeshSource, meshes: MeshStore) -> float:
    """The volume (m³, before scale) of a mesh by MuJoCo's "exact"; NaN where it refuses that."""
    mesh = meshes.mesh(source)
    vertices, faces = mesh.vertices, mesh.faces
    if source.path.lower().endswith(".stl"):
        vertices, faces = weld_equal(vertices, faces)
    return exact_volume(vertices, faces)


# Volume that solids share, counted once: for the first in the file ----------------------------------------------------


def without_shared_volume(bodies: Sequence[Body], parts: Sequence[Part], context: Context) -> list[Body]:
    """The bodies of a link, each without the volume shared with those before it.

    Shared volume is measured on tessellated surfaces and subtracted from the closed form: solids that share
    nothing, and flat ones, stay exact.
    """
    surfaces = [part_surface(part, body.method, context) for part, body in zip(parts, bodies, strict=True)]
    result: list[Body] = []
    rests = without_those_before(surfaces)
    for body, part, surface in zip(bodies, parts, surfaces, strict=True):
        try:
            rest = next(rests)
            result.append(body if rest is None else _reduced(body, surface, rest))
        except SdfInertiaError as error:
            raise error.within(location=part.solid.location(), collision=body.name) from None
    return [body for body in result if body.inertia.mass > 0.0]


def shared_share(bodies: Sequence[Body], parts: Sequence[Part], context: Context) -> float:
    """The part of the solids' volume that counts more than once; within meshes too."""
    total = once = 0.0
    for body in bodies:
        total += body.volume
    for body in without_shared_volume(bodies, parts, context):
        once += body.volume
    for part, body in zip(parts, bodies, strict=True):
        if isinstance(part.shape, MeshShape) and body.method is Method.EXACT:
            treatment = part.treatment._replace(overlaps=Overlaps.UNION)
            united = context.meshes.solid(part.shape.source(part.mesh_path), treatment, part.shape.scale)
            once -= body.volume - united.moments.volume
    return (total - once) / total


def _reduced(body: Body, surface: Surface, remaining: Surface) -> Body:
    whole = moments(*surface)
    rest = moments(*remaining) if len(remaining[1]) else VolumeMoments(0.0, whole.centroid, (0.0,) * 6)
    shared = whole.volume - rest.volume
    if shared <= _NOTHING * whole.volume:
        return body
    note = f"{shared:.4g} m³ that it shares with solids before it count for those"
    inertia = body.inertia
    if rest.volume <= _NOTHING * whole.volume:
        return body._replace(inertia=SpatialInertia(0.0, inertia.p_BoBcm_B, InertiaTensor(0.0, 0.0, 0.0)))
    xx, yy, zz, xy, xz, yz = rest.second
    negative = VolumeMoments(-rest.volume, rest.centroid, (-xx, -yy, -zz, -xy, -xz, -yz))
    removed = (whole + negative).spatial_inertia(body.density)
    # A tessellated ball is smaller than the ball, and so is any share of it, in about the same proportion.
    removed = removed.scaled_to_mass(removed.mass * inertia.mass / (whole.volume * body.density))
    return body._replace(inertia=inertia + less(removed), notes=(*body.notes, note))
