"""What Drake makes of the tensors that are nearest to those that no body has."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.nearest_valid import nearest_valid_tensor
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.inertia.spatial_inertia import InertiaTensor

pytestmark = pytest.mark.oracle

angles = st.floats(-3.2, 3.2)
moments = st.floats(-2.0, 3.0).map(lambda moment: moment if abs(moment) > 1e-9 else 0.0)


@given(diagonal=st.tuples(moments, moments, moments), rpy=st.tuples(angles, angles, angles))
def test_drake_takes_the_nearest_tensor_for_that_of_a_body(diagonal: tuple, rpy: tuple) -> None:
    tree = pytest.importorskip("pydrake.multibody.tree", reason="Drake is not installed: pip install drake")
    try:
        tensor = nearest_valid_tensor(1.0, InertiaTensor(*diagonal).rotated(rotation_from_rpy(*rpy))).tensor
    except InertiaError:
        assume(False)
        return
    xx, yy, zz, xy, xz, yz = tensor
    assert tree.RotationalInertia(Ixx=xx, Iyy=yy, Izz=zz, Ixy=xy, Ixz=xz, Iyz=yz).CouldBePhysicallyValid()
