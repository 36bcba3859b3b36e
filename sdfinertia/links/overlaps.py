"""Volume that solids share, counted once: for the first in the file."""

from __future__ import annotations

from collections.abc import Sequence

from sdfinertia.errors import GeometryError, SdfInertiaError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.links.body import Body
from sdfinertia.links.context import Context
from sdfinertia.links.inputs import Part
from sdfinertia.links.meshes import mesh_source
from sdfinertia.links.shape_bodies import placed_points
from sdfinertia.mesh.boolean_union import Surface, without_those_before
from sdfinertia.mesh.solid_moments import closed_surface
from sdfinertia.mesh.treatment import Method, Overlaps
from sdfinertia.robot.poses import product
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, assert_never

# Of a solid's volume: below this, what two surfaces share is rounding.
_NOTHING = 1e-12


def without_shared_volume(parts: Sequence[Body], solids: Sequence[Part], context: Context) -> list[Body]:
    """The parts of a link, each without the volume shared with those before it.

    Shared volume is measured on tessellated surfaces and subtracted from the closed form: solids that share
    nothing, and flat ones, stay exact.
    """
    surfaces = [_placed_surface(solid, part.method, context) for solid, part in zip(solids, parts, strict=True)]
    result: list[Body] = []
    rests = without_those_before(surfaces)
    for part, solid, surface in zip(parts, solids, surfaces, strict=True):
        try:
            rest = next(rests)
            result.append(part if rest is None else _reduced(part, surface, rest))
        except SdfInertiaError as error:
            raise error.within(location=solid.solid.location(), collision=part.name) from None
    return [part for part in result if part.inertia.mass > 0.0]


def shared_share(parts: Sequence[Body], solids: Sequence[Part], context: Context) -> float:
    """The part of the solids' volume that counts more than once; within meshes too."""
    total = once = 0.0
    for part in parts:
        total += part.inertia.mass / part.density
    for part in without_shared_volume(parts, solids, context):
        once += part.inertia.mass / part.density
    for solid, part in zip(solids, parts, strict=True):
        if isinstance(solid.shape, MeshShape) and part.method is Method.EXACT:
            source = mesh_source(solid.shape, solid.mesh_path)
            united = context.meshes.solid(source, solid.treatment._replace(overlaps=Overlaps.UNION), solid.shape.scale)
            once -= part.inertia.mass / part.density - united.moments.volume
    return (total - once) / total


def _reduced(part: Body, surface: Surface, remaining: Surface) -> Body:
    whole = moments(*surface)
    rest = moments(*remaining) if len(remaining[1]) else VolumeMoments(0.0, whole.centroid, (0.0,) * 6)
    shared = whole.volume - rest.volume
    if shared <= _NOTHING * whole.volume:
        return part
    note = f"{shared:.4g} m³ that it shares with solids before it count for those"
    if rest.volume <= _NOTHING * whole.volume:
        nothing = SpatialInertia(0.0, part.inertia.p_BoBcm_B, InertiaTensor(0.0, 0.0, 0.0))
        return part._replace(inertia=nothing)
    removed = (whole + _negative(rest)).spatial_inertia(part.density)
    # A tessellated ball is smaller than the ball, and so is any share of it, in about the same proportion.
    removed = removed.scaled_to_mass(removed.mass * part.inertia.mass / (whole.volume * part.density))
    return part._replace(inertia=part.inertia + _negative_inertia(removed), notes=(*part.notes, note))


def _placed_surface(solid: Part, method: str, context: Context) -> Surface:
    vertices, faces = _surface(solid, method, context)
    return placed_points(vertices, product(solid.placement)), faces


def _surface(solid: Part, method: str, context: Context) -> Surface:
    match solid.shape:
        case Primitive() | Polyline() as shape:
            return shape.surface()
        case MeshShape() as shape:
            mesh = context.meshes.points(mesh_source(shape, solid.mesh_path)).scaled(shape.scale)
            vertices, faces, _ = closed_surface(mesh, method, solid.treatment)
            return vertices, faces
        case NoVolume() as nothing:
            raise GeometryError(str(nothing))
        case _ as never:
            assert_never(never)


def _negative(volume: VolumeMoments) -> VolumeMoments:
    xx, yy, zz, xy, xz, yz = volume.second
    return VolumeMoments(-volume.volume, volume.centroid, (-xx, -yy, -zz, -xy, -xz, -yz))


def _negative_inertia(inertia: SpatialInertia) -> SpatialInertia:
    return SpatialInertia(-inertia.mass, inertia.p_BoBcm_B, InertiaTensor(*(-value for value in inertia.I_BBcm_B)))
