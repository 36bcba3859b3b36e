"""Turned inertials of SDF, URDF, MJCF and Drake, read and written with known answers, without those programs."""

from __future__ import annotations

import sys
from math import cos, pi, sin
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from builders.bodies import assert_same, tensor_matrix

from sdfinertia import InertiaTensor, RigidTransform, SpatialInertia, box
from sdfinertia.errors import ConfigurationError, InertiaError
from sdfinertia.inertia.notations import six_of_tensor
from sdfinertia.inertia.rigid_transform import rotation_from_rpy

if TYPE_CHECKING:
    from collections.abc import Callable

MOMENTS = (2.0, 3.0, 4.0)
POSITION = (0.1, 0.2, 0.3)
ANGLE = pi / 6
# The cosine and sine of half the angle, and of all of it.
c, s, C, S = cos(ANGLE / 2), sin(ANGLE / 2), cos(ANGLE), sin(ANGLE)
SDF = "<inertial><pose {}>0.1 0.2 0.3 {}</pose><mass>2</mass><inertia>{}</inertia></inertial>"
TAGS = "<ixx>2</ixx><iyy>3</iyy><izz>4</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz>"
URDF = (
    '<inertial><origin xyz="0.1 0.2 0.3" rpy="{}"/><mass value="2"/>'
    '<inertia ixx="2" iyy="3" izz="4" ixy="0" ixz="0" iyz="0"/></inertial>'
)
MJCF = '<inertial pos="0.1 0.2 0.3" mass="2" diaginertia="2 3 4" {}="{}"/>'


def turn(axis: int) -> npt.NDArray[np.float64]:
    """The rotation by `ANGLE` about an axis, as textbooks give it."""
    matrix = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = C
    matrix[i, j], matrix[j, i] = -S, S
    return matrix


def about(axis: int, value: float) -> str:
    return " ".join(repr(value) if index == axis else "0" for index in range(3))


def expected(axis: int) -> SpatialInertia:
    R = turn(axis)
    tensor = R @ np.diag(MOMENTS) @ R.T
    return SpatialInertia(2.0, POSITION, [tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])


# The first two columns of each rotation; the second is leant over, and both are stretched.
def axes_text(axis: int) -> str:
    x, y = turn(axis)[:, 0], turn(axis)[:, 1]
    return " ".join(map(repr, map(float, (*(2 * x), *(3 * y + 0.5 * x)))))


@pytest.mark.parametrize("axis", [0, 1, 2], ids=["x", "y", "z"])
@pytest.mark.parametrize(
    "read",
    [
        lambda axis: SpatialInertia.from_sdf(SDF.format("", about(axis, ANGLE), TAGS)),
        lambda axis: SpatialInertia.from_sdf(SDF.format("degrees='TRUE'", about(axis, 30.0), TAGS)),
        lambda axis: SpatialInertia.from_sdf(
            SDF.format("rotation_format='quat_xyzw'", f"{about(axis, s)} {c!r}", TAGS)
        ),
        lambda axis: SpatialInertia.from_urdf(URDF.format(about(axis, ANGLE))),
        lambda axis: SpatialInertia.from_urdf(URDF.replace("rpy", "quat_xyzw").format(f"{about(axis, s)} {c!r}")),
        lambda axis: SpatialInertia.from_mjcf(MJCF.format("quat", f"{c!r} {about(axis, s)}")),
        lambda axis: SpatialInertia.from_mjcf(MJCF.format("xyaxes", axes_text(axis))),
    ],
    ids=["SDF rpy", "SDF degrees", "SDF quaternion", "URDF rpy", "URDF quaternion", "MJCF quat", "MJCF xyaxes"],
)
def test_a_turned_inertial_is_read_in_the_axes_of_its_frame(read: Callable[[int], SpatialInertia], axis: int) -> None:
    assert_same(read(axis), expected(axis), rel=1e-14)


def test_what_says_no_rotation_has_none_and_the_full_tensor_of_mjcf_has_its_products_last() -> None:
    plain = SpatialInertia(2.0, POSITION, InertiaTensor(*MOMENTS))
    assert SpatialInertia.from_mjcf(MJCF.replace(' {}="{}"', "")) == plain
    assert SpatialInertia.from_urdf(URDF.replace(' rpy="{}"', "")) == plain
    at_origin = URDF.replace('<origin xyz="0.1 0.2 0.3" rpy="{}"/>', "")
    assert SpatialInertia.from_urdf(at_origin) == SpatialInertia(2.0, (0.0, 0.0, 0.0), InertiaTensor(*MOMENTS))
    body = SpatialInertia.from_mjcf('<inertial pos="1 2 3" mass="5" fullinertia="6 7 8 0.1 0.2 0.3"/>')
    assert body == SpatialInertia(5.0, (1.0, 2.0, 3.0), InertiaTensor(6.0, 7.0, 8.0, 0.1, 0.2, 0.3))
    assert body.as_mjcf() == '<inertial pos="1 2 3" mass="5" fullinertia="6 7 8 0.1 0.2 0.3"/>'


# Drake ----------------------------------------------------------------------------------------------------------------


class DrakeRotational(NamedTuple):
    """`pydrake.multibody.tree.RotationalInertia`, as far as it is used."""

    Ixx: float
    Iyy: float
    Izz: float
    Ixy: float = 0.0
    Ixz: float = 0.0
    Iyz: float = 0.0

    def CopyToFullMatrix3(self) -> npt.NDArray[np.float64]:
        return tensor_matrix(*self)


