"""An inertia in the notations of other programs: `<inertial>` of SDF, URDF and MJCF, an object of Drake.

A text is that of one element; `digits` are the significant digits kept. `sdfinertia.inertials` reads files.
"""

from __future__ import annotations

from typing import Any, TypeVar

import sdfinertia
from sdfinertia.errors import ConfigurationError, InertiaError, SdfInertiaError
from sdfinertia.inertia.inertial_text import BodyLike, inertial_text, text_as_given, without_noise
from sdfinertia.inertia.rigid_transform import numbers, quoted

# Digits that distinguish any two doubles.
_MAX_DIGITS = 17

# Each with the texts of an `InertialText`, in its order.
_SDF = """\
<inertial>
  <pose>{} {} {} {} {} {}</pose>
  <mass>{}</mass>
  <inertia>
    <ixx>{}</ixx>
    <ixy>{}</ixy>
    <ixz>{}</ixz>
    <iyy>{}</iyy>
    <iyz>{}</iyz>
    <izz>{}</izz>
  </inertia>
</inertial>"""
_URDF = (
    '<inertial><origin xyz="{} {} {}" rpy="{} {} {}"/><mass value="{}"/>'
    '<inertia ixx="{}" ixy="{}" ixz="{}" iyy="{}" iyz="{}" izz="{}"/></inertial>'
)

_T = TypeVar("_T", bound=BodyLike)


