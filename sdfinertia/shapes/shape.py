"""The shapes of collisions and visuals, as values, and the inertia, corners and surface of those without a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from sdfinertia.errors import GeometryError
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.shapes.primitives import PRIMITIVES

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface


class Primitive(NamedTuple):
    """A solid in closed form.

    Attributes:
        kind: its name in `PRIMITIVES`.
        dimensions: (m), in the order of that table; as read, so they may be zero or negative.
    """

    kind: str
    dimensions: tuple[float, ...]


class Polyline(NamedTuple):
    """Closed loops of points (m), extruded from z = 0 to the height of each."""

    loops: tuple[tuple[tuple[float, float], ...], ...]
    heights: tuple[float, ...]


class MeshShape(NamedTuple):
    """A mesh file and which part of it counts.

    Attributes:
        submesh: None for the whole file.
        center: whether that part's bounding box is centred on the origin.
        optimization: "", "convex_hull" or "convex_decomposition".
    """

    uri: str
    scale: tuple[float, float, float]
    submesh: str | None
    center: bool
    optimization: str
    max_convex_hulls: int | None = None
    voxel_resolution: int | None = None


class Plane(NamedTuple):
    """A plane through the origin with a unit normal, of which a rectangle (m) is drawn."""

    normal: tuple[float, float, float]
    size: tuple[float, float]


class NoVolume(NamedTuple):
    """A geometry that encloses no volume.

    Attributes:
        kind: as the subject of a sentence: "a plane".
        is_unbounded: whether it has no bounding box.
        problem: the rest of that sentence.
    """

    kind: str
    is_unbounded: bool = False
    problem: str = "has no volume"
    plane: Plane | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.problem}"


Solid = Primitive | Polyline
Shape = Primitive | Polyline | MeshShape | NoVolume


def assert_never(value: NoReturn) -> NoReturn:
    """`typing.assert_never`, which Python has from 3.11 on only."""
    raise AssertionError(f"a case that nobody handles: {value!r}")


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
