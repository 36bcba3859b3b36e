"""Mass properties of the solids that SDF can name, in closed form, of their surfaces, and of any volume.

In SDF's frame of the geometry: origin at the centre (for a cone, at half its length), axis z. Formulas: J. L. Meriam
and L. G. Kraige, Engineering Mechanics: Dynamics, table D/4. Sizes (m) are positive, finite, and 1e-70 m at least, else
a GeometryError; densities (kg/m³) are finite, and zero at least, else an InertiaError.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, pi, sqrt
from typing import TYPE_CHECKING

from sdfinertia.errors import GeometryError, InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia, join_centres
from sdfinertia.inertia.rigid_transform import SMALLEST_SIZE, Vector3, number, real, vector

if TYPE_CHECKING:
    from sdfinertia.inertia.rigid_transform import Numbers

_CENTRE: Vector3 = (0.0, 0.0, 0.0)


def box(size: Numbers, density: float) -> SpatialInertia:
    """A box: m = ρ x y z, Ixx = m (y² + z²) / 12."""
    x, y, z = vector(size, "box size", GeometryError)
    density, *_ = require_dimensions("box", density, ("size x", x), ("size y", y), ("size z", z))
    mass = density * (x * y * z)
    xx, yy, zz = x * x, y * y, z * z
    tensor = InertiaTensor(mass * (yy + zz) / 12.0, mass * (xx + zz) / 12.0, mass * (xx + yy) / 12.0)
    return SpatialInertia(mass, _CENTRE, tensor)


def sphere(radius: float, density: float) -> SpatialInertia:
    """A sphere: m = 4/3 π ρ r³, I = 2/5 m r²."""
    density, radius = require_dimensions("sphere", density, ("radius", radius))
    mass = density * (4.0 / 3.0 * pi * radius * radius * radius)
    moment = 0.4 * mass * radius * radius
    return SpatialInertia(mass, _CENTRE, InertiaTensor(moment, moment, moment))


def cylinder(radius: float, length: float, density: float) -> SpatialInertia:
    """A cylinder along z: m = π ρ r² l, Izz = m r² / 2, Ixx = m (3 r² + l²) / 12."""
    density, radius, length = require_dimensions("cylinder", density, ("radius", radius), ("length", length))
    rr = radius * radius
    mass = density * (pi * rr * length)
    across = mass * (3.0 * rr + length * length) / 12.0
    return SpatialInertia(mass, _CENTRE, InertiaTensor(across, across, 0.5 * mass * rr))


def capsule(radius: float, length: float, density: float) -> SpatialInertia:
    """A cylinder along z with a half sphere on each end.

    The cylinder alone has the length. With its mass c and that s of both half spheres: Izz = c r²/2 + 2/5 s r² and
    Ixx = c (3 r² + l²)/12 + s (2/5 r² + 3/8 r l + l²/4), by the parallel-axis theorem.
    """
    density, radius, length = require_dimensions("capsule", density, ("radius", radius), ("length", length))
    rr, ll = radius * radius, length * length
    barrel = density * (pi * rr * length)
    caps = density * (4.0 / 3.0 * pi * rr * radius)
    across = barrel * (3.0 * rr + ll) / 12.0 + caps * (0.4 * rr + 0.375 * radius * length + 0.25 * ll)
    along = 0.5 * barrel * rr + 0.4 * caps * rr
    return SpatialInertia(barrel + caps, _CENTRE, InertiaTensor(across, across, along))


def ellipsoid(radii: Numbers, density: float) -> SpatialInertia:
    """An ellipsoid: m = 4/3 π ρ a b c, Ixx = m (b² + c²) / 5."""
    a, b, c = vector(radii, "ellipsoid radii", GeometryError)
    density, *_ = require_dimensions("ellipsoid", density, ("radii x", a), ("radii y", b), ("radii z", c))
    mass = density * (4.0 / 3.0 * pi * (a * b * c))
    aa, bb, cc = a * a, b * b, c * c
    tensor = InertiaTensor(0.2 * mass * (bb + cc), 0.2 * mass * (aa + cc), 0.2 * mass * (aa + bb))
    return SpatialInertia(mass, _CENTRE, tensor)


def cone(radius: float, length: float, density: float) -> SpatialInertia:
    """A cone with its apex towards +z: m = π ρ r² l / 3, Izz = 3/10 m r², Ixx = 3/20 m r² + 3/80 m l².

    The origin is at half its length, so the centre of mass, a quarter of the length above the base, is at z = -l/4.
    """
    density, radius, length = require_dimensions("cone", density, ("radius", radius), ("length", length))
    rr = radius * radius
    mass = density * (pi * rr * length / 3.0)
    across = 0.15 * mass * rr + 0.0375 * mass * length * length
    return SpatialInertia(mass, (0.0, 0.0, -0.25 * length), InertiaTensor(across, across, 0.3 * mass * rr))


def require_dimensions(solid: str, density: float, *dimensions: tuple[str, float]) -> tuple[float, ...]:
    found = []
    for name, given in dimensions:
        value = real(given)
        if value is None or not 0.0 < value < inf:
            raise GeometryError(f"{solid} {name} must be positive and finite, found {given!r}")
        if value < SMALLEST_SIZE:
            problem = f"{solid} {name} must be {SMALLEST_SIZE:g} m at least, found {given!r}"
            raise GeometryError(f"{problem}: products with it lose their digits")
        found.append(value)
    value = real(density)
    if value is None or not 0.0 <= value < inf:
        raise InertiaError(f"density must be zero or positive and finite, found {density!r}")
    return value, *found


# A plate or a rod rounded to five digits, each wrong by 5e-5 of itself, is still drawn, flat.
ROUNDING = 1e-4


def equivalent_box(mass: float, moments: Vector3) -> Vector3:
    """The edges (m) of the uniform box of this mass and these principal moments, each along the axis of its moment.

    d1 = sqrt(6/m (I2 + I3 - I1)) and permutations, from I1 = m/12 (d2² + d3²).
    """
    x, y, z = _squared_gyration(mass, moments)
    return (sqrt(12.0 * x), sqrt(12.0 * y), sqrt(12.0 * z))


def equivalent_ellipsoid(mass: float, moments: Vector3) -> Vector3:
    """The radii (m) of the uniform ellipsoid of this mass and these moments, each along the axis of its moment.

    r1 = sqrt(5/(2m) (I2 + I3 - I1)) and permutations, from I1 = m/5 (r2² + r3²).
    """
    x, y, z = _squared_gyration(mass, moments)
    return (sqrt(5.0 * x), sqrt(5.0 * y), sqrt(5.0 * z))


def _squared_gyration(mass: float, moments: Vector3) -> Vector3:
    if not (isfinite(mass) and mass > 0.0):
        raise InertiaError(f"no solid has a mass of {mass:g} kg")
    first, second, third = moments
    trace = first + second + third
    squares = (second - first + third, third - second + first, first - third + second)
    if not (isfinite(trace) and trace >= 0.0 and min(squares) >= -ROUNDING * trace):
        written = " ".join(f"{moment:g}" for moment in moments)
        raise InertiaError(
            f"no solid has the principal moments {written} kg·m²: none may be above the sum of the other two"
        )
    x, y, z = (max(square, 0.0) / (2.0 * mass) for square in squares)
    return (x, y, z)


def rescaled_to_mass(inertia: SpatialInertia, mass: float) -> SpatialInertia:
    """The body of the same shape with another mass: the tensor scales with it, the centre stays."""
    _require_positive("a mass", "kg", inertia.mass)
    _require_positive("a mass", "kg", mass)
    return inertia.scaled_to_mass(mass)


def rescaled_to_density(inertia: SpatialInertia, density: float, volume: float) -> SpatialInertia:
    """The body of the same shape with the mass of its volume (m³) at a density."""
    _require_positive("a density", "kg/m³", density)
    _require_positive("a volume", "m³", volume)
    return rescaled_to_mass(inertia, density * volume)


def rescaled_in_size(inertia: SpatialInertia, factors: Vector3) -> SpatialInertia:
    """The body stretched along the axes of its frame, from its origin, at the same density.

    With S = diag(factors), the mass grows by |det S|, the centre of mass p becomes S p, and the second-moment matrix
    about it, Σ = ∫ r rᵀ dm = tr(I)/2 · 1 - I, becomes |det S| S Σ S. Negative factors mirror the body.
    """
    sx, sy, sz = factors
    if not all(isfinite(factor) and factor != 0.0 for factor in factors):
        raise InertiaError(f"a body cannot be scaled by {sx:g} {sy:g} {sz:g}")
    growth = abs(sx * sy * sz)
    x, y, z = inertia.p_BoBcm_B
    xx, yy, zz, xy, xz, yz = inertia.I_BBcm_B
    tensor = InertiaTensor(
        growth * _stretched_moment(xx, yy, zz, sy * sy, sz * sz),
        growth * _stretched_moment(yy, xx, zz, sx * sx, sz * sz),
        growth * _stretched_moment(zz, xx, yy, sx * sx, sy * sy),
        growth * (sx * sy * xy) + 0.0,
        growth * (sx * sz * xz) + 0.0,
        growth * (sy * sz * yz) + 0.0,
    )
    return SpatialInertia(growth * inertia.mass, (sx * x + 0.0, sy * y + 0.0, sz * z + 0.0), tensor)


def _stretched_moment(own: float, b: float, c: float, bb: float, cc: float) -> float:
    # bb Σ_bb + cc Σ_cc, with Σ_bb = (own + c - b)/2 and Σ_cc = (own + b - c)/2 put in: nothing cancels.
    return 0.5 * ((bb + cc) * own + (bb - cc) * (c - b))


def _require_positive(what: str, unit: str, value: float) -> None:
    if not (isfinite(value) and value > 0.0):
        raise InertiaError(f"{what} must be a number above zero, not {value:g} {unit}")


# MuJoCo's shellinertia: `mjCGeom::GetVolume` and `SetInertia` of MuJoCo 3.3, user_objects.cc -------------------------

_THOMSEN = 1.6075
# MuJoCo grows an ellipsoid by this, and takes the difference for its surface (m).
_GROWTH = 1e-6


def shell(kind: str, dimensions: Sequence[float], density: float) -> SpatialInertia:
    area, moments = _SHELLS[kind](*dimensions)
    mass = density * area
    x, y, z = (mass * moment for moment in moments)
    return SpatialInertia(mass, (0.0, 0.0, 0.0), InertiaTensor(x, y, z))


# The area (m²), and the moments of 1 kg (m²).
_Shell = tuple[float, tuple[float, float, float]]


def _sphere_shell(radius: float) -> _Shell:
    moment = 2.0 / 3.0 * radius * radius
    return 4.0 * pi * radius * radius, (moment, moment, moment)


def _capsule_shell(radius: float, length: float) -> _Shell:
    ball, tube = 4.0 * pi * radius * radius, 2.0 * pi * radius * length
    of_ball = ball / (ball + tube)
    of_tube = 1.0 - of_ball
    half = radius / 2.0
    far = length / 2.0 + half
    axial = of_tube * radius * radius + of_ball * 2.0 / 3.0 * radius * radius
    across = of_tube * (6.0 * radius * radius + length * length) / 12.0
    across += of_ball * (2.0 / 3.0 * radius * radius + far * far - half * half)
    return ball + tube, (across, across, axial)


def _cylinder_shell(radius: float, length: float) -> _Shell:
    disk, tube = pi * radius * radius, 2.0 * pi * radius * length
    area = 2.0 * disk + tube
    of_disks, of_tube = 2.0 * disk / area, tube / area
    axial = of_tube * radius * radius + of_disks * radius * radius / 2.0
    across = of_tube * (6.0 * radius * radius + length * length) / 12.0
    across += of_disks * (radius * radius / 4.0 + length * length / 4.0)
    return area, (across, across, axial)


def _ellipsoid_shell(a: float, b: float, c: float) -> _Shell:
    mean = ((a * b) ** _THOMSEN + (b * c) ** _THOMSEN + (c * a) ** _THOMSEN) / 3.0
    inner, outer = (a, b, c), (a + _GROWTH, b + _GROWTH, c + _GROWTH)
    small, large = a * b * c, outer[0] * outer[1] * outer[2]

    def moment(i: int, j: int) -> float:
        grown = large * (outer[i] * outer[i] + outer[j] * outer[j])
        return (grown - small * (inner[i] * inner[i] + inner[j] * inner[j])) / (5.0 * (large - small))

    return 4.0 * pi * mean ** (1.0 / _THOMSEN), (moment(1, 2), moment(0, 2), moment(0, 1))


def _box_shell(x: float, y: float, z: float) -> _Shell:
    xy, yz, zx = x * y, y * z, z * x
    area = 2.0 * (xy + yz + zx)

    def variance(own: float, first: float, second: float, across: float) -> float:
        """Along an axis of a length, of the faces beside it, and of the two across it."""
        return (2.0 * (first + second) * own * own / 12.0 + 2.0 * across * own * own / 4.0) / area

    xx, yy, zz = variance(x, xy, zx, yz), variance(y, xy, yz, zx), variance(z, yz, zx, xy)
    return area, (yy + zz, xx + zz, xx + yy)


_SHELLS: dict[str, Callable[..., _Shell]] = {
    "sphere": _sphere_shell,
    "capsule": _capsule_shell,
    "cylinder": _cylinder_shell,
    "ellipsoid": _ellipsoid_shell,
    "box": _box_shell,
}


# The moments of a solid without a density -----------------------------------------------------------------------------

# Integrals of (x x, y y, z z, x y, x z, y z) over the volume.
SecondMoments = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class VolumeMoments:
    """The moments of a solid up to the second order.

    Args:
        volume: signed (m³); negative for a cavity, or a surface that is inside out.
        centroid: position from the origin (m).
        second: integrals of (x x, y y, z z, x y, x z, y z) dV about the centroid (m⁵), of the volume's sign.
    """

    volume: float
    centroid: Vector3
    second: SecondMoments

    def __add__(self, other: VolumeMoments) -> VolumeMoments:
        """The moments of two solids that share no volume; a + b and b + a are the same to the bit.

        A volume of the other sign is cut away. If the two cancel, the middle is given for the centroid.
        """
        if not isinstance(other, VolumeMoments):
            return NotImplemented
        if other.volume == 0.0 != self.volume:
            return self
        if self.volume == 0.0 != other.volume:
            return other
        centroid, (x, y, z), reduced = join_centres(self.volume, self.centroid, other.volume, other.centroid)
        a, b = self.second, other.second
        second = (
            a[0] + b[0] + reduced * (x * x),
            a[1] + b[1] + reduced * (y * y),
            a[2] + b[2] + reduced * (z * z),
            a[3] + b[3] + reduced * (x * y),
            a[4] + b[4] + reduced * (x * z),
            a[5] + b[5] + reduced * (y * z),
        )
        return VolumeMoments(self.volume + other.volume, centroid, second)

    def scaled(self, factors: Vector3) -> VolumeMoments:
        """The moments of the solid stretched along the axes from the origin; mirrored where a factor is negative.

        A mirror image keeps the sign of the volume.
        """
        sx, sy, sz = vector(factors, "scale factors")
        x, y, z = self.centroid
        xx, yy, zz, xy, xz, yz = self.second
        j = abs(sx * sy * sz)
        second = (
            xx * (j * sx * sx),
            yy * (j * sy * sy),
            zz * (j * sz * sz),
            xy * (j * sx * sy),
            xz * (j * sx * sz),
            yz * (j * sy * sz),
        )
        return VolumeMoments(self.volume * j, (x * sx, y * sy, z * sz), second)

    def spatial_inertia(self, density: float) -> SpatialInertia:
        """The body that fills this volume at a density (kg/m³)."""
        density = number(density, "a density")
        xx, yy, zz, xy, xz, yz = self.second
        # 0.0 - v, not -v: a product that is zero stays a plain zero.
        tensor = InertiaTensor(
            density * (yy + zz),
            density * (xx + zz),
            density * (xx + yy),
            0.0 - density * xy,
            0.0 - density * xz,
            0.0 - density * yz,
        )
        return SpatialInertia(density * self.volume, self.centroid, tensor)
