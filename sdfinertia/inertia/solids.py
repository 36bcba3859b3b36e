"""Mass properties of the solids that SDF can name, in closed form.

Each is given in the frame that SDF gives the geometry: origin at the centre (for a cone, at half its length), axis z.
The formulas are those of textbook tables, for instance J. L. Meriam and L. G. Kraige, Engineering Mechanics: Dynamics,
table D/4.
"""

from __future__ import annotations

from math import isfinite, pi

from sdfinertia.errors import GeometryError, InertiaError
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

_CENTRE: Vector3 = (0.0, 0.0, 0.0)


def box(size: Vector3, density: float) -> SpatialInertia:
    """A box: m = ρ x y z, Ixx = m (y² + z²) / 12.

    Args:
        size: edge lengths (x, y, z) (m).
        density: (kg/m³), zero allowed.

    Raises:
        GeometryError: a length is not positive and finite.
        InertiaError: the density is negative or not finite.
    """
    x, y, z = size
    require_dimension("box", "size x", x)
    require_dimension("box", "size y", y)
    require_dimension("box", "size z", z)
    require_density(density)
    mass = density * (x * y * z)
    xx, yy, zz = x * x, y * y, z * z
    tensor = InertiaTensor(mass * (yy + zz) / 12.0, mass * (xx + zz) / 12.0, mass * (xx + yy) / 12.0)
    return SpatialInertia(mass, _CENTRE, tensor)


def sphere(radius: float, density: float) -> SpatialInertia:
    """A sphere: m = 4/3 π ρ r³, I = 2/5 m r².

    Args:
        radius: (m).
        density: (kg/m³), zero allowed.

    Raises:
        GeometryError: the radius is not positive and finite.
        InertiaError: the density is negative or not finite.
    """
    require_dimension("sphere", "radius", radius)
    require_density(density)
    mass = density * (4.0 / 3.0 * pi * radius * radius * radius)
    moment = 0.4 * mass * radius * radius
    return SpatialInertia(mass, _CENTRE, InertiaTensor(moment, moment, moment))


def cylinder(radius: float, length: float, density: float) -> SpatialInertia:
    """A cylinder along z: m = π ρ r² l, Izz = m r² / 2, Ixx = m (3 r² + l²) / 12.

    Args:
        radius: (m).
        length: along z (m).
        density: (kg/m³), zero allowed.

    Raises:
        GeometryError: a dimension is not positive and finite.
        InertiaError: the density is negative or not finite.
    """
    require_dimension("cylinder", "radius", radius)
    require_dimension("cylinder", "length", length)
    require_density(density)
    rr = radius * radius
    mass = density * (pi * rr * length)
    across = mass * (3.0 * rr + length * length) / 12.0
    return SpatialInertia(mass, _CENTRE, InertiaTensor(across, across, 0.5 * mass * rr))


def capsule(radius: float, length: float, density: float) -> SpatialInertia:
    """A cylinder along z with a half sphere on each end.

    With the mass c of the cylinder and s of both half spheres: Izz = c r²/2 + 2/5 s r² and
    Ixx = c (3 r² + l²)/12 + s (2/5 r² + 3/8 r l + l²/4), by the parallel-axis theorem from the centroid of a half
    sphere, 3/8 r from its flat face.

    Args:
        radius: (m).
        length: of the cylindrical part (m); the whole is length + 2 radius long.
        density: (kg/m³), zero allowed.

    Raises:
        GeometryError: a dimension is not positive and finite.
        InertiaError: the density is negative or not finite.
    """
    require_dimension("capsule", "radius", radius)
    require_dimension("capsule", "length", length)
    require_density(density)
    rr, ll = radius * radius, length * length
    barrel = density * (pi * rr * length)
    caps = density * (4.0 / 3.0 * pi * rr * radius)
    across = barrel * (3.0 * rr + ll) / 12.0 + caps * (0.4 * rr + 0.375 * radius * length + 0.25 * ll)
    along = 0.5 * barrel * rr + 0.4 * caps * rr
    return SpatialInertia(barrel + caps, _CENTRE, InertiaTensor(across, across, along))


def ellipsoid(radii: Vector3, density: float) -> SpatialInertia:
    """An ellipsoid: m = 4/3 π ρ a b c, Ixx = m (b² + c²) / 5.

    Args:
        radii: half axes (a, b, c) along x, y, z (m).
        density: (kg/m³), zero allowed.

    Raises:
        GeometryError: a radius is not positive and finite.
        InertiaError: the density is negative or not finite.
    """
    a, b, c = radii
    require_dimension("ellipsoid", "radii x", a)
    require_dimension("ellipsoid", "radii y", b)
    require_dimension("ellipsoid", "radii z", c)
    require_density(density)
    mass = density * (4.0 / 3.0 * pi * (a * b * c))
    aa, bb, cc = a * a, b * b, c * c
    tensor = InertiaTensor(0.2 * mass * (bb + cc), 0.2 * mass * (aa + cc), 0.2 * mass * (aa + bb))
    return SpatialInertia(mass, _CENTRE, tensor)


def cone(radius: float, length: float, density: float) -> SpatialInertia:
    """A cone with its apex towards +z: m = π ρ r² l / 3, Izz = 3/10 m r², Ixx = 3/20 m r² + 3/80 m l².

    The origin is at half its length, so the centre of mass, a quarter of the length above the base, is at z = -l/4.

    Args:
        radius: of the base (m).
        length: along z (m).
        density: (kg/m³), zero allowed.

    Raises:
        GeometryError: a dimension is not positive and finite.
        InertiaError: the density is negative or not finite.
    """
    require_dimension("cone", "radius", radius)
    require_dimension("cone", "length", length)
    require_density(density)
    rr = radius * radius
    mass = density * (pi * rr * length / 3.0)
    across = 0.15 * mass * rr + 0.0375 * mass * length * length
    return SpatialInertia(mass, (0.0, 0.0, -0.25 * length), InertiaTensor(across, across, 0.3 * mass * rr))


def require_dimension(solid: str, name: str, value: float) -> None:
    """Nothing, if the dimension is one a solid can have.

    Args:
        solid: what the dimension belongs to ("box").
        name: of the dimension ("size x").
        value: (m).

    Raises:
        GeometryError: the value is not positive and finite.
    """
    if not (value > 0.0 and isfinite(value)):
        raise GeometryError(f"{solid} {name} must be positive and finite, found {value!r}")


def require_density(density: float) -> None:
    """Nothing, if the density is zero or positive and finite.

    Args:
        density: (kg/m³).

    Raises:
        InertiaError: it is not.
    """
    if not (density >= 0.0 and isfinite(density)):
        raise InertiaError(f"density must be zero or positive and finite, found {density!r}")
