"""Solids without a file, primitives and extrusions: their name, inertia and surface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.shapes.extrusion import extrusion_inertia, extrusion_surface
from sdfinertia.shapes.primitives import PRIMITIVES
from sdfinertia.shapes.shape import Polyline, Primitive, assert_never

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface

Solid = Primitive | Polyline


def solid_name(solid: Solid) -> str:
    """What the solid is called: "box", "polyline"."""
    match solid:
        case Primitive():
            return solid.kind
        case Polyline():
            return "polyline"
        case _:
            assert_never(solid)


def solid_inertia(solid: Solid, density: float) -> SpatialInertia:
    """The inertia of the solid in its own frame.

    Args:
        density: (kg/m³).

    Raises:
        GeometryError: a dimension is not positive and finite, or loops are no areas.
        InertiaError: the density is negative or not finite.
    """
    match solid:
        case Primitive():
            return PRIMITIVES[solid.kind].inertia(solid.dimensions, density)
        case Polyline():
            return extrusion_inertia(solid, density)
        case _:
            assert_never(solid)


def solid_surface(solid: Solid) -> Surface:
    """The triangles of the solid in its own frame: vertices (n, 3) in m, faces (m, 3), closed, wound outward.

    Raises:
        GeometryError: it is an extrusion of loops that are no areas.
        MeshError: it is an extrusion, and the library manifold3d is not installed.
    """
    match solid:
        case Primitive():
            return PRIMITIVES[solid.kind].surface(solid.dimensions)
        case Polyline():
            return extrusion_surface(solid)
        case _:
            assert_never(solid)