class DrakeSpatial:
    """`pydrake.multibody.tree.SpatialInertia`, as far as it is used."""

    def __init__(self, mass: float, p: tuple[float, float, float], about_origin: DrakeRotational) -> None:
        self._mass, self._p, self._about_origin = mass, p, about_origin

    @staticmethod
    def MakeFromCentralInertia(mass: float, p: tuple[float, float, float], central: DrakeRotational) -> DrakeSpatial:
        if mass < 0.0:
            raise RuntimeError("mass is negative")
        (x, y, z), (xx, yy, zz, xy, xz, yz) = p, central
        shift = (y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)
        values = (a + mass * b for a, b in zip((xx, yy, zz, xy, xz, yz), shift, strict=True))
        return DrakeSpatial(mass, p, DrakeRotational(*values))

    def get_mass(self) -> float:
        return self._mass

    def get_com(self) -> tuple[float, float, float]:
        return self._p

    def CalcRotationalInertia(self) -> DrakeRotational:
        return self._about_origin


@pytest.fixture
def drake(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = ModuleType("pydrake.multibody.tree")
    tree.RotationalInertia, tree.SpatialInertia = DrakeRotational, DrakeSpatial  # type: ignore[attr-defined]
    for name in ("pydrake", "pydrake.multibody"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "pydrake.multibody.tree", tree)


BODY = box((1, 2, 3), 1000.0).transformed(RigidTransform(rotation_from_rpy(0.3, -1.1, 2.0), (0.4, -0.7, 1.3)))


@pytest.mark.usefixtures("drake")
def test_drake_gets_the_central_inertia_and_gives_it_back_and_what_it_refuses_is_one_of_our_errors() -> None:
    theirs = BODY.as_drake()
    assert (theirs.get_mass(), theirs.get_com()) == (BODY.mass, BODY.p_BoBcm_B)
    _, y, z = BODY.p_BoBcm_B
    inertia = theirs.CalcRotationalInertia()
    assert inertia.Ixx == pytest.approx(BODY.I_BBcm_B.ixx + BODY.mass * (y * y + z * z), rel=1e-15)
    assert inertia.Iyz == pytest.approx(BODY.I_BBcm_B.iyz - BODY.mass * y * z, rel=1e-12)
    assert_same(SpatialInertia.from_drake(theirs), BODY)
    with pytest.raises(InertiaError, match="Drake rejects this inertia: mass is negative"):
        SpatialInertia(-1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 1.0)).as_drake()


@pytest.mark.parametrize("given", [None, 1.0, "<inertial/>"])
def test_what_is_no_inertia_of_drake_is_refused(given) -> None:
    with pytest.raises(InertiaError, match=rf"a {type(given).__name__} is not a pydrake"):
        SpatialInertia.from_drake(given)


# Tensors --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([1, 2, 3], "must be ixx iyy izz ixy ixz iyz or a matrix of 3 by 3, not"),
        ([[1, 0, 0], [0, 1, 0]], "not one of 2 rows"),
        ([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], "must be symmetric"),
        ([[1, 0, 0.1], [0, 1, 0], [0, 0, 1]], "must be symmetric"),
        ([[1, 0, 0], [0, 1, 0.1], [0, 0, 1]], "must be symmetric"),
    ],
)
def test_what_is_no_tensor_is_refused(given, problem: str) -> None:
    with pytest.raises(InertiaError, match=f"^an inertia tensor .*{problem}"):
        six_of_tensor(given)


def test_a_tensor_is_six_numbers_or_a_matrix_that_is_symmetric_to_its_printed_digits() -> None:
    assert six_of_tensor((1, 2, 3, 0.1, 0.2, 0.3)) == (1, 2, 3, 0.1, 0.2, 0.3)
    printed = [[1.0, 0.1, 0.2], [0.1 + 2.9e-9, 2.0, 0.3], [0.2, 0.3 - 2.9e-9, 3.0]]
    assert six_of_tensor(printed) == (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)
    printed[1][0] = 0.1 + 3.1e-9
    with pytest.raises(InertiaError, match="symmetric"):
        six_of_tensor(printed)


def test_numbers_that_no_body_has_are_written_as_they_are() -> None:
    impossible = SpatialInertia(2, (0.1, 0.2, 0.3), (1, 2, 5, 0.1, 0.2, 0.3))
    assert impossible.as_urdf() == (
        '<inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 0"/><mass value="2"/>'
        '<inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="5"/></inertial>'
    )
    assert impossible.as_mjcf() == '<inertial pos="0.1 0.2 0.3" mass="2" fullinertia="1 2 5 0.1 0.2 0.3"/>'


@pytest.mark.parametrize("digits", [0, 18, 3.0, True])
def test_digits_are_a_whole_number_that_a_double_has(digits) -> None:
    for write in (BODY.as_sdf, BODY.as_urdf, BODY.as_mjcf):
        with pytest.raises(ConfigurationError, match="digits must be a whole number from 1 to 17"):
            write(digits)  # type: ignore[arg-type]
    assert "mass" in BODY.as_mjcf(1)
    assert "mass" in BODY.as_mjcf(17)
