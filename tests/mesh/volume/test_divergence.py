import math

import numpy as np
import pytest
from builders.meshes import L_OUTLINE, prism, torus, without

from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh.convex_hulls import convex_hull
from sdfinertia.mesh.repair import repaired_surface, weld_equal
from sdfinertia.mesh.solid_moments import divergence_moments


def polygon_prism(n, height):
    angle = 2 * np.pi * np.arange(n) / n
    return prism(np.stack((np.cos(angle), np.sin(angle)), 1), height)


SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
BOX = prism(SQUARE)


def quartered(mesh, times):
    """The same surface with every face cut in four, as often as asked."""
    vertices, faces = mesh
    for _ in range(times):
        a, b, c = (vertices[faces[:, corner]] for corner in range(3))
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        cut = np.concatenate([np.stack(one, 1) for one in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
        vertices, faces = weld_equal(cut.reshape(-1, 3), np.arange(3 * len(cut)).reshape(-1, 3))
    return vertices, faces


def ball(random, points):
    """The convex hull of points on a sphere."""
    directions = random.normal(size=(points, 3))
    return convex_hull(directions / np.linalg.norm(directions, axis=1, keepdims=True))


SOLIDS = {
    "hull": lambda random: quartered(convex_hull(random.normal(size=(int(random.integers(8, 40)), 3))), 1),
    "ball": lambda random: ball(random, int(random.integers(40, 400))),
    "torus": lambda random: torus(random.uniform(0.2, 0.8)),
    "L": lambda random: quartered(prism(L_OUTLINE, random.uniform(0.3, 3)), int(random.integers(1, 4))),
    "box": lambda random: quartered(BOX, int(random.integers(1, 4))),
}


def scattered(random, vertices, faces, count):
    return random.choice(len(faces), count, replace=False)


def patch(random, vertices, faces, count, patches=1):
    """The faces nearest to faces chosen by chance."""
    middles = vertices[faces].mean(axis=1)
    seeds = random.choice(len(faces), patches, replace=False)
    nearest = [np.argsort(((middles - middles[seed]) ** 2).sum(axis=1))[: max(1, count // patches)] for seed in seeds]
    return np.unique(np.concatenate(nearest))


def patches(random, vertices, faces, count):
    return patch(random, vertices, faces, count, int(random.integers(2, 5)))


def outcome(random, solid, removed):
    """`(true error, error told)` of a solid's volume, both as parts of the divergence integral."""
    vertices, faces = SOLIDS[solid](random)
    vertices = vertices * random.uniform(0.3, 3, 3)
    size = np.ptp(vertices, axis=0)
    centred = vertices - vertices.min(axis=0) - size / 2
    placed = centred + random.normal(size=3) * size * random.choice([0, 0.25, 1])
    gone = removed(random, placed, faces, int(random.integers(1, len(faces) // 10 + 1)))
    surface = repaired_surface(*without((placed, faces), gone))
    found, uncertainty = divergence_moments(surface.vertices, surface.faces)
    return abs(found.volume - moments(placed, faces).volume) / found.volume, uncertainty


def test_the_uncertainty_bounds_the_error_without_exaggerating_it():
    random = np.random.default_rng(20240607)
    found = np.array(
        [
            outcome(random, solid, removed)
            for _ in range(7)
            for solid in SOLIDS
            for removed in (scattered, patch, patches)
        ]
    )
    error, told = found[np.isfinite(found[:, 1])].T
    assert len(error) >= 0.99 * len(found), "hardly any integral is negative"
    assert (told >= error).mean() >= 0.99
    ratio = told / np.maximum(error, 1e-12)
    assert np.median(ratio) <= 10
    assert np.median(ratio) >= 1


TUBE = polygon_prism(48, 4.0)
CAPLESS = TUBE[0] - (0, 0, 2), TUBE[1][:96]
LIDLESS = BOX[0] - 0.5, BOX[1][:-2]


@pytest.mark.parametrize(
    ("mesh", "of_truth", "most"),
    [
        pytest.param(CAPLESS, 2 / 3, 1.5, id="centred tube without caps"),
        pytest.param((CAPLESS[0] + (0, 0, 2), CAPLESS[1]), 2 / 3, 1.5, id="tube without caps from its end"),
        pytest.param((CAPLESS[0] + (5, 0, 0), CAPLESS[1]), 2 / 3, 1.5, id="tube without caps from its side"),
        pytest.param(LIDLESS, 5 / 6, 1.1, id="centred box without a lid"),
        pytest.param((LIDLESS[0] + 0.5, LIDLESS[1]), 2 / 3, 1.6, id="box without a lid from a corner of its bottom"),
        pytest.param((LIDLESS[0] - 0.5, LIDLESS[1]), 1, 0.8, id="box without a lid from a corner of its rim"),
    ],
)
def test_the_uncertainty_covers_what_is_missing(mesh, of_truth, most):
    vertices, faces = mesh
    truth = moments(*(TUBE if len(vertices) == len(TUBE[0]) else BOX)).volume
    found, uncertainty = divergence_moments(vertices, faces)
    assert found.volume == pytest.approx(of_truth * truth, rel=1e-9)
    error = abs(found.volume - truth) / found.volume
    assert error <= uncertainty <= most


def test_a_closed_surface_has_no_uncertainty():
    found, uncertainty = divergence_moments(*BOX)
    assert uncertainty == 0.0
    assert found.volume == pytest.approx(1)
    assert found.centroid == pytest.approx((0.5, 0.5, 0.5))


def test_the_uncertainty_depends_neither_on_how_the_part_is_turned_nor_on_the_unit():
    vertices, faces = LIDLESS[0] + (0.3, -0.2, 0.1), LIDLESS[1]
    about_x = vertices[:, [0, 2, 1]] * (1, -1, 1)
    one, told = divergence_moments(vertices, faces)
    other, told_of_other = divergence_moments(about_x, faces)
    assert other.volume == pytest.approx(one.volume, rel=1e-12)
    assert told_of_other == pytest.approx(told, rel=1e-12)
    assert divergence_moments(vertices * 1000, faces)[1] == pytest.approx(told, rel=1e-12)


@pytest.mark.parametrize(
    "mesh",
    [
        pytest.param((LIDLESS[0], LIDLESS[1][:, ::-1]), id="inside out"),
        pytest.param((BOX[0] + (-0.5, -0.5, 3), BOX[1][:-2]), id="seen through its bottom"),
        pytest.param((BOX[0][:3], np.array([(0, 1, 2)])), id="in a plane with the origin"),
    ],
)
def test_nothing_is_known_of_a_volume_that_is_not_positive(mesh):
    found, uncertainty = divergence_moments(*mesh)
    assert found.volume <= 0
    assert uncertainty == math.inf


@pytest.mark.parametrize("size", [1e120, 1e160])
def test_sizes_beyond_the_range_of_floats_end_in_an_infinite_uncertainty(size):
    vertices, faces = BOX
    result, uncertainty = divergence_moments(vertices * size, faces[:-1])
    assert uncertainty == math.inf
    assert not math.isfinite(result.second[0])
