from itertools import pairwise
from math import cos, fsum, pi, sin

import numpy as np
import numpy.typing as npt
import pytest
from builders.bodies import assert_same, lengths, rotations
from builders.meshes import CORNERS, SIDES
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.inertia import SpatialInertia, polyhedron
from sdfinertia.inertia.polyhedron import bounding_box, pairwise_sum
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.solids import VolumeMoments, box, cone, cylinder, ellipsoid, sphere

CUBE = CORNERS - 0.5
Mesh = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


def lathe(profile: list[tuple[float, float]], sides: int) -> Mesh:
    """The solid that a row of (radius, z) sweeps out, radius zero at both ends, from the lowest point upwards."""
    vertices = [(r * cos(2 * pi * k / sides), r * sin(2 * pi * k / sides), z) for r, z in profile for k in range(sides)]
    faces = []
    for ring in range(len(profile) - 1):
        for k in range(sides):
            a, b = ring * sides + k, ring * sides + (k + 1) % sides
            faces += [(a, b, b + sides), (a, b + sides, a + sides)]
    return np.array(vertices), np.array(faces)


def round_profile(n: int) -> list[tuple[float, float]]:
    return [(sin(pi * k / n) if 0 < k < n else 0.0, -cos(pi * k / n)) for k in range(n + 1)]


@given(size=st.tuples(lengths, lengths, lengths), rotation=rotations, place=st.tuples(*[st.floats(-5.0, 5.0)] * 3))
def test_a_box_of_triangles_is_the_box_of_the_formula(size: tuple, rotation: tuple, place: tuple) -> None:
    vertices = (CUBE * size) @ np.array(rotation).reshape(3, 3).T + np.array(place)
    expected = box(size, 1000.0).transformed(RigidTransform(rotation, place))
    assert_same(polyhedron.moments(vertices, SIDES).spatial_inertia(1000.0), expected, 2e-13)


def test_a_plate_of_10_micrometres_and_two_parts_far_from_the_origin_keep_their_digits() -> None:
    size = (1.0, 1.0, 1e-5)
    for rotation in (rotation_from_rpy(0.0, 0.0, 0.0), rotation_from_rpy(0.4, -0.8, 2.0)):
        X = RigidTransform(rotation, (3.0, -2.0, 1.0))
        vertices = (CUBE * size) @ np.array(rotation).reshape(3, 3).T + np.array(X.translation)
        plate = polyhedron.moments(vertices, SIDES).spatial_inertia(1000.0)
        assert_same(plate, box(size, 1000.0).transformed(X), 1e-9)
        assert plate.is_physically_valid()
    # Places that floats hold exactly: what is lost would be lost in the sums.
    place = np.array((1e6, -2e6, 1e6))
    vertices = np.vstack([CUBE + place, 0.5 * CUBE + place + (1.25, -0.5, 2.0)])
    body = polyhedron.moments(vertices, np.vstack([SIDES, SIDES + 8])).spatial_inertia(1000.0)
    cube = box((1.0, 1.0, 1.0), 1000.0)
    half = box((0.5, 0.5, 0.5), 1000.0).transformed(RigidTransform(translation=(1.25, -0.5, 2.0)))
    assert body.I_BBcm_B == pytest.approx((cube + half).I_BBcm_B, rel=1e-12)


@pytest.mark.parametrize("distance", [0.0, 1.0, 30.0, 1e3])
def test_a_splinter_far_from_a_body_costs_the_body_no_digits(distance: float) -> None:
    # The centre of the box lies far outside the body, whose second moments are small beside those about that centre.
    splinter = CUBE * 2.0**-20 + (distance, 0.0, 0.0)
    body = polyhedron.moments(np.vstack([CUBE, splinter]), np.vstack([SIDES, SIDES + 8]))
    expected = box((1.0, 1.0, 1.0), 1.0) + box((2.0**-20,) * 3, 1.0).transformed(
        RigidTransform(translation=(distance, 0.0, 0.0))
    )
    assert tuple(body.spatial_inertia(1.0).I_BBcm_B) == pytest.approx(tuple(expected.I_BBcm_B), rel=1e-13, abs=1e-15)


