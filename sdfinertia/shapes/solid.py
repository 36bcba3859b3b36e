"""Solids without a file, primitives and extrusions: their name, inertia, corners and surface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import GeometryError
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.shapes.primitives import PRIMITIVES
from sdfinertia.shapes.shape import Polyline, Primitive, assert_never

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface

Solid = Primitive | Polyline


def solid_name(solid: Solid) -> str:
    match solid:
        case Primitive():
            return solid.kind
        case Polyline():
            return "polyline"
        case _:
            assert_never(solid)


def solid_inertia(solid: Solid, density: float) -> SpatialInertia:
    """The inertia of the solid in its own frame at a density (kg/m³)."""
    match solid:
        case Primitive():
            return PRIMITIVES[solid.kind].inertia(solid.dimensions, density)
        case Polyline():
            # Loaded with the first polyline: few files have one.
            from sdfinertia.inertia.polyline import extruded_polyline

            if len(set(solid.heights)) > 1:
                raise GeometryError("the polylines of one geometry differ in height")
            return extruded_polyline(solid.loops, solid.heights[0], density)
        case _:
            assert_never(solid)


def extrusion_corners(polyline: Polyline) -> list[Vector3]:
    """The points of the loops at both ends, the upper that of the highest (m)."""
    _require_points(polyline)
    ends = (0.0, max(polyline.heights))
    return [(x, y, z) for loop in polyline.loops for x, y in loop for z in ends]


def solid_surface(solid: Solid) -> Surface:
    """The triangles of the solid in its own frame (m), closed, wound outward.

    Loops that differ in height are drawn as if all were as high as the highest.
    """
    match solid:
        case Primitive():
            return PRIMITIVES[solid.kind].surface(solid.dimensions)
        case Polyline():
            _require_points(solid)
            from sdfinertia.mesh.surface.tessellation import extrusion

            return extrusion(solid.loops, max(solid.heights))
        case _:
            assert_never(solid)


def _require_points(polyline: Polyline) -> None:
    if not polyline.loops or not all(polyline.loops):
        raise GeometryError("polyline has no points")
