"""Mass, centre of mass and inertia tensor of a rigid body, and the algebra on them, in plain floats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, nan, sqrt
from typing import Any

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.inertial_text import drake_inertia, mjcf_text, sdf_text, urdf_text
from sdfinertia.inertia.principal_axes import PrincipalAxes, is_clearly_valid, principal_axes, principal_moments
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, Rotation, Vector3
from sdfinertia.named_tuple import NamedTuple

# Validity is judged relative to the trace. Computed and 12-digit tensors are good to 1e-12, and a defect of 1e-9 moves
# no body visibly; rules that judge numbers with fewer digits pass a tolerance of their own.
VALIDITY_RTOL = 1e-9


# What lies between leaves squares, cubes and quotients of a few numbers all the digits of a double.
_SMALLEST, _LARGEST = 1e-60, 1e60


def are_moderate(values: Iterable[float]) -> bool:
    """Whether all numbers are small enough that arithmetic on them stays in the range of doubles."""
    return all(abs(value) <= _LARGEST for value in values)


class InertiaTensor(NamedTuple):
    """A symmetric inertia tensor (kg·m²); products are negative integrals: ixy = -∫ x y dm."""

    ixx: float
    iyy: float
    izz: float
    ixy: float = 0.0
    ixz: float = 0.0
    iyz: float = 0.0

    @property
    def trace(self) -> float:
        """The sum of the moments (kg·m²)."""
        return self.ixx + self.iyy + self.izz

    def rotated(self, R_AB: Rotation) -> InertiaTensor:
        """The same tensor, known in the axes of B, expressed in those of A: R I Rᵀ."""
        if R_AB == IDENTITY_ROTATION:
            return self
        a, b, c, d, e, f, g, h, i = R_AB
        xx, yy, zz, xy, xz, yz = self
        # The rows of R I.
        ax, ay, az = a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz
        bx, by, bz = d * xx + e * xy + f * xz, d * xy + e * yy + f * yz, d * xz + e * yz + f * zz
        cx, cy, cz = g * xx + h * xy + i * xz, g * xy + h * yy + i * yz, g * xz + h * yz + i * zz
        return InertiaTensor(
            ax * a + ay * b + az * c,
            bx * d + by * e + bz * f,
            cx * g + cy * h + cz * i,
            ax * d + ay * e + az * f,
            ax * g + ay * h + az * i,
            bx * g + by * h + bz * i,
        )

    def with_point_mass(self, mass: float, offset: Vector3) -> InertiaTensor:
        """The tensor plus that of a point mass at the offset (parallel-axis theorem).

        Args:
            mass: of the point (kg); the reduced mass where two bodies are joined.
            offset: from the point the tensor is about (m).
        """
        x, y, z = offset
        return InertiaTensor(
            self.ixx + mass * (y * y + z * z),
            self.iyy + mass * (x * x + z * z),
            self.izz + mass * (x * x + y * y),
            self.ixy - mass * (x * y),
            self.ixz - mass * (x * z),
            self.iyz - mass * (y * z),
        )


@dataclass(frozen=True, slots=True)
class SpatialInertia:
    """The ten inertial parameters of a rigid body B, in a frame B.

    Numbers of hand-written files may be impossible, so nothing is checked here: ask `is_physically_valid`.

    Args:
        mass: of the body (kg).
        p_BoBcm_B: position of the centre of mass from the origin of B (m).
        I_BBcm_B: inertia about the centre of mass, in the axes of B (kg·m²).
    """

    mass: float
    p_BoBcm_B: Vector3
    I_BBcm_B: InertiaTensor

    def __add__(self, other: SpatialInertia) -> SpatialInertia:
        """The two bodies welded together, both given in one frame; a + b and b + a are the same to the bit.

        The tensors are joined through the reduced mass m1 m2 / (m1 + m2) at the distance of the centres (two-body
        decomposition, König), so that a body far from the origin loses no digits.
        """
        if other.mass == 0.0 != self.mass:
            return self
        if self.mass == 0.0 != other.mass:
            return other
        centre, offset, reduced = join_centres(self.mass, self.p_BoBcm_B, other.mass, other.p_BoBcm_B)
        a, b = self.I_BBcm_B, other.I_BBcm_B
        both = InertiaTensor(a.ixx + b.ixx, a.iyy + b.iyy, a.izz + b.izz, a.ixy + b.ixy, a.ixz + b.ixz, a.iyz + b.iyz)
        return SpatialInertia(self.mass + other.mass, centre, both.with_point_mass(reduced, offset))

    def transformed(self, X_AB: RigidTransform) -> SpatialInertia:
        """The same body, given in frame B, as seen in frame A.

        Args:
            X_AB: pose of B in A.
        """
        if X_AB.is_identity:
            return self
        return SpatialInertia(self.mass, X_AB.apply(self.p_BoBcm_B), self.I_BBcm_B.rotated(X_AB.rotation))

    def shifted(self, p_BoQ: Vector3) -> SpatialInertia:
        """The same body with its position measured from the point Q, in parallel axes.

        Args:
            p_BoQ: position of Q from the origin of B (m).
        """
        x, y, z = self.p_BoBcm_B
        qx, qy, qz = p_BoQ
        return SpatialInertia(self.mass, (x - qx, y - qy, z - qz), self.I_BBcm_B)

    def scaled_to_mass(self, mass: float) -> SpatialInertia:
        """A body of the same shape and distribution with the mass given; the centre of mass stays.

        Args:
            mass: the new mass (kg).

        Raises:
            InertiaError: this body has no mass that could be scaled.
        """
        if self.mass == mass:
            return self
        if self.mass == 0.0:
            raise InertiaError(f"a body without mass cannot be scaled to {mass} kg", remedy="give it a density above 0")
        xx, yy, zz, xy, xz, yz = self.I_BBcm_B
        # Product first: 6500 · 12 / 6000 is exactly 13, 6500 · (12 / 6000) need not be.
        old = self.mass
        tensor = InertiaTensor(
            xx * mass / old, yy * mass / old, zz * mass / old, xy * mass / old, xz * mass / old, yz * mass / old
        )
        return SpatialInertia(mass, self.p_BoBcm_B, tensor)

    @property
    def I_BBo_B(self) -> InertiaTensor:
        """The inertia about the origin of B, in its axes (kg·m²)."""
        return self.I_BBcm_B.with_point_mass(self.mass, self.p_BoBcm_B)

    @property
    def gyradius(self) -> float:
        """The radius of gyration, sqrt(trace / 2m) (m); NaN where none is defined."""
        trace = self.I_BBcm_B.trace
        return sqrt(trace / (2.0 * self.mass)) if self.mass > 0.0 and trace >= 0.0 else nan

    @property
    def variances(self) -> Vector3:
        """The mean squared distances of the mass from its centre along x, y and z (m²); NaN without a mass.

        They are (ixx + iyy + izz)/2m - i_kk/m; a negative one is physically impossible.
        """
        if not self.mass > 0.0:
            return (nan, nan, nan)
        xx, yy, zz = self.I_BBcm_B[:3]
        doubled = 2.0 * self.mass
        return ((yy + zz - xx) / doubled, (xx + zz - yy) / doubled, (xx + yy - zz) / doubled)

    def principal(self) -> PrincipalAxes:
        """Principal moments (kg·m²) and axes about the centre of mass, the axes as near to those of B as can be."""
        return principal_axes(self.I_BBcm_B)

    def principal_moments(self) -> Vector3:
        """Principal moments about the centre of mass, ascending (kg·m²)."""
        return principal_moments(self.I_BBcm_B)

    @property
    def can_be_judged(self) -> bool:
        """Whether double precision can judge it: no number is too large, and no mass or moment too small."""
        are_large = all(not value or abs(value) >= _SMALLEST for value in (self.mass, *self.I_BBcm_B[:3]))
        return are_large and are_moderate((self.mass, *self.p_BoBcm_B, *self.I_BBcm_B))

    def is_physically_valid(self, rtol: float = VALIDITY_RTOL) -> bool:
        """Whether a body with these numbers can exist.

        All numbers are finite, the mass and the trace are positive, and the principal moments p0 ≤ p1 ≤ p2 are positive
        with p0 + p1 ≥ p2 (Wensing, Kim and Slotine 2018, eq. 7).

        Args:
            rtol: what p0 and p0 + p1 - p2 may miss zero by, relative to the trace.
        """
        if not (self.mass > 0.0 and all(map(isfinite, (self.mass, *self.p_BoBcm_B, *self.I_BBcm_B)))):
            return False
        if is_clearly_valid(self.I_BBcm_B):
            return True
        trace = self.I_BBcm_B.trace
        if not (trace > 0.0 and isfinite(trace)):
            return False
        low, middle, high = self.principal_moments()
        slack = rtol * trace
        return low + slack > 0.0 and low + middle + slack >= high

    def as_sdf(self, digits: int = 12) -> str:
        """The `<inertial>` of a link of SDF, for B as the frame of the link.

        The numbers are those that `fill` would write, so that libsdformat accepts them; a physically impossible body is
        only rounded.

            >>> print(sdfinertia.box((1, 2, 3), 1000).as_sdf())
            <inertial>
              <pose>0 0 0 0 0 0</pose>
              <mass>6000</mass>
              <inertia>
                <ixx>6500</ixx>
                <ixy>0</ixy>
                <ixz>0</ixz>
                <iyy>5000</iyy>
                <iyz>0</iyz>
                <izz>2500</izz>
              </inertia>
            </inertial>

        Args:
            digits: significant digits kept.
        """
        return sdf_text(self, digits)

    def as_urdf(self, digits: int = 12) -> str:
        """The `<inertial>` of a link of URDF, on one line, for B as the frame of the link; see `as_sdf`.

            >>> print(sdfinertia.box((1, 2, 3), 1000).as_urdf())
            <inertial><origin xyz="0 0 0" rpy="0 0 0"/><mass value="6000"/><inertia ixx="6500" ixy="0" ixz="0"
            iyy="5000" iyz="0" izz="2500"/></inertial>

        Args:
            digits: significant digits kept.
        """
        return urdf_text(self, digits)

    def as_mjcf(self, digits: int = 12) -> str:
        """The `<inertial>` of a body of MuJoCo, on one line, for B as the frame of the body.

            >>> print(sdfinertia.box((1, 2, 3), 1000).as_mjcf())
            <inertial pos="0 0 0" mass="6000" fullinertia="6500 5000 2500 0 0 0"/>

        Args:
            digits: significant digits kept.
        """
        return mjcf_text(self, digits)

    def as_drake(self) -> Any:
        """A `pydrake.multibody.tree.SpatialInertia` about the origin of B, in its axes.

        Needs pydrake: `pip install drake`.

        Raises:
            ConfigurationError: pydrake is not installed, or does not load.
            InertiaError: the body is physically impossible, so that Drake refuses it.
        """
        return drake_inertia(self)


def join_centres(mass_a: float, a: Vector3, mass_b: float, b: Vector3) -> tuple[Vector3, Vector3, float]:
    """The common centre of two masses, their distance vector (of either sign) and their reduced mass.

    Found from the heavier one, or the middle of equal ones, so that the order changes no bit. Masses may be negative;
    if they cancel, the middle is given with a reduced mass of zero.
    """
    total = mass_a + mass_b
    if mass_a == mass_b or total == 0.0:
        centre = (0.5 * a[0] + 0.5 * b[0], 0.5 * a[1] + 0.5 * b[1], 0.5 * a[2] + 0.5 * b[2])
        reduced = 0.5 * mass_a if mass_a == mass_b else 0.0
        return centre, (b[0] - a[0], b[1] - a[1], b[2] - a[2]), reduced
    if abs(mass_a) < abs(mass_b):
        mass_a, a, mass_b, b = mass_b, b, mass_a, a
    offset = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    share = mass_b / total
    return (a[0] + share * offset[0], a[1] + share * offset[1], a[2] + share * offset[2]), offset, mass_a * share


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

        Args:
            factors: (sx, sy, sz), without unit.
        """
        sx, sy, sz = factors
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
        """The body that fills this volume.

        Args:
            density: (kg/m³).
        """
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
