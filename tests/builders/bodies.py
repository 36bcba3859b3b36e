"""Rigid bodies: strategies that draw them, and comparisons."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import strategies as st

from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.solids import box

angles = st.floats(-3.2, 3.2)
lengths = st.floats(0.1, 3.0)
coordinates = st.floats(-5.0, 5.0)
sizes = st.tuples(lengths, lengths, lengths)
vectors = st.tuples(coordinates, coordinates, coordinates)
rotations = st.builds(rotation_from_rpy, angles, angles, angles)
transforms = st.builds(RigidTransform, rotations, vectors)
bodies = st.builds(
    lambda size, density, X: box(size, density).transformed(X), sizes, st.floats(1.0, 5000.0), transforms
)


def assert_same(one: SpatialInertia, other: SpatialInertia, rel: float = 1e-12) -> None:
    assert one.mass == pytest.approx(other.mass, rel=rel)
    assert one.p_BoBcm_B == pytest.approx(other.p_BoBcm_B, rel=1e-12, abs=10 * rel)
    assert one.I_BBcm_B == pytest.approx(other.I_BBcm_B, abs=rel * other.I_BBcm_B.trace)


def tensor_matrix(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> npt.NDArray[np.float64]:
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def rpy_matrix(roll: float, pitch: float, yaw: float) -> npt.NDArray[np.float64]:
    """The rotation about fixed axes, x first, computed independently of the package."""
    (cr, sr), (cp, sp), (cy, sy) = ((np.cos(angle), np.sin(angle)) for angle in (roll, pitch, yaw))
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return np.asarray(about_z @ about_y @ about_x)


def transform_matrix(X: RigidTransform) -> npt.NDArray[np.float64]:
    result = np.eye(4)
    result[:3, :3], result[:3, 3] = np.reshape(X.rotation, (3, 3)), X.translation
    return result


def is_accepted_by_gz_math(tensor: Sequence[str | float]) -> bool:
    """Whether `MassMatrix3::IsValid` holds for ixx ixy ixz iyy iyz izz, in exact arithmetic."""
    ixx, ixy, ixz, iyy, iyz, izz = (Fraction(float(text)) for text in tensor)
    slack = Fraction(10, 2**52) * abs(ixx + iyy + izz) / 2

    def determinant(a: Fraction, b: Fraction, c: Fraction, ab: Fraction, ac: Fraction, bc: Fraction) -> Fraction:
        return a * b * c + 2 * ab * ac * bc - a * bc * bc - b * ac * ac - c * ab * ab

    near_positive = (ixx, ixx * iyy - ixy * ixy, determinant(ixx, iyy, izz, ixy, ixz, iyz))
    # With the slack on the largest moment: (trace + slack)/2 - I must have no negative eigenvalue.
    half = (ixx + iyy + izz + slack) / 2
    a, b, c = half - ixx, half - iyy, half - izz
    minors = (a, b, c, a * b - ixy**2, a * c - ixz**2, b * c - iyz**2, determinant(a, b, c, -ixy, -ixz, -iyz))
    return all(minor + slack >= 0 for minor in near_positive) and all(minor >= 0 for minor in minors)
