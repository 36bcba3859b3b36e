"""What has to be known of a kind of primitive: one value for each, in a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.surface.tessellation import Surface

# The numbers of `PrimitiveKind.dimensions`, one after the other (m).
Dimensions = tuple[float, ...]


class PrimitiveKind(NamedTuple):
    """A kind of solid in closed form; in its own frame, as SDF defines that.

    Every field is required, so that a kind of which something is missing is refused by the type checker, and by Python.

    Attributes:
        name: as formats call it.
        dimensions: name of each, and how many numbers it has.
        inertia: of (dimensions, density in kg/m³); raises GeometryError where a dimension is not positive and finite,
            and InertiaError where the density is not; loads what it needs when it is called, since digests tell most
            blocks to be clean by the dimensions alone.
        reach: of (dimensions, direction): how far the solid goes from its origin against and along a unit direction
            (m): its support function, from which bounding boxes and the largest dimension are taken.
        surface: of (dimensions): its triangles, wound outward; loads numpy when it is called.
    """

    name: str
    dimensions: tuple[tuple[str, int], ...]
    inertia: Callable[[Dimensions, float], SpatialInertia]
    reach: Callable[[Dimensions, Vector3], tuple[float, float]]
    surface: Callable[[Dimensions], Surface]
