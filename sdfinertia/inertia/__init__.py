"""The physics, in numbers alone; knows no file format.

Here: mass, centre of mass and inertia tensor of a rigid body, and the algebra on them, in plain floats.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from math import hypot, isfinite, nan, sqrt
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.notations import Notations, six_of_tensor
from sdfinertia.inertia.principal_axes import (
    PrincipalAxes,
    is_clearly_valid,
    principal_axes,
    principal_moments,
    rotated,
)
from sdfinertia.inertia.rigid_transform import (
    IDENTITY_ROTATION,
    RigidTransform,
    Rotation,
    Vector3,
    number,
    numbers,
    quoted,
    vector,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.inertia.rigid_transform import Numbers


# Relative to the trace: computed and 12-digit tensors are good to 1e-12, and a defect of 1e-9 moves no body visibly.
VALIDITY_RTOL = 1e-9


_FLOATS = frozenset({float})

# Between these limits squares, cubes and quotients of a few numbers keep all digits of a double.
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
        return InertiaTensor(*rotated(self, R_AB))

    def with_point_mass(self, mass: float, offset: Vector3) -> InertiaTensor:
        """The tensor plus that of a point mass (kg) at an offset (m) from its point (parallel-axis theorem)."""
        try:
            x, y, z = offset
            return InertiaTensor(
                self.ixx + mass * (y * y + z * z),
                self.iyy + mass * (x * x + z * z),
                self.izz + mass * (x * x + y * y),
                self.ixy - mass * (x * y),
                self.ixz - mass * (x * z),
                self.iyz - mass * (y * z),
            )
        except (TypeError, ValueError):
            raise InertiaError(f"a point mass is a mass and three numbers, not {quoted((mass, offset))}") from None


@dataclass(frozen=True, slots=True, eq=False)
class SpatialInertia(Notations):
    """The ten inertial parameters of a rigid body B, in a frame B.

    Numbers of hand-written files may be impossible, so only that they are numbers is checked here: ask
    `is_physically_valid`. `np.asarray(body)` is its `pi_cm`, (10,), which `sdfinertia.parametrization` takes.

    Args:
        mass: (kg).
        p_BoBcm_B: position of the centre of mass from the origin of B (m), (3,).
        I_BBcm_B: inertia about the centre of mass, in the axes of B (kg·m²): an `InertiaTensor`, the numbers ixx iyy
            izz ixy ixz iyz, or a symmetric (3, 3) array.
    """

    mass: float
    p_BoBcm_B: Vector3
    I_BBcm_B: InertiaTensor

    if TYPE_CHECKING:

        def __init__(self, mass: float, p_BoBcm_B: Numbers, I_BBcm_B: Numbers) -> None: ...

    def __post_init__(self) -> None:
        position, tensor = self.p_BoBcm_B, self.I_BBcm_B
        if type(position) is tuple and len(position) == 3 and type(tensor) is InertiaTensor:
            # The fastest check of ten numbers.
            types = {type(self.mass), *map(type, position), *map(type, tensor)}
            if types == _FLOATS:
                return
        object.__setattr__(self, "mass", number(self.mass, "a mass"))
        object.__setattr__(self, "p_BoBcm_B", vector(position, "a centre of mass"))
        object.__setattr__(self, "I_BBcm_B", InertiaTensor(*six_of_tensor(tensor)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpatialInertia):
            return NotImplemented
        return self.mass == other.mass and self.p_BoBcm_B == other.p_BoBcm_B and self.I_BBcm_B == other.I_BBcm_B

    def __hash__(self) -> int:
        return hash((self.mass, self.p_BoBcm_B, self.I_BBcm_B))

    def is_close(self, other: SpatialInertia, rtol: float = 1e-9) -> bool:
        """Whether another body is the same but for rounding.

        Args:
            rtol: difference allowed as a part of the larger mass; for the centre, of the distance from the origin or
                the radius of gyration, whichever is larger; for each entry of the tensor, of half the trace.
        """
        if not isinstance(other, SpatialInertia):
            raise InertiaError(f"a {type(other).__name__} is not a SpatialInertia")
        bodies = (self, other)
        length = max(max(hypot(*body.p_BoBcm_B), body.gyradius if body.mass > 0.0 else 0.0) for body in bodies)
        moment = max(abs(body.I_BBcm_B.trace) / 2.0 for body in bodies)
        rtol = number(rtol, "rtol")
        return (
            abs(self.mass - other.mass) <= rtol * max(abs(self.mass), abs(other.mass))
            and all(abs(a - b) <= rtol * length for a, b in zip(self.p_BoBcm_B, other.p_BoBcm_B, strict=True))
            and all(abs(a - b) <= rtol * moment for a, b in zip(self.I_BBcm_B, other.I_BBcm_B, strict=True))
        )

    @property
    def com(self) -> npt.NDArray[np.float64]:
        """Position of the centre of mass in the frame of the body, (3,) (m): `p_BoBcm_B` as an array."""
        return _array(self.p_BoBcm_B)

    @property
    def inertia(self) -> npt.NDArray[np.float64]:
        """Inertia matrix about the centre of mass, in body axes, (3, 3) (kg·m²): `I_BBcm_B` as an array.

        Products are negative integrals: `inertia[0, 1]` is ixy = -∫ x y dm.
        """
        xx, yy, zz, xy, xz, yz = self.I_BBcm_B
        return _array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """pi_cm, (10,): m, m·com (kg·m), then ixx iyy izz ixy ixz iyz about the centre of mass."""
        if copy is False:
            raise ValueError("a body holds no array that could be shared")
        return _array([self.mass, *(self.mass * value for value in self.p_BoBcm_B), *self.I_BBcm_B], dtype)

    def __radd__(self, other: object) -> SpatialInertia:
        return self if other == 0 else NotImplemented

    def __add__(self, other: SpatialInertia) -> SpatialInertia:
        """The two bodies welded together, both given in one frame; a + b and b + a are the same to the bit.

        Through the reduced mass m1 m2 / (m1 + m2) at the distance of the centres (König): no digit is lost far away.
        """
        if not isinstance(other, SpatialInertia):
            return NotImplemented
        if other.mass == 0.0 != self.mass:
            return self
        if self.mass == 0.0 != other.mass:
            return other
        centre, offset, reduced = join_centres(self.mass, self.p_BoBcm_B, other.mass, other.p_BoBcm_B)
        a, b = self.I_BBcm_B, other.I_BBcm_B
        both = InertiaTensor(a.ixx + b.ixx, a.iyy + b.iyy, a.izz + b.izz, a.ixy + b.ixy, a.ixz + b.ixz, a.iyz + b.iyz)
        return SpatialInertia(self.mass + other.mass, centre, both.with_point_mass(reduced, offset))

    def transformed(self, X_AB: RigidTransform | Numbers) -> SpatialInertia:
        """The same body, given in frame B, as seen in frame A.

        Args:
            X_AB: pose of B in A, its (4, 4) matrix, or the (3, 3) matrix of a rotation; else an InertiaError.
        """
        if not isinstance(X_AB, RigidTransform):
            X_AB = RigidTransform.from_matrix(X_AB)
        if X_AB.is_identity:
            return self
        return SpatialInertia(self.mass, X_AB.apply(self.p_BoBcm_B), self.I_BBcm_B.rotated(X_AB.rotation))

    def shifted(self, offset: Numbers) -> SpatialInertia:
        """The body moved by an offset (m), in parallel axes: its point at the origin of B moves to there.

        >>> sdfinertia.sphere(0.1, 1000).shifted((1, 2, 3)).p_BoBcm_B
        (1.0, 2.0, 3.0)
        """
        x, y, z = self.p_BoBcm_B
        dx, dy, dz = vector(offset, "an offset")
        return SpatialInertia(self.mass, (x + dx, y + dy, z + dz), self.I_BBcm_B)

    def scaled_to_mass(self, mass: float) -> SpatialInertia:
        """The body with another mass (kg), evenly; the centre of mass stays. An InertiaError if it has none."""
        mass = number(mass, "a mass")
        if self.mass == mass:
            return self
        if self.mass == 0.0:
            raise InertiaError(f"a body without mass cannot be scaled to {mass} kg", remedy="give it a density above 0")
        # Product first: 6500 · 12 / 6000 is exactly 13, 6500 · (12 / 6000) need not be.
        old = self.mass
        return SpatialInertia(mass, self.p_BoBcm_B, InertiaTensor(*(entry * mass / old for entry in self.I_BBcm_B)))

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
            rtol: tolerance below zero of p0 and of p0 + p1 - p2, relative to the trace.
        """
        rtol = rtol if type(rtol) is float else number(rtol, "rtol")
        mass, (x, y, z) = self.mass, self.p_BoBcm_B
        # The sum is finite only if all are: the fastest check of nearly every body.
        if mass > 0.0 and isfinite(mass + x + y + z) and is_clearly_valid(self.I_BBcm_B, 0.0):
            return True
        if not (mass > 0.0 and all(map(isfinite, (mass, x, y, z, *self.I_BBcm_B)))):
            return False
        trace = self.I_BBcm_B.trace
        if not (trace > 0.0 and isfinite(trace)):
            return False
        low, middle, high = self.principal_moments()
        slack = rtol * trace
        return low + slack > 0.0 and low + middle + slack >= high

    @classmethod
    def from_pi_o(cls, pi_o: Numbers) -> SpatialInertia:
        """The body of ten numbers that are linear in the dynamics, as identification gives them.

        Args:
            pi_o: m, m·p_x, m·p_y, m·p_z, then ixx iyy izz ixy ixz iyz about the origin of B (kg, kg·m, kg·m²).
        """
        about_centre = cls.from_pi_cm(pi_o)
        offset, tensor = about_centre.p_BoBcm_B, about_centre.I_BBcm_B
        return cls(about_centre.mass, offset, tensor.with_point_mass(-about_centre.mass, offset))

    @classmethod
    def from_pi_cm(cls, pi_cm: Numbers) -> SpatialInertia:
        """As `from_pi_o`, but the tensor is about the centre of mass: the numbers that `np.asarray(body)` gives."""
        mass, x, y, z, *tensor = numbers(pi_cm, 10, "inertial parameters")
        if mass == 0.0:
            raise InertiaError("without a mass there is no centre of mass")
        return cls(mass, (x / mass, y / mass, z / mass), InertiaTensor(*tensor))


def welded(bodies: Iterable[SpatialInertia]) -> SpatialInertia:
    """The sum of one or more bodies, in their order."""
    return reduce(add, bodies)


def less(body: SpatialInertia) -> SpatialInertia:
    """The negative of a body: adding it cuts the body away."""
    return SpatialInertia(-body.mass, body.p_BoBcm_B, InertiaTensor(*(-value for value in body.I_BBcm_B)))


def _array(numbers: Any, dtype: Any = float) -> npt.NDArray[Any]:
    import numpy as np

    return np.array(numbers, dtype)


def join_centres(mass_a: float, a: Vector3, mass_b: float, b: Vector3) -> tuple[Vector3, Vector3, float]:
    """The common centre of two masses, their distance vector (of either sign) and their reduced mass.

    From the heavier one, or the middle of equal ones and of those that cancel, so that the order changes no bit.
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
