"""An extrusion of closed loops along z: what holds of a `Polyline` as the table of primitives says it of those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import GeometryError
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.shapes.shape import Polyline

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface


def extrusion_inertia(polyline: Polyline, density: float) -> SpatialInertia:
    """The solid over the loops.

    Args:
        density: (kg/m³).

    Raises:
        GeometryError: the loops differ in height or are no areas.
        InertiaError: the density is negative or not finite.
    """
    # Loaded with the first polyline: few files have one.
    from sdfinertia.inertia.polyline import extruded_polyline

    if len(set(polyline.heights)) > 1:
        raise GeometryError("the polylines of one geometry differ in height")
    return extruded_polyline(polyline.loops, polyline.heights[0], density)


def extrusion_corners(polyline: Polyline) -> list[Vector3]:
    """The points of the loops at both ends, the upper that of the highest (m).

    Raises:
        GeometryError: a loop has none.
    """
    _require_points(polyline)
    ends = (0.0, max(polyline.heights))
    return [(x, y, z) for loop in polyline.loops for x, y in loop for z in ends]


def extrusion_surface(polyline: Polyline) -> Surface:
    """Its triangles, wound outward; of loops that differ in height, as if all were as high as the highest.

    Raises:
        GeometryError: loops have no points, are no areas or cross.
        MeshError: the library manifold3d is not installed.
    """
    _require_points(polyline)
    from sdfinertia.mesh.surface.tessellation import extrusion

    return extrusion(polyline.loops, max(polyline.heights))


def _require_points(polyline: Polyline) -> None:
    if not polyline.loops or not all(polyline.loops):
        raise GeometryError("polyline has no points")