class Notations:
    """The methods of a `SpatialInertia` that write and read the notations of other programs."""

    __slots__ = ()

    def as_sdf(self: BodyLike, digits: int = 12) -> str:
        """The `<inertial>` of a link of SDF, for B as the frame of the link.

        The numbers are those that `fill` would write, so that libsdformat accepts them; a physically impossible body is
        only rounded.
        """
        return _filled_in(_SDF, self, digits)

    @classmethod
    def from_sdf(cls: type[_T], text: str) -> _T:
        """The body that an `<inertial>` of SDF describes, in the frame of its link.

        Absent values have the defaults of SDFormat: 1 kg, and the unit tensor.
        A SdfInertiaError if it asks to be computed, or has its pose in another frame.
        """
        return _read(cls, text, "SDF")

    def as_urdf(self: BodyLike, digits: int = 12) -> str:
        """The `<inertial>` of a link of URDF, on one line, for B as the frame of the link; see `as_sdf`.

        >>> print(sdfinertia.box((1, 2, 3), 1000).as_urdf())
        <inertial><origin xyz="0 0 0" rpy="0 0 0"/><mass value="6000"/><inertia ixx="6500" ixy="0" ixz="0"
        iyy="5000" iyz="0" izz="2500"/></inertial>
        """
        return _filled_in(_URDF, self, digits)

    @classmethod
    def from_urdf(cls: type[_T], text: str) -> _T:
        """The body that an `<inertial>` of URDF describes, in the frame of its link.

        >>> body = sdfinertia.box((1, 2, 3), 1000)
        >>> sdfinertia.SpatialInertia.from_urdf(body.as_urdf()) == body
        True
        """
        return _read(cls, text, "URDF")

    def as_mjcf(self: BodyLike, digits: int = 12) -> str:
        """The `<inertial>` of a body of MuJoCo, on one line, for B as the frame of the body.

        >>> print(sdfinertia.box((1, 2, 3), 1000).as_mjcf())
        <inertial pos="0 0 0" mass="6000" fullinertia="6500 5000 2500 0 0 0"/>
        """
        # `fullinertia` is M(1,1) M(2,2) M(3,3) M(1,2) M(1,3) M(2,3) (MuJoCo, XML reference, body/inertial).
        digits = _require_digits(digits)
        place, entries = without_noise(self)
        position, tensor = _row(place, digits), _row(entries, digits)
        return f'<inertial pos="{position}" mass="{_row((self.mass,), digits)}" fullinertia="{tensor}"/>'

    @classmethod
    def from_mjcf(cls: type[_T], text: str) -> _T:
        """The body that an `<inertial>` of MuJoCo describes, in the frame of its body.

        A SdfInertiaError if its angles depend on the `<compiler>` of its file.
        """
        return _read(cls, text, "MJCF")

    def as_drake(self: BodyLike) -> Any:
        """A `pydrake.multibody.tree.SpatialInertia` about the origin of B, in its axes.

        Needs pydrake, `pip install drake`; an InertiaError if the body is physically impossible.
        """
        try:
            from pydrake.multibody.tree import RotationalInertia, SpatialInertia
        except ImportError as error:
            missing = isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == "pydrake"
            raise ConfigurationError(
                "as_drake needs the library pydrake" + ("" if missing else f", which fails: {error}"),
                remedy="install it with `pip install drake`",
            ) from None
        try:
            tensor = RotationalInertia(*self.I_BBcm_B)
            return SpatialInertia.MakeFromCentralInertia(self.mass, self.p_BoBcm_B, tensor)
        except RuntimeError as error:
            raise InertiaError(f"Drake rejects this inertia: {error}") from None

    @classmethod
    def from_drake(cls: type[_T], inertia: Any) -> _T:
        """The body of a `pydrake.multibody.tree.SpatialInertia` that is about the origin of B, in its axes."""
        try:
            mass = float(inertia.get_mass())
            x, y, z = (float(value) for value in inertia.get_com())
            # Not by Drake's shift to the centre, which refuses the rounding errors of a thin body.
            matrix = inertia.CalcRotationalInertia().CopyToFullMatrix3()
            about_origin = [float(matrix[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        except Exception:
            # Duck-typed: any object with these methods.
            raise InertiaError(f"a {type(inertia).__name__} is not a pydrake.multibody.tree.SpatialInertia") from None
        offset = (y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
        tensor = tuple(value - mass * part for value, part in zip(about_origin, offset, strict=True))
        return cls(mass, (x, y, z), tensor)


def _require_digits(digits: int) -> int:
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= _MAX_DIGITS:
        raise ConfigurationError(f"digits must be a whole number from 1 to {_MAX_DIGITS}, not {digits!r}")
    return digits


def _filled_in(form: str, inertia: BodyLike, digits: int) -> str:
    digits = _require_digits(digits)
    try:
        texts = inertial_text(inertia, digits=digits)
    except InertiaError:
        texts = text_as_given(inertia, digits=digits)
    return form.format(*texts.pose.split(), texts.mass, *texts.tensor)


def _row(values: tuple[float, ...], digits: int) -> str:
    return " ".join(f"{value:.{digits}g}" for value in values)


def _read(made: type[_T], text: str, title: str) -> _T:
    body_of: Any = sdfinertia.body_of
    body = body_of(text, title)
    return made(body.mass, body.p_BoBcm_B, body.I_BBcm_B)


# A matrix that was printed is symmetric to the digits that it has.
_SYMMETRIC = 1e-9


def six_of_tensor(values: Any) -> tuple[float, ...]:
    """The numbers ixx iyy izz ixy ixz iyz, given as these, or as a symmetric matrix of 3 by 3."""
    what = "an inertia tensor"
    try:
        rows = [numbers(row, 3, what) for row in values]
    except (TypeError, SdfInertiaError):
        try:
            return numbers(values, 6, what)
        except SdfInertiaError:
            problem = f"{what} must be ixx iyy izz ixy ixz iyz or a matrix of 3 by 3, not {quoted(values)}"
            raise InertiaError(problem) from None
    if len(rows) != 3:
        raise InertiaError(f"{what} must be a matrix of 3 by 3, not one of {len(rows)} rows")
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    slack = _SYMMETRIC * max(abs(xx), abs(yy), abs(zz))
    if max(abs(xy - yx), abs(xz - zx), abs(yz - zy)) > slack:
        raise InertiaError(f"{what} must be symmetric, and this matrix is not: {quoted(values)}")
    return xx, yy, zz, xy, xz, yz
