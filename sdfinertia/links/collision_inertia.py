"""What one collision adds to its link: its shape as a solid of its density, where the link has it."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import NamedTuple

from sdfinertia.errors import GeometryError, InertiaError, OpenMeshError
from sdfinertia.inertia import solids
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.inputs import CollisionInput
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.store import MeshSource
from sdfinertia.mesh.treatment import ERROR, EXACT
from sdfinertia.sdf.geometry import MeshShape, Polyline, Primitive
from sdfinertia.sdf.pose_path import product


class CollisionInertia(NamedTuple):
    """What one collision adds to its link.

    Attributes:
        shape: kind of the shape.
        method: how its volume was found.
        inertia: in the link frame, at its density.
        density: in kg/m³; `density_source` says who gave it.
        extent: largest dimension (m).
        faces: triangles of a mesh, or 0.
        uncertainty: how wrong its mass may be, as a part of it.
    """

    name: str
    shape: str
    method: str
    inertia: SpatialInertia
    density: float
    density_source: str
    extent: float
    faces: int = 0
    uncertainty: float = 0.0
    notes: tuple[str, ...] = ()


def collision_inertia(collision: CollisionInput, surroundings: Surroundings) -> CollisionInertia:
    """What a collision adds, in the link frame.

    Raises:
        SdfInertiaError: it is no solid.
    """
    shape, density = collision.shape, collision.density
    if isinstance(shape, Primitive):
        inertia = _PRIMITIVES[shape.kind](*_arguments(shape), density)
        part = _part(collision, shape.kind, inertia, _primitive_extent(shape))
    elif isinstance(shape, Polyline):
        part = _part(collision, "polyline", _extruded(shape, density), max(shape.heights))
    elif isinstance(shape, MeshShape):
        part = _mesh_part(collision, shape, surroundings)
    else:
        raise GeometryError(f"{shape.kind} has no volume")
    inertia = part.inertia
    if not (inertia.mass > 0.0 and isfinite(inertia.mass) and isfinite(inertia.I_BBcm_B.trace)):
        raise InertiaError(f"its size and density give a mass of {inertia.mass:g} kg, which no number can hold")
    return part._replace(inertia=inertia.transformed(product(collision.placement)))


def _part(collision: CollisionInput, kind: str, inertia: SpatialInertia, extent: float) -> CollisionInertia:
    return CollisionInertia(collision.name, kind, EXACT, inertia, collision.density, collision.density_source, extent)


def _mesh_part(collision: CollisionInput, shape: MeshShape, surroundings: Surroundings) -> CollisionInertia:
    source = MeshSource(collision.mesh_path, shape.submesh, shape.center)
    calculator = collision.parameters.calculator
    if calculator is not None:
        return _calculated_part(collision, shape, source, calculator, surroundings)
    try:
        solid = surroundings.meshes.solid(source, collision.treatment, shape.scale)
    except OpenMeshError as error:
        if collision.treatment.method == EXACT and collision.treatment.open_mesh == ERROR:
            from sdfinertia.mesh.alternatives import open_policies
            from sdfinertia.mesh.surface.closed_solid import OpenSurfaceError

            one_sided = isinstance(error, OpenSurfaceError) and error.one_sided
            error.remedy = open_policies(collision.treatment, collision.mesh_path, one_sided=one_sided)
        raise
    part = _part(collision, "mesh", solid.spatial_inertia(collision.density), max(solid.extent))
    return part._replace(method=solid.method, faces=solid.faces, uncertainty=solid.uncertainty, notes=solid.notes)


def _calculated_part(
    collision: CollisionInput, shape: MeshShape, source: MeshSource, name: str, surroundings: Surroundings
) -> CollisionInertia:
    # Loaded where a file names one.
    from sdfinertia.calculators import CalculatorMesh, calculated, find_calculator

    mesh = surroundings.meshes.mesh(source)
    calculator = find_calculator(name, surroundings.calculators)
    request = CalculatorMesh(mesh.vertices, mesh.faces, shape.uri, shape.scale)
    inertia = calculated(name, calculator, collision.density, request, dict(collision.parameters.others))
    used = mesh.used_vertices()
    extent = float(abs((used.max(axis=0) - used.min(axis=0)) * shape.scale).max())
    note = f"computed by the calculator {name!r}"
    return _part(collision, "mesh", inertia, extent)._replace(
        method=f"calculator:{name}", faces=len(mesh.faces), notes=(*mesh.notes, note)
    )


_PRIMITIVES: dict[str, Callable[..., SpatialInertia]] = {
    "box": solids.box,
    "sphere": solids.sphere,
    "cylinder": solids.cylinder,
    "capsule": solids.capsule,
    "cone": solids.cone,
    "ellipsoid": solids.ellipsoid,
}


def _arguments(shape: Primitive) -> tuple[object, ...]:
    """The dimensions as the solid's function takes them: a vector as one argument."""
    return (shape.dimensions,) if len(shape.dimensions) == 3 else shape.dimensions


def _primitive_extent(shape: Primitive) -> float:
    factors = {"sphere": 2.0, "ellipsoid": 2.0}.get(shape.kind, 1.0)
    return factors * max(shape.dimensions)


def _extruded(shape: Polyline, density: float) -> SpatialInertia:
    from sdfinertia.inertia.polyline import extruded_polyline

    if len(set(shape.heights)) > 1:
        raise GeometryError("the polylines of one geometry differ in height")
    return extruded_polyline(shape.loops, shape.heights[0], density)
