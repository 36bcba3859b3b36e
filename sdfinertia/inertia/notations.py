"""An inertia as others give it: `<inertial>` of SDF, URDF and MJCF, an object of Drake, an array of numpy.

What `inertial_text` writes. A text is that of one element: files, with includes and defaults, are read elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from sdfinertia.errors import FrameError, InertiaError, SdfInertiaError, TextError, ValueTextError
from sdfinertia.inertia.rigid_transform import (
    IDENTITY_ROTATION,
    Rotation,
    Vector3,
    numbers,
    rotation_from_quaternion,
    rotation_from_rpy,
    shown,
)
from sdfinertia.named_tuple import NamedTuple

_ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
# What stands in for an entry of SDF that is absent (SDFormat 1.12, inertial.sdf).
_SDF_DEFAULTS = dict(zip(_ENTRIES, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), strict=True))
# Their meaning depends on the <compiler> of the file.
_ANGLES = ("euler", "axisangle", "zaxis")


class Inertial(NamedTuple):
    """What an `<inertial>` says.

    Attributes:
        mass: (kg).
        position: of the centre of mass in the frame B (m).
        tensor: ixx iyy izz ixy ixz iyz about the centre of mass, in axes C (kg·m²).
        R_BC: the rotation of these axes.
    """

    mass: float
    position: Vector3
    tensor: tuple[float, ...]
    R_BC: Rotation = IDENTITY_ROTATION


def sdf_inertial(text: str) -> Inertial:
    """An `<inertial>` of SDF; what is absent has the default of SDFormat: 1 kg and the unit tensor.

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
    return Inertial(value, position, tuple(tensor[name] for name in _ENTRIES), rotation)


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


def urdf_inertial(text: str) -> Inertial:
    """An `<inertial>` of URDF, with mass and all six entries of the tensor.

    Raises:
        SdfInertiaError: it is none, or something is missing.
    """
    element = _parsed(text)
    mass, inertia = (_required(element, name) for name in ("mass", "inertia"))
    tensor = tuple(_read_numbers(_attribute(inertia, name), 1, name)[0] for name in _ENTRIES)
    origin = _child(element, "origin")
    x, y, z = _read_numbers(origin.get("xyz", "0 0 0") if origin is not None else "0 0 0", 3, "xyz")
    angles = _read_numbers(origin.get("rpy", "0 0 0") if origin is not None else "0 0 0", 3, "rpy")
    return Inertial(
        _read_numbers(_attribute(mass, "value"), 1, "value")[0], (x, y, z), tensor, rotation_from_rpy(*angles)
    )


def mjcf_inertial(text: str) -> Inertial:
    """An `<inertial>` of a body of MuJoCo, with `fullinertia`, or with `diaginertia` and `quat` or `xyaxes`.

    Raises:
        SdfInertiaError: it is none, or its orientation depends on the `<compiler>` of the file.
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
        return Inertial(mass, (x, y, z), _read_numbers(full, 6, "fullinertia"))
    moments = _read_numbers(_attribute(element, "diaginertia"), 3, "diaginertia")
    quaternion, axes = element.get("quat"), element.get("xyaxes")
    rotation = IDENTITY_ROTATION
    if quaternion is not None:
        w, qx, qy, qz = _read_numbers(quaternion, 4, "quat")
        rotation = rotation_from_quaternion(qx, qy, qz, w)
    elif axes is not None:
        rotation = _rotation_from_axes(_read_numbers(axes, 6, "xyaxes"))
    return Inertial(mass, (x, y, z), (*moments, 0.0, 0.0, 0.0), rotation)


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


def inertial_of_drake(inertia: Any) -> Inertial:
    """What a `pydrake.multibody.tree.SpatialInertia` about the origin of B says.

    Raises:
        InertiaError: it is something else.
    """
    try:
        mass = float(inertia.get_mass())
        x, y, z = (float(value) for value in inertia.get_com())
        # Not by Drake's shift to the centre, which refuses what rounding leaves of a thin body.
        matrix = inertia.CalcRotationalInertia().CopyToFullMatrix3()
        about_origin = [float(matrix[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    except (AttributeError, TypeError, ValueError):
        raise InertiaError(f"a {type(inertia).__name__} is not a pydrake.multibody.tree.SpatialInertia") from None
    offset = (y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
    tensor = tuple(value - mass * part for value, part in zip(about_origin, offset, strict=True))
    return Inertial(mass, (x, y, z), tensor)


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
    # Python reads 1_000, which no other reader does.
    if len(found) != count or "_" in (text or "") or not all(map(math.isfinite, found)):
        shown = " ".join(words)[:80]
        raise ValueTextError(f"{what} must hold {count} finite number{'s' if count > 1 else ''}, not {shown!r}")
    return found
