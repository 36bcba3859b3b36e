"""The texts of an inertia: rounded, free of noise, and accepted by libsdformat; and numbers as they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from math import acos, cos, floor, inf, isfinite, log10, nan, pi, sqrt
from sys import float_info
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.principal_axes import PrincipalAxes, Tensor, is_clearly_valid, principal_moments
from sdfinertia.inertia.principal_axes import principal_axes as axes_of
from sdfinertia.inertia.rigid_transform import Vector3, rpy_from_rotation

if TYPE_CHECKING:
    from sdfinertia.inertia.rigid_transform import Numbers

# Below these parts of the tensor's, or the body's, size a number is rounding noise and is written as zero.
_NOISE = 1e-14

# The note where the axes are not the requested ones.
_TURNED = (
    "written in its principal axes, with the rotation in its pose: libsdformat rejects this tensor because of rounding"
)
# One nudge moves a tensor by one unit of its last digit; a tensor that needs more than this many is not merely rounded.
_MAXIMUM_NUDGES = 64


class BodyLike(Protocol):
    """A `SpatialInertia`, which is above this module."""

    def __init__(self, mass: float, p_BoBcm_B: Numbers, I_BBcm_B: Numbers) -> None: ...

    @property
    def mass(self) -> float:
        """(kg)."""

    @property
    def p_BoBcm_B(self) -> Vector3:
        """(m)."""

    @property
    def I_BBcm_B(self) -> Tensor:
        """Ixx iyy izz ixy ixz iyz (kg·m²)."""

    @property
    def gyradius(self) -> float:
        """(m)."""


class InertialText(NamedTuple):
    pose: str
    mass: str
    tensor: tuple[str, ...]  # ixx ixy ixz iyy iyz izz
    note: str = ""  # on how the numbers are written

    def numbers(self) -> tuple[float, ...]:
        return tuple(map(float, (*self.pose.split(), self.mass, *self.tensor)))


def inertial_text(
    inertia: BodyLike,
    *,
    digits: int,
    principal_axes: bool = False,
    mass_text: str | None = None,
    rounding: float = 0.0,
    axes: Callable[[], PrincipalAxes] | None = None,
) -> InertialText:
    """The texts for an `<inertial>`, in the link frame; in principal axes, with a note, where libsdformat needs them.

    Products up to `rounding` (kg·m²) are written as zero.
    """
    x, y, z = inertia.p_BoBcm_B
    position = _without_noise((x, y, z), _NOISE * max(sqrt(x * x + y * y + z * z), inertia.gyradius))
    mass = mass_text if mass_text is not None else format_number(inertia.mass, digits)
    angles, note = (0.0, 0.0, 0.0), ""
    tensor = None if principal_axes else tensor_text(inertia.mass, inertia.I_BBcm_B, digits, rounding)
    if tensor is None:
        principal = axes() if axes is not None else axes_of(inertia.I_BBcm_B)
        angles = rpy_from_rotation(principal.rotation)
        tensor = tensor_text(inertia.mass, (*principal.moments, 0.0, 0.0, 0.0), digits)
        note = "" if principal_axes else _TURNED
    if tensor is None:
        raise InertiaError(
            f"with {digits} digits the tensor breaks the triangle inequality or is not positive definite",
            remedy="write more --digits, or check the shapes",
        )
    pose = " ".join([format_number(value, digits) for value in position])
    turned = " ".join([format_number(value, digits) for value in angles]) if any(angles) else "0 0 0"
    return InertialText(f"{pose} {turned}", mass, tensor, note)


def text_as_given(inertia: BodyLike, *, digits: int) -> InertialText:
    pose = " ".join(format_number(value, digits) for value in (*inertia.p_BoBcm_B, 0.0, 0.0, 0.0))
    xx, yy, zz, xy, xz, yz = (format_number(value, digits) for value in inertia.I_BBcm_B)
    return InertialText(pose, format_number(inertia.mass, digits), (xx, xy, xz, yy, yz, zz))


def without_noise(inertia: BodyLike) -> tuple[Vector3, Tensor]:
    """Centre of mass and tensor, with zero for coordinates and products that are rounding beside the rest."""
    x, y, z = inertia.p_BoBcm_B
    xx, yy, zz, *products = inertia.I_BBcm_B
    xy, xz, yz = products
    size = max(sqrt(x * x + y * y + z * z), inertia.gyradius if inertia.mass > 0.0 else 0.0)
    largest = max(map(abs, (xx, yy, zz)))
    return _without_noise((x, y, z), _NOISE * size), (xx, yy, zz, *_without_noise((xy, xz, yz), _NOISE * largest))


def _without_noise(values: Vector3, noise: float) -> Vector3:
    x, y, z = values
    return (0.0 if abs(x) < noise else x, 0.0 if abs(y) < noise else y, 0.0 if abs(z) < noise else z)


def tensor_text(mass: float, tensor: Tensor, digits: int, rounding: float = 0.0) -> tuple[str, ...] | None:
    """The texts ixx ixy ixz iyy iyz izz, nudged until libsdformat accepts them; None if it never does."""
    xx, yy, zz, xy, xz, yz = tensor
    largest = max(xx, yy, zz)
    if not (largest > 0.0 and isfinite(largest)):
        raise InertiaError(f"the largest moment of inertia is {largest:g}")
    xy, xz, yz = _without_noise((xy, xz, yz), max(_NOISE * largest, rounding))
    ixy, ixz, iyz = format_number(xy, digits), format_number(xz, digits), format_number(yz, digits)
    products = (float(ixy), float(ixz), float(iyz))
    unit = 10.0 ** (floor(log10(largest)) - digits + 1)
    for nudges in range(_MAXIMUM_NUDGES):
        more = nudges * unit
        ixx, iyy, izz = (
            format_number(xx + more, digits),
            format_number(yy + more, digits),
            format_number(zz + more, digits),
        )
        if is_accepted_by_libsdformat(mass, (float(ixx), float(iyy), float(izz), *products)):
            return ixx, ixy, ixz, iyy, iyz, izz
    return None


def format_number(value: float, digits: int) -> str:
    if value == 0.0:
        return "0"
    text = "%.*g" % (digits, value)  # noqa: UP031  # as an f-string it takes more than twice as long
    if "e" not in text:
        return text
    mantissa, _, power = text.partition("e")
    return f"{mantissa}e{int(power)}"


# GZ_MASSMATRIX3_DEFAULT_TOLERANCE of gz-math 7 (gz/math/MassMatrix3.hh), in machine epsilons.
_TOLERANCE = 10.0

# Products up to this part of the largest diagonal entry are none to gz-math (the default of PrincipalMoments).
_DIAGONAL = 1e-6

# The rounding of the cosine in gz-math's closed form: 45 ε at most for 1,500 rods of 1:10³ to 1:10⁷, by 60 digits.
_COSINE_ROUNDING = 64.0 * float_info.epsilon

# Between these the cubes in the closed form neither overflow nor lose digits.
_SMALLEST_TRACE, _LARGEST_TRACE = 1e-90, 1e90


def is_accepted_by_libsdformat(mass: float, tensor: Tensor, *, must_turn: bool = True) -> bool:
    """Whether an `<inertial>` with these numbers loads in libsdformat, and describes a body that can turn.

    `MassMatrix3::IsValid` of gz-math 7: `IsNearPositive` (leading minors) and `ValidMoments`, with the absolute slack
    10 ε · trace/2. Its closed form refuses a rod of 1:10⁴ unless its tensor is written along its axes.

    Args:
        must_turn: the mass, ixx and least principal moment are above zero, since physics engines divide by them, the
            moments valid without the errors of the closed form, and it loads however that form is rounded.
    """
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    trace = ixx + iyy + izz
    if 0.0 < mass < inf and _SMALLEST_TRACE < trace < _LARGEST_TRACE and is_clearly_valid(tensor):
        return True
    if not (isfinite(mass) and all(isfinite(value) for value in tensor)):
        return False
    slack = _slack(ixx, iyy, izz)
    if not (mass >= 0.0 and ixx + slack >= 0.0 and ixx * iyy - ixy * ixy + slack >= 0.0):
        return False
    # Expanded as Matrix3::Determinant does, so that its rounding is the same.
    determinant = (izz * iyy - iyz * iyz) * ixx - (izz * ixy - ixz * iyz) * ixy + (iyz * ixy - ixz * iyy) * ixz
    if not determinant + slack >= 0.0:
        return False
    if not must_turn:
        return _are_valid(closed_form_moments(tensor))
    if not (mass > 0.0 and ixx > 0.0):
        return False
    if not is_clearly_valid(tensor, 0.0):
        moments = principal_moments(tensor)
        if not (moments[0] > 0.0 and _are_valid(moments)):
            return False
    return all(map(_are_valid, _closed_forms(tensor, (0.0, _COSINE_ROUNDING, -_COSINE_ROUNDING))))


def closed_form_moments(tensor: Tensor) -> Vector3:
    """The principal moments (kg·m²) as gz-math 7 computes them (`MassMatrix3::PrincipalMoments`), errors and all.

    By the arc cosine (M. J. Kronenburg, A Method for Fast Diagonalization of a 2x2 or 3x3 Real Symmetric Matrix, 2013);
    in their order where products are small. NaN where powers overflow.
    """
    (moments,) = _closed_forms(tensor, (0.0,))
    return moments


def _closed_forms(tensor: Tensor, shifts: Iterable[float]) -> Iterator[Vector3]:
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    nothing = _DIAGONAL * max(ixx, iyy, izz)
    if max(abs(ixy), abs(ixz), abs(iyz)) <= nothing:
        yield ixx, iyy, izz
        return
    # Named as there; compilers turn a second power into a product, and leave other powers to the library.
    b = ixx + iyy + izz
    c = ixx * iyy - ixy * ixy + ixx * izz - ixz * ixz + iyy * izz - iyz * iyz
    d = ixx * (iyz * iyz) + iyy * (ixz * ixz) + izz * (ixy * ixy) - ixx * iyy * izz - 2.0 * ixy * ixz * iyz
    p = b * b - 3.0 * c
    if p < nothing * nothing:
        yield b / 3.0, b / 3.0, b / 3.0
        return
    try:
        q = 2.0 * b**3.0 - 9.0 * b * c - 27.0 * d
        cosine = 0.5 * q / p**1.5
    except (OverflowError, ZeroDivisionError):
        yield nan, nan, nan
        return
    extent = 2.0 * sqrt(p)
    for shift in shifts:
        delta = acos(max(min(cosine + shift, 1.0), -1.0))
        angles = (delta, delta + 2.0 * pi, delta - 2.0 * pi)
        low, middle, high = sorted([(b + extent * cos(angle / 3.0)) / 3.0 for angle in angles])
        yield low, middle, high


def _are_valid(moments: Vector3) -> bool:
    a, b, c = moments
    slack = _slack(a, b, c)
    return min(a, b, c) + slack >= 0.0 and a + b + slack >= c and b + c + slack >= a and c + a + slack >= b


def _slack(a: float, b: float, c: float) -> float:
    return _TOLERANCE * float_info.epsilon * 0.5 * abs(a + b + c)


# Numbers as written in a text: their digits, their point and their power of ten ---------------------------------------

_NUMERAL = re.compile(r"([+-]?)([0-9]*)(?![0-9])(\.?)([0-9]*)(?:([eE])([+-]?[0-9]{1,4}))?")
# No author types so many digits, or such a power of ten; longer numbers are no evidence of a typing mistake.
_MAX_CHARACTERS, _GREATEST_POWER = 64, 99


class Numeral(NamedTuple):
    sign: str
    digits: str
    point: int
    has_point: bool
    mark: str
    power: int

    @property
    def last_place(self) -> int:
        return self.power - (len(self.digits) - self.point)

    @property
    def half_unit(self) -> float:
        return 0.5 * 10.0**self.last_place

    @property
    def significant(self) -> str:
        return self.digits.strip("0")

    @property
    def is_normal(self) -> bool:
        return self.point == 1 and self.digits[0] != "0"

    @property
    def text(self) -> str:
        digits, point = self.digits, self.point
        body = f"{digits[:point]}.{digits[point:]}" if self.has_point else digits
        return f"{self.sign}{body}{self.mark}{self.power}" if self.mark else f"{self.sign}{body}"

    @property
    def lost_its_point(self) -> bool:
        """True with a leading 0 before another digit: `00002166`."""
        is_whole = not self.has_point and not self.mark
        return is_whole and len(self.digits) > 1 and self.digits[0] == "0" and self.significant != ""

    def shifted(self, places: int) -> Numeral:
        digits, point = self.digits, self.point + places
        if point < 1:
            digits, point = "0" * (1 - point) + digits, 1
        elif point > len(digits):
            digits += "0" * (point - len(digits))
        # Authors write no zero before the first significant digit.
        surplus = min(len(digits[:point]) - len(digits[:point].lstrip("0")), point - 1)
        return self._replace(
            digits=digits[surplus:], point=point - surplus, has_point=point < len(digits) or self.has_point
        )

    def with_power(self, change: int) -> Numeral:
        return self._replace(power=self.power + change) if self.mark else self.shifted(change)


def numeral(text: str) -> Numeral | None:
    """The number of a text; None for texts that are not decimal numbers, or have more digits than anybody types."""
    match = _NUMERAL.fullmatch(text) if len(text) <= _MAX_CHARACTERS else None
    if match is None or not (match[2] or match[4]) or abs(int(match[6] or 0)) > _GREATEST_POWER:
        return None
    sign, whole, point, rest, mark, power = match.groups()
    return Numeral(sign, whole + rest, len(whole), bool(point), mark or "", int(power or 0))


def negated_text(text: str) -> str:
    """A number with the other sign; a zero or an empty text stays."""
    if not text.lower().partition("e")[0].strip("+-0."):
        return text
    return text[1:] if text[0] == "-" else f"-{text.removeprefix('+')}"
