"""A simple shape made larger or smaller, and what becomes of the inertia of its link."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from sdfinertia.errors import GeometryError, InertiaError, SdfInertiaError
from sdfinertia.inertia.rescaling import rescaled_in_size
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.study import Study
from sdfinertia.robot.poses import product
from sdfinertia.robot.values import COLLISION
from sdfinertia.shapes.shape import Primitive
from sdfinertia.shapes.solid import solid_inertia

if TYPE_CHECKING:
    from sdfinertia.robot.link import Link, Solid

# Where the dimensions of a kind count, along x, y and z of its frame.
_ALONG: dict[str, tuple[int, int, int]] = {
    "box": (0, 1, 2),
    "ellipsoid": (0, 1, 2),
    "sphere": (0, 0, 0),
    "cylinder": (0, 0, 1),
    "cone": (0, 0, 1),
    "capsule": (0, 0, 1),
}
# The ends of a capsule stay half balls: it gains and loses, and is not stretched as the others are.
_STRETCHED = frozenset(_ALONG) - {"capsule"}


def collision_named(link: Link, name: str) -> tuple[Solid, Primitive]:
    """A collision of a link, and its shape.

    Raises:
        GeometryError: there is none of that name, or it is no simple shape.
    """
    for solid in link.solids(COLLISION):
        if solid.name == name:
            shape = solid.shape()
            if isinstance(shape, Primitive) and shape.kind in _ALONG:
                return solid, shape
            raise GeometryError(f"collision {name!r} is no simple shape")
    raise GeometryError(f"there is no collision {name!r}")


def require_dimensions(shape: Primitive, dimensions: tuple[float, ...]) -> Primitive:
    """The shape with other dimensions.

    Raises:
        GeometryError: they are not as many as it has, or one is not above zero and finite.
    """
    if len(dimensions) != len(shape.dimensions):
        raise GeometryError(f"a {shape.kind} has {len(shape.dimensions)} dimensions, not {len(dimensions)}")
    if not all(isfinite(value) and value > 0.0 for value in dimensions):
        raise GeometryError("dimensions must be numbers above zero")
    return Primitive(shape.kind, dimensions)


def inertia_after(study: Study, solid: Solid, old: Primitive, new: Primitive) -> SpatialInertia | None:
    """The written inertia of a link whose collision is resized; None where it has none that counts.

    Where the collision is all that the link is, the body is stretched with it at the same density, as `scale` does.
    Else the link gains what the collision gains, at the density that its mass says.

    Raises:
        SdfInertiaError: the link cannot be computed, or nothing would be left of it.
    """
    written = study.written.inertia if study.link.has_tensor and not study.is_auto and study.written else None
    if written is None:
        return None
    X_LG: RigidTransform = product(solid.placement(study.surroundings))
    if len(study.link.solids(COLLISION)) == 1 and old.kind in _STRETCHED:
        return rescaled_in_size(written.transformed(X_LG.inverse()), _factors(old, new)).transformed(X_LG)
    computed = study.computed.inertia
    density = _density_of(study, solid.name) * (written.mass / computed.mass)
    gained = solid_inertia(new, density).transformed(X_LG) + _less(solid_inertia(old, density).transformed(X_LG))
    return written + gained


def _factors(old: Primitive, new: Primitive) -> Vector3:
    x, y, z = (new.dimensions[k] / old.dimensions[k] for k in _ALONG[old.kind])
    return x, y, z


def _density_of(study: Study, name: str) -> float:
    """The density at which a collision counts (kg/m³).

    Raises:
        InertiaError: it does not count.
    """
    for part in study.computed.parts:
        if part.name == name:
            return part.density
    raise InertiaError(f"collision {name!r} has no mass, and the inertia of its link is not its")


def _less(body: SpatialInertia) -> SpatialInertia:
    """What is taken away: sums with it are differences."""
    return SpatialInertia(-body.mass, body.p_BoBcm_B, InertiaTensor(*(-value for value in body.I_BBcm_B)))


def is_clean(study: Study) -> bool:
    """Whether the block of a link is as it was filled."""
    from sdfinertia.links.result import Status

    try:
        return study.status is Status.CLEAN
    except SdfInertiaError:
        return False
