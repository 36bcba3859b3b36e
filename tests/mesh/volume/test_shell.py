import math

import numpy as np
import pytest
from builders.meshes import ball, joined, rectangle

from sdfinertia.errors import MeshError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.inertial_text import is_accepted_by_libsdformat
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.solids import box, sphere
from sdfinertia.mesh.repair import repaired_surface
from sdfinertia.mesh.solid_moments import shell_moments

OPEN_BOX = {
    "bottom": ((0, 0, 0), (2, 0, 0), (0, 1, 0)),
    "left": ((0, 0, 0), (0, 1, 0), (0, 0, 3)),
    "right": ((2, 0, 0), (0, 1, 0), (0, 0, 3)),
    "front": ((0, 0, 0), (2, 0, 0), (0, 0, 3)),
    "back": ((0, 1, 0), (2, 0, 0), (0, 0, 3)),
}


def plate(corner, u, v, thickness):
    """The solid plate whose mid-surface is an axis-parallel rectangle."""
    corner, u, v = (np.array(vector, float) for vector in (corner, u, v))
    size = u + v + thickness * (u + v == 0)
    solid = box(tuple(size.tolist()), 1000.0)
    return solid.transformed(RigidTransform(rotation_from_rpy(0, 0, 0), tuple((corner + (u + v) / 2).tolist())))


def close_to(one: SpatialInertia, other: SpatialInertia, relative: float):
    largest = max(other.I_BBcm_B)
    assert one.mass == pytest.approx(other.mass, rel=relative)
    assert one.p_BoBcm_B == pytest.approx(other.p_BoBcm_B, rel=relative, abs=relative)
    assert tuple(one.I_BBcm_B) == pytest.approx(tuple(other.I_BBcm_B), abs=relative * largest)


@pytest.mark.parametrize("offset", [(0, 0, 0), (1000, -2000, 500), (2**29, -(2**30), 2**28)])
@pytest.mark.parametrize("thickness", [0.1, 1e-5])
def test_a_flat_plate_is_the_box_of_its_thickness(thickness, offset):
    corner = np.array([-0.5, -1.0, 0.0]) + offset
    mesh = rectangle(corner, (1, 0, 0), (0, 2, 0))
    found = shell_moments(*mesh, thickness).spatial_inertia(1000.0)
    close_to(found, plate(corner, (1, 0, 0), (0, 2, 0), thickness), 1e-12)


@pytest.mark.parametrize("size", [0.25, 0.5, 1, 2])
def test_a_tilted_plate_has_the_turned_tensor(size):
    turn = RigidTransform(rotation_from_rpy(0.3, -1.1, 2.0), (0.1, 0.2, 0.3))
    vertices, faces = rectangle((0, 0, 0), (size, 0, 0), (0, 2 * size, 0))
    turned = np.array([turn.apply(tuple(vertex)) for vertex in vertices.tolist()])
    found = shell_moments(turned, faces, 0.2).spatial_inertia(1000.0)
    close_to(found, plate((0, 0, 0), (size, 0, 0), (0, 2 * size, 0), 0.2).transformed(turn), 1e-12)


def test_a_plate_far_thinner_than_wide_is_still_a_body_and_a_wall_far_from_its_origin_loses_no_digits():
    found = shell_moments(*rectangle((0, 0, 0), (1, 0, 0), (0, 1, 0)), 1e-6).spatial_inertia(1000.0)
    assert is_accepted_by_libsdformat(found.mass, found.I_BBcm_B)
    points, faces = ball()
    points = np.round((points * (1, 2, 3) + 0.1) * 2.0**28) / 2.0**28
    offset = np.array((2.0**20, -(2.0**21), 2.0**19))
    near, far = shell_moments(points, faces, 0.01), shell_moments(points + offset, faces, 0.01)
    assert far.volume == pytest.approx(near.volume, rel=1e-14)
    assert far.second == pytest.approx(near.second, abs=1e-14 * max(near.second))


def test_a_spherical_wall_is_the_difference_of_two_spheres():
    radius, thickness = 0.5, 0.005
    found = shell_moments(*ball(100, 200, radius), thickness).spatial_inertia(1000.0)
    outer, inner = sphere(radius + thickness / 2, 1000.0), sphere(radius - thickness / 2, 1000.0)
    assert found.mass == pytest.approx(outer.mass - inner.mass, rel=1e-3)
    assert found.p_BoBcm_B == pytest.approx((0, 0, 0), abs=1e-12)
    moment = outer.I_BBcm_B.ixx - inner.I_BBcm_B.ixx
    assert tuple(found.I_BBcm_B) == pytest.approx((moment, moment, moment, 0, 0, 0), abs=1e-3 * moment)


def test_a_double_sided_wall_counts_once_whichever_way_its_faces_are_wound():
    vertices, faces = joined(*(rectangle(*sides) for sides in OPEN_BOX.values()))
    once = shell_moments(vertices, faces, 0.01)
    both = np.concatenate((faces, faces[:, [1, 0, 2]]))
    assert shell_moments(vertices, both, 0.01) == once
    surface = repaired_surface(vertices, both)
    assert shell_moments(surface.vertices, surface.faces, 0.01).volume == pytest.approx(0.01 * 20, rel=1e-12)
    turned = faces.copy()
    turned[::2] = turned[::2, [1, 0, 2]]
    assert shell_moments(vertices, turned, 0.01).volume == pytest.approx(once.volume)


FACE = np.array([(0, 1, 2)])


@pytest.mark.parametrize(
    ("mesh", "thickness", "problem"),
    [
        ((np.zeros((3, 3)), np.zeros((0, 3), np.int64)), 0.1, "no faces"),
        *(
            (rectangle((0, 0, 0), (1, 0, 0), (0, 1, 0)), thick, "thickness")
            for thick in (0.0, -0.1, math.inf, math.nan)
        ),
        ((np.zeros((3, 3)), FACE), 0.1, "area"),
        ((np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0.0)]), FACE), 0.1, "area"),
        ((np.array([(0, 0, 0), (1e200, 0, 0), (0, 1e200, 0)]), FACE), 0.1, "area"),
    ],
)
def test_a_wall_without_faces_area_or_thickness_is_refused(mesh, thickness, problem):
    with pytest.raises(MeshError, match=problem):
        shell_moments(*mesh, thickness)