@pytest.mark.parametrize(
    ("profile", "solid"),
    [
        (round_profile, sphere(1.0, 1000.0)),
        (lambda n: [(0.5 * r, 2.0 * z) for r, z in round_profile(n)], ellipsoid((0.5, 0.5, 2.0), 1000.0)),
        (lambda n: [(0.0, -1.0), (0.7, -1.0), (0.7, 1.0), (0.0, 1.0)], cylinder(0.7, 2.0, 1000.0)),
        (lambda n: [(0.0, -1.0), (0.7, -1.0), (0.0, 1.0)], cone(0.7, 2.0, 1000.0)),
    ],
    ids=["sphere", "ellipsoid", "cylinder", "cone"],
)
def test_finer_tessellations_approach_the_formula_with_the_square_of_the_step(profile, solid: SpatialInertia) -> None:
    errors = []
    for n in (32, 64, 128):
        body = polyhedron.moments(*lathe(profile(n), 2 * n)).spatial_inertia(1000.0)
        errors.append([abs(body.mass / solid.mass - 1.0), abs(body.I_BBcm_B.izz / solid.I_BBcm_B.izz - 1.0)])
        errors[-1].append(abs(body.I_BBcm_B.ixx / solid.I_BBcm_B.ixx - 1.0))
        assert body.p_BoBcm_B == pytest.approx(solid.p_BoBcm_B, abs=1e-12)
    assert max(errors[-1]) < 2e-3
    for coarse, fine in pairwise(errors):
        for a, b in zip(coarse, fine, strict=True):
            assert a / b == pytest.approx(4.0, rel=0.02)


def test_neither_vertices_that_no_face_uses_nor_the_layout_in_memory_change_a_bit() -> None:
    stray = np.vstack([CUBE, [[1e30, np.nan, -1e9]]])
    assert polyhedron.moments(stray, SIDES) == polyhedron.moments(CUBE, SIDES)
    vertices, faces = lathe(round_profile(30), 61)
    expected = polyhedron.moments(vertices, faces)
    assert polyhedron.moments(np.asfortranarray(vertices), np.asfortranarray(faces)) == expected
    assert polyhedron.moments(np.repeat(vertices, 2, axis=0)[::2], np.repeat(faces, 2, axis=1)[:, ::2]) == expected


