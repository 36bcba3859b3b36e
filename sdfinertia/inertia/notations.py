"""An inertia as other programs give and take it: `<inertial>` of SDF, URDF and MJCF, an object of Drake, an array.

A text is that of one element: files, with includes and defaults, are read elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

from sdfinertia.errors import ConfigurationError, FrameError, InertiaError, SdfInertiaError, TextError, ValueTextError
from sdfinertia.inertia.inertial_text import Body, inertial_text, text_as_given
from sdfinertia.inertia.principal_axes import rotated
from sdfinertia.inertia.rigid_transform import (
    IDENTITY_ROTATION,
    Rotation,
    Vector3,
    numbers,
    rotation_from_quaternion,
    rotation_from_rpy,
    shown,
)

_ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
# What stands in for an entry of SDF that is absent (SDFormat 1.12, inertial.sdf).
_SDF_DEFAULTS = dict(zip(_ENTRIES, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), strict=True))
# Their meaning depends on the <compiler> of the file.
_ANGLES = ("euler", "axisangle", "zaxis")
# Tell any two doubles apart.
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

_T = TypeVar("_T", bound=Body)


class Notations:
    """The methods of a `SpatialInertia` that write it for other programs, and read what they wrote."""

    __slots__ = ()

    def as_sdf(self: Body, digits: int = 12) -> str:
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
        return _filled_in(_SDF, self, digits)

    @classmethod
    def from_sdf(cls: type[_T], text: str) -> _T:
        """The body that an `<inertial>` of SDF describes, in the frame of its link.

        What is absent has the default of SDFormat: 1 kg, and the unit tensor.

        Args:
            text: of the one element; `sdfinertia.inertials` reads files.

        Raises:
            SdfInertiaError: it is none, asks to be computed, or has its pose in another frame.
        """
        element = _parsed(text)
        if element.get("auto", "false").strip() in ("true", "1"):
            raise ValueTextError('the <inertial> has auto="true": its numbers are computed by `fill`')
        mass = _child(element, "mass")
        inertia = _child(element, "inertia")
        tensor = dict(_SDF_DEFAULTS)
        if inertia is not None:
            for name in _ENTRIES:
                entry = _child(inertia, name)
                if entry is not None:
                    (tensor[name],) = _read_numbers(entry.text, 1, f"<{name}>")
        position, rotation = _sdf_pose(_child(element, "pose"))
        value = 1.0 if mass is None else _read_numbers(mass.text, 1, "<mass>")[0]
        return _turned(cls, value, position, tuple(tensor.values()), rotation)

    def as_urdf(self: Body, digits: int = 12) -> str:
        """The `<inertial>` of a link of URDF, on one line, for B as the frame of the link; see `as_sdf`.

            >>> print(sdfinertia.box((1, 2, 3), 1000).as_urdf())
            <inertial><origin xyz="0 0 0" rpy="0 0 0"/><mass value="6000"/><inertia ixx="6500" ixy="0" ixz="0"
            iyy="5000" iyz="0" izz="2500"/></inertial>

        Args:
            digits: significant digits kept.
        """
        return _filled_in(_URDF, self, digits)

    @classmethod
    def from_urdf(cls: type[_T], text: str) -> _T:
        """The body that an `<inertial>` of URDF describes, in the frame of its link.

            >>> body = sdfinertia.box((1, 2, 3), 1000)
            >>> sdfinertia.SpatialInertia.from_urdf(body.as_urdf()) == body
            True

        Args:
            text: of the one element; `sdfinertia.inertials` reads files.

        Raises:
            SdfInertiaError: it is none, or mass or entries of the tensor are missing.
        """
        element = _parsed(text)
        mass, inertia = (_required(element, name) for name in ("mass", "inertia"))
        tensor = tuple(_read_numbers(_attribute(inertia, name), 1, name)[0] for name in _ENTRIES)
        origin = _child(element, "origin")
        x, y, z = _read_numbers(origin.get("xyz", "0 0 0") if origin is not None else "0 0 0", 3, "xyz")
        angles = _read_numbers(origin.get("rpy", "0 0 0") if origin is not None else "0 0 0", 3, "rpy")
        (value,) = _read_numbers(_attribute(mass, "value"), 1, "value")
        return _turned(cls, value, (x, y, z), tensor, rotation_from_rpy(*angles))

    def as_mjcf(self: Body, digits: int = 12) -> str:
        """The `<inertial>` of a body of MuJoCo, on one line, for B as the frame of the body.

            >>> print(sdfinertia.box((1, 2, 3), 1000).as_mjcf())
            <inertial pos="0 0 0" mass="6000" fullinertia="6500 5000 2500 0 0 0"/>

        Args:
            digits: significant digits kept.
        """
        # `fullinertia` is M(1,1) M(2,2) M(3,3) M(1,2) M(1,3) M(2,3) (MuJoCo, XML reference, body/inertial).
        digits = _require_digits(digits)
        position, tensor = _row(self.p_BoBcm_B, digits), _row(self.I_BBcm_B, digits)
        return f'<inertial pos="{position}" mass="{_row((self.mass,), digits)}" fullinertia="{tensor}"/>'

    @classmethod
    def from_mjcf(cls: type[_T], text: str) -> _T:
        """The body that an `<inertial>` of MuJoCo describes, in the frame of its body.

        Args:
            text: of the one element, with `fullinertia`, or `diaginertia` and `quat` or `xyaxes`.

        Raises:
            SdfInertiaError: it is none, or its angles depend on the `<compiler>` of its file.
        """
        element = _parsed(text)
        for name in _ANGLES:
            if element.get(name) is not None:
                raise ValueTextError(
                    f"{name}= depends on the <compiler> of its file, which is not known", remedy="use quat="
                )
        x, y, z = _read_numbers(_attribute(element, "pos"), 3, "pos")
        (mass,) = _read_numbers(_attribute(element, "mass"), 1, "mass")
        full = element.get("fullinertia")
        if full is not None:
            if any(element.get(name) is not None for name in ("diaginertia", "quat", "xyaxes")):
                raise ValueTextError("fullinertia= goes with no diaginertia=, quat= or xyaxes=")
            return cls(mass, (x, y, z), _read_numbers(full, 6, "fullinertia"))
        moments = _read_numbers(_attribute(element, "diaginertia"), 3, "diaginertia")
        quaternion, axes = element.get("quat"), element.get("xyaxes")
        rotation = IDENTITY_ROTATION
        if quaternion is not None:
            w, qx, qy, qz = _read_numbers(quaternion, 4, "quat")
            rotation = rotation_from_quaternion(qx, qy, qz, w)
        elif axes is not None:
            rotation = _rotation_from_axes(_read_numbers(axes, 6, "xyaxes"))
        return _turned(cls, mass, (x, y, z), (*moments, 0.0, 0.0, 0.0), rotation)

    def as_drake(self: Body) -> Any:
        """A `pydrake.multibody.tree.SpatialInertia` about the origin of B, in its axes.

        Needs pydrake: `pip install drake`.

        Raises:
            ConfigurationError: pydrake is not installed, or does not load.
            InertiaError: the body is physically impossible, so that Drake refuses it.
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
        """The body of a `pydrake.multibody.tree.SpatialInertia` that is about the origin of B, in its axes.

        Raises:
            InertiaError: it is something else.
        """
        try:
            mass = float(inertia.get_mass())
            x, y, z = (float(value) for value in inertia.get_com())
            # Not by Drake's shift to the centre, which refuses what rounding leaves of a thin body.
            matrix = inertia.CalcRotationalInertia().CopyToFullMatrix3()
            about_origin = [float(matrix[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        except Exception:
            # Of whatever has these methods.
            raise InertiaError(f"a {type(inertia).__name__} is not a pydrake.multibody.tree.SpatialInertia") from None
        offset = (y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
        tensor = tuple(value - mass * part for value, part in zip(about_origin, offset, strict=True))
        return cls(mass, (x, y, z), tensor)


def _require_digits(digits: int) -> int:
    """The number of digits, if a double has so many.

    Raises:
        ConfigurationError: it is none from 1 to 17.
    """
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= _MAX_DIGITS:
        raise ConfigurationError(f"digits must be a whole number from 1 to {_MAX_DIGITS}, not {digits!r}")
    return digits


def _filled_in(form: str, inertia: Body, digits: int) -> str:
    digits = _require_digits(digits)
    try:
        texts = inertial_text(inertia, digits=digits)
    except InertiaError:
        texts = text_as_given(inertia, digits=digits)
    return form.format(*texts.pose.split(), texts.mass, *texts.tensor)


def _row(values: tuple[float, ...], digits: int) -> str:
    return " ".join(f"{value:.{digits}g}" for value in values)


def _turned(made: type[_T], mass: float, position: Vector3, tensor: tuple[float, ...], R_BC: Rotation) -> _T:
    """The body of a tensor in axes C."""
    xx, yy, zz, xy, xz, yz = tensor
    return made(mass, position, rotated((xx, yy, zz, xy, xz, yz), R_BC))


def _sdf_pose(pose: Any) -> tuple[Vector3, Rotation]:
    if pose is None:
        return (0.0, 0.0, 0.0), IDENTITY_ROTATION
    frame = (pose.get("relative_to") or pose.get("frame") or "").strip()
    if frame:
        raise FrameError(f"the <pose> is relative to {frame!r}, which is not known here", remedy="read the whole file")
    if pose.get("rotation_format", "euler_rpy") == "quat_xyzw":
        x, y, z, qx, qy, qz, qw = _read_numbers(pose.text, 7, "<pose>")
        return (x, y, z), rotation_from_quaternion(qx, qy, qz, qw)
    x, y, z, *angles = _read_numbers(pose.text, 6, "<pose>")
    if pose.get("degrees", "false").strip() in ("true", "1"):
        angles = [math.radians(angle) for angle in angles]
    return (x, y, z), rotation_from_rpy(*angles)


def _rotation_from_axes(values: Sequence[float]) -> Rotation:
    """The rotation of `xyaxes`: x, and what of y is at right angles to it (MuJoCo, Modeling, frame orientations)."""
    x, y = list(values[:3]), list(values[3:])
    length = math.hypot(*x)
    x = [value / length for value in x] if length else x
    along = sum(a * b for a, b in zip(x, y, strict=True))
    y = [b - along * a for a, b in zip(x, y, strict=True)]
    height = math.hypot(*y)
    if not (length and height):
        raise ValueTextError("xyaxes= has axes without length, or in one line")
    a, b, c = x
    d, e, f = (value / height for value in y)
    return a, d, b * f - c * e, b, e, c * d - a * f, c, f, a * e - b * d


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
            problem = f"{what} must be ixx iyy izz ixy ixz iyz or a matrix of 3 by 3, not {shown(values)}"
            raise InertiaError(problem) from None
    if len(rows) != 3:
        raise InertiaError(f"{what} must be a matrix of 3 by 3, not one of {len(rows)} rows")
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    slack = _SYMMETRIC * max(abs(xx), abs(yy), abs(zz))
    if max(abs(xy - yx), abs(xz - zx), abs(yz - zy)) > slack:
        raise InertiaError(f"{what} must be symmetric, and this matrix is not: {shown(values)}")
    return xx, yy, zz, xy, xz, yz


# XML ------------------------------------------------------------------------------------------------------------------


def _parsed(text: str) -> Any:
    # Loaded where a text is read.
    from xml.etree.ElementTree import ParseError, fromstring

    if not isinstance(text, str):
        raise TextError(f"expected the text of an <inertial>, not a {type(text).__name__}")
    if "<!DOCTYPE" in text:
        raise TextError("a DOCTYPE is not read, since it may define entities")
    try:
        element = fromstring(text)  # noqa: S314  # without a DOCTYPE there are no entities to expand
    except (ParseError, ValueError) as error:
        raise TextError(f"this is not XML: {error}", remedy="pass the text of one <inertial>") from None
    if element.tag != "inertial":
        raise TextError(
            f"expected the text of an <inertial>, and found <{element.tag[:40]}>",
            remedy="`sdfinertia.inertials` reads the links of a file",
        )
    return element


def _child(element: Any, name: str) -> Any:
    found = element.findall(name)
    if len(found) > 1:
        raise ValueTextError(f"<{element.tag}> holds {len(found)} times <{name}>")
    return found[0] if found else None


def _required(element: Any, name: str) -> Any:
    found = _child(element, name)
    if found is None:
        raise ValueTextError(f"<{element.tag}> lacks <{name}>")
    return found


def _attribute(element: Any, name: str) -> str:
    text = element.get(name)
    if text is None:
        raise ValueTextError(f"<{element.tag}> lacks {name}=")
    return str(text)


def _read_numbers(text: str | None, count: int, what: str) -> tuple[float, ...]:
    words = (text or "").split()
    try:
        found = tuple(map(float, words))
    except ValueError:
        found = ()
    # Python reads 1_000 and digits of other scripts, which no other reader does.
    if len(found) != count or "_" in (text or "") or not "".join(words).isascii() or not all(map(math.isfinite, found)):
        shown = " ".join(words)[:80]
        raise ValueTextError(f"{what} must hold {count} finite number{'s' if count > 1 else ''}, not {shown!r}")
    return found