@pytest.mark.parametrize("factors", [(-1.0, 1.0, 1.0), (0.001, 0.001, 0.001), (2.0, -3.0, 0.5), (-1.0, -1.0, -1.0)])
def test_scaled_moments_are_those_of_the_scaled_mesh(factors: tuple[float, float, float]) -> None:
    vertices = np.array([[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [0.1, 2.0, 0.3], [0.4, 0.5, 3.0]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    flipped = faces[:, ::-1] if np.prod(factors) < 0 else faces
    expected = polyhedron.moments(vertices * factors, flipped)
    scaled = polyhedron.moments(vertices, faces).scaled(factors)
    assert scaled.volume > 0.0
    assert scaled.volume == pytest.approx(expected.volume, rel=1e-14)
    assert scaled.centroid == pytest.approx(expected.centroid, rel=1e-14)
    assert scaled.second == pytest.approx(expected.second, rel=1e-13)


def test_a_tetrahedron_has_the_moments_of_the_integral_and_what_is_inside_out_the_negative_of_everything() -> None:
    vertices = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    body = polyhedron.moments(vertices, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]))
    # About the corner ∫x² = 1/60 and ∫xy = 1/120; the centroid is at 1/4, the volume 1/6.
    assert body.volume == pytest.approx(1 / 6, rel=1e-15)
    assert body.centroid == pytest.approx((0.25, 0.25, 0.25), rel=1e-15)
    assert body.second == pytest.approx((*(1 / 60 - 1 / 96,) * 3, *(1 / 120 - 1 / 96,) * 3), rel=1e-13)
    right = polyhedron.moments(CUBE + 2.0, SIDES)
    wrong = polyhedron.moments(CUBE + 2.0, SIDES[:, ::-1])
    assert wrong.volume == -right.volume
    assert wrong.centroid == right.centroid
    assert wrong.second == tuple(-value for value in right.second)


@pytest.mark.parametrize(
    ("faces", "centroid"),
    [
        (np.zeros((0, 3), dtype=np.int64), (0.0, 0.0, 0.0)),
        (np.array([[0, 1, 3], [0, 3, 1]]), (-0.5, 0.0, 0.0)),
        (np.array([[0, 0, 0]]), (-0.5, -0.5, -0.5)),
    ],
    ids=["no faces", "both sides of one triangle", "a point"],
)
def test_a_surface_that_encloses_nothing_has_no_volume_and_a_centre(faces: np.ndarray, centroid: tuple) -> None:
    body = polyhedron.moments(CUBE, faces)
    assert body == VolumeMoments(0.0, centroid, (0.0,) * 6)


@pytest.mark.parametrize("apex", [(0.0, 0.0, 0.0), (0.2, -0.1, 0.3), (5.0, 0.0, 0.0)])
def test_a_closed_surface_is_the_same_from_every_apex(apex: tuple[float, float, float]) -> None:
    body, expected = polyhedron.moments(CUBE, SIDES, apex), polyhedron.moments(CUBE, SIDES)
    assert body.volume == pytest.approx(expected.volume, rel=1e-14)
    assert body.centroid == pytest.approx(expected.centroid, abs=1e-14)
    assert body.second == pytest.approx(expected.second, abs=1e-12)


def test_an_open_surface_with_an_apex_is_closed_by_the_cone_to_it_and_a_flat_one_has_its_centroid_near() -> None:
    # A cube without its lid, the cone to its centre missing: five of six pyramids.
    body = polyhedron.moments(CUBE, SIDES[:10], apex=(0.0, 0.0, 0.0))
    pyramid = 1.0 - 1.0 / 6.0
    assert body.volume == pytest.approx(pyramid, rel=1e-14)
    # The missing one has its centroid 3/8 above the centre.
    assert body.centroid == pytest.approx((0.0, 0.0, -0.375 / 6.0 / pyramid), abs=1e-15)
    flat = (CUBE * (1.0, 1.0, 0.0)) @ np.array(rotation_from_rpy(0.3, 0.5, 0.7)).reshape(3, 3).T
    body = polyhedron.moments(flat, SIDES)
    assert abs(body.volume) < 1e-15
    assert max(abs(value) for value in body.centroid) < 1.0


@pytest.mark.parametrize("scale", [1e-45, 1e-30, 1e30, 3.4e38, 1e150, 1.7e308])
def test_very_small_and_very_large_coordinates_raise_nothing(scale: float) -> None:
    body = polyhedron.moments(CUBE * 2.0 * scale, SIDES)
    assert body.volume >= 0.0 or body.volume != body.volume
    assert not body.spatial_inertia(1000.0).is_physically_valid() or 1e-60 < scale < 1e60


@pytest.mark.parametrize("apex", [None, (0.1, 0.2, 0.3)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_triangles_one_after_another_are_those_of_their_indices(apex, dtype):
    vertices, faces = lathe(round_profile(9), 11)
    vertices = vertices.astype(dtype)
    listed = polyhedron.moments(vertices, faces, apex)
    assert polyhedron.moments(vertices[faces].reshape(-1, 3), None, apex) == listed
    assert listed.volume > 1.0


def test_halves_are_folded_onto_each_other_so_that_rounding_does_not_grow_with_the_count() -> None:
    values = np.random.default_rng(0).uniform(0, 1, 1 << 18)
    assert pairwise_sum(values) == pytest.approx(fsum(values), rel=4e-16)
    assert abs(float(np.add.accumulate(values)[-1]) / fsum(values) - 1) > 4e-16, "one after the other is not as good"
    tiny = 2.0**-53
    # ((1 + tiny) + (tiny + tiny)) and the odd one to the first.
    assert pairwise_sum(np.array([1.0, tiny, tiny, tiny])) == (1.0 + tiny) + (tiny + tiny)
    assert pairwise_sum(np.array([1.0, tiny, tiny, tiny, 2 * tiny])) == ((1.0 + tiny) + 2 * tiny) + (tiny + tiny)
    assert pairwise_sum(np.array([tiny, 1.0, tiny, tiny])) == (tiny + tiny) + (1.0 + tiny)


@pytest.mark.parametrize("count", [1, 255, 256, 257, 512, 1000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_box_is_about_every_point_wherever_it_stands(count: int, dtype: type[np.floating]) -> None:
    inside = np.random.default_rng(count).uniform(-1, 1, (count, 3)).astype(dtype)
    for place in {0, count // 2, count - 1}:
        for axis in range(3):
            for value in (-3.0, 3.0):
                points = inside.copy()
                points[place, axis] = value
                lower, upper = bounding_box(points)
                assert (lower.dtype, upper.dtype, lower.shape, upper.shape) == (np.float64, np.float64, (3,), (3,))
                assert np.array_equal(lower, points.min(axis=0))
                assert np.array_equal(upper, points.max(axis=0))
    apart = np.repeat(inside, 2, axis=0)[::2]
    assert all(np.array_equal(*corners) for corners in zip(bounding_box(apart), bounding_box(inside), strict=True))


@pytest.mark.parametrize("place", [0, 255, 256, 299])
def test_what_is_no_number_is_told_by_its_axis(place: int) -> None:
    points = np.zeros((300, 3))
    points[place, 1] = np.nan
    for corner in bounding_box(points):
        assert np.array_equal(np.isnan(corner), [False, True, False])
